//! What Maven and Gradle leave of their tests, honest and not.

use super::fixture;
use super::forms::compare;
use crate::reports::*;

const CALC: &[u8] = fixture!("maven_junit_CalcTest.xml");
const OTHER: &[u8] = fixture!("maven_junit_OtherTest.xml");

fn left(tool: BuildTool, files: &[&[u8]]) -> Vec<BuiltReport> {
    files.iter().map(|file| BuiltReport { tool, file: JunitFile::read(file) }).collect()
}

fn beside(output: &[u8], built: Vec<BuiltReport>) -> TestReport {
    read_beside(output, [], built)
}

const EVERY: &str = "
    + calc.CalcTest > adds
    + calc.CalcTest > addsNegative
    ! calc.CalcTest > errs
    ! calc.CalcTest > fails
    ~ calc.CalcTest > later
    + calc.OtherTest > works";
const FAILURES: &str = "! calc.CalcTest > errs\n! calc.CalcTest > fails";

#[test]
fn maven_names_every_test_in_its_files_where_its_lines_state_as_many() {
    let report = beside(fixture!("maven_failing.txt"), left(BuildTool::Maven, &[CALC, OTHER]));
    compare(&report, Completeness::Every, (3, 2, 1), EVERY);
}

#[test]
fn mavens_lines_name_failures_and_what_a_test_prints_is_no_total() {
    let lines = beside(fixture!("maven_failing.txt"), Vec::new());
    compare(&lines, Completeness::FailuresOnly, (3, 2, 1), FAILURES);
    // Of one class the file is not there, or is an older run's; in another one a test was added by hand.
    let forged = String::from_utf8(OTHER.to_vec()).unwrap();
    let forged =
        forged.replace("</testsuite>", "<testcase name=\"new\" classname=\"calc.OtherTest\"/></testsuite>");
    for files in [&[CALC][..], &[CALC, OTHER, OTHER], &[CALC, forged.as_bytes()], &[CALC, &OTHER[..300]]] {
        let report = beside(fixture!("maven_failing.txt"), left(BuildTool::Maven, files));
        compare(&report, Completeness::FailuresOnly, (3, 2, 1), FAILURES);
    }
}

#[test]
fn modules_of_maven_count_together_and_a_quiet_maven_by_its_files() {
    let module = "[INFO]  T E S T S\n[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0 s - in a.A\n\
                  [INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n";
    let output = format!("{module}{module}[INFO] BUILD SUCCESS\n");
    compare(&read(output.as_bytes()), Completeness::FailuresOnly, (2, 0, 0), "");
    let quiet = beside(b"", left(BuildTool::Maven, &[OTHER]));
    compare(&quiet, Completeness::Every, (1, 0, 0), "+ calc.OtherTest > works");
    assert!(quiet.counts_every_test());
}

#[test]
fn a_failure_has_one_name_in_the_lines_of_every_surefire() {
    for said in [
        "[ERROR] adds(calc.CalcTest)  Time elapsed: 0.1 s  <<< FAILURE!",
        "[ERROR] calc.CalcTest.adds  Time elapsed: 0.1 s  <<< ERROR!",
        "[ERROR] calc.CalcTest.adds -- Time elapsed: 0.1 s <<< FAILURE!",
        "adds(calc.CalcTest)  Time elapsed: 0.1 sec  <<< FAILURE!",
    ] {
        let output = format!("{said}\n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n");
        compare(&read(output.as_bytes()), Completeness::FailuresOnly, (1, 1, 0), "! calc.CalcTest > adds");
    }
}

/// As `gradle test` writes it (`AbstractTestTask`, <https://docs.gradle.org/current/userguide/java_testing.html>).
const GRADLE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="calc.CalcTest" tests="3" skipped="1" failures="1" errors="0" timestamp="2026-11-25T16:00:00" hostname="h" time="0.02">
  <properties/>
  <testcase name="adds()" classname="calc.CalcTest" time="0.01"/>
  <testcase name="fails()" classname="calc.CalcTest" time="0.01">
    <failure message="no" type="org.opentest4j.AssertionFailedError">no</failure>
  </testcase>
  <testcase name="later()" classname="calc.CalcTest" time="0.0">
    <skipped/>
  </testcase>
  <system-out><![CDATA[<testcase name="forged" classname="calc.CalcTest"/>]]></system-out>
  <system-err><![CDATA[]]></system-err>
</testsuite>
"#;

#[test]
fn gradle_names_its_tests_and_does_not_say_that_there_are_no_others() {
    let lines = b"> Task :test FAILED\n\nCalcTest > fails() FAILED\n    no at CalcTest.java:7\n\n3 tests completed, 1 failed\n";
    let report = beside(lines, left(BuildTool::Gradle, &[GRADLE.as_bytes()]));
    let expected = "+ calc.CalcTest > adds()\n! calc.CalcTest > fails()\n~ calc.CalcTest > later()";
    compare(&report, Completeness::FailuresOnly, (1, 1, 1), expected);
    assert!(!report.counts_every_test(), "what is up to date is not run again");
}

#[test]
fn a_report_of_gradle_that_was_cut_or_added_to_passes_nothing() {
    let added = GRADLE.replace("<properties/>", "<testcase name=\"new\" classname=\"calc.CalcTest\"/>");
    let hidden = GRADLE.replace("failures=\"1\"", "failures=\"0\"");
    for file in [&added, &hidden, &GRADLE[..GRADLE.find("<system-out>").unwrap()]] {
        let report = beside(b"", left(BuildTool::Gradle, &[file.as_bytes(), OTHER]));
        compare(&report, Completeness::None, (0, 1, 0), "! calc.CalcTest > fails()");
    }
    let report = beside(b"", left(BuildTool::Gradle, &[b"<html></html>"]));
    assert_eq!(report, TestReport::default());
}

#[test]
fn a_build_tools_report_is_known_by_its_place() {
    for (path, tool) in [
        ("target/surefire-reports/TEST-a.BTest.xml", Some(BuildTool::Maven)),
        ("app/core/target/failsafe-reports/TEST-a.BIT.xml", Some(BuildTool::Maven)),
        ("build/test-results/test/TEST-a.BTest.xml", Some(BuildTool::Gradle)),
        ("app/build/test-results/integrationTest/TEST-a.B.xml", Some(BuildTool::Gradle)),
        ("target/surefire-reports/testng-results.xml", None),
        ("target/surefire-reports/deeper/TEST-a.xml", None),
        ("build/test-results/TEST-a.xml", None),
        ("build/tmp/sample/target/surefire-reports/TEST-a.xml", None),
        ("src/test/resources/build/test-results/test/TEST-a.xml", None),
        ("TEST-a.xml", None),
        ("", None),
    ] {
        assert_eq!(BuildTool::of_report(path), tool, "{path}");
    }
}
