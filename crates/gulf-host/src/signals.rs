//! Ctrl-C and its relatives: the first asks gulf to come to an orderly end, the next means now.
//!
//! It stands apart because only the binary listens, once; everything below it is told by a callback.

use std::io;

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
    _platform: Box<dyn PlatformListener>,
}

/// Calls back from a thread of its own. A signal that was switched off before gulf started (`nohup gulf run`) stays
/// off. On Windows nothing is ever called (see [`crate::platform::limits`]).
pub fn listen(mut callback: impl FnMut(Interruption) + Send + 'static) -> io::Result<Listening> {
    let mut next = Interruption::Orderly;
    let platform = crate::platform::on_interrupt(move || {
        callback(next);
        next = Interruption::Now;
    })?;
    Ok(Listening { _platform: Box::new(platform) })
}

/// The platform's own listener, whose type does not matter.
trait PlatformListener: std::fmt::Debug {}

impl<Listener: std::fmt::Debug> PlatformListener for Listener {}
