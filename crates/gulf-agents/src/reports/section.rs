//! One runner's report within an output, and how several are joined into one.
//!
//! It holds the rule that every form shares: results are believed as far as the runner's own closing counts bear them
//! out, and of two results of one test the worse stands.

use std::collections::BTreeSet;

use super::{
    Completeness, Counts, NAME_BYTES_MAX, Runner, TESTS_MAX, TestId, TestOutcome, TestReport, bounded,
};

/// All names of one report together; a report with more is read for failures only, as one with too many tests is.
const NAMES_BYTES_MAX: usize = 4 << 20;

/// One runner's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) runner: Runner,
    pub(super) results: Results,
    /// What the runner's closing line states; none when there was no such line.
    pub(super) stated: Option<Counts>,
    pub(super) complete: Completeness,
}

/// Results in the order they came, bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Results {
    list: Vec<(TestId, TestOutcome)>,
    names_bytes: usize,
    overflowed: bool,
}

impl Results {
    /// A failure whose name is too long stays a failure.
    pub(super) fn push(&mut self, id: String, outcome: TestOutcome) {
        self.overflowed |= id.len() > NAME_BYTES_MAX;
        self.names_bytes = self.names_bytes.saturating_add(id.len().min(NAME_BYTES_MAX));
        // Failures are few, and none may be lost.
        let has_room = self.names_bytes <= NAMES_BYTES_MAX
            || (outcome == TestOutcome::Failed && self.names_bytes <= 2 * NAMES_BYTES_MAX);
        if self.list.len() < TESTS_MAX && has_room {
            self.list.push((TestId::new(bounded(id)), outcome));
        } else {
            self.overflowed = true;
        }
    }

    pub(super) fn push_failed(&mut self, ids: impl IntoIterator<Item = String>) {
        ids.into_iter().for_each(|id| self.push(id, TestOutcome::Failed));
    }

    pub(super) fn append(&mut self, other: Self) {
        self.overflowed |= other.overflowed;
        other.list.into_iter().for_each(|(id, outcome)| self.push(id.0, outcome));
    }

    pub(super) fn counts(&self) -> Counts {
        Counts::of_each(self.list.iter().map(|(_, outcome)| *outcome))
    }

    pub(super) fn keep_failures(&mut self) {
        self.list.retain(|(_, outcome)| *outcome == TestOutcome::Failed);
    }

    /// Those of the tests for which no failure was read.
    pub(super) fn not_failed_among(&self, ids: Vec<String>) -> Vec<String> {
        let failed = self.list.iter().filter(|(_, outcome)| *outcome == TestOutcome::Failed);
        let failed: BTreeSet<_> = failed.map(|(id, _)| id.as_str()).collect();
        ids.into_iter().filter(|id| !failed.contains(id.as_str())).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl FromIterator<(String, TestOutcome)> for Results {
    fn from_iter<All: IntoIterator<Item = (String, TestOutcome)>>(all: All) -> Self {
        let mut results = Self::default();
        all.into_iter().for_each(|(id, outcome)| results.push(id, outcome));
        results
    }
}

/// Believes results as far as the closing counts agree with them.
pub(super) fn settle(runner: Runner, mut results: Results, stated: Option<Counts>) -> Section {
    let read = results.counts();
    let complete = match stated {
        Some(stated) if results.overflowed || read.failed != stated.failed => Completeness::None,
        Some(stated) if read == stated => Completeness::Every,
        Some(_) => Completeness::FailuresOnly,
        None => Completeness::None,
    };
    let passes_agree = stated.is_some_and(|stated| stated.passed == read.passed);
    if complete == Completeness::None || !passes_agree {
        results.keep_failures();
    }
    Section { runner, results, stated, complete }
}

/// Joins sections: counts are added, the least complete section decides how complete the whole is.
pub(super) fn join(sections: Vec<Section>) -> TestReport {
    let mut report = TestReport::default();
    let least = sections.iter().map(|section| section.complete).min();
    report.complete = least.unwrap_or_default();
    for section in sections {
        report.runners.insert(section.runner);
        report.counts.add(section.stated.unwrap_or_else(|| section.results.counts()));
        for (id, outcome) in section.results.list {
            let stands = report.tests.entry(id).or_insert(outcome);
            *stands = (*stands).max(outcome);
        }
    }
    report
}
