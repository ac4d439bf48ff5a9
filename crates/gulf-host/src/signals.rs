//! Ctrl-C and its relatives: the first asks gulf to come to an orderly end, the next means now.
//!
//! Only the binary listens, once; everything below it is told by a callback.

use std::io;
use std::thread::JoinHandle;
use std::time::Instant;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use crate::platform;

/// What a person, or the system, wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// The first SIGINT, SIGTERM or SIGHUP.
    Orderly,
    /// Every one after it.
    Now,
}

/// Listens until it is dropped; then the signals do nothing at all.
#[derive(Debug)]
pub struct Listening {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

/// Calls back from a thread of its own. A signal that was switched off before gulf started (`nohup gulf run`) stays off.
pub fn listen(mut callback: impl FnMut(Interruption) + Send + 'static) -> io::Result<Listening> {
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !platform::is_ignored(*signal));
    let mut signals = Signals::new(wanted)?;
    let handle = signals.handle();
    let thread = std::thread::spawn(move || {
        let mut next = Interruption::Orderly;
        for _ in signals.forever() {
            platform::ASKED_TO_END.get_or_init(Instant::now);
            callback(next);
            next = Interruption::Now;
        }
    });
    Ok(Listening { handle, thread: Some(thread) })
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
