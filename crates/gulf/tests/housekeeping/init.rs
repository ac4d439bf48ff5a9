//! `gulf init`: detects, tries, writes, and never overwrites.

use std::process::Command;

use gulf_testkit::{Disk, Meeting, Sample, Sandbox};

use crate::{gulf, names};

const NEXT: &str = "then\n\n  gulf run\n";

/// A project whose test command is a shell command of ours.
fn project(test: &str) -> Sample {
    Sample::green().file("package.json", &package(&[("test", test)]))
}

fn package(scripts: &[(&str, &str)]) -> String {
    let scripts: serde_json::Map<_, _> =
        scripts.iter().map(|(name, command)| ((*name).to_owned(), (*command).into())).collect();
    serde_json::json!({ "name": "sample", "scripts": scripts }).to_string()
}

#[test]
fn what_is_red_is_in_force_and_said_to_be_red() {
    let scripts = package(&[("test", "node --test"), ("lint", "echo it is bad; exit 3")]);
    let sandbox = Sandbox::with(&Sample::node().file("package.json", &scripts));
    gulf(&sandbox, ["init"])
        .run()
        .expect_exit(0)
        .says("JavaScript (Node)")
        .says("green, ")
        .says("exit code 3\n")
        .says("it is bad")
        .says("Red as things stand, and in force: `npm run lint`")
        .does_not_say("--baseline")
        .does_not_say("If dependencies were missing")
        .says(NEXT);
    let settings = sandbox.read("gulf.toml");
    assert!(settings.contains("\n[[check]]\nname = \"test\"\n"), "{settings}");
    assert!(
        settings.contains("red when it was tried: exit code 3\n[[check]]\nname = \"lint\"\n"),
        "{settings}"
    );
    gulf(&sandbox, ["doctor"]).run().expect_exit(0).says("npm test").says("npm run lint");
    sandbox.assert_nothing_left();
}

#[test]
fn of_a_red_command_its_first_error_is_quoted_and_failing_tests_can_be_accepted() {
    let lint = "echo 'error[E0308]: mismatched types'; echo ' --> src/lib.rs:3:5'; for i in 1 2 3 4; do echo advice $i; \
                done; exit 1";
    let scripts = package(&[("test", "node --test"), ("lint", lint)]);
    let red = "import { test } from 'node:test';\ntest('fails', () => { throw new Error('no'); });\n";
    let sandbox = Sandbox::with(&Sample::node().file("package.json", &scripts).file("red.test.mjs", red));
    let told = gulf(&sandbox, ["init"]).run().expect_exit(0).says("error[E0308]: mismatched types");
    told.says("--> src/lib.rs:3:5").does_not_say("advice 4").says("`--baseline` accepts the");
}

#[test]
fn without_git_it_is_said_that_a_loop_needs_it() {
    let sandbox = Sandbox::without_git();
    let told = gulf(&sandbox, ["init"]).variable("PATH", "/nowhere").run().expect_exit(0);
    told.says("there is no `git` on your PATH, and `gulf run` needs it");
}

#[test]
fn what_cannot_run_is_commented_out_with_the_reason() {
    let scripts = package(&[("test", "node --test"), ("lint", "no-such-linter-at-all")]);
    let sandbox = Sandbox::with(&Sample::node().file("package.json", &scripts));
    gulf(&sandbox, ["init"]).run().expect_exit(0).says("could not run, ").does_not_say("Red as things stand");
    let settings = sandbox.read("gulf.toml");
    // In the words of whatever shell is there.
    let (said, off) = settings.split_once("not in force: ").unwrap().1.split_once('\n').unwrap();
    assert!(said.contains("no-such-linter-at-all") && said.ends_with("not found"), "{said}");
    assert!(off.starts_with("# [[check]]\n# name = \"lint\"\n"), "{settings}");
}

#[test]
fn the_commands_run_once_in_the_project_with_closed_input() {
    let sandbox = Sandbox::with(&project("cat; pwd >> runs.txt"));
    gulf(&sandbox, ["init"]).stdin("never read\n").run().expect_exit(0).says("green, ");
    assert_eq!(sandbox.read("runs.txt"), format!("{}\n", sandbox.repository()));
}

#[test]
fn a_test_command_of_the_project_is_recognised_at_an_awkward_path_and_from_a_folder_below() {
    let sandbox = Sandbox::awkward(&project("true").file("web/a.txt", "a\n"));
    gulf(&sandbox, ["init"])
        .directory(sandbox.file("web"))
        .run()
        .expect_exit(0)
        .says("npm test")
        .says("green, ");
    assert!(sandbox.read("gulf.toml").contains("command = \"npm test\""));
    assert_eq!(names(&sandbox.file("web")), ["a.txt"]);
}

#[test]
fn nothing_is_run_where_the_person_says_so() {
    let sandbox = Sandbox::with(&project("touch ran.txt"));
    gulf(&sandbox, ["init", "--no-run"]).run().expect_exit(0).does_not_say("green").says(NEXT);
    assert!(!sandbox.file("ran.txt").exists());
    assert!(sandbox.read("gulf.toml").contains("\n[[check]]\nname = \"test\"\n"));
}

#[test]
fn what_is_there_is_named_and_left() {
    let sandbox =
        Sandbox::with(&project("true").file("gulf.toml", "force_max = true\n").file("PROMPT.md", "mine\n"));
    gulf(&sandbox, ["init"])
        .run()
        .expect_exit(0)
        .says("gulf.toml  is there already, and left as it is")
        .says("RUBRIC.md  written")
        .says("PROMPT.md  is there already, and left as it is");
    assert_eq!(sandbox.read("gulf.toml"), "force_max = true\n");
    assert_eq!(sandbox.read("PROMPT.md"), "mine\n");
}

#[test]
fn what_a_trial_leaves_in_the_project_is_counted_where_git_does_not_ignore_it() {
    let sandbox = Sandbox::with(&project("mkdir -p built && echo x > built/one && echo x > built/two"));
    gulf(&sandbox, ["init"]).run().expect_exit(0).says("note: 2 files changed by that: `git status`");
    let sandbox =
        Sandbox::with(&project("mkdir -p built && echo x > built/one").file(".gitignore", "built/\n"));
    gulf(&sandbox, ["init"]).run().expect_exit(0).does_not_say("changed by that");
}

#[test]
fn a_link_to_nothing_is_not_written_through() {
    let sandbox = Sandbox::with(&Sample::green());
    std::os::unix::fs::symlink(sandbox.path("elsewhere"), sandbox.file("PROMPT.md")).unwrap();
    gulf(&sandbox, ["init", "--no-run"]).run().expect_exit(0).says("PROMPT.md  is there already");
    assert!(!sandbox.path("elsewhere").exists());
}

#[test]
fn an_empty_folder_without_git_and_without_a_home_gets_its_files_and_is_told_what_to_fill_in() {
    let sandbox = Sandbox::without_git();
    gulf(&sandbox, ["init"])
        .variable("HOME", "")
        .variable("GULF_HOME", "")
        .run()
        .expect_exit(0)
        .says("no language was recognised")
        .says("To fill in: how the work is checked")
        .says(NEXT);
    assert_eq!(names(&sandbox.repository()), ["PROMPT.md", "RUBRIC.md", "gulf.toml"]);
    assert!(!sandbox.state().exists());
    gulf(&sandbox, ["config", "explain"]).run().expect_exit(0);
}

#[test]
fn leaving_in_the_middle_writes_nothing_and_stops_what_runs() {
    let sandbox = Sandbox::without_git();
    let (reached, held) = (Meeting::new(&sandbox, "reached"), Meeting::new(&sandbox, "held"));
    let command = format!("{}; {}", reached.reached_by_shell(), held.held_by_shell());
    sandbox.write("package.json", package(&[("test", &command)]));
    let started = gulf(&sandbox, ["init"]).start();
    reached.wait();
    started.interrupt();
    started.finish().expect_exit(130).says("nothing was written");
    assert_eq!(names(&sandbox.repository()), ["package.json"]);
    sandbox.assert_nothing_left();
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_anything_runs() {
    let sandbox = Sandbox::without_git();
    let Some(disk) = Disk::of_kibibytes(&sandbox, "disk", 64) else { return };
    std::fs::write(disk.path().join("package.json"), package(&[("test", "true")])).unwrap();
    let remount = ["-o", "remount,ro", disk.path().as_str()];
    assert!(Command::new("mount").args(remount).status().unwrap().success());
    gulf(&sandbox, ["init"])
        .directory(disk.path())
        .run()
        .expect_exit(1)
        .says("cannot make a file in")
        .says("read-only")
        .does_not_say("green");
}

#[test]
fn the_settings_that_are_written_fit_a_screen_and_all_of_them_come_when_asked_for() {
    let lines = |arguments: &[&str]| {
        let sandbox = Sandbox::with(&project("true"));
        gulf(&sandbox, arguments.iter().copied()).run().expect_exit(0);
        sandbox.read("gulf.toml").lines().count()
    };
    assert!(lines(&["init"]) <= 25);
    assert!(lines(&["init", "--full"]) > 100);
}
