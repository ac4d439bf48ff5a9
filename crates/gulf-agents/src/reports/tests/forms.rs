//! Each runner's recorded outputs.

use super::{fixture, read_junit};
use crate::reports::*;

pub(in crate::reports) fn check(
    output: &[u8],
    complete: Completeness,
    counts: (u64, u64, u64),
    expected: &str,
) {
    compare(&read(output), complete, counts, expected);
}

pub(super) fn compare(report: &TestReport, complete: Completeness, counts: (u64, u64, u64), expected: &str) {
    let lines = report.tests.iter().map(|(id, outcome)| {
        let sign = match outcome {
            TestOutcome::Passed => '+',
            TestOutcome::Failed => '!',
            TestOutcome::Skipped => '~',
        };
        format!("{sign} {id}")
    });
    let listed: Vec<_> = lines.collect();
    let expected: Vec<_> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(listed, expected);
    assert_eq!(report.complete, complete);
    assert_eq!((report.counts.passed, report.counts.failed, report.counts.skipped), counts);
}

const LIBTEST: &str = "
    ! it::fails
    + it::works
    + sample::bin/sample::tests::main_test
    + sample::doc::src/lib.rs - add
    ! sample::doc::src/lib.rs - sub
    + sample::tests::adds
    + sample::tests::deep::nested
    + sample::tests::panics
    ~ sample::tests::slow
    ! sample::tests::subtracts";

#[test]
fn libtest_names_every_test_of_every_binary() {
    check(fixture!("libtest_failing.txt"), Completeness::Every, (7, 3, 1), LIBTEST);
    check(fixture!("libtest_colour.txt"), Completeness::Every, (7, 3, 1), LIBTEST);
}

#[test]
fn a_quiet_libtest_names_failures_only() {
    let expected = "! fails\n! src/lib.rs - sub\n! tests::subtracts";
    check(fixture!("libtest_quiet.txt"), Completeness::FailuresOnly, (7, 3, 1), expected);
}

#[test]
fn what_a_test_prints_under_nocapture_does_not_pass_a_test() {
    let report = read(fixture!("libtest_nocapture.txt"));
    assert!(!report.tests.contains_key(&TestId::new("sample::tests::lies")));
    assert_eq!(report.tests[&TestId::new("sample::tests::subtracts")], TestOutcome::Failed);
    assert_ne!(report.complete, Completeness::Every);
}

#[test]
fn a_libtest_binary_that_dies_leaves_the_report_unreadable() {
    let output = b"     Running unittests src/lib.rs (target/debug/deps/a-e6daf73c296d6df0)\n\nrunning 2 tests\n\
        test one ... ok\nerror: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit successfully\n\
        \x20    Running tests/it.rs (target/debug/deps/it-e6daf73c296d6df0)\n\nrunning 1 test\ntest two ... ok\n\n\
        test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    check(output, Completeness::None, (1, 0, 0), "+ it::two");
}

#[test]
fn a_closing_line_forged_by_a_test_is_not_the_harness_s() {
    let output = b"running 3 tests\ntest one ... ok\n\
        test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
        test two ... FAILED\n\nfailures:\n\nfailures:\n    two\n\n\
        test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let report = read(output);
    assert_eq!(report.complete, Completeness::None);
    assert!(report.tests.is_empty());
}

const NEXTEST: &str = "
    + sample::bin/sample::tests::main_test
    ! sample::it::fails
    + sample::it::works
    + sample::tests::adds
    + sample::tests::deep::nested
    + sample::tests::panics
    ! sample::tests::subtracts";

#[test]
fn nextest_names_every_test_that_ran() {
    check(fixture!("nextest_failing.txt"), Completeness::Every, (5, 2, 1), NEXTEST);
    let expected = "
        ! sample::it::fails
        + sample::tests::adds
        + sample::tests::deep::nested
        + sample::tests::panics
        ! sample::tests::subtracts";
    check(fixture!("nextest_colour.txt"), Completeness::Every, (3, 2, 1), expected);
}

#[test]
fn in_nextest_a_retry_replaces_the_attempt_and_a_death_is_a_failure() {
    let output = b" Nextest run ID 1 with nextest profile: default\n    Starting 4 tests across 1 binary\n\
        \x20 TRY 1 FAIL [   0.005s] a tests::flaky\n  TRY 2 PASS [   0.005s] a tests::flaky\n\
        \x20    SIGSEGV [   0.005s] (2/4) a tests::dies\n     TIMEOUT [  10.005s] (3/4) a tests::hangs\n\
        \x20       LEAK [   0.105s] (4/4) a tests::leaks\n\
        \x20    Summary [   0.171s] 4 tests run: 2 passed (1 flaky, 1 leaky), 1 failed, 1 timed out, 0 skipped\n";
    let expected = "! a::tests::dies\n+ a::tests::flaky\n! a::tests::hangs\n+ a::tests::leaks";
    check(output, Completeness::Every, (2, 2, 0), expected);
}

const NODE: &str = "
    + adds
    ! fails # here
    + good group > inner ok
    + group > deep > x > y
    ! group > inner bad
    + group > inner ok
    + parent > sub
    ~ skip2
    ~ skipped
    ~ todo";

#[test]
fn node_names_every_test_in_tap() {
    check(fixture!("node_tap.txt"), Completeness::Every, (6, 2, 3), NODE);
    check(fixture!("node_spec_piped.txt"), Completeness::Every, (6, 2, 3), NODE);
}

#[test]
fn node_names_every_test_in_spec_unless_a_test_prints_like_one() {
    check(fixture!("node_spec_honest.txt"), Completeness::Every, (7, 2, 3), NODE);
    let failures = "! fails # here\n! group > inner bad";
    check(fixture!("node_spec.txt"), Completeness::FailuresOnly, (7, 2, 3), failures);
    check(fixture!("node_colour.txt"), Completeness::FailuresOnly, (7, 2, 3), failures);
}

#[test]
fn ticks_of_other_tools_do_not_hide_a_report() {
    let output = [b"\xe2\x9c\x94 compiled (12ms)\n", fixture!("libtest_failing.txt")].concat();
    assert_eq!(read(&output).tests[&TestId::new("it::fails")], TestOutcome::Failed);
}

#[test]
fn subtests_of_both_tap_styles_belong_to_the_result_after_them() {
    let expected = "
        ~ first file > closes
        + first file > opens
        + second file > reads # a hash
        ! second file > writes
        ~ third";
    check(fixture!("tap14.tap"), Completeness::Every, (2, 1, 2), expected);
}

// proves: L3
#[test]
fn a_time_behind_a_name_is_not_part_of_it() {
    let expected = "
        ~ first # file > closes
        + first # file > opens
        ! second > writes
        ~ third";
    check(fixture!("tap.tap"), Completeness::Every, (1, 1, 2), expected);
    let output = b"TAP version 14\nok 1 - a # SKIP no # time=1.5ms\nok 2 - b \\# time=1ms\n1..2\n";
    check(output, Completeness::Every, (1, 0, 1), "~ a\n+ b # time=1ms");
}

#[test]
fn mocha_names_every_test_in_tap() {
    let expected = "
        + sums & more adds
        + sums & more deep 한글 > x
        ! sums & more fails < here
        ~ sums & more later";
    check(fixture!("mocha.tap"), Completeness::Every, (2, 1, 1), expected);
}

#[test]
fn tape_names_a_test_before_its_assertions() {
    let output = b"TAP version 13\n# adds\nok 1 should be equal\nok 2 should be equal\n# SKIP later\n\
        # divides\nok 3 should be equal\nnot ok 4 should be equal\n  ---\n    operator: equal\n  ...\n\n\
        1..4\n# tests 4\n# pass  3\n# fail  1\n";
    check(output, Completeness::Every, (1, 1, 1), "+ adds\n! divides\n~ later");
}

#[test]
fn an_exception_that_ends_tape_is_the_failure_of_the_test_that_ran() {
    let output = b"TAP version 13\n# adds\nok 1 should be equal\n# divides\n/x/test.js:7\nTypeError: no\n";
    check(output, Completeness::None, (0, 1, 0), "! divides");
}

#[test]
fn tap_without_its_version_line_is_read_where_plan_and_results_agree() {
    check(
        b"1..2\nok 1 adds\nnot ok 2 divides\n# (in test file a.bats, line 3)\n",
        Completeness::Every,
        (1, 1, 0),
        "+ adds\n! divides",
    );
    check(
        b"building\nok 1 - adds\n# of \"2\"\nok 2 - divides\n1..2\n",
        Completeness::Every,
        (2, 0, 0),
        "+ adds\n+ divides",
    );
    check(b"1..2\nok 1 adds\n", Completeness::None, (0, 0, 0), "");
    check(b"ok 1 - adds\nok 2 - divides\n", Completeness::None, (0, 0, 0), "");
    check(b"1..9\nrunning 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", Completeness::Every, (1, 0, 0), "+ a");
}

#[test]
fn tap_without_its_whole_plan_or_bailed_out_passes_nothing() {
    check(b"TAP version 13\n1..3\nok 1 - a\nnot ok 2 - b\n", Completeness::None, (0, 1, 0), "! b");
    check(b"TAP version 13\n1..1\nok 1 - a\nBail out! no disk\n", Completeness::None, (0, 0, 0), "");
    check(b"TAP version 13\nok 1 - a\nok 2 - lie\n1..1\n", Completeness::None, (0, 0, 0), "");
}

#[test]
fn go_names_every_test_and_a_package_that_does_not_build() {
    let expected = "
        ! example.com/calc/broken
        + example.com/calc::TestAdd
        ~ example.com/calc::TestLater
        ! example.com/calc::TestTable
        ! example.com/calc::TestTable/two_plus_two";
    check(fixture!("go_failing.jsonl"), Completeness::Every, (1, 3, 1), expected);
}

#[test]
fn junit_is_read_as_pytest_nextest_and_node_write_it() {
    let pytest = r"
        ! tests.test_calc.TestAdd::test_bad
        + tests.test_calc.TestAdd::test_method
        ! tests.test_calc::test_error
        + tests.test_calc::test_param[1]
        ! tests.test_calc::test_param[2]
        + tests.test_calc::test_param[\ud55c\uae00 b::c]
        + tests.test_calc::test_param[x - y]
        ! tests.test_calc::test_prints
        ~ tests.test_calc::test_skipped
        ~ tests.test_calc::test_xfail
        + tests.test_calc::test_xpass
        ! tests.test_calc::test_xpass_strict";
    compare(&read_junit(fixture!("pytest_junit.xml")), Completeness::Every, (5, 5, 2), pytest);
    let nextest = "
        + sample > tests::adds
        + sample > tests::deep::nested
        + sample > tests::panics
        ! sample > tests::subtracts
        + sample::bin/sample > tests::main_test
        ! sample::it > fails
        + sample::it > works";
    compare(&read_junit(fixture!("nextest_junit.xml")), Completeness::Every, (5, 2, 0), nextest);
    compare(&read_junit(fixture!("node_junit.xml")), Completeness::Every, (6, 2, 3), NODE);
}

#[test]
fn junit_is_read_as_jest_and_mocha_write_it() {
    let jest = "
        + sums & more > sums & more adds::sums & more adds
        + sums & more > sums & more deep 한글 > x::sums & more deep 한글 > x
        ! sums & more > sums & more fails < here::sums & more fails < here
        ~ sums & more > sums & more later::sums & more later";
    compare(&read_junit(fixture!("jest_junit.xml")), Completeness::Every, (2, 1, 1), jest);
    let mocha = "
        + Mocha Tests > sums & more deep::한글 > x
        + Mocha Tests > sums & more::adds
        ! Mocha Tests > sums & more::fails < here
        ~ Mocha Tests > sums & more::later";
    compare(&read_junit(fixture!("mocha_xunit.xml")), Completeness::Every, (2, 1, 1), mocha);
}

#[test]
fn junit_with_a_failing_suite_entities_and_a_byte_order_mark_is_read() {
    let xml = "\u{feff}<testsuite name=\"a &amp; b\"><testcase name=\"x &lt; y\"><error/></testcase>\
        <error message=\"no fork\"/></testsuite>";
    compare(&read_junit(xml.as_bytes()), Completeness::Every, (0, 2, 0), "! a & b\n! a & b > x < y");
    compare(&read_junit(b"<html><body/></html>"), Completeness::None, (0, 0, 0), "");
}

// proves: L3
#[test]
fn a_failure_of_tap_that_was_cut_between_its_words_passes_nothing() {
    let head = "TAP version 13\n1..2\nok 1 - a\n";
    for cut in ["not \nok 2 - b\n", "not\r\nok 2 - b\n", "not \n# said\nok 2 - b\n"] {
        check(format!("{head}{cut}").as_bytes(), Completeness::Every, (1, 1, 0), "+ a\n! b");
    }
    for garbled in ["not said\nok 2 - b\n", "saidnot ok 2 - b\nok 2 - b\n", "ok 2 - b\nnot \n"] {
        check(format!("{head}{garbled}").as_bytes(), Completeness::None, (0, 0, 0), "");
    }
}

// proves: L3
#[test]
fn what_a_test_printed_into_its_case_takes_no_failure_away() {
    let within =
        |inside: &str| format!("<testsuite name=\"s\"><testcase name=\"a\">{inside}</testcase></testsuite>");
    for inside in [
        "<system-out><skipped/></system-out><failure/>",
        "<failure/><skipped/>",
        "<failure/><testcase name=\"b\"/>",
        "<failure/><testcase name=\"a\"></testcase><testcase name=\"c\">",
    ] {
        let report = read_junit(within(inside).as_bytes());
        assert_eq!(report.tests.get(&TestId::new("s > a")), Some(&TestOutcome::Failed), "{inside}");
        assert_eq!(report.counts.failed, 1, "{inside}");
    }
    let nested = read_junit(within("<testcase name=\"b\"/>").as_bytes());
    assert_eq!(nested.complete, Completeness::None, "a case within a case is no case of a test");
}

#[test]
fn a_worker_reads_what_go_printed_and_not_its_events() {
    let tail = tail_for_worker(fixture!("go_failing.jsonl"), 4_000);
    assert!(tail.contains("--- FAIL: ") && !tail.contains("Action"), "{tail}");
    assert_eq!(tail_for_worker(b"{\"Action\":1}\n", 100), "{\"Action\":1}");
}

#[test]
fn go_is_read_as_it_prints_by_itself() {
    let verbose = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestT\n=== RUN   TestT/one\n=== RUN   TestT/two\n--- FAIL: TestT (0.00s)\n    --- PASS: TestT/one (0.00s)\n    a_test.go:9: no\n    --- FAIL: TestT/two (0.00s)\nFAIL\nFAIL\texample.org/app\t0.003s\n=== RUN   TestB\n    b_test.go:3: later\n--- SKIP: TestB (0.00s)\nPASS\nok  \texample.org/app/sub\t0.002s\n?   \texample.org/app/none\t[no test files]\nFAIL\n";
    let report = read(verbose.as_bytes());
    assert_eq!(report.complete, Completeness::Every);
    assert_eq!((report.counts.passed, report.counts.failed, report.counts.skipped), (2, 2, 1));
    let failed: Vec<_> = report.failed().map(TestId::as_str).collect();
    assert_eq!(failed, ["example.org/app::TestT", "example.org/app::TestT/two"]);

    let quiet = "--- FAIL: TestA (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\texample.org/app\t0.003s\nok  \texample.org/app/sub\t(cached)\nFAIL\n";
    let report = read(quiet.as_bytes());
    assert_eq!(report.complete, Completeness::None, "nobody knows what passed");
    assert_eq!(report.failed().map(TestId::as_str).collect::<Vec<_>>(), ["example.org/app::TestA"]);

    let green = read(b"ok  \texample.org/app\t0.003s\n?   \texample.org/none\t[no test files]\n");
    assert_eq!(green, TestReport::default(), "a package that passed is no test");
    assert!(!green.ran_no_tests());

    let broken = read(b"# example.org/app [example.org/app.test]\n./a_test.go:5:9: undefined: Mul\nFAIL\texample.org/app [build failed]\nFAIL\n");
    assert_eq!(broken.failed().map(TestId::as_str).collect::<Vec<_>>(), ["example.org/app"]);

    let died = read(b"=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\nexit status 2\nFAIL\texample.org/app\t0.003s\n");
    assert_eq!(died.complete, Completeness::None);
    let printed = read(b"=== RUN   TestA\n--- PASS: TestOther (0.00s)\n--- PASS: TestA (0.00s)\nok  \texample.org/app\t0.003s\n");
    assert_eq!(printed.tests.len(), 1, "only what began can pass");
}

#[test]
fn a_go_package_that_dies_fails_by_the_test_that_was_open() {
    let failed = |output: &str| -> Vec<String> {
        let report = read(output.as_bytes());
        report.failed().map(|id| id.as_str().to_owned()).collect()
    };
    let verbose = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestT\n=== RUN   TestT/one\nfatal error: concurrent map writes\nFAIL\ta/b\t0.003s\n";
    assert_eq!(failed(verbose), ["a/b::TestT", "a/b::TestT/one"]);
    let side_by_side = verbose.replace("TestT/one", "TestU");
    assert_eq!(failed(&side_by_side), ["a/b"], "nobody knows which of two");
    let event = |action: &str, test: &str| {
        let test = if test.is_empty() { String::new() } else { format!(",\"Test\":\"{test}\"") };
        format!("{{\"Action\":\"{action}\",\"Package\":\"a/b\"{test}}}\n")
    };
    let events = [event("run", "TestA"), event("pass", "TestA"), event("run", "TestT"), event("fail", "")];
    assert_eq!(failed(&events.concat()), ["a/b::TestT"]);
    let between = [event("run", "TestA"), event("pass", "TestA"), event("fail", "")];
    assert_eq!(failed(&between.concat()), ["a/b"]);
}

#[test]
fn go_is_asked_for_names_where_its_tests_may_run() {
    for command in
        ["go test ./...", "cd sub && go test -race ./...", "make test", "./ci/test.sh", "just test"]
    {
        assert!(runs_go_tests(command), "{command}");
    }
    for command in ["go vet ./...", "golangci-lint run", "go build && make", "cargo test"] {
        assert!(!runs_go_tests(command), "{command}");
    }
    let of = |before: &str| verbose_go(before).1;
    assert_eq!((of(""), of("-mod=mod")), ("-v".to_owned(), "-mod=mod -v".to_owned()));
}

#[test]
fn mochas_dots_name_what_failed_below_the_counts() {
    let red = b"\n\n  !!,.!\n\n  3 passing (2s)\n  1 pending\n  3 failing\n\n  1) top wrong:\n     Error: x\n      at Context.<anonymous> (test/bad.js:3:27)\n\n  2) group\n       inner\n         is wrong:\n\n      AssertionError: 1 == 2\n      + expected - actual\n\n      -1\n      +2\n\n  3) hooked\n       \"before all\" hook: setup for \"never\":\n     Error: no\n\n\n";
    let expected =
        "! group > inner > is wrong\n! hooked > \"before all\" hook: setup for \"never\"\n! top wrong";
    check(red, Completeness::FailuresOnly, (3, 3, 1), expected);
    check(b"\n\n  ...\n\n  3 passing (2s)\n\n", Completeness::FailuresOnly, (3, 0, 0), "");
}
