//! What takes as long as a network lets it, done in a thread, so that this process can be told to leave meanwhile.
//!
//! Whoever leaves does not wait for it: what was being sent then is found again as after a crash, by its notice's
//! key.

use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::Duration;

use gulf_host::clock::Clock;
use gulf_host::watch::{Waker, Watch};
use gulf_runner::channels::Channels;
use gulf_runner::error::RunError;
use gulf_runner::stop::Stop;

use crate::failure::Result;

/// What ends a wait besides what is waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meanwhile<'waiting> {
    /// Whose waker `leave` has.
    pub watch: &'waiting Watch,
    pub leave: &'waiting Stop,
}

struct WakingEnd(Waker);

impl Drop for WakingEnd {
    fn drop(&mut self) {
        self.0.wake();
    }
}

impl Meanwhile<'_> {
    /// Has this done with the channels, and gives them back with what came of it; none where this process was told to
    /// leave before.
    pub(super) fn work<T: Send + 'static>(
        self,
        mut channels: Channels,
        work: impl FnOnce(&mut Channels) -> Result<T, RunError> + Send + 'static,
    ) -> Result<Option<(Channels, T)>> {
        let (sender, done) = mpsc::channel();
        let waker = self.watch.waker();
        thread::spawn(move || {
            // Its end wakes whoever waits, also where it comes to a bad one: after the sender is gone.
            let _end = WakingEnd(waker);
            let sender = sender;
            let came = work(&mut channels);
            // Whoever left does not hear it.
            let _ = sender.send((channels, came));
        });
        loop {
            match done.try_recv() {
                Ok((channels, came)) => return Ok(Some((channels, came?))),
                Err(TryRecvError::Disconnected) => {
                    let key = "the channels".to_owned();
                    return Err(RunError::ThreadDied { key }.into());
                }
                Err(TryRecvError::Empty) if self.leave.is_asked() => return Ok(None),
                Err(TryRecvError::Empty) => self.watch.wait(),
            }
        }
    }

    /// Lets this time pass, whatever happens in the folder; not for whoever is told to leave.
    pub(super) fn pass(self, clock: &Clock, time: Duration) {
        let until = clock.monotonic().saturating_add(time);
        while clock.monotonic() < until && !self.leave.is_asked() {
            self.watch.wait_at_most(until.saturating_sub(clock.monotonic()));
        }
    }
}
