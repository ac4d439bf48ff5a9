//! Why a request is not granted, and the limits that a text or a list has.

use crate::feedback::Phase;

/// The longest note or reason that is taken.
pub const NOTE_BYTES_MAX: usize = 16 * 1024;

/// The most options that a question offers.
pub const OPTIONS_MAX: usize = 16;

/// The most questions that wait for a person at once.
pub const QUESTIONS_OPEN_MAX: usize = 16;

/// So often one task may be put back for another that has to come first.
pub const BLOCKERS_MAX: usize = 3;

/// Why a request is not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no contract.
    #[error("the loop has not started")]
    NotStarted,
    /// It is over.
    #[error("the loop has ended")]
    Ended,
    /// It rests.
    #[error("the loop is paused already")]
    AlreadyPaused,
    /// It does not rest.
    #[error("the loop is not paused")]
    NotPaused,
    /// What changes a loop's terms or ends it is said where its owner sits.
    #[error("by a channel a person can answer, approve, reject and go on, and nothing else")]
    NotByChannel,
    /// DESIGN invariant 8.
    #[error("only a person may do this, and the request comes from an agent's process")]
    PersonOnly,
    /// A person's word needs no claim.
    #[error("only the worker can claim, from within its turn")]
    WorkerOnly,
    /// Nobody works.
    #[error("no turn is running")]
    NoTurn,
    /// The turn that made it is over.
    #[error("this belongs to iteration {made_in}, and iteration {now} is the current one")]
    Stale {
        /// The iteration it was made in.
        made_in: u32,
        /// The current one.
        now: u32,
    },
    /// Bounded, as everything is.
    #[error("the text has {bytes} bytes, and {NOTE_BYTES_MAX} is the limit")]
    TooLong { bytes: usize },
    /// It says nothing.
    #[error("the text is blank")]
    Blank,
    /// A list of answers has an end too.
    #[error("{count} options are too many: {OPTIONS_MAX} is the limit")]
    TooManyOptions { count: usize },
    /// One turn asks only so much.
    #[error("{QUESTIONS_OPEN_MAX} questions wait for a person already, and that is the limit")]
    TooManyQuestions,
    /// An answer comes first.
    #[error("question {number} waits for an answer")]
    QuestionOpen { number: u32 },
    /// It was answered already, or never asked.
    #[error("no such question is open")]
    NoSuchQuestion,
    /// Which one is meant?
    #[error("{count} questions are open: name one by its number")]
    WhichQuestion { count: usize },
    /// The goal is the only unit of work.
    #[error("the loop works off no list of tasks")]
    NoTasks,
    /// Something is looked at, and may still be finished.
    #[error("a task is skipped between two turns, and its candidate is looked at")]
    NotBetween,
    /// A list is not made longer without end.
    #[error("a task is put back {BLOCKERS_MAX} times at most, and one that was put before it never")]
    TooManyBlockers,
    /// Nothing can be looked at yet.
    #[error("there is no candidate yet")]
    NoCandidate,
    /// A person can overrule a judge; what a check says is a fact.
    #[error("a check says no to the last candidate, and only the judge can be overruled")]
    ChecksSayNo,
    /// SPEC B1: a person may vouch for what the gates passed, and for nothing else.
    #[error("only finished work lands: what passed every gate")]
    NothingToLand,
    /// Whoever still works would begin anew on what was taken away.
    #[error("only the work of a loop that is over is thrown away")]
    NotOver,
    /// What stands on a branch is there for all to build on.
    #[error("the work has landed")]
    HasLanded,
    /// SPEC L2.
    #[error("the loop is in phase {}, and {} does not come now", from.word(), to.word())]
    Transition { from: Phase, to: Phase },
    /// A number that nobody can have counted.
    #[error("{what} is out of range: {max} is the limit")]
    OutOfRange { what: &'static str, max: u32 },
}
