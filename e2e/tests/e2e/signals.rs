//! Ctrl-C once and twice, `kill -9`, and what a person finds afterwards.

use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Standing, Started, Step, assert_dies};

use crate::{exit, hanging, mend, run_right};

fn held(first: impl IntoIterator<Item = Step>) -> (Sandbox, FakeAgent, Started) {
    let sandbox = Sandbox::with(&Sample::shell());
    let here = Meeting::new(&sandbox, "here");
    let steps = first.into_iter().chain([here.reached(), Step::Hang]);
    let agent = FakeAgent::new(&sandbox).attempt(1, 1, steps).otherwise(mend());
    let started = run_right(&sandbox, &agent, &[]).start();
    here.wait();
    (sandbox, agent, started)
}

#[test]
fn whoever_watches_hears_that_nobody_drives_the_loop_any_more() {
    let sandbox = Sandbox::with(&Sample::shell());
    let running = hanging(&sandbox);
    let log = sandbox.gulf(["log", "-f"]).start();
    let status = sandbox.gulf(["status", "--watch"]).start();
    // Both look by now.
    sandbox.gulf(["list"]).run().expect_exit(0).says("running");
    running.kill();
    drop(running.finish());
    log.finish().expect_exit(0).says("nobody drives it any more; `gulf resume ");
    status.finish().expect_exit(0).says("interrupted");
}

#[test]
fn ctrl_c_leaves_a_loop_that_resume_goes_on_with_as_attempt_two() {
    let (sandbox, agent, started) = held([Step::Linger]);
    let before = Standing::of(&sandbox);
    started.interrupt();
    let left = started.finish().expect_exit(exit::INTERRUPTED);
    left.says("gulf resume").says("stopping; Ctrl-C again stops at once");
    sandbox.assert_nothing_left();
    assert_eq!(Standing::of(&sandbox).without(&[".gulf"]), before.without(&[".gulf"]));
    sandbox.gulf(["status"]).run().expect_exit(0).says("interrupted");
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2)]);
    assert_eq!(sandbox.only_loop().turns(), [(1, 1), (1, 2)]);
}

#[test]
fn ctrl_c_twice_leaves_at_once_and_nothing_behind() {
    let stubborn = Step::run("trap '' TERM INT HUP; true");
    let (sandbox, agent, started) = held([stubborn, Step::Linger]);
    started.interrupt();
    started.interrupt();
    started.finish().expect_exit(exit::INTERRUPTED);
    sandbox.assert_nothing_left();
    assert_dies(agent.tally().lingering()[0]);
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2)]);
}

// proves: B8
#[test]
fn after_kill_nine_nothing_runs_on_and_the_same_command_goes_on() {
    let (sandbox, agent, started) = held([Step::Linger]);
    started.kill();
    assert_eq!(started.finish().exit, None);
    sandbox.assert_nothing_left();
    assert_dies(agent.tally().lingering()[0]);
    let id = sandbox.only_loop().id().to_owned();
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED).says(&id);
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2)]);
    assert_eq!(sandbox.only_loop().turns(), [(1, 1), (1, 2)]);
}

#[test]
fn ctrl_c_while_a_check_runs_asks_the_check_again_and_not_the_worker() {
    let sandbox = Sandbox::with(&Sample::shell());
    let here = Meeting::new(&sandbox, "here");
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let once = sandbox.path("once");
    let check = format!(
        "sh check.sh || exit 1; test -e '{once}' && exit 0; touch '{once}'; {}; tail -f /dev/null",
        here.reached_by_shell()
    );
    let started = crate::run(&sandbox, &agent, &["--check", &check]).start();
    here.wait();
    started.interrupt();
    started.finish().expect_exit(exit::INTERRUPTED);
    sandbox.assert_nothing_left();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1)]);
}
