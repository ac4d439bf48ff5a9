//! How a program's end is told.
//!
//! These are the words on which gates decide.

use std::time::Duration;

use gulf_host::process::{Ending, Program, Stdin, StopMode, TimeOut};

use crate::{Room, spawn, text};

#[test]
fn an_exit_code_is_told_as_it_is() {
    for code in [0, 1, 3, 255] {
        assert_eq!(Room::new().run(&format!("exit {code}")).ending, Ending::Exited(code));
    }
}

#[test]
fn a_program_that_dies_of_a_signal_has_no_exit_code() {
    assert_eq!(Room::new().run("kill -KILL $$").ending, Ending::Signalled(9));
    assert_eq!(Room::new().run("kill -SEGV $$").ending, Ending::Signalled(11));
}

#[test]
fn a_missing_program_is_named() {
    let room = Room::new();
    let program = Program::Exec { program: "no-such-program".to_owned(), arguments: Vec::new() };
    let outcome = spawn(room.request(program)).wait();
    assert_eq!(outcome.ending, Ending::NotStarted("there is no program no-such-program".to_owned()));
}

#[test]
fn a_missing_folder_is_told_apart_from_a_missing_program() {
    let room = Room::new();
    let mut request = room.shell("true");
    request.directory = room.file("없는 folder");
    let expected = Ending::NotStarted(format!("there is no folder {}", request.directory));
    assert_eq!(spawn(request).wait().ending, expected);
}

#[test]
fn a_file_that_cannot_be_executed_is_not_started() {
    let room = Room::new();
    std::fs::write(room.file("text"), "no program").unwrap();
    let program = Program::Exec { program: room.file("text").to_string(), arguments: Vec::new() };
    let ending = spawn(room.request(program)).wait().ending;
    assert!(matches!(&ending, Ending::NotStarted(why) if why.contains("cannot run")), "{ending:?}");
}

#[test]
fn without_bash_a_script_runs_under_sh() {
    let room = Room::new();
    std::os::unix::fs::symlink("/bin/sh", room.file("sh")).unwrap();
    let mut request = room.shell("echo \"${BASH_VERSION-no bash}\"");
    request.environment = vec![("PATH".to_owned(), room.path().to_string())];
    let outcome = spawn(request).wait();
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert_eq!(outcome.stdout_bytes, u64::try_from(outcome.stdout_tail.len()).unwrap());
}

#[test]
fn arguments_arrive_untouched_by_any_shell() {
    let room = Room::new();
    let arguments = ["%s\n", "a b", "$HOME", "'\"\\", "한글", ""].map(str::to_owned).to_vec();
    let outcome = spawn(room.request(Program::Exec { program: "printf".to_owned(), arguments })).wait();
    assert_eq!(text(&outcome.stdout_tail), "a b\n$HOME\n'\"\\\n한글\n\n");
}

#[test]
fn a_program_sees_the_requested_environment_and_its_mark_and_nothing_else() {
    let room = Room::new();
    let mut request =
        room.request(Program::Exec { program: "/usr/bin/env".to_owned(), arguments: Vec::new() });
    let pairs = [
        ("ONE", "1"),
        ("두", "값 = 값"),
        ("GULF_MARK", "forged"),
        ("GULF_CRASH_COUNT", "/x"),
        ("GULF_CRASH_AT", "1"),
    ];
    request.environment = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let outcome = spawn(request).wait();
    let mut lines: Vec<&str> = text(&outcome.stdout_tail).lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, [format!("GULF_MARK={}", room.mark()).as_str(), "ONE=1", "두=값 = 값"]);
}

#[test]
fn a_program_runs_in_the_requested_folder() {
    let room = Room::new();
    let outcome = room.run("pwd");
    assert_eq!(text(&outcome.stdout_tail).trim_end(), room.path());
}

#[test]
fn a_program_past_its_wall_limit_is_ended() {
    let room = Room::new();
    let mut request = room.shell("while :; do echo busy; done");
    request.wall_max = Duration::from_millis(200);
    assert_eq!(spawn(request).wait().ending, Ending::TimedOut(TimeOut::Wall));
}

#[test]
fn a_silent_program_past_its_idle_limit_is_ended() {
    let room = Room::new();
    let mut request = room.shell("echo a word; exec sleep 1000");
    request.idle_max = Some(Duration::from_millis(200));
    let outcome = spawn(request).wait();
    assert_eq!(outcome.ending, Ending::TimedOut(TimeOut::Idle));
    assert_eq!(outcome.stdout_tail, b"a word\n");
}

#[test]
fn a_program_that_keeps_talking_is_not_idle() {
    let room = Room::new();
    let mut request = room.shell("for i in {1..12}; do echo $i; sleep 0.2; done");
    request.idle_max = Some(Duration::from_secs(2));
    assert_eq!(spawn(request).wait().ending, Ending::Exited(0));
}

#[test]
fn a_program_that_is_ended_may_clean_up_first() {
    let room = Room::new();
    let mut request =
        room.shell("trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.01; done");
    request.idle_max = Some(Duration::from_millis(300));
    request.stdin = Stdin::Bytes(Vec::new());
    // Each round of the loop is silent, so the limit is reached; the exit code 0 of the trap must not hide it.
    let outcome = spawn(request).wait();
    assert_eq!(outcome.ending, Ending::TimedOut(TimeOut::Idle));
    assert!(text(&outcome.stdout_tail).ends_with("cleaned\n"), "{outcome:?}");
}

#[test]
fn a_program_that_ignores_sigterm_is_ended_all_the_same() {
    let room = Room::new();
    let mut request = room.shell("trap '' TERM; while :; do sleep 0.1; done");
    request.wall_max = Duration::from_millis(300);
    let outcome = spawn(request).wait();
    assert_eq!(outcome.ending, Ending::TimedOut(TimeOut::Wall));
    assert_eq!(outcome.survivors, 0);
}

#[test]
fn a_cancelled_program_ends_in_the_middle_of_its_work() {
    for stop in [StopMode::Gracefully, StopMode::Now] {
        let room = Room::new();
        let running = spawn(room.shell("echo working; exec sleep 1000"));
        let canceller = running.canceller();
        let outcome = running.watch(&mut |_output| canceller.cancel(stop));
        assert_eq!(outcome.ending, Ending::Cancelled);
        assert_eq!(outcome.stdout_tail, b"working\n");
        canceller.cancel(stop);
    }
}

#[test]
fn haste_cuts_the_grace_of_an_orderly_stop_short() {
    let room = Room::new();
    let mut request = room.shell("trap 'echo stubborn' TERM; echo ready; while :; do sleep 0.01; done");
    request.wall_max = Duration::from_secs(1_000);
    let running = spawn(request);
    let canceller = running.canceller();
    let outcome = running.watch(&mut |output| {
        let stop = if text(output.bytes).contains("stubborn") { StopMode::Now } else { StopMode::Gracefully };
        canceller.cancel(stop);
    });
    assert_eq!(outcome.ending, Ending::Cancelled);
}

#[test]
fn a_program_that_floods_its_log_is_ended() {
    let room = Room::new();
    let mut request = room.shell("exec yes");
    request.output_bytes_max = 1_000_000;
    let outcome = spawn(request).wait();
    assert_eq!(outcome.ending, Ending::TooMuchOutput);
    assert!(outcome.stdout_bytes > 1_000_000);
    assert!(outcome.stdout_bytes < 2_000_000, "{}", outcome.stdout_bytes);
}
