//! What a loop asks of the queue becomes a fact, or a typed refusal.

use crate::event::{Entry, EntryId, QueueFact};
use crate::state::{Place, QueueState};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueRefusal {
    /// There is nothing to grant: the entry waits already, or not at all, or a crash left the request behind.
    Moot,
    /// There is no room, or the entry is being landed: ask again later.
    NotNow,
}

/// Grants a request as a fact, or refuses it.
pub fn admit(state: &QueueState, request: QueueRequest) -> Result<QueueFact, QueueRefusal> {
    match request {
        QueueRequest::Join(entry) if state.is_known(&entry) => Err(QueueRefusal::Moot),
        QueueRequest::Join(_) if state.line.len() >= ENTRIES_MAX => Err(QueueRefusal::NotNow),
        QueueRequest::Join(entry) => Ok(QueueFact::Joined { entry }),
        QueueRequest::Leave(id) => match state.place_of(&id) {
            Some(place) if state.is_landing(place.ticket) => Err(QueueRefusal::NotNow),
            Some(Place { ending: None, .. }) => Ok(QueueFact::Left { entry: id }),
            Some(Place { ending: Some(_), .. }) | None => Err(QueueRefusal::Moot),
        },
    }
}
