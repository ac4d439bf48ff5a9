//! Criteria of a task: ticked where a judge found them met, open and told where nobody looked (SPEC R4, B4).
//!
//! A box is somebody's word, and these boxes are not the worker's.

use gulf_testkit::{FakeAgent, FakeJudge, Sample, Sandbox, Step};
use serde_json::json;

use super::{changed_in, project, reported, states, tasks};
use crate::{exit, run_right};

const LIST: &str = "- [ ] A: login\n  - [ ] an empty name is refused\n- [ ] B: imprint (depends: A)\n";

/// A test that is red without the work, which shows nothing of the criterion.
fn logs_everybody_in() -> [Step; 3] {
    let test = "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { login } from './login.mjs';\n\n\
                test('login', () => assert.strictEqual(login('kim'), true));\n";
    [
        Step::write("login.mjs", "export const login = (name) => typeof name === 'string';\n"),
        Step::write("login.test.mjs", test),
        Step::print("TASK_DONE"),
    ]
}

#[test]
fn a_criterion_that_nobody_judged_stays_open_and_the_task_is_attested() {
    let list = "- [ ] A: login\n  - [ ] an empty name is refused\n";
    let sandbox = Sandbox::with(&Sample::node().file("TASKS.md", list));
    let agent = FakeAgent::new(&sandbox).turn(1, logs_everybody_in());
    sandbox
        .gulf(["run", "--preset", "tasks", "--agent", &agent.flag(), "--check", "npm test"])
        .run()
        .does_not_panic()
        .expect_exit(exit::ATTESTED)
        .says("criteria of a-login that nobody judged")
        .says("an empty name is refused");
    let half = "- [x] A: login\n  - [ ] an empty name is refused\n";
    assert_eq!(sandbox.read("TASKS.md"), half, "the task is done, and its criterion is nobody's word");
    assert_eq!(sandbox.git(["show", "HEAD:TASKS.md"]), half.trim_end());
    assert_eq!(changed_in(&sandbox, "HEAD"), ["TASKS.md", "login.mjs", "login.test.mjs"]);
    let receipt = std::fs::read_to_string(sandbox.only_loop().path("receipt.json")).unwrap();
    let receipt: serde_json::Value = serde_json::from_str(&receipt).unwrap();
    assert_eq!(receipt["criteria_not_proven"], json!(["an empty name is refused"]));
    let again = sandbox.gulf(["run", "--preset", "tasks", "--agent", &agent.flag(), "--check", "npm test"]);
    again.run().expect_exit(2).says("every task of TASKS.md is ticked");
}

#[test]
fn a_story_whose_criteria_nobody_judged_is_attested_and_they_are_named() {
    let story = r#"{"userStories":[{"id":"US-1","title":"login","acceptanceCriteria":["an empty name is refused"],"passes":false}]}"#;
    let sandbox = Sandbox::with(&Sample::node().file("prd.json", story));
    let agent = FakeAgent::new(&sandbox).turn(1, logs_everybody_in());
    sandbox
        .gulf(["run", "--preset", "tasks", "--agent", &agent.flag(), "--check", "npm test"])
        .run()
        .expect_exit(exit::ATTESTED)
        .says("criteria of US-1 that nobody judged")
        .says("an empty name is refused");
}

#[test]
fn the_list_of_a_spec_by_which_it_is_accepted_is_not_proven_by_green_checks() {
    let spec = "# Login\n\nPeople log in.\n\n## Acceptance criteria\n\n- [ ] an empty name is refused\n";
    let sandbox = Sandbox::with(&Sample::shell().file("specs/LOGIN-1.md", spec));
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("value.txt", "right\n"), Step::claim()]);
    sandbox
        .gulf([
            "run",
            "--spec",
            "LOGIN-1",
            "--preset",
            "basic",
            "--agent",
            &agent.flag(),
            "--check",
            crate::RIGHT,
        ])
        .run()
        .expect_exit(exit::ATTESTED)
        .says("1 criterion is taken from specs/LOGIN-1.md")
        .says("criteria that nobody judged")
        .says("an empty name is refused");
}

#[test]
fn a_criterion_that_a_judge_found_met_is_ticked_and_the_task_is_verified() {
    let sandbox = Sandbox::awkward(&project("TASKS.md", LIST));
    // Evidence within the change: each task's own line.
    let met = |iteration: u32, count: u32| {
        let quotes =
            json!([{"path": "work.txt", "text": format!("{iteration}: an empty name is refused now")}]);
        let criterion =
            |number: u32| json!({"number": number, "word": "met", "reason": "", "quotes": quotes});
        json!({"criteria": (1..=count).map(criterion).collect::<Vec<_>>(), "principle": ""}).to_string()
    };
    // Gulf's own criterion is asked about as well.
    let judge = FakeJudge::new(&sandbox).call(1, &met(1, 2)).says(&met(2, 1));
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::run("echo $GULF_ITERATION: an empty name is refused now >> work.txt"),
        Step::print("TASK_DONE"),
    ]);
    tasks(&sandbox, &agent, &["--judge", &judge.flag()]).run().expect_exit(exit::VERIFIED);
    assert_eq!(
        sandbox.read("TASKS.md"),
        "- [x] A: login\n  - [x] an empty name is refused\n- [x] B: imprint (depends: A)\n"
    );
    assert_eq!(states(&reported(&sandbox)), ["A complete", "B complete"]);
}

#[test]
fn a_workers_tick_of_a_criterion_is_taken_back_and_a_persons_from_before_stays() {
    let list = "- [ ] A: login\n  - [ ] an empty name is refused\n  - [x] seen by a person\n";
    let sandbox = Sandbox::with(&project("TASKS.md", list));
    let tick = Step::run("sed -i.bak 's/\\[ \\]/[x]/' TASKS.md && rm TASKS.md.bak");
    let agent = FakeAgent::new(&sandbox).otherwise([tick, Step::run("echo a >> work.txt"), super::done()]);
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED);
    let half = "- [x] A: login\n  - [ ] an empty name is refused\n  - [x] seen by a person\n";
    assert_eq!(sandbox.read("TASKS.md"), half);
    assert_eq!(sandbox.git(["show", "HEAD:TASKS.md"]), half.trim_end());
}

#[test]
fn tasks_that_are_called_by_a_word_are_done_in_their_order_and_a_circle_or_a_stranger_refuses_the_start() {
    let refused = |list: &str, place: &str, why: &str| {
        let sandbox = Sandbox::with(&project("TASKS.md", list));
        let agent = super::quick(&sandbox);
        tasks(&sandbox, &agent, &[]).run().expect_exit(2).says(place).says(why);
        assert_eq!(agent.tally().turns().len(), 0);
    };
    let circle = "these tasks depend on each other: A → B → A";
    refused("- [ ] A: a (depends: B)\n- [ ] B: b (depends: A)\n", "TASKS.md:1:1", circle);
    refused(
        "- [ ] A: a\n- [ ] B: b (depends on the API)\n",
        "TASKS.md:2:24",
        "depends on `the API`, which is not in the list",
    );
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] A: a (depends: B)\n- [ ] B: b\n"));
    let agent = super::quick(&sandbox);
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED);
    assert_eq!(super::in_hand(&agent), ["B", "A"]);
}

#[test]
fn a_description_of_a_product_is_not_proven_where_nobody_judges() {
    let prd = "# Login\n\n## Acceptance criteria\n\n- an empty name is refused\n";
    let sandbox = Sandbox::with(&Sample::shell().file("prd.md", prd));
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("value.txt", "right\n"), Step::claim()]);
    run_right(&sandbox, &agent, &["--preset", "basic", "--prd", "prd.md"])
        .run()
        .expect_exit(exit::ATTESTED)
        .says("criteria that nobody judged")
        .says("an empty name is refused");
    sandbox.write("value.txt", "wrong\n");
    run_right(&sandbox, &agent, &["--prd", "prd.md"])
        .run()
        .says("no judge is installed: the criteria stay unproven")
        .does_not_say("RUBRIC.md has criteria");
}
