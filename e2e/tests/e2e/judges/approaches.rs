//! A change that is close to one that was rejected is named to the worker, and journalled (SPEC G10, A7).

use gulf_testkit::{FakeAgent, FakeJudge, Sandbox, Step};
use serde_json::{Value, json};

use super::{honest, met, run_judged, sample, unmet};
use crate::exit;

const POEM: &str = "the first line\nthe second line\nthe third line\nthe fourth line\nthe fifth line\n";

fn attempt(poem: &str) -> [Step; 3] {
    [Step::write("value.txt", "right\n"), Step::write("notes/poem.txt", poem), Step::claim()]
}

/// The same lines in another file, with other blanks, and one more.
fn varied() -> [Step; 4] {
    let varied = format!("{}the sixth line\n", POEM.replace("the ", "the  "));
    [
        Step::write("value.txt", "right\n"),
        Step::delete("notes/poem.txt"),
        Step::write("notes/verse.txt", &varied),
        Step::claim(),
    ]
}

fn resembling(sandbox: &Sandbox) -> Vec<Value> {
    let snapshots = sandbox.only_loop().results("snapshot");
    snapshots.into_iter().map(|(_, result)| result["resembles"].clone()).collect()
}

// proves: G24, G24/sycophancy-loop
#[test]
fn a_variation_of_what_was_rejected_is_named_to_the_worker() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).call(3, &met()).says(&unmet("a poem says nothing"));
    let agent = FakeAgent::new(&sandbox).turn(1, attempt(POEM)).turn(2, varied()).turn(3, honest());
    run_judged(&sandbox, &agent, &judge, &["-t", "9"]).run().expect_exit(exit::VERIFIED);
    let common = json!({"iteration": 1, "common_bp": 8750});
    assert_eq!(resembling(&sandbox)[..2], [Value::Null, common]);
    let prompt = agent.tally().prompt(3);
    assert!(prompt.contains("87 % of what you changed is what was rejected in iteration 1"), "{prompt}");
    sandbox.gulf(["log"]).run().expect_exit(0).says("87 % in common with what was rejected");
}

// proves: G24, G24/sycophancy-loop
#[test]
fn another_approach_is_left_alone() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).call(2, &met()).says(&unmet("a poem says nothing"));
    let other = [Step::delete("notes/poem.txt")].into_iter().chain(honest());
    let agent = FakeAgent::new(&sandbox).turn(1, attempt(POEM)).turn(2, other);
    run_judged(&sandbox, &agent, &judge, &[]).run().expect_exit(exit::VERIFIED);
    assert_eq!(resembling(&sandbox), [Value::Null, Value::Null]);
}

/// Rejected once, after which another approach is asked for.
fn after_a_reset(sandbox: &Sandbox, second: Vec<Step>) -> (FakeAgent, FakeJudge) {
    let judge = FakeJudge::new(sandbox).call(2, &met()).says(&unmet("a poem says nothing"));
    let third = [Step::delete("notes/poem.txt"), Step::delete("notes/verse.txt")].into_iter().chain(honest());
    let agent = FakeAgent::new(sandbox).turn(1, attempt(POEM)).turn(2, second).turn(3, third);
    run_judged(sandbox, &agent, &judge, &["--preset", "autonomous", "-t", "1"])
        .run()
        .expect_exit(exit::VERIFIED);
    let asked = agent.tally().prompt(2);
    assert!(asked.contains("the approach is wrong, not its details"), "{asked}");
    (agent, judge)
}

// proves: G24, G24/context-pressure-collapse
#[test]
fn a_worker_that_forgot_what_was_rejected_is_refused_unseen_told_why_and_corrected() {
    let sandbox = Sandbox::with(&sample());
    let (agent, judge) = after_a_reset(&sandbox, varied().to_vec());
    let refused = json!({"type": "settled", "settlement": {"kind": "refused", "gate": "approach"}});
    assert_eq!(sandbox.only_loop().facts_of("settled")[1], refused);
    assert_eq!(judge.prompts().len(), 2, "no judge looks at it a second time");
    let told = agent.tally().prompt(3);
    assert!(told.contains("returns to an approach that was rejected in iteration 1"), "{told}");
}

// proves: G24, G24/context-pressure-collapse
#[test]
fn a_worker_that_goes_on_in_the_same_file_with_other_words_is_looked_at_and_verified() {
    let sandbox = Sandbox::with(&sample());
    let other = [Step::write("notes/poem.txt", "It rhymes no more,\nand says a thing.\n")];
    let (agent, judge) = after_a_reset(&sandbox, other.into_iter().chain(honest()).collect());
    assert_eq!((agent.tally().turns().len(), judge.prompts().len()), (2, 2));
}
