//! The engine: three pure functions that decide what a loop does next, and nothing that could do it.
//!
//! `State::apply` folds facts, `decide` computes what is wanted, `admit` turns a request into a fact or a refusal.
//! The laws of a loop (SPEC G3, B3, L7) can only be searched exhaustively where no clock, disk, process or random
//! number is reachable: time, ids, trees and exit codes arrive inside events.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod admit;
mod apply;
mod budget;
mod claim;
mod contract;
mod decide;
mod decision;
mod effect;
mod end;
mod event;
mod exit_signal;
mod failures;
mod feedback;
mod flaky;
mod ids;
mod integrity;
mod landing;
mod measured;
mod person;
mod proof;
mod refusal;
mod runnable;
mod session;
mod state;
mod steps;
mod stuck;
mod tasks;
mod turn;
mod unit;
mod verdict;

pub use admit::{Act, Author, Request, admit, admit_from};
pub use claim::{Claim, Concern, Question};
pub use contract::{
    Base, Baseline, CheckTerms, ContextPolicy, Contract, ContractTask, CoverageNeed, Disclosure, Expectation,
    FeedbackPolicy, FindingsPolicy, FollowUp, ForceMax, Gate, JudgeWhen, Landing, Limits, Policy,
    RejectionPolicy, Rejections, Research, Reserve, RetryPolicy, Reviewer, Runnable, Standstill, StuckPolicy,
    TaskLimit, is_default,
};
pub use decide::{decide, earned};
pub use decision::Decision;
pub use effect::{
    Basis, Candidate, CheckRun, CheckVerdict, Clash, Closing, EffectKey, EffectKind, EffectResult, Hindrance,
    JudgeWord, LandingWord, OnFindings, Overlay, QueueDoing, QueueFacts, Resemblance, Snapshot, Spent,
    TaskTally, TestCounts,
};
pub use end::{
    Cause, End, EndNature, Exhaustion, PAUSED_EXIT_CODE, Party, Proof, Stall, UNDER_WAY_EXIT_CODE,
};
pub use event::{By, Event, Fact, Part, PartWord, PauseReason, SetAside, Settlement, Word, Worker};
pub use feedback::{Best, COUNT_TOLD_MAX, COVERAGE_BP_MAX, Feedback, Phase, RecordedFeedback};
pub use flaky::CONFIRMATIONS;
pub use ids::{CheckName, CommitId, Digest, LoopId, TreeId, UnitId};
pub use integrity::{Again, Canary, ChangedPlace, ElsewhereRuns, Finding, Integrity};
pub use refusal::{BLOCKERS_MAX, NOTE_BYTES_MAX, OPTIONS_MAX, QUESTIONS_OPEN_MAX, Refusal};
pub use state::{Anomaly, Next, OpenQuestion, Spending, Stage, State, StateFields};
pub use turn::{
    Brief, Denial, Orientation, OrientationEnd, REPEATED_FAILURE_MIN, Remainder, Session, Step, StepEnd,
    StepTerms, StepWhen, StepWord, Turn, TurnOutcome,
};
pub use unit::{Doubt, Flakiness, PersonWord, PlannedTask, Steps, Streaks, TaskFate, Unit, Words};

/// The rules' version: a decision replayed by another version may differ, and that is a report, not a bug.
pub const ENGINE_VERSION: u32 = 6;

#[cfg(test)]
mod tests;
