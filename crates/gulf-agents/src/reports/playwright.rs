//! Reads what Playwright prints: each test with its outcome where the reporter is `list`, failures and counts in all.

use super::forms::Reader;
use super::marked::{with_arrows, without_duration};
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Playwright {
    results: Results,
    /// A test may print such lines too; Playwright's own are the last ones.
    stated: Option<Counts>,
    failed: Vec<String>,
    /// The names that follow are of failures.
    fails: bool,
    is_over: bool,
}

impl Reader for Playwright {
    /// At its heading: `Running 5 tests using 1 worker`
    fn begins(line: &str) -> bool {
        form!("^Running [0-9]+ tests? using [0-9]+ workers?[ \t]*$").is_match(line)
    }

    fn read(&mut self, line: &str) {
        if let Some((number, word)) = counted(line) {
            if std::mem::take(&mut self.is_over) {
                (self.stated, self.failed) = (None, Vec::new());
            }
            let counts = self.stated.get_or_insert_default();
            self.fails = ["failed", "interrupted"].contains(&word);
            match word {
                "failed" | "interrupted" => counts.count(TestOutcome::Failed, number),
                "skipped" | "did not run" => counts.count(TestOutcome::Skipped, number),
                _ => counts.count(TestOutcome::Passed, number),
            }
        } else if let Some(name) = line.strip_prefix("    ").filter(|_| self.fails && !self.is_over) {
            self.failed.push(id(name.trim_end_matches('─')));
        } else {
            self.is_over |= self.stated.is_some() && !line.starts_with("    ");
            self.read_result(line);
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        self.stated.is_some() && !line.starts_with("  ")
    }

    fn finish(mut self: Box<Self>) -> Option<Section> {
        let stated = self.stated?;
        self.results.push_failed(self.failed);
        Some(settle(Runner::Playwright, self.results, Some(stated)))
    }
}

impl Playwright {
    /// `  ✓  1 [chromium] › t/a.spec.js:2:1 › adds (44ms)`; failures are read where they are counted.
    fn read_result(&mut self, line: &str) {
        let found = parts(form!("^[ \t]*(✓|-)  [ ✓-]*[0-9][^ ]* (.*)$"), line);
        if let Some([mark, name]) = found {
            let outcome = if mark == "✓" { TestOutcome::Passed } else { TestOutcome::Skipped };
            self.results.push(id(without_duration(name)), outcome);
        }
    }
}

/// Without its place, and without which try it was.
fn id(name: &str) -> String {
    let name = name.trim();
    let name = name.rsplit_once(" (retry #").map_or(name, |(name, _)| name);
    // Line and column move.
    with_arrows(&form!(":[0-9]+:[0-9]+( › |$)").replace_all(name, "$1"))
}

/// `  1 failed`, `  2 did not run`, `  2 passed (5.3s)`
fn counted(line: &str) -> Option<(u64, &str)> {
    let form = form!("^  ([0-9]+) (failed|interrupted|flaky|skipped|did not run|passed)$");
    let [number, word] = parts(form, without_duration(line))?;
    Some((number.parse().ok()?, word))
}
