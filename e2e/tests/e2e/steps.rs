//! Turns beside the work: what is thought about beforehand reaches the worker, and no killed step is lost or done twice.

use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Step};

use crate::{RIGHT, exit, run};

/// A thinker that answers with this text.
fn says(text: &str) -> String {
    format!("command:cat > /dev/null; printf '%s\\n' '{text}'")
}

const CAUSE: &str =
    "SYMPTOM: red\nROOT_CAUSE: the word was almost right\nLAST_ATTEMPT: guessed\nCHANGE: read check.sh";

// proves: A3, A7, A7/cause, A3/planning
#[test]
fn a_plan_is_criticized_and_a_cause_found_before_the_worker_goes_on() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    // The critic objects once, and remembers that it did.
    let critic = "command:cat > /dev/null; if test -e .git/objected; then said=ok; else said='no test first'; touch .git/objected; fi; \
         printf 'COMPLETENESS: %s\\nDEPENDENCIES: ok\\nBREAKING_CHANGES: ok\\nFEASIBILITY: ok\\n' \"$said\"";
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("value.txt", "almost right\n"), Step::claim()])
        .turn(2, [Step::write("value.txt", "right\n"), Step::claim()]);
    run(&sandbox, &agent, &["--check", RIGHT])
        .variable("GULF_STEPS_ANALYZE", "first")
        .variable("GULF_STEPS_ANALYZE_AGENT", says("there is a check and no value"))
        .variable("GULF_STEPS_PLAN", "first")
        .variable("GULF_STEPS_PLAN_AGENT", says("1. write the value"))
        .variable("GULF_STEPS_CRITIC", "first")
        .variable("GULF_STEPS_CRITIC_AGENT", critic)
        .variable("GULF_STEPS_CAUSE", "after-refusal")
        .variable("GULF_STEPS_CAUSE_AGENT", says(CAUSE))
        .run()
        .expect_exit(exit::VERIFIED)
        .says("1 objection: planned again");
    let tally = agent.tally();
    assert_eq!(tally.turns(), [(1, 1), (2, 1)]);
    let (first, second) = (tally.prompt(1), tally.prompt(2));
    assert!(
        first.contains("there is a check and no value") && first.contains("1. write the value"),
        "{first}"
    );
    assert!(
        !first.contains("ROOT_CAUSE") && second.contains("ROOT_CAUSE: the word was almost right"),
        "{second}"
    );
    let kept = sandbox.only_loop();
    let planned_again =
        std::fs::read_to_string(kept.path("iterations/001/plan-prompt-attempt-2.md")).unwrap();
    assert!(planned_again.contains("COMPLETENESS: no test first"), "{planned_again}");
    let asked = std::fs::read_to_string(kept.path("iterations/002/cause-prompt.md")).unwrap();
    assert!(
        asked.contains("value.txt says almost right"),
        "whoever looks for the cause sees no failure:\n{asked}"
    );
    sandbox.assert_nothing_left();
}

// proves: A7, B8
#[test]
fn a_cause_that_never_comes_reaches_a_person_and_resume_goes_on_with_what_stands() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("value.txt", "almost right\n"), Step::claim()])
        .turn(2, [Step::write("value.txt", "right\n"), Step::claim()]);
    run(&sandbox, &agent, &["--check", RIGHT])
        .variable("GULF_STEPS_CAUSE", "after-refusal")
        .variable("GULF_STEPS_CAUSE_AGENT", says("it just failed"))
        .run()
        .expect_exit(exit::PAUSED)
        .says("a step before the iteration did not finish");
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
}

// proves: A3, A3/planning, A7
#[test]
fn a_plan_that_never_comes_in_its_form_costs_no_night() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("value.txt", "right\n"), Step::claim()]);
    run(&sandbox, &agent, &["--check", RIGHT])
        .variable("GULF_STEPS_PLAN", "first")
        .variable("GULF_STEPS_PLAN_AGENT", says("I would just write the value."))
        .variable("GULF_STEPS_CRITIC", "first")
        .variable("GULF_STEPS_CRITIC_AGENT", "command:exit 9")
        .run()
        .expect_exit(exit::VERIFIED)
        .says("a single worker does all of it: the planner never answered with a list of steps")
        .says("done by one worker: the planner never answered");
    let prompt = agent.tally().prompt(1);
    for told in ["There is no plan: the planner never", "- [ ] S1: ", "I would just write the value."] {
        assert!(prompt.contains(told), "{told} is not in:\n{prompt}");
    }
    let asked = sandbox.only_loop().facts_of("began");
    let planned = asked.iter().filter(|began| began["key"]["work"]["step"] == "plan").count();
    assert_eq!(planned, 6, "it was asked for as often as ever: {asked:?}");
}

#[test]
fn a_driver_that_is_killed_while_somebody_thinks_asks_again_and_works_once() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("value.txt", "right\n"), Step::claim()]);
    let here = Meeting::new(&sandbox, "here");
    let once = sandbox.path("once");
    let thinker = format!(
        "command:cat > /dev/null; if test -e '{once}'; then echo 'a value is missing'; else touch '{once}'; {}; \
         tail -f /dev/null; fi",
        here.reached_by_shell()
    );
    let started = run(&sandbox, &agent, &["--check", RIGHT])
        .variable("GULF_STEPS_ANALYZE", "every")
        .variable("GULF_STEPS_ANALYZE_AGENT", &thinker)
        .start();
    here.wait();
    started.kill();
    assert_eq!(started.finish().exit, None);
    sandbox.assert_nothing_left();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED).says("the analysis");
    assert_eq!(agent.tally().turns(), [(1, 1)]);
    assert!(agent.tally().prompt(1).contains("a value is missing"));
}

#[test]
fn a_critic_without_a_plan_is_an_error_at_its_place() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("gulf.toml", "[steps]\ncritic = \"first\"\n");
    let agent = FakeAgent::new(&sandbox);
    run(&sandbox, &agent, &["--check", RIGHT])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("gulf.toml:2")
        .says("set `steps.plan` to `first` too");
}
