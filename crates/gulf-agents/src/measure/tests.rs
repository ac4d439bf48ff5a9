//! What commands are for, and what is counted of their words.

use super::{Measured, Purpose, ReportFile, purpose, with_files};
use crate::reports::{self, Exit, TestReport};

mod hostile;
mod memory;

fn read(files: &[&[u8]]) -> Vec<ReportFile> {
    files.iter().map(|file| ReportFile::read(file)).collect()
}

fn measure(
    purpose: Option<Purpose>,
    exit: Exit,
    output: &[u8],
    files: &[&[u8]],
    tests: &TestReport,
) -> Measured {
    super::measure(purpose, exit, output, &read(files), tests)
}

fn with_reports(output: &[u8], named: &[&[u8]]) -> TestReport {
    with_files(output, [], &mut read(named), Vec::new())
}

fn is_whole(file: &[u8]) -> bool {
    ReportFile::read(file).is_whole()
}

fn lint(purpose: Option<Purpose>, exit: Exit, output: &[u8]) -> Option<u32> {
    measure(purpose, exit, output, &[], &reports::read(output)).lint_errors
}

#[test]
fn a_command_says_by_its_words_what_it_is_for() {
    for (command, expected) in [
        ("cargo test", Some(Purpose::Tests)),
        ("cargo test --workspace --all-features", Some(Purpose::Tests)),
        ("npm test", Some(Purpose::Tests)),
        ("node --test", Some(Purpose::Tests)),
        (".venv/bin/pytest -q", Some(Purpose::Tests)),
        ("npm run test:unit", Some(Purpose::Tests)),
        ("make test", Some(Purpose::Tests)),
        ("cargo clippy --all-targets -- -D warnings", Some(Purpose::Lint)),
        ("npx eslint .", Some(Purpose::Lint)),
        ("npm run lint", Some(Purpose::Lint)),
        ("./node_modules/.bin/tsc --noEmit", Some(Purpose::Lint)),
        ("ruff check .", Some(Purpose::Lint)),
        ("go vet ./...", Some(Purpose::Lint)),
        ("go build ./...", Some(Purpose::Build)),
        ("cargo check", Some(Purpose::Build)),
        ("make", Some(Purpose::Build)),
        ("pytest --cov=src --cov-report=xml", Some(Purpose::Coverage)),
        ("cargo llvm-cov --lcov", Some(Purpose::Coverage)),
        ("go test -coverprofile=c.out ./...", Some(Purpose::Coverage)),
        ("npm run lint && npm test", None),
        ("./ci.sh", None),
        ("", None),
    ] {
        assert_eq!(purpose(command), expected, "{command}");
    }
}

// proves: L3
#[test]
fn what_a_compiler_says_is_a_finding_of_a_linter_and_not_of_tests() {
    let output =
        b"error[E0308]: mismatched types\n --> src/lib.rs:1:1\n\nerror: could not compile `a` (lib)\n";
    assert_eq!(lint(Some(Purpose::Lint), Exit::Code(1), output), Some(1));
    assert_eq!(lint(None, Exit::Code(1), output), Some(1));
    for other in [Purpose::Tests, Purpose::Build, Purpose::Coverage] {
        assert_eq!(lint(Some(other), Exit::Code(1), output), None);
    }
}

// proves: L3
#[test]
fn a_linter_that_says_nothing_found_nothing_if_it_passed_and_something_if_not() {
    assert_eq!(lint(Some(Purpose::Lint), Exit::Code(0), b""), Some(0));
    assert_eq!(lint(Some(Purpose::Lint), Exit::Code(1), b"what?"), Some(1));
    assert_eq!(lint(None, Exit::Code(1), b"what?"), None, "nobody knows what it looks for");
    assert_eq!(lint(None, Exit::Code(0), b"All checks passed!\n"), Some(0));
}

// proves: L3
#[test]
fn how_much_was_run_is_never_rounded_up() {
    let of = |lcov: &str| {
        measure(None, Exit::Code(0), b"", &[lcov.as_bytes()], &TestReport::default()).coverage_bp
    };
    let nearly: String = (1..=20_000).map(|line| format!("DA:{line},{}\n", u8::from(line > 1))).collect();
    assert_eq!(of(&format!("SF:a.rs\n{nearly}end_of_record\n")), Some(9_999));
    assert_eq!(of("SF:a.rs\nDA:1,1\nDA:2,0\nend_of_record\n"), Some(5_000));
    assert_eq!(of("SF:a.rs\nend_of_record\n"), None, "there was nothing to run");
    assert_eq!(of("SF:a.rs\nDA:1,1\n"), None, "it was cut");
    assert_eq!(of("hello"), None);
}

#[test]
fn several_reports_of_coverage_are_one() {
    let files: [&[u8]; 3] = [
        b"SF:a.rs\nDA:1,1\nDA:2,1\nDA:3,1\nend_of_record\n",
        b"<coverage lines-covered=\"0\" lines-valid=\"1\"></coverage>",
        b"<testsuite tests=\"1\"><testcase name=\"a\"/></testsuite>",
    ];
    let measured = measure(None, Exit::Code(0), b"", &files, &TestReport::default());
    assert_eq!(measured, Measured { lint_errors: None, coverage_bp: Some(7_500) });
}

#[test]
fn a_junit_file_that_the_check_names_speaks_where_its_output_does_not() {
    let junit: &[u8] =
        b"<testsuites tests=\"2\" failures=\"1\"><testsuite name=\"s\" tests=\"2\" failures=\"1\">\
        <testcase classname=\"a\" name=\"b\"/>\
        <testcase classname=\"a\" name=\"c\"><failure message=\"no\"/></testcase></testsuite></testsuites>";
    let report = with_reports(b"quiet\n", &[junit]);
    assert_eq!((report.counts.passed, report.counts.failed), (1, 1));
    let said = fixture_of_libtest();
    let both = with_reports(&said, &[junit]);
    assert_eq!(both, reports::read(&said), "what its runner said is not counted twice");
}

// proves: L3
#[test]
fn the_junit_files_of_several_packages_are_counted_together() {
    let of = |name: &str, inner: &str| {
        format!(
            "<testsuite name=\"{name}\"><testcase name=\"a\"/><testcase name=\"b\">{inner}</testcase></testsuite>"
        )
    };
    let (one, other) = (of("api", ""), of("web", "<failure/>"));
    let coverage: &[u8] = b"<coverage lines-covered=\"1\" lines-val";
    let report = with_reports(b"quiet\n", &[one.as_bytes(), coverage, other.as_bytes()]);
    assert_eq!((report.counts.passed, report.counts.failed), (3, 1));
    let none = with_reports(b"quiet\n", &[coverage]);
    assert_eq!(none, TestReport::default(), "a cut report of coverage speaks of no tests");
}

// proves: L3
#[test]
fn findings_that_were_cut_are_not_none() {
    let cut: &[u8] = br#"{"version":"2.1.0","runs":[{"results":[{"level":"err"#;
    let of =
        |file| measure(Some(Purpose::Lint), Exit::Code(0), b"", &[file], &TestReport::default()).lint_errors;
    assert_eq!(of(cut), None);
    assert_eq!(of(br#"{"version":"2.1.0","runs":[{"results":[]}]}"#), Some(0));
    assert_eq!(of(b"[]\n"), Some(0), "a linter that found nothing");
}

// proves: L3
#[test]
fn a_report_is_whole_in_each_form_or_not_at_all() {
    let whole: [&[u8]; 6] = [
        b"SF:a\nDA:1,1\nend_of_record\n",
        b"<coverage lines-covered=\"1\" lines-valid=\"2\"></coverage>",
        b"mode: set\na.go:1.1,2.2 1 1\n",
        b"<testsuites><testsuite name=\"a\"><testcase name=\"b\"/></testsuite></testsuites>",
        br#"{"version":"2.1.0","runs":[{"results":[]}]}"#,
        b" [ ]\n",
    ];
    for file in whole {
        assert!(is_whole(file), "{}", String::from_utf8_lossy(file));
        let cut = &file[..file.len() - 3];
        assert!(!is_whole(cut), "{}", String::from_utf8_lossy(cut));
    }
    for other in [b"".as_slice(), b"hello", b"\0\0", b"<html></html>", b"{}", b"{\"runs\":[]}"] {
        assert!(!is_whole(other), "{}", String::from_utf8_lossy(other));
    }
}

fn fixture_of_libtest() -> Vec<u8> {
    b"running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n".to_vec()
}

// proves: L3
#[test]
fn a_log_in_sarif_counts_like_what_the_linter_prints() {
    let sarif = br#"{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"level":"error"},{"level":"warning"}]}]}"#;
    let measured =
        measure(Some(Purpose::Lint), Exit::Code(1), b"", &[sarif.as_slice()], &TestReport::default());
    assert_eq!(measured.lint_errors, Some(1));
}
