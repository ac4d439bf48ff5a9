//! `gulf clean` beside the folders of loops: branches, worktrees and forgotten iterations go only where nothing is lost.

use std::fs;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Size, Step};

use crate::gulf;

const SCREEN: Size = Size { columns: 100, rows: 30 };

const BRANCH: &str = "gulf/auto-20260213-143000";

/// A worktree beside the repository, on a branch as gulf makes them.
fn worktree(sandbox: &Sandbox, branch: &str) -> Utf8PathBuf {
    let folder = sandbox.path(&format!("작업 {}", branch.replace('/', "-")));
    sandbox.git(["worktree", "add", "--quiet", "-b", branch, folder.as_str()]);
    folder
}

/// A loop in a worktree, whose worker commits; it ends when its iterations are used up.
fn finish_in(sandbox: &Sandbox, folder: &Utf8PathBuf, steps: &[&str]) {
    let agent = FakeAgent::new(sandbox).otherwise(steps.iter().map(|step| Step::run(step)));
    let run = gulf(sandbox, ["run", "x", "--research", "off", "--check", "false", "-n", "1"]);
    run.arguments(["--agent", &agent.flag()]).directory(folder).run().expect_exit(12);
}

const COMMIT: &str = "echo more >> notes/a.txt; git commit --quiet --all --message work";

fn branches(sandbox: &Sandbox) -> Vec<String> {
    let listed = sandbox.git(["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
    listed.lines().map(str::to_owned).collect()
}

fn refs(sandbox: &Sandbox) -> String {
    sandbox.git(["for-each-ref", "--format=%(refname)", "refs/gulf"])
}

#[test]
fn a_branch_that_is_merged_goes_with_its_worktree_and_its_loop() {
    let sandbox = Sandbox::with(&Sample::shell());
    let folder = worktree(&sandbox, BRANCH);
    finish_in(&sandbox, &folder, &[COMMIT]);
    sandbox.git(["merge", "--quiet", BRANCH]);
    let before = sandbox.git(["rev-parse", "HEAD"]);
    let listed =
        gulf(&sandbox, ["clean", "--dry-run"]).run().expect_exit(0).says("would remove").says(BRANCH);
    listed.says("Would remove 1 folder, ").says("; 1 branch.");
    assert!(folder.is_dir() && branches(&sandbox).contains(&BRANCH.to_owned()));
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("; 1 branch.");
    assert_eq!((branches(&sandbox), refs(&sandbox)), (vec!["main".to_owned()], String::new()));
    assert!(!folder.exists() && sandbox.loops().is_empty());
    assert_eq!(sandbox.git(["rev-parse", "HEAD"]), before);
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
}

#[test]
fn what_is_committed_nowhere_else_or_not_at_all_stays_with_its_loop_and_is_named() {
    for (steps, why) in [
        (&[COMMIT][..], "no other branch contains its commit"),
        (&["echo mine > 새파일.txt"], "in no commit: 새파일.txt"),
        (&["echo more >> notes/a.txt", "git add --all"], "in no commit: notes/a.txt"),
    ] {
        let sandbox = Sandbox::with(&Sample::shell());
        let folder = worktree(&sandbox, BRANCH);
        finish_in(&sandbox, &folder, steps);
        let before = (branches(&sandbox), refs(&sandbox));
        let cleaned = gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0);
        cleaned.says(why).says(folder.as_str()).says("Nothing to remove");
        assert_eq!((branches(&sandbox), refs(&sandbox)), before, "{why}");
        assert!(folder.is_dir() && sandbox.loops().len() == 1, "{why}");
    }
}

#[test]
fn two_branches_that_only_hold_each_other_both_stay() {
    let sandbox = Sandbox::with(&Sample::shell());
    let folder = worktree(&sandbox, BRANCH);
    finish_in(&sandbox, &folder, &[COMMIT]);
    sandbox.git(["branch", "gulf/parallel-20260213-143000-worker-1", BRANCH]);
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("Nothing to remove");
    assert_eq!(branches(&sandbox).len(), 3);
    sandbox.git(["tag", "kept", BRANCH]);
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("; 2 branches.");
    assert_eq!(branches(&sandbox), ["main"]);
}

#[test]
fn a_worktree_that_is_worked_in_or_stood_in_or_that_nobody_here_knows_stays() {
    let sandbox = Sandbox::with(&Sample::shell());
    let folder = worktree(&sandbox, BRANCH);
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("no loop that is known here");
    let (reached, held) = (Meeting::new(&sandbox, "reached"), Meeting::new(&sandbox, "held"));
    let agent = FakeAgent::new(&sandbox).otherwise([reached.reached(), held.held()]);
    let driven = gulf(&sandbox, ["run", "x", "--research", "off", "--check", "false", "-n", "1"])
        .arguments(["--agent", &agent.flag()])
        .directory(&folder)
        .start();
    reached.wait();
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("in use by gulf").says("is running");
    held.release();
    driven.finish().expect_exit(12);
    let there = gulf(&sandbox, ["clean", "--yes"]).directory(&folder).run().expect_exit(0);
    there.says("you are in its worktree");
    assert!(folder.is_dir() && sandbox.loops().len() == 1);
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("; 1 branch.");
    assert!(!folder.exists());
}

#[test]
fn iterations_of_a_loop_that_nobody_knows_go_where_a_branch_holds_them_and_else_when_it_is_said() {
    let sandbox = Sandbox::with(&Sample::shell());
    let folder = sandbox.repository();
    finish_in(&sandbox, &folder, &["echo mine > new.txt"]);
    let gone = sandbox.only_loop();
    fs::remove_dir_all(gone.path("")).unwrap();
    let before = refs(&sandbox);
    assert!(before.contains(gone.id()), "{before}");
    sandbox.git(["update-ref", "refs/gulf/other", "HEAD"]);
    let left = gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0);
    left.says("gulf clean --forgotten").says(gone.id());
    gulf(&sandbox, ["clean", "--yes", "--forgotten"]).run().expect_exit(0).says("Removed 1 forgotten loop.");
    assert_eq!(refs(&sandbox), "refs/gulf/other", "what is no loop's iteration is left alone");
    sandbox.git(["update-ref", "refs/gulf/2026-02-13T1430_held/0", "HEAD"]);
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("Removed 1 forgotten loop.");
    assert_eq!(refs(&sandbox), "refs/gulf/other");
}

#[test]
fn through_a_pipe_it_is_listed_and_nobody_is_asked() {
    let sandbox = Sandbox::with(&Sample::shell());
    let folder = sandbox.repository();
    finish_in(&sandbox, &folder, &["true"]);
    let refused =
        gulf(&sandbox, ["clean"]).run().expect_exit(2).says("would remove").says("no terminal to confirm on");
    refused.says("gulf clean --yes");
    assert_eq!(sandbox.loops().len(), 1);
}

#[cfg(unix)]
#[test]
fn on_a_terminal_a_no_removes_nothing_and_a_yes_what_was_listed() {
    let sandbox = Sandbox::with(&Sample::shell());
    let folder = sandbox.repository();
    finish_in(&sandbox, &folder, &["true"]);
    for (answer, left) in [("", 1), ("n", 1), ("yes", 0)] {
        let terminal = gulf(&sandbox, ["clean"]).on_terminal(SCREEN);
        terminal.wait_for("? [y/N]");
        terminal.enter(answer);
        assert_eq!(terminal.finish(), 0);
        assert_eq!(sandbox.loops().len(), left, "{answer:?}");
    }
}
