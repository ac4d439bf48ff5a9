//! The effects that run now, each in a thread of its own that stops when it is told to.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use gulf_engine::Fact;
use gulf_host::process::{self, Canceller};
use gulf_host::signals::Interruption;
use gulf_host::watch::Waker;

use crate::error::RunError;

/// What runs, by the key of its effect.
#[derive(Debug)]
pub(crate) struct Effects<Key, Outcome> {
    running: BTreeMap<Key, RunningEffect>,
    ended: EndChannel<Key, Outcome>,
    /// Woken whenever one has ended.
    waker: Option<Waker>,
}

/// Both ends of the channel through which threads tell what came of them.
type EndChannel<Key, Outcome> = (Sender<(Key, Outcome)>, Receiver<(Key, Outcome)>);

#[derive(Debug)]
struct RunningEffect {
    stop: Stop,
    thread: JoinHandle<()>,
}

impl<Key, Outcome> Effects<Key, Outcome>
where
    Key: Ord + Clone + Debug + Send + 'static,
    Outcome: Send + 'static,
{
    pub(crate) fn new(waker: impl Into<Option<Waker>>) -> Self {
        Self { running: BTreeMap::new(), ended: mpsc::channel(), waker: waker.into() }
    }

    /// From now on their ends end this wait.
    pub(crate) fn wakes(&mut self, waker: Waker) {
        self.waker = Some(waker);
    }

    pub(crate) fn start(&mut self, key: Key, perform: impl FnOnce(&Key, &Stop) -> Outcome + Send + 'static) {
        let stop = Stop::default();
        let (its_key, its_stop) = (key.clone(), stop.clone());
        let (ended, waker) = (self.ended.0.clone(), self.waker.clone());
        let thread = thread::spawn(move || {
            let outcome = perform(&its_key, &its_stop);
            // The driver may have given up on an error of its own; then nobody listens.
            let _ = ended.send((its_key, outcome));
            waker.iter().for_each(Waker::wake);
        });
        self.running.insert(key, RunningEffect { stop, thread });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.running.keys()
    }

    pub(crate) fn runs(&self, key: &Key) -> bool {
        self.running.contains_key(key)
    }

    /// Tells those to stop; they end in their own time.
    pub(crate) fn stop(&self, is_unwanted: impl Fn(&Key) -> bool) {
        self.running.iter().filter(|(key, _)| is_unwanted(key)).for_each(|(_, running)| running.stop.ask());
    }

    /// What has ended by now, in the order in which it did.
    pub(crate) fn take_ended(&mut self) -> Result<Vec<(Key, Outcome)>, RunError> {
        let ended: Vec<_> = self.ended.1.try_iter().collect();
        for (key, _) in &ended {
            if let Some(running) = self.running.remove(key) {
                join(key, running)?;
            }
        }
        Ok(ended)
    }

    /// Tells everything to stop, and waits until all of it is gone.
    pub(crate) fn stop_all(&mut self) -> Result<(), RunError> {
        self.stop(|_| true);
        std::mem::take(&mut self.running).into_iter().try_for_each(|(key, running)| join(&key, running))
    }
}

fn join(key: &impl Debug, running: RunningEffect) -> Result<(), RunError> {
    running.thread.join().map_err(|_| RunError::ThreadDied { key: format!("{key:?}") })
}

// A stop that reaches an effect in another thread, whatever it is doing.

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
            canceller.cancel(process::StopMode::Gracefully);
        }
        inner.waker.iter().for_each(Waker::wake);
        inner.below.iter().for_each(Stop::ask);
    }

    /// Stops at the first signal, and ends gulf at the second.
    pub fn obey(&self, interruption: Interruption) {
        match interruption {
            Interruption::Orderly => self.ask(),
            // The shims notice that gulf is gone, and clear away what runs below them.
            Interruption::Now => std::process::exit(130),
        }
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
            canceller.cancel(process::StopMode::Gracefully);
        } else {
            inner.running = Some(canceller);
        }
    }
}

// What threads of one turn tell the driver while they work.

/// What is told of a turn's parts while it runs: facts that the driver writes down as they come.
#[derive(Debug, Default)]
pub struct Reports {
    inner: Mutex<(Vec<Fact>, Option<Waker>)>,
}

impl Reports {
    pub(crate) fn tell(&self, fact: Fact) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.0.push(fact);
        inner.1.iter().for_each(Waker::wake);
    }

    /// From now on that ends this wait.
    pub(crate) fn wakes(&self, waker: Waker) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).1 = Some(waker);
    }

    pub(crate) fn take(&self) -> Vec<Fact> {
        std::mem::take(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner).0)
    }
}
