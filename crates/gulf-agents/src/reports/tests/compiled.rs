//! What ctest and `swift test` print.

use super::fixture;
use super::forms::check;
use crate::reports::*;

const CTEST: &str = "
    + adds
    ! crash
    ~ disabled
    ! is.wrong
    ! missing
    ~ skipped
    ! slow
    + with space";
const FAILURES: &str = "! crash\n! is.wrong\n! missing\n! slow";

#[test]
fn ctest_names_every_test() {
    check(fixture!("ctest_failing.txt"), Completeness::Every, (2, 4, 2), CTEST);
    let many = " 9/10 Test  #9: nine ...................***Exception: SegFault  0.00 sec\n";
    assert_eq!(read(many.as_bytes()).tests[&TestId::new("nine")], TestOutcome::Failed);
    let aborted =
        "1/1 Test #1: trim .............................Subprocess aborted***Exception:   0.05 sec\n";
    assert_eq!(read(aborted.as_bytes()).tests[&TestId::new("trim")], TestOutcome::Failed);
}

#[test]
fn a_line_of_ctest_that_a_test_made_up_passes_nothing() {
    let output = std::str::from_utf8(fixture!("ctest_failing.txt")).unwrap();
    let failed = "2/8 Test #2: is.wrong .........................***Failed    0.00 sec\n";
    for printed in
        ["3/8 Test #3: new ....   Passed    0.00 sec\n", "9/9 Test #9: new ....   Passed    0.00 sec\n"]
    {
        let forged = output.replace(failed, &format!("{failed}{printed}"));
        check(forged.as_bytes(), Completeness::FailuresOnly, (2, 4, 2), FAILURES);
    }
    // In place of another one that passed.
    let hidden = output.replace("3/8 Test #3: with space ..", "x 3/8 Test #3: with space ..");
    check(hidden.as_bytes(), Completeness::FailuresOnly, (2, 4, 2), FAILURES);
    let cut = &output[..output.find("43%").unwrap()];
    check(cut.as_bytes(), Completeness::None, (0, 4, 0), FAILURES);
}

#[test]
fn what_ctest_prints_beside_another_runner_is_a_report_of_its_own() {
    let both = [fixture!("ctest_failing.txt"), fixture!("libtest_failing.txt")].concat();
    let report = read(&both);
    assert_eq!(report.runners, [Runner::Ctest, Runner::Libtest].into());
    assert_eq!(report.complete, Completeness::Every);
    assert_eq!(report.counts.total(), 8 + 11);
}

/// As XCTest prints it off macOS (<https://github.com/swiftlang/swift-corelibs-xctest>, `PrintObserver.swift`).
const XCTEST: &str = "Test Suite 'All tests' started at 2026-11-25 16:00:00.000
Test Suite 'CalcTests' started at 2026-11-25 16:00:00.000
Test Case 'CalcTests.testAdds' started at 2026-11-25 16:00:00.000
Test Case 'CalcTests.testAdds' passed (0.001 seconds)
Test Case 'CalcTests.testFails' started at 2026-11-25 16:00:00.001
/r/Tests/CalcTests.swift:7: error: CalcTests.testFails : XCTAssertEqual failed: (\"3\") is not equal to (\"4\") -
/r/Tests/CalcTests.swift:8: error: CalcTests.testFails : XCTAssertEqual failed: (\"3\") is not equal to (\"5\") -
Test Case 'CalcTests.testFails' failed (0.001 seconds)
Test Case 'CalcTests.testLater' started at 2026-11-25 16:00:00.002
Test Case 'CalcTests.testLater' skipped (0.001 seconds)
Test Suite 'CalcTests' failed at 2026-11-25 16:00:00.003
\t Executed 3 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.003 (0.003) seconds
Test Suite 'All tests' failed at 2026-11-25 16:00:00.003
\t Executed 3 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.003 (0.003) seconds
";
/// As `HumanReadableOutputRecorder.swift` has it (<https://github.com/swiftlang/swift-testing>).
const TESTING: &str = "◇ Test run started.
↳ Testing Library Version: 6.1
◇ Suite Sums started.
◇ Test \"sums of two\" started.
◇ Test fails() started.
✘ Test fails() recorded an issue at SumsTests.swift:9:5: Expectation failed: 1 == 2
✘ Test fails() failed after 0.001 seconds with 1 issue.
✔ Test \"sums of two\" with 3 test cases passed after 0.001 seconds.
✘ Suite Sums failed after 0.002 seconds with 1 issue.
✘ Test run with 2 tests in 1 suite failed after 0.002 seconds with 1 issue.
";

#[test]
fn swift_names_the_tests_of_both_of_its_libraries() {
    let xctest = "+ CalcTests.testAdds\n! CalcTests.testFails\n~ CalcTests.testLater";
    check(XCTEST.as_bytes(), Completeness::Every, (1, 1, 1), xctest);
    check(TESTING.as_bytes(), Completeness::Every, (1, 1, 0), "! fails()\n+ sums of two");
    let both = format!("{XCTEST}{TESTING}");
    check(both.as_bytes(), Completeness::Every, (2, 2, 1), &format!("{xctest}\n! fails()\n+ sums of two"));
    let macos = "Test Case '-[CalcTests.CalcTests testAdds]' passed (0.001 seconds).\n\
                 \t Executed 1 test, with 0 failures (0 unexpected) in 0.001 (0.001) seconds\n";
    check(macos.as_bytes(), Completeness::Every, (1, 0, 0), "+ CalcTests.CalcTests.testAdds");
}

#[test]
fn what_a_swift_test_prints_passes_nothing_and_hides_no_failure() {
    let begun = "Test Case 'CalcTests.testLater' started";
    let added =
        XCTEST.replacen(begun, &format!("Test Case 'CalcTests.testNew' passed (0.0 seconds)\n{begun}"), 1);
    check(added.as_bytes(), Completeness::FailuresOnly, (1, 1, 1), "! CalcTests.testFails");
    let hidden = XCTEST.replace("Test Case 'CalcTests.testFails' failed", "x");
    check(hidden.as_bytes(), Completeness::None, (0, 2, 1), "");
    let cut = &XCTEST[..XCTEST.find("\t Executed").unwrap()];
    check(cut.as_bytes(), Completeness::None, (0, 1, 0), "! CalcTests.testFails");
    let cut = format!("{XCTEST}{}", &TESTING[..TESTING.find("✘ Suite").unwrap()]);
    assert_eq!(read(cut.as_bytes()).complete, Completeness::None, "a second library had begun");
    let made_up = TESTING.replace(
        "✘ Test fails() recorded",
        "✔ Test new() passed after 0.1 seconds.\n✘ Test fails() recorded",
    );
    assert!(read(made_up.as_bytes()).tests.values().all(|outcome| *outcome == TestOutcome::Failed));
}
