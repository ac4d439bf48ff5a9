//! Every form of list, worked off in its order; and a list that ends verified.
//!
//! The forms differ in nothing but their bytes.

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use super::{changed_in, commits, in_hand, project, quick, reported, states, tasks};
use crate::exit;

struct Form {
    path: &'static str,
    list: &'static str,
    order: &'static [&'static str],
    /// What is replaced in the list when all is done, and by what.
    ticks: &'static [(&'static str, &'static str)],
}

/// Urgent ones first, what they wait for before them, else the order of the file; what was ticked stays.
const FORMS: [Form; 4] = [
    Form {
        path: "docs/planning/TASKS.md",
        list: "\u{feff}# 할 일\r\n\r\n- [ ] T1.1: 로그인 화면 (depends on T0.1)\r\n  - [ ] 빈 이름은 거절된다\r\n- [ ] T0.1: 스키마\r\n- [ ] T2.1: urgent [P0]\r\n- [x] T9.9: done before\r\n\r\n끝.",
        order: &["T2.1", "T0.1", "T1.1"],
        ticks: &[("- [ ] T", "- [x] T")],
    },
    Form {
        path: "fix_plan.md",
        list: "## High Priority\n\n- [ ] mend the parser\n\n## Low Priority\n\n- [ ] tidy up\n\n## Critical\n\n* [ ] stop the leak",
        order: &["stop-the-leak", "mend-the-parser", "tidy-up"],
        ticks: &[("[ ]", "[x]")],
    },
    Form {
        path: "prd.json",
        list: "\u{feff}{\n\t\"userStories\" : [\r\n    {\"id\":\"US-002\",\"title\":\"둘째\",\"priority\":2,\"acceptanceCriteria\":[\"보인다\"],\"passes\":false},\n    { \"id\": \"US-001\", \"title\": \"first\", \"priority\": 1, \"passes\" : false }\n  ]  }",
        order: &["US-001", "US-002"],
        ticks: &[("\"passes\":false", "\"passes\":true"), ("\"passes\" : false", "\"passes\" : true")],
    },
    Form {
        path: "notes/할 일.md",
        list: "Things to do\n\n1. [ ] the first thing\n2. [ ] the second thing\n",
        order: &["the-first-thing", "the-second-thing"],
        ticks: &[("[ ]", "[x]")],
    },
];

// proves: R1, R4, R7, R7/dependency, R1/completion-rate
#[test]
fn each_form_of_list_is_worked_off_in_its_order_and_only_its_marks_change() {
    for Form { path, list, order, ticks } in FORMS {
        let sandbox = Sandbox::awkward(&project(path, list));
        let agent = quick(&sandbox);
        let named: &[&str] = if path.starts_with("notes") { &["--tasks", path] } else { &[] };
        tasks(&sandbox, &agent, named)
            .run()
            .does_not_panic()
            .expect_exit(exit::ATTESTED)
            .says(&format!("the list: {path}, {} tasks to do", order.len()));
        assert_eq!(in_hand(&agent), order, "{path}");
        let mut ticked = list.to_owned();
        for (open, done) in ticks {
            ticked = ticked.replace(open, done);
        }
        assert_eq!(sandbox.read(path), ticked);
        assert_eq!(commits(&sandbox).len(), order.len(), "{path}: {:?}", commits(&sandbox));
        assert_eq!(changed_in(&sandbox, "HEAD"), [path, "work.txt"]);
        assert_eq!(sandbox.git(["status", "--porcelain"]), "", "{path}");
        let complete: Vec<_> = order.iter().map(|id| format!("{id} complete")).collect();
        assert_eq!(states(&reported(&sandbox)), complete);
    }
}

fn node_work(name: &str) -> [Step; 3] {
    let source = format!("export const {name} = (a) => a * 2;\n");
    let test = format!(
        "import assert from 'node:assert';\nimport {{ test }} from 'node:test';\nimport {{ {name} }} from './{name}.mjs';\n\n\
         test('{name}', () => assert.strictEqual({name}(4), 8));\n"
    );
    [
        Step::write(&format!("{name}.mjs"), &source),
        Step::write(&format!("{name}.test.mjs"), &test),
        Step::print("TASK_DONE"),
    ]
}

// proves: R1, R2, R2/token, R4
#[test]
fn tasks_with_new_tests_end_verified_each_in_a_commit_of_what_was_checked() {
    let sandbox = Sandbox::with(&Sample::node().file("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n"));
    let agent = FakeAgent::new(&sandbox).turn(1, node_work("one")).turn(2, node_work("two"));
    sandbox
        .gulf(["run", "--preset", "tasks", "--agent", &agent.flag(), "--check", "npm test"])
        .run()
        .does_not_panic()
        .expect_exit(exit::VERIFIED);
    let tasks = reported(&sandbox);
    let proofs = |task: &serde_json::Value| task["end"]["proofs"].as_array().map(Vec::len);
    assert!(tasks.iter().all(|task| proofs(task) == Some(1)), "each its own: {tasks:#?}");
    assert_eq!(commits(&sandbox), ["T1: one", "T2: two"]);
    assert_eq!(changed_in(&sandbox, "HEAD"), ["TASKS.md", "two.mjs", "two.test.mjs"]);
    // What was committed is what was verified, but for the tick.
    let (candidate, _) = sandbox.only_loop().candidate();
    assert_eq!(sandbox.git(["diff", "--name-only", &candidate, "HEAD"]), "TASKS.md");
    let receipt = std::fs::read_to_string(sandbox.only_loop().path("receipt.json")).unwrap();
    let receipt: serde_json::Value = serde_json::from_str(&receipt).unwrap();
    assert_eq!(receipt["tasks"], serde_json::Value::from(tasks));
}
