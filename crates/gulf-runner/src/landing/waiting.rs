//! A loop waits in the queue: it reads the journal that the leader writes, until that tells how the waiting ended.
//!
//! It stands apart because it is all that most loops ever do there, and because what the journal says in the end is
//! the result, whoever was asked to stop meanwhile.

use std::time::Duration;

use gulf_engine::{Candidate, LandingWord, LoopId};
use gulf_host::clock::{Clock, SystemClock};
use gulf_host::watch::Watch;
use gulf_queue::{Ending, EntryId};

use super::book::QueueReader;
use super::order::{Act, Order};
use super::place::QueuePlace;
use super::seat::Seat;
use crate::agreement::Agreement;
use crate::error::RunError;
use crate::folder::Folder;
use crate::stop::Stop;
use crate::workshop::Failure;

/// The kernel tells nobody when a leader's lock falls.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(1);

/// One loop that waits, or is about to.
#[derive(Debug)]
pub(crate) struct Waiting<'a> {
    place: &'a QueuePlace,
    id: EntryId,
    reader: QueueReader,
    /// Its endings so far, the last one last.
    endings: Vec<Ending>,
}

impl<'a> Waiting<'a> {
    /// Looks what became of this entry before.
    pub(crate) fn begin(place: &'a QueuePlace, id: EntryId) -> Result<Self, Failure> {
        let mut reader = QueueReader::new(place.root());
        let settled = reader.look()?.settled();
        let own = settled.iter().filter(|settled| settled.id == id);
        let endings = own.map(|settled| settled.ending.clone()).collect();
        Ok(Self { place, id, reader, endings })
    }

    pub(crate) fn last_ending(&self) -> Option<&Ending> {
        self.endings.last()
    }

    /// How often it has waited before: the same until it has an ending, so that a crash joins as the same again.
    pub(crate) fn turn(&self) -> usize {
        self.endings.len()
    }

    /// Joins, and follows the journal.
    pub(crate) fn until_it_ended(
        &mut self,
        order: &Order,
        seat: &Seat,
        stop: &Stop,
    ) -> Result<Ending, Failure> {
        let watch = Watch::start(self.place.root())
            .map_err(|source| RunError::Watch { path: self.place.root().to_owned(), source })?;
        stop.wakes(watch.waker());
        let (clock, request) = (SystemClock::new(), order.request()?);
        gulf_host::crash::point("landing.join");
        Act::Join { request: request.clone() }.leave(self.place, clock.wall_ms())?;
        let mut asked_to_leave = false;
        loop {
            if let Some(ending) = self.reader.look()?.ending_of(&self.id, &request) {
                return Ok(ending.clone());
            }
            if stop.is_asked() && !asked_to_leave {
                // What is being landed lands: the leader refuses, and the ending comes all the same.
                Act::Leave { entry: self.id.clone() }.leave(self.place, clock.wall_ms())?;
                asked_to_leave = true;
            }
            if let Some(why) = seat.failure() {
                return Err(Failure::Refused(format!("the queue of the base branch cannot be led: {why}")));
            }
            watch.wait_at_most(LOOK_EVERY);
        }
    }
}

/// Where the work of this loop landed, for whoever finds the loop cut off while it waited.
pub(crate) fn landed_before(agreement: &Agreement, folder: &Folder) -> Option<LandingWord> {
    let terms = agreement.landing.as_ref()?;
    let place = QueuePlace::of(folder, terms);
    let mut reader = QueueReader::new(place.root());
    // A journal that cannot be read tells of no landing; the next attempt says why.
    let state = reader.look().ok()?;
    let is_own = |loop_id: &LoopId| *loop_id == agreement.loop_id;
    let mut own = state.settled().iter().rev().filter(|settled| is_own(&settled.id.loop_id));
    match &own.next()?.ending {
        Ending::Landed { from, to, .. } => {
            Some(LandingWord::Landed { commit: to.clone(), onto: from.clone() })
        }
        Ending::Evicted { .. } | Ending::NotReady { .. } | Ending::Failed { .. } | Ending::Left => None,
        Ending::Outrun { .. } => None,
    }
}

/// Nobody drives this loop any more: what it wanted to land waits no longer, unless it is being landed already.
pub(crate) fn withdraw(
    agreement: &Agreement,
    folder: &Folder,
    candidate: &Candidate,
    wall_ms: u64,
) -> Result<(), RunError> {
    let Some(terms) = &agreement.landing else { return Ok(()) };
    let place = QueuePlace::of(folder, terms);
    if !place.requests().directory().is_dir() {
        return Ok(());
    }
    let entry = EntryId { loop_id: agreement.loop_id.clone(), candidate: candidate.commit.clone() };
    Act::Leave { entry }.leave(&place, wall_ms)
}
