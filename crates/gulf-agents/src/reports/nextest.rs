//! Reads what `cargo nextest run` prints.
//!
//! Its lines carry everything (state, duration, binary, test), quote the harness's own output, and say a result
//! twice: once as it comes, once after the summary.

use std::collections::BTreeMap;

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TESTS_MAX, TestOutcome, numbered};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Nextest {
    /// The last result of each test: a retry replaces the attempt before it.
    results: BTreeMap<String, TestOutcome>,
    stated: Option<Counts>,
}

impl Reader for Nextest {
    /// At nextest's first line.
    fn begins(line: &str) -> bool {
        let first = line.trim_start();
        line.starts_with(' ')
            && (first.starts_with("Nextest run ID ")
                || (first.starts_with("Starting ") && first.contains(" across ")))
    }

    fn read(&mut self, line: &str) {
        if self.stated.is_some() {
            return;
        }
        if let Some(stated) = stated_by(line) {
            self.stated = Some(stated);
        } else if let Some((id, outcome)) = result_of(line)
            && self.results.len() <= TESTS_MAX
        {
            self.results.insert(id, outcome);
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        self.stated.is_some() || line.starts_with(" Nextest run ID ")
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let results: Results = self.results.into_iter().collect();
        // Skipped tests are counted and not named, so they do not speak against what was read.
        let read = results.counts();
        let ran = self.stated.map(|stated| Counts { skipped: read.skipped, ..stated });
        Some(Section { stated: self.stated, ..settle(Runner::Nextest, results, ran) })
    }
}

/// `        PASS [   0.008s] (1/7) sample tests::adds`; the progress is missing in older versions.
fn result_of(line: &str) -> Option<(String, TestOutcome)> {
    let form = form!(r"^ +([^\[]+?) \[[^\]]*[0-9][^\]]*s\] *(?:\([^)]*/[^)]*\) )?([^ (][^ ]*) (.+)$");
    let [state, binary, test] = parts(form, line.trim_end())?;
    Some((format!("{binary}::{}", test.trim()), outcome_of(state)?))
}

/// Any word nextest may add for a way to die is a failure: only the known good words are not.
fn outcome_of(state: &str) -> Option<TestOutcome> {
    let attempt = state.strip_prefix("TRY ").and_then(|rest| rest.split_once(' ')).map(|(_, word)| word);
    match attempt.unwrap_or(state) {
        "PASS" | "LEAK" => Some(TestOutcome::Passed),
        "SKIP" => Some(TestOutcome::Skipped),
        "SLOW" | "TERMINATING" | "SETUP PASS" | "RETRY" | "START" => None,
        word if word.starts_with("FLAKY") => Some(TestOutcome::Passed),
        word if word.bytes().all(|byte| byte.is_ascii_uppercase() || b" -+".contains(&byte)) => {
            Some(TestOutcome::Failed)
        }
        _ => None,
    }
}

/// `     Summary [   0.171s] 5/7 tests run: 3 passed (1 slow, 1 flaky), 1 failed, 1 timed out, 1 skipped`
fn stated_by(line: &str) -> Option<Counts> {
    let [numbers] = parts(form!(r"^     Summary \[[^\]]*\].*?tests? run: (.*)$"), line)?;
    let mut counts = Counts::default();
    let outside_parentheses: String = numbers.split(['(', ')']).step_by(2).collect();
    for field in outside_parentheses.split(", ") {
        let (number, word) = numbered(field.trim())?;
        match word.trim() {
            "passed" => counts.passed = number,
            "skipped" => counts.skipped = number,
            _ => counts.count(TestOutcome::Failed, number),
        }
    }
    Some(counts)
}
