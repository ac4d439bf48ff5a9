//! Products that are right for their tests alone, or right only now and then (SPEC B3).

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step};

use crate::{exit, run};

const TEST: &str = "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        \
    self.assertEqual(calc.add(12, 2), 14)\n        self.assertEqual(calc.add(20, 3), 23)\n        \
    self.assertEqual(calc.add(5, 5), 10)\n";
const KNOWN: &str = "KNOWN = {\n    (12, 2): 14,\n    (20, 3): 23,\n    (5, 5): 10,\n}\n";
const ADDS: &str = "def add(a, b):\n    return a + b\n";
const UNITTEST: &str = "python3 -B -m unittest -v";

fn sample(test: &str) -> Sandbox {
    Sandbox::with(
        &Sample::shell().file("calc.py", "def add(a, b):\n    return 0\n").file("test_calc.py", test),
    )
}

/// Each of two turns leaves this product and claims.
fn worked(sandbox: &Sandbox, product: &str, flags: &[&str]) -> Finished {
    let agent = FakeAgent::new(sandbox).otherwise([Step::write("calc.py", product), Step::claim()]);
    let flags: Vec<&str> = ["--check", UNITTEST, "-n", "2"].iter().chain(flags).copied().collect();
    run(sandbox, &agent, &flags).run().does_not_panic()
}

// proves: B3, G24
#[test]
fn a_product_with_the_answers_of_its_tests_is_found_and_no_judge_clears_it() {
    let table = format!("{KNOWN}\n\ndef add(a, b):\n    return KNOWN[(a, b)]\n");
    let arms = "def add(a, b):\n    if a == 12 and b == 2:\n        return 14\n    if a == 20 and b == 3:\n        \
                return 23\n    return 10\n";
    for product in [table.as_str(), arms] {
        let sandbox = sample(TEST);
        sandbox.write("RUBRIC.md", "## Judge criteria\n\n- it adds\n");
        sandbox.write("gulf.toml", "[judge]\nprotocol = \"line\"\n");
        let judge = ["--judge", "command:cat > /dev/null; echo APPROVED"];
        let finished = worked(&sandbox, product, &judge).expect_exit(exit::ATTESTED);
        let judged = finished.says("the judge: approved");
        judged.says("the answer that test_calc.py:7 expects (14 for 12, 2)");
    }
}

// proves: B3
#[test]
fn what_the_goal_names_or_a_check_proves_that_the_worker_never_saw_is_no_finding() {
    let table = format!("{KNOWN}\n\ndef add(a, b):\n    return KNOWN.get((a, b), a + b)\n");
    let sandbox = sample(TEST);
    let hidden = "python3 -B -c 'from calc import add; assert add(70, 1) == 71'";
    worked(&sandbox, &table, &["--acceptance", hidden]).expect_exit(exit::VERIFIED);
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("calc.py", &table), Step::claim()]);
    let goal = "Know the sums 12 2 14, 20 3 23 and 5 5 10";
    let sandbox = sample(TEST);
    let named = sandbox.gulf(["run", goal, "--agent", &agent.flag(), "--check", UNITTEST, "-n", "2"]);
    named.run().does_not_panic().expect_exit(exit::VERIFIED);
    worked(&sample(TEST), ADDS, &[]).expect_exit(exit::VERIFIED).says("ran again and passed (");
}

/// A product that is wrong whenever it is called for such a time.
fn wrong_at(sandbox: &Sandbox, calls: &str) -> String {
    format!(
        "import pathlib\n\nCOUNT = pathlib.Path({:?})\n\n\ndef add(a, b):\n    calls = COUNT.read_text() + 'x' if \
         COUNT.exists() else 'x'\n    COUNT.write_text(calls)\n    return 0 if len(calls) in {calls} else a + b\n",
        sandbox.path("count").as_str()
    )
}

// proves: B3, G24
#[test]
fn a_product_that_is_right_now_and_then_is_asked_again_and_found() {
    let test = "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        \
                self.assertEqual(calc.add(1, 2), 3)\n";
    let sandbox = sample(test);
    // The check, one changed expectation, and the second time that it is asked again.
    let product = wrong_at(&sandbox, "(4,)");
    let finished = worked(&sandbox, &product, &[]).expect_exit(exit::ATTESTED);
    finished
        .says("said yes of this very work, and no when it was asked again: ")
        .says("ran again and failed (2 runs");
}

// proves: B3
#[test]
fn a_test_that_needs_the_others_is_no_finding() {
    let test = "import unittest\nimport calc\n\nready = []\n\n\nclass T(unittest.TestCase):\n    \
                def test_a(self):\n        ready.append(1)\n\n    def test_b(self):\n        \
                self.assertEqual(calc.add(1, 2) if ready else None, 3)\n";
    worked(&sample(test), ADDS, &[]).expect_exit(exit::VERIFIED).says("ran again and passed (");
}

// proves: B3, G24
#[test]
fn a_check_without_names_that_said_no_to_nearly_the_same_work_is_asked_once_more() {
    for (right, code) in [("2", exit::ATTESTED), ("2|3", exit::VERIFIED)] {
        let sandbox = Sandbox::with(&Sample::shell().file("say.py", "word = 'wrong'\n"));
        let count = sandbox.path("count");
        let said = format!(
            "import os\n\nos.system('echo x >> \"{count}\"')\ncalls = len(open({:?}).readlines())\n\
             word = 'right' if str(calls) in '{right}'.split('|') else 'wrong'\n",
            count.as_str()
        );
        let agent = FakeAgent::new(&sandbox)
            .turn(1, [Step::write("say.py", &said), Step::claim()])
            .otherwise([Step::write("say.py", &format!("# again\n{said}")), Step::claim()]);
        let check = "python3 -B -c 'import say; assert say.word == \"right\"'";
        run(&sandbox, &agent, &["--check", check, "-n", "3"]).run().does_not_panic().expect_exit(code);
    }
}

/// A refactoring of `add`, beside tests that see it or not, where everything is to stay green.
fn refactored(test: &str, product: &str) -> Finished {
    let test = format!(
        "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        {test}\n"
    );
    let sandbox = Sandbox::with(&Sample::shell().file("calc.py", ADDS).file("test_calc.py", &test));
    worked(&sandbox, product, &["--expect", "stay-green"])
}

const SUMS: &str =
    "def add(a, b):\n    total = a\n    if b != 0:\n        total = total + b\n    return total\n";

// proves: B3, G24
#[test]
fn a_refactoring_is_proven_by_checks_that_see_errors_in_it() {
    let sees = "self.assertEqual([calc.add(1, 2), calc.add(4, 0)], [3, 4])";
    let finished = refactored(sees, SUMS).expect_exit(exit::VERIFIED);
    finished.says("the checks turn red for 3 errors put into the changed lines, one at a time");
    let misses = "self.assertIsNotNone(calc.add(1, 2))";
    let finished = refactored(misses, SUMS).expect_exit(exit::ATTESTED);
    // The worker was asked for tests once.
    finished.says("calc.py:4: `total = total - b` for `total = total + b`").says("iteration 2/2 begins");
}

// proves: B3
#[test]
fn words_and_data_prove_nothing_where_everything_is_to_stay_green() {
    let sees = "self.assertEqual(calc.add(1, 2), 3)";
    refactored(sees, &format!("# Adds.\n{ADDS}"))
        .expect_exit(exit::ATTESTED)
        .says("no changed line could be given an error");
}
