//! Tests as tape writes them: a comment with the name, then a result for each assertion.
//!
//! The assertions of all tests have the same few names (`should be strictly equal`): only the comment says which test
//! they belong to. After tape's plan nothing but its own counts follows.

use super::super::section::Results;
use super::super::{TESTS_MAX, TestOutcome};

/// How tape marks a test that is skipped.
const SKIPPED: &str = "SKIP ";
/// How others begin a comment that names what comes after it.
const SUBTEST: &str = "# Subtest";

#[derive(Debug, Default)]
pub(super) struct Tape {
    /// Each with its name, and without an outcome while no assertion was made.
    tests: Vec<(String, Option<TestOutcome>)>,
}

/// The name in a comment at the left margin.
pub(super) fn name_of(line: &str) -> Option<&str> {
    let name = line.strip_prefix("# ")?.trim();
    (!name.is_empty() && !is_subtest(line)).then_some(name)
}

/// A comment that tape does not write, and others write before every test.
pub(super) fn is_subtest(text: &str) -> bool {
    text.starts_with(SUBTEST)
}

impl Tape {
    pub(super) fn begin(&mut self, name: &str) {
        if self.tests.len() > TESTS_MAX {
            return;
        }
        let skipped = name.strip_prefix(SKIPPED);
        self.tests.push((skipped.unwrap_or(name).to_owned(), skipped.map(|_| TestOutcome::Skipped)));
    }

    /// Of the test's assertions the worst stands.
    pub(super) fn point(&mut self, outcome: TestOutcome) {
        if let Some((_, worst)) = self.tests.last_mut() {
            *worst = (*worst).max(Some(outcome));
        }
    }

    /// A comment without a result is no test; but if there is no plan, an exception ended the last one.
    pub(super) fn into_results(mut self, plan: Option<u64>) -> Results {
        if let Some((_, last)) = self.tests.last_mut().filter(|_| plan.is_none()) {
            *last = Some(TestOutcome::Failed);
        }
        self.tests.into_iter().filter_map(|(name, outcome)| Some((name, outcome?))).collect()
    }
}
