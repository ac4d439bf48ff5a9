//! What a command's end is called before anybody waits for one.

use std::time::Duration;

use gulf_host::process::{Ending, TimeOut};

use super::{TrialWord, word};

const MINUTE: Duration = Duration::from_secs(60);

#[track_caller]
fn check(ending: &Ending, output: &str, expected: &str) {
    let said = match word(ending, output.as_bytes(), "python3 -m pytest", MINUTE) {
        TrialWord::Green => "green".to_owned(),
        TrialWord::GreenWithoutTests => "green without tests".to_owned(),
        TrialWord::Red { why, .. } => why,
        TrialWord::CannotRun { why } => format!("cannot run: {why}"),
        TrialWord::Stopped => "stopped".to_owned(),
    };
    assert_eq!(said, expected);
}

#[test]
fn only_exit_code_zero_is_green() {
    check(&Ending::Exited(0), "", "green");
    check(&Ending::Exited(1), "", "exit code 1");
    check(&Ending::Signalled(9), "", "ended by signal 9");
    check(&Ending::TimedOut(TimeOut::Wall), "", "not done within 60 s");
    check(&Ending::Cancelled, "", "stopped");
}

#[test]
fn a_program_that_is_not_there_is_called_so() {
    check(&Ending::Exited(127), "sh: 1: ruff: not found\n", "cannot run: sh: 1: ruff: not found");
    check(&Ending::Exited(127), "", "cannot run: exit code 127: its program was not found");
    let said = "/usr/bin/python3: No module named pytest";
    check(&Ending::Exited(1), &format!("{said}\n"), &format!("cannot run: {said}"));
}

#[test]
fn a_tool_that_breaks_down_by_itself_says_nothing_about_the_project() {
    let panicked = "thread 'main' panicked at src/bin/rustup-init.rs:9:1:";
    let told = format!("cannot run: exit code 101: it broke down itself: {panicked}");
    check(&Ending::Exited(101), &format!("{panicked}\nno home\nstack backtrace:\n   0: rust_begin\n"), &told);
    let told = "cannot run: exit code 1: it broke down itself: error: rustup could not choose a version";
    let output = "error: rustup could not choose a version\n\nStack backtrace:\n   0: main\n";
    check(&Ending::Exited(1), output, told);
}

#[test]
fn a_runner_that_found_no_test_is_not_simply_green() {
    let output = "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";
    check(&Ending::Exited(0), output, "green without tests");
}

#[test]
fn failing_tests_are_counted_where_the_runner_says_them() {
    let output = "\nrunning 1 test\ntest it ... FAILED\n\nfailures:\n\nfailures:\n    it\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";
    check(&Ending::Exited(101), output, "exit code 101, 1 failed");
}
