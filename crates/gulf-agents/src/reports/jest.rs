//! Reads what Jest prints by itself: files, failures with their names, and counts at the end.
//!
//! It stands apart because Jest names what passed only where it runs one file or is told to, and says a failure twice.

use std::collections::BTreeSet;

use super::forms::Reader;
use super::marked::{with_arrows, without_duration};
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};

const NOT_RUN: &str = "Test suite failed to run";
/// What stands in the place of a test's name and is none.
const HEADINGS: [&str; 4] =
    ["Console", "Validation Warning:", "Deprecation Warning:", "Cannot log after tests are done."];
/// Deeper than anybody nests groups: output of a test.
const SUITES_MAX: usize = 64;

/// Opens a report at the first file, or at the counts.
pub(super) fn begun_by(line: &str) -> Option<Box<dyn Reader>> {
    (file_of(line).is_some() || closing(line).is_some()).then(|| Box::new(Jest::default()) as Box<dyn Reader>)
}

#[derive(Debug, Default)]
struct Jest {
    file: String,
    suites: Vec<(usize, String)>,
    results: Results,
    failed: BTreeSet<String>,
    files: u64,
    files_not_run: u64,
    stated: Option<Counts>,
    ended: bool,
}

impl Reader for Jest {
    fn read(&mut self, line: &str) {
        if let Some(file) = file_of(line) {
            file.clone_into(&mut self.file);
            self.files = self.files.saturating_add(1);
            self.suites.clear();
        } else if let Some(counts) = closing(line) {
            self.stated = Some(counts);
        } else if line.starts_with("Time:") {
            self.ended = self.stated.is_some();
        } else if let Some(name) = line.strip_prefix("  ● ") {
            self.fail(name.trim_end());
        } else if !self.file.is_empty() {
            self.read_result(line);
        }
    }

    fn may_end_before(&self, _: &str) -> bool {
        self.ended
    }

    fn finish(mut self: Box<Self>) -> Option<Section> {
        let mut stated = self.stated?;
        stated.failed = stated.failed.saturating_add(self.files_not_run);
        if self.files <= 1 {
            // Of two files it names failures only: a second file must not look like the end of all names.
            self.results.keep_failures();
        }
        Some(settle(Runner::Jest, self.results, Some(stated)))
    }
}

impl Jest {
    fn fail(&mut self, name: &str) {
        if HEADINGS.iter().any(|heading| name.starts_with(heading)) {
            return;
        }
        let id = format!("{} > {}", self.file, with_arrows(name));
        if self.failed.insert(id.clone()) {
            self.files_not_run += u64::from(name == NOT_RUN);
            self.results.push(id, TestOutcome::Failed);
        }
    }

    fn read_result(&mut self, line: &str) {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if indent < 2 || text.is_empty() {
            return;
        }
        self.suites.retain(|(outer, _)| *outer < indent);
        let (mark, name) = text.split_once(' ').unwrap_or((text, ""));
        let outcome = match mark {
            "✓" => TestOutcome::Passed,
            "○" | "✎" => TestOutcome::Skipped,
            // Failures are read where their errors stand.
            "✕" => return,
            _ => {
                let has_room = self.suites.len() < SUITES_MAX;
                return self.suites.extend(has_room.then(|| (indent, text.to_owned())));
            }
        };
        let name = ["skipped ", "todo "].iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name);
        let suites: String = self.suites.iter().map(|(_, title)| format!("{title} > ")).collect();
        self.results.push(format!("{} > {suites}{}", self.file, without_duration(name)), outcome);
    }
}

/// `PASS src/a.test.js`, `FAIL src/b.test.js (5.2 s)`
fn file_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("PASS ").or_else(|| line.strip_prefix("FAIL "))?;
    let path = without_duration(rest);
    let path = path.rsplit(' ').next().filter(|path| !path.is_empty())?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.')?.1;
    ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"].contains(&ending).then_some(path)
}

/// `Tests:       1 failed, 1 skipped, 1 todo, 3 passed, 6 total`
fn closing(line: &str) -> Option<Counts> {
    let rest = line.strip_prefix("Tests:")?.trim();
    let mut counts = Counts::default();
    let mut is_whole = false;
    for part in rest.split(", ") {
        let (number, word) = part.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        match word {
            "failed" => counts.failed = number,
            "passed" => counts.passed = number,
            "skipped" | "todo" | "pending" => counts.skipped = counts.skipped.saturating_add(number),
            "total" => is_whole = true,
            _ => return None,
        }
    }
    is_whole.then_some(counts)
}
