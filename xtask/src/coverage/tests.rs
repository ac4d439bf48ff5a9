//! What is read of a report, and when it is enough.

use super::{Lines, judge, lines_by_file};

fn report(engine: usize, state: usize) -> String {
    let lines =
        |run: usize| (0..10).map(|line| format!("DA:{line},{}\n", u8::from(line < run))).collect::<String>();
    format!(
        "TN:\nSF:/work/x/crates/gulf-engine/src/decide.rs\n{}end_of_record\nSF:crates/gulf-runner/src/book.rs\n{}\
         end_of_record\nSF:/work/x/crates/gulf-engine/src/tests/given.rs\nDA:1,0\nend_of_record\nSF:/rustc/lib.rs\n\
         DA:1,0\nend_of_record\n",
        lines(engine),
        lines(state)
    )
}

// proves: L9
#[test]
fn nine_lines_of_ten_are_enough_and_eight_are_not_whichever_part_it_is() {
    assert!(judge(&lines_by_file(&report(9, 10))).is_ok());
    assert!(judge(&lines_by_file(&report(8, 10))).is_err());
    assert!(judge(&lines_by_file(&report(10, 8))).is_err());
    assert!(judge(&lines_by_file("")).is_err(), "nothing was measured");
}

#[test]
fn tests_and_the_code_of_others_do_not_count() {
    let files = lines_by_file(&report(9, 1));
    assert_eq!(files.len(), 2);
    assert_eq!(files["crates/gulf-engine/src/decide.rs"], Lines { run: 9, all: 10 });
}
