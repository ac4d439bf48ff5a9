//! Tasks that come to no end: their limit, a person's choice there, and what comes first (SPEC R5, K5).
//!
//! Here the list is not finished, and everybody is told so.

use gulf_testkit::{FakeAgent, Sandbox, Step};

use super::{changed_in, commits, does, fails, in_hand, mends, project, reported, states, tasks};
use crate::exit;

const THREE: &str = "- [ ] T1: one\n- [ ] T2: two (depends on T1)\n- [ ] T3: three\n";

/// It fails at T1 as long as this, and mends T3 whatever lies there.
fn stubborn(sandbox: &Sandbox, turns: u32) -> FakeAgent {
    let agent = (1..=turns).fold(FakeAgent::new(sandbox), |agent, turn| agent.turn(turn, fails()));
    agent.otherwise(mends().into_iter().chain(does()))
}

// proves: R5, R5/limit
#[test]
fn at_the_limit_a_person_chooses_more_and_the_task_goes_on_where_it_was() {
    let sandbox = Sandbox::awkward(&project("TASKS.md", THREE));
    let agent = stubborn(&sandbox, 3);
    tasks(&sandbox, &agent, &["-n", "2"])
        .run()
        .expect_exit(exit::PAUSED)
        .says("T1: one")
        .says("--iterations 10")
        .says("gulf skip");
    assert_eq!(agent.tally().turns().len(), 2);
    sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED);
    assert_eq!(agent.tally().turns().len(), 2, "nothing changed, so nothing is tried");
    sandbox.gulf(["resume", "--iterations", "2"]).run().expect_exit(exit::ATTESTED).says("iteration 4/4");
    assert_eq!(in_hand(&agent), ["T1", "T1", "T1", "T1", "T2", "T3"]);
    assert!(agent.tally().prompt(3).contains("previous attempt (iteration 2)"));
    assert_eq!(commits(&sandbox).len(), 3);
}

// proves: R5
#[test]
fn a_task_that_is_stuck_long_before_its_limit_says_so_and_names_the_note_first() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] one\n"));
    let turn = "if grep -q wrong value.txt; then echo right; else echo wrong; fi > value.txt.new; mv value.txt.new value.txt";
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run(turn)]);
    let rests = tasks(&sandbox, &agent, &[]).run().expect_exit(exit::PAUSED);
    let rests = rests.says("a task came to no end").says("Symptom: the work oscillated between two trees.");
    let (note, more) = (rests.stdout.find("gulf steer"), rests.stdout.find("gulf resume --iterations 10"));
    assert!(note.is_some() && note < more, "{}", rests.stdout);
}

// proves: R5, R5/limit, R4
#[test]
fn at_the_limit_a_person_skips_and_what_waits_for_the_task_never_begins() {
    let sandbox = Sandbox::with(&project("TASKS.md", THREE));
    let agent = stubborn(&sandbox, 1);
    tasks(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::PAUSED);
    sandbox.gulf(["skip", "--because", "there is no key yet"]).run().expect_exit(0);
    sandbox
        .gulf(["resume"])
        .run()
        .expect_exit(exit::EXHAUSTED)
        .says("skipped T1: one · skipped by a person")
        .says("waits for T1");
    assert_eq!(in_hand(&agent), ["T1", "T3"]);
    assert_eq!(commits(&sandbox), ["T3: three"]);
    assert_eq!(states(&reported(&sandbox)), ["T1 skipped", "T2 blocked", "T3 complete"]);
    let log = sandbox.read(".claude/progress.txt");
    for part in [
        "- T1 failed (1 attempt)\n",
        "- Cause: there is no key yet\n",
        "- Needed: ",
        "- Set aside (`git cherry-pick -n ",
        " brings it back): aside.txt, value.txt\n",
    ] {
        assert!(log.contains(part), "{part} is not in:\n{log}");
    }
    assert_eq!(sandbox.read("TASKS.md"), THREE.replace("[ ] T3", "[x] T3"));
}

// proves: R5
#[test]
fn unattended_the_setting_chooses_to_skip_or_to_stop() {
    let list = "- [ ] T1: one\n- [ ] T2: two (depends on T1)\n- [ ] T3: three\n- [ ] T4: four\n";
    let sandbox = Sandbox::with(&project("TASKS.md", list));
    let agent = stubborn(&sandbox, 2).turn(4, fails()).turn(5, fails());
    let skip = ["-n", "2", "--on-task-limit", "skip"];
    tasks(&sandbox, &agent, &skip).run().expect_exit(exit::EXHAUSTED).says("used its 2 iterations");
    assert_eq!(in_hand(&agent), ["T1", "T1", "T3", "T4", "T4"]);
    assert!(sandbox.read(".claude/progress.txt").contains("- T1 failed (2 attempts)"));
    let tasks_now = reported(&sandbox);
    assert_eq!(states(&tasks_now), ["T1 skipped", "T2 blocked", "T3 complete", "T4 skipped"]);
    let limit = serde_json::json!({"kind": "exhausted", "limit": "iterations"});
    assert_eq!((&tasks_now[0]["end"], &tasks_now[3]["end"]), (&limit, &limit));
    assert_eq!(tasks_now[2]["end"]["kind"], "attested", "what the first one had left is not its to mend");

    let sandbox = Sandbox::with(&project("TASKS.md", THREE));
    let agent = stubborn(&sandbox, 2);
    tasks(&sandbox, &agent, &["-n", "2", "--on-task-limit", "stop"]).run().expect_exit(exit::EXHAUSTED);
    assert_eq!(in_hand(&agent), ["T1", "T1"]);
    assert_eq!(states(&reported(&sandbox)), ["T1 pending", "T2 pending", "T3 pending"]);
}

// proves: K5, K5/start, K5/done, K5/blocker, R7
#[test]
fn what_has_to_come_first_gets_a_line_in_the_list_and_the_task_goes_on_after_it() {
    let sandbox = Sandbox::awkward(&project("TASKS.md", "- [ ] T1: pay\n- [ ] T2: two\n"));
    let blocked = Step::run("gulf claim blocked '결제 키를 만든다'");
    let agent = FakeAgent::new(&sandbox).turn(1, [does()[0].clone(), blocked]).otherwise(does());
    tasks(&sandbox, &agent, &[])
        .run()
        .expect_exit(exit::ATTESTED)
        .says("the task is postponed: another comes first: T1-B1: 결제 키를 만든다");
    assert_eq!(in_hand(&agent), ["T1", "T1-B1", "T1", "T2"]);
    assert!(agent.tally().prompt(2).contains("It was put before T1 (pay)"));
    assert!(agent.tally().prompt(3).contains("since this task was blocked: T1-B1"));
    assert_eq!(commits(&sandbox), ["T1-B1: 결제 키를 만든다", "T1: pay", "T2: two"]);
    assert_eq!(
        sandbox.read("TASKS.md"),
        "- [x] T1-B1: 결제 키를 만든다 (blocks T1)\n- [x] T1: pay\n- [x] T2: two\n"
    );
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
    assert_eq!(states(&reported(&sandbox)), ["T1-B1 complete", "T1 complete", "T2 complete"]);
}

/// A list whose only task is put back in the first iteration and fails in the second.
fn put_back(sandbox: &Sandbox) -> FakeAgent {
    let blocked = Step::run("gulf claim blocked '결제 키를 만든다'");
    FakeAgent::new(sandbox).turn(1, [blocked]).otherwise(fails())
}

// proves: K5, K5/blocker, R4
#[test]
fn a_line_for_what_comes_first_is_committed_at_the_end_and_the_next_loop_ticks_it() {
    let sandbox = Sandbox::awkward(&project("TASKS.md", "- [ ] T1: pay\n"));
    let agent = put_back(&sandbox);
    tasks(&sandbox, &agent, &["-n", "1", "--on-task-limit", "stop"]).run().expect_exit(exit::EXHAUSTED);
    assert_eq!(commits(&sandbox), ["Add what has to come first: T1-B1"]);
    assert_eq!(changed_in(&sandbox, "HEAD"), ["TASKS.md"]);
    let next = FakeAgent::new(&sandbox).otherwise(mends());
    tasks(&sandbox, &next, &[])
        .run()
        .expect_exit(exit::ATTESTED)
        .does_not_say("TASKS.md has uncommitted changes");
    let list = sandbox.git(["show", "HEAD:TASKS.md"]);
    assert_eq!(list, "- [x] T1-B1: 결제 키를 만든다 (blocks T1)\n- [x] T1: pay");
}

// proves: K5/blocker, R4
#[test]
fn whoever_cancels_a_resting_list_finds_it_as_clean() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: pay\n"));
    tasks(&sandbox, &put_back(&sandbox), &["-n", "1"]).run().expect_exit(exit::PAUSED);
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    assert_eq!(commits(&sandbox), ["Add what has to come first: T1-B1"]);
    let left = sandbox.git(["status", "--porcelain"]);
    assert!(!left.contains("TASKS.md"), "{left}");
}
