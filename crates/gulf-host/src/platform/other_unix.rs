//! macOS and the BSDs: a program's process group stands for its tree.
//!
//! These systems have no subreaper and show no other process's environment.

use std::convert::Infallible;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Child;
use std::time::Duration;

use camino::Utf8PathBuf;
use rustix::process::{Signal, kill_process_group};

use super::unix::{self, pid};
use super::{Marked, Reaped, Then};
use crate::process::SweptProcess;

pub(crate) use super::unix::on_stop_signal;

/// Orphans go to init; the group has to be asked.
pub(crate) const TELLS_WHEN_ALL_ARE_GONE: bool = false;

/// A process that a sweep found: there are none here.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) process: SweptProcess,
    never: Infallible,
}

/// What this system cannot do, one sentence each, for `gulf doctor` and receipts.
pub fn limits() -> &'static [&'static str] {
    &[
        "a process that leaves its program's process group is not found, and can outlive the loop",
        "when the process shim itself is killed, what it watched over is not found again",
        "an agent above gulf is recognised by gulf's own environment only",
    ]
}

/// Nothing does: what a power cut could have taken is looked at again.
pub(crate) fn boot() -> Option<String> {
    None
}

pub(crate) fn own_program() -> io::Result<PathBuf> {
    std::env::current_exe()
}

pub(crate) fn refuse_tracers() -> io::Result<()> {
    Ok(())
}

pub(crate) fn enter_shim() -> io::Result<()> {
    unix::own_session()
}

pub(crate) fn reap(program: &Child, tell: &mut dyn FnMut(Reaped)) {
    unix::reap(program, &mut |reaped| match reaped {
        Reaped::Program { ending, is_alone: _ } => tell(Reaped::Program { ending, is_alone: false }),
        Reaped::Everything => {}
    });
}

/// Signals the program's group; the program stands for all of it.
pub(crate) fn signal_tree(program: u32, by: Signal) -> Vec<u32> {
    let group = pid(program).and_then(|group| kill_process_group(group, by).ok());
    group.map(|()| program).into_iter().collect()
}

pub(crate) fn find_marked(_marked: &Marked<'_>, _then: Then) -> Vec<Target> {
    Vec::new()
}

impl Target {
    pub(crate) fn kill(&self) {
        match self.never {}
    }
}

pub(crate) fn wait_for_death(_targets: &[Target], _time_max: Duration) {}

pub(crate) fn parent_of(_process: u32) -> Option<u32> {
    None
}

pub(crate) fn variable_of(_process: u32, _name: &str) -> Option<String> {
    None
}

/// Can it be seen which programs stand in a folder?
pub(crate) const PROGRAMS_ARE_SEEN: bool = false;

pub(crate) fn programs_in(_folder: &std::path::Path) -> Vec<(u32, String)> {
    Vec::new()
}

pub(crate) fn work_of(_process: u32) -> u64 {
    0
}

pub(crate) fn is_ignored(_signal: i32) -> bool {
    false
}

/// Whether the process is there.
pub(crate) fn is_alive(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    process.is_some_and(|process| rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH))
}

/// What changes in a directory no inotify tells here: `watch` looks every half second.
pub(crate) fn open_changes(_directories: &[Utf8PathBuf]) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn take_changes(_changes: &OwnedFd) -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}
