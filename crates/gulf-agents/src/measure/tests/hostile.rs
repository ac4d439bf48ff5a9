//! What nobody writes by accident: bombs, numbers out of range, depth, names that are kept once for each test.
//!
//! Every reader of numbers at once, because each of these has to be nothing to all of them.

use std::fmt::Write as _;

use super::{Purpose, measure, with_reports};
use crate::coverage;
use crate::findings;
use crate::reports::{self, Completeness, Exit, TestOutcome, TestReport};

fn read_junit(xml: &[u8]) -> reports::TestReport {
    reports::join_junits([reports::JunitFile::read(xml)])
}

/// As deep as a recursion without a limit cannot go.
const DEPTH: usize = 100_000;

/// Nothing is measured, whatever the check is for, and no test passed.
fn says_nothing(file: &[u8]) {
    assert!(coverage::read(file).is_none_or(|report| report.coverage.total == 0));
    let found = findings::read(file);
    assert!(!found.is_whole || found.errors > 0 || found.tools.is_empty());
    let report = read_junit(file);
    assert_eq!(report.complete, Completeness::None);
    assert!(report.tests.values().all(|outcome| *outcome == TestOutcome::Failed));
    for exit in [Exit::Code(0), Exit::Code(1)] {
        let measured = measure(None, exit, file, &[file], &TestReport::default());
        assert_eq!(measured.coverage_bp, None);
        assert_ne!(measured.lint_errors, Some(0));
    }
}

fn laughs(root: &str) -> String {
    let mut file = "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY a0 \"ha\">".to_owned();
    for level in 1..30 {
        write!(file, "<!ENTITY a{level} \"&a{0};&a{0};&a{0};&a{0};\">", level - 1).unwrap();
    }
    file + "]>" + root
}

// proves: L3
#[test]
fn an_entity_is_never_expanded_and_no_other_file_is_read() {
    let external = "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>";
    for (suite, covered) in [
        ("<testsuite name=\"&a29;\"><testcase name=\"a\"/></testsuite>", "&a29;"),
        ("<testsuite name=\"s\"><testcase name=\"&a29;\"/></testsuite>", "&a0;"),
    ] {
        let report = read_junit(laughs(suite).as_bytes());
        assert!(report.tests.keys().all(|id| id.as_str().len() < 100), "{report:?}");
        says_nothing(laughs(&format!("<coverage lines-covered=\"{covered}\"/>")).as_bytes());
    }
    let named = format!("{external}<testsuite name=\"s\"><testcase name=\"&x;\"/></testsuite>");
    assert!(!format!("{:?}", read_junit(named.as_bytes())).contains("root"));
}

// proves: L3
#[test]
fn a_number_out_of_range_is_no_number() {
    for number in ["-1", "1e9", "18446744073709551616", "99999999999999999999999", "NaN", "", "0x10", "1.5"] {
        let lcov = format!("SF:a\nLF:{number}\nLH:0\nend_of_record\n");
        says_nothing(lcov.as_bytes());
        says_nothing(format!("SF:a\nDA:{number},1\nend_of_record\n").as_bytes());
        let lines = format!(
            "<coverage><class filename=\"a\"><line number=\"{number}\" hits=\"1\"/></class></coverage>"
        );
        says_nothing(lines.as_bytes());
        let eslint = format!("[{{\"filePath\":\"a\",\"errorCount\":{number},\"warningCount\":0}}]");
        says_nothing(eslint.as_bytes());
    }
    says_nothing(b"<coverage lines-covered=\"2\" lines-valid=\"1\"></coverage>");
    let most = u64::MAX;
    let eslint = format!(
        "[{{\"errorCount\":{most},\"warningCount\":{most}}},{{\"errorCount\":9,\"warningCount\":9}}]"
    );
    let measured = measure(None, Exit::Code(1), eslint.as_bytes(), &[], &TestReport::default());
    assert_eq!(measured.lint_errors, Some(u32::MAX), "as many as can be said");
    let go = "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"t\",\"Elapsed\":1e999}\n";
    assert!(reports::read(go.as_bytes()).tests.is_empty());
}

// proves: L3
#[test]
fn a_log_of_a_run_that_did_not_come_to_its_end_is_not_clean() {
    for log in [
        "{\"version\":\"2.1.0\",\"runs\":[]}",
        "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"x\"}}}]}",
        "{\"version\":\"2.1.0\",\"runs\":[{\"tool\":{},\"results\":null}]}",
        "{\"version\":\"2.1.0\",\"runs\":[{\"results\":[]},{\"results\":{}}]}",
        "{\"version\":\"2.1.0\",\"runs\":{}}",
    ] {
        says_nothing(log.as_bytes());
        let measured =
            measure(Some(Purpose::Lint), Exit::Code(1), log.as_bytes(), &[], &TestReport::default());
        assert_eq!(measured.lint_errors, Some(1), "it failed, so it found something");
    }
}

// proves: L3
#[test]
fn depth_is_refused_before_it_hurts() {
    for opening in
        ["<testsuite name=\"s\">", "<coverage>", "<coverage><a>", "[", "{\"runs\":[{\"results\":[", "{\"a\":"]
    {
        says_nothing(opening.repeat(DEPTH).as_bytes());
    }
    let mut tap = "TAP version 13\n".to_owned();
    for level in (0..300).rev() {
        writeln!(tap, "{}ok 1 - {}", "    ".repeat(level), "deep".repeat(100)).unwrap();
    }
    let report = reports::read(tap.as_bytes());
    assert!(report.tests.keys().all(|id| id.as_str().len() < 10_000));
}

// proves: L3
#[test]
fn a_long_name_above_many_tests_is_not_kept_once_for_each() {
    let long = "n".repeat(1_000_000);
    let cases = "<testcase name=\"a\"/>".repeat(1_000);
    let suite = format!("<testsuite name=\"{long}\">{cases}</testsuite>");
    let report = read_junit(suite.as_bytes());
    assert!(report.tests.keys().map(|id| id.as_str().len()).sum::<usize>() < 10_000);
    assert_eq!(report.complete, Completeness::None, "a name that was cut is no name");
    let lines: String = (0..1_000).map(|line| format!("<line number=\"{line}\" hits=\"1\"/>")).collect();
    let file = format!("<coverage><class filename=\"{long}\"><lines>{lines}</lines></class></coverage>");
    let read = allocated(|| assert!(coverage::read(file.as_bytes()).is_some()));
    assert!(read < 20_000_000, "{read} bytes");
}

fn allocated(measured: impl FnOnce()) -> u64 {
    allocation_counter::measure(measured).bytes_total
}

// proves: L3
#[test]
fn bytes_that_are_no_text_measure_nothing() {
    for file in [
        b"SF:a\xff\nDA:1,1\nend_of_record\n".as_slice(),
        b"<coverage lines-covered=\"1\" lines-valid=\"1\"><\xff/></coverage>",
        b"\xff\xfe[\x00{\x00",
        b"[{\"errorCount\":0,\"warningCount\":0,\"filePath\":\"\xff\"}]",
    ] {
        says_nothing(file);
    }
    let suite = b"<testsuite name=\"s\"><testcase name=\"\xff\xfe\"/></testsuite>";
    assert_eq!(with_reports(b"", &[suite]).counts.passed, 1, "a name may be garbled, a result not");
}
