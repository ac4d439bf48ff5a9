//! What a judge's word leads to: rejections that are told and counted, a gate for a person, changed tests (SPEC G9, B3).

use gulf_testkit::{FakeAgent, FakeJudge, Finished, Sample, Sandbox, Step};
use serde_json::{Value, json};

use super::{answer, honest, met, rejections, run_judged, sample, unmet, words};
use crate::{exit, mend};

const REASON: &str = "nothing in notes/ says why";

// proves: G9
#[test]
fn a_claim_on_the_candidate_just_rejected_costs_no_call_and_is_no_second_rejection() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).call(1, &unmet(REASON)).says(&met());
    let agent = FakeAgent::new(&sandbox).turn(1, mend()).turn(2, [Step::claim()]).turn(3, honest());
    run_judged(&sandbox, &agent, &judge, &["-t", "2"]).run().expect_exit(exit::VERIFIED);
    let kept = sandbox.only_loop();
    assert_eq!(words(&kept), ["rejected", "approved"]);
    assert_eq!(judge.prompts().len(), 2);
    for number in [2, 3] {
        let prompt = agent.tally().prompt(number);
        assert!(prompt.contains(REASON), "the reason is told as long as it stands: {prompt}");
    }
    let feedback = sandbox.read("JUDGE_FEEDBACK.md");
    assert_eq!(feedback.matches("REJECTED").count(), 1, "{feedback}");
}

// proves: G9
#[test]
fn rejections_in_a_row_pause_the_loop_with_what_was_rejected_and_the_two_causes() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).call(3, &met()).says(&unmet(REASON));
    let tries = |text| [Step::write("value.txt", "right\n"), Step::write("notes/b.txt", text), Step::claim()];
    let agent = FakeAgent::new(&sandbox).turn(1, tries("one\n")).turn(2, tries("two\n")).turn(3, honest());
    let finished = run_judged(&sandbox, &agent, &judge, &["-t", "2"]).run().expect_exit(exit::PAUSED);
    let finished = finished.says(REASON).says("If the direction is wrong").says("If the rubric is wrong");
    finished.says("not an error");
    assert_eq!(rejections(&sandbox.only_loop()), 2);
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(words(&sandbox.only_loop()), ["rejected", "rejected", "approved"]);
}

// proves: G6
#[test]
fn a_failed_check_costs_no_judge_and_is_no_rejection() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).says(&met());
    let wrong = [Step::append("value.txt", "more\n"), Step::claim()];
    let agent = FakeAgent::new(&sandbox).turn(1, wrong).turn(2, honest());
    run_judged(&sandbox, &agent, &judge, &["-t", "1"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(words(&sandbox.only_loop()), ["approved"]);
}

#[test]
fn two_lines_can_approve_and_reject() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox)
        .call(1, "REJECTED: nothing in notes/ says why\nMETA: Look at the notes.")
        .says("APPROVED\nMETA: Notes count.");
    let agent = FakeAgent::new(&sandbox).turn(1, mend()).turn(2, honest());
    let run = run_judged(&sandbox, &agent, &judge, &[]).variable("GULF_JUDGE_PROTOCOL", "line");
    run.run().expect_exit(exit::VERIFIED);
    assert_eq!(words(&sandbox.only_loop()), ["rejected", "approved"]);
    assert!(agent.tally().prompt(2).contains(REASON));
    assert!(judge.prompts()[1].contains("Look at the notes."), "what a judge learnt is told to the next one");
}

const CALC: &str = "export const add = (a, b) => String(a + b);";
const CALC_TEST: &str = "test('adds', () => assert.strictEqual(add(2, 2), '4'));";

/// The worker changes what a test of the base asserts, and this is said about criterion 2: that the goal demands it.
fn check_changed_test(second: &str, expected: i32) -> Finished {
    let rubric =
        "## Checks\n- node --test\n- grep -q String calc.mjs\n\n## Judge criteria\n- add takes text\n";
    let sandbox = Sandbox::with(&Sample::node().file("RUBRIC.md", rubric));
    let judge = FakeJudge::new(&sandbox).says(&about_two(&answer("met", "", &[("calc.mjs", CALC)]), second));
    let head = "import assert from 'node:assert';\nimport { test } from 'node:test';\n\
                import { add } from './calc.mjs';\n\n";
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::write("calc.mjs", &format!("{CALC}\n")),
        Step::write("calc.test.mjs", &format!("{head}{CALC_TEST}\n")),
        Step::claim(),
    ]);
    let finished = run_judged(&sandbox, &agent, &judge, &["-t", "1"]).run().expect_exit(expected);
    let prompt = judge.prompts().remove(0);
    assert!(prompt.contains("calc.test.mjs: the test adds was changed"), "{prompt}");
    finished
}

/// Both answers in one object.
fn about_two(first: &str, second: &str) -> String {
    let criterion = |text: &str| -> Value {
        let mut answer: Value = serde_json::from_str(text).unwrap();
        answer["criteria"][0].take()
    };
    let mut second = criterion(second);
    second["number"] = json!(2);
    json!({"criteria": [criterion(first), second]}).to_string()
}

// proves: B3
#[test]
fn no_judges_yes_makes_verified_of_a_base_test_that_fails() {
    let yes = answer("met", "", &[("calc.test.mjs", CALC_TEST)]);
    check_changed_test(&yes, exit::ATTESTED)
        .says("the changed tests follow from the goal")
        .says("the base's own tests fail on the candidate's code: `adds`");
}

// proves: B3
#[test]
fn a_changed_test_of_the_base_is_rejected_where_the_judge_says_no() {
    check_changed_test(&unmet("Nobody asked for text."), exit::PAUSED).says("Nobody asked for text.");
}

#[test]
fn a_changed_test_of_the_base_about_which_the_judge_is_silent_is_nobodys_yes() {
    let silent = answer("unsure", "I cannot see why.", &[]);
    check_changed_test(&silent, exit::PAUSED).says("No verdict from the judge.");
}

// proves: B3
#[test]
fn no_judges_yes_makes_verified_of_a_red_test_that_is_gone_or_skipped() {
    let red = |mark: &str| {
        format!(
            "import assert from 'node:assert';\nimport {{ test }} from 'node:test';\nimport {{ add }} from './calc.mjs';\n\n\
             test{mark}('adds texts', () => assert.strictEqual(add('a', 'b'), 'a+b'));\n"
        )
    };
    const NOTE: &str = "// Texts are somebody else's business.";
    for step in [Step::delete("text.test.mjs"), Step::write("text.test.mjs", &red(".skip"))] {
        let rubric = "## Checks\n- node --test\n\n## Judge criteria\n- It says what it is about\n";
        let sample = Sample::node().file("RUBRIC.md", rubric).file("text.test.mjs", &red(""));
        let sandbox = Sandbox::with(&sample);
        let yes =
            about_two(&answer("met", "", &[("note.mjs", NOTE)]), &answer("met", "", &[("note.mjs", NOTE)]));
        let judge = FakeJudge::new(&sandbox).says(&yes);
        let steps = [Step::write("note.mjs", &format!("{NOTE}\n")), step, Step::claim()];
        let agent = FakeAgent::new(&sandbox).otherwise(steps);
        let finished = run_judged(&sandbox, &agent, &judge, &["-n", "2"]).run().expect_exit(exit::ATTESTED);
        finished.says("the base's own tests fail on the candidate's code: `adds texts`");
    }
}
