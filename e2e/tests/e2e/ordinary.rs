//! Ordinary life: repositories as they are, two of everything, full disks, and what must not be touched.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use gulf_testkit::{Disk, FakeAgent, Meeting, Sample, Sandbox, Standing, Step};

use crate::{RIGHT, exit, mend, run, run_right};

/// Runs the honest worker and compares everything that is the person's.
#[track_caller]
fn ends_verified_and_touches_nothing_else(sandbox: &Sandbox) -> FakeAgent {
    let before = Standing::of(sandbox);
    let agent = FakeAgent::new(sandbox).turn(1, mend());
    run_right(sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    assert_eq!(
        Standing::of(sandbox).without(&["value.txt", ".gulf", "decisions.md"]),
        before.without(&["value.txt"])
    );
    sandbox.assert_nothing_left();
    agent
}

// proves: G2
#[test]
fn a_dirty_start_is_part_of_the_base_and_stays_the_persons() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("notes/a.txt", "changed and staged\n");
    sandbox.git(["add", "notes/a.txt"]);
    sandbox.write("notes/a.txt", "changed again\n");
    sandbox.write("notes/new.txt", "untracked\n");
    let agent = ends_verified_and_touches_nothing_else(&sandbox);
    let kept = sandbox.only_loop();
    let base = kept.facts_of("sealed")[0]["contract"]["base"]["commit"].as_str().unwrap().to_owned();
    assert_eq!(sandbox.git(["show", &format!("{base}:notes/a.txt")]), "changed again");
    assert_eq!(sandbox.git(["show", &format!("{base}:notes/new.txt")]), "untracked");
    assert!(agent.tally().prompt(1).contains("notes/a.txt"), "the worker is not told which paths were dirty");
}

#[test]
fn a_detached_head_stays_detached() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.git(["checkout", "--quiet", "--detach"]);
    ends_verified_and_touches_nothing_else(&sandbox);
}

#[test]
fn an_unborn_branch_with_files_stays_unborn() {
    let sandbox = Sandbox::without_git();
    sandbox.git(["init", "--quiet"]);
    sandbox.write("value.txt", "wrong\n");
    sandbox.write("check.sh", "grep -qx right value.txt\n");
    ends_verified_and_touches_nothing_else(&sandbox);
    sandbox.program("git", ["rev-parse", "--verify", "--quiet", "HEAD"]).run().expect_exit(1);
}

#[test]
fn an_empty_repository_is_a_start_like_any_other() {
    let sandbox = Sandbox::without_git();
    sandbox.git(["init", "--quiet"]);
    let before = Standing::of(&sandbox);
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run(&sandbox, &agent, &["--check", "grep -qx right value.txt"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(Standing::of(&sandbox).without(&["value.txt", ".gulf"]), before);
}

#[test]
fn without_git_a_loop_works_and_makes_no_repository_there() {
    let sandbox = Sandbox::without_git();
    sandbox.write("value.txt", "wrong\n");
    sandbox.write("check.sh", "grep -qx right value.txt\n");
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    assert!(!sandbox.file(".git").exists());
    sandbox.gulf(["status"]).run().expect_exit(0).says("verified");
}

#[test]
fn a_path_with_spaces_quotes_and_korean_is_a_path() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    ends_verified_and_touches_nothing_else(&sandbox);
}

#[test]
fn files_with_awkward_names_are_part_of_the_candidate() {
    let sandbox = Sandbox::with(&Sample::shell());
    let names = ["한국어 파일.txt", "-n", "a\nb", "quote'\"", "trailing ", "#hash", "*"];
    let steps: Vec<Step> = names.iter().map(|name| Step::write(name, "x")).chain(mend()).collect();
    let agent = FakeAgent::new(&sandbox).turn(1, steps);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let (commit, _) = sandbox.only_loop().candidate();
    let listed = sandbox.git(["ls-tree", "-rz", "--name-only", &commit]);
    for name in names {
        assert!(listed.split('\0').any(|one| one == name), "{name:?} is missing in {listed:?}");
    }
}

#[test]
fn from_a_folder_below_the_top_the_whole_project_is_meant() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).directory(sandbox.file("notes")).run().expect_exit(exit::VERIFIED);
    assert_eq!(sandbox.read("value.txt"), "right\n");
    sandbox.gulf(["status"]).directory(sandbox.file("notes")).run().expect_exit(0).says("verified");
}

#[test]
fn a_linked_worktree_is_a_checkout_of_its_own() {
    let sandbox = Sandbox::with(&Sample::shell());
    let other = sandbox.path("other worktree");
    sandbox.git(["worktree", "add", "--quiet", "-b", "topic", other.as_str()]);
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).directory(&other).run().expect_exit(exit::VERIFIED);
    assert_eq!(fs::read_to_string(other.join("value.txt")).unwrap(), "right\n");
    assert_eq!(sandbox.read("value.txt"), "wrong\n");
}

/// With a repository within it: a clone of its own first commit.
fn with_submodule() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    let library = sandbox.path("library");
    sandbox.git(["clone", "--quiet", ".", library.as_str()]);
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    sandbox.git(add.into_iter().chain([library.as_str(), "library"]));
    sandbox.commit("with a submodule");
    sandbox
}

#[test]
fn what_a_worker_changes_within_a_submodule_is_named_to_it_and_to_who_discards_it() {
    let sandbox = with_submodule();
    let [write, claim] = mend();
    let within = Step::write("library/value.txt", "right\n");
    let commits = Step::run("cd library && git commit --quiet --all --message right");
    let agent = FakeAgent::new(&sandbox).otherwise([write.clone(), within, claim.clone()]);
    let check = "sh check.sh && grep -qx right library/value.txt";
    run(&sandbox, &agent, &["--check", check, "-n", "1"]).run().expect_exit(exit::EXHAUSTED);
    let discarded = sandbox.gulf(["discard", "--yes"]).run().expect_exit(0);
    discarded.says("in no candidate, and left as they are: library: changes that it has not committed");
    let agent = FakeAgent::new(&sandbox).turn(1, [write, claim.clone()]).turn(2, [commits, claim]);
    run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::VERIFIED);
    let prompt = agent.tally().prompt(3);
    assert!(prompt.contains("- library: changes that it has not committed"), "{prompt}");
}

#[test]
fn a_submodule_is_part_of_the_candidate_by_its_commit() {
    let sandbox = with_submodule();
    let before = Standing::of(&sandbox);
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let (commit, _) = sandbox.only_loop().candidate();
    assert!(sandbox.git(["ls-tree", &commit, "library"]).starts_with("160000 commit"));
    assert_eq!(
        Standing::of(&sandbox).without(&["value.txt", ".gulf", "decisions.md"]),
        before.without(&["value.txt"])
    );
}

#[test]
fn read_only_files_and_folders_are_checked_out_and_cleared_away_again() {
    let sandbox = Sandbox::with(&Sample::shell().file("locked/file.txt", "fixed\n"));
    let mode =
        |path: &str, mode| fs::set_permissions(sandbox.file(path), fs::Permissions::from_mode(mode)).unwrap();
    mode("locked/file.txt", 0o444);
    mode("locked", 0o555);
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x"), Step::claim()]).turn(2, mend());
    // A check may lock what it made, too.
    let check = "mkdir -p cache/a && touch cache/a/b && chmod 555 cache/a; sh check.sh";
    run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::VERIFIED);
    mode("locked", 0o755);
}

#[test]
fn an_executable_and_a_link_are_what_they_were_in_the_candidate() {
    let sandbox = Sandbox::with(&Sample::shell());
    let make = "printf '#!/bin/sh\\nexit 0\\n' > tool && chmod +x tool && ln -s value.txt link && ln -s nowhere/at/all broken";
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(make)].into_iter().chain(mend()));
    run(&sandbox, &agent, &["--check", "test -x tool && ./tool && grep -qx right link && test -L broken"])
        .run()
        .expect_exit(exit::VERIFIED);
}

#[test]
fn a_second_loop_in_the_same_checkout_is_refused_naming_the_first_and_both_ways_out() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let [right, claim] = mend();
    let agent = FakeAgent::new(&sandbox).turn(1, [here.reached(), go_on.held(), right, claim]);
    let started = run_right(&sandbox, &agent, &[]).start();
    here.wait();
    let first = crate::handle(&sandbox);
    let other = sandbox.gulf(["run", "another goal", "--agent", "command:true", "--check", "true"]).run();
    other.expect_exit(exit::REFUSED_START).says(&first).says("gulf cancel");
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::REFUSED_START).says(&first);
    sandbox.gulf(["resume"]).run().expect_exit(exit::REFUSED_START).says(&first);
    go_on.release();
    started.finish().expect_exit(exit::VERIFIED);
    assert_eq!(sandbox.loops().len(), 1);
}

#[test]
fn another_goal_beside_an_unfinished_loop_is_refused_and_replace_ends_the_old_one() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x")]).otherwise(mend());
    run_right(&sandbox, &agent, &["-m", "1"]).run().expect_exit(exit::PAUSED);
    let first = sandbox.only_loop();
    let flag = agent.flag();
    let another = ["run", "another goal", "--agent", &flag, "--check", RIGHT];
    sandbox
        .gulf(another)
        .run()
        .expect_exit(exit::REFUSED_START)
        .says(&crate::handle(&sandbox))
        .says("--replace");
    sandbox.gulf(another).arguments(["--replace"]).run();
    assert_eq!(first.end().unwrap()["kind"], "cancelled");
    assert_eq!(sandbox.loops().len(), 2);
}

#[test]
fn replace_ends_a_loop_that_runs_where_a_person_says_so_and_nothing_of_it_goes_on() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let agent = FakeAgent::new(&sandbox).turn(1, [here.reached(), go_on.held()]);
    let started = run_right(&sandbox, &agent, &[]).start();
    here.wait();
    let first = sandbox.only_loop();
    let other = FakeAgent::new(&sandbox);
    let flag = other.flag();
    let another = ["run", "another goal", "--agent", &flag, "--check", "true", "-n", "1"];
    let refused = sandbox.gulf(another).arguments(["--replace"]).run().expect_exit(exit::REFUSED_START);
    refused.says("is running").says("--replace --yes");
    assert_eq!(first.end(), None);
    sandbox.gulf(another).arguments(["--yes"]).run().expect_exit(exit::REFUSED_START);
    let replaced = sandbox.gulf(another).arguments(["--replace", "--yes"]).run();
    replaced.does_not_say("another writer");
    started.finish().expect_exit(exit::CANCELLED);
    assert_eq!(first.end().unwrap()["kind"], "cancelled");
    assert_eq!(sandbox.loops().len(), 2);
    assert!(sandbox.loops().iter().all(|one| one.end().is_some()));
    sandbox.assert_nothing_left();
}

#[test]
fn state_inside_the_worktree_is_refused() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox);
    let inside = sandbox.file(".gulf-home");
    let refused = run_right(&sandbox, &agent, &[]).variable("GULF_HOME", inside.as_str()).run();
    refused.expect_exit(exit::REFUSED_START).says("GULF_HOME").says("hint:");
    assert!(agent.tally().turns().is_empty() && !inside.exists());
}

#[test]
fn a_full_disk_is_an_error_that_says_so_and_the_loop_goes_on_when_there_is_room() {
    let sandbox = Sandbox::with(&Sample::shell());
    let Some(disk) = Disk::of_kibibytes(&sandbox, "disk", 4096) else { return };
    let home = disk.path().join("state");
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let [right, claim] = mend();
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 1, [here.reached(), go_on.held(), right, claim])
        .otherwise(mend());
    let started = run_right(&sandbox, &agent, &[]).variable("GULF_HOME", home.as_str()).start();
    here.wait();
    let ballast = disk.path().join("ballast");
    sandbox.program("dd", ["if=/dev/zero", &format!("of={ballast}"), "bs=1k"]).run();
    go_on.release();
    let finished = started.finish().does_not_panic();
    assert!(![Some(exit::VERIFIED), Some(exit::ATTESTED)].contains(&finished.exit), "{finished:#?}");
    finished.says("No space left");
    fs::remove_file(&ballast).unwrap();
    sandbox.gulf(["resume"]).variable("GULF_HOME", home.as_str()).run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_disk_that_is_full_from_the_start_is_refused_and_nothing_was_run() {
    let sandbox = Sandbox::with(&Sample::shell());
    let Some(disk) = Disk::of_kibibytes(&sandbox, "disk", 64) else { return };
    sandbox.program("dd", ["if=/dev/zero", &format!("of={}/ballast", disk.path()), "bs=1k"]).run();
    let agent = FakeAgent::new(&sandbox);
    let home = disk.path().join("state");
    let finished =
        run_right(&sandbox, &agent, &[]).variable("GULF_HOME", home.as_str()).run().does_not_panic();
    assert!([Some(exit::ERROR), Some(exit::REFUSED_START)].contains(&finished.exit), "{finished:#?}");
    finished.says("error:").says("hint:");
    assert!(agent.tally().turns().is_empty());
}

#[test]
fn what_a_crash_left_of_a_write_is_gone_with_the_next_driver() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other", "x")]).otherwise(mend());
    run_right(&sandbox, &agent, &["--milestone-every", "1"]).run().expect_exit(exit::PAUSED);
    let half = sandbox.only_loop().path(".gulf-new-half");
    fs::write(&half, "half").unwrap();
    sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED);
    assert!(!half.exists());
}

#[test]
fn a_clock_that_jumped_between_two_drivers_changes_nothing() {
    for at_ms in ["1", "99999999999999"] {
        let sandbox = Sandbox::with(&Sample::shell());
        let agent = FakeAgent::new(&sandbox).otherwise(mend());
        let agent = agent.turn(1, [Step::append("other", "x")]);
        run_right(&sandbox, &agent, &["-m", "1", "--max-duration", "1h"]).run().expect_exit(exit::PAUSED);
        let journal = sandbox.only_loop().journal_path();
        let jumped: String = fs::read_to_string(&journal)
            .unwrap()
            .lines()
            .map(|line| format!("{}\n", with_time(line, at_ms)))
            .collect();
        fs::write(&journal, jumped).unwrap();
        sandbox.gulf(["status"]).run().expect_exit(0).does_not_panic();
        sandbox.gulf(["list"]).run().expect_exit(0).does_not_panic();
        sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED);
        sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    }
}

/// A line of the journal with another wall clock.
fn with_time(line: &str, at_ms: &str) -> String {
    let (before, rest) = line.split_once("\"at_ms\":").unwrap();
    let (_, after) = rest.split_once(',').unwrap();
    format!("{before}\"at_ms\":{at_ms},{after}")
}

#[test]
fn a_repository_that_was_moved_keeps_its_loops() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let id = sandbox.only_loop().id().to_owned();
    let moved = sandbox.path("moved");
    fs::rename(sandbox.repository(), &moved).unwrap();
    fs::create_dir(sandbox.repository()).unwrap();
    sandbox.gulf(["list"]).directory(&moved).run().expect_exit(0).says("make value.txt").says("verified");
    sandbox.gulf(["status", &id]).directory(&moved).run().expect_exit(0).says("verified");
    sandbox.gulf(["log", &id]).directory(&moved).run().expect_exit(0).says("verified");
}
