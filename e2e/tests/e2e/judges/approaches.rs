//! A change that is close to one that was rejected is named to the worker, and journalled (SPEC G10, A7).

use gulf_testkit::{FakeAgent, FakeJudge, Sandbox, Step};
use serde_json::{Value, json};

use super::{honest, met, run_judged, sample, unmet};
use crate::exit;

const POEM: &str = "the first line\nthe second line\nthe third line\nthe fourth line\nthe fifth line\n";

fn attempt(poem: &str) -> [Step; 3] {
    [Step::write("value.txt", "right\n"), Step::write("notes/poem.txt", poem), Step::claim()]
}

fn resembling(sandbox: &Sandbox) -> Vec<Value> {
    let snapshots = sandbox.only_loop().results("snapshot");
    snapshots.into_iter().map(|(_, result)| result["resembles"].clone()).collect()
}

// proves: G24/sycophancy-loop
#[test]
fn a_variation_of_what_was_rejected_is_named_to_the_worker() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).call(3, &met()).says(&unmet("a poem says nothing"));
    // The same lines in another file, with other blanks, and one more.
    let varied = format!("{}the sixth line\n", POEM.replace("the ", "the  "));
    let moved = [
        Step::write("value.txt", "right\n"),
        Step::delete("notes/poem.txt"),
        Step::write("notes/verse.txt", &varied),
        Step::claim(),
    ];
    let agent = FakeAgent::new(&sandbox).turn(1, attempt(POEM)).turn(2, moved).turn(3, honest());
    run_judged(&sandbox, &agent, &judge, &["-t", "9"]).run().expect_exit(exit::VERIFIED);
    let common = json!({"iteration": 1, "common_bp": 8750});
    assert_eq!(resembling(&sandbox)[..2], [Value::Null, common]);
    let prompt = agent.tally().prompt(3);
    assert!(prompt.contains("87 % of what you changed is what was rejected in iteration 1"), "{prompt}");
    sandbox.gulf(["log"]).run().expect_exit(0).says("87 % in common with what was rejected");
}

// proves: G24/sycophancy-loop
#[test]
fn another_approach_is_left_alone() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).call(2, &met()).says(&unmet("a poem says nothing"));
    let other = [Step::delete("notes/poem.txt")].into_iter().chain(honest());
    let agent = FakeAgent::new(&sandbox).turn(1, attempt(POEM)).turn(2, other);
    run_judged(&sandbox, &agent, &judge, &[]).run().expect_exit(exit::VERIFIED);
    assert_eq!(resembling(&sandbox), [Value::Null, Value::Null]);
}
