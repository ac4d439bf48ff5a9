//! Facts, as the journal keeps them. Public and versioned: a journal written today is read by every later gulf.

use crate::claim::Claim;
use crate::contract::{Contract, Gate, is_default};
use crate::effect::{EffectKey, EffectResult, LandingWord, Spent};
use crate::end::End;
use crate::feedback::RecordedFeedback;
use crate::ids::{CommitId, Digest};
use crate::turn::Turn;
use alloc::{boxed::Box, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// One fact, when it happened, and its place in the journal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Event {
    /// Counted from 1 without gaps.
    pub sequence: u64,
    /// Wall clock, milliseconds since 1970: for people only, it may jump.
    pub at_ms: u64,
    /// How long the loop has run, pauses and downtime not counted: what limits and waits are measured in.
    pub active_ms: u64,
    /// What happened.
    pub fact: Fact,
}

/// What can happen to a loop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Fact {
    /// The contract was sealed: the loop exists.
    Sealed { contract: Box<Contract> },
    /// A driver took over the loop; whatever an earlier one had started is orphaned.
    Attached {
        driver: String,
        /// Of the surroundings in which checks run: what they said elsewhere does not count here.
        environment: Digest,
    },
    /// Who works from here on.
    Bound { worker: Worker },
    /// The loop goes on where another one had come to, as a state file says that a person wrote.
    Adopted {
        /// The last iteration that was finished there.
        iteration: u32,
        /// Rejections in a row.
        rejections: u32,
    },
    /// The session's turn went on after gulf had begun to look at it: what it left is looked at anew.
    Reopened { turn: Turn },
    /// An effect starts.
    Began { key: EffectKey },
    /// An effect is over.
    Ended { key: EffectKey, result: EffectResult },
    /// What an effect cost; told before its end, also when it was interrupted.
    Spent { key: EffectKey, spent: Spent },
    /// The worker's word, through `gulf claim`.
    Claimed { claim: Claim },
    /// A person answered a question of the worker's.
    Answered {
        /// Counted from 1.
        question: u32,
        answer: String,
        /// None: the loop's owner, on this machine.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<By>,
    },
    /// A person overruled the judge about the last candidate.
    Approved {
        reason: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<By>,
    },
    /// A person rejected the last candidate.
    Rejected {
        reason: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<By>,
    },
    /// A person changed the contract.
    Amended { contract: Box<Contract> },
    /// A person left a note for the next iteration.
    Steered { note: String },
    /// Somebody measured something outside of gulf; changes nothing.
    FeedbackTold { told: RecordedFeedback },
    /// A person asked for a pause.
    PauseAsked,
    /// A person asked to cancel.
    CancelAsked,
    /// Another worker of the group was first, and one is enough: the end is asked for.
    Outrun,
    /// The loop rests until a person resumes it.
    Paused { reason: PauseReason },
    /// A person resumed it.
    Resumed,
    /// An iteration is settled.
    Settled { settlement: Settlement },
    /// A fundamentally different approach is asked for (SPEC G10).
    StrategyReset,
    /// A unit of work is finished, and another one follows.
    UnitFinished {
        /// As verified or attested.
        end: End,
    },
    /// A unit of work is given up, and another one follows if one can.
    UnitSkipped {
        /// Why; cancelled where a person wanted it.
        why: End,
        /// What became of what it left; none where that lies there still, and the next unit begins with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        set_aside: Option<SetAside>,
    },
    /// How a turn's work is divided among workers side by side; changes nothing.
    Divided {
        /// Empty: it is one worker's, and `why` says why.
        parts: Vec<Part>,
        why: String,
    },
    /// What becomes of a part; changes nothing.
    PartTold { id: String, word: PartWord },
    /// While no turn ran, somebody who is not the worker changed files: they are part of the candidate; changes nothing.
    Edited {
        /// Not every one of many.
        paths: Vec<String>,
        /// How many are not named.
        #[serde(default, skip_serializing_if = "is_default")]
        more: u32,
    },
    /// While only a brief was asked for, the worker changed these as well, and they are kept; changes nothing.
    Researched {
        /// Not every one of many; none where they were put back.
        changed: Vec<String>,
        /// How many are not named.
        #[serde(default, skip_serializing_if = "is_default")]
        more: u32,
    },
    /// Time passed.
    Woke,
    /// What was decided, for people and for replay; changes nothing.
    Decided {
        word: Word,
        reason: String,
        /// Of the rules that decided it.
        engine_version: u32,
    },
    /// A request from outside was looked at, and is not looked at again; changes nothing.
    Taken { request: String },
    /// A request was refused; changes nothing.
    Refused { request: String, reason: String },
    /// An unfinished last line of the journal was set aside; changes nothing.
    TailDropped { bytes: u64 },
    /// The loop is over.
    Finished { end: End },
    /// A person wants the work of a loop that is over on this branch.
    LandingAsked {
        by: String,
        /// In full: `refs/heads/main`.
        base: String,
        /// Where it is pushed, as people call it: `origin/main`.
        push: Option<String>,
    },
    /// The result of that.
    LandingTold { word: LandingWord },
    /// A person took the work of a loop that is over out of the checkout, or its worktree and branch away.
    Discarded { by: String },
}

/// The person who said something, and by which channel, where it was not this machine (SPEC A6).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct By {
    /// `slack`, `command`.
    pub channel: String,
    /// As the channel calls them.
    pub who: String,
    /// The message's name there.
    pub message: String,
    /// When they said it: wall clock, milliseconds since 1970.
    pub said_at_ms: u64,
}

/// Who does the work (SPEC B7).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Worker {
    /// Agent processes that gulf starts.
    #[default]
    Processes,
    /// A session of an agent that a person opened; the first that stops, where no id is known yet.
    Session { host: String, id: Option<String> },
}

/// A part of a turn's work that one of several workers does (SPEC A1).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Part {
    pub id: String,
    pub title: String,
}

/// What becomes of a part of a turn's work.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case")]
pub enum PartWord {
    /// A worker is at it.
    Begun,
    /// It stands on the loop's branch.
    Joined,
    /// It does not.
    LeftOut { why: String },
}

/// The decisions of the glossary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// Another iteration.
    Continue,
    /// The gates said yes.
    Complete,
    /// A person must decide.
    Pause,
    /// A different approach.
    ResetStrategy,
    /// The next unit of work.
    NextTask,
    /// No further iteration, and no success.
    Abort,
}

/// Why a loop rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum PauseReason {
    /// A person asked.
    Asked,
    /// Review is due (SPEC G14).
    Milestone,
    /// The brief of iteration 1 does not come (SPEC G5).
    Research,
    /// Too many rejections in a row (SPEC G9).
    HumanGate,
    /// The judge gives no verdict.
    NoVerdict,
    /// The worker asks something (SPEC B5).
    Question,
    /// The agent was not allowed to do the same thing again and again.
    Denied,
    /// The agent cannot work without a person: not logged in, no credit, no such model.
    NeedsPerson,
    /// The agent's program would end its session's turn instead of going on once more.
    HostLimit,
    /// The session only talks, turn after turn.
    Idle,
    /// The work is ready to land, and something that only a person may change stands in the way.
    ReadyToLand,
    /// A step before the iteration does not come to its end: a plan without its critic's consent, or no cause.
    Step,
    /// An iteration was measured, and a person looks before another one follows (SPEC L6).
    Review,
    /// No progress, and the contract asks a person instead of ending the loop (SPEC A5).
    Stuck,
    /// The last iteration is over, and the contract asks a person instead of ending the loop (SPEC A5).
    Limit,
    /// A task of the list reached its limit, or is stuck (SPEC R5).
    TaskLimit,
    /// A task is finished, and something that only a person may change keeps it from being committed.
    ReadyToClose,
    /// A check can begin neither on the base nor on what lies there.
    CheckCannotRun,
    /// The model declined the work, twice in a row.
    Declined,
    /// Only changed tests are between the work and its proof, and the contract asks a person (SPEC B3).
    TestsChanged,
}

/// What came of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Settlement {
    /// The brief is incomplete: iteration 1 repeats.
    Research,
    /// No claim was made.
    Unclaimed,
    /// The agent failed and changed nothing: the iteration is tried again.
    AgentFailed,
    /// A gate said no.
    Refused { gate: Gate },
    /// Every gate said yes, but nothing could tell the work from no work, or tests were changed: the worker is asked once.
    Asked,
    /// Every gate said yes, and `--force-max` goes on.
    Approved,
    /// The worker asks a person.
    Questioned,
    /// A person had said no to this candidate.
    Rejected,
    /// The agent's provider asked it to wait: the iteration is tried again then.
    RateLimited,
    /// The agent cannot work without a person: the iteration is tried again then.
    NeedsPerson,
    /// The judge gave no verdict, and the session goes on meanwhile.
    Unjudged,
    /// Another task has to come first.
    Blocked,
    /// The model declined: the iteration is tried once more afresh.
    Declined,
    /// Every gate said yes, but a person left a note since the turn began: the worker reads it first.
    Steered,
}

impl Settlement {
    /// The agent worked: this is no news of an outage, and its notes were read.
    pub fn came_to_something(self) -> bool {
        !matches!(self, Self::AgentFailed | Self::RateLimited | Self::NeedsPerson | Self::Declined)
    }
}

/// The work of a task that was given up: out of the checkout, and kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SetAside {
    /// Holds all of it, on what the task began with; none where it left nothing, or where nobody's git could take it up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
    /// What was put back to what it was; not every one of many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// What could not be, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
}
