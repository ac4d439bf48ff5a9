//! How another program's word and end reach a chore.

use super::{Echo, Exit, OUTPUT_LINES_MAX, run, stdout};
use std::process::Command;

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

#[test]
fn both_streams_arrive_in_the_order_written() {
    let finished = run(shell("echo one; echo two >&2; printf three"), Echo::Never).unwrap();
    assert_eq!(finished.lines, ["one", "two", "three"]);
    assert_eq!(finished.exit, Exit::Success);
}

#[test]
fn a_failing_program_keeps_its_output() {
    let finished = run(shell("echo why; exit 3"), Echo::Never).unwrap();
    assert_eq!((finished.exit, finished.lines.len()), (Exit::Failure, 1));
}

#[test]
fn a_program_that_reads_stdin_meets_its_end() {
    let finished = run(shell("cat; echo done"), Echo::Never).unwrap();
    assert_eq!(finished.lines, ["done"]);
}

#[test]
fn of_endless_output_the_end_is_kept() {
    let finished = run(shell("seq 5000"), Echo::Never).unwrap();
    assert_eq!(finished.lines.len(), OUTPUT_LINES_MAX);
    assert_eq!(finished.lines.back().map(String::as_str), Some("5000"));
}

#[test]
fn stdout_is_asked_for_even_if_the_command_had_closed_it() {
    let mut command = shell("echo data; echo talk >&2");
    command.stdout(std::process::Stdio::null());
    assert_eq!(stdout(command).unwrap(), "data\n");
}

#[test]
fn a_failed_program_is_named_with_what_it_said() {
    let failure = stdout(shell("echo why >&2; exit 3")).unwrap_err().to_string();
    assert!(failure.contains("sh -c echo why") && failure.ends_with("exit status: 3\nwhy"), "{failure}");
}

#[test]
fn a_program_that_is_not_there_cannot_be_started() {
    let failure = stdout(Command::new("gulf-no-such-program")).unwrap_err().to_string();
    assert_eq!(failure, "cannot start gulf-no-such-program");
}
