//! How a loop ends, and which exit code a command then has (DESIGN "How a command ends").

use crate::ids::CheckName;
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// The exit code of a command that leaves a paused loop behind.
pub const PAUSED_EXIT_CODE: u8 = 10;
/// The exit code of `gulf status --exit-code` of a loop that is under way.
pub const UNDER_WAY_EXIT_CODE: u8 = 16;

/// The end of a loop. Only *verified* is success.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum End {
    /// Every required gate passed for the candidate, and something failed without the change.
    Verified {
        /// What was seen to fail without the change.
        proofs: Vec<Proof>,
    },
    /// Every gate said yes, but this keeps it from being proof.
    Attested {
        /// Each reason; never empty.
        causes: Vec<Cause>,
    },
    /// No progress.
    Stalled {
        /// How that showed.
        by: Stall,
    },
    /// A limit was reached.
    Exhausted { limit: Exhaustion },
    /// Somebody was out of reach, after retries.
    Unavailable {
        party: Party,
        /// The last reason.
        reason: String,
    },
    /// The integrity gate refused, and the policy says stop.
    Violated,
    /// By `gulf cancel`.
    Cancelled,
}

/// What an end says of the work and of whoever ended it, where its reasons make no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndNature {
    Verified,
    Attested,
    /// Not every gate said yes, and no person wanted that.
    Failed,
    /// A person's own doing.
    Cancelled,
}

impl End {
    /// A new end is judged here, once for all who ask no more.
    pub fn nature(&self) -> EndNature {
        match self {
            Self::Verified { .. } => EndNature::Verified,
            Self::Attested { .. } => EndNature::Attested,
            Self::Stalled { .. } | Self::Exhausted { .. } | Self::Unavailable { .. } => EndNature::Failed,
            Self::Violated => EndNature::Failed,
            Self::Cancelled => EndNature::Cancelled,
        }
    }

    /// Did every gate say yes? What keeps an attested end from proof are its causes.
    pub fn has_passed(&self) -> bool {
        matches!(self.nature(), EndNature::Verified | EndNature::Attested)
    }

    /// The process exit code, public and stable.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Verified { .. } => 0,
            Self::Attested { .. } => 3,
            Self::Stalled { .. } => 11,
            Self::Exhausted { .. } => 12,
            Self::Unavailable { .. } => 13,
            Self::Violated => 14,
            Self::Cancelled => 15,
        }
    }

    /// Why it is not *verified*, if it is attested.
    pub fn causes(&self) -> &[Cause] {
        if let Self::Attested { causes } = self { causes } else { &[] }
    }

    /// What was seen to fail without the change, if it is verified.
    pub fn proofs(&self) -> &[Proof] {
        if let Self::Verified { proofs } = self { proofs } else { &[] }
    }

    /// The one word for it, as the glossary has it.
    pub fn word(&self) -> &'static str {
        self.into()
    }
}

/// What was seen to fail without the change (SPEC B3).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Proof {
    /// A check that is red on the base.
    BaseRed { check: CheckName },
    /// Tests that failed on the base, accepted by a baseline, and pass now.
    Repaired { check: CheckName },
    /// New tests that fail on the base's code.
    NewTest { tests: Vec<String> },
    /// The checks turn red for each of so many errors that were put into the changed lines.
    Mutants { errors: u32 },
    /// A judge's criterion met with evidence inside the change.
    Criterion,
}

/// Why an end is attested and not verified.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Cause {
    /// The person said `--unverified`: there is no check.
    NoCheck,
    /// RUBRIC.md has criteria that nobody judged.
    CriteriaNotProven { count: u32 },
    /// A task of the list has criteria of its own that nobody judged.
    TaskNotJudged { task: String, count: u32 },
    /// The candidate is the base.
    NothingChanged,
    /// Nothing was seen to fail without the change.
    NothingCouldFail {
        /// The worker's reason for having no test, if it gave one.
        reason: Option<String>,
    },
    /// The checks stay green where the changed lines say something wrong.
    Unnoticed { places: Vec<String> },
    /// Tests or runner configuration of the base were changed.
    Findings { count: u32 },
    /// A person overruled the judge's no, or its silence.
    Waived,
    /// The check said no and yes about one tree, in these iterations.
    Flaky { check: CheckName, no_in: u32, yes_in: u32 },
}

/// How a lack of progress showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stall {
    /// Claimed again and again on the candidate that was refused.
    SameCandidate,
    /// Back and forth between two trees.
    Oscillation,
    /// The same failure every time.
    SameFailure,
    /// Neither a change nor a tool call.
    Idle,
    /// Neither fewer failures, nor fewer lint errors, nor more coverage.
    Plateau,
    /// The same failure again and again, others in between, and no progress.
    Recurrence,
}

/// Which limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exhaustion {
    /// `--max-iterations`.
    Iterations,
    /// `--max-duration`.
    Time,
    /// `--max-cost`.
    Money,
    /// `--max-tokens`.
    Tokens,
    /// No task is left that could begin, and not all are finished.
    Tasks,
}

/// Who can be out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Party {
    /// The agent.
    Agent,
    /// The judge.
    Judge,
    /// The machine: git, disk, processes.
    Host,
}
