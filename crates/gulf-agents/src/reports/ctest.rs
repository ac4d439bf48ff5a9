//! Reads what ctest prints: one line for each test, and at the end a share, what failed and what did not run.
//!
//! Its lines are numbered: with `--output-on-failure` a test's output stands among them, and a line that the test
//! made up takes the number of the next one.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Ctest {
    results: Results,
    lines: u64,
    /// A line had another number than it must have.
    is_garbled: bool,
    /// How many failed, and out of how many; those that were skipped are among them, those that are disabled are not.
    stated: Option<(u64, u64)>,
    failed: Results,
    skipped: u64,
    disabled: u64,
}

impl Reader for Ctest {
    /// At its heading, at a result or at the closing.
    fn begins(line: &str) -> bool {
        line.starts_with("Test project /") || result_of(line).is_some() || closing(line).is_some()
    }

    fn read(&mut self, line: &str) {
        if let Some(stated) = closing(line) {
            (self.stated, self.failed, self.skipped, self.disabled) =
                (Some(stated), Results::default(), 0, 0);
        } else if let Some((number, name, outcome)) = result_of(line) {
            self.lines = self.lines.saturating_add(1);
            self.is_garbled |= number != self.lines;
            self.results.push(name.to_owned(), outcome);
        } else if let Some((name, status)) = listed(line).filter(|_| self.stated.is_some()) {
            match status {
                "Skipped" => self.skipped = self.skipped.saturating_add(1),
                "Disabled" => self.disabled = self.disabled.saturating_add(1),
                _ => self.failed.push(name.to_owned(), TestOutcome::Failed),
            }
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        self.stated.is_some()
            && !line.starts_with('\t')
            && result_of(line).is_none()
            && closing(line).is_none()
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let Some((failed, total)) = self.stated else {
            return (self.lines > 0).then(|| settle(Runner::Ctest, self.results, None));
        };
        let passed = total.saturating_sub(failed).saturating_sub(self.skipped);
        let skipped = self.skipped.saturating_add(self.disabled);
        let stated = Counts { passed, failed, skipped };
        let is_whole = !self.is_garbled && self.results.counts() == stated;
        Some(settle(Runner::Ctest, if is_whole { self.results } else { self.failed }, Some(stated)))
    }
}

/// ` 2/10 Test  #2: is.wrong ......***Failed    0.00 sec`
fn result_of(line: &str) -> Option<(u64, &str, TestOutcome)> {
    // `adds ....Subprocess aborted***Exception:`
    let form = form!(
        r"^ *([0-9]+)/[0-9]+ Test +#[0-9]+: (.*?) *\.*(?:\.[^.*]*\*\*\*|   )([^ *][^*]*?) +[0-9.]+ sec[ \t]*$"
    );
    let [number, name, status] = parts(form, line)?;
    let outcome = match status {
        "Passed" => TestOutcome::Passed,
        "Skipped" | "Not Run (Disabled)" => TestOutcome::Skipped,
        _ => TestOutcome::Failed,
    };
    Some((number.parse().ok()?, name, outcome))
}

/// `67% tests passed, 1 tests failed out of 3`; from CMake 4 on `100% tests passed out of 3` where none failed
fn closing(line: &str) -> Option<(u64, u64)> {
    let form =
        form!(r"^(?:100% tests passed|[0-9]+% tests passed, ([0-9]+) tests? failed) out of ([0-9]+)[ \t]*$");
    let found = form.captures(line)?;
    let failed = found.get(1).map_or(Some(0), |failed| failed.as_str().parse().ok());
    Some((failed?, found[2].parse().ok()?))
}

/// `\t  2 - is.wrong (Failed)`, with the test's labels behind it
fn listed(line: &str) -> Option<(&str, &str)> {
    parts(form!(r"^\t[ \t]*[0-9]+ - (.*) \(([^)]*)"), line).map(|[name, status]| (name, status))
}
