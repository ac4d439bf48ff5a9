//! The preset ralph: thought about first, verified, and with a person instead of an end where nothing goes on.

use gulf_testkit::{FakeAgent, FakeJudge, Invocation, Sample, Sandbox, Step};

use crate::{RIGHT, exit, run};

/// A thinker that answers with this text.
fn says(text: &str) -> String {
    format!("command:cat > /dev/null; printf '%s\\n' '{text}'")
}

const CAUSE: &str =
    "SYMPTOM: red\nROOT_CAUSE: the word was almost right\nLAST_ATTEMPT: guessed\nCHANGE: read check.sh";

/// Everybody who thinks says what is asked for.
fn thoughtful(invocation: Invocation) -> Invocation {
    invocation
        .variable("GULF_STEPS_ANALYZE_AGENT", says("there is a check and no value"))
        .variable("GULF_STEPS_PLAN_AGENT", says("1. write the value"))
        .variable(
            "GULF_STEPS_CRITIC_AGENT",
            says("COMPLETENESS: ok\nDEPENDENCIES: ok\nBREAKING_CHANGES: ok\nFEASIBILITY: ok"),
        )
        .variable("GULF_STEPS_CAUSE_AGENT", says(CAUSE))
}

fn ralph(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    let usual = ["--preset", "ralph", "--check", RIGHT];
    thoughtful(run(sandbox, agent, &usual)).arguments(arguments.iter().copied())
}

/// The same wrong word each time, beside something else.
fn almost(number: u32) -> [Step; 3] {
    let aside = format!("{number}\n");
    [Step::write("value.txt", "almost right\n"), Step::write("aside.txt", &aside), Step::claim()]
}

fn right() -> [Step; 2] {
    [Step::write("value.txt", "right\n"), Step::claim()]
}

// proves: A1, A3, A4, A3/autonomous-loop, A4/code-accuracy
#[test]
fn a_goal_is_analyzed_planned_criticized_done_and_judged_by_gulfs_own_criterion() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    let why = Step::write("why.txt", "It was wrong since the first import.\n");
    let agent = FakeAgent::new(&sandbox).turn(1, [why].into_iter().chain(right()));
    let quotes = r#"[{"path":"why.txt","text":"It was wrong since the first import."}]"#;
    let criterion = format!(r#"{{"number":1,"word":"met","reason":"","quotes":{quotes}}}"#);
    let judge = FakeJudge::new(&sandbox).says(&format!(r#"{{"criteria":[{criterion}],"principle":""}}"#));
    let goal =
        ["run", "끝까지: value.txt가 right라고 말하게 해줘", "--agent", &agent.flag(), "--preset", "ralph"];
    thoughtful(sandbox.gulf(goal).arguments(["--check", RIGHT, "--judge", &judge.flag()]))
        .run()
        .expect_exit(exit::VERIFIED)
        .says("the judge is asked by gulf's own");
    assert!(judge.prompts()[0].contains("nothing is stubbed, left out or put off"));
    let first = agent.tally().prompt(1);
    for part in ["there is a check and no value", "1. write the value", "COMPLETENESS: ok"] {
        assert!(first.contains(part), "{part} is not in:\n{first}");
    }
    sandbox.assert_nothing_left();
}

// proves: A5, A7, A5/repeated, A7/different-approach, A4/verify-loop
#[test]
fn the_same_error_three_times_reaches_a_person_who_lets_the_loop_go_on_to_its_end() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent =
        FakeAgent::new(&sandbox).turn(1, almost(1)).turn(2, almost(2)).turn(3, almost(3)).turn(4, right());
    ralph(&sandbox, &agent, &["--level", "1"])
        .run()
        .expect_exit(exit::PAUSED)
        .says("the same failure every time")
        .says("gulf steer");
    thoughtful(sandbox.gulf(["resume"])).run().expect_exit(exit::VERIFIED);
    let tally = agent.tally();
    assert_eq!(tally.turns(), [(1, 1), (2, 1), (3, 1), (4, 1)]);
    assert!(tally.prompt(2).contains("ROOT_CAUSE") && !tally.prompt(2).contains("Change the approach"));
    assert!(tally.prompt(3).contains("A variation of what failed is not a different approach"));
    // Who proposes the same again is told so once.
    let kept = sandbox.only_loop();
    let asked = |name: &str| std::fs::read_to_string(kept.path(&format!("iterations/003/{name}"))).unwrap();
    let (first, again) = (asked("cause-prompt.md"), asked("cause-prompt-attempt-2.md"));
    assert!(first.contains("- before iteration 2: read check.sh"), "{first}");
    assert!(again.contains("what was to change before iteration 2 already"), "{again}");
    sandbox.assert_nothing_left();
}

// proves: A5, A5/limit
#[test]
fn the_last_iteration_reaches_a_person_whose_go_on_means_as_many_again() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, almost(1)).turn(2, right());
    ralph(&sandbox, &agent, &["--level", "1", "-n", "1"])
        .run()
        .expect_exit(exit::PAUSED)
        .says("Resuming allows 1 more iteration");
    thoughtful(sandbox.gulf(["resume"])).run().expect_exit(exit::VERIFIED).says("iteration 2/2");
}

// proves: R8, R8/recommended
#[test]
fn in_any_preset_the_same_failure_three_times_is_sought_the_cause_of() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent =
        FakeAgent::new(&sandbox).turn(1, almost(1)).turn(2, almost(2)).turn(3, almost(3)).turn(4, right());
    thoughtful(run(&sandbox, &agent, &["--check", RIGHT])).run().expect_exit(exit::VERIFIED);
    let tally = agent.tally();
    assert!(!tally.prompt(3).contains("ROOT_CAUSE"));
    assert!(tally.prompt(4).contains("ROOT_CAUSE: the word was almost right"));
}

// proves: A2, A4
#[test]
fn criteria_are_taken_of_the_products_description_and_a_level_is_of_this_preset_only() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write(
        "prd.md",
        "# 제품\n\n## 수용 기준\n- [ ] value.txt가 right라고 말한다\n- 다른 파일은 그대로다\n",
    );
    let agent = FakeAgent::new(&sandbox);
    let judge = FakeJudge::new(&sandbox);
    ralph(&sandbox, &agent, &["--judge", &judge.flag(), "--dry-run"])
        .run()
        .expect_exit(0)
        .says("2 criteria are taken from prd.md")
        .says("다른 파일은 그대로다");
    run(&sandbox, &agent, &["--check", RIGHT, "--level", "1"])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("`--level` is for the presets autopilot and ralph");
}
