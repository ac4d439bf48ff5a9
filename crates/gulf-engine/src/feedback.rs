//! What was measured of an iteration: numbers, and the phase they belong to.

use crate::contract::{Contract, CoverageNeed, FeedbackPolicy};
use crate::effect::CheckRun;
use crate::ids::CheckName;
use alloc::{collections::BTreeMap, string::String};
use serde::{Deserialize, Serialize};

/// All of it, in basis points.
pub const COVERAGE_BP_MAX: u32 = 10_000;

/// Of anything that somebody tells to have counted.
pub const COUNT_TOLD_MAX: u32 = 1_000_000_000;

/// Where an iteration is (SPEC L2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Phase {
    /// Before the first turn, and while a research brief is all that is asked for.
    #[default]
    Analyze,
    /// The worker works.
    Implement,
    /// The candidate is built, checked and compared.
    Test,
    /// Somebody looks at it: the judge, a person, or the rules that decide what follows.
    Review,
}

impl Phase {
    /// The one that follows it; what follows a review is the next iteration's.
    pub fn next(self) -> Self {
        match self {
            Self::Analyze => Self::Implement,
            Self::Implement => Self::Test,
            Self::Test => Self::Review,
            Self::Review => Self::Analyze,
        }
    }

    /// For people, and on the wire.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The numbers of one iteration (SPEC L3). What nobody measured is not there: it is no zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Feedback {
    pub phase: Phase,
    pub iteration: u32,
    pub tests_passed: Option<u32>,
    /// Without those that a baseline accepts.
    pub tests_failed: Option<u32>,
    pub lint_errors: Option<u32>,
    /// No check failed for a reason that the other numbers do not name.
    pub build_success: Option<bool>,
    /// The lowest that was measured, in basis points.
    pub coverage_bp: Option<u32>,
    pub duration_ms: u64,
}

/// What somebody else measured (the seed's `RecordFeedback`): shown, and nothing is decided on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RecordedFeedback {
    /// Who says it.
    pub by: String,
    pub feedback: Feedback,
    pub notes: String,
}

impl Feedback {
    /// What the runs of the contract's checks say together about one tree.
    pub fn from_runs(contract: &Contract, iteration: u32, runs: &BTreeMap<CheckName, CheckRun>) -> Self {
        let coverage_bp_min = contract.policy.feedback.as_ref().map_or(0, |policy| policy.coverage_bp_min);
        // Numbers tell the worker how near it is: of what is held out it hears no more than a no.
        let open = || contract.open_checks();
        let spoken = || open().filter_map(|terms| Some((terms, runs.get(&terms.name)?)));
        let count = |numbers: &mut dyn Iterator<Item = u32>| numbers.reduce(u32::saturating_add);
        // Whatever fails in a green check was accepted, where a baseline is.
        let failed = |accepts: bool, run: &CheckRun| {
            run.tests.map(|tests| if accepts && run.is_green() { 0 } else { tests.failed })
        };
        let is_unexplained = |run: &CheckRun| {
            !run.is_green()
                && run.tests.is_none_or(|tests| tests.failed == 0)
                && run.lint_errors.unwrap_or(0) == 0
                && run.coverage_bp.is_none_or(|covered| covered >= coverage_bp_min)
        };
        let is_whole = open().next().is_some() && spoken().count() == open().count();
        let is_broken = spoken().any(|(_, run)| is_unexplained(run));
        Self {
            phase: Phase::Test,
            iteration,
            tests_passed: count(&mut spoken().filter_map(|(_, run)| Some(run.tests?.passed))),
            tests_failed: count(
                &mut spoken().filter_map(|(terms, run)| failed(terms.accepts_failures(), run)),
            ),
            lint_errors: count(&mut spoken().filter_map(|(_, run)| run.lint_errors)),
            build_success: (is_whole || is_broken).then_some(!is_broken),
            coverage_bp: spoken().filter_map(|(_, run)| run.coverage_bp).min(),
            duration_ms: spoken().fold(0, |sum: u64, (_, run)| sum.saturating_add(run.duration_ms)),
        }
    }

    /// SPEC L4: nothing fails, everything that was measured is as it must be, and what must be measured was.
    pub fn is_success(&self, policy: &FeedbackPolicy) -> bool {
        let is_covered = match (self.coverage_bp, policy.coverage) {
            (Some(covered), _) => covered >= policy.coverage_bp_min,
            (None, CoverageNeed::Shown) => true,
            (None, CoverageNeed::Required) => false,
        };
        self.tests_failed.unwrap_or(0) == 0
            && self.lint_errors.unwrap_or(0) == 0
            && self.build_success == Some(true)
            && is_covered
    }
}

/// The best so far, each number for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Best {
    pub tests_failed: Option<u32>,
    pub lint_errors: Option<u32>,
    pub coverage_bp: Option<u32>,
}

impl Best {
    /// Did one of them become better than it ever was? That it can be measured at all is progress, too.
    pub fn improve(&mut self, now: &Feedback) -> bool {
        let before = *self;
        let less = |best: Option<u32>, now: Option<u32>| best.into_iter().chain(now).min();
        self.tests_failed = less(self.tests_failed, now.tests_failed);
        self.lint_errors = less(self.lint_errors, now.lint_errors);
        // Nothing is less than any number.
        self.coverage_bp = self.coverage_bp.max(now.coverage_bp);
        *self != before
    }
}
