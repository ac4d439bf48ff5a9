//! Reads what Jest prints by itself: files, failures with their names, and counts at the end.

use super::forms::Reader;
use super::marked::{Suites, with_arrows, without_duration};
use super::section::Section;
use super::twice::{Twice, counted};
use super::{Counts, Runner, TestOutcome};
use crate::patterns::{form, parts};

const NOT_RUN: &str = "Test suite failed to run";
/// What stands in the place of a test's name and is none.
const HEADINGS: [&str; 4] =
    ["Console", "Validation Warning:", "Deprecation Warning:", "Cannot log after tests are done."];

#[derive(Debug, Default)]
pub(super) struct Jest {
    told: Twice,
    suites: Suites,
}

impl Reader for Jest {
    /// At the first file, or at the counts.
    fn begins(line: &str) -> bool {
        file_of(line).is_some() || closing(line).is_some()
    }

    fn read(&mut self, line: &str) {
        if let Some(file) = file_of(line) {
            self.told.begin(file);
            self.suites = Suites::default();
        } else if let Some(counts) = closing(line) {
            self.told.stated = Some(counts);
        } else if line.starts_with("Time:") {
            self.told.ended = self.told.stated.is_some();
        } else if let Some(name) = line.strip_prefix("  ● ").map(str::trim_end) {
            let id = format!("{} > {}", self.told.file, with_arrows(name));
            if name == NOT_RUN {
                self.told.fail_file(id);
            } else if !HEADINGS.iter().any(|heading| name.starts_with(heading)) {
                self.told.fail(id);
            }
        } else if !self.told.file.is_empty()
            && let Some((name, outcome)) = self.suites.read(line, result_of)
            && outcome != TestOutcome::Failed
        {
            self.told.results.push(format!("{} > {name}", self.told.file), outcome);
        }
    }

    fn may_end_before(&self, _: &str) -> bool {
        self.told.ended
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        self.told.finish(Runner::Jest)
    }
}

/// `✓ adds (2 ms)`, `○ skipped later`; failures are read where their errors stand.
fn result_of(text: &str) -> Option<(&str, TestOutcome)> {
    let (mark, name) = text.split_once(' ').unwrap_or((text, ""));
    let outcome = TestOutcome::from_word(mark, [&["✓"], &["✕"], &["○", "✎"]])?;
    let name = ["skipped ", "todo "].iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name);
    Some((name, outcome))
}

/// `PASS src/a.test.js`, `FAIL src/b.test.js (5.2 s)`
fn file_of(line: &str) -> Option<&str> {
    let form = form!(r"^(?:PASS|FAIL) (?:.* )?([^ ]*\.(?:[cm]?[jt]s|[jt]sx))$");
    parts(form, without_duration(line)).map(|[path]| path)
}

/// `Tests:       1 failed, 1 skipped, 1 todo, 3 passed, 6 total`
fn closing(line: &str) -> Option<Counts> {
    let rest = line.strip_prefix("Tests:")?.trim();
    counted(rest.split(", "), &["total"]).filter(|_| rest.ends_with(" total"))
}
