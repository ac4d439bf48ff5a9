//! What Jest and Vitest have in common: they tell a failure twice, and name what passed only in some files.

use std::collections::BTreeSet;

use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome, numbered};

#[derive(Debug, Default)]
pub(super) struct Twice {
    pub(super) file: String,
    pub(super) results: Results,
    pub(super) stated: Option<Counts>,
    pub(super) ended: bool,
    failed: BTreeSet<String>,
    files: u64,
    files_not_run: u64,
}

impl Twice {
    pub(super) fn begin(&mut self, file: &str) {
        file.clone_into(&mut self.file);
        self.files = self.files.saturating_add(1);
    }

    pub(super) fn fail(&mut self, id: String) {
        if self.failed.insert(id.clone()) {
            self.results.push(id, TestOutcome::Failed);
        }
    }

    /// A file that could not be loaded counts as one failure more than the runner states.
    pub(super) fn fail_file(&mut self, id: String) {
        self.files_not_run += u64::from(!self.failed.contains(&id));
        self.fail(id);
    }

    pub(super) fn finish(mut self, runner: Runner) -> Option<Section> {
        let mut stated = self.stated?;
        stated.failed = stated.failed.saturating_add(self.files_not_run);
        if self.files <= 1 {
            // Of two files they name failures only: a second file must not look like the end of all names.
            self.results.keep_failures();
        }
        Some(settle(runner, self.results, Some(stated)))
    }
}

/// `1 failed`, `2 passed`, `1 skipped` …; none where a word is not known.
pub(super) fn counted<'line>(parts: impl Iterator<Item = &'line str>, ignored: &[&str]) -> Option<Counts> {
    let skipped = ["skipped", "todo", "pending", "expected fail"];
    Counts::read_parts(parts.map(numbered), [&["passed"], &["failed"], &skipped, ignored])
}
