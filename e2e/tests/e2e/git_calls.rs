//! How often gulf starts git: a number that is the same on every machine, where milliseconds are not.
//!
//! Nothing that gulf says or does is looked at. Starting git is the largest part of what gulf adds to an iteration,
//! and grows unseen: a higher number here wants a reason, a lower one is written down.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Invocation, Sample, Sandbox, Step, quote};

use crate::{RIGHT, exit, mend, run_right};

/// A git that notes its calls, before every other one on the PATH.
struct Counted<'a> {
    sandbox: &'a Sandbox,
    folder: Utf8PathBuf,
    tally: Utf8PathBuf,
}

impl<'a> Counted<'a> {
    fn in_sandbox(sandbox: &'a Sandbox) -> Self {
        let (folder, tally) = (sandbox.path("counting"), sandbox.path("calls"));
        let found = sandbox.program("sh", ["-c", "command -v git"]).run().expect_exit(0);
        let real = quote(found.stdout.trim());
        fs::create_dir(&folder).unwrap();
        let program = folder.join("git");
        fs::write(
            &program,
            format!("#!/bin/sh\necho \"$*\" >> {}\nexec {real} \"$@\"\n", quote(tally.as_str())),
        )
        .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Self { sandbox, folder, tally }
    }

    /// How often git is called by this command, and by what it starts.
    #[track_caller]
    fn calls(&self, invocation: Invocation, ends: i32) -> usize {
        let path = self.sandbox.program("sh", ["-c", "echo \"$PATH\""]).run().expect_exit(0).stdout;
        invocation.variable("PATH", format!("{}:{}", self.folder, path.trim())).run().expect_exit(ends);
        let calls = fs::read_to_string(&self.tally).unwrap();
        fs::remove_file(&self.tally).unwrap();
        eprintln!("{calls}");
        calls.lines().count()
    }
}

/// The calls of a loop whose worker breaks the check in each of so many iterations.
fn refused(iterations: u32) -> usize {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .otherwise([Step::run("echo wrong $GULF_ITERATION > value.txt"), Step::claim()]);
    let limit = iterations.to_string();
    Counted::in_sandbox(&sandbox).calls(run_right(&sandbox, &agent, &["-n", &limit]), exit::EXHAUSTED)
}

/// The calls of a loop that works off so many tasks.
fn tasks(count: usize) -> usize {
    let list: String = (1..=count).map(|number| format!("- [ ] task {number}\n")).collect();
    let sandbox = Sandbox::with(&Sample::green().file("TASKS.md", &list));
    let claim = Step::Claim { no_test: Some("a text".to_owned()) };
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("echo $GULF_ITERATION >> work.txt"), claim]);
    let run = sandbox.gulf(["run", "--preset", "tasks", "--agent", &agent.flag(), "--check", RIGHT]);
    Counted::in_sandbox(&sandbox).calls(run, exit::ATTESTED)
}

#[test]
fn a_first_loop_of_one_iteration_starts_git_no_more_often_than_it_must() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let calls = Counted::in_sandbox(&sandbox).calls(run_right(&sandbox, &agent, &[]), exit::VERIFIED);
    // Two of them read the script that the check names, as the base has it; one the remotes that no worker is to reach,
    // one the checks that gulf-align.md agreed on, one what was changed before the first turn, and one the settings of git,
    // as they count for all of the loop.
    // One of them lists what git ignores at the start, which no candidate is to hold.
    assert!(calls <= 37, "{calls} calls");
}

#[test]
fn a_further_iteration_is_a_snapshot_and_a_checkout() {
    let (one, three) = (refused(1), refused(3));
    assert_eq!((three - one) % 2, 0, "{one} and {three}");
    // One of them looks whether anybody but the worker changed files since the turn before.
    assert!((three - one) / 2 <= 7, "{one} and {three} calls");
}

#[test]
fn an_iteration_that_changes_nothing_is_one_look() {
    let idle = |iterations: &str| {
        let sandbox = Sandbox::with(&Sample::shell());
        let agent = FakeAgent::new(&sandbox).otherwise([]);
        Counted::in_sandbox(&sandbox).calls(run_right(&sandbox, &agent, &["-n", iterations]), exit::EXHAUSTED)
    };
    let (one, three) = (idle("1"), idle("3"));
    // Each of the two may look twice: an index of the same moment as a file says nothing of it.
    assert!(three - one <= 4, "{one} and {three} calls");
}

#[test]
fn a_task_costs_its_gates_and_its_commit() {
    let (one, two) = (tasks(1), tasks(2));
    assert!(two - one <= 23, "{one} and {two} calls");
}

#[test]
fn a_landing_starts_git_no_more_often_than_it_must() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let run = run_right(&sandbox, &agent, &["--preset", "autonomous", "-n", "4"]);
    let calls = Counted::in_sandbox(&sandbox).calls(run, exit::VERIFIED);
    // One of them lists the remotes that no worker is to reach, one what git ignores at the start.
    assert!(calls <= 136, "{calls} calls");
}
