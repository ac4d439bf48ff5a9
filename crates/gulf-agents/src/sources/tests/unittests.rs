//! New tests of Python's unittest: what names them, what they inherit, and where they cannot be loaded.

use super::probed::judge;
use crate::reports::TestId;
use crate::sources::*;

const RULE: &str = "======================================================================";

/// What unittest prints of one failure among two tests.
fn unittest(title: &str, trace: &str) -> Vec<u8> {
    let line = "-".repeat(70);
    format!("F.\n{RULE}\n{title}\n{line}\n{trace}\n\n{line}\nRan 2 tests in 0.001s\n\nFAILED (failures=1)\n")
        .into_bytes()
}

const UNITTEST_GREEN: &[u8] = b"..\n----\nRan 2 tests in 0.001s\n\nOK\n";

#[test]
fn a_new_test_is_known_in_the_words_of_every_unittest() {
    let new = "import unittest\nclass New(unittest.TestCase):\n    def test_two(self):\n        pass\n";
    let files = [("tests/test_new.py", None, Some(new))];
    let is_red = |title: &str| {
        let output = unittest(title, "AssertionError: 0 != 4");
        matches!(judge(&files, &output, UNITTEST_GREEN), ProbeVerdict::Red { .. })
    };
    for title in [
        "FAIL: test_two (tests.test_new.New.test_two)",
        "FAIL: test_two (test_new.New.test_two)",
        "ERROR: test_two (tests.test_new.New)",
        "FAIL: test_two (test_new.New)",
        "FAIL: test_two (test_new.New.test_two) (a=1)",
        "FAIL: test_two (test_new.New.test_two) [sum] (a='(x)')",
        "FAIL: test_two (project.tests.test_new.New.test_two)",
        "FAIL: test_two (__main__.New.test_two)",
    ] {
        assert!(is_red(title), "{title}");
    }
    for title in [
        "FAIL: test_two (tests.test_old.New.test_two)",
        "FAIL: test_two (test_new.Old.test_two)",
        "FAIL: test_two (New.test_two)",
        "FAIL: test_two_more (test_new.New.test_two_more)",
        "ERROR: setUpClass (tests.test_new.New)",
        "ERROR: test_two (unittest.loader._FailedTest.test_two)",
    ] {
        assert!(!is_red(title), "{title}");
    }
}

#[test]
fn a_module_that_unittest_cannot_import_for_its_new_test_is_red() {
    let new = "import unittest\nfrom calc import mul\nclass Mul(unittest.TestCase):\n    def test_mul(self):\n        mul(2, 2)\n";
    let files = [("tests/test_mul.py", None, Some(new))];
    let failed = |frames: &str| {
        let trace = format!(
            "ImportError: Failed to import test module: test_mul\nTraceback (most recent call last):\n  File \"/usr/lib/python3.11/unittest/loader.py\", line 362, in _get\n    __import__(name)\n{frames}ImportError: no\n"
        );
        unittest("ERROR: test_mul (unittest.loader._FailedTest.test_mul)", &trace)
    };
    let own = "  File \"tests/test_mul.py\", line 2, in <module>\n    from calc import mul\n";
    assert!(matches!(judge(&files, &failed(own), UNITTEST_GREEN), ProbeVerdict::Red { .. }));
    let products = format!("{own}  File \"calc.py\", line 1, in <module>\n    import gone\n");
    assert!(matches!(
        judge(&files, &failed(&products), UNITTEST_GREEN),
        ProbeVerdict::Inconclusive { why: Unclear::ErrorElsewhere { .. } }
    ));
    assert!(matches!(
        judge(&files, &failed(""), UNITTEST_GREEN),
        ProbeVerdict::Inconclusive { why: Unclear::ErrorWithoutPlace { .. } }
    ));
    // `python3 tests/test_mul.py` says nothing but this.
    let program = |frames: &str| format!("Traceback (most recent call last):\n{frames}ImportError: no\n");
    assert!(matches!(judge(&files, program(own).as_bytes(), UNITTEST_GREEN), ProbeVerdict::Red { .. }));
    for other in [products, own.replace("<module>", "test_mul"), own.replace("tests/", "/tests/")] {
        assert!(!matches!(
            judge(&files, program(&other).as_bytes(), UNITTEST_GREEN),
            ProbeVerdict::Red { .. }
        ));
    }
}

const MIXIN: &str = "import unittest\n\nfrom calc import add\n\n\nclass Adding:\n    def test_zero(self):\n        assert add(self.value, 0) == self.value\n";
const MIXIN_SUM: &str = "\n    def test_sum(self):\n        assert add(self.value, 1) == self.value + 1\n";
const HEIRS: &str = "\n\nclass TestPlain(Adding):\n    value = 3\n\n\nclass TestNested(TestPlain, unittest.TestCase):\n    value = 4\n\n    def test_own(self):\n        assert self.value == 4\n\n\nclass TestOwn(Adding):\n    value = 5\n\n    def test_sum(self):\n        assert True\n";

#[test]
fn a_new_test_of_a_mixin_is_known_by_the_classes_that_inherit_it() {
    let (base, candidate) = (format!("{MIXIN}{HEIRS}"), format!("{MIXIN}{MIXIN_SUM}{HEIRS}"));
    let files = [("tests/test_calc.py", Some(&*base), Some(&*candidate))];
    let red = include_bytes!("../../../tests/fixtures/pytest_mixin.txt");
    let green = include_bytes!("../../../tests/fixtures/pytest_mixin_verbose.txt");
    let ids = |classes: &[&str]| -> Vec<TestId> {
        classes.iter().map(|class| TestId::new(format!("tests/test_calc.py::{class}::test_sum"))).collect()
    };
    let by = ids(&["TestNested", "TestPlain"]).into_iter().map(Proof::Test).collect();
    assert_eq!(judge(&files, red, green), ProbeVerdict::Red { by });
    let tests = ids(&["TestNested", "TestPlain"]);
    assert_eq!(judge(&files, green, green), ProbeVerdict::Passes { tests });
}

/// The names of the one new test, after its own.
#[track_caller]
fn check_heirs(classes: &str, wanted: &[&str]) {
    let source = |method: &str| format!("class Mixin:\n    def test_old(self): pass\n{method}\n{classes}");
    let new = source("    def test_new(self): pass\n");
    let found = new_tests("tests/test_a.py", Some(source("").as_bytes()), new.as_bytes());
    assert_eq!(found[0].inherited, wanted, "{classes}");
    assert_eq!(found.len(), 1);
}

#[test]
fn only_who_calls_the_mixins_method_inherits_it() {
    check_heirs("class A(Mixin): pass\nclass B(object): pass\n", &["A::test_new"]);
    check_heirs("@mark('class A(B)')\nclass A(TestCase, Mixin, metaclass=M):\n    x = 1\n", &["A::test_new"]);
    check_heirs("class A(\n    Mixin,\n):\n    def test_a(self): pass\n", &["A::test_new"]);
    check_heirs("class A:\n    def test_a(self): pass\n    class B(Mixin): pass\n", &["A::B::test_new"]);
    for other in [
        "class A(Mixin):\n    test_new = None\n",
        "class A(Mixin):\n    def test_a(self): pass\n    test_new = None\n",
        "from b import B\nclass A(B, Mixin): pass\n",
        "from b import Mixins\nclass A(Mixins): pass\n",
        "class A(B): pass\nclass B(A): pass\n",
    ] {
        check_heirs(other, &[]);
    }
    let diamond =
        "class A(Mixin): pass\nclass B(Mixin):\n    def test_new(self): return 1\nclass C(A, B): pass\n";
    let source = |method: &str| format!("class Mixin:\n    def test_old(self): pass\n{method}\n{diamond}");
    let (old, new) = (source(""), source("    def test_new(self): pass\n"));
    let found = new_tests("tests/test_a.py", Some(old.as_bytes()), new.as_bytes());
    assert_eq!(found[0].inherited, ["A::test_new"], "C takes it from B");
}
