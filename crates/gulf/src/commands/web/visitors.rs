//! Who is connected. Whoever has been let in keeps a place; of the others the oldest gives way to the next, so that no
//! crowd of strangers keeps anybody waiting.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

/// More than a person's browsers open, each with a stream for every page.
const PLACES: usize = 64;
/// So many may knock at once.
const KNOCKING_MAX: usize = 64;

pub(super) struct Visitors {
    places: Arc<Semaphore>,
    /// Those that nobody has let in, by their numbers: the oldest is first.
    knocking: Mutex<BTreeMap<u64, AbortHandle>>,
}

/// One connection.
pub(super) struct Visitor {
    number: u64,
    visitors: Arc<Visitors>,
    place: OnceLock<OwnedSemaphorePermit>,
}

impl Visitors {
    pub(super) fn new() -> Arc<Visitors> {
        Arc::new(Visitors { places: Arc::new(Semaphore::new(PLACES)), knocking: Mutex::default() })
    }

    pub(super) fn visitor(self: &Arc<Self>, number: u64) -> Arc<Visitor> {
        Arc::new(Visitor { number, visitors: self.clone(), place: OnceLock::new() })
    }

    fn knocking(&self) -> MutexGuard<'_, BTreeMap<u64, AbortHandle>> {
        self.knocking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its task is not polled before it stands here: it is spawned on this very thread.
    pub(super) fn knocks(&self, number: u64, connection: AbortHandle) {
        let mut knocking = self.knocking();
        knocking.insert(number, connection);
        let oldest = if knocking.len() > KNOCKING_MAX { knocking.pop_first() } else { None };
        drop(knocking);
        if let Some((_, connection)) = oldest {
            connection.abort();
        }
    }
}

impl Visitor {
    /// Has it a place, or does one come free in time?
    pub(super) async fn takes_place(&self, patience: Duration) -> bool {
        if self.place.get().is_some() {
            return true;
        }
        let place = self.visitors.places.clone().acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(patience, place).await else { return false };
        // Another request of the same connection cannot be under way.
        let _ = self.place.set(place);
        self.visitors.knocking().remove(&self.number);
        true
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.visitors.knocking().remove(&self.number);
    }
}
