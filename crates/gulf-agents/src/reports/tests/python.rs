//! What pytest and unittest print, and the file that pytest writes beside it.

use super::forms::check;
use super::{fixture, read_with_files};
use crate::reports::*;

const PYTEST_FAILURES: &str = r"
    ! tests/test_calc.py::TestAdd::test_bad
    ! tests/test_calc.py::test_error
    ! tests/test_calc.py::test_param[2]
    ! tests/test_calc.py::test_prints
    ! tests/test_calc.py::test_xpass_strict";

const PYTEST: &str = r"
    ! tests/test_calc.py::TestAdd::test_bad
    + tests/test_calc.py::TestAdd::test_method
    ! tests/test_calc.py::test_error
    + tests/test_calc.py::test_param[1]
    ! tests/test_calc.py::test_param[2]
    + tests/test_calc.py::test_param[\ud55c\uae00 b::c]
    + tests/test_calc.py::test_param[x - y]
    ! tests/test_calc.py::test_prints
    ~ tests/test_calc.py::test_skipped
    ~ tests/test_calc.py::test_xfail
    + tests/test_calc.py::test_xpass
    ! tests/test_calc.py::test_xpass_strict";

#[test]
fn pytest_names_every_test_only_when_asked_to() {
    check(fixture!("pytest_default.txt"), Completeness::FailuresOnly, (5, 5, 2), PYTEST_FAILURES);
    check(fixture!("pytest_quiet.txt"), Completeness::FailuresOnly, (5, 5, 2), PYTEST_FAILURES);
    check(fixture!("pytest_verbose.txt"), Completeness::Every, (5, 5, 2), PYTEST);
    check(fixture!("pytest_colour.txt"), Completeness::Every, (5, 5, 2), PYTEST);
    check(fixture!("pytest_xdist.txt"), Completeness::Every, (5, 5, 2), PYTEST);
    let passes_named: Vec<_> = PYTEST.lines().filter(|line| !line.contains("test_skipped")).collect();
    check(fixture!("pytest_ra.txt"), Completeness::FailuresOnly, (5, 5, 2), &passes_named.join("\n"));
}

#[test]
fn a_pytest_module_that_cannot_be_imported_fails_under_its_path() {
    check(
        fixture!("pytest_import_error.txt"),
        Completeness::FailuresOnly,
        (0, 1, 0),
        "! tests/test_import.py",
    );
}

#[test]
fn a_green_pytest_names_nothing_and_is_readable() {
    let output = b"...                                                                      [100%]\n3 passed, 2 warnings in 0.03s\n";
    check(output, Completeness::FailuresOnly, (3, 0, 0), "");
    check(b"2 warnings in 0.5s\n", Completeness::None, (0, 0, 0), "");
}

const SUBTESTS: &str = "============================= test session starts ==============================
collected 4 items

test_s.py ....                                                           [100%]

=================================== FAILURES ===================================
E           AssertionError: 1 == 1
=========================== short test summary info ============================
SUBFAILED(i=1) test_s.py::T::test_bad - AssertionError: 1 == 1
SUBFAILED(i=2, text=') x::y') test_s.py::T::test_bad2 - AssertionError: x
SUBFAILED(i=3) test_s.py::T::test_bad2 - AssertionError: x
FAILED test_s.py::T::test_red - AssertionError: x
=================== 4 failed, 3 passed, 2 subtests passed in 0.13s ====================
";

// proves: B3
#[test]
fn a_test_whose_subtests_fail_has_failed_once_and_its_junit_file_is_believed() {
    let failed = "! test_s.py::T::test_bad\n! test_s.py::T::test_bad2\n! test_s.py::T::test_red";
    check(SUBTESTS.as_bytes(), Completeness::FailuresOnly, (1, 3, 0), failed);
    let case = |name: &str, inside: &str| {
        format!("<testcase classname=\"test_s.T\" name=\"{name}\">{inside}</testcase>")
    };
    let cases = [
        case("test_bad", "<failure/>"),
        case("test_bad2", "<failure/><failure/>"),
        case("test_red", "<failure/>"),
        case("test_ok", ""),
    ];
    let junit = format!(
        "<testsuites><testsuite name=\"pytest\" tests=\"17\">{}</testsuite></testsuites>",
        cases.concat()
    );
    let report = read_with_files(SUBTESTS.as_bytes(), &[junit.as_bytes()]);
    assert_eq!(report.complete, Completeness::Every);
    assert_eq!(report.tests.get(&TestId::new("test_s.T::test_ok")), Some(&TestOutcome::Passed));
}

/// As pytest 9.2.0 writes it: three of four tests skip one of their subtests.
const SKIPPING: &str = r#"<testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="0" skipped="3" tests="11"><testcase classname="test_s.T" name="test_ok" /><testcase classname="test_s.T" name="test_some_skipped"><skipped type="pytest.skip" message="no">no</skipped></testcase><testcase classname="test_s" name="test_fix"><skipped type="pytest.skip" message="no">no</skipped></testcase><testcase classname="test_s" name="test_all_skipped"><skipped type="pytest.skip" message="no">no</skipped></testcase></testsuite></testsuites>"#;

// proves: B3
#[test]
fn a_test_that_skips_a_subtest_hides_no_other_test() {
    let beside = |output: &str| read_with_files(output.as_bytes(), &[SKIPPING.as_bytes()]);
    for printed in [
        "test_s.py ....      [100%]\n\n====== 4 passed in 0.11s ======\n",
        "..u-u.-.            [100%]\n4 passed, 3 skipped, 4 subtests passed in 0.06s\n",
    ] {
        let report = beside(printed);
        assert_eq!(report.complete, Completeness::Every);
        assert_eq!(report.tests[&TestId::new("test_s.T::test_ok")], TestOutcome::Passed);
        assert_eq!(report.tests[&TestId::new("test_s::test_fix")], TestOutcome::Skipped);
    }
    let two = "====== 4 passed in 0.11s ======\n====== test session starts ======\n====== 4 passed in 0.1s ======\n";
    for other in [two, "3 passed in 0.1s\n", "3 passed, 1 failed in 0.1s\n", "5 passed in 0.1s\n"] {
        assert!(!beside(other).tests.contains_key(&TestId::new("test_s.T::test_ok")), "{other}");
    }
}

const UNITTEST: &str = "F.s
======================================================================
FAIL: test_add (tests.test_calc.T.test_add)
----------------------------------------------------------------------
Traceback (most recent call last):
  File \"a.py\", line 5, in test_add
AssertionError: -1 != 3

----------------------------------------------------------------------
Ran 3 tests in 0.001s

FAILED (failures=1, skipped=1)
";

// proves: B3
#[test]
fn unittest_names_failures_and_counts_the_rest() {
    let failed = "! test_add (tests.test_calc.T.test_add)";
    check(UNITTEST.as_bytes(), Completeness::FailuresOnly, (1, 1, 1), failed);
    check(b"..\nRan 2 tests in 0.000s\n\nOK\n", Completeness::FailuresOnly, (2, 0, 0), "");
    assert!(read(b"\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n").ran_no_tests());
    for cut in [UNITTEST.split("Ran").next().unwrap_or_default(), "Ran 2 tests in 0.1s\n\n", "..\n"] {
        assert_eq!(read(cut.as_bytes()).complete, Completeness::None, "{cut}");
    }
}

// proves: B3
#[test]
fn subtests_of_unittest_count_as_the_test_that_ran() {
    let subtest = |name: &str| {
        UNITTEST.lines().skip(1).take(5).map(|line| format!("{line}\n")).collect::<String>().replace(
            "FAIL: test_add (tests.test_calc.T.test_add)",
            &format!("FAIL: test_all (tests.test_calc.T.test_all) {name}"),
        )
    };
    let printed = UNITTEST
        .replacen("=====", &format!("{}{}=====", subtest("(n=1)"), subtest("[twice] (n=2)")), 1)
        .replace("failures=1", "failures=3");
    let failed = "! test_add (tests.test_calc.T.test_add)\n! test_all (tests.test_calc.T.test_all)";
    check(printed.as_bytes(), Completeness::FailuresOnly, (0, 2, 1), failed);
}

const UNITTEST_VERBOSE: &str = "test_a (test_c.T.test_a) ... ok
test_doc (test_c.T.test_doc)
It adds. ... ok
test_doc_red (test_c.T.test_doc_red)
It breaks. ... FAIL
test_print (test_c.T.test_print) ... err
ok
test_skip (test_c.T.test_skip) ... skipped 'no'
test_known (test_c.T.test_known) ... expected failure

======================================================================
FAIL: test_doc_red (test_c.T.test_doc_red)
It breaks.
----------------------------------------------------------------------
AssertionError: x

----------------------------------------------------------------------
Ran 6 tests in 0.002s

FAILED (failures=1, skipped=1, expected failures=1)
";

// proves: B3
#[test]
fn unittest_with_v_names_every_test() {
    let report = read(UNITTEST_VERBOSE.as_bytes());
    assert_eq!(report.complete, Completeness::Every);
    let passed = |name: &str| report.tests.get(&TestId::new(name)) == Some(&TestOutcome::Passed);
    assert!(passed("test_a (test_c.T.test_a)") && passed("test_print (test_c.T.test_print)"));
    assert!(passed("test_doc (test_c.T.test_doc)"), "{:?}", report.tests);
    // A test that prints the outcome of another one is believed by nobody.
    let forged = UNITTEST_VERBOSE
        .replace("... err", "... test_skip (test_c.T.test_skip) ... ok\ntest_b (t.T.test_b) ... ok");
    let report = read(forged.as_bytes());
    assert_eq!((report.complete, report.tests.len()), (Completeness::FailuresOnly, 1), "{:?}", report.tests);
    let before = format!("run_all (make.all) ... ok\n{UNITTEST}");
    assert_eq!(read(before.as_bytes()).complete, Completeness::FailuresOnly);
    assert!(read(b"run_all (make.all) ... ok\n").runners.is_empty());
}

// proves: B3
#[test]
fn what_a_test_prints_takes_no_failure_of_unittest_away() {
    let printed = UNITTEST.replace("F.s", "Ran 3 tests in 0.1s\n\nOK\n======= x\nOK");
    let report = read(printed.as_bytes());
    assert_eq!((report.counts.failed, report.failed().count()), (1, 1));
}
