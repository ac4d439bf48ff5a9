//! Reads what Python's unittest prints, and those who print like it (Django, trial).
//!
//! It stands apart because it names only what failed: how many ran stands in its last lines, and whoever ends the process
//! before those has run nothing.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};

/// The line above each failure: no other runner draws one of this length without a title.
const RULE: &str = "======================================================================";

/// Opens a report at the first failure, or at the count where nothing failed.
pub(super) fn begun_by(line: &str) -> Option<Box<dyn Reader>> {
    (line.trim_end() == RULE || ran(line).is_some()).then(|| Box::new(Unittest::default()) as Box<dyn Reader>)
}

#[derive(Debug, Default)]
struct Unittest {
    failed: Results,
    is_after_rule: bool,
    ran: Option<u64>,
    stated: Option<Counts>,
}

impl Reader for Unittest {
    fn read(&mut self, line: &str) {
        let line = line.trim_end();
        if line == RULE {
            self.is_after_rule = true;
            return;
        }
        if std::mem::take(&mut self.is_after_rule)
            && let Some(name) =
                ["FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: "].iter().find_map(|sign| line.strip_prefix(sign))
        {
            self.failed.push(name.to_owned(), TestOutcome::Failed);
        } else if let Some(count) = ran(line) {
            // A test may print such a line too; the runner's own is the last one.
            (self.ran, self.stated) = (Some(count), None);
        } else if let Some(ran) = self.ran
            && self.stated.is_none()
        {
            self.stated = closing(line, ran);
        }
    }

    fn may_end_before(&self, _: &str) -> bool {
        self.stated.is_some()
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        Some(settle(Runner::Unittest, self.failed, self.stated))
    }
}

/// `Ran 3 tests in 0.001s`
fn ran(line: &str) -> Option<u64> {
    let (count, rest) = line.strip_prefix("Ran ")?.split_once(' ')?;
    let is_time = ["test in ", "tests in "].iter().any(|words| rest.starts_with(words))
        && rest.trim_end().ends_with('s');
    count.parse().ok().filter(|_| is_time)
}

/// `OK`, `OK (skipped=1, expected failures=1)`, `FAILED (failures=1, errors=2)`, `NO TESTS RAN`
fn closing(line: &str, ran: u64) -> Option<Counts> {
    let (word, rest) = line.split_once(" (").unwrap_or((line, ""));
    if !["OK", "FAILED", "NO TESTS RAN"].contains(&word) {
        return None;
    }
    let mut counts = Counts::default();
    for part in rest.trim_end_matches(')').split(", ").filter(|part| !part.is_empty()) {
        let (name, count) = part.split_once('=')?;
        let count: u64 = count.parse().ok()?;
        match name {
            "failures" | "errors" | "unexpected successes" => {
                counts.failed = counts.failed.saturating_add(count);
            }
            "skipped" | "expected failures" => counts.skipped = counts.skipped.saturating_add(count),
            _ => return None,
        }
    }
    counts.passed = ran.saturating_sub(counts.failed).saturating_sub(counts.skipped);
    Some(counts)
}
