//! What runners of other languages print at their end.

use super::forms::check;
use crate::reports::*;

const FAILING: [(&str, (u64, u64, u64), &str); 8] = [
    (
        "Failures:\n\n  1) Calc adds\n     Failure/Error: expect(1).to eq 2\n\nFinished in 0.01 seconds\n\
         4 examples, 1 failure, 1 pending\n\nFailed examples:\n\nrspec ./spec/calc_spec.rb:3 # Calc adds\n",
        (2, 1, 1),
        "! Calc adds",
    ),
    (
        "E.FS\n\nFinished in 0.001409s, 2839.7534 runs/s, 1419.8767 assertions/s.\n\n  1) Failure:\n\
         Shop::CalcTest#test_adds [/w/test/calc_test.rb:4]:\nExpected: 3\n  Actual: 1\n\n  2) Skipped:\n\
         Shop::CalcTest#test_skip [/w/test/calc_test.rb:13]:\nlater\n\n\
         4 runs, 2 assertions, 1 failures, 0 errors, 1 skips\n",
        (2, 1, 1),
        "! Shop::CalcTest#test_adds",
    ),
    (
        ".\n\n  1) test adds (CalcTest)\n     test/calc_test.exs:4\n     Assertion with == failed\n\n\
         Finished in 0.1 seconds (0.00s async, 0.1s sync)\n1 doctest, 3 tests, 1 failure, 1 skipped\n",
        (2, 1, 1),
        "! test adds (CalcTest)",
    ),
    (
        "..FS  4 / 4 (100%)\n\nThere was 1 failure:\n\n1) CalcTest::testAdds\nFailed asserting that 1 is 2.\n\n\
         FAILURES!\nTests: 4, Assertions: 3, Failures: 1, Skipped: 1.\n",
        (2, 1, 1),
        "! CalcTest::testAdds",
    ),
    (
        "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.02 s -- in CalcTest\n\
         [INFO] Results:\n[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n",
        (1, 2, 1),
        "",
    ),
    (
        "  Failed Calc.Tests.Adds [12 ms]\n  Error Message:\n   no\n\n\
         Failed!  - Failed:     1, Passed:     2, Skipped:     1, Total:     4, Duration: 12 ms - calc.dll (net8.0)\n",
        (2, 1, 1),
        "! Calc.Tests.Adds",
    ),
    (
        "67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  2 - adds (Failed)\n\
         Errors while running CTest\n",
        (2, 1, 0),
        "! adds",
    ),
    (
        "Test Case 'CalcTests.testAdds' failed (0.1 seconds)\n\
         \t Executed 2 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds\n\
         \t Executed 4 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.1 (0.1) seconds\n",
        (2, 1, 1),
        "! CalcTests.testAdds",
    ),
];

#[test]
fn each_closing_counts_and_failures_have_the_names_that_stand_there() {
    for (output, counts, failed) in FAILING {
        let complete = if failed.is_empty() { Completeness::None } else { Completeness::FailuresOnly };
        check(output.as_bytes(), complete, counts, failed);
    }
}

#[test]
fn minitest_names_each_test_where_it_is_asked_to() {
    let output = "CalcTest#test_keeps = 0.00 s = .\nCalcTest#test_adds = 0.00 s = F\n\
                  CalcTest#test_skip = 0.00 s = S\n\nFinished in 0.006459s\n\n  1) Failure:\n\
                  CalcTest#test_adds [test/calc_test.rb:4]:\nExpected: 3\n\n\
                  3 runs, 2 assertions, 1 failures, 0 errors, 1 skips\n";
    let results = "! CalcTest#test_adds\n+ CalcTest#test_keeps\n~ CalcTest#test_skip";
    check(output.as_bytes(), Completeness::Every, (1, 1, 1), results);
}

#[test]
fn a_green_closing_says_that_nothing_failed() {
    for (output, passed) in [
        ("3 examples, 0 failures\n", 3),
        ("3 runs, 5 assertions, 0 failures, 0 errors, 0 skips\n", 3),
        ("1 property, 2 tests, 0 failures\n", 3),
        ("OK (3 tests, 5 assertions)\n", 3),
        ("[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n", 3),
        (
            "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 1 ms - a.dll\n",
            3,
        ),
        ("100% tests passed, 0 tests failed out of 3\n", 3),
        ("100% tests passed out of 3\n", 3),
        ("\t Executed 3 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds\n", 3),
    ] {
        check(output.as_bytes(), Completeness::FailuresOnly, (passed, 0, 0), "");
    }
}

#[test]
fn prose_is_no_closing() {
    for output in [
        "3 examples, and more\n",
        "3 tests, 2 assertions\n",
        "2 runs, 1 assertions\n",
        "OK (nearly)\n",
        "Tests: 3, maybe.\n",
        "Executed 3 plans, with 1 friend\n",
    ] {
        assert_eq!(read(output.as_bytes()), TestReport::default(), "{output}");
    }
}
