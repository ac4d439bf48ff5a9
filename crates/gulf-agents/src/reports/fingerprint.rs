//! One text for one failure: the same failure gives the same text in every run, on every checkout.
//!
//! Stuck detection, retries and lessons compare failures (SPEC A7, R3), and outputs differ in times, addresses and
//! places that mean nothing.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{Completeness, TestReport, lines};

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
        normalised(&line.chars().take(LINE_CHARS_MAX).collect::<String>()) + "\n"
    };
    let mut tail: Vec<String> = last.map(read).collect();
    tail.reverse();
    tail.concat()
}

/// A line without numbers, addresses, digests, and the names of temporary folders; codes such as `E0425` stay.
fn normalised(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(length) = temporary_path(rest) {
            text.push_str("<temporary>");
            length
        } else if is_word(first) {
            let length = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
            push_word(&mut text, &rest[..length]);
            length
        } else {
            text.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    text
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn push_word(text: &mut String, word: &str) {
    let letters = word.trim_start_matches(|character: char| character.is_ascii_uppercase()).len();
    let digits = &word[word.len() - letters..];
    let is_code =
        letters < word.len() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let hexadecimal = word.strip_prefix("0x").unwrap_or(word);
    let is_digest = hexadecimal.len() >= 4
        && hexadecimal.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit());
    if is_code {
        text.push_str(word);
    } else if is_digest {
        text.push('#');
    } else {
        push_without_digits(text, word);
    }
}

fn push_without_digits(text: &mut String, word: &str) {
    let characters: Vec<char> = word.chars().collect();
    for run in characters.chunk_by(|one, next| one.is_numeric() == next.is_numeric()) {
        let shown: &[char] = if run[0].is_numeric() { &['#'] } else { run };
        text.extend(shown);
    }
}

/// The length of a path under a folder for temporary files, up to its last component.
fn temporary_path(text: &str) -> Option<usize> {
    let folders = ["/private/tmp/", "/private/var/folders/", "/var/folders/", "/var/tmp/", "/tmp/"];
    folders.iter().find(|folder| text.starts_with(**folder))?;
    let end = text.find(|character: char| character.is_whitespace() || "\"'`()<>:,;".contains(character));
    text[..end.unwrap_or(text.len())].rfind('/')
}
