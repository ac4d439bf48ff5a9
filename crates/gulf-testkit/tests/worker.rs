//! The fake worker and the eyes for leftovers, tried without gulf: a test that trusts them must be able to.

use gulf_testkit::{FakeAgent, Invocation, Meeting, Sample, Sandbox, Standing, Step, assert_dies};

fn turn(sandbox: &Sandbox, agent: &FakeAgent, iteration: u32, attempt: u32) -> Invocation {
    sandbox
        .program("sh", ["-c", &format!("exec {}", agent.command())])
        .variable("GULF_ITERATION", iteration.to_string())
        .variable("GULF_ATTEMPT", attempt.to_string())
        .stdin("do it")
}

#[test]
fn each_turn_does_its_own_steps_and_is_noted_with_its_prompt() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 2, [Step::print("again")])
        .turn(1, [Step::write("new/file.txt", "x"), Step::delete("notes"), Step::promise("COMPLETE")])
        .otherwise([Step::Exit { code: 7 }]);
    assert_eq!(turn(&sandbox, &agent, 1, 1).run().expect_exit(0).stdout, "<promise>COMPLETE</promise>\n");
    assert_eq!(turn(&sandbox, &agent, 1, 2).run().expect_exit(0).stdout, "again\n");
    turn(&sandbox, &agent, 2, 1).run().expect_exit(7);
    assert_eq!(sandbox.read("new/file.txt"), "x");
    assert!(!sandbox.file("notes").exists());
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2), (2, 1)]);
    assert_eq!(agent.tally().prompt(3), "do it");
}

#[test]
fn a_process_that_did_everything_to_be_forgotten_is_found() {
    let sandbox = Sandbox::with(&Sample::green());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::Linger]);
    turn(&sandbox, &agent, 1, 1).run().expect_exit(0);
    let lingering = agent.tally().lingering();
    let left = sandbox.leftovers();
    assert_eq!(left.iter().map(|left| left.process).collect::<Vec<_>>(), lingering);
    sandbox.program("kill", ["-9", &lingering[0].to_string()]).run().expect_exit(0);
    assert_dies(lingering[0]);
    sandbox.assert_nothing_left();
}

#[test]
fn a_worker_and_a_test_wait_for_each_other() {
    let sandbox = Sandbox::with(&Sample::green());
    let (here, held) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "held"));
    let agent = FakeAgent::new(&sandbox).turn(1, [here.reached(), held.held(), Step::write("after", "")]);
    let started = turn(&sandbox, &agent, 1, 1).start();
    here.wait();
    assert!(!sandbox.file("after").exists());
    held.release();
    started.finish().expect_exit(0);
    assert!(sandbox.file("after").exists());
}

#[test]
fn a_hanging_command_is_killed_and_seen_to_be_gone() {
    let sandbox = Sandbox::with(&Sample::green());
    let here = Meeting::new(&sandbox, "here");
    let agent = FakeAgent::new(&sandbox).turn(1, [here.reached(), Step::Hang]);
    let started = turn(&sandbox, &agent, 1, 1).start();
    here.wait();
    started.kill();
    assert_eq!(started.finish().exit, None);
}

#[test]
fn the_standing_changes_with_every_byte_that_is_the_persons() {
    let sandbox = Sandbox::with(&Sample::shell());
    let before = Standing::of(&sandbox);
    assert_eq!(Standing::of(&sandbox), before);
    sandbox.write("value.txt", "other\n");
    assert_ne!(Standing::of(&sandbox), before);
    assert_eq!(Standing::of(&sandbox).without(&["value.txt"]), before.clone().without(&["value.txt"]));
    sandbox.git(["add", "value.txt"]);
    assert_ne!(Standing::of(&sandbox).index, before.index);
}
