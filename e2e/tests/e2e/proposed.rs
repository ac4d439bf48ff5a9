//! A project whose only check stands in its CI: proposed with its place, and run on a person's word alone.
#![cfg(unix)]

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use crate::{exit, run};

const WORKFLOW: &str = "on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: pip install -r requirements.txt\n      - run: python test.py\n";
const PLACE: &str = ".github/workflows/ci.yml:8";
const TEST: &str = "import calc\nassert calc.add(2, 3) == 5\n";
const WRONG: &str = "def add(a, b):\n    return a - b\n";
const RIGHT: &str = "def add(a, b):\n    return a + b\n";

fn sandbox() -> Sandbox {
    let sample = Sample::green().file(".github/workflows/ci.yml", WORKFLOW);
    Sandbox::with(&sample.file("test.py", TEST).file("calc.py", WRONG))
}

fn agent(sandbox: &Sandbox) -> FakeAgent {
    FakeAgent::new(sandbox).otherwise([Step::write("calc.py", RIGHT), Step::claim()])
}

#[test]
fn what_only_a_workflow_runs_is_proposed_and_sealed_on_a_word() {
    let sandbox = sandbox();
    let agent = agent(&sandbox);
    let refused = run(&sandbox, &agent, &[]).run().expect_exit(2);
    refused.says("test.py").says(PLACE).says("--detected");
    assert_eq!(agent.tally().turns(), []);
    run(&sandbox, &agent, &["--detected"]).run().expect_exit(exit::VERIFIED).says("test.py");
}

#[test]
fn lint_doctor_verify_and_init_say_the_same_of_a_workflows_check() {
    let sandbox = sandbox();
    sandbox.gulf(["lint"]).run().expect_exit(1).says("test.py").says(PLACE).says("--detected");
    sandbox.gulf(["doctor"]).run().says("test.py").says(PLACE);
    sandbox.gulf(["verify"]).run().expect_exit(2).says("test.py").says("--detected");
    sandbox.gulf(["verify", "--detected"]).run().expect_exit(1).says("test.py");
    sandbox.gulf(["init"]).run().expect_exit(0).says(PLACE).says("not in force");
    let written = sandbox.read("gulf.toml");
    assert!(written.contains("# [[check]]") && written.contains("test.py"), "{written}");
}

#[test]
fn each_half_of_a_repository_without_a_top_is_tested_and_gulf_alone_tells_how_to_keep_the_work() {
    let test = "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_adds(self):\n        \
                self.assertEqual(calc.add(2, 3), 5)\n";
    let half = |sample: Sample, folder: &str| {
        let file = |name: &str| format!("{folder}/{name}");
        let sample = sample.file(&file("setup.py"), "").file(&file("test_calc.py"), test);
        sample.file(&file("calc.py"), WRONG)
    };
    let sandbox = Sandbox::with(&half(half(Sample::green(), "left"), "right"));
    let one =
        [Step::write("left/calc.py", RIGHT), Step::write("right/calc.py", "def add(a, b:\n"), Step::claim()];
    let told = run(&sandbox, &FakeAgent::new(&sandbox).otherwise(one), &["-n", "1"]).run();
    told.expect_exit(exit::EXHAUSTED).says("test-right: FAILED");
    sandbox.git(["checkout", "--quiet", "."]);
    let both = [Step::write("left/calc.py", RIGHT), Step::write("right/calc.py", RIGHT), Step::claim()];
    let agent = FakeAgent::new(&sandbox).otherwise(both);
    let told = run(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::VERIFIED);
    told.says("check test-left fails on the base").says("check test-right fails on the base");
    sandbox.gulf([]).run().says("gulf land ").says("commits exactly its change");
}

#[test]
fn init_tries_the_check_of_a_workflow_where_it_is_told_to() {
    let sandbox = sandbox();
    sandbox.gulf(["init", "--detected"]).run().expect_exit(0).says("red");
    let written = sandbox.read("gulf.toml");
    assert!(written.contains("\n[[check]]\nname = \"test\""), "{written}");
}
