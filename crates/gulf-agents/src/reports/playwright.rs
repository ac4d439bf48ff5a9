//! Reads what Playwright prints: each test with its outcome where the reporter is `list`, failures and counts in all.

use super::forms::Reader;
use super::marked::{with_arrows, without_duration};
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};

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
    /// `Running 5 tests using 1 worker`
    fn begins(line: &str) -> bool {
        let rest = line.strip_prefix("Running ").and_then(|rest| rest.split_once(" using "));
        let is_count = |text: &str, one: &str| {
            let (number, word) = text.split_once(' ').unwrap_or_default();
            number.parse::<u64>().is_ok() && word.trim_end().trim_end_matches('s') == one
        };
        rest.is_some_and(|(tests, workers)| is_count(tests, "test") && is_count(workers, "worker"))
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
        let outcome = match line.trim_start().split_once("  ") {
            Some(("✓", _)) => TestOutcome::Passed,
            Some(("-", _)) => TestOutcome::Skipped,
            Some(_) | None => return,
        };
        let number = |name: &&str| name.starts_with(|digit: char| digit.is_ascii_digit());
        let named = line.trim_start_matches([' ', '✓', '-']);
        if let Some((_, name)) = Some(named).filter(number).and_then(|named| named.split_once(' ')) {
            self.results.push(id(without_duration(name)), outcome);
        }
    }
}

/// Without line and column, which move, and without which try it was.
fn id(name: &str) -> String {
    let name = name.trim();
    let name = name.rsplit_once(" (retry #").map_or(name, |(name, _)| name);
    let parts = name.split(" › ").map(|part| match part.rsplitn(3, ':').collect::<Vec<_>>().as_slice() {
        [column, line, path] if [line, column].iter().all(|text| text.parse::<u32>().is_ok()) => *path,
        _ => part,
    });
    with_arrows(&parts.collect::<Vec<_>>().join(" › "))
}

/// `  1 failed`, `  2 did not run`, `  2 passed (5.3s)`
fn counted(line: &str) -> Option<(u64, &str)> {
    let text = line.strip_prefix("  ").filter(|text| !text.starts_with(' '))?;
    let (number, word) = without_duration(text).split_once(' ')?;
    let is_known = ["failed", "interrupted", "flaky", "skipped", "did not run", "passed"].contains(&word);
    number.parse().ok().filter(|_| is_known).map(|number| (number, word))
}
