//! A loop with a branch of its own, from every place it may be started in: where its work lies, and that nothing of the
//! person's moves.

use std::fs;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Finished, Invocation, Sample, Sandbox, Standing, Step, quote};

use crate::{RIGHT, exit, run};

/// `gulf run --preset autonomous`
fn unbounded(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    run(sandbox, agent, &["--preset", "autonomous", "--check", RIGHT]).arguments(arguments.iter().copied())
}

/// The same with one iteration.
fn autonomous(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    unbounded(sandbox, agent, &["-n", "1"]).arguments(arguments.iter().copied())
}

/// The same with a pause after every iteration.
fn paused(sandbox: &Sandbox, agent: &FakeAgent) -> Finished {
    unbounded(sandbox, agent, &["-n", "9", "--milestone-every", "1"]).run().expect_exit(exit::PAUSED)
}

/// It looks around, and gets nothing done.
fn idler(sandbox: &Sandbox) -> FakeAgent {
    FakeAgent::new(sandbox).otherwise([Step::run("pwd; git branch --show-current; cat value.txt; ls -A")])
}

/// The only worktree beside the repository.
#[track_caller]
fn worktree(sandbox: &Sandbox) -> Utf8PathBuf {
    let all = worktrees(sandbox);
    assert_eq!(all.len(), 1, "{all:?}");
    all[0].clone()
}

fn worktrees(sandbox: &Sandbox) -> Vec<Utf8PathBuf> {
    let entries = sandbox.root().read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let mut all: Vec<Utf8PathBuf> =
        entries.filter(|path| path.file_name().unwrap().starts_with("repository-gulf-")).collect();
    all.sort();
    all
}

/// Everything of the person's but the loop's branch.
fn standing(sandbox: &Sandbox) -> Standing {
    let mut standing = Standing::of(sandbox);
    let is_own = |line: &&str| line.contains("refs/heads/gulf/");
    standing.refs = standing.refs.lines().filter(|line| !is_own(line)).collect::<Vec<_>>().join("\n");
    standing
}

/// What the worker saw.
fn seen(agent: &FakeAgent) -> String {
    agent.tally().commands().into_iter().map(|(_, _, said)| said).collect()
}

#[track_caller]
fn refused(finished: Finished, what: &str, hint: &str) {
    finished.does_not_panic().expect_exit(exit::REFUSED_START).says(what).says(hint);
}

// proves: G17
#[test]
fn the_work_lies_in_a_worktree_beside_the_repository_and_nothing_of_the_persons_moves() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    sandbox.write("mine.txt", "mine\n");
    sandbox.write("value.txt", "half done\n");
    sandbox.git(["add", "mine.txt"]);
    sandbox.git(["stash", "push", "--quiet", "--include-untracked", "--", "mine.txt"]);
    sandbox.write("staged.txt", "staged\n");
    sandbox.git(["add", "staged.txt"]);
    sandbox.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch ../hooked\n");
    let before = standing(&sandbox);
    let stash = sandbox.git(["stash", "list"]);
    let agent = idler(&sandbox);
    let finished = autonomous(&sandbox, &agent, &[]).run().does_not_panic().expect_exit(exit::EXHAUSTED);
    finished.says("uncommitted here, and no part of the loop: staged.txt, value.txt").says("landing waits");
    // The look at what lies here leaves nothing in gulf's own folder either.
    let beside = sandbox.only_loop().path("../..").read_dir_utf8().unwrap();
    let left: Vec<_> = beside.map(|entry| entry.unwrap().file_name().to_owned()).collect();
    assert!(!left.iter().any(|name| name.starts_with("branching-")), "{left:?}");
    assert_eq!(standing(&sandbox), before);
    assert_eq!(sandbox.git(["stash", "list"]), stash);
    let worktree = worktree(&sandbox);
    let said = seen(&agent);
    assert!(said.contains(worktree.as_str()) && said.contains("gulf/auto-"), "{said}");
    assert!(said.contains("wrong\n") && !said.contains("half done"), "{said}");
    assert!(!sandbox.path("hooked").exists());
    let prompt = agent.tally().prompt(1);
    assert!(prompt.contains("## Your branch") && prompt.contains("`main`"), "{prompt}");
    sandbox.assert_nothing_left();
}

#[test]
fn a_loop_in_a_worktree_is_found_cancelled_and_gone_on_with_from_the_persons_checkout() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("echo x >> tried.txt")]);
    paused(&sandbox, &agent);
    let id = sandbox.only_loop().id().to_owned();
    sandbox.gulf(["status"]).run().expect_exit(0).says("review is due").says("gulf/auto-").says("worktree:");
    sandbox.gulf(["list"]).run().expect_exit(0).says(&crate::handle(&sandbox)).says("gulf/auto-");
    sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED);
    sandbox.gulf(["resume", &id]).run().expect_exit(exit::PAUSED);
    let again = autonomous(&sandbox, &agent, &[]).run().expect_exit(exit::PAUSED);
    again.says("going on with").says(&id);
    let turns = agent.tally().turns();
    assert_eq!(turns, [(1, 1), (2, 1), (3, 1), (4, 1)]);
    assert_eq!(worktrees(&sandbox).len(), 1);
    sandbox.gulf(["cancel"]).run().expect_exit(0).says("Loop cancelled");
    sandbox.gulf(["status"]).run().expect_exit(0).says("cancelled");
    assert!(worktree(&sandbox).join("tried.txt").is_file(), "what was done is kept");
    assert!(!sandbox.file(".gulf").exists(), "nothing is written into the person's checkout");
}

#[test]
fn a_loop_in_a_worktree_leaves_the_checkout_free_for_another_one() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("true")]);
    paused(&sandbox, &agent);
    let other = ["run", "something else", "--agent", &agent.flag(), "--check", RIGHT, "-n", "1"];
    sandbox.gulf(other).arguments(["--research", "off"]).run().expect_exit(exit::EXHAUSTED);
    sandbox
        .gulf(other)
        .arguments(["--research", "off", "--preset", "autonomous"])
        .run()
        .expect_exit(exit::EXHAUSTED);
    assert_eq!(sandbox.loops().len(), 3);
    assert_eq!(worktrees(&sandbox).len(), 2);
}

#[test]
fn without_git_a_commit_or_a_branch_a_start_is_refused_and_says_what_to_do() {
    let empty = Sandbox::without_git();
    empty.write("check.sh", "exit 1\n");
    let agent = idler(&empty);
    refused(autonomous(&empty, &agent, &[]).run(), "needs git", "git init");
    empty.git(["init", "--quiet"]);
    refused(autonomous(&empty, &agent, &[]).run(), "no commit yet", "--allow-empty");
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = idler(&sandbox);
    sandbox.git(["switch", "--quiet", "--detach"]);
    refused(autonomous(&sandbox, &agent, &[]).run(), "HEAD is detached", "--base-branch");
    refused(autonomous(&sandbox, &agent, &["-b", "nothing"]).run(), "no branch nothing", "git branch --all");
    autonomous(&sandbox, &agent, &["-b", "main"]).run().expect_exit(exit::EXHAUSTED);
    assert_eq!(worktrees(&sandbox).len(), 1);
    assert_eq!(sandbox.loops().len(), 1);
}

#[test]
fn flags_that_say_nothing_for_the_preset_are_errors() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = idler(&sandbox);
    let run = |arguments: &[&str]| {
        run(&sandbox, &agent, &["--check", RIGHT]).arguments(arguments.iter().copied()).run()
    };
    refused(run(&["--workers", "2"]), "`--workers` is for the preset parallel", "--preset parallel");
    refused(
        run(&["--preset", "autonomous", "--workers", "2"]),
        "`--workers` is for",
        "leave `--workers` out",
    );
    refused(run(&["--in-place"]), "`--in-place` is for the preset autonomous", "--preset autonomous");
    refused(run(&["--preset", "parallel", "--in-place"]), "`--in-place` is for", "--preset autonomous");
    refused(run(&["--base-branch", "main"]), "`--base-branch` is for", "--preset autonomous");
    refused(run(&["--preset", "parallel", "--workers", "0"]), "parallel.workers", "0");
    refused(run(&["--preset", "autonomous", "--with-judge"]), "has no criteria", "Judge criteria");
    assert!(sandbox.loops().is_empty() && worktrees(&sandbox).is_empty());
}

#[test]
fn in_place_the_branch_is_checked_out_here_and_uncommitted_work_travels_along() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("mine.txt", "mine\n");
    let agent = idler(&sandbox);
    let finished = autonomous(&sandbox, &agent, &["--in-place"]).run().expect_exit(exit::EXHAUSTED);
    finished.says("taken along on the loop's branch: mine.txt");
    let branch = sandbox.git(["branch", "--show-current"]);
    assert!(branch.starts_with("gulf/auto-"), "{branch}");
    assert_eq!(sandbox.read("mine.txt"), "mine\n");
    assert!(seen(&agent).contains(sandbox.repository().as_str()));
    assert!(worktrees(&sandbox).is_empty());
    sandbox.git(["branch", "other", "main"]);
    refused(
        autonomous(&sandbox, &agent, &["--in-place", "-b", "other"]).run(),
        "not other",
        "git switch other",
    );
}

#[test]
fn in_place_the_checkout_goes_back_to_the_base_branch_once_the_work_has_landed() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
    autonomous(&sandbox, &agent, &["--in-place"]).run().expect_exit(exit::VERIFIED).says("landed");
    assert_eq!(sandbox.git(["branch", "--show-current"]), "main");
    assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "");
    assert_eq!(
        (sandbox.git(["status", "--porcelain"]), sandbox.read("value.txt")),
        ("".into(), "right\n".into())
    );
}

#[test]
fn in_place_the_checkout_stays_on_the_branch_where_a_file_of_the_persons_would_be_overwritten() {
    let sandbox = Sandbox::with(&Sample::shell());
    let elsewhere = quote(sandbox.path("elsewhere").as_str());
    let others = format!(
        "git worktree add -q {elsewhere} main && cd {elsewhere} && echo theirs > theirs.txt && git add -A && \
         git commit -qm theirs && git worktree remove {elsewhere}"
    );
    let work = [Step::run(&others), Step::write("value.txt", "right\n"), Step::claim()];
    let agent = FakeAgent::new(&sandbox).otherwise(work);
    let repository = quote(sandbox.repository().as_str());
    let meanwhile = format!("case $PWD in */queues/*) echo mine > {repository}/theirs.txt;; esac");
    let finished = autonomous(&sandbox, &agent, &["--in-place", "--check", &meanwhile]).run();
    let finished = finished.expect_exit(exit::VERIFIED);
    finished.says("this checkout stays on gulf/auto-").says("theirs.txt").says("git switch main");
    assert!(sandbox.git(["branch", "--show-current"]).starts_with("gulf/auto-"));
    assert_eq!(sandbox.read("theirs.txt"), "mine\n");
    assert_eq!(sandbox.git(["show", "main:value.txt"]), "right");
}

#[test]
fn a_branch_that_leaves_no_room_for_the_loops_own_gives_it_another_name() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = idler(&sandbox);
    // A branch called gulf leaves no room for gulf/….
    sandbox.git(["branch", "gulf"]);
    autonomous(&sandbox, &agent, &[]).run().expect_exit(exit::EXHAUSTED);
    assert!(seen(&agent).contains("gulf-auto-"), "{}", seen(&agent));
}

#[test]
fn in_a_linked_worktree_a_loop_starts_as_anywhere() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = idler(&sandbox);
    let linked = sandbox.path("linked 시험");
    sandbox.git(["worktree", "add", "--quiet", "-b", "side", linked.as_str()]);
    let before = standing(&sandbox);
    autonomous(&sandbox, &agent, &[])
        .directory(&linked)
        .run()
        .expect_exit(exit::EXHAUSTED)
        .says("lands on side");
    assert_eq!(standing(&sandbox), before);
    let beside = sandbox.root().read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned());
    assert_eq!(beside.filter(|name| name.starts_with("linked 시험-gulf-auto-")).count(), 1);
}

#[test]
fn submodules_are_there_sparse_checkouts_are_whole_and_a_shallow_clone_will_do() {
    let sandbox = Sandbox::with(&Sample::shell().file("deep/below.txt", "below\n"));
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("cat deep/below.txt part/inner.txt")]);
    let part = sandbox.path("part");
    fs::create_dir(&part).unwrap();
    for command in [
        "git init --quiet && echo inner > inner.txt && git add . && git commit --quiet -m inner",
        "cd ../repository && git -c protocol.file.allow=always submodule --quiet add ../part part && git commit --quiet -m part",
        "cd ../repository && git sparse-checkout set --no-cone '/*' '!/deep/'",
    ] {
        sandbox.program("sh", ["-c", command]).directory(&part).run().expect_exit(0);
    }
    assert!(!sandbox.file("deep/below.txt").exists());
    let before = standing(&sandbox);
    autonomous(&sandbox, &agent, &[]).run().expect_exit(exit::EXHAUSTED);
    assert!(seen(&agent).contains("below\ninner"), "{}", seen(&agent));
    assert_eq!(standing(&sandbox), before);
    let clone = sandbox.path("shallow");
    let from = format!("file://{}", sandbox.repository());
    sandbox.git(["clone", "--quiet", "--depth", "1", &from, clone.as_str()]);
    autonomous(&sandbox, &agent, &[]).directory(&clone).run().expect_exit(exit::EXHAUSTED);
}

#[test]
fn what_the_person_wrote_for_gulf_counts_as_it_lies_in_their_checkout() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("RUBRIC.md", format!("## Checks\n\n- `{RIGHT}`\n"));
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("cat RUBRIC.md; echo '# mine' > RUBRIC.md")]);
    let command =
        || run(&sandbox, &agent, &["--preset", "autonomous", "-n", "9", "--milestone-every", "1"]).run();
    command().expect_exit(exit::PAUSED).says("RUBRIC.md is not committed: the loop gets it as it lies here");
    assert!(seen(&agent).contains(RIGHT));
    // Nothing of the worker's has a say in what was agreed.
    sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED).does_not_say("differs from what was sealed");
    sandbox.write("RUBRIC.md", format!("## Checks\n\n- `{RIGHT}`\n- `true`\n"));
    sandbox
        .gulf(["resume"])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("RUBRIC.md differs from what was sealed");
}

#[test]
fn a_dry_run_names_branch_and_folder_and_makes_nothing() {
    let sandbox = Sandbox::with(&Sample::shell());
    let before = Standing::of(&sandbox);
    let finished = autonomous(&sandbox, &idler(&sandbox), &["--dry-run"]).run().expect_exit(0);
    finished.says("gulf/auto-").says("repository-gulf-auto-").says("lands on").says("## Your branch");
    assert_eq!(Standing::of(&sandbox), before);
    assert!(worktrees(&sandbox).is_empty() && sandbox.loops().is_empty());
}

#[test]
fn a_worktree_that_is_removed_under_way_is_called_so_and_not_the_repository() {
    let sandbox = Sandbox::with(&Sample::shell());
    let remove = Step::run("git worktree remove --force \"$PWD\"");
    let agent = FakeAgent::new(&sandbox).otherwise([remove]);
    let rests = unbounded(&sandbox, &agent, &["-n", "2"]).run().expect_exit(exit::PAUSED);
    rests.says("worktree").says("is gone").says("git worktree add").does_not_say(".git is gone");
}

#[test]
fn a_worktree_that_is_gone_is_said_and_how_to_bring_it_back() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = idler(&sandbox);
    paused(&sandbox, &agent);
    fs::remove_dir_all(worktree(&sandbox)).unwrap();
    refused(sandbox.gulf(["resume"]).run(), "is gone", "git worktree add");
    sandbox.gulf(["cancel"]).run().expect_exit(0).says("Loop cancelled");
}
