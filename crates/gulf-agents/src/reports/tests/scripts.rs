//! What JavaScript's runners print by themselves, into a pipe.

use super::fixture;
use super::forms::check;
use crate::reports::*;

const PLAYWRIGHT: &str = "
Running 5 tests using 1 worker

  ✓  1 [chromium] › t/a.spec.js:2:1 › adds (44ms)
  ✘  2 [chromium] › t/a.spec.js:3:32 › group › fails (57ms)
  -  3 [chromium] › t/a.spec.js:3:82 › group › later
  ✘  4 [chromium] › t/a.spec.js:4:1 › shaky (3ms)
  ✓  5 [chromium] › t/a.spec.js:4:1 › shaky (retry #1) (23ms)


  1) [chromium] › t/a.spec.js:3:32 › group › fails ──────

    Error: expect(received).toBe(expected) // Object.is equality
      1 | 2 passed

  1 failed
    [chromium] › t/a.spec.js:3:32 › group › fails ───────
  1 flaky
    [chromium] › t/a.spec.js:4:1 › shaky ────────────────
  1 skipped
  1 passed (5.3s)
";

// proves: B3
#[test]
fn playwright_names_its_tests_without_their_lines() {
    let all = "! [chromium] > t/a.spec.js > group > fails\n+ [chromium] > t/a.spec.js > adds\n\
               + [chromium] > t/a.spec.js > shaky\n~ [chromium] > t/a.spec.js > group > later";
    let mut all: Vec<&str> = all.lines().collect();
    all.sort_by_key(|line| &line[2..]);
    check(PLAYWRIGHT.as_bytes(), Completeness::Every, (2, 1, 1), &all.join("\n"));
    let loud = PLAYWRIGHT.replacen("  -  3", "  1 failed\n    another › one ──\n  7 passed (1s)\n  -  3", 1);
    check(loud.as_bytes(), Completeness::Every, (2, 1, 1), &all.join("\n"));
    // The reporter of a CI run draws dots.
    let dots =
        PLAYWRIGHT.lines().filter(|line| !["  ✓", "  ✘", "  -"].iter().any(|mark| line.starts_with(mark)));
    let dots: String = dots.map(|line| format!("{line}\n")).collect();
    check(
        dots.as_bytes(),
        Completeness::FailuresOnly,
        (2, 1, 1),
        "! [chromium] > t/a.spec.js > group > fails",
    );
    let cut = PLAYWRIGHT.split("  1 failed").next().unwrap();
    assert_eq!(read(cut.as_bytes()).complete, Completeness::None);
    check(
        b"Running 1 test using 1 worker\n\xc2\xb7\n  1 passed (1.2s)\n",
        Completeness::FailuresOnly,
        (1, 0, 0),
        "",
    );
}

#[test]
fn ava_names_every_test_and_one_of_a_single_file_without_the_file() {
    let expected = "
        ! one > adds > nested looking
        + one > adds two numbers
        ~ one > known
        ~ one > later
        + one > logs
        ~ one > some day
        + two > adds in two";
    check(fixture!("ava_failing.txt"), Completeness::Every, (3, 1, 3), expected);
    check(fixture!("ava_one.txt"), Completeness::Every, (1, 0, 0), "+ adds in two");
    let older = "\n  ✔ counter\n  ✖ keeps characters \n  ─\n\n  keeps characters\n\n  Difference:\n\n  - 1\n  + 2\n\n  ─\n\n  1 test failed\n";
    let expected = "
        + counter
        ! keeps characters";
    check(older.as_bytes(), Completeness::Every, (1, 1, 0), expected);
    let said = "\n  ✖ adds Error thrown in test\n  ✖ adds more that is wrong\n  ✔ counter\n  ─\n\n  adds\n\n  test.js:36\n\n  Error thrown in test:\n\n\n\n  adds more\n\n  that is wrong\n\n  ─\n\n  2 tests failed\n";
    let expected = "
        ! adds
        ! adds more
        + counter";
    check(said.as_bytes(), Completeness::Every, (1, 2, 0), expected);
}

#[test]
fn mocha_names_failures_hooks_included_and_no_line_of_a_test_adds_a_pass() {
    let expected = "
        ! hooked > \"before all\" hook for \"never runs\"
        ! math > add > is wrong";
    check(fixture!("mocha_failing.txt"), Completeness::FailuresOnly, (3, 2, 1), expected);
    let honest: Vec<u8> = fixture!("mocha_failing.txt")
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| !line.ends_with("not a test\n".as_bytes()))
        .flatten()
        .copied()
        .collect();
    let expected = "
        ! hooked > \"before all\" hook for \"never runs\"
        + math > add > adds two numbers
        ! math > add > is wrong
        ~ math > add > later
        + math > add > slow
        + top level";
    check(&honest, Completeness::Every, (3, 2, 1), expected);
}

#[test]
fn jest_names_what_failed_and_every_test_where_it_is_told_to() {
    check(fixture!("jest_green.txt"), Completeness::FailuresOnly, (1, 0, 0), "");
    let verbose = [fixture!("jest_one.txt"), b"PASS jest/two.test.js\n"].concat();
    let ended = b"Tests:       1 failed, 1 skipped, 1 todo, 2 passed, 5 total\nTime:        1 s\n";
    let expected = "
        + jest/one.test.js > math > adds two numbers
        ! jest/one.test.js > math > is wrong
        ~ jest/one.test.js > math > later
        ~ jest/one.test.js > math > some day
        + jest/one.test.js > top level";
    let text = String::from_utf8(verbose)
        .unwrap()
        .replacen("Tests: ", "As before:", 1)
        .replacen("Time: ", "Then:", 1);
    check(&[text.as_bytes(), ended].concat(), Completeness::Every, (2, 1, 2), expected);
    let failed = "! jest/one.test.js > math > is wrong";
    check(fixture!("jest_failing.txt"), Completeness::FailuresOnly, (3, 1, 2), failed);
}

#[test]
fn jest_counts_a_file_that_it_could_not_run_as_failed() {
    let output = "FAIL src/a.test.js
  ● Test suite failed to run

    Cannot find module './a.js' from 'src/a.test.js'

PASS src/b.test.js

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 passed, 1 total
Snapshots:   0 total
Time:        0.3 s
";
    let failed = "! src/a.test.js > Test suite failed to run";
    check(output.as_bytes(), Completeness::FailuresOnly, (1, 1, 0), failed);
}

#[test]
fn vitest_names_what_failed_and_counts_the_rest() {
    let failed = "! vitest/one.test.js > math > is wrong";
    check(fixture!("vitest_failing.txt"), Completeness::FailuresOnly, (3, 1, 2), failed);
    check(fixture!("vitest_green.txt"), Completeness::FailuresOnly, (1, 0, 0), "");
    let output = "
 RUN  v3.2.7 /srv/x

 FAIL  test/a.test.js [ test/a.test.js ]
Error: Failed to load url ../a.js

 FAIL  |unit| test/b.test.js > is wrong

 Test Files  2 failed (2)
      Tests  1 failed (1)
   Duration  96ms
";
    let failed = "
        ! test/a.test.js [ test/a.test.js ]
        ! test/b.test.js > is wrong";
    check(output.as_bytes(), Completeness::Every, (0, 2, 0), failed);
}

#[test]
fn reports_side_by_side_are_joined_and_other_ticks_are_none() {
    let ticks = b"  \xe2\x9c\x94 linted 12 files\n\n  - nothing to do\n";
    assert_eq!(read(ticks), TestReport::default());
    let both =
        [ticks, fixture!("ava_one.txt"), fixture!("vitest_green.txt"), fixture!("jest_green.txt")].concat();
    let report = read(&both);
    assert_eq!(report.runners, [Runner::Ava, Runner::Jest, Runner::Vitest].into());
    assert_eq!((report.counts.passed, report.complete), (3, Completeness::FailuresOnly));
}

#[test]
fn a_closing_that_never_came_is_no_report() {
    for (output, end) in [
        (fixture!("ava_failing.txt"), "1 test failed"),
        (fixture!("mocha_failing.txt"), "3 passing"),
        (fixture!("jest_one.txt"), "Tests:  "),
        (fixture!("vitest_failing.txt"), "Tests  1 failed"),
    ] {
        let text = String::from_utf8_lossy(output);
        let (head, _) = text.split_once(end).unwrap();
        let report = read(head.as_bytes());
        assert_eq!(report.complete, Completeness::None, "{head}");
        assert!(!report.tests.values().any(|outcome| *outcome == TestOutcome::Passed), "{report:?}");
    }
}
