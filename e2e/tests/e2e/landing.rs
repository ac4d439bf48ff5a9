//! How work comes onto its base branch, seen from outside: what may land there, and what is said of it.
//!
//! Here the base branch is what is looked at.

mod grounds;

use gulf_testkit::{Disk, FakeAgent, Invocation, Sample, Sandbox, Standing, Step};

use crate::{RIGHT, exit, run};

/// A check that can only run where the worker works.
const IN_PLACE: &str = "\
[verify]
in_place = [\"here\"]

[[check]]
name = \"here\"
command = \"sh check.sh\"
";

fn autonomous(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    run(sandbox, agent, &["--preset", "autonomous", "-n", "4"]).arguments(arguments.iter().copied())
}

/// A check in place has no word about the base, so it alone is no proof.
fn attested(sandbox: &Sandbox, agent: &FakeAgent) -> Invocation {
    autonomous(sandbox, agent, &[]).variable("GULF_LANDING_ACCEPT", "attested")
}

/// A person's commit on main, made while the worker works.
fn meanwhile(sandbox: &Sandbox) -> Step {
    let there = gulf_testkit::quote(sandbox.repository().as_str());
    Step::run(&format!(
        "cd {there} && echo theirs > theirs.txt && git add -A && git commit --quiet -m theirs"
    ))
}

/// What landed, the newest first.
fn titles(sandbox: &Sandbox) -> Vec<String> {
    sandbox.git(["log", "--first-parent", "--format=%s", "main"]).lines().map(str::to_owned).collect()
}

fn mend() -> [Step; 2] {
    [Step::write("value.txt", "right\n"), Step::claim()]
}

#[test]
fn what_only_checks_in_place_have_seen_lands_as_exactly_that_and_it_is_said() {
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", IN_PLACE));
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let finished = attested(&sandbox, &agent).run().expect_exit(exit::ATTESTED);
    finished.says("the check here ran in place, in the project itself, and not on the merged commit");
    sandbox.gulf(["status"]).run().expect_exit(0).says("not on the merged commit");
    assert_eq!(titles(&sandbox).len(), 2);
    let note = sandbox.git(["notes", "--ref", "gulf", "show", "main"]);
    assert!(note.contains("unchecked_when_merged"), "{note}");
}

#[test]
fn a_merge_that_nothing_can_test_does_not_land_until_the_worker_has_merged() {
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", IN_PLACE));
    let [mends, claims] = mend();
    let commits = Step::run("git add value.txt && git commit --quiet -m mine");
    let agent = FakeAgent::new(&sandbox)
        // First it is asked for a test, and has none.
        .turn(1, [mends, commits, claims.clone()])
        .turn(2, [meanwhile(&sandbox), claims.clone()])
        .turn(3, [Step::run("git merge --quiet main"), claims.clone()])
        .otherwise([claims]);
    let finished = attested(&sandbox, &agent).run().expect_exit(exit::ATTESTED);
    finished.says("no check can test it: here can only run in place");
    let prompt = agent.tally().prompt(3);
    assert!(
        prompt.contains("nothing can test the merge before it lands: here can only run in place"),
        "{prompt}"
    );
    let titles = titles(&sandbox);
    assert!(titles[0].starts_with("merge(gulf-loop)") && titles[1] == "theirs", "{titles:?}");
}

#[test]
fn of_two_checks_the_one_that_can_run_on_the_merge_lets_it_land_and_the_other_is_named() {
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", IN_PLACE));
    let [mends, claims] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([mends, meanwhile(&sandbox), claims]);
    let finished = autonomous(&sandbox, &agent, &["--check", "grep -qx right value.txt"])
        .run()
        .expect_exit(exit::VERIFIED);
    finished.says("the check here ran in place, in the project itself, and not on the merged commit");
    assert_eq!(titles(&sandbox).len(), 3);
}

/// Bytes that no file system and no git makes smaller.
fn ballast(sandbox: &Sandbox, path: &str, mebibytes: u32) {
    let of = format!("of={path}");
    let count = format!("count={mebibytes}");
    sandbox.program("dd", ["if=/dev/urandom", &of, "bs=1M", &count]).run().expect_exit(0);
}

#[test]
fn a_disk_without_room_for_the_worktrees_is_an_error_and_leaves_nothing_half() {
    let sandbox = Sandbox::with(&Sample::shell());
    ballast(&sandbox, "large.bin", 3);
    sandbox.commit("large");
    let Some(disk) = Disk::of_kibibytes(&sandbox, "disk", 5 << 10) else { return };
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let before = Standing::of(&sandbox);
    let parallel = ["--preset", "parallel", "--workers", "2", "--check", RIGHT];
    let start = || {
        let place = disk.path().as_str();
        run(&sandbox, &agent, &parallel).variable("GULF_ENVIRONMENT_WORKTREES", place).run()
    };
    let finished = start().does_not_panic();
    finished
        .expect_exit(exit::REFUSED_START)
        .says("error: not enough space for commit")
        .says("hint: free some space");
    assert_eq!(Standing::of(&sandbox), before);
    assert_eq!(disk.path().read_dir_utf8().unwrap().count(), 0);
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1);
    assert!(sandbox.loops().is_empty() && agent.tally().turns().is_empty());
}

#[test]
fn a_disk_without_room_for_the_trial_lands_nothing_says_so_and_lands_it_later() {
    let sandbox = Sandbox::with(&Sample::shell());
    ballast(&sandbox, "large.bin", 3);
    sandbox.commit("large");
    // Room for the loop's two checkouts, and for no third.
    let Some(disk) = Disk::of_kibibytes(&sandbox, "disk", 8 << 10) else { return };
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let home = disk.path().join("state");
    let finished = autonomous(&sandbox, &agent, &["--check", RIGHT]).variable("GULF_HOME", &home).run();
    finished.does_not_panic().expect_exit(exit::PAUSED).says("ready to land: not enough space for commit");
    assert_eq!(titles(&sandbox), ["large", "base"]);
    sandbox.program("mount", ["-o", "remount,size=64m", disk.path().as_str()]).run().expect_exit(0);
    sandbox.gulf(["resume"]).variable("GULF_HOME", &home).run().expect_exit(exit::VERIFIED);
    assert_eq!(titles(&sandbox).len(), 3);
}

#[test]
fn what_conflicts_when_no_iteration_is_left_is_led_on_by_a_command_that_works() {
    let sandbox = Sandbox::with(&Sample::shell());
    let there = gulf_testkit::quote(sandbox.repository().as_str());
    let theirs =
        Step::run(&format!("cd {there} && echo theirs > value.txt && git commit --quiet -am theirs"));
    let [mends, claims] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([mends, theirs, claims]);
    let ended = run(&sandbox, &agent, &["--preset", "autonomous", "-n", "1", "--check", RIGHT]).run();
    let ended = ended.expect_exit(exit::EXHAUSTED).says("it conflicts with the base branch: value.txt");
    let merge = format!("git merge {:.7}", sandbox.only_loop().candidate().0);
    ended.says(&format!("{merge}  typed on the base branch"));
    sandbox.gulf(["status"]).run().expect_exit(0).says(&merge);
    let id = sandbox.only_loop().id().to_owned();
    for command in [&["land"][..], &["resume"], &["resume", &id]] {
        let refused = sandbox.gulf(command.iter().copied()).run().expect_exit(exit::REFUSED_START);
        refused.says("its work did not land: it conflicts with the base branch: value.txt").says(&merge);
    }
    let mut by_hand = sandbox.program("git", merge.split(' ').skip(1));
    by_hand = by_hand.directory(sandbox.repository());
    by_hand.run().expect_exit(1).says("CONFLICT");
    sandbox.write("value.txt", "right\n");
    sandbox.git(["commit", "--quiet", "--all", "--no-edit"]);
    sandbox.gulf(["verify", "--check", RIGHT]).run().expect_exit(0);
}
