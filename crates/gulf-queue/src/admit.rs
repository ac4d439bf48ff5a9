//! What a loop asks of the queue becomes a fact, or a typed refusal.

use crate::entry::{Entry, EntryId, Ticket};
use crate::event::QueueFact;
use crate::state::QueueState;

/// So many entries may wait at once.
pub const ENTRIES_MAX: usize = 1024;

/// Something is asked of a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueueRequest {
    /// Wait here, and land.
    Join(Entry),
    /// Wait no longer.
    Leave(EntryId),
}

/// Why a request is not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueRefusal {
    /// It is the same entry, and keeps its place.
    #[error("this entry waits already, as number {}", ticket.0)]
    WaitsAlready { ticket: Ticket },
    /// The request is one that a crash left behind.
    #[error("this request was settled already")]
    SettledAlready,
    /// The limit protects the journal.
    #[error("{ENTRIES_MAX} entries wait already")]
    Full,
    /// Nothing is to be withdrawn.
    #[error("no such entry waits")]
    DoesNotWait,
    /// Ask again once the move is over: the entry has landed then, or can leave.
    #[error("this entry is being landed")]
    IsLanding,
}

/// Grants a request as a fact, or refuses it.
pub fn admit(state: &QueueState, request: QueueRequest) -> Result<QueueFact, QueueRefusal> {
    match request {
        QueueRequest::Join(entry) => {
            if let Some(place) = state.place_of(&entry.id) {
                return Err(QueueRefusal::WaitsAlready { ticket: place.ticket });
            }
            if state.ending_of(&entry.id, &entry.request).is_some() {
                return Err(QueueRefusal::SettledAlready);
            }
            if state.line.len() >= ENTRIES_MAX {
                Err(QueueRefusal::Full)
            } else {
                Ok(QueueFact::Joined { entry })
            }
        }
        QueueRequest::Leave(id) => match state.place_of(&id) {
            None => Err(QueueRefusal::DoesNotWait),
            Some(place) if state.is_landing(place.ticket) => Err(QueueRefusal::IsLanding),
            Some(place) if place.ending.is_some() => Err(QueueRefusal::DoesNotWait),
            Some(_) => Ok(QueueFact::Left { entry: id }),
        },
    }
}
