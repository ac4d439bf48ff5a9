//! Who leads the queue in this process: one thread for each queue, as long as a loop of this process waits in it.
//!
//! The loops of one process share a leader: its trials go on when one of them has landed. Everybody else's leader is
//! kept out by the journal's lock, and takes over when that falls.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::{self, JoinHandle};

use gulf_host::watch::Waker;

use super::leader;
use super::place::QueuePlace;
use crate::agreement::LandingTerms;
use crate::error::{Failure, Result, in_full};
use crate::resources::Resources;

/// The queues in which loops of this process wait.
static WAITS: Mutex<BTreeMap<QueuePlace, Weak<QueueWait>>> = Mutex::new(BTreeMap::new());

/// With what a queue is led.
#[derive(Clone, Debug)]
pub(crate) struct LeaderContext {
    pub(crate) home: camino::Utf8PathBuf,
    pub(crate) terms: LandingTerms,
    pub(crate) layout: gulf_host::git::Layout,
    /// The settings of git that its loop was started with.
    pub(crate) settings: Option<camino::Utf8PathBuf>,
    pub(crate) environment: crate::environment::Environment,
}

/// Loops of this process wait, until the last of them drops this.
#[derive(Debug)]
pub(crate) struct QueueWait {
    lease: Arc<LeaderLease>,
    leader: Option<JoinHandle<()>>,
}

/// What a leader and those who wait for it tell each other.
#[derive(Debug, Default)]
pub(super) struct LeaderLease {
    is_over: AtomicBool,
    /// Ends the leader's waits.
    waker: Mutex<Option<Waker>>,
    /// Why the leader could not go on.
    failure: Mutex<Option<String>>,
}

impl LeaderContext {
    pub(crate) fn new(resources: &Resources, terms: &LandingTerms) -> Self {
        Self {
            home: resources.home.clone(),
            terms: terms.clone(),
            layout: resources.repository.layout().clone(),
            settings: resources.repository.sealed_settings().map(camino::Utf8Path::to_owned),
            environment: resources.environment.clone(),
        }
    }
}

impl QueueWait {
    /// Waits in this queue; where nobody of this process leads it or waits to, a thread does from now on.
    pub(crate) fn take(place: &QueuePlace, lead: LeaderContext) -> Result<Arc<Self>> {
        let mut waits = WAITS.lock().unwrap_or_else(PoisonError::into_inner);
        // A leader that is on its way out holds the journal's lock until it is: the next one waits for that.
        let others = waits.get(place).and_then(Weak::upgrade);
        if let Some(others) = others.filter(|others| others.failure().is_none()) {
            return Ok(others);
        }
        let (lease, at) = (Arc::new(LeaderLease::default()), place.clone());
        let own = lease.clone();
        let run = move || {
            let led = leader::lead(&at, &lead, &own);
            *own.failure.lock().unwrap_or_else(PoisonError::into_inner) =
                led.err().map(|error| in_full(&error));
        };
        let refused = |error| Failure::Refused(format!("cannot start a thread for the queue: {error}"));
        let leader = thread::Builder::new().name("queue".to_owned()).spawn(run).map_err(refused)?;
        let wait = Arc::new(Self { lease, leader: Some(leader) });
        waits.insert(place.clone(), Arc::downgrade(&wait));
        Ok(wait)
    }

    /// Why this process's leader gave up, if it did.
    pub(crate) fn failure(&self) -> Option<String> {
        let is_gone = self.leader.as_ref().is_some_and(JoinHandle::is_finished);
        let failure = self.lease.failure.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Stands where it could not say better.
        failure.or_else(|| is_gone.then(|| "its leader could not go on".to_owned()))
    }
}

impl Drop for QueueWait {
    /// Waits for the leader to be gone, that nothing it started goes on alone.
    fn drop(&mut self) {
        self.lease.is_over.store(true, Ordering::SeqCst);
        let waker = self.lease.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        waker.iter().for_each(Waker::wake);
        // A panic there was printed there.
        let _ = self.leader.take().map(JoinHandle::join);
    }
}

impl LeaderLease {
    /// From now on this ends the leader's waits.
    pub(super) fn wakes(&self, waker: Waker) {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
    }

    /// Does nobody of this process wait any more? The next one who does gets a leader of its own.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }
}
