//! What a loop leaves for those who only look: the page, the pull request, the night, the numbers.

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};
use serde_json::Value;

use crate::{exit, mend, run_right};

const ATTACK: &str = "<img src=x onerror=alert(1)> tried";

/// Claims too early, is told why, and gets it right.
fn verified() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    let early = [Step::append("other", "x"), Step::print(ATTACK), Step::claim()];
    let agent = FakeAgent::new(&sandbox).turn(1, early).turn(2, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    sandbox
}

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    sandbox.gulf(arguments.iter().copied()).run().expect_exit(0).json_lines().remove(0)
}

// proves: B11
#[test]
fn a_report_is_written_as_one_page_that_says_what_its_json_says() {
    let sandbox = verified();
    sandbox.gulf(["report", "--html", "report.html"]).run().expect_exit(0).says("wrote report.html");
    let page = sandbox.read("report.html");
    let document = json(&sandbox, &["report", "--json"]);
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned();
    assert!(page.contains(">verified</span>"), "{page}");
    assert!(page.contains(&text(&document["candidate"]["commit"])), "{page}");
    for point in document["story"].as_array().unwrap() {
        assert!(page.contains(&text(&point["what"]).replace('\'', "&#x27;")), "{point}");
    }
    assert_eq!(document["story"].as_array().map(Vec::len), Some(2));
    assert!(page.contains("refused by the checks") && page.contains("<svg"), "{page}");
    assert!(page.contains("&lt;img src=x") && !page.contains("<img"), "a worker's words are text");
    assert!(page.len() < 300_000, "{} bytes", page.len());
}

#[test]
fn a_page_shows_each_red_and_green_with_both_outputs() {
    let sandbox = Sandbox::with(&Sample::shell());
    let loud = "cat value.txt; test \"$(cat value.txt)\" = right";
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    crate::run(&sandbox, &agent, &["--check", loud]).run().expect_exit(exit::VERIFIED);
    let document = json(&sandbox, &["report", "--json"]);
    let turned = &document["red_to_green"][0];
    assert_eq!(turned["red"]["at"], "on the base", "{turned:#}");
    assert_eq!(turned["green"]["output"], "right", "{turned:#}");
    let red = turned["red"]["output"].as_str().unwrap();
    assert!(!red.contains("right") && !red.is_empty(), "{turned:#}");
    let page = sandbox.gulf(["report", "--html", "-"]).run().expect_exit(0).stdout;
    assert!(page.contains("<h2>From red to green</h2>") && page.contains("<pre>right</pre>"), "{page}");
}

/// Two checks measure the same source, each from a folder of its own: what one of them ran was run.
// proves: B11, L3
#[test]
fn changed_lines_that_no_check_ran_are_to_be_looked_at_first() {
    let sandbox =
        Sandbox::with(&Sample::shell().file("src/calc.sh", "a\nb\n").file(".gitignore", "*.info\n"));
    let measured = |lines: &str| {
        format!(
            "test \"$(cat value.txt)\" = right && printf 'SF:src/calc.sh\\n{lines}end_of_record\\n' > lcov.info"
        )
    };
    let (one, other) =
        (measured("DA:1,0\\nDA:3,1\\nDA:4,0\\nDA:5,0\\n"), measured("DA:3,0\\nDA:4,0\\nDA:5,1\\n"));
    let change =
        [Step::write("value.txt", "right\n"), Step::append("src/calc.sh", "c\nd\ne\n"), Step::claim()];
    let agent = FakeAgent::new(&sandbox).turn(1, change);
    crate::run(&sandbox, &agent, &["--check", &one, "--check", &other]).run().expect_exit(exit::VERIFIED);
    let document = json(&sandbox, &["report", "--json"]);
    assert_eq!(document["untested_lines"], serde_json::json!({ "src/calc.sh": [[4, 4]] }));
    sandbox.gulf(["report"]).run().expect_exit(0).says("src/calc.sh`: 1 changed line that no check ran: 4");
    let page = sandbox.gulf(["report", "--html", "-"]).run().expect_exit(0).stdout;
    assert!(page.contains("1 changed line that no check ran: 4"), "{page}");
}

#[test]
fn a_page_that_cannot_be_written_says_what_to_do() {
    let sandbox = verified();
    let refused = sandbox.gulf(["report", "--html", "no/such/folder/report.html"]).run();
    refused
        .expect_exit(exit::ERROR)
        .says("no/such/folder")
        .says("hint: name a file in a folder that is there");
}

#[test]
fn a_pull_request_gets_at_most_sixty_lines() {
    let sandbox = verified();
    let brief = sandbox.gulf(["report", "--markdown"]).run().expect_exit(0).stdout;
    assert!(brief.lines().count() <= 60 && brief.starts_with("# verified: "), "{brief}");
    assert!(brief.contains("<details><summary>What is proven"), "{brief}");
}

#[test]
fn a_night_holds_every_loop_since_then_and_what_needs_a_person_first() {
    let sandbox = verified();
    let asks = FakeAgent::new(&sandbox).turn(1, [Step::run("gulf claim need-decision 'Which port?'")]);
    crate::run(&sandbox, &asks, &["--check", "test -e port"]).run().expect_exit(exit::PAUSED);
    let night = sandbox.gulf(["report", "--since", "yesterday"]).run().expect_exit(0).stdout;
    let place = |words: &str| night.find(words).unwrap_or_else(|| panic!("{words} is not in {night}"));
    assert!(place("2 loops, 1 for you, 1 verified") < place("needs you"), "{night}");
    assert!(place("needs you") < place("Which port?") && place("Which port?") < place("finished"), "{night}");
    let document = json(&sandbox, &["report", "--since", "1h", "--json"]);
    assert_eq!(document["loops"].as_array().map(Vec::len), Some(2), "{document:#}");
    sandbox.gulf(["report", "--since", "today", "--html", "night.html"]).run().expect_exit(0);
    let page = sandbox.read("night.html");
    assert!(page.contains("Which port?") && page.contains("<h2>needs you</h2>"), "{page}");
    let refused = sandbox.gulf(["report", "--since", "soon"]).run().expect_exit(exit::REFUSED_START);
    refused.says("`--since soon` is not a point in time").says("hint: use `yesterday`");
}

// proves: B20
#[test]
fn the_numbers_over_all_loops_are_those_of_the_journals() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.gulf(["stats"]).run().expect_exit(0).says("No loop has started yet.");
    let sandbox = verified();
    let document = json(&sandbox, &["stats", "--json"]);
    let all = &document["all"];
    assert_eq!(
        (&all["loops"], &all["verified"], &all["claims"]),
        (&1.into(), &1.into(), &2.into()),
        "{all:#}"
    );
    assert_eq!((&all["refused"]["checks"], &all["refused_bp"]), (&1.into(), &5000.into()), "{all:#}");
    assert_eq!(all["iterations_to_verified"], 2, "{all:#}");
    assert_eq!(document["workers"].as_array().map(Vec::len), Some(1));
    sandbox
        .gulf(["stats"])
        .run()
        .expect_exit(0)
        .says("1 loop: 1 verified")
        .says("50 % refused: 1 by the checks");
    sandbox.gulf(["stats", "--html", "stats.html"]).run().expect_exit(0);
    assert!(sandbox.read("stats.html").contains("1 loop: 1 verified"));
}

#[test]
fn a_list_can_be_of_some_loops_only() {
    let sandbox = verified();
    let listed = |flags: &[&str]| -> usize {
        let all = json(&sandbox, &[&["list", "--json"], flags].concat());
        all["loops"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(listed(&["--state", "verified,paused", "--since", "yesterday"]), 1);
    assert_eq!(listed(&["--state", "running"]), 0);
    sandbox.gulf(["list", "--state", "paused"]).run().expect_exit(0).says("No loop here matches");
    sandbox.gulf(["list", "--state", "done"]).run().expect_exit(2).says("possible values: running, paused");
    sandbox
        .gulf(["list", "--since", "whenever"])
        .run()
        .expect_exit(2)
        .says("`--since whenever` is not a point in time");
}
