//! Linux: everything gulf promises about processes holds here.
//!
//! It stands apart for what only Linux has: subreapers, process file descriptors, /proc.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal, set_child_subreaper,
    set_dumpable_behavior, set_parent_process_death_signal,
};

use super::proc::{self, Process, ShownVariable};
use super::unix::{self, pid};
use super::{Marked, Then, wait_readable};
use crate::process::{MARK_VARIABLE, SweptProcess};

pub(crate) use super::proc::variable as variable_of;
pub(crate) use super::unix::reap;

/// Orphans come back to the subreaper, so "no child left" means that nothing is left.
pub(crate) const TELLS_WHEN_ALL_ARE_GONE: bool = true;

/// Where processes come and go all the time, no look is certain; the last one counts.
const LOOKS_MAX: u32 = 10;
/// To execute a program takes less, but on a machine that has too much to do.
const LOOK_PAUSE: Duration = Duration::from_millis(5);

/// A process that a sweep found.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) process: SweptProcess,
    handle: OwnedFd,
}

/// What this system cannot do, one sentence each, for `gulf doctor` and receipts.
pub fn limits() -> &'static [&'static str] {
    &[]
}

/// What names this start of the machine, if anything does.
pub(crate) fn boot() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(name.trim_end().to_owned()).filter(|name| !name.is_empty())
}

/// The binary that runs, also when an upgrade has replaced its file.
pub(crate) fn own_program() -> io::Result<PathBuf> {
    Ok(PathBuf::from("/proc/self/exe"))
}

/// No other program of the same user may trace this process, or read and write its memory, from here on. What is started
/// below is not concerned: a new program is traceable again.
pub(crate) fn refuse_tracers() -> io::Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

pub(crate) fn enter_shim() -> io::Result<()> {
    unix::own_session()?;
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Takes the parent's death for a stop as well. The end of the control pipe tells the same, also of a parent that was
/// dead before this call; but a pipe can be held open by whoever inherited it.
pub(crate) fn on_stop_signal(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    unix::on_stop_signal(stop)?;
    Ok(set_parent_process_death_signal(Some(unix::PARENT_DIED))?)
}

/// Signals everything below this process and says what that was.
pub(crate) fn signal_tree(_program: u32, by: Signal) -> Vec<u32> {
    let processes = proc::all();
    let tree = proc::below(&BTreeSet::from([std::process::id()]), &processes);
    let alive = tree.iter().filter_map(|id| processes.get(id)).filter(|process| process.is_alive);
    alive.filter(|process| signal(process, by)).map(|process| process.id).collect()
}

/// Whether the process was still there; its number may belong to another one by now, which must not be hit.
fn signal(process: &Process, by: Signal) -> bool {
    // A refused signal (another user's process) is still a process: it shows up as a survivor.
    hold(process).is_some_and(|handle| {
        let _ = pidfd_send_signal(&handle, by);
        true
    })
}

fn hold(process: &Process) -> Option<OwnedFd> {
    let handle = pidfd_open(pid(process.id)?, PidfdFlags::empty()).ok()?;
    let now = proc::read_process(process.id)?;
    (now.started == process.started && now.is_alive).then_some(handle)
}

/// Every marked process and what descends from it, except this one and its ancestors.
///
/// One look can miss a process that is on the way to the next one: the first has ended before it is read, and the next
/// shows no environment while its program is being executed. So a look that met such a process is taken again.
pub(crate) fn find_marked(marked: &Marked<'_>, then: Then) -> Vec<Target> {
    let mut dead_before = BTreeSet::new();
    for _ in 1..LOOKS_MAX {
        let ProcLook { found, starting, dead, is_complete } = look_for(marked, then);
        let is_certain = is_complete && starting.is_empty() && dead.is_subset(&dead_before);
        if !found.is_empty() || is_certain {
            return found;
        }
        dead_before = dead;
        wait_for_death(&starting, LOOK_PAUSE);
    }
    look_for(marked, then).found
}

/// What one reading of /proc shows.
struct ProcLook {
    found: Vec<Target>,
    /// What they are does not show yet.
    starting: Vec<Target>,
    /// What one of them started before it died may have come too late to be listed.
    dead: BTreeSet<u32>,
    /// Was each process that was listed still there?
    is_complete: bool,
}

fn look_for(marked: &Marked<'_>, then: Then) -> ProcLook {
    let spared = ancestors();
    let (mut processes, mut found) = (BTreeMap::new(), BTreeMap::new());
    let (mut starting, mut dead) = (Vec::new(), BTreeSet::new());
    let is_complete = proc::each(|process| {
        processes.insert(process.id, process);
        if spared.contains(&process.id) {
            return;
        }
        let shown = proc::shown(&process, MARK_VARIABLE);
        let mark = if let ShownVariable::Value(mark) = &shown { Some(mark.as_str()) } else { None };
        let is_meant = is_meant(marked, &process, mark);
        if !is_meant && shown != ShownVariable::NotYet && process.is_alive {
            return;
        }
        match target(&process) {
            None => drop(dead.insert(process.id)),
            Some(target) if is_meant => {
                if then == Then::Kill {
                    // Until it is killed it starts nothing more, and stays the parent of what it has started.
                    let _ = pidfd_send_signal(&target.handle, Signal::STOP);
                }
                found.insert(process.id, target);
            }
            Some(target) => starting.push(target),
        }
    });
    let carriers = found.keys().copied().collect();
    let below = proc::below(&carriers, &processes);
    for process in below.difference(&spared).filter_map(|id| processes.get(id)) {
        match target(process) {
            Some(target) => drop(found.insert(process.id, target)),
            None => drop(dead.insert(process.id)),
        }
    }
    ProcLook { found: found.into_values().collect(), starting, dead, is_complete }
}

fn is_meant(marked: &Marked<'_>, process: &Process, mark: Option<&str>) -> bool {
    match marked {
        Marked::Prefix(prefix) => mark.is_some_and(|mark| mark.starts_with(prefix)),
        Marked::Exactly { mark: wanted, session } => process.session == *session || mark == Some(*wanted),
    }
}

fn target(process: &Process) -> Option<Target> {
    let (handle, id) = (hold(process)?, process.id);
    Some(Target { handle, process: SweptProcess { id, command: proc::command(id) } })
}

/// This process and everything above it.
fn ancestors() -> BTreeSet<u32> {
    let mut ancestors = BTreeSet::new();
    let mut id = Some(std::process::id());
    while let Some(process) = id.filter(|id| ancestors.insert(*id)).and_then(proc::read_process) {
        id = Some(process.parent);
    }
    ancestors
}

impl Target {
    pub(crate) fn kill(&self) {
        // Refused or already dead: the next look tells which.
        let _ = pidfd_send_signal(&self.handle, Signal::KILL);
    }
}

/// Returns when all are dead, or the time is over.
pub(crate) fn wait_for_death(targets: &[Target], time_max: Duration) {
    let until = Instant::now() + time_max;
    for target in targets {
        wait_readable(&[target.handle.as_fd()], Some(until));
    }
}

pub(crate) fn parent_of(process: u32) -> Option<u32> {
    proc::read_process(process).map(|process| process.parent).filter(|parent| *parent != 0)
}

/// Can it be seen which programs stand in a folder?
pub(crate) const PROGRAMS_ARE_SEEN: bool = true;

/// The programs that stand in this folder or below it, as far as they can be seen.
pub(crate) fn programs_in(folder: &std::path::Path) -> Vec<(u32, String)> {
    let stands_there = |process: &u32| proc::directory(*process).is_some_and(|path| path.starts_with(folder));
    let processes = proc::all().into_keys().filter(stands_there);
    processes.map(|process| (process, proc::command(process))).collect()
}

/// How much time of a processor a program has used, in clock ticks: one that waits uses none.
pub(crate) fn work_of(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let numbers = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    numbers.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}

/// Whether a signal was switched off before this program started.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Whether the process is there.
pub(crate) fn is_alive(process: u32) -> bool {
    parent_of(process).is_some()
}

// What changes in a directory, told by inotify; elsewhere `watch` looks every half second.

const EVENT_BUFFER_BYTES: usize = 4096;

/// A source of changes, readable while it has some to tell.
pub(crate) fn open_changes(directories: &[Utf8PathBuf]) -> io::Result<OwnedFd> {
    let changes = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
    let interest = WatchFlags::CREATE
        | WatchFlags::MODIFY
        | WatchFlags::DELETE
        | WatchFlags::MOVE
        | WatchFlags::MOVE_SELF
        | WatchFlags::ONLYDIR;
    for directory in directories {
        inotify::add_watch(&changes, directory.as_std_path(), interest)?;
    }
    Ok(changes)
}

/// Takes all that there is to tell by now, and says whether there was anything. That a directory is gone is told, too.
pub(crate) fn take_changes(changes: &OwnedFd) -> io::Result<bool> {
    let mut buffer = [MaybeUninit::uninit(); EVENT_BUFFER_BYTES];
    let mut reader = inotify::Reader::new(changes, &mut buffer);
    let mut has_changed = false;
    loop {
        match reader.next() {
            Ok(_) => has_changed = true,
            Err(Errno::AGAIN) => return Ok(has_changed),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
