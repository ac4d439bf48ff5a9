//! Processes by way of `/proc` and pidfds.

use std::fs;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use camino::Utf8Path;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use super::Leftover;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(30);

const MARK_VARIABLE: &[u8] = b"GULF_MARK=";

/// Every other process whose environment, arguments or working directory names this folder.
pub(crate) fn leftovers(root: &Utf8Path) -> Vec<Leftover> {
    let own = std::process::id();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if process != own {
            found.extend(look_at(process, root));
        }
    }
    found
}

/// Waits for what is left, and says what would not go.
pub(crate) fn wait_until_gone(root: &Utf8Path) -> Vec<Leftover> {
    let until = Instant::now() + PATIENCE;
    loop {
        let left = leftovers(root);
        let Some(first) = left.first() else { return left };
        if !dies_before(first.process, until) {
            return left;
        }
    }
}

pub(crate) fn interrupt(process: u32) {
    send(process, Signal::INT);
}

pub(crate) fn kill(process: u32) {
    send(process, Signal::KILL);
}

/// Waits for a process to end.
#[track_caller]
pub fn assert_dies(process: u32) {
    assert!(dies_before(process, Instant::now() + PATIENCE), "process {process} lives on");
}

/// One that ended meanwhile is where it should be.
fn send(process: u32, signal: Signal) {
    let _ = kill_process(pid(process), signal);
}

fn dies_before(process: u32, until: Instant) -> bool {
    let Ok(handle) = pidfd_open(pid(process), PidfdFlags::empty()) else { return true };
    ended(&handle, until.saturating_duration_since(Instant::now()))
}

fn ended(handle: &OwnedFd, patience: Duration) -> bool {
    let patience = Timespec { tv_sec: i64::try_from(patience.as_secs()).unwrap(), tv_nsec: 0 };
    poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&patience)).unwrap() == 1
}

fn pid(process: u32) -> Pid {
    Pid::from_raw(process.try_into().unwrap()).unwrap()
}

/// What ended while it was looked at, and what waits to be reaped, has nothing to show.
fn look_at(process: u32, root: &Utf8Path) -> Option<Leftover> {
    let folder = format!("/proc/{process}");
    let environment = fs::read(format!("{folder}/environ")).unwrap_or_default();
    let arguments = fs::read(format!("{folder}/cmdline")).unwrap_or_default();
    let directory = fs::read_link(format!("{folder}/cwd")).unwrap_or_default();
    let names =
        |bytes: &[u8]| bytes.windows(root.as_str().len()).any(|part| part == root.as_str().as_bytes());
    if !directory.starts_with(root) && !names(&environment) && !names(&arguments) {
        return None;
    }
    let mark = environment.split(|byte| *byte == 0).find_map(|pair| pair.strip_prefix(MARK_VARIABLE));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\0', " ").trim().to_owned();
    Some(Leftover { process, command: text(&arguments), mark: mark.map(text) })
}
