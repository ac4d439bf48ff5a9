//! The work of a task that was given up: out of the way of the next one, and not lost (SPEC R5).
//!
//! Here gulf takes files out of a person's checkout.

use gulf_testkit::{FakeAgent, Sandbox, Step};

use super::{commits, does, done, in_hand, project, reported, states, tasks};
use crate::exit;

const TWO: &str = "- [ ] T1: one\n- [ ] T2: two\n";
const SKIP: [&str; 4] = ["-n", "1", "--on-task-limit", "skip"];

/// Breaks the check for whoever comes after it, stages one file and commits another.
fn poison() -> Vec<Step> {
    vec![
        Step::write("value.txt", "wrong\n"),
        Step::write("tests/left over.txt", "red\n"),
        Step::run("echo staged > staged.txt && git add staged.txt"),
        Step::run(
            "echo committed > committed.txt && git add committed.txt && git commit -qm wip -- committed.txt",
        ),
        Step::print("TASK_DONE"),
    ]
}

/// The command that the last screen names.
fn brings_back(stdout: &str) -> String {
    let (_, rest) = stdout.split_once("`git cherry-pick -n ").unwrap();
    rest.split_once('`').unwrap().0.to_owned()
}

#[test]
fn what_a_given_up_task_left_is_set_aside_and_the_next_begins_on_the_last_good_state() {
    let sandbox = Sandbox::awkward(&project("TASKS.md", TWO));
    let agent = FakeAgent::new(&sandbox).turn(1, poison()).otherwise(does());
    let finished = tasks(&sandbox, &agent, &SKIP).run().does_not_panic().expect_exit(exit::EXHAUSTED);
    let finished = finished.says("set aside: 4 files");
    assert_eq!(in_hand(&agent), ["T1", "T2"]);
    assert_eq!(states(&reported(&sandbox)), ["T1 skipped", "T2 complete"]);
    assert_eq!(sandbox.read("value.txt"), "right\n");
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
    assert_eq!(commits(&sandbox), ["wip", "Set aside T1: one", "T2: two"], "the branch only moves forward");
    let report = sandbox.gulf(["report"]).run().expect_exit(0).says("## What became of each task");
    let report = report.says("- skipped T1: one · used its 1 iteration").says("  - set aside: 4 files");
    report.says("- complete T2: two · ");
    sandbox.git(["cherry-pick", "-n", &brings_back(&finished.stdout)]);
    let back = sandbox.git(["status", "--porcelain"]);
    for path in ["committed.txt", "staged.txt", "tests/left over.txt", "value.txt"] {
        assert!(back.contains(path), "{path} is not in {back}");
    }
}

#[test]
fn what_a_person_had_uncommitted_is_as_it_was_when_a_task_is_skipped() {
    let sandbox = Sandbox::with(&project("TASKS.md", TWO).file("notes.txt", "a\n"));
    sandbox.write("notes.txt", "a\nmine\n");
    sandbox.write("untracked.txt", "mine too\n");
    let spoils = [
        Step::write("value.txt", "wrong\n"),
        Step::write("notes.txt", "the worker's\n"),
        Step::run("rm untracked.txt; mkdir -p new && echo x > new/file"),
        Step::print("TASK_DONE"),
    ];
    let agent = FakeAgent::new(&sandbox).turn(1, spoils).otherwise(does());
    tasks(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::PAUSED);
    let skipped = sandbox.gulf(["skip"]).run().expect_exit(0);
    skipped.says("set aside: 4 files (new/file, notes.txt, untracked.txt and 1 more)");
    assert_eq!(sandbox.read("notes.txt"), "a\nmine\n");
    assert_eq!(sandbox.read("untracked.txt"), "mine too\n");
    assert_eq!(sandbox.git(["status", "--porcelain", "-uall"]), " M notes.txt\n?? untracked.txt");
    sandbox.gulf(["resume"]).run().expect_exit(exit::EXHAUSTED);
    assert_eq!(states(&reported(&sandbox)), ["T1 skipped", "T2 complete"]);
    assert_eq!(sandbox.read("notes.txt"), "a\nmine\n");
}

#[test]
fn killed_while_work_is_set_aside_the_same_command_goes_on_and_nothing_is_lost() {
    let sandbox = Sandbox::awkward(&project("TASKS.md", TWO));
    let agent = FakeAgent::new(&sandbox).turn(1, poison()).otherwise(does());
    for point in ["tasks.aside-kept", "git.record.staged", "tasks.aside-committed", "git.put-back"] {
        let died = tasks(&sandbox, &agent, &SKIP)
            .variable("GULF_CRASH_COUNT", sandbox.path("count").as_str())
            .variable("GULF_CRASH_AT", point)
            .run();
        assert_eq!(died.exit, None, "{point}: {died:#?}");
    }
    let finished = tasks(&sandbox, &agent, &SKIP).run().expect_exit(exit::EXHAUSTED);
    assert_eq!(commits(&sandbox), ["wip", "Set aside T1: one", "T2: two"], "taken back once");
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
    sandbox.git(["cherry-pick", "-n", &brings_back(&finished.stdout)]);
    assert_eq!(sandbox.read("tests/left over.txt"), "red\n");
    sandbox.assert_nothing_left();
}

#[test]
fn without_git_the_next_task_begins_on_the_last_good_state_too() {
    let sandbox = Sandbox::without_git();
    let check = "test \"$(cat value.txt)\" = right\n";
    for (path, text) in [("TASKS.md", TWO), ("value.txt", "right\n"), ("check.sh", check)] {
        sandbox.write(path, text);
    }
    let spoils =
        [Step::write("value.txt", "wrong\n"), Step::write("left.txt", "x\n"), Step::print("TASK_DONE")];
    let agent = FakeAgent::new(&sandbox).turn(1, spoils).otherwise([Step::run("echo a >> work.txt"), done()]);
    tasks(&sandbox, &agent, &SKIP).run().expect_exit(exit::EXHAUSTED).says("gulf restore");
    assert_eq!(sandbox.read("value.txt"), "right\n");
    assert!(!sandbox.file("left.txt").exists());
    assert_eq!(states(&reported(&sandbox)), ["T1 skipped", "T2 complete"]);
}
