//! Who leads the queue in this process: one thread for each queue, as long as a loop of this process waits in it.
//!
//! It stands apart because the loops of one process share a leader: its trials go on when one of them has landed.
//! Everybody else's leader is kept out by the journal's lock, and takes over when that falls.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use gulf_host::watch::Waker;

use super::leader;
use super::place::QueuePlace;
use crate::agreement::LandingTerms;
use crate::error::RunError;
use crate::workshop::{Failure, Workshop, in_full};

/// A queue in which loops of this process wait.
#[derive(Debug, Default)]
struct Chair {
    waiting: usize,
    leader: Option<JoinHandle<()>>,
    /// The leader goes on until it has read here that nobody waits.
    is_taken: bool,
    waker: Option<Waker>,
    /// Why the last leader of this process could not go on.
    failure: Option<String>,
}

static CHAIRS: Mutex<BTreeMap<QueuePlace, Chair>> = Mutex::new(BTreeMap::new());

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
pub(crate) struct Seat {
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

impl Seat {
    /// Waits in this queue; where nobody of this process leads it or waits to, a thread does from now on.
    pub(crate) fn take(place: &QueuePlace, lead: Lead) -> Result<Self, Failure> {
        let mut chairs = chairs();
        let chair = chairs.entry(place.clone()).or_default();
        chair.waiting += 1;
        let seat = Self { place: place.clone() };
        if chair.is_taken {
            return Ok(seat);
        }
        chair.is_taken = true;
        chair.failure = None;
        let before = chair.leader.take();
        let its_place = place.clone();
        let run = move || {
            // The one before is on its way out, and holds the lock until it is.
            if let Some(before) = before {
                let _ = before.join();
            }
            let led = leader::lead(&its_place, &lead);
            left(&its_place, led.err());
        };
        match thread::Builder::new().name("queue".to_owned()).spawn(run) {
            Ok(thread) => chair.leader = Some(thread),
            Err(error) => {
                chair.is_taken = false;
                drop(chairs);
                return Err(Failure::Refused(format!("cannot start a thread for the queue: {error}")));
            }
        }
        drop(chairs);
        Ok(seat)
    }

    /// Why this process's leader gave up, if it did.
    pub(crate) fn failure(&self) -> Option<String> {
        chairs().get(&self.place).and_then(|chair| chair.failure.clone())
    }
}

impl Drop for Seat {
    /// The last one waits for the leader to be gone: nothing that it started goes on alone.
    fn drop(&mut self) {
        let leader = {
            let mut chairs = chairs();
            let Some(chair) = chairs.get_mut(&self.place) else { return };
            chair.waiting = chair.waiting.saturating_sub(1);
            if chair.waiting > 0 {
                return;
            }
            if let Some(waker) = &chair.waker {
                waker.wake();
            }
            chair.leader.take()
        };
        if let Some(leader) = leader {
            // A panic in it was printed there.
            let _ = leader.join();
        }
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
        chair.is_taken = false;
    }
    chair.waiting == 0
}

fn left(place: &QueuePlace, error: Option<RunError>) {
    if let Some(chair) = chairs().get_mut(place) {
        chair.is_taken = false;
        chair.failure = error.map(|error| in_full(&error));
    }
}
