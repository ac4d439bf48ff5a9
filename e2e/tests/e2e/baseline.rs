//! `--baseline`: tests that fail at the start may go on failing, by name and no others (SPEC B3).

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step, pytest, quote};

use crate::{exit, run};

const TESTS: &str = "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from './calc.mjs';\n\n\
                     test('adds', () => assert.strictEqual(add(2, 2), 4));\n\
                     test('known to fail', () => assert.strictEqual(add(2), 2));\n";
const DOUBLE: &str = "export const add = (a, b) => a + b;\nexport const double = (a) => add(a, a);\n";
const DOUBLE_TEST: &str = "import assert from 'node:assert';\nimport { test } from 'node:test';\n\
                           import { double } from './calc.mjs';\n\n\
                           test('doubles', () => assert.strictEqual(double(4), 8));\n";

fn finish(steps: Vec<Step>, arguments: &[&str]) -> (Sandbox, Finished) {
    let sandbox = Sandbox::with(&Sample::node().file("calc.test.mjs", TESTS));
    let agent = FakeAgent::new(&sandbox).otherwise(steps.into_iter().chain([Step::claim()]));
    let finished = run(&sandbox, &agent, &["--check", "npm test", "-n", "2"])
        .arguments(arguments.iter().copied())
        .run()
        .does_not_panic();
    (sandbox, finished)
}

fn feature() -> Vec<Step> {
    vec![Step::write("calc.mjs", DOUBLE), Step::write("double.test.mjs", DOUBLE_TEST)]
}

#[test]
fn without_a_baseline_a_failure_of_the_base_must_be_mended_too() {
    finish(feature(), &[]).1.expect_exit(exit::EXHAUSTED);
}

// proves: B3
#[test]
fn with_a_baseline_the_known_failure_is_forgiven_and_said() {
    let (sandbox, finished) = finish(feature(), &["--baseline"]);
    finished.expect_exit(exit::VERIFIED);
    let checks = sandbox.only_loop().results("check");
    let summary = checks.last().unwrap().1["summary"].to_string();
    assert!(summary.contains("accepted"), "{summary}");
}

// proves: B3
#[test]
fn with_a_baseline_a_new_failure_is_still_refused() {
    let broken = "export const add = (a, b) => a - b;\n";
    finish(vec![Step::write("calc.mjs", broken)], &["--baseline"]).1.expect_exit(exit::EXHAUSTED);
}

#[test]
fn mending_a_failure_of_the_baseline_is_proof() {
    let mended = "export const add = (a, b = 0) => a + b;\n";
    let (sandbox, finished) = finish(vec![Step::write("calc.mjs", mended)], &["--baseline"]);
    finished.expect_exit(exit::VERIFIED);
    let proofs = sandbox.only_loop().end().unwrap()["proofs"].to_string();
    assert!(proofs.contains("base-red") || proofs.contains("repaired"), "{proofs}");
}

// proves: B3, G24
#[test]
fn a_failure_of_the_baseline_that_expects_what_comes_now_is_not_mended() {
    let made_to_fit = Step::write("calc.test.mjs", &TESTS.replace("add(2), 2)", "add(2), NaN)"));
    let (_, finished) = finish(vec![made_to_fit], &["--baseline"]);
    finished.expect_exit(exit::ATTESTED).says("the base's own tests fail on the candidate's code");
}

// proves: B3
#[test]
fn mending_a_failure_of_the_baseline_is_proof_with_unittest_too() {
    let tests = "import unittest\n\nfrom calc import add\n\n\nclass TestAdd(unittest.TestCase):\n    def test_adds(self):\n        \
                 self.assertEqual(add(2, 2), 4)\n\n    def test_adds_one(self):\n        self.assertEqual(add(2), 3)\n\n    \
                 def test_adds_text(self):\n        self.assertEqual(add('a', 1), 'a1')\n";
    let sandbox = Sandbox::with(&Sample::python().file("test_calc.py", tests));
    let mended = Step::write("calc.py", "def add(a, b=1):\n    return a + b\n");
    let agent = FakeAgent::new(&sandbox).otherwise([mended, Step::claim()]);
    let flags = ["--check", "python3 -m unittest -v", "-n", "2", "--baseline"];
    let finished = run(&sandbox, &agent, &flags).run().does_not_panic();
    finished.expect_exit(exit::VERIFIED).says("accepted by --baseline: test_adds_text");
    let proofs = sandbox.only_loop().end().unwrap()["proofs"].to_string();
    assert!(proofs.contains("base-red") || proofs.contains("repaired"), "{proofs}");
}

#[test]
fn a_check_whose_tests_have_no_names_cannot_be_baselined_and_says_so() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other.txt", "x\n"), Step::claim()]);
    let check = "echo something is wrong; exit 1";
    let finished = run(&sandbox, &agent, &["--baseline", "--check", check, "-n", "1"]).run();
    finished.expect_exit(exit::EXHAUSTED).says("no baseline is possible");
}

#[test]
fn a_red_base_is_told_to_the_person_to_the_worker_and_at_the_end() {
    let sandbox = Sandbox::with(&Sample::node().file("calc.test.mjs", TESTS));
    let agent = FakeAgent::new(&sandbox).otherwise(feature().into_iter().chain([Step::claim()]));
    let finished =
        run(&sandbox, &agent, &["--check", "npm test", "-n", "2"]).run().expect_exit(exit::EXHAUSTED);
    finished
        .says("failed before the loop: they must pass in the end; `--baseline` accepts them")
        .says("tests that failed before the loop, and still fail: `--baseline` accepts them where the goal is another: known to fail");
    let prompt = agent.tally().prompt(2);
    assert!(prompt.contains("What failed before you began"), "{prompt}");
    assert!(prompt.contains("known to fail. These have to pass in the end as well."), "{prompt}");
}

#[test]
fn a_tolerated_failure_stands_under_not_proven() {
    let (sandbox, finished) = finish(feature(), &["--baseline"]);
    finished.expect_exit(exit::VERIFIED).says("accepted by --baseline: known to fail");
    let runs = sandbox.only_loop().results("check");
    assert_eq!(runs.last().unwrap().1["failed"], serde_json::json!(["known to fail"]));
}

// proves: B3
#[test]
fn a_runner_that_a_file_stops_from_loading_is_no_baseline_and_its_error_is_shown() {
    let Some(pytest) = pytest() else { return };
    let test = "DATA = open('data/not-there.txt').read()\n\n\ndef test_data():\n    assert DATA\n";
    let sandbox = Sandbox::with(&Sample::python().file("test_data.py", test));
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other.txt", "x\n"), Step::claim()]);
    let check = quote(pytest.as_str());
    let finished = |flags: &[&str]| {
        let flags: Vec<&str> = ["--check", &check, "-n", "1"].iter().chain(flags).copied().collect();
        run(&sandbox, &agent, &flags).run().expect_exit(exit::EXHAUSTED)
    };
    let why = "no test ran: ERROR test_data.py - FileNotFoundError";
    finished(&[]).says(why).does_not_say("--baseline");
    let refused =
        finished(&["--baseline"]).says(why).says("it names no test that passed, so no baseline is possible");
    refused.does_not_say("accepted by --baseline");
}
