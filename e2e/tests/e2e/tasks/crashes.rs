//! Killed while a task is written down: the same command goes on to the same end (SPEC B8, R4, R6).
//!
//! Here it is the person's branch, index and list that must not be touched twice.

use gulf_testkit::{FakeAgent, Sandbox, Step};

use super::{changed_in, commits, does, project, reported, states, tasks};
use crate::exit;

/// Every place at which a task is half written down, in the order in which a run comes by.
const POINTS: [&str; 6] =
    ["tasks.begun", "tasks.noted", "git.record.staged", "tasks.committed", "tasks.ticked", "tasks.logged"];

/// The first task teaches something.
fn agent(sandbox: &Sandbox) -> FakeAgent {
    let taught = [Step::print("LEARNT: it was easy"), Step::print("LESSON: look at the log first")];
    FakeAgent::new(sandbox).turn(1, does().into_iter().chain(taught)).otherwise(does())
}

/// Dies at each of the points in turn, each time on the way that the death before left.
fn killed_at_each_point(list: &str) -> (Sandbox, FakeAgent) {
    let sandbox = Sandbox::awkward(&project("TASKS.md", list));
    let agent = agent(&sandbox);
    for point in POINTS {
        let died = tasks(&sandbox, &agent, &[])
            .variable("GULF_CRASH_COUNT", sandbox.path("count").as_str())
            .variable("GULF_CRASH_AT", point)
            .run();
        assert_eq!(died.exit, None, "{point}: {died:#?}");
    }
    tasks(&sandbox, &agent, &[]).run().does_not_panic().expect_exit(exit::ATTESTED);
    (sandbox, agent)
}

#[track_caller]
fn first_is_written_down_once(sandbox: &Sandbox, commit: &str) {
    assert_eq!(changed_in(sandbox, commit), ["CLAUDE.md", "TASKS.md", "work.txt"]);
    assert_eq!(sandbox.read("CLAUDE.md"), "## Lessons Learned\n\n- look at the log first\n");
    let log = sandbox.read(".claude/progress.txt");
    assert_eq!(log.matches("- T1 completed\n- it was easy\n").count(), 1, "{log}");
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
    assert_eq!(sandbox.loops().len(), 1);
    sandbox.assert_nothing_left();
}

// proves: R4, R6
#[test]
fn killed_wherever_a_task_is_half_written_down_it_is_written_down_once_and_the_next_begins() {
    let (sandbox, agent) = killed_at_each_point("# 목록\r\n\r\n- [ ] T1: 첫째\r\n- [ ] T2: the second");
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
    assert_eq!(commits(&sandbox), ["T1: 첫째", "T2: the second"]);
    first_is_written_down_once(&sandbox, "HEAD~1");
    assert_eq!(changed_in(&sandbox, "HEAD"), ["TASKS.md", "work.txt"]);
    assert_eq!(sandbox.read("TASKS.md"), "# 목록\r\n\r\n- [x] T1: 첫째\r\n- [x] T2: the second");
    assert_eq!(states(&reported(&sandbox)), ["T1 complete", "T2 complete"]);
}

// proves: R4, R6
#[test]
fn killed_wherever_the_last_task_is_half_written_down_the_loop_comes_to_its_end() {
    let (sandbox, agent) = killed_at_each_point("- [ ] T1: the only one");
    assert_eq!(agent.tally().turns(), [(1, 1)]);
    assert_eq!(commits(&sandbox), ["T1: the only one"]);
    first_is_written_down_once(&sandbox, "HEAD");
    assert_eq!(sandbox.read("TASKS.md"), "- [x] T1: the only one");
}
