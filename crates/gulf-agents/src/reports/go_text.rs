//! Reads what `go test` prints by itself: every test with `-v`, failures without it, and a line for each package.
//!
//! There is no count: that no test of a package is missing shows only in that each which began came to its end. A
//! package that names none says nothing of its tests.

use std::collections::BTreeMap;

use super::forms::Reader;
use super::go::keep_package;
use super::section::{Results, Section, settle};
use super::{Runner, TESTS_MAX, TestOutcome};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct GoText {
    /// Tests whose package has not come yet.
    open: BTreeMap<String, Option<TestOutcome>>,
    believed: Results,
    read: usize,
    /// Something was read that stands for tests without a name.
    is_cut: bool,
}

impl Reader for GoText {
    /// At the first test or package.
    fn begins(line: &str) -> bool {
        begun(line).is_some() || result(line).is_some() || package(line).is_some()
    }

    fn read(&mut self, line: &str) {
        if let Some((name, end)) = package(line) {
            let tests = std::mem::take(&mut self.open);
            let is_named = !tests.is_empty() || end != TestOutcome::Passed;
            self.is_cut |= !is_named || tests.values().any(Option::is_none);
            keep_package(&mut self.believed, name, tests, Some(end));
        } else if self.read >= TESTS_MAX {
            self.is_cut = true;
        } else if let Some(test) = begun(line) {
            self.read += 1;
            self.open.entry(test.to_owned()).or_default();
        } else if let Some((test, outcome)) = result(line) {
            // Without `-v` failures have no beginning; a pass without one was printed by somebody else.
            if let Some(stands) = self.open.get_mut(test) {
                *stands = (*stands).max(Some(outcome));
            } else if outcome == TestOutcome::Failed {
                self.read += 1;
                self.is_cut = true;
                self.open.insert(test.to_owned(), Some(outcome));
            }
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        self.open.is_empty() && !Self::begins(line)
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        if self.believed.is_empty() {
            // `ok` says that something passed, and not what.
            return None;
        }
        let is_cut = self.is_cut || !self.open.is_empty();
        let stated = (!is_cut).then(|| self.believed.counts());
        Some(settle(Runner::Go, self.believed, stated))
    }
}

/// `=== RUN   TestA/case`
fn begun(line: &str) -> Option<&str> {
    line.strip_prefix("=== RUN   ").map(str::trim_end).filter(|test| !test.is_empty())
}

/// `    --- FAIL: TestA/case (0.00s)`
fn result(line: &str) -> Option<(&str, TestOutcome)> {
    let [word, test] = parts(form!(r"^ *--- (PASS|FAIL|SKIP): (.*) \([^(]*s\)[ \t]*$"), line)?;
    Some((test, TestOutcome::from_word(word, [&["PASS"], &["FAIL"], &["SKIP"]])?))
}

/// `ok  ⇥example.org/app⇥0.003s`, `FAIL⇥example.org/app [build failed]`, `?   ⇥example.org/app⇥[no test files]`
fn package(line: &str) -> Option<(&str, TestOutcome)> {
    let [word, name, rest] = parts(form!(r"^(ok  |FAIL|\?   )\t([^\t ]+)(.*)$"), line)?;
    let end = match word {
        "FAIL" => TestOutcome::Failed,
        "ok  " if !rest.contains("[no tests to run]") => TestOutcome::Passed,
        // It has no tests, or none that were asked for.
        _ => TestOutcome::Skipped,
    };
    Some((name, end))
}
