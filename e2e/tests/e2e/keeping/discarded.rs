//! A loop's work is thrown away: all of it, and nothing of the person's.

use super::*;

// proves: B19
#[test]
fn where_the_worker_undid_own_work_the_rest_is_reverted_and_that_comes_back() {
    let sandbox = dirty();
    let before = (status(&sandbox), sandbox.read("shared.txt"), sandbox.read("secret.txt"));
    let [write, claim] = mend();
    let undo = Step::run("git checkout -q -- shared.txt; rm secret.txt");
    let agent = FakeAgent::new(&sandbox).otherwise([write, undo, claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED).says("gulf discard ");
    sandbox.write("secret.txt", "token\n");
    let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("files that are reverted: shared.txt, value.txt");
    assert_eq!((status(&sandbox), sandbox.read("shared.txt"), sandbox.read("secret.txt")), before);
}

/// A person writes while the worker waits for an answer: a file of their own, and into one of the worker's.
fn answered() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell().file("shared.txt", LINES));
    let ask = "echo half > half.txt; gulf ask --kind unclear 'which value?'";
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(ask)]);
    let agent = agent.otherwise([write, Step::run("echo ten >> shared.txt; echo more >> notes.txt"), claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::PAUSED);
    sandbox.write("notes.txt", "notes\n");
    sandbox.git(["add", "notes.txt"]);
    sandbox.write("half.txt", "whole\n");
    keeping(&sandbox, &["answer", "right"]).run().expect_exit(0);
    keeping(&sandbox, &["resume"]).run().expect_exit(exit::VERIFIED);
    sandbox
}

// proves: B19, A9
#[test]
fn what_a_person_wrote_while_it_rested_stays_and_what_went_with_the_workers_is_kept() {
    let sandbox = answered();
    let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    let discarded = discarded.says("files that are reverted: half.txt, shared.txt, value.txt");
    discarded
        .says("of these changed while no turn ran, so not by the worker: half.txt")
        .says("changed while no turn ran, and left as they are: notes.txt");
    assert_eq!(status(&sandbox), "AM notes.txt");
    assert_eq!(sandbox.read("notes.txt"), "notes\nmore\n");
    let kept = keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0);
    kept.says("holds your own work that `gulf discard` reverted: half.txt").says("--unlanded");
    sandbox.write("half.txt", "whole\n");
    keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0).says("Removed 1 folder");
    let sandbox = answered();
    sandbox.git(["restore", "--staged", "notes.txt"]);
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    assert_eq!((status(&sandbox), sandbox.read("value.txt")), (String::new(), "right\n".into()));
}

// proves: B19, G17
#[test]
fn of_a_loop_that_worked_in_place_the_change_goes_with_the_branch_and_the_base_is_checked_out() {
    let mut scripts = vec!["echo x > x.txt; echo y >> value.txt"];
    scripts.push("echo x > x.txt; git add x.txt; git commit -qm own; echo y >> value.txt");
    for (script, switched) in scripts.into_iter().flat_map(|script| [(script, false), (script, true)]) {
        let sandbox = Sandbox::with(&Sample::shell().file("notes.txt", "note\n"));
        sandbox.write("notes.txt", "my note\n");
        let agent = FakeAgent::new(&sandbox).otherwise([Step::run(script)]);
        let flags = ["--preset", "autonomous", "--in-place", "-n", "1"];
        run_right(&sandbox, &agent, &flags).run().expect_exit(exit::EXHAUSTED);
        if switched {
            sandbox.git(["switch", "--quiet", "main"]);
        }
        let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
        discarded.says("files that are reverted: ").says("branch that is deleted: gulf/auto-");
        assert_eq!(status(&sandbox), " M notes.txt", "{script} {switched}");
        assert_eq!(sandbox.git(["symbolic-ref", "--short", "HEAD"]), "main");
        assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "");
        keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0).says("nothing to discard");
        keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0).says("Removed 1 folder");
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("echo x > x.txt")]);
    let flags = ["--preset", "autonomous", "--in-place", "-n", "1"];
    run_right(&sandbox, &agent, &flags).run().expect_exit(exit::EXHAUSTED);
    sandbox.git(["worktree", "add", "--quiet", "../elsewhere", "main"]);
    let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("is still checked out: ").says("`git switch main`, then `gulf discard ");
    sandbox.git(["worktree", "remove", "../elsewhere"]);
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    assert_eq!(sandbox.git(["symbolic-ref", "--short", "HEAD"]), "main");
}

// proves: B19, B9
#[test]
fn of_a_fork_worktree_and_branch_are_removed() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let first = sandbox.only_loop().id().to_owned();
    let fork = ["fork", "@1", "--agent", &agent.flag()];
    keeping(&sandbox, &fork).run().expect_exit(exit::VERIFIED);
    let fork = sandbox.loops().into_iter().find(|one| one.id() != first).unwrap();
    keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0).says("gulf discard ").says("throws it away");
    let discarded = keeping(&sandbox, &["discard", "--yes", fork.id()]).run().expect_exit(0);
    discarded
        .says("worktree that is removed: ")
        .says("branch that is deleted: gulf/fork-")
        .says("brings it back");
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1);
    assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "");
    assert_eq!(status(&sandbox), " M value.txt");
    keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0).says("Removed 1 folder");
}
