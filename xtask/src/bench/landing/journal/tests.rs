//! What is read from a queue's journal.

use super::Landings;

fn line(at_ms: u64, fact: &str) -> String {
    format!("{{\"v\":1,\"event\":{{\"sequence\":1,\"at_ms\":{at_ms},\"fact\":{{\"type\":{fact}}}}}}}")
}

#[test]
fn a_line_is_as_long_as_its_last_end_and_knows_who_was_red() {
    let journal = [
        line(1_000, "\"attached\",\"leader\":\"gulf\""),
        line(1_010, "\"joined\",\"entry\":{}"),
        line(1_020, "\"joined\",\"entry\":{}"),
        line(1_030, "\"began\",\"key\":{\"attempt\":1,\"work\":{\"kind\":\"merge\",\"ticket\":1}}"),
        line(1_040, "\"began\",\"key\":{\"attempt\":1,\"work\":{\"kind\":\"test\",\"ticket\":1}}"),
        line(3_010, "\"settled\",\"ticket\":1,\"ending\":{\"kind\":\"landed\"}"),
        line(5_020, "\"settled\",\"ticket\":2,\"ending\":{\"kind\":\"evicted\"}"),
    ];
    let expected = Landings { settled: 2, evicted: vec![2], tests: 1, makespan_ms: 4_020, waited_ms: 6_000 };
    assert_eq!(Landings::read(&journal.join("\n")), expected);
    assert_eq!(Landings::read(""), Landings::default());
}
