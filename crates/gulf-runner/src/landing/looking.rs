//! Looks at a queue from outside: where a loop waits in it, and what is being done for it.
//!
//! It stands apart because whoever looks neither waits nor leads: what cannot be read is nothing to tell.

use gulf_engine::CommitId;
use gulf_queue::{EntryEnding, QueueState, QueueWork, Ticket};

use super::book::QueueReader;
use super::place::QueuePlace;
use crate::agreement::Agreement;
use crate::folder::LoopPaths;

/// What a queue's journal says of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub place: Option<SeenPlace>,
    /// Where the base branch was moved to with its work, the last time that it was.
    pub moved_to: Option<CommitId>,
}

/// Where it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenPlace {
    /// From 1.
    pub position: usize,
    /// How many wait.
    pub of: usize,
    pub doing: Doing,
}

/// What is being done for who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doing {
    Nothing,
    Merging,
    Testing,
    Moving,
}

/// Where this loop waits, and whether its work was landed before.
pub fn seen(agreement: &Agreement, folder: &LoopPaths) -> Seen {
    let Some(terms) = &agreement.landing else { return Seen::default() };
    let place = QueuePlace::of(folder, terms);
    let mut reader = QueueReader::new(place.root());
    let Ok(state) = reader.look() else { return Seen::default() };
    let is_own = |id: &gulf_queue::EntryId| id.loop_id == agreement.loop_id;
    let at = state.line().iter().position(|place| is_own(&place.entry.id));
    let place = at.and_then(|at| {
        let ticket = state.line().get(at)?.ticket;
        Some(SeenPlace { position: at + 1, of: state.line().len(), doing: doing(state, ticket) })
    });
    let moved =
        state.settled().iter().rev().filter(|one| is_own(&one.id)).find_map(|one| match &one.ending {
            EntryEnding::Landed { to, .. } => Some(to.clone()),
            EntryEnding::Evicted { .. } | EntryEnding::NotReady { .. } | EntryEnding::Failed { .. } => None,
            EntryEnding::Left | EntryEnding::Outrun { .. } => None,
        });
    Seen { place, moved_to: moved }
}

/// A test is of all who wait before its last one, too.
fn doing(state: &QueueState, own: Ticket) -> Doing {
    let doings = state.running().iter().map(|key| match &key.work {
        QueueWork::Move { landing, .. } if landing.iter().any(|one| one.ticket == own) => Doing::Moving,
        QueueWork::Test { ticket, .. } if *ticket >= own => Doing::Testing,
        QueueWork::Merge { ticket, .. } if *ticket == own => Doing::Merging,
        QueueWork::Move { .. } | QueueWork::Test { .. } | QueueWork::Merge { .. } => Doing::Nothing,
    });
    doings.max().unwrap_or(Doing::Nothing)
}
