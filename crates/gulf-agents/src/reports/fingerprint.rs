//! One text for one failure: the same failure gives the same text in every run, on every checkout.
//!
//! Stuck detection, retries and lessons compare failures (SPEC A7, R3), and outputs differ in times, addresses and
//! places that mean nothing.

use std::borrow::Cow;
use std::fmt::Write as _;

use regex::Captures;

use super::{Completeness, TestReport, lines};
use crate::patterns::form;

/// Lines at the end of an output that describe a failure without readable ids.
const TAIL_LINES_MAX: usize = 30;
/// Characters of one such line.
const LINE_CHARS_MAX: usize = 400;
/// Failing tests a fingerprint names; the number of the others is said.
const FAILURES_MAX: usize = 200;

/// How a check's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It ended by itself with this code.
    Code(i32),
    /// It was ended by this signal.
    Signal(i32),
    /// It was ended because it took too long.
    TimedOut,
}

/// The failing test ids if they can be read, else the end of the output without what changes from run to run.
///
/// Remove the checkout's own path first (`take_root_out`), or a failure on another checkout is another failure.
pub fn fingerprint(report: &TestReport, output: &[u8], exit: Exit) -> String {
    let mut text = match exit {
        Exit::Code(code) => format!("exit code {code}\n"),
        // Behind walls nobody sees the signal itself: bwrap ends as a shell does.
        Exit::Signal(signal) => format!("exit code {}\n", signal.saturating_add(128)),
        Exit::TimedOut => "timed out\n".to_owned(),
    };
    let failed: Vec<_> = report.failed().collect();
    if report.complete == Completeness::None || failed.is_empty() {
        text.push_str(&normalised_tail(output));
        return text;
    }
    for id in failed.iter().take(FAILURES_MAX) {
        let _ = writeln!(text, "failed {id}");
    }
    if failed.len() > FAILURES_MAX {
        let _ = writeln!(text, "and {} more", failed.len() - FAILURES_MAX);
    }
    text
}

fn normalised_tail(output: &[u8]) -> String {
    let last = lines(output).rev().filter(|line| !line.trim().is_empty()).take(TAIL_LINES_MAX);
    let read = |line: Cow<'_, str>| {
        // Shells align what they say of a crash by the digits of its process. Whether a core was written says where it ran.
        let words: Vec<_> = line.split_whitespace().collect();
        let line = words.join(" ").replace(" (core dumped)", "");
        normalised(&line.chars().take(LINE_CHARS_MAX).collect::<String>()).into_owned() + "\n"
    };
    let mut tail: Vec<String> = last.map(read).collect();
    tail.reverse();
    tail.concat()
}

/// A line without numbers, addresses, digests, and the names of temporary folders; codes such as `E0425` stay.
fn normalised(line: &str) -> Cow<'_, str> {
    const FOLDER: &str = r#"/(?:(?:private/)?(?:tmp|var/folders)|var/tmp)/(?:[^ "'`()<>:,;]*/)?"#;
    const CODE_OR_DIGEST: &str = r"(?-u:\b(?:([A-Z]+[0-9]+)|(?:0x)?[0-9a-fA-F]{4,})\b)";
    let form = form!(&format!("({FOLDER})|{CODE_OR_DIGEST}|[0-9]+"));
    form.replace_all(line, |found: &Captures<'_>| {
        let is_number = found.get(2).is_none() && found[0].contains(|one: char| one.is_ascii_digit());
        let other = if is_number { "#" } else { &found[0] };
        if found.get(1).is_some() { "<temporary>/" } else { other }.to_owned()
    })
}
