//! `gulf verify` as a person and a build server run it: the real binary on real repositories.

use std::fs;

use gulf_testkit::{Invocation, Meeting, Sample, Sandbox};
use serde_json::Value;

/// Red: 1900 is no leap year.
fn leap() -> Sample {
    Sample::default()
        .file("leap.sh", include_str!("../demo/leap.sh"))
        .file("tests/leap.sh", include_str!("../demo/tests/leap.sh"))
}

const RIGHT: &str = "if [ $(($1 % 4)) -eq 0 ] && [ $(($1 % 100)) -ne 0 ] || [ $(($1 % 400)) -eq 0 ]; then
    echo leap year; else echo common year; fi\n";
const CHECK: [&str; 3] = ["verify", "--check", "sh tests/leap.sh"];

fn gulf<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
    sandbox.program(env!("CARGO_BIN_EXE_gulf"), arguments)
}

/// The document of one run with this exit code.
#[track_caller]
fn found<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>, code: i32) -> Value {
    let arguments: Vec<&str> = CHECK.into_iter().chain(["--json"]).chain(arguments).collect();
    let finished = gulf(sandbox, arguments).run().expect_exit(code).does_not_panic();
    let document: Value = serde_json::from_str(&finished.stdout).expect("one JSON document");
    assert_eq!(document["version"], 1);
    assert_eq!(document["exit_code"], code);
    document
}

/// No folder of a run, no reference, no setting, and the worktree as it was.
#[track_caller]
fn assert_nothing_stays(sandbox: &Sandbox) {
    let left: Vec<_> = sandbox.state().join("verify").read_dir_utf8().expect("gulf's folder").collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(sandbox.git(["for-each-ref", "refs/gulf"]), "");
    assert!(!fs::read_to_string(sandbox.file(".git/config")).expect("a config").contains("gulf"));
    sandbox.assert_nothing_left();
}

#[test]
fn a_no_shows_what_the_check_said_and_exits_with_1() {
    let sandbox = Sandbox::awkward(&leap());
    let finished = gulf(&sandbox, CHECK).run().expect_exit(1);
    finished.says("refused: a check failed").says("FAILED exit 1").says("not ok 3 - 1900 is a common year");
    assert_nothing_stays(&sandbox);
}

#[test]
fn a_pass_without_a_base_does_not_call_itself_verified() {
    let sandbox = Sandbox::with(&leap());
    sandbox.write("leap.sh", RIGHT);
    let document = found(&sandbox, [], 0);
    assert_eq!(document["word"], "passed");
    assert_eq!(document["base"], Value::Null);
    assert_eq!(document["uncommitted"], true);
    assert!(document["not_proven"].to_string().contains("--base COMMIT"), "{document:#}");
    assert_nothing_stays(&sandbox);
}

#[test]
fn what_fails_on_the_base_and_passes_now_is_verified() {
    let sandbox = Sandbox::with(&leap());
    sandbox.write("leap.sh", RIGHT);
    sandbox.commit("know centuries");
    let document = found(&sandbox, ["--base", "HEAD~1"], 0);
    assert_eq!(document["word"], "verified");
    assert_eq!(document["uncommitted"], false);
    assert_eq!(document["candidate"]["commit"], sandbox.git(["rev-parse", "HEAD"]));
    assert_eq!(document["base"], sandbox.git(["rev-parse", "HEAD~1"]));
    assert_eq!(document["seen_to_fail"][0]["kind"], "base-red");
    assert_nothing_stays(&sandbox);
}

#[test]
fn a_changed_test_of_the_base_is_listed_and_no_success() {
    let sandbox = Sandbox::with(&leap());
    sandbox.write("leap.sh", "echo common year\n");
    sandbox.write("tests/leap.sh", "echo ok\n");
    let document = found(&sandbox, ["--base", "HEAD"], 1);
    assert_eq!(document["word"], "attested");
    let findings = document["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["path"] == "tests/leap.sh"), "{document:#}");
}

#[test]
fn changed_settings_of_the_checks_are_listed_and_no_success() {
    let gate = "[[check]]\nname = \"gate\"\ncommand = \"sh tests/leap.sh\"\n";
    let sandbox = Sandbox::with(&leap().file("gulf.toml", gate));
    sandbox.write("gulf.toml", gate.replace("sh tests/leap.sh", "true"));
    let finished = gulf(&sandbox, ["verify", "--base", "HEAD"]).run().expect_exit(1);
    finished.says("attested").says("gulf.toml: says what is checked, and is not as it was on the base");
}

#[test]
fn a_change_that_nothing_could_have_refused_is_attested() {
    let sandbox = Sandbox::with(&leap().file("leap.sh", RIGHT));
    sandbox.write("README.md", "# leap\n");
    let document = found(&sandbox, ["--base", "HEAD"], 0);
    assert_eq!(document["word"], "attested");
    assert!(document["not_proven"].to_string().contains("nothing was seen to fail"), "{document:#}");
}

#[test]
fn a_check_that_cannot_run_is_a_no() {
    let sandbox = Sandbox::with(&leap());
    let finished = gulf(&sandbox, ["verify", "--check", "eval no-such-program-here"]).run().expect_exit(1);
    finished.says("COULD NOT RUN");
}

#[test]
fn a_check_whose_program_is_not_there_is_refused_as_at_a_start() {
    let sandbox = Sandbox::with(&leap());
    let finished = gulf(&sandbox, ["verify", "--check", "no-such-program-here"]).run().expect_exit(2);
    finished.says("the program no-such-program-here was not found").says("hint: ");
}

#[test]
fn without_any_check_it_is_refused_and_says_how_to_name_one() {
    let sandbox = Sandbox::with(&leap());
    let finished = gulf(&sandbox, ["verify"]).run().expect_exit(2);
    finished.says("no check was found").says("`--check COMMAND`").does_not_say("--unverified");
}

#[test]
fn an_unknown_base_is_refused_before_anything_runs() {
    let sandbox = Sandbox::with(&leap());
    for name in ["origin/main", "--all", "", "HEAD\u{1}", "HEAD~9"] {
        let arguments = CHECK.into_iter().chain([]);
        let base = format!("--base={name}");
        let finished = gulf(&sandbox, arguments.chain([base.as_str()])).run().expect_exit(2);
        finished.says("there is no commit called").says("git fetch").does_not_say("FAILED");
    }
    assert_nothing_stays(&sandbox);
}

#[test]
fn a_shallow_clone_with_a_detached_head_is_enough() {
    let sandbox = Sandbox::with(&leap());
    sandbox.write("leap.sh", RIGHT);
    sandbox.commit("know centuries");
    let clone = sandbox.path("clone");
    let origin = format!("file://{}", sandbox.repository());
    sandbox.git(["clone", "--quiet", "--depth=2", &origin, clone.as_str()]);
    sandbox.git(["-C", clone.as_str(), "checkout", "--quiet", "--detach"]);
    let arguments = CHECK.into_iter().chain(["--base", "HEAD~1", "--json"]);
    let finished = gulf(&sandbox, arguments).directory(&clone).run().expect_exit(0);
    let document: Value = serde_json::from_str(&finished.stdout).expect("one JSON document");
    assert_eq!(document["word"], "verified", "{document:#}");
}

#[test]
fn a_project_without_git_is_checked_and_cannot_be_compared() {
    let sandbox = Sandbox::without_git();
    sandbox.write("check.sh", "echo fine\n");
    gulf(&sandbox, ["verify", "--check", "sh check.sh"]).run().expect_exit(0).says("passed");
    let compared = gulf(&sandbox, ["verify", "--check", "sh check.sh", "--base", "HEAD"]).run();
    compared.expect_exit(2).says("without git there is no commit to compare with");
}

#[test]
fn the_check_sees_the_candidate_and_not_the_worktree() {
    let sandbox = Sandbox::with(&leap().file(".gitignore", "secret\n"));
    sandbox.write("secret", "ignored\n");
    sandbox.write("new.txt", "untracked\n");
    gulf(&sandbox, ["verify", "--check", "test ! -e secret && test -e new.txt"]).run().expect_exit(0);
}

#[test]
fn two_at_once_do_not_disturb_each_other_and_ctrl_c_leaves_nothing() {
    let sandbox = Sandbox::with(&leap());
    let meeting = Meeting::new(&sandbox, "meeting");
    let waits =
        format!("{} && cat {}", meeting.reached_by_shell(), gulf_testkit::quote(meeting.path().as_str()));
    let first = gulf(&sandbox, ["verify", "--check", &waits]).start();
    meeting.wait();
    gulf(&sandbox, ["verify", "--check", "true"]).run().expect_exit(0);
    first.interrupt();
    first.finish().expect_exit(130).says("interrupted");
    assert_nothing_stays(&sandbox);
}

#[test]
fn what_a_killed_one_left_the_next_one_removes() {
    let sandbox = Sandbox::with(&leap());
    let meeting = Meeting::new(&sandbox, "meeting");
    let waits =
        format!("{} && cat {}", meeting.reached_by_shell(), gulf_testkit::quote(meeting.path().as_str()));
    let first = gulf(&sandbox, ["verify", "--check", &waits]).start();
    meeting.wait();
    first.kill();
    drop(first.finish());
    sandbox.assert_nothing_left();
    gulf(&sandbox, ["verify", "--check", "true"]).run().expect_exit(0);
    assert_nothing_stays(&sandbox);
}

#[test]
fn what_a_build_left_behind_is_no_part_of_what_is_checked() {
    let sandbox = Sandbox::with(&leap().file("Cargo.toml", "[package]\nname = \"leap\"\n"));
    sandbox.write("leap.sh", RIGHT);
    sandbox.commit("right");
    sandbox.write("target/debug/leap", "built\n");
    let found = found(&sandbox, ["--check", "test -z \"$(git ls-files target)\""], 0);
    assert_eq!(found["word"], "passed", "{found}");
    assert!(sandbox.git(["status", "--porcelain"]).is_empty(), "git tells of a build");
}
