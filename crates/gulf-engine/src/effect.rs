//! What a loop may want done, and what came of it.
//!
//! An effect is wanted by its key; the same key never runs twice, and a result for a key that is not running is out
//! of place. Whatever cannot be repeated (a turn, a judge's call) is announced by `Began` on disk first.

use crate::contract::{Base, Reviewer, is_default};
use crate::ids::{CheckName, CommitId, Digest, TreeId, UnitId};
use crate::integrity::Integrity;
use crate::turn::{Step, StepEnd, Turn};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Which effect: (unit, iteration, attempt, work).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EffectKey {
    /// Which unit of work.
    pub unit: UnitId,
    /// The loop's iteration, counted from 1 across its units; 0 for what belongs to no iteration.
    pub iteration: u32,
    /// Counted from 1; an interrupted attempt's number is never used again.
    pub attempt: u32,
    /// What is done.
    pub work: EffectKind,
}

/// The kinds of effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EffectKind {
    /// A turn beside the work, before the iteration's own.
    Step { step: Step },
    /// One turn of the worker.
    Turn,
    /// One short question in the turn's own session (SPEC B6).
    FollowUp,
    /// Build the iteration's candidate of what lies in the worktree.
    Snapshot,
    /// A sealed check, on the candidate.
    Check { name: CheckName },
    /// A sealed check, on the base.
    Probe { name: CheckName },
    /// Compare the candidate's tests and runner configuration with the base's.
    Integrity,
    /// Run the candidate's tests on the base's code (SPEC B3).
    Overlay,
    /// Ask the judge about the candidate.
    Judge,
    /// Ask somebody beside the judge.
    Review { by: Reviewer },
    /// Bring the candidate onto the base branch.
    Land,
    /// Write a finished task down: commit it, tick it, keep what was learnt (SPEC R4).
    Close,
}

impl EffectKind {
    /// Is somebody asked for a verdict?
    pub fn is_verdict(&self) -> bool {
        match self {
            Self::Judge | Self::Review { .. } => true,
            Self::Step { .. } | Self::Turn | Self::FollowUp | Self::Snapshot | Self::Check { .. } => false,
            Self::Probe { .. } | Self::Integrity | Self::Overlay | Self::Land | Self::Close => false,
        }
    }

    /// Does it run the project's own programs, which may want the same port, database or cores?
    pub fn runs_programs(&self) -> bool {
        match self {
            Self::Check { .. } | Self::Probe { .. } | Self::Overlay => true,
            // It names commands that are run on the candidate, before it speaks.
            Self::Review { by: Reviewer::Qa } => true,
            Self::Review { by: Reviewer::Security | Reviewer::Documents } => false,
            Self::Step { .. } | Self::Turn | Self::FollowUp | Self::Snapshot | Self::Integrity => false,
            Self::Judge | Self::Land | Self::Close => false,
        }
    }

    /// May it be done again without harm? If not, `Began` must be on disk before it starts.
    pub fn is_repeatable(&self) -> bool {
        match self {
            Self::Step { .. } | Self::Turn | Self::FollowUp => false,
            Self::Judge | Self::Review { .. } | Self::Land | Self::Close => false,
            Self::Snapshot | Self::Check { .. } | Self::Probe { .. } => true,
            Self::Integrity | Self::Overlay => true,
        }
    }
}

/// What came of an effect. On the wire a word stands beside the kind, in one object: no type inside may have a `kind`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EffectResult {
    /// What was to be thought about was, or was not.
    Step(StepEnd),
    /// The worker's turn is over.
    Turn(Turn),
    /// The candidate stands.
    Snapshot(Snapshot),
    /// A check ran, on the candidate or on the base.
    Check(CheckRun),
    /// Tests and configuration were compared.
    Integrity(Integrity),
    /// The candidate's tests ran on the base's code.
    Overlay(Overlay),
    /// The judge spoke, or somebody beside it.
    Judge(JudgeWord),
    /// The base branch holds the candidate, or does not.
    Landing(LandingWord),
    /// A finished task is written down, or cannot be.
    Closed { closing: Closing },
    /// It was stopped, by gulf or by gulf's death, and has no result.
    Interrupted,
    /// The host could not do it; this says nothing about the work.
    Failed { reason: String },
    /// The host cannot do it until a person puts something right; no retry helps.
    NeedsPerson { why: String },
}

/// What an effect cost, worker and judge alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Spent {
    /// Millionths of a US dollar.
    pub microdollars: u64,
    /// All kinds of tokens together.
    pub tokens: u64,
    pub basis: Basis,
}

impl Spent {
    /// Both together: a sum is as certain as the least certain part of it.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            microdollars: self.microdollars.saturating_add(other.microdollars),
            tokens: self.tokens.saturating_add(other.tokens),
            basis: self.basis.max(other.basis),
        }
    }
}

/// Where the figures come from. Unknown cost is never zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The agent told both.
    #[default]
    Told,
    /// It told tokens; the price table made money of them.
    Priced,
    /// It told nothing that counts: the dearest that is plausible.
    Assumed,
}

/// The one commit about which every gate speaks (SPEC B2).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Candidate {
    /// What a person checks out to repeat the verdict.
    pub commit: CommitId,
    /// What the verdict is about.
    pub tree: TreeId,
}

impl From<&Base> for Candidate {
    fn from(base: &Base) -> Self {
        Self { commit: base.commit.clone(), tree: base.tree.clone() }
    }
}

/// The iteration's candidate, and what is not in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Snapshot {
    /// The commit and its tree.
    pub candidate: Candidate,
    /// Loop texts whose worktree form differs from the sealed one: reported, without effect (SPEC B1).
    pub drifted: Vec<String>,
    /// Files that are not part of it, each with the reason.
    pub left_out: Vec<String>,
    /// The newest commit of the base branch that it holds, where that is no longer the one it began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Base>,
    /// The rejected approach that it is close to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resembles: Option<Resemblance>,
    /// What its list of tasks says, where the loop is about one (SPEC K2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TaskTally>,
}

/// The tasks of a list, counted in a candidate. A tick proves nothing; a task that is open does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TaskTally {
    pub open: u32,
    pub ticked: u32,
    /// Of those that were sealed, gone or in other words: as open as the others.
    pub missing: u32,
}

/// Two changes with much in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Resemblance {
    /// The iteration whose candidate was rejected.
    pub iteration: u32,
    /// How much they have in common, in basis points.
    pub common_bp: u32,
}

/// One run of a check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CheckRun {
    pub verdict: CheckVerdict,
    /// The exit code, if it ended by itself.
    pub exit: Option<i32>,
    pub duration_ms: u64,
    /// What its runner counted, where that can be read.
    pub tests: Option<TestCounts>,
    /// Errors that a linter, type checker or compiler named, where that can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lint_errors: Option<u32>,
    /// How much of the code was run, in basis points, where the check leaves a report of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage_bp: Option<u32>,
    /// One line for people.
    pub summary: String,
    /// The tests that failed, by name, as far as they are listed: also those that a baseline accepts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
    /// Of the complete output, which lies in the iteration's folder.
    pub log: Option<Digest>,
}

/// A check's word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CheckVerdict {
    /// It passed; or, with a baseline, nothing fails that did not fail on the base.
    Green {
        /// Accepted failures of the base that pass now.
        repaired: u32,
    },
    /// It failed.
    Red {
        /// The same failure has the same fingerprint.
        fingerprint: Digest,
    },
    /// It could not say: not found, not started, timed out. A no, but no sign that the check can tell right from wrong.
    Unrunnable {
        fingerprint: Digest,
        #[serde(default, skip_serializing_if = "is_default")]
        hindrance: Hindrance,
    },
}

/// What kept a check from saying anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hindrance {
    /// It ran, and did not come to its end.
    #[default]
    CutShort,
    /// It never began: its program, its folder or what runs it is not there.
    NeverBegan,
}

/// Tests as a runner counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestCounts {
    pub passed: u32,
    pub failed: u32,
    pub skipped: u32,
}

/// What the candidate's tests said of the base's code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case")]
pub enum Overlay {
    /// A new test fails there, for a reason of its own.
    Red { by: Vec<String> },
    /// Where everything is to stay green: the checks turn red for each error that was put into the changed lines.
    Noticed { errors: u32 },
    /// The same, and for these they stay green.
    Unnoticed { errors: u32, places: Vec<String> },
    /// Nothing new fails there, or it cannot be told.
    NotShown { why: String },
}

/// The judge's word about the candidate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case")]
pub enum JudgeWord {
    /// Every criterion is met.
    Approved {
        /// Criteria whose evidence lies inside the change: they could not have been met without it.
        evidence_inside: u32,
        /// What it said about changed tests.
        #[serde(default)]
        findings: OnFindings,
    },
    /// A criterion is unmet.
    Rejected {
        /// The same rejection has the same fingerprint.
        fingerprint: Digest,
    },
    /// It answered, but gave no verdict.
    NoVerdict,
    /// It could not be reached.
    Unreachable {
        /// In its own words, or the system's.
        #[serde(default)]
        why: String,
    },
    /// No retry helps: not signed in, no credit, no such model.
    NeedsPerson { why: String },
    /// Its provider asked it to wait.
    RateLimited {
        /// Until it can be asked again.
        wait_ms: u64,
    },
}

/// The judge's word about tests that are not as they were (SPEC B3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFindings {
    /// It was not asked.
    #[default]
    Silent,
    /// Each follows from the goal.
    Follow,
}

/// What became of a candidate on its way onto the base branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case")]
pub enum LandingWord {
    /// The base branch holds it.
    Landed {
        /// The tested commit that the branch stood at then.
        commit: CommitId,
        /// What the branch stood at before; the same where it held the work already.
        onto: CommitId,
    },
    /// It does not go together with what the base branch holds by now: a task for the worker.
    Refused {
        by: Clash,
        /// What the branch stood at.
        base: CommitId,
        /// One line for people.
        summary: String,
        /// The same clash has the same fingerprint.
        fingerprint: Digest,
    },
    /// It is ready, and something that only a person may change stands in the way.
    NotReady { why: String },
}

/// A place in the queue of a base branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueFacts {
    /// From 1.
    pub position: u64,
    /// How many wait.
    pub of: u64,
    pub doing: QueueDoing,
}

/// What is being done for who waits; the later one outranks those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueDoing {
    /// Others are looked at, or nobody leads the queue.
    Nothing,
    /// It is being merged with the base branch's tip, or with those before it.
    Merging,
    /// A merge that holds it is being tested.
    Testing,
    /// The base branch is being moved to it.
    Moving,
}

/// What became of writing a finished task down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case")]
pub enum Closing {
    /// It is committed and ticked.
    Done {
        /// None where it left nothing to commit.
        commit: Option<CommitId>,
        /// What lies there now, where more was written than a tick: the next task begins with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base: Option<Base>,
        /// What changed and is not in the commit: it was uncommitted before the loop.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        left: Vec<String>,
    },
    /// Something that only a person may change stands in the way.
    NotReady { why: String },
}

/// How a candidate and its base branch do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clash {
    /// Both changed the same lines.
    Conflict,
    /// Merged, a check is red.
    Red,
    /// Merged, tests of the base are changed or gone.
    Tests,
    /// Merged, there is no check that could say anything.
    Untested,
}
