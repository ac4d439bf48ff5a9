//! A suite that cannot fail proves nothing (SPEC B3): one expectation is changed, and the check has to turn red.

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step};

use crate::{exit, run};

const SUBTRACTS: &str = "def add(a, b):\n    return a - b\n";
const ADDS: &str = "def add(a, b):\n    return a + b\n";
const RIGHT: &str = "self.assertEqual(calc.add(1, 2), 3)";

/// Two turns that leave this product, with one test that says this.
fn worked(assertion: &str, product: &str) -> Finished {
    let test = format!(
        "import unittest\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        {assertion}\n"
    );
    let sample = Sample::shell().file("calc.py", SUBTRACTS).file("test_calc.py", &test);
    let sandbox = Sandbox::with(&sample);
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("calc.py", product), Step::claim()]);
    run(&sandbox, &agent, &["--check", "python3 -B -m unittest -v", "-n", "2"]).run().does_not_panic()
}

// proves: B3, G24
#[test]
fn a_product_for_which_no_test_can_fail_is_found_and_never_verified() {
    let equals = "class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef add(a, b):\n    return Any()\n";
    let patches =
        format!("import unittest\nunittest.TestCase.assertEqual = lambda *rest: None\n\n\n{SUBTRACTS}");
    let forges = format!(
        "import unittest\nunittest.TextTestResult.addFailure = unittest.TextTestResult.addExpectedFailure = \\\n    \
         lambda self, test, error: unittest.TextTestResult.addSuccess(self, test)\n\n\n{SUBTRACTS}"
    );
    for product in [equals, &patches, &forges] {
        let finished = worked(RIGHT, product).expect_exit(exit::ATTESTED);
        finished.says("passes all the same where").says("expects 13 for 3");
    }
}

// proves: B3
#[test]
fn an_honest_product_costs_one_run_of_the_test_that_proves_it_and_that_is_shown() {
    let finished = worked(RIGHT, ADDS).expect_exit(exit::VERIFIED);
    finished.says("fails when its expectation is changed (1 run, ");
    // A suite that compares with nothing plain is no finding.
    let finished = worked("self.assertTrue(calc.add(1, 2) > 2)", ADDS).expect_exit(exit::VERIFIED);
    finished.says("no expected value to break was found");
}
