//! What was agreed at the start (SPEC B1): the part of the sealed contract that the rules need.
//!
//! The texts themselves (goal, rubric, commands) are the runner's; here stand their digests and the numbers.

use crate::end::Cause;
use crate::ids::{CheckName, CommitId, Digest, TreeId, UnitId};
use crate::turn::StepTerms;
use alloc::{string::String, vec::Vec};
use core::num::NonZeroU32;
use serde::{Deserialize, Serialize};

/// The sealed contract. Nothing a worker writes can change it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Contract {
    /// Over every sealed text and every value below.
    pub digest: Digest,
    /// Over the goal alone: the same goal resumes the same loop (SPEC B8).
    pub goal: Digest,
    /// Where the work started, uncommitted changes included.
    pub base: Base,
    /// In the order in which they run.
    pub checks: Vec<CheckTerms>,
    /// The units of work, in the order in which they are done; none where the goal is the only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<ContractTask>,
    /// The numbers that bound and steer the loop.
    pub policy: Policy,
}

impl Contract {
    /// The checks that the worker knows.
    pub(crate) fn open_checks(&self) -> impl Iterator<Item = &CheckTerms> {
        self.checks.iter().filter(|terms| !terms.is_held_out())
    }
}

/// One task of a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContractTask {
    /// What its list calls it.
    pub name: String,
    /// In one line.
    pub title: String,
    /// What must be finished before it, by place in the list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<UnitId>,
    /// So many criteria of its own does its list name, whatever a rubric says.
    #[serde(default, skip_serializing_if = "is_default")]
    pub criteria: u32,
}

/// For what is written only where it says more than its absence would.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The start: a commit whose tree holds what lay in the worktree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Base {
    /// The commit that gulf built of the start, or the branch's own when nothing was uncommitted.
    pub commit: CommitId,
    pub tree: TreeId,
}

/// One check as sealed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CheckTerms {
    pub name: CheckName,
    /// Over command, directory, environment and time-out.
    pub digest: Digest,
    /// What counts as passing.
    pub baseline: Baseline,
    /// Whether it must be able to run.
    #[serde(default, skip_serializing_if = "is_default")]
    pub runnable: Runnable,
    /// Whether the worker knows of it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub disclosure: Disclosure,
}

impl CheckTerms {
    pub(crate) fn is_held_out(&self) -> bool {
        self.disclosure == Disclosure::HeldOut
    }

    /// Tests that fail on the base may go on failing.
    pub(crate) fn accepts_failures(&self) -> bool {
        self.baseline == Baseline::Accepted
    }
}

/// Does a check that can begin neither on the base nor on a candidate rest the loop?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runnable {
    /// No: the work is to create what it needs, it says nothing about the base, or nobody asked yet at the seal.
    #[default]
    Spared,
    /// Yes: no worker can help it, and every further turn would be paid for in vain.
    Required,
}

/// What does the worker know of a check?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disclosure {
    /// Its command, and what it prints.
    #[default]
    Open,
    /// That it said no, and no more: it never runs beside a turn, and only where every open check is green.
    HeldOut,
}

/// Are failures of the base accepted (SPEC B3)?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// Only a pass counts.
    #[default]
    Refused,
    /// Tests that fail on the base may go on failing: the check is run there first.
    Accepted,
}

/// Limits, gates and thresholds. Every bound has its unit in its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Policy {
    /// What may be spent.
    pub limits: Limits,
    /// Pause for review after every so many iterations (SPEC G14).
    pub milestone_every: Option<NonZeroU32>,
    /// Whether an approval before the last iteration ends the loop (SPEC G15).
    pub force_max: ForceMax,
    /// What iteration 1 is for (SPEC G5).
    pub research: Research,
    /// The completion gates that are required, in order.
    pub gates: Vec<Gate>,
    /// When the judge is asked (SPEC G7).
    pub judge: JudgeWhen,
    /// What many rejections in a row lead to (SPEC G9, G10).
    pub rejections: RejectionPolicy,
    /// What a changed or removed test leads to (SPEC B3).
    pub findings: FindingsPolicy,
    /// Whether something is expected to turn from red to green.
    pub expectation: Expectation,
    /// When a loop counts as stuck.
    pub stuck: StuckPolicy,
    /// How failures that say nothing about the work are met.
    pub retries: RetryPolicy,
    /// What is known at the start to keep the end from being *verified*.
    pub caps: Vec<Cause>,
    /// What a turn knows of the turns before it (SPEC B13).
    #[serde(default)]
    pub context: ContextPolicy,
    /// What a turn gets that changed things and said nothing (SPEC B6).
    #[serde(default)]
    pub follow_up: FollowUp,
    /// Whether the loop's end is that its work stands on a base branch (SPEC G18).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landing: Option<Landing>,
    /// What is thought about before an iteration, in this order (SPEC A3, L2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepTerms>,
    /// What follows when a task of a list comes to no end (SPEC R5).
    #[serde(default, skip_serializing_if = "is_default")]
    pub task_limit: TaskLimit,
    /// Whether measured numbers steer the loop, and how (SPEC L4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<FeedbackPolicy>,
    /// Whose word counts beside the judge's, where one is asked (SPEC A4).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviewers: Vec<Reviewer>,
}

/// What follows from what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FeedbackPolicy {
    /// Two iterations in a row without progress end the loop.
    pub auto_converge: bool,
    /// A person looks before another iteration follows.
    pub human_review: bool,
    /// So much of the code must be run by the checks, in basis points.
    pub coverage_bp_min: u32,
    pub coverage: CoverageNeed,
}

/// What is made of it that nobody measured how much of the code was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageNeed {
    /// It is shown, and no more.
    Shown,
    /// It is no success.
    Required,
}

/// Somebody who looks at the candidate beside the judge, with a question of its own; the judge's gate needs every yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Reviewer {
    /// Has it used as its users would.
    Qa,
    /// Looks for what can be abused.
    Security,
    /// Reads whether the documents still tell the truth.
    Documents,
}

impl Reviewer {
    /// Its name for people.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// What becomes of a task that reached its limit, or is stuck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskLimit {
    /// A person chooses: more iterations, the next task, or the end.
    #[default]
    Ask,
    /// The next task that does not wait for it.
    Skip,
    /// The loop is over.
    Stop,
}

/// What lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Landing {
    /// Only what is verified.
    Verified,
    /// What is attested too: a person said so.
    OrAttested,
}

/// The agent's own memory, from turn to turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ContextPolicy {
    /// Every turn begins with nothing but its prompt.
    #[default]
    Fresh,
    /// The agent's session goes on.
    Continue,
    /// It goes on until this share of its context is used, in basis points.
    Auto { used_bp_max: u32 },
}

/// One short question in the same session: done, or what remains?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FollowUp {
    /// Never.
    #[default]
    Off,
    /// Once an iteration.
    Once,
}

/// What a loop may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// Per unit; never exceeded by even one.
    pub iterations_max: NonZeroU32,
    /// Time in which the loop ran; pauses do not count. A turn is cut when it is reached.
    pub active_ms_max: Option<u64>,
    /// Money of worker and judge together, in millionths of a US dollar (SPEC B12).
    pub microdollars_max: Option<u64>,
    /// Tokens of worker and judge together.
    pub tokens_max: Option<u64>,
    /// What must be left before another turn begins.
    #[serde(default)]
    pub reserve: Reserve,
    /// Turns that may begin within any hour in which the loop runs; a session's own turns are its host's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns_per_hour: Option<NonZeroU32>,
}

/// How it is prevented that one further iteration exceeds a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reserve {
    /// The agent holds a turn to what is left.
    #[default]
    Nothing,
    /// It cannot, so as much must be left as the dearest turn so far has cost, with all that followed it.
    DearestIteration,
}

/// Go on after an approval, until the last iteration?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForceMax {
    /// The first approval ends the loop.
    Off,
    /// Only the gates at the limit do.
    On,
}

/// The research phase's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Research {
    /// Iteration 1 repeats, without counting, until the brief stands and nothing else was changed.
    Gate,
    /// Iteration 1 repeats until the brief stands, whatever else was changed: the seed's form.
    Brief,
    /// The brief is asked for, and the same iteration goes on.
    Inline,
    /// No brief.
    Off,
}

/// A step that must pass before completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// The list of tasks: every one ticked in the candidate, and the worker's own word that nothing is left (SPEC K2).
    Tasks,
    /// The sealed commands, on the candidate.
    Checks,
    /// Tests and runner configuration of the base, as the candidate has them.
    Integrity,
    /// What the checks measured: no failure, no lint error, a build, enough coverage.
    Feedback,
    /// The independent evaluation.
    Judge,
    /// After a reset: no return to an approach that was rejected before it. Never listed among those required.
    Approach,
    /// The merged commit, and the base branch. Never listed among those required: [`Policy::landing`] asks for it.
    Landing,
}

/// When the judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JudgeWhen {
    /// On a claim, and at the limit.
    OnClaim,
    /// At every stop, claimed or not.
    Every,
}

/// The human gate, or its autonomous substitute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RejectionPolicy {
    /// So many in a row.
    pub threshold: NonZeroU32,
    /// Then this.
    pub then: Rejections,
}

/// What follows the last tolerated rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rejections {
    /// A person decides (SPEC G9).
    Pause,
    /// A fundamentally different approach (SPEC G10).
    ResetStrategy,
}

/// What a finding of the integrity gate leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingsPolicy {
    /// The loop may end, attested at most.
    Attest,
    /// Where nothing else is in the way of a proof, a person is asked once: their yes is a gate's.
    Ask,
    /// The loop ends as violated.
    Stop,
}

/// What the person expects of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// Something that fails without the change passes with it.
    Auto,
    /// A refactoring: what is green stays green, and nobody asks for a new test.
    StayGreen,
}

/// Thresholds, each a number of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StuckPolicy {
    /// Claims in a row on the candidate that was just refused.
    pub same_candidate_max: NonZeroU32,
    /// Returns to the tree before the last one (A-B-A).
    pub oscillations_max: NonZeroU32,
    /// Claims in a row refused with the same failure fingerprint.
    pub same_failure_max: NonZeroU32,
    /// Turns in a row without a change, a claim or a tool call.
    pub idle_max: NonZeroU32,
    /// Claims refused with one failure fingerprint since the last progress, in a row or not; none: only rows count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrences_max: Option<NonZeroU32>,
    /// More of a fresh context than this, in basis points, read before the first edit is said to worker and person; it
    /// never ends a loop (SPEC G24). None: it is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation_bp_max: Option<u32>,
    /// What follows a standstill, and the last iteration (SPEC A5).
    #[serde(default, skip_serializing_if = "is_default")]
    pub then: Standstill,
}

/// What follows where a loop comes to no end of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standstill {
    /// It ends, as stalled or exhausted.
    #[default]
    End,
    /// It rests until a person says how it goes on.
    Ask,
}

/// Bounds on what is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RetryPolicy {
    /// Failures in a row of agent, judge or host before the loop ends as unavailable.
    pub failures_max: NonZeroU32,
    /// The first wait; it doubles with each further failure, up to 64 times itself.
    pub backoff_ms: u64,
    /// Re-injections of iteration 1 before the research gate pauses.
    pub research_max: NonZeroU32,
}
