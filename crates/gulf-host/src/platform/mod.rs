//! What differs between operating systems, one file each with the same functions.
//!
//! It stands apart so that no other file of this crate asks which system it runs on. Linux keeps every promise;
//! [`limits`] says which ones another system cannot keep.

use std::sync::OnceLock;
use std::time::Instant;

use crate::process::Ending;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod proc;
mod unix;
#[cfg(target_os = "linux")]
use linux as system;
pub(crate) use rustix::process::Signal;
#[cfg(debug_assertions)]
pub(crate) use unix::die;
pub(crate) use unix::{kill_own_process_group, wait_readable};

#[cfg(not(target_os = "linux"))]
mod other_unix;
#[cfg(not(target_os = "linux"))]
use other_unix as system;

pub use system::limits;
pub(crate) use system::{
    PROGRAMS_ARE_SEEN, TELLS_WHEN_ALL_ARE_GONE, Target, boot, enter_shim, find_marked, is_alive, is_ignored,
    on_stop_signal, open_changes, own_program, parent_of, programs_in, reap, refuse_tracers, signal_tree,
    take_changes, variable_of, wait_for_death, work_of,
};

/// When the first signal came that asks this process to end, where anybody listens.
pub(crate) static ASKED_TO_END: OnceLock<Instant> = OnceLock::new();

/// What `reap` has to tell.
#[derive(Debug)]
pub(crate) enum Reaped {
    /// The program itself, perhaps alone of all that it started.
    Program { ending: Ending, is_alone: bool },
    /// Whatever was left below the shim; only where [`TELLS_WHEN_ALL_ARE_GONE`].
    Everything,
}

/// Which processes a sweep looks for.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "only Linux shows other processes' environments")
)]
pub(crate) enum Marked<'mark> {
    Prefix(&'mark str),
    Exactly {
        mark: &'mark str,
        /// Of the dead shim: its id stays taken while anyone is left in the session.
        session: u32,
    },
}

/// Why marked processes are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Tell,
    /// They are held still at once, since they are going to be killed.
    Kill,
}

/// How much of a child's outputs is wanted, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HearingLimits {
    /// More is too much.
    pub(crate) stdout_bytes_max: usize,
    /// More is dropped.
    pub(crate) stderr_bytes_max: usize,
    pub(crate) until: Instant,
}

/// What was heard of a child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Heard {
    /// It has closed both outputs.
    Everything { stdout: Vec<u8>, stderr: Vec<u8> },
    /// It goes on.
    Answer(Vec<u8>),
    /// More than is wanted; what came is dropped.
    TooMuch,
    /// It is still at it.
    TimedOut,
}

mod pipes_unix;
pub(crate) use pipes_unix::Pipes;
