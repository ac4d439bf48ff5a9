//! The merge queue: pure functions that decide what is tried next on a base branch, and nothing that could do it.
//!
//! A second machine of the engine's make: `State::apply` folds facts, `decide` computes what is wanted, `admit` turns
//! a request into a fact or a refusal. The queue's laws (SPEC B10: the base only ever moves to a commit that was
//! green on exactly its tip) can only be searched exhaustively where nothing else is reachable.
#![cfg_attr(not(test), no_std)]

extern crate alloc;

mod admit;
mod apply;
mod decide;
mod event;
mod plan;
mod state;
mod verdicts;

pub use admit::{ENTRIES_MAX, QueueRefusal, QueueRequest, admit};
pub use decide::{QueueDecision, decide};
pub use event::{
    Entry, EntryEnding, EntryId, EntryLanding, Event, Eviction, FailureEvidence, Flake, QueueFact, QueueKey,
    QueueResult, QueueWork, Terms, Ticket, Tip,
};
pub use state::{Place, QueueState, SETTLED_MAX, Settled, WINDOW_START};

#[cfg(test)]
mod tests;
