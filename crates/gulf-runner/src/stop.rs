//! A stop that reaches an effect in another thread, whatever it is doing.

use std::sync::{Arc, Mutex, PoisonError};

use gulf_host::process::{self, Canceller};
use gulf_host::watch::Waker;

/// Asked for once; the process that runs then is cancelled, and none starts afterwards.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    asked: bool,
    running: Option<Canceller>,
    waker: Option<Waker>,
    below: Vec<Stop>,
}

impl Stop {
    /// Stops the effect.
    pub fn ask(&self) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.asked = true;
        if let Some(canceller) = inner.running.take() {
            canceller.cancel(process::Stop::Gracefully);
        }
        if let Some(waker) = &inner.waker {
            waker.wake();
        }
        inner.below.iter().for_each(Stop::ask);
    }

    /// One that is asked for whenever this one is, and that can be asked for alone: an effect may run several
    /// processes at once.
    pub fn below(&self) -> Stop {
        let below = Stop::default();
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.asked {
            below.ask();
        }
        inner.below.push(below.clone());
        below
    }

    /// From now on a stop ends this wait.
    pub fn wakes(&self, waker: Waker) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).waker = Some(waker);
    }

    /// Was it asked for?
    pub fn is_asked(&self) -> bool {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).asked
    }

    /// From now on this process is what a stop cancels.
    pub fn covers(&self, canceller: Canceller) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.asked {
            canceller.cancel(process::Stop::Gracefully);
        } else {
            inner.running = Some(canceller);
        }
    }
}
