//! How a turn of the agent's went: one of work, or a step beside it in which it only thinks.

use crate::claim::Claim;
use crate::ids::Digest;
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// How a turn went. Spending and texts are in the iteration's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Turn {
    pub outcome: TurnOutcome,
    /// The worker's word, if its final message carried one.
    pub claim: Option<Claim>,
    /// Tool calls, where the agent's protocol tells.
    pub tool_calls: Option<u32>,
    /// The research brief, where one was asked for.
    pub brief: Brief,
    pub duration_ms: u64,
    /// Of the final message, which lies in the iteration's folder.
    pub message: Option<Digest>,
    /// The agent's session, where it can go on.
    #[serde(default)]
    pub session: Option<Session>,
    /// What the agent was not allowed to do.
    #[serde(default)]
    pub denials: Vec<Denial>,
    /// Whether the worker wrote down what remains (SPEC B6).
    #[serde(default)]
    pub remainder: Remainder,
    /// How often a session may still be sent on before its host ends it, where the host counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks_left: Option<u32>,
    /// How much a fresh context took in before the first edit, where the agent tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<Orientation>,
}

/// How a turn ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TurnOutcome {
    /// The agent came to its end.
    #[default]
    Completed,
    /// It ended with an error.
    Failed {
        /// Its exit code, if it had one.
        exit: Option<i32>,
    },
    /// It was stopped by a time-out.
    TimedOut,
    /// The agent's provider asked it to wait (SPEC B12).
    RateLimited {
        /// Until work can go on, from the turn's end; 0 where nobody named a time.
        wait_ms: u64,
    },
    /// The session's context is full.
    ContextFull,
    /// What was left of the budget is spent.
    OutOfBudget,
    /// No retry helps: not logged in, no credit, no such model.
    NeedsPerson { why: String },
    /// The model declined to answer, or a filter before it did: the same again is paid for again.
    Declined { why: String },
}

/// A session of the agent's own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Session {
    /// By which the agent finds it again.
    pub id: String,
    /// How much of its context is used, in basis points, where that was measured.
    pub used_bp: Option<u32>,
}

/// Something the agent wanted to do and was not allowed to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Denial {
    /// The kind, as the setting that would allow it names it.
    pub what: String,
    pub times: u32,
}

/// Did the worker say what remains?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remainder {
    /// Nothing was said in this turn.
    #[default]
    Unnamed,
    /// It stands in progress.txt, written in this turn.
    Named,
}

/// What was found where the research brief is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Brief {
    /// Nobody asked.
    #[default]
    NotAsked,
    /// It stands.
    Complete,
    /// It does not stand.
    Incomplete {
        /// What is missing, in the words of SPEC G5.
        missing: Vec<String>,
    },
}

/// What a turn with a fresh context read before it edited anything (SPEC G4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Orientation {
    /// Beyond what the context began with, in basis points of what the model can be sent at most.
    pub used_bp: u32,
    pub until: OrientationEnd,
}

/// Where it was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrientationEnd {
    /// A tool that edits was called.
    Edit,
    /// None was, in the whole turn: what changed was changed by commands, if anything was.
    Turn,
}

/// What is thought about, in the order of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Step {
    /// What is asked for, and what stands already.
    Analyze,
    /// How it will be done.
    Plan,
    /// Whether the plan is complete, in order, harmless and feasible; its objections are the next plan's.
    Criticize,
    /// Why the last attempt failed, and what changes.
    Cause,
}

impl Step {
    /// Its name for people.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A step of the contract, and before which iterations it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StepTerms {
    pub step: Step,
    pub when: StepWhen,
}

/// Before which iterations of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepWhen {
    /// The first alone.
    First,
    /// Each.
    Every,
    /// Each that follows a no of a gate, of the numbers that steer, or of a person.
    AfterRefusal,
    /// Each that follows the same failure, [`REPEATED_FAILURE_MIN`] times in a row at least (SPEC R8).
    AfterRepeatedFailure,
}

/// From so many times in a row on, the cause is looked for in every preset (SPEC R8).
pub const REPEATED_FAILURE_MIN: u32 = 3;

/// How a step went; its text lies in the folder of the iteration that it precedes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StepEnd {
    pub outcome: TurnOutcome,
    pub word: StepWord,
    pub duration_ms: u64,
    /// Of the text.
    pub message: Option<Digest>,
    /// What the agent was not allowed to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denials: Vec<Denial>,
}

/// What the text comes to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case")]
pub enum StepWord {
    /// All that was asked for stands in it.
    Said,
    /// Some of it does not.
    Incomplete {
        /// In the words of the question.
        missing: Vec<String>,
    },
    /// The plan is not to be followed as it is.
    Objected {
        /// How many objections there are.
        objections: u32,
    },
}
