//! Reads node:test's `spec` reporter (`✔ name (1.2ms)`), node's default where it is not TAP.
//!
//! It stands apart because nothing marks its beginning (`marked.rs` opens it) and a test's own output stands among its
//! lines: only the counts at its end tell whether every line was the runner's.

use super::section::{Results, Section, settle};
use super::tap::Nested;
use super::{Completeness, Counts, Runner, TestOutcome};

/// Is this a result, a group or a count of node's?
pub(super) fn begins(line: &str) -> bool {
    result_of(line).is_some() || line.starts_with("▶ ") || stated_number(line).is_some()
}

#[derive(Debug, Default)]
pub(super) struct Spec {
    results: Nested,
    tests: Option<u64>,
    suites: u64,
    failed: u64,
    passed: u64,
    skipped: u64,
    ended: bool,
}

impl Spec {
    pub(super) fn read(&mut self, line: &str) {
        if self.ended {
            // The failures follow once more, with what they printed.
        } else if let Some((word, number)) = stated_number(line) {
            self.state(word, number);
        } else if let Some(result) = result_of(line) {
            self.results.close(result.indent, result.name, result.outcome);
        }
    }

    /// Has node's own closing begun?
    pub(super) fn has_counts(&self) -> bool {
        self.tests.is_some()
    }

    /// At the end the failures are listed once more, in the form of results with their errors below them.
    pub(super) fn may_end_before(&self, line: &str) -> bool {
        self.ended && !line.starts_with('✖') && !line.starts_with("  ")
    }

    pub(super) fn finish(self) -> Option<Section> {
        if self.results.closed == 0 && self.tests.is_none() {
            return None;
        }
        let read = self.results.counts();
        let closed = self.results.closed;
        let whole = self.ended && self.results.is_closed();
        let every = whole && self.tests.is_some_and(|tests| tests.saturating_add(self.suites) == closed);
        let stated = Counts { passed: self.passed, failed: self.failed, skipped: self.skipped };
        let results = self.results.into_results();
        if every && read.failed >= stated.failed.min(1) {
            return Some(Section { stated: Some(stated), ..settle(Runner::NodeSpec, results, Some(read)) });
        }
        let mut section = settle(Runner::NodeSpec, failures(results), None);
        if whole {
            section.stated = Some(stated);
            // Lines of a test's own may add failures here, they cannot hide one.
            let all = read.failed >= stated.failed;
            section.complete = if all { Completeness::FailuresOnly } else { Completeness::None };
        }
        Some(section)
    }

    fn state(&mut self, word: &str, number: u64) {
        match word {
            "tests" => self.tests = Some(number),
            "suites" => self.suites = number,
            "pass" => self.passed = number,
            "fail" | "cancelled" => self.failed = self.failed.saturating_add(number),
            "skipped" | "todo" => self.skipped = self.skipped.saturating_add(number),
            "duration_ms" => self.ended = self.tests.is_some(),
            _ => {}
        }
    }
}

fn failures(mut results: Results) -> Results {
    results.keep_failures();
    results
}

/// `ℹ tests 12`, `ℹ duration_ms 229.2`
fn stated_number(line: &str) -> Option<(&str, u64)> {
    let (word, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    if word == "duration_ms" {
        return number.trim().parse::<f64>().is_ok().then_some((word, 0));
    }
    Some((word, number.trim().parse().ok()?))
}

struct SpecResult<'line> {
    indent: usize,
    name: &'line str,
    outcome: TestOutcome,
}

/// `  ✖ inner bad (8.0ms)`, `﹣ skipped (1.3ms) # later`, `✖ todo (0.3ms) # TODO`
fn result_of(line: &str) -> Option<SpecResult<'_>> {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    let mut characters = text.chars();
    let symbol = characters.next()?;
    let rest = characters.as_str().strip_prefix(' ')?;
    let (name, rest) = rest.rsplit_once(" (")?;
    let (duration, rest) = rest.split_once(')')?;
    duration.strip_suffix("ms")?.parse::<f64>().ok()?;
    let noted = rest.trim_start().starts_with('#');
    let outcome = match (symbol, noted) {
        ('✔' | '▶', false) => TestOutcome::Passed,
        ('✖', false) => TestOutcome::Failed,
        ('✔' | '▶' | '✖', true) | ('﹣' | '⚠', _) => TestOutcome::Skipped,
        _ => return None,
    };
    Some(SpecResult { indent, name, outcome })
}
