//! Landing in every state that a person's repository may be in.
//!
//! Each case is one repository and one question: does the work land, and what of the person's moved? What git itself
//! does in such states is shown in gulf-host.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_testkit::{Disk, FakeAgent, Invocation, Sample, Sandbox, Standing, Step};

use super::{autonomous, mend, titles};
use crate::{RIGHT, exit, run};

fn honest(sandbox: &Sandbox) -> FakeAgent {
    FakeAgent::new(sandbox).otherwise(mend())
}

/// `gulf run --preset autonomous` with a check that says whether it is done.
fn checked(sandbox: &Sandbox, agent: &FakeAgent) -> Invocation {
    autonomous(sandbox, agent, &["--check", RIGHT])
}

/// Everything of the person's but their branches, of which one was to move.
fn standing(sandbox: &Sandbox) -> Standing {
    Standing { refs: String::new(), ..Standing::of(sandbox) }
}

/// In a checkout that is not the sandbox's own.
fn git(sandbox: &Sandbox, folder: &Utf8Path, arguments: &[&str]) -> String {
    let finished = sandbox.program("git", arguments.iter().copied()).directory(folder).run().expect_exit(0);
    finished.stdout.trim_end().to_owned()
}

fn read(path: &Utf8PathBuf) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_base_that_is_checked_out_elsewhere_brings_that_checkout_along_and_moves_nothing_here() {
    let sandbox = Sandbox::with(&Sample::shell());
    let elsewhere = sandbox.path("else where");
    sandbox.git(["switch", "--quiet", "-c", "side"]);
    sandbox.git(["worktree", "add", "--quiet", elsewhere.as_str(), "main"]);
    sandbox.write("mine.txt", "mine\n");
    let before = standing(&sandbox);
    let finished = checked(&sandbox, &honest(&sandbox)).arguments(["-b", "main"]).run();
    finished.expect_exit(exit::VERIFIED).says(&format!("main is checked out at {elsewhere}"));
    assert_eq!(standing(&sandbox), before);
    assert_eq!(read(&elsewhere.join("value.txt")), "right\n");
    assert_eq!(git(&sandbox, &elsewhere, &["status", "--short"]), "");
}

#[test]
fn a_base_that_is_checked_out_nowhere_moves_alone_and_a_detached_head_stays() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.git(["switch", "--quiet", "--detach"]);
    sandbox.write("value.txt", "half done\n");
    let before = standing(&sandbox);
    checked(&sandbox, &honest(&sandbox)).arguments(["-b", "main"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(standing(&sandbox), before);
    assert_eq!(sandbox.git(["show", "main:value.txt"]), "right");
}

#[test]
fn no_hook_of_the_repository_runs_when_a_base_moves() {
    let sandbox = Sandbox::with(&Sample::shell());
    for name in
        ["update", "reference-transaction", "pre-commit", "post-checkout", "post-merge", "post-index-change"]
    {
        let path = sandbox.file(".git/hooks").join(name);
        fs::write(&path, format!("#!/bin/sh\ntouch {}/hooked-{name}\nexit 1\n", sandbox.root())).unwrap();
        sandbox.program("chmod", ["+x", path.as_str()]).run().expect_exit(0);
    }
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    checked(&sandbox, &agent).run().expect_exit(exit::VERIFIED);
    let hooked = sandbox.root().read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let hooked: Vec<_> = hooked.filter(|path| path.as_str().contains("hooked")).collect();
    assert_eq!(hooked, [""; 0]);
    assert_eq!(sandbox.read("value.txt"), "right\n");
}

#[test]
fn a_merge_in_progress_is_named_and_waited_for() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.git(["switch", "--quiet", "-c", "side"]);
    sandbox.write("value.txt", "other\n");
    sandbox.commit("other");
    sandbox.git(["switch", "--quiet", "main"]);
    sandbox.write("value.txt", "wrong again\n");
    sandbox.commit("again");
    sandbox.program("git", ["merge", "--quiet", "side"]).run().expect_exit(1);
    let before = standing(&sandbox);
    let finished = checked(&sandbox, &honest(&sandbox)).run().expect_exit(exit::PAUSED);
    finished.says("ready to land").says("a merge");
    assert_eq!(standing(&sandbox), before);
    sandbox.git(["merge", "--abort"]);
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(sandbox.read("value.txt"), "right\n");
}

#[test]
fn an_untracked_file_where_a_new_one_would_stand_is_named_and_waited_for() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("notes/new.txt", "mine\n");
    let [mends, claims] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([mends, Step::write("notes/new.txt", "theirs\n"), claims]);
    let before = standing(&sandbox);
    let finished = checked(&sandbox, &agent).run().expect_exit(exit::PAUSED);
    finished.says("ready to land").says("notes/new.txt");
    assert_eq!(standing(&sandbox), before);
    fs::remove_file(sandbox.file("notes/new.txt")).unwrap();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(sandbox.read("notes/new.txt"), "theirs\n");
}

#[test]
fn a_file_whose_name_differs_only_in_case_is_a_conflict_and_what_comes_of_it_lands() {
    let sandbox = Sandbox::with(&Sample::shell().file("Readme.md", "# Sample\n"));
    let [mends, claims] = mend();
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [mends, Step::write("README.md", "twin\n"), claims.clone()])
        .turn(2, [Step::delete("README.md"), claims.clone()])
        .otherwise([claims]);
    let finished = checked(&sandbox, &agent).run().expect_exit(exit::VERIFIED);
    finished.says("README.md and Readme.md (only their case differs)");
    assert!(agent.tally().prompt(2).contains("README.md and Readme.md (only their case differs)"));
    assert_eq!(sandbox.git(["ls-tree", "--name-only", "main", "README.md"]), "");
}

#[test]
fn work_lands_beside_a_submodule_which_stays_as_it_is() {
    let sandbox = Sandbox::with(&Sample::shell());
    let part = sandbox.path("part");
    fs::create_dir(&part).unwrap();
    for command in [
        "git init --quiet && echo inner > inner.txt && git add . && git commit --quiet -m inner",
        "cd ../repository && git -c protocol.file.allow=always submodule --quiet add ../part part && git commit --quiet -m part",
    ] {
        sandbox.program("sh", ["-c", command]).directory(&part).run().expect_exit(0);
    }
    sandbox.write("part/untracked.txt", "mine\n");
    checked(&sandbox, &honest(&sandbox)).run().expect_exit(exit::VERIFIED);
    assert_eq!(sandbox.read("value.txt"), "right\n");
    assert_eq!(sandbox.read("part/untracked.txt"), "mine\n");
}

#[test]
fn a_sparse_checkout_of_the_base_is_named_and_waited_for() {
    let sandbox = Sandbox::with(&Sample::shell().file("deep/below.txt", "below\n"));
    sandbox.git(["sparse-checkout", "set", "--no-cone", "/*", "!/deep/"]);
    let before = standing(&sandbox);
    let finished = checked(&sandbox, &honest(&sandbox)).run().expect_exit(exit::PAUSED);
    finished.says("ready to land").says("a sparse checkout, without deep/below.txt");
    assert_eq!(standing(&sandbox), before);
    sandbox.git(["sparse-checkout", "disable"]);
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(
        (sandbox.read("value.txt"), sandbox.read("deep/below.txt")),
        ("right\n".into(), "below\n".into())
    );
}

#[test]
fn work_lands_in_a_shallow_clone() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.commit("second");
    let clone = sandbox.path("shallow");
    let from = format!("file://{}", sandbox.repository());
    sandbox.git(["clone", "--quiet", "--depth", "1", &from, clone.as_str()]);
    checked(&sandbox, &honest(&sandbox)).directory(&clone).run().expect_exit(exit::VERIFIED);
    assert_eq!(read(&clone.join("value.txt")), "right\n");
    assert_eq!(git(&sandbox, &clone, &["rev-list", "--count", "--first-parent", "main"]), "2");
}

#[test]
fn work_lands_from_a_linked_worktree_with_spaces_and_korean_letters_on_its_own_branch() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    let linked = sandbox.path("linked 시험");
    sandbox.git(["worktree", "add", "--quiet", "-b", "가지", linked.as_str()]);
    let before = Standing::of(&sandbox).files;
    checked(&sandbox, &honest(&sandbox)).directory(&linked).run().expect_exit(exit::VERIFIED).says("가지");
    assert_eq!(read(&linked.join("value.txt")), "right\n");
    assert_eq!(git(&sandbox, &linked, &["status", "--short"]), "");
    assert_eq!((Standing::of(&sandbox).files, titles(&sandbox).len()), (before, 1));
}

#[test]
fn work_lands_in_a_worktree_whose_main_repository_is_bare() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (bare, work) = (sandbox.path("bare.git"), sandbox.path("work"));
    sandbox.git(["clone", "--quiet", "--bare", ".", bare.as_str()]);
    git(&sandbox, &bare, &["worktree", "add", "--quiet", work.as_str(), "main"]);
    checked(&sandbox, &honest(&sandbox)).directory(&work).run().expect_exit(exit::VERIFIED);
    assert_eq!(read(&work.join("value.txt")), "right\n");
    assert_eq!(git(&sandbox, &work, &["status", "--short"]), "");
    assert_eq!(titles(&sandbox).len(), 1, "the repository that it was cloned from");
}

#[test]
fn loops_that_start_in_the_same_second_have_names_of_their_own() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("pwd")]);
    let start = |goal: &str| {
        let loops = ["run", goal, "--research", "off", "--agent", &agent.flag(), "--check", RIGHT];
        sandbox.gulf(loops).arguments(["--preset", "autonomous", "-n", "1"]).start()
    };
    let started: Vec<_> = ["one thing", "another", "a third"].into_iter().map(start).collect();
    for one in started {
        one.finish().does_not_panic().expect_exit(exit::EXHAUSTED);
    }
    assert_eq!(sandbox.git(["branch", "--list", "gulf/auto-*"]).lines().count(), 3);
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 4);
}

#[test]
fn a_folder_for_worktrees_that_cannot_be_written_is_an_error_and_nothing_is_made() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = honest(&sandbox);
    let Some(disk) = Disk::of_kibibytes(&sandbox, "disk", 1 << 10) else { return };
    let place = disk.path().as_str();
    sandbox.program("mount", ["-o", "remount,ro", place]).run().expect_exit(0);
    let before = Standing::of(&sandbox);
    let started = run(&sandbox, &agent, &["--preset", "autonomous", "--check", RIGHT]);
    let finished = started.variable("GULF_ENVIRONMENT_WORKTREES", place).run().does_not_panic();
    finished.expect_exit(exit::REFUSED_START).says("cannot make the folder").says("name another folder");
    assert_eq!(Standing::of(&sandbox), before);
    assert!(sandbox.loops().is_empty() && agent.tally().turns().is_empty());
}
