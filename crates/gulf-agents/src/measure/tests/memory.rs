//! What reading a report costs at once: eight workers read as many side by side.

use crate::measure::{Measured, Purpose, ReportFile, measure};
use crate::reports::{Exit, JunitFile, TestReport, read, take_root_out};

/// A quarter of what is read unless somebody raises it.
const FILE_BYTES: usize = 4 << 20;

fn repeated(before: &str, line: impl Fn(usize) -> String, after: &str) -> String {
    let mut text = before.to_owned();
    for number in 0.. {
        if text.len() >= FILE_BYTES {
            break;
        }
        text.push_str(&line(number));
    }
    text + after
}

#[track_caller]
fn check(what: &str, mib_max: u64, read: impl FnOnce()) {
    let peak = allocation_counter::measure(read).bytes_max;
    assert!(peak <= mib_max << 20, "{what} took {} KiB beside itself", peak >> 10);
}

#[test]
fn a_log_of_a_large_project_is_counted_while_it_is_read() {
    let result = |number| {
        format!(
            r#"{{"ruleId":"R{}","message":{{"text":"a long line about it"}},"locations":[{{"physicalLocation":{{"region":{{"startLine":{number}}}}}}}]}},"#,
            number % 50
        )
    };
    let sarif = repeated(r#"{"version":"2.1.0","runs":[{"results":["#, result, r#"{"level":"error"}]}]}"#);
    let eslint = repeated(
        "[",
        |_| r#"{"filePath":"a","errorCount":1,"warningCount":2,"source":"x"},"#.to_owned(),
        r#"{"errorCount":0,"warningCount":0}]"#,
    );
    for (what, log, least) in [("SARIF", sarif, 1), ("eslint", eslint, 20_000)] {
        check(what, 1, || {
            let file = [ReportFile::read(log.as_bytes())];
            let measured = measure(Some(Purpose::Lint), Exit::Code(1), b"", &file, &TestReport::default());
            assert!(
                matches!(measured, Measured { lint_errors: Some(errors), .. } if errors >= least),
                "{measured:?}"
            );
            assert!(file[0].is_whole());
        });
    }
}

#[test]
fn coverage_of_a_large_project_keeps_a_number_for_each_line() {
    let source = |number: usize| {
        let lines: String = (1..200).map(|line| format!("DA:{line},{}\n", line % 3)).collect();
        format!("SF:src/module_{number}.rs\n{lines}LF:199\nLH:132\nend_of_record\n")
    };
    let lcov = repeated("", source, "");
    let line = |number: usize| format!("<line number=\"{number}\" hits=\"1\"/>");
    let xml = repeated("<coverage><class filename=\"a\">", line, "</class></coverage>");
    let block = |number: usize| format!("example.com/x/a.go:{number}.1,{number}.9 2 1\n");
    let profile = repeated("mode: set\n", block, "");
    for (what, file) in [("LCOV", lcov), ("Cobertura", xml), ("Go", profile)] {
        check(what, 8, || assert!(ReportFile::read(file.as_bytes()).is_whole(), "{what}"));
    }
}

#[test]
fn tests_of_a_large_project_are_named_as_far_as_there_is_room_and_no_failure_is_lost() {
    let case = |number| format!("<testcase classname=\"suite.of.tests\" name=\"case number {number}\"/>");
    let failure = "<testcase classname=\"a\" name=\"red\"><failure/></testcase></testsuite>";
    let xml = repeated("<testsuite name=\"s\">", case, failure);
    check("JUnit", 24, || {
        let report = crate::reports::join_junits([JunitFile::read(xml.as_bytes())]);
        assert_eq!(report.failed().count(), 1);
    });
    let tap = repeated(
        "TAP version 13\n",
        |number| format!("ok {number} - a test with a name of some length\n"),
        "1..1\n",
    );
    check("TAP", 24, || drop(read(tap.as_bytes())));
    let events = repeated(
        "",
        |number| format!("{{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"TestNumber{number}\"}}\n"),
        "",
    );
    check("go test -json", 24, || drop(read(events.as_bytes())));
}

#[test]
fn an_output_is_shortened_where_it_lies() {
    let mut output =
        repeated("", |number| format!("/work/한글 project/src/a.rs:{number}: error\n"), "").into_bytes();
    check("an output", 1, || take_root_out(&mut output, "/work/한글 project"));
    assert!(output.starts_with(b"src/a.rs:0: error\nsrc/a.rs:1"));
}
