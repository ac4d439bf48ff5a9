//! What a person, a worker or a file asks for becomes a fact, or a typed refusal.

use crate::event::{Claim, Fact};
use crate::state::{Stage, State};
use alloc::string::String;

/// The longest note or reason that is taken.
pub const NOTE_BYTES_MAX: usize = 16 * 1024;

/// Something is asked of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub author: Author,
    pub act: Act,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// The loop's owner.
    Person,
    /// A process of the loop's agent.
    Worker {
        /// The iteration whose turn it says it belongs to.
        iteration: u32,
    },
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Rest.
    Pause,
    /// End.
    Cancel,
    /// Go on.
    Resume,
    /// Tell the worker this, in its next iteration.
    Steer(String),
    /// Evaluate the work.
    Claim(Claim),
}

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
    #[error("the claim belongs to iteration {made_in}, and iteration {now} is the current one")]
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
}

/// Grants a request as a fact, or refuses it.
pub fn admit(state: &State, request: Request) -> Result<Fact, Refusal> {
    match &state.stage {
        Stage::Unsealed => return Err(Refusal::NotStarted),
        Stage::Ended(_) => return Err(Refusal::Ended),
        Stage::Between(_) | Stage::Turn | Stage::Settling(_) | Stage::Gates(..) | Stage::Paused(..) => {}
    }
    match (request.act, request.author) {
        (Act::Claim(claim), Author::Worker { iteration }) => admit_claim(state, claim, iteration),
        (Act::Claim(_), Author::Person) => Err(Refusal::WorkerOnly),
        (Act::Pause | Act::Cancel | Act::Resume | Act::Steer(_), Author::Worker { .. }) => {
            Err(Refusal::PersonOnly)
        }
        (Act::Pause, Author::Person) if is_paused(state) => Err(Refusal::AlreadyPaused),
        (Act::Pause, Author::Person) => Ok(Fact::PauseAsked),
        (Act::Cancel, Author::Person) => Ok(Fact::CancelAsked),
        (Act::Resume, Author::Person) if is_paused(state) => Ok(Fact::Resumed),
        (Act::Resume, Author::Person) => Err(Refusal::NotPaused),
        (Act::Steer(note), Author::Person) => check_text(&note).map(|()| Fact::Steered { note }),
    }
}

fn admit_claim(state: &State, claim: Claim, iteration: u32) -> Result<Fact, Refusal> {
    match &state.stage {
        Stage::Turn | Stage::Settling(_) => {}
        Stage::Unsealed | Stage::Between(_) | Stage::Gates(..) | Stage::Paused(..) | Stage::Ended(_) => {
            return Err(Refusal::NoTurn);
        }
    }
    let now = state.unit.iteration;
    if iteration != now {
        return Err(Refusal::Stale { made_in: iteration, now });
    }
    let Claim::Done { no_test } = &claim;
    if let Some(reason) = no_test {
        check_text(reason)?;
    }
    Ok(Fact::Claimed { claim })
}

fn check_text(text: &str) -> Result<(), Refusal> {
    if text.len() > NOTE_BYTES_MAX {
        return Err(Refusal::TooLong { bytes: text.len() });
    }
    if text.trim().is_empty() { Err(Refusal::Blank) } else { Ok(()) }
}

fn is_paused(state: &State) -> bool {
    matches!(state.stage, Stage::Paused(..))
}
