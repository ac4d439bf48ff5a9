//! What threads of one turn tell the driver while they work.

use std::sync::{Mutex, PoisonError};

use gulf_engine::Fact;
use gulf_host::watch::Waker;

/// What is told of a turn's parts while it runs: facts that the driver writes down as they come.
#[derive(Debug, Default)]
pub struct Reports {
    inner: Mutex<(Vec<Fact>, Option<Waker>)>,
}

impl Reports {
    pub(crate) fn tell(&self, fact: Fact) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.0.push(fact);
        if let Some(waker) = &inner.1 {
            waker.wake();
        }
    }

    /// From now on that ends this wait.
    pub(crate) fn wakes(&self, waker: Waker) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(waker);
    }

    pub(crate) fn take(&self) -> Vec<Fact> {
        std::mem::take(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner).0)
    }
}
