//! Windows: a program is ended with `taskkill`, which follows parents as long as they live.
//!
//! It stands apart because nothing of the unix process model exists here.

use std::convert::Infallible;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Force, Marked, Reaped, Rest, Then};
use crate::process::Ending;

/// There is no such notice.
pub(crate) const TELLS_WHEN_ALL_ARE_GONE: bool = false;

/// A process that a sweep found: there are none here.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) id: u32,
    pub(crate) command: String,
    never: Infallible,
}

/// What this system cannot do, one sentence each, for `gulf doctor` and receipts.
pub fn limits() -> &'static [&'static str] {
    &[
        "a process whose parent has ended is not found, and can outlive the loop",
        "when the process shim itself is killed, what it watched over is not found again",
        "a program gets no time to clean up before it is ended",
        "Ctrl-C ends gulf and its programs at once; `gulf resume` goes on",
        "an agent above gulf is recognised by gulf's own environment only",
    ]
}

/// Ends this very process with no chance to clean up.
#[cfg(debug_assertions)]
pub(crate) fn die() -> ! {
    std::process::abort()
}

/// Nothing does: what a power cut could have taken is looked at again.
pub(crate) fn boot() -> Option<String> {
    None
}

pub(crate) fn own_program() -> io::Result<PathBuf> {
    std::env::current_exe()
}

pub(crate) fn enter_shim() -> io::Result<()> {
    Ok(())
}

pub(crate) fn spawn_in_own_group(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

pub(crate) fn on_stop_signal(_stop: impl Fn() + Send + 'static) -> io::Result<()> {
    Ok(())
}

pub(crate) fn reap(program: &mut Child, tell: &mut dyn FnMut(Reaped)) {
    let code = program.wait().ok().and_then(|status| status.code());
    tell(Reaped::Program { ending: code.map_or(Ending::Lost, Ending::Exited), rest: Rest::Possible });
}

/// Ends the program and its children; both forces are the same here.
pub(crate) fn signal_tree(program: u32, _force: Force) -> Vec<u32> {
    let mut taskkill = Command::new("taskkill");
    taskkill.args(["/T", "/F", "/PID", &program.to_string()]);
    let ended = taskkill.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if ended.is_ok_and(|status| status.success()) { vec![program] } else { Vec::new() }
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

pub(crate) fn wait_readable<Stream>(_stream: &Stream, _until: Option<Instant>) -> bool {
    true
}

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

/// Nothing to hold: the system ends gulf by itself.
#[derive(Debug)]
struct NotListening;

impl Drop for NotListening {
    fn drop(&mut self) {}
}

pub(crate) fn on_interrupt(
    _callback: impl FnMut() + Send + 'static,
) -> io::Result<impl Drop + std::fmt::Debug> {
    Ok(NotListening)
}

/// Always says yes: nothing is waited for here.
pub(crate) fn is_alive(_process: u32) -> bool {
    true
}
