//! Reads what Python's unittest prints, and those who print like it (Django, trial).
//!
//! Without `-v` it names only what failed: how many ran stands in its last lines, and whoever ends the process before
//! those has run nothing.

use std::collections::BTreeSet;

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};
use crate::patterns::{form, parts};

/// The line above each failure: no other runner draws one of this length without a title.
const RULE: &str = "======================================================================";

/// No other program prints such a line.
fn is_sure(line: &str) -> bool {
    line.trim_end() == RULE || ran(line).is_some()
}

#[derive(Debug, Default)]
pub(super) struct Unittest {
    results: Results,
    /// What `-v` named last, until its outcome is read.
    running: Option<String>,
    is_sure: bool,
    is_after_rule: bool,
    ran: Option<u64>,
    stated: Option<Counts>,
    failed: BTreeSet<String>,
    /// So often a test failed again, which the runner counts: in its subtests, or as it was torn down.
    failed_again: u64,
}

impl Reader for Unittest {
    /// At the first test that `-v` names, at the first failure, or at the count where nothing failed.
    fn begins(line: &str) -> bool {
        is_sure(line) || split_name(line.trim_end()).is_some()
    }

    fn read(&mut self, line: &str) {
        self.is_sure |= is_sure(line);
        let line = line.trim_end();
        if line == RULE {
            self.is_after_rule = true;
            return;
        }
        if std::mem::take(&mut self.is_after_rule)
            && let Some(name) =
                ["FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: "].iter().find_map(|sign| line.strip_prefix(sign))
        {
            let name = outer(name);
            if self.failed.insert(name.to_owned()) {
                self.results.push(name.to_owned(), TestOutcome::Failed);
            } else {
                self.failed_again += 1;
            }
        } else if let Some(count) = ran(line) {
            // A test may print such a line too; the runner's own is the last one.
            (self.ran, self.stated) = (Some(count), None);
        } else if self.ran.is_some() && self.stated.is_none() {
            self.stated = closing(line);
        } else if !self.is_sure {
            self.read_verbose(line);
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        self.stated.is_some() || !(self.is_sure || is_sure(line) || split_name(line.trim_end()).is_some())
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let stated = self.stated.map(|stated| {
            let failed = stated.failed.saturating_sub(self.failed_again);
            let others = failed.saturating_add(stated.skipped);
            Counts { failed, passed: self.ran.unwrap_or_default().saturating_sub(others), ..stated }
        });
        self.is_sure.then(|| settle(Runner::Unittest, self.results, stated))
    }
}

impl Unittest {
    /// `test_a (module.Class.test_a) ... ok`; the outcome may stand below a docstring, or below what the test printed.
    /// Failures are told once more below their rules, and read there.
    fn read_verbose(&mut self, line: &str) {
        let mut rest = line;
        if let Some((name, after)) = split_name(line) {
            self.running = Some(name.to_owned());
            rest = after;
        }
        let word = rest.rsplit_once(" ... ").map_or(rest, |(_, word)| word);
        let outcome = match word {
            "ok" => TestOutcome::Passed,
            "expected failure" => TestOutcome::Skipped,
            _ if word.starts_with("skipped ") => TestOutcome::Skipped,
            _ => return,
        };
        if let Some(name) = self.running.take() {
            self.results.push(name, outcome);
        }
    }
}

/// Without what tells a subtest: `test_a (module.Class.test_a) (n=1)`, `… [message]`.
fn outer(name: &str) -> &str {
    let end = [") (", ") ["].iter().filter_map(|sign| name.find(sign)).min();
    let whole = end.and_then(|end| split_name(&name[..=end]));
    whole.map_or(name, |(outer, _)| outer)
}

/// `test_a (module.Class.test_a)`, and what stands behind it.
fn split_name(line: &str) -> Option<(&str, &str)> {
    const WORD: &str = r"[A-Za-z0-9_\u{80}-\u{10FFFF}]+";
    let form = form!(&format!(r"^({WORD} \({WORD}(?:\.{WORD})+\))((?: \.\.\. .*)?)$"));
    parts(form, line).map(|[name, rest]| (name, rest))
}

/// `Ran 3 tests in 0.001s`
fn ran(line: &str) -> Option<u64> {
    let [count] = parts(form!("^Ran ([0-9]+) tests? in .*s[ \t]*$"), line)?;
    count.parse().ok()
}

/// `OK`, `OK (skipped=1, expected failures=1)`, `FAILED (failures=1, errors=2)`, `NO TESTS RAN`
fn closing(line: &str) -> Option<Counts> {
    let (word, rest) = line.split_once(" (").unwrap_or((line, ""));
    if !["OK", "FAILED", "NO TESTS RAN"].contains(&word) {
        return None;
    }
    let parts = rest.trim_end_matches(')').split(", ").filter(|part| !part.is_empty());
    let counted = parts.map(|part| {
        let (name, count) = part.split_once('=')?;
        Some((count.parse().ok()?, name))
    });
    let failed = ["failures", "errors", "unexpected successes"];
    Counts::read_parts(counted, [&[], &failed, &["skipped", "expected failures"], &[]])
}
