//! `gulf clean`: what is finished goes, with its refs; everything else stays.

use std::fs;

use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Standing, Step};

use crate::gulf;

const CHECK: &str = "grep -qx right value.txt";

/// Runs a loop with this goal to its end.
fn finish(sandbox: &Sandbox, goal: &str) {
    let agent = FakeAgent::new(sandbox).otherwise([Step::claim()]);
    gulf(sandbox, ["run", goal, "--research", "off", "--check", CHECK, "-n", "1", "--agent", &agent.flag()])
        .run()
        .expect_exit(12);
}

/// Starts one that pauses after its first iteration.
fn pause(sandbox: &Sandbox, goal: &str) {
    let agent = FakeAgent::new(sandbox);
    gulf(sandbox, ["run", goal, "--research", "off", "--check", CHECK, "-m", "1", "--agent", &agent.flag()])
        .run()
        .expect_exit(10);
}

fn refs(sandbox: &Sandbox) -> Vec<String> {
    let listed = sandbox.git(["for-each-ref", "--format=%(refname)", "refs/gulf"]);
    listed.lines().map(str::to_owned).collect()
}

fn ids(sandbox: &Sandbox) -> Vec<String> {
    sandbox.loops().iter().map(|one| one.id().to_owned()).collect()
}

// proves: A9
#[test]
fn finished_loops_go_with_their_refs_and_an_unfinished_one_stays_whole() {
    let sandbox = Sandbox::with(&Sample::shell());
    finish(&sandbox, "first");
    finish(&sandbox, "second");
    pause(&sandbox, "third");
    let kept = ids(&sandbox).into_iter().find(|id| id.ends_with("third")).unwrap();
    let before = Standing::of(&sandbox);
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("Removed 2 folders, ").says("is paused");
    assert_eq!(ids(&sandbox), [kept.as_str()]);
    assert!(!refs(&sandbox).is_empty());
    assert!(
        refs(&sandbox).iter().all(|name| name.starts_with(&format!("refs/gulf/{kept}/"))),
        "{:?}",
        refs(&sandbox)
    );
    assert_eq!(Standing::of(&sandbox), before);
    gulf(&sandbox, ["status"]).run().expect_exit(0).says("third");
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("Nothing to remove");
}

#[test]
fn when_no_loop_is_left_nothing_stays_of_what_they_had_in_common() {
    let sandbox = Sandbox::with(&Sample::shell());
    finish(&sandbox, "first");
    pause(&sandbox, "second");
    let common = || {
        let mut kept = sandbox.state().join("repositories").read_dir_utf8().unwrap();
        let mut names = crate::names(kept.next().unwrap().unwrap().path());
        names.retain(|name| name.ends_with(".git") || name == "beginnings");
        names
    };
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0);
    assert!(!common().is_empty(), "the second loop needs it");
    gulf(&sandbox, ["cancel"]).run().expect_exit(0);
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0);
    assert_eq!(common(), Vec::<String>::new());
    finish(&sandbox, "third");
}

#[test]
fn a_dry_run_says_what_would_go_and_touches_nothing() {
    let sandbox = Sandbox::with(&Sample::shell());
    finish(&sandbox, "first");
    let (loops, its_refs) = (ids(&sandbox), refs(&sandbox));
    gulf(&sandbox, ["clean", "--dry-run"]).run().expect_exit(0).says("would remove").does_not_say(&loops[0]);
    assert_eq!((ids(&sandbox), refs(&sandbox)), (loops, its_refs));
}

// proves: A9
#[test]
fn finished_work_that_has_not_landed_stays_until_a_person_says_what_becomes_of_it() {
    let verified = || {
        let sandbox = Sandbox::with(&Sample::shell());
        let agent = FakeAgent::new(&sandbox).otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
        let run = ["run", "x", "--research", "off", "--check", CHECK, "--agent", &agent.flag()];
        gulf(&sandbox, run).run().expect_exit(0);
        sandbox
    };
    let ways: [&[&str]; 3] = [&["land"], &["discard", "--yes"], &["clean", "--yes", "--unlanded"]];
    for settled in ways {
        let sandbox = verified();
        for look in ["--dry-run", "--yes"] {
            let left = gulf(&sandbox, ["clean", look]).run().expect_exit(0);
            left.says("verified, not landed: `gulf land ")
                .says("--unlanded")
                .says("Nothing to remove: everything");
        }
        gulf(&sandbox, settled.iter().copied()).run().expect_exit(0);
        gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0);
        assert_eq!(ids(&sandbox), Vec::<String>::new());
    }
}

#[test]
fn a_loop_that_is_being_driven_is_left_alone() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (reached, held) = (Meeting::new(&sandbox, "reached"), Meeting::new(&sandbox, "held"));
    let agent = FakeAgent::new(&sandbox).otherwise([reached.reached(), held.held()]);
    let driven = gulf(&sandbox, ["run", "x", "--research", "off", "--check", CHECK, "-n", "1"])
        .arguments(["--agent", &agent.flag()])
        .start();
    reached.wait();
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("is running").says("Nothing to remove");
    held.release();
    driven.finish().expect_exit(12);
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("Removed 1 folder, ");
    assert_eq!(refs(&sandbox), Vec::<String>::new());
}

#[test]
fn starts_that_came_to_nothing_and_half_removed_folders_go_too() {
    let sandbox = Sandbox::with(&Sample::shell());
    finish(&sandbox, "first");
    let loops = sandbox.only_loop().path("").parent().unwrap().to_owned();
    fs::create_dir_all(loops.join("2026-01-01T0000_never/sealed")).unwrap();
    fs::create_dir_all(loops.join(".removed-2026-01-01T0000_half/iterations")).unwrap();
    gulf(&sandbox, ["clean", "--yes"])
        .run()
        .expect_exit(0)
        .says("a start that failed")
        .says("Removed 3 folders");
    assert_eq!(crate::names(&loops), Vec::<String>::new());
}

// proves: L7
#[test]
fn a_journal_that_cannot_be_read_is_never_removed() {
    let sandbox = Sandbox::with(&Sample::shell());
    finish(&sandbox, "first");
    let kept = sandbox.only_loop();
    fs::write(kept.journal_path(), "not a journal\n").unwrap();
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("cannot be read");
    assert!(kept.path("sealed/contract.json").is_file() && !refs(&sandbox).is_empty());
}

#[test]
fn a_crash_at_any_ref_leaves_what_the_next_time_takes_away() {
    for at in ["1", "2"] {
        let sandbox = Sandbox::with(&Sample::shell());
        finish(&sandbox, "first");
        let count = sandbox.path("count");
        let crashed = gulf(&sandbox, ["clean", "--yes"])
            .variable("GULF_CRASH_COUNT", count.as_str())
            .variable("GULF_CRASH_AT", at)
            .run();
        let points = fs::read_to_string(&count).unwrap();
        assert_eq!(crashed.exit, None, "no crash at {at}: {points}");
        gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("Removed 1 folder, ");
        assert_eq!((ids(&sandbox), refs(&sandbox)), (Vec::new(), Vec::new()), "crashed at {at}: {points}");
    }
}

#[test]
fn loops_of_a_project_without_git_go_as_well() {
    let sandbox = Sandbox::without_git();
    sandbox.write("value.txt", "wrong\n");
    finish(&sandbox, "first");
    gulf(&sandbox, ["clean", "--yes"]).run().expect_exit(0).says("Removed 1 folder, ");
    assert_eq!(ids(&sandbox), Vec::<String>::new());
}

#[test]
fn another_repositorys_loops_stay() {
    let (sandbox, other) = (Sandbox::with(&Sample::shell()), Sandbox::with(&Sample::shell()));
    finish(&sandbox, "first");
    gulf(&other, ["clean", "--yes"])
        .variable("GULF_HOME", sandbox.state().as_str())
        .run()
        .expect_exit(0)
        .says("Nothing to remove");
    assert_eq!(ids(&sandbox).len(), 1);
}

#[test]
fn the_worker_cannot_remove_what_stands_about_earlier_loops() {
    let sandbox = Sandbox::with(&Sample::shell());
    finish(&sandbox, "first");
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("gulf clean --yes > said.txt 2>&1; true")]);
    gulf(
        &sandbox,
        ["run", "second", "--research", "off", "--check", CHECK, "-n", "1", "--agent", &agent.flag()],
    )
    .run()
    .expect_exit(12);
    assert!(sandbox.read("said.txt").contains("only a person"), "{}", sandbox.read("said.txt"));
    assert_eq!(ids(&sandbox).len(), 2);
}
