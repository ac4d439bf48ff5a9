//! Who leads the queue in this process: one thread for each queue, as long as a loop of this process waits in it.
//!
//! It stands apart because the loops of one process share a leader: its trials go on when one of them has landed.
//! Everybody else's leader is kept out by the journal's lock, and takes over when that falls.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use gulf_host::watch::Waker;

use super::leader;
use super::place::QueuePlace;
use crate::agreement::LandingTerms;
use crate::error::{Failure, in_full};
use crate::workshop::Workshop;

/// A queue in which loops of this process wait.
#[derive(Debug, Default)]
struct Chair {
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

static CHAIRS: Mutex<BTreeMap<QueuePlace, Chair>> = Mutex::new(BTreeMap::new());
/// A leader is gone, or somebody waits again.
static CHANGED: Condvar = Condvar::new();

/// With what a queue is led.
#[derive(Clone, Debug)]
pub(crate) struct Lead {
    pub(crate) home: camino::Utf8PathBuf,
    pub(crate) terms: LandingTerms,
    pub(crate) layout: gulf_host::git::Layout,
    pub(crate) environment: crate::environment::Environment,
    pub(crate) shim: gulf_host::process::ShimProgram,
}

/// A loop of this process waits, until this is dropped.
#[derive(Debug)]
pub(crate) struct LandingSeat {
    place: QueuePlace,
}

impl Lead {
    pub(crate) fn of(workshop: &Workshop, terms: &LandingTerms) -> Self {
        Self {
            home: workshop.home.clone(),
            terms: terms.clone(),
            layout: workshop.repository.layout().clone(),
            environment: workshop.environment.clone(),
            shim: workshop.shim.clone(),
        }
    }
}

fn chairs() -> MutexGuard<'static, BTreeMap<QueuePlace, Chair>> {
    CHAIRS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits as long as this is said of the chair.
fn while_it_is(
    place: &QueuePlace,
    is: impl Fn(&Chair) -> bool,
) -> MutexGuard<'static, BTreeMap<QueuePlace, Chair>> {
    let still = |chairs: &mut BTreeMap<QueuePlace, Chair>| chairs.get(place).is_some_and(&is);
    CHANGED.wait_while(chairs(), still).unwrap_or_else(PoisonError::into_inner)
}

impl LandingSeat {
    /// Waits in this queue; where nobody of this process leads it or waits to, a thread does from now on.
    pub(crate) fn take(place: &QueuePlace, lead: Lead) -> Result<Self, Failure> {
        let mut chairs = chairs();
        let chair = chairs.entry(place.clone()).or_default();
        chair.waiting += 1;
        CHANGED.notify_all();
        let seat = Self { place: place.clone() };
        if chair.taken_by.is_some() {
            return Ok(seat);
        }
        chair.number += 1;
        chair.leaders += 1;
        chair.taken_by = Some(chair.number);
        chair.failure = None;
        let mut reign = Reign::of(place, chair.number);
        drop(chairs);
        let run = move || {
            reign.begin();
            let led = leader::lead(&reign.place, &lead);
            reign.failure = led.err().map(|error| in_full(&error));
        };
        // Not joined: whoever leaves last waits until its reign is over.
        let started = thread::Builder::new().name("queue".to_owned()).spawn(run);
        let refused = |error| Failure::Refused(format!("cannot start a thread for the queue: {error}"));
        started.map(|_| seat).map_err(refused)
    }

    /// Why this process's leader gave up, if it did.
    pub(crate) fn failure(&self) -> Option<String> {
        chairs().get(&self.place).and_then(|chair| chair.failure.clone())
    }
}

impl Drop for LandingSeat {
    /// The last one waits for the leader to be gone, that nothing it started goes on alone; or for somebody who takes
    /// its place.
    fn drop(&mut self) {
        {
            let mut chairs = chairs();
            let Some(chair) = chairs.get_mut(&self.place) else { return };
            chair.waiting = chair.waiting.saturating_sub(1);
            if chair.waiting > 0 {
                return;
            }
            if let Some(waker) = &chair.waker {
                waker.wake();
            }
        }
        drop(while_it_is(&self.place, |chair| chair.leaders > 0 && chair.waiting == 0));
    }
}

/// One leader's time, however it ends.
#[derive(Debug)]
struct Reign {
    place: QueuePlace,
    number: u64,
    has_begun: bool,
    /// Stands as long as nobody could say better.
    failure: Option<String>,
}

impl Reign {
    fn of(place: &QueuePlace, number: u64) -> Self {
        let failure = Some("its leader could not go on".to_owned());
        Self { place: place.clone(), number, has_begun: false, failure }
    }

    /// The one before is on its way out, and holds the lock until it is.
    fn begin(&mut self) {
        let mut chairs = while_it_is(&self.place, |chair| chair.is_occupied);
        chairs.entry(self.place.clone()).or_default().is_occupied = true;
        self.has_begun = true;
    }
}

impl Drop for Reign {
    fn drop(&mut self) {
        let mut chairs = chairs();
        let Some(chair) = chairs.get_mut(&self.place) else { return };
        chair.leaders = chair.leaders.saturating_sub(1);
        if self.has_begun {
            chair.is_occupied = false;
        }
        // Else it has been read that nobody waits, and another one may lead by now.
        if chair.taken_by == Some(self.number) {
            chair.taken_by = None;
            chair.failure = self.failure.take();
        }
        CHANGED.notify_all();
    }
}

/// From now on this ends the leader's waits.
pub(super) fn wakes(place: &QueuePlace, waker: Waker) {
    if let Some(chair) = chairs().get_mut(place) {
        chair.waker = Some(waker);
    }
}

/// Does nobody of this process wait any more? After a yes the next one who does gets a leader of its own.
pub(super) fn is_empty(place: &QueuePlace) -> bool {
    let mut chairs = chairs();
    let Some(chair) = chairs.get_mut(place) else { return true };
    if chair.waiting == 0 {
        chair.taken_by = None;
    }
    chair.waiting == 0
}
