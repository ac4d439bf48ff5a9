//! `gulf demo` as a stranger runs it: the real binary, on machines that lack one thing or another.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_testkit::{Finished, Invocation, Meeting, Sample, Sandbox};

fn gulf<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
    sandbox.program(env!("CARGO_BIN_EXE_gulf"), arguments)
}

fn names(directory: &Utf8Path) -> Vec<String> {
    let Ok(entries) = directory.read_dir_utf8() else { return Vec::new() };
    let mut names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_owned()).collect();
    names.sort();
    names
}

/// The demo's folder is gone, and what is the person's is as it was.
#[track_caller]
fn assert_nothing_stays(sandbox: &Sandbox) {
    assert_eq!(names(&sandbox.path("tmp")), [""; 0]);
    assert_eq!(names(&sandbox.home()), [".gitconfig"]);
    assert!(!sandbox.state().exists());
    sandbox.assert_nothing_left();
}

/// These texts come in this order.
#[track_caller]
fn assert_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some(place) = rest.find(part) else { panic!("{part:?} does not follow in\n{text}") };
        rest = &rest[place + part.len()..];
    }
}

#[track_caller]
fn assert_verified(finished: Finished) {
    let finished = finished.expect_exit(0).does_not_panic();
    assert!(finished.stdout.trim_start().starts_with("verified"), "{}", finished.stdout);
}

#[test]
fn the_worker_claims_too_early_is_told_why_and_gets_it_right() {
    let sandbox = Sandbox::without_git();
    let finished = gulf(&sandbox, ["demo"]).run().expect_exit(0).does_not_panic();
    assert_order(
        &finished.stderr,
        &[
            "shell script, not a model",
            "$ gulf run",
            "iteration 1/3 begins",
            "claims done",
            "did not run the tests",
            "FAILED exit 1",
            "1 failed, 3 passed",
            "not ok 4 - 2000 is a leap year",
            "refused",
            "iteration 2/3 begins, with the check's failure",
            "I was told that 2000 fails",
            "passed · 4 tests",
            "verified",
        ],
    );
    assert_order(&finished.stdout, &["verified", "seen to fail without the change", "gulf demo --keep"]);
    let finished = finished.does_not_say("gulf-demo-").does_not_say("git commit");
    drop(finished);
    assert_nothing_stays(&sandbox);
}

#[test]
fn without_the_fix_no_claim_helps_and_it_ends_exhausted() {
    let sandbox = Sandbox::without_git();
    let finished = gulf(&sandbox, ["demo", "--without-fix"]).run().expect_exit(12).does_not_panic();
    assert_order(
        &finished.stderr,
        &["iteration 1/3", "refused", "iteration 2/3", "refused", "iteration 3/3", "refused"],
    );
    assert!(finished.stdout.trim_start().starts_with("exhausted"), "{}", finished.stdout);
    assert_nothing_stays(&sandbox);
}

#[test]
fn a_kept_folder_can_be_looked_at_with_the_commands_that_were_named() {
    let sandbox = Sandbox::awkward(&Sample::green());
    let finished = gulf(&sandbox, ["demo", "--keep"]).run().expect_exit(0);
    let commands: Vec<&str> = finished
        .stdout
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(command, _)| command)
        .filter(|command| {
            command.contains("GULF_HOME") || command.starts_with("gulf ") || command.starts_with("git ")
        })
        .collect();
    assert_eq!(commands.len(), 3, "{}", finished.stdout);
    let program = Utf8Path::new(env!("CARGO_BIN_EXE_gulf"));
    let script = format!("PATH={}:$PATH; {}", program.parent().unwrap(), commands.join(" && "));
    let seen = sandbox.program("sh", ["-c", &script]).run().expect_exit(0);
    assert_order(
        &seen.stdout,
        &["leap.sh must know", "not ok 4 - 2000 is a leap year", "+if [ $((year % 4)) -eq 0 ]"],
    );
    assert_eq!(names(&sandbox.path("tmp")).len(), 1);
}

#[test]
fn it_needs_no_home_no_identity_and_nobodys_settings() {
    let sandbox = Sandbox::without_git();
    fs::remove_file(sandbox.home().join(".gitconfig")).unwrap();
    let finished = sandbox
        .program("env", ["-u", "HOME", "-u", "GULF_HOME", env!("CARGO_BIN_EXE_gulf"), "demo"])
        .variable("GULF_MAX_ITERATIONS", "1")
        .variable("GULF_LOOP", "another")
        .run();
    assert_verified(finished);
}

#[test]
fn it_goes_the_same_way_inside_another_repository_and_at_an_awkward_path() {
    let sandbox = Sandbox::awkward(&Sample::green());
    let before = sandbox.git(["status", "--porcelain"]);
    let finished = gulf(&sandbox, ["demo"])
        .variable("GIT_DIR", sandbox.file(".git"))
        .variable("GIT_INDEX_FILE", sandbox.file(".git/index"))
        .run();
    assert_verified(finished);
    assert_eq!(sandbox.git(["status", "--porcelain"]), before);
    assert_eq!(sandbox.git(["log", "--oneline"]).lines().count(), 1);
    assert_nothing_stays(&sandbox);
}

#[test]
fn as_json_it_is_events_and_their_end() {
    let sandbox = Sandbox::without_git();
    let finished = gulf(&sandbox, ["demo", "--json"]).run().expect_exit(0);
    let lines = finished.json_lines();
    let (end, events) = lines.split_last().unwrap();
    assert_eq!(end["standing"], "verified");
    assert!(events.iter().all(|line| line["v"] == 1 && line["event"]["sequence"].is_u64()));
    assert_eq!(finished.stderr, "");
}

#[test]
fn after_ctrl_c_nothing_stays() {
    let sandbox = Sandbox::without_git();
    let meeting = Meeting::new(&sandbox, "meeting");
    let programs: Utf8PathBuf = sandbox.path("programs");
    fs::create_dir(&programs).unwrap();
    // The worker is a script: a shell that never comes back is a worker that never does.
    let stuck = format!(
        "#!/bin/sh\n{}\nexec cat {}\n",
        meeting.reached_by_shell(),
        gulf_testkit::quote(meeting.path().as_str())
    );
    let shell = programs.join("sh");
    fs::write(&shell, stuck).unwrap();
    sandbox.program("chmod", ["+x", shell.as_str()]).run().expect_exit(0);
    let path = std::env::var("PATH").unwrap();
    let demo = gulf(&sandbox, ["demo"]).variable("PATH", format!("{programs}:{path}")).start();
    meeting.wait();
    demo.interrupt();
    demo.finish().expect_exit(130);
    assert_nothing_stays(&sandbox);
}
