//! Ctrl-C for commands that run something once, and leave nothing half done when they are told to stop.
//!
//! A loop is left in an order of its own, and can be resumed.

use gulf_host::signals::{self, Listening};
use gulf_runner::stop::Stop;

use crate::failure::{Failure, Result};

/// What the first Ctrl-C asks to stop, as long as it is listened; the second one ends gulf.
pub fn stop() -> Result<(Stop, Listening)> {
    let stop = Stop::default();
    let its_stop = stop.clone();
    let listening = signals::listen(move |interruption| its_stop.obey(interruption));
    Ok((stop, listening.map_err(Failure::broken)?))
}
