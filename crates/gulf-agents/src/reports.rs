//! Which tests an output speaks of, and how each ended.
//!
//! It stands apart from whoever ran the check: a report is a pure function of the output. One rule holds for
//! every form: a pass counts only when the runner's own closing line, read in the same output, agrees with what
//! was read before it. A cut, garbled or forged report therefore loses passes, never failures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

mod built;
mod closings;
mod ctest;
mod environment;
mod fingerprint;
mod forms;
mod go;
mod go_text;
mod jest;
mod junit;
mod libtest;
mod lines;
mod marked;
mod maven;
mod nextest;
mod playwright;
mod prove;
mod pytest;
mod section;
mod swift;
mod tail;
mod tap;
#[cfg(test)]
mod tests;
mod twice;
mod unbegun;
mod unittest;
mod vitest;

pub use built::{BUILD_FILES, BuildTool, BuiltReport};
pub use environment::{for_pytest, runs_go_tests, verbose_go};
pub use fingerprint::{Exit, fingerprint};
pub use junit::JunitFile;
pub use lines::{LINE_BYTES_MAX, take_root_out};
pub use tail::{breakdown, last_lines, masked_tail, tail_for_worker, telling_lines};
pub use unbegun::unbegun;

use section::Section;

pub(crate) use go::build_output as go_build_output;
pub(crate) use junit::attribute;
pub(crate) use lines::{clean, lines};

/// Most results one report keeps; a report with more is read for failures only.
pub const TESTS_MAX: usize = 100_000;

/// A longer name is nobody's: what stands above many tests would be kept once for each of them.
const NAME_BYTES_MAX: usize = 4096;

/// The name of one test, in the runner's own words (`sample::tests::adds`, `tests/test_a.py::test_b`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestId(String);

impl TestId {
    /// Takes the runner's words as they are.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// The runner's words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Cut at the limit.
fn bounded(mut name: String) -> String {
    if name.len() > NAME_BYTES_MAX {
        name.truncate(name.floor_char_boundary(NAME_BYTES_MAX));
        name.shrink_to_fit();
    }
    name
}

/// How one test ended. The order is from good to bad: of two results of one id the greater one stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestOutcome {
    /// It ran and succeeded.
    Passed,
    /// It did not run, or its result was declared to be of no account (ignored, todo, expected to fail).
    Skipped,
    /// It failed, or could not be run.
    Failed,
}

impl TestOutcome {
    /// What a runner's word says: one of those for what passed, failed, or was skipped.
    fn from_word(word: &str, [passed, failed, skipped]: [&[&str]; 3]) -> Option<Self> {
        let words = [(Self::Passed, passed), (Self::Failed, failed), (Self::Skipped, skipped)];
        words.into_iter().find(|(_, words)| words.contains(&word)).map(|(outcome, _)| outcome)
    }
}

/// How much of a report could be read, from worst to best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Completeness {
    /// Not even the failures are certain to be all there.
    #[default]
    #[serde(rename = "nothing")]
    None,
    /// Every failure is named; some others are not.
    #[serde(rename = "failures")]
    FailuresOnly,
    /// Every test that ran is named.
    #[serde(rename = "everything")]
    Every,
}

/// How many results a runner states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Successes.
    pub passed: u64,
    /// Failures, errors included.
    pub failed: u64,
    /// Ignored, skipped, todo, expected failures.
    pub skipped: u64,
}

impl Counts {
    /// All results together; 0 with a runner seen is a run without tests.
    pub fn total(&self) -> u64 {
        self.passed.saturating_add(self.failed).saturating_add(self.skipped)
    }

    fn of_each(outcomes: impl Iterator<Item = TestOutcome>) -> Self {
        let mut counts = Self::default();
        outcomes.for_each(|outcome| counts.count(outcome, 1));
        counts
    }

    /// What the parts of a closing line count, each a number and a word: of what passed, failed, was skipped, or of
    /// something else. None where a part has another form or another word.
    fn read_parts<'part>(
        parts: impl Iterator<Item = Option<(u64, &'part str)>>,
        [passed, failed, skipped, others]: [&[&str]; 4],
    ) -> Option<Self> {
        let mut counts = Self::default();
        for part in parts {
            let (number, word) = part?;
            match TestOutcome::from_word(word, [passed, failed, skipped]) {
                Some(outcome) => counts.count(outcome, number),
                None if others.contains(&word) => {}
                None => return None,
            }
        }
        Some(counts)
    }

    fn add(&mut self, other: Self) {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed = self.failed.saturating_add(other.failed);
        self.skipped = self.skipped.saturating_add(other.skipped);
    }

    fn count(&mut self, outcome: TestOutcome, number: u64) {
        let sum = match outcome {
            TestOutcome::Passed => &mut self.passed,
            TestOutcome::Skipped => &mut self.skipped,
            TestOutcome::Failed => &mut self.failed,
        };
        *sum = sum.saturating_add(number);
    }
}

/// `3 failed`, a part of what a runner counts.
fn numbered(part: &str) -> Option<(u64, &str)> {
    let (number, word) = part.split_once(' ')?;
    Some((number.parse().ok()?, word))
}

/// A form of report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Runner {
    /// `cargo test`.
    Libtest,
    /// `cargo nextest run`.
    Nextest,
    /// pytest on a terminal or in a pipe.
    Pytest,
    /// TAP 13 or 14, node:test's `tap` reporter included.
    Tap,
    /// node:test's `spec` reporter.
    NodeSpec,
    /// Python's unittest.
    Unittest,
    /// `go test`, as JSON or as it prints by itself.
    Go,
    /// A JUnit XML file.
    Junit,
    /// AVA's own lines.
    Ava,
    /// Mocha's `spec` reporter, which Cypress has, too.
    Mocha,
    /// Jest's own lines.
    Jest,
    /// Vitest's own lines.
    Vitest,
    /// Playwright's own lines.
    Playwright,
    /// Maven's lines.
    Maven,
    /// The JUnit files that Gradle left, of those of its tasks that had something to do.
    Gradle,
    /// ctest's lines.
    Ctest,
    /// XCTest's and Swift Testing's lines.
    Swift,
    /// A closing line that counts tests: RSpec, PHPUnit, dotnet.
    Counted,
}

/// What an output says about tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestReport {
    /// Every result that could be read and believed.
    pub tests: BTreeMap<TestId, TestOutcome>,
    /// How much that is.
    pub complete: Completeness,
    /// What the runners state, or else what was read.
    pub counts: Counts,
    /// The forms that were recognised; empty when no runner was seen.
    pub runners: BTreeSet<Runner>,
}

impl TestReport {
    /// The tests that failed.
    pub fn failed(&self) -> impl Iterator<Item = &TestId> {
        self.tests.iter().filter(|(_, outcome)| **outcome == TestOutcome::Failed).map(|(id, _)| id)
    }

    /// Is the number of tests that ran the number of tests that there are? Of what is up to date Gradle says nothing.
    pub fn counts_every_test(&self) -> bool {
        self.complete != Completeness::None && !self.runners.contains(&Runner::Gradle)
    }

    /// A runner ran, and ran nothing.
    pub fn ran_no_tests(&self) -> bool {
        !self.runners.is_empty() && self.complete != Completeness::None && self.counts.total() == 0
    }
}

/// Reads stdout and stderr, interleaved as they came. Several reports in one output are joined.
pub fn read(output: &[u8]) -> TestReport {
    section::join(forms::sections(output))
}

/// Joins those of the files that are JUnit XML.
pub fn join_junits(files: impl IntoIterator<Item = JunitFile>) -> TestReport {
    section::join(files.into_iter().filter(|file| file.is_one).map(|file| file.section).collect())
}

/// Reads an output beside the JUnit files that the same run wrote (see [`for_pytest`]), and those that build tools
/// leave.
///
/// A file is believed in place of pytest's lines only when it states the very counts that the lines state: a
/// second pytest in one command writes over the file of the first. In pytest's file, and not in its lines, a test that skips
/// a subtest is skipped: the file of a single pytest may state more of those.
pub fn read_beside(
    output: &[u8],
    files: impl IntoIterator<Item = JunitFile>,
    built: Vec<BuiltReport>,
) -> TestReport {
    let mut sections = built::sections(output, built);
    for JunitFile { section: read, .. } in files {
        let Some(counts) = read.stated else { continue };
        let of_pytest = |section: &&Section| section.runner == Runner::Pytest;
        let is_single = sections.iter().filter(of_pytest).count() == 1;
        let agrees = |lines: Counts| lines == counts || (is_single && pytest::skips_subtests(lines, counts));
        let place =
            sections.iter().position(|section| of_pytest(&section) && section.stated.is_some_and(agrees));
        if let Some(place) = place {
            sections[place] = read;
        }
    }
    section::join(sections)
}
