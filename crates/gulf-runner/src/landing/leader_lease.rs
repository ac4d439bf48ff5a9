//! Who leads the queue in this process: one thread for each queue, as long as a loop of this process waits in it.
//!
//! The loops of one process share a leader: its trials go on when one of them has landed. Everybody else's leader is
//! kept out by the journal's lock, and takes over when that falls.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use gulf_host::watch::Waker;

use super::leader;
use super::place::QueuePlace;
use crate::agreement::LandingTerms;
use crate::error::{Failure, in_full};
use crate::resources::Resources;

/// A queue in which loops of this process wait.
#[derive(Debug, Default)]
struct LeaderSlot {
    waiting: usize,
    /// The leader that goes on until it has read here that nobody waits.
    taken_by: Option<u64>,
    /// Given to the last leader.
    number: u64,
    /// Leaders that are not gone yet: the one there, one on its way out.
    leaders: usize,
    /// One of them is beyond the door; the next one waits until it has left.
    is_occupied: bool,
    waker: Option<Waker>,
    /// Why the last leader of this process could not go on.
    failure: Option<String>,
}

static SLOTS: Mutex<BTreeMap<QueuePlace, LeaderSlot>> = Mutex::new(BTreeMap::new());
/// A leader is gone, or somebody waits again.
static CHANGED: Condvar = Condvar::new();

/// With what a queue is led.
#[derive(Clone, Debug)]
pub(crate) struct LeaderContext {
    pub(crate) home: camino::Utf8PathBuf,
    pub(crate) terms: LandingTerms,
    pub(crate) layout: gulf_host::git::Layout,
    /// The settings of git that its loop was started with.
    pub(crate) settings: Option<camino::Utf8PathBuf>,
    pub(crate) environment: crate::environment::Environment,
    pub(crate) shim: gulf_host::process::ShimProgram,
}

/// A loop of this process waits, until this is dropped.
#[derive(Debug)]
pub(crate) struct QueueWait {
    place: QueuePlace,
}

impl LeaderContext {
    pub(crate) fn new(resources: &Resources, terms: &LandingTerms) -> Self {
        Self {
            home: resources.home.clone(),
            terms: terms.clone(),
            layout: resources.repository.layout().clone(),
            settings: resources.repository.sealed_settings().map(camino::Utf8Path::to_owned),
            environment: resources.environment.clone(),
            shim: resources.shim.clone(),
        }
    }
}

fn slots() -> MutexGuard<'static, BTreeMap<QueuePlace, LeaderSlot>> {
    SLOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits as long as this is said of the slot.
fn wait_while(
    place: &QueuePlace,
    is: impl Fn(&LeaderSlot) -> bool,
) -> MutexGuard<'static, BTreeMap<QueuePlace, LeaderSlot>> {
    let still = |slots: &mut BTreeMap<QueuePlace, LeaderSlot>| slots.get(place).is_some_and(&is);
    CHANGED.wait_while(slots(), still).unwrap_or_else(PoisonError::into_inner)
}

impl QueueWait {
    /// Waits in this queue; where nobody of this process leads it or waits to, a thread does from now on.
    pub(crate) fn take(place: &QueuePlace, lead: LeaderContext) -> Result<Self, Failure> {
        let mut slots = slots();
        let slot = slots.entry(place.clone()).or_default();
        slot.waiting += 1;
        CHANGED.notify_all();
        let seat = Self { place: place.clone() };
        if slot.taken_by.is_some() {
            return Ok(seat);
        }
        slot.number += 1;
        slot.leaders += 1;
        slot.taken_by = Some(slot.number);
        slot.failure = None;
        let failure = Some("its leader could not go on".to_owned());
        let mut lease = LeaderLease { place: place.clone(), number: slot.number, has_begun: false, failure };
        drop(slots);
        let run = move || {
            lease.begin();
            let led = leader::lead(&lease.place, &lead);
            lease.failure = led.err().map(|error| in_full(&error));
        };
        // Not joined: whoever leaves last waits until its lease is over.
        let started = thread::Builder::new().name("queue".to_owned()).spawn(run);
        let refused = |error| Failure::Refused(format!("cannot start a thread for the queue: {error}"));
        started.map(|_| seat).map_err(refused)
    }

    /// Why this process's leader gave up, if it did.
    pub(crate) fn failure(&self) -> Option<String> {
        slots().get(&self.place).and_then(|slot| slot.failure.clone())
    }
}

impl Drop for QueueWait {
    /// The last one waits for the leader to be gone, that nothing it started goes on alone; or for somebody who takes
    /// its place.
    fn drop(&mut self) {
        {
            let mut slots = slots();
            let Some(slot) = slots.get_mut(&self.place) else { return };
            slot.waiting = slot.waiting.saturating_sub(1);
            if slot.waiting > 0 {
                return;
            }
            if let Some(waker) = &slot.waker {
                waker.wake();
            }
        }
        drop(wait_while(&self.place, |slot| slot.leaders > 0 && slot.waiting == 0));
    }
}

/// One leader's time, however it ends.
#[derive(Debug)]
struct LeaderLease {
    place: QueuePlace,
    number: u64,
    has_begun: bool,
    /// Stands as long as nobody could say better.
    failure: Option<String>,
}

impl LeaderLease {
    /// The one before is on its way out, and holds the lock until it is.
    fn begin(&mut self) {
        let mut slots = wait_while(&self.place, |slot| slot.is_occupied);
        slots.entry(self.place.clone()).or_default().is_occupied = true;
        self.has_begun = true;
    }
}

impl Drop for LeaderLease {
    fn drop(&mut self) {
        let mut slots = slots();
        let Some(slot) = slots.get_mut(&self.place) else { return };
        slot.leaders = slot.leaders.saturating_sub(1);
        if self.has_begun {
            slot.is_occupied = false;
        }
        // Else it has been read that nobody waits, and another one may lead by now.
        if slot.taken_by == Some(self.number) {
            slot.taken_by = None;
            slot.failure = self.failure.take();
        }
        CHANGED.notify_all();
    }
}

/// From now on this ends the leader's waits.
pub(super) fn wakes(place: &QueuePlace, waker: Waker) {
    if let Some(slot) = slots().get_mut(place) {
        slot.waker = Some(waker);
    }
}

/// Does nobody of this process wait any more? After a yes the next one who does gets a leader of its own.
pub(super) fn is_empty(place: &QueuePlace) -> bool {
    let mut slots = slots();
    let Some(slot) = slots.get_mut(place) else { return true };
    if slot.waiting == 0 {
        slot.taken_by = None;
    }
    slot.waiting == 0
}
