//! What the end of a run tells.

use super::{Outcome, Verdict, closing_line, first_failure, report};
use std::time::Duration;

fn outcome(name: &'static str, verdict: Verdict) -> Outcome {
    Outcome { name, verdict, elapsed: Duration::from_millis(1_500) }
}

fn failed(line: &str) -> Verdict {
    Verdict::Failed(vec![line.to_owned()])
}

#[test]
fn a_run_without_failures_has_none() {
    let outcomes =
        [outcome("a", Verdict::Passed(String::new())), outcome("b", Verdict::Skipped("why".to_owned()))];
    assert!(first_failure(&outcomes).is_none());
}

#[test]
fn the_report_shows_only_the_first_failures_output_and_every_step() {
    let outcomes = [
        outcome("format", Verdict::Passed(String::new())),
        outcome("clippy", failed("first output")),
        outcome("tests", failed("second output")),
    ];
    let text = report(&outcomes);
    assert!(text.contains("── end of the output of clippy\nfirst output\n"), "{text}");
    assert!(!text.contains("second output"), "{text}");
    assert!(text.contains("format            1.5 s  passed\nclippy            1.5 s  FAILED"), "{text}");
    assert!(text.ends_with("tests             1.5 s  FAILED"), "{text}");
}

#[test]
fn a_failed_test_run_shows_its_closing_line_in_the_table() {
    let text = report(&[outcome("tests", failed("     Summary [ 0.1s] 2 tests run: 1 passed, 1 failed"))]);
    assert!(text.ends_with("FAILED  Summary [ 0.1s] 2 tests run: 1 passed, 1 failed"), "{text}");
}

#[test]
fn a_skipped_step_says_why() {
    let text = report(&[outcome("tools", Verdict::Skipped("python3 is missing".to_owned()))]);
    assert!(text.contains("SKIPPED (python3 is missing)"), "{text}");
}

#[test]
fn the_closing_line_is_nextests_last_summary() {
    let lines = ["    Summary [ 0.1s] 1 test run", "  x", "     Summary [ 0.2s] 2 tests run", "y"];
    let lines = lines.map(str::to_owned);
    assert_eq!(closing_line(&lines), "Summary [ 0.2s] 2 tests run");
}
