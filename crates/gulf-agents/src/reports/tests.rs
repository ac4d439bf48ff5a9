//! Recorded outputs, whole and cut, and what they say.

use proptest::prelude::*;

use super::*;

mod built;
mod closings;
mod compiled;
pub(super) mod forms;
mod python;
mod scripts;

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/", $name)).as_slice()
    };
}
pub(super) use fixture;

fn read_junit(xml: &[u8]) -> TestReport {
    join_junits([JunitFile::read(xml)])
}

fn read_with_files(output: &[u8], files: &[&[u8]]) -> TestReport {
    read_beside(output, files.iter().map(|file| JunitFile::read(file)), Vec::new())
}

fn without_root(output: &[u8], root: &str) -> Vec<u8> {
    let mut shortened = output.to_vec();
    take_root_out(&mut shortened, root);
    shortened
}

const EVERY_FIXTURE: &[&[u8]] = &[
    fixture!("libtest_failing.txt"),
    fixture!("libtest_colour.txt"),
    fixture!("libtest_quiet.txt"),
    fixture!("libtest_nocapture.txt"),
    fixture!("nextest_failing.txt"),
    fixture!("nextest_colour.txt"),
    fixture!("pytest_default.txt"),
    fixture!("pytest_verbose.txt"),
    fixture!("pytest_colour.txt"),
    fixture!("pytest_quiet.txt"),
    fixture!("pytest_ra.txt"),
    fixture!("pytest_xdist.txt"),
    fixture!("pytest_import_error.txt"),
    fixture!("node_spec_piped.txt"),
    fixture!("node_spec.txt"),
    fixture!("node_spec_honest.txt"),
    fixture!("node_tap.txt"),
    fixture!("tap14.tap"),
    fixture!("tap.tap"),
    fixture!("mocha.tap"),
    fixture!("ava_failing.txt"),
    fixture!("mocha_failing.txt"),
    fixture!("jest_failing.txt"),
    fixture!("jest_one.txt"),
    fixture!("vitest_failing.txt"),
    fixture!("go_failing.jsonl"),
    fixture!("maven_failing.txt"),
    fixture!("ctest_failing.txt"),
];

const EVERY_FILE: [&[u8]; 6] = [
    fixture!("pytest_junit.xml"),
    fixture!("nextest_junit.xml"),
    fixture!("node_junit.xml"),
    fixture!("jest_junit.xml"),
    fixture!("mocha_xunit.xml"),
    fixture!("maven_junit_CalcTest.xml"),
];

fn assert_no_failure_passes(whole: &TestReport, part: &TestReport) {
    for (id, outcome) in &part.tests {
        if *outcome == TestOutcome::Passed {
            assert_ne!(whole.tests.get(id), Some(&TestOutcome::Failed), "{id} failed and is said to pass");
        }
    }
}

#[test]
fn no_cut_at_any_line_turns_a_failure_into_a_pass() {
    for output in EVERY_FIXTURE {
        let whole = read(output);
        for (place, byte) in output.iter().enumerate() {
            if *byte == b'\n' {
                assert_no_failure_passes(&whole, &read(&output[..place]));
            }
        }
    }
}

proptest! {
    #[test]
    fn no_cut_of_the_bytes_turns_a_failure_into_a_pass(index in 0..EVERY_FIXTURE.len(), from in 0.0..0.3_f64, to in 0.0..1.0_f64) {
        let output = EVERY_FIXTURE[index];
        let place = |share: f64| (output.len() as f64 * share) as usize;
        let whole = read(output);
        assert_no_failure_passes(&whole, &read(&output[..place(to)]));
        assert_no_failure_passes(&whole, &read(&output[place(from)..]));
    }

    #[test]
    fn garbage_is_no_report(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        let report = read(&bytes);
        prop_assert!(report.tests.values().all(|outcome| *outcome != TestOutcome::Passed));
        let _ = fingerprint(&report, &bytes, Exit::Code(1));
        prop_assert!(read_junit(&bytes).tests.is_empty());
    }

    #[test]
    fn garbage_within_a_report_turns_no_failure_into_a_pass(index in 0..EVERY_FIXTURE.len(), share in 0.0..1.0_f64, garbage in "[a-z \n\u{1b}\\[=]{0,40}") {
        let output = EVERY_FIXTURE[index];
        let place = (output.len() as f64 * share) as usize;
        let mixed = [&output[..place], garbage.as_bytes(), &output[place..]].concat();
        assert_no_failure_passes(&read(output), &read(&mixed));
    }

    #[test]
    fn a_cut_junit_file_passes_nothing(share in 0.0..1.0_f64) {
        for xml in EVERY_FILE {
            let text = xml.trim_ascii_end();
            let report = read_junit(&text[..(text.len() as f64 * share) as usize]);
            prop_assert_eq!(report.complete, Completeness::None);
            prop_assert!(report.tests.values().all(|outcome| *outcome == TestOutcome::Failed));
        }
    }

    #[test]
    fn a_tail_is_never_longer_than_asked(text in "[a-z가-힣 \n]{0,300}", chars_max in 0..400_usize) {
        let tail = tail_for_worker(text.as_bytes(), chars_max);
        prop_assert!(tail.chars().count() <= chars_max);
    }
}

#[test]
fn a_failure_under_a_garbled_name_lets_no_other_test_of_its_item_pass() {
    let garbled = String::from_utf8_lossy(fixture!("libtest_failing.txt"))
        .replace("sub (line 9) ... FAILED", "sub (li\u{1b}ne 9) ... FAILED");
    let report = read(garbled.as_bytes());
    let item = report.tests.iter().find(|(id, _)| id.as_str().ends_with("- sub"));
    assert_eq!(item.map(|(_, outcome)| *outcome), Some(TestOutcome::Failed));
    assert_no_failure_passes(&read(fixture!("libtest_failing.txt")), &report);
}

#[test]
fn reports_in_one_output_are_joined() {
    let output = [fixture!("node_tap.txt"), b"\n", fixture!("libtest_failing.txt")].concat();
    let report = read(&output);
    assert_eq!(report.runners, BTreeSet::from([Runner::Tap, Runner::Libtest]));
    assert_eq!(report.complete, Completeness::Every);
    assert_eq!(report.tests[&TestId::new("group > inner bad")], TestOutcome::Failed);
    assert_eq!(report.tests[&TestId::new("it::works")], TestOutcome::Passed);
}

#[test]
fn no_tests_is_not_the_same_as_no_runner() {
    for output in [
        fixture!("libtest_zero.txt"),
        fixture!("nextest_zero.txt"),
        fixture!("pytest_zero.txt"),
        fixture!("node_zero.txt"),
        fixture!("node_tap_zero.txt"),
        fixture!("go_zero.jsonl"),
    ] {
        let report = read(output);
        let ran = Counts { skipped: 0, ..report.counts };
        assert_eq!(ran.total(), 0);
        assert!(!report.runners.is_empty());
        assert_ne!(report.complete, Completeness::None);
    }
    assert!(read(fixture!("libtest_zero.txt")).ran_no_tests());
    assert!(!read(b"all good\n").ran_no_tests());
    assert_eq!(read(b"").complete, Completeness::None);
}

#[test]
fn a_junit_file_is_believed_where_its_counts_are_those_of_the_output() {
    let joined = read_with_files(fixture!("pytest_default.txt"), &[fixture!("pytest_junit.xml")]);
    assert_eq!(joined.complete, Completeness::Every);
    assert_eq!(joined.tests[&TestId::new("tests.test_calc.TestAdd::test_method")], TestOutcome::Passed);
    let other = read_with_files(fixture!("pytest_import_error.txt"), &[fixture!("pytest_junit.xml")]);
    assert_eq!(other, read(fixture!("pytest_import_error.txt")));
}

#[test]
fn the_same_failure_has_the_same_fingerprint() {
    let of = |output: &[u8], exit| fingerprint(&read(output), output, exit);
    let first = of(fixture!("libtest_failing.txt"), Exit::Code(101));
    assert_eq!(first, of(fixture!("libtest_colour.txt"), Exit::Code(101)));
    assert_eq!(
        first,
        "exit code 101\nfailed it::fails\nfailed sample::doc::src/lib.rs - sub\nfailed sample::tests::subtracts\n"
    );
    assert_ne!(first, of(fixture!("libtest_failing.txt"), Exit::TimedOut));
    // A crash behind walls, which are its parent there, and the same without.
    assert_eq!(of(b"", Exit::Code(139)), of(b"", Exit::Signal(11)));
    assert_ne!(of(b"", Exit::Code(134)), of(b"", Exit::Signal(11)));
}

#[test]
fn numbers_and_places_do_not_change_a_fingerprint_and_codes_do() {
    let of = |said: &str| fingerprint(&read(said.as_bytes()), said.as_bytes(), Exit::Code(1));
    let check = |left: &str, right: &str| of(left) == of(right);
    assert!(check("at 0x7fb55abd, 0.03s, src/a.rs:4:12", "at 0x55aa0000, 12.5s, src/a.rs:104:2"));
    assert!(check("2026-02-13T14:30:01Z boom", "2027-11-03T04:31:59Z boom"));
    assert!(check("in /tmp/run-aXb3/out.txt: no", "in /tmp/run-QQ/deep/out.txt: no"));
    assert!(check("run f2b4f640-33cd-42db-90fb-c518fb6a9f68", "run c47a38ab-705d-48d6-a437-b84402d5f520"));
    // As bash says it of process 3 behind walls, and of one outside.
    assert!(check("./t: line 2:     3 Aborted    ./a", "./t: line 2: 70462 Aborted    (core dumped) ./a"));
    assert!(!check("error[E0425]: no", "error[E0433]: no"));
    assert!(!check("cannot find `add`", "cannot find `sub`"));
}

#[test]
fn a_tail_says_what_was_cut_and_begins_with_a_whole_line() {
    let output = "first line\n\u{1b}[31msecond\u{1b}[0m line\nthird line, the last\n".repeat(10);
    let tail = tail_for_worker(output.as_bytes(), 70);
    assert_eq!(tail, "[the first 407 characters are cut]\nsecond line\nthird line, the last");
    assert_eq!(tail_for_worker(b"a\r\nb\n\n", 80), "a\nb");
}

#[test]
fn the_path_of_the_checkout_is_taken_out_in_each_of_its_forms() {
    let output = "/home/a b/한/src/x.js file:///home/a%20b/%ED%95%9C/test/x.js:3 /home/a b/한글".as_bytes();
    let text = String::from_utf8(without_root(output, "/home/a b/한/")).unwrap();
    assert_eq!(text, "src/x.js test/x.js:3 /home/a b/한글");
    assert_eq!(without_root(output, ""), output);
}

#[test]
fn pytest_is_asked_for_a_file_and_a_persons_options_are_kept() {
    let options = |before: &str, folder: &str| {
        for_pytest(before, folder).map(|(name, value)| (name == "PYTEST_ADDOPTS", value))
    };
    let asked = |value: &str| Some((true, value.to_owned()));
    let dir = "/tmp/re port/한글's";
    let word = r"'--junitxml=/tmp/re port/한글'\''s/pytest-report.xml'";
    assert_eq!(options("", dir), asked(word));
    assert_eq!(options("-q -x", dir), asked(&format!("-q -x {word}")));
    assert_eq!(options("--junitxml=mine.xml", dir), None);
    assert_eq!(options("", "/tmp/$HOME"), None);
}

#[test]
fn a_line_without_end_is_tolerated() {
    let mut output = vec![b'x'; 3 * LINE_BYTES_MAX];
    output.extend(b"\nTAP version 13\nok 1 - a\n1..1\n");
    assert_eq!(read(&output).tests[&TestId::new("a")], TestOutcome::Passed);
}
