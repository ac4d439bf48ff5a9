//! What Linux and the other unix systems do alike.
//!
//! It stands apart so that it is written once.

use std::io;
use std::os::fd::BorrowedFd;
use std::process::Child;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getppid, kill_process_group, setsid, wait};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;

use super::Reaped;
use crate::process::Ending;

/// What the parent's death sends to the shim, on systems that can. Not one of the signals by which others stop it:
/// it also comes when only the thread that started the shim has ended, and then means nothing.
#[cfg(target_os = "linux")]
pub(super) const PARENT_DIED: Signal = Signal::USR1;

/// Ends this very process with no chance to clean up, as `kill -9` does.
#[cfg(debug_assertions)]
pub(crate) fn die() -> ! {
    let _ = rustix::process::kill_process(rustix::process::getpid(), Signal::KILL);
    // The signal is pending; nothing after it may be observed.
    loop {
        std::thread::park();
    }
}

/// A session of its own keeps the terminal's signals away from the tree.
pub(super) fn own_session() -> io::Result<()> {
    match setsid() {
        // Already the leader of a group: a person started it from a shell by hand.
        Ok(_) | Err(Errno::PERM) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Calls back from a thread for each signal that asks the shim to stop, and when its parent is another than now.
pub(crate) fn on_stop_signal(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    // SIGCHLD is here to undo an inherited "ignore", under which the kernel would swallow the program's exit status.
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD])?;
    let parent = getppid();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let means_stop = match signal {
                SIGCHLD => false,
                SIGUSR1 => getppid() != parent,
                _ => true,
            };
            if means_stop {
                stop();
            }
        }
    });
    Ok(())
}

fn id(pid: Pid) -> u32 {
    pid.as_raw_nonzero().get().unsigned_abs()
}

pub(super) fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(id).ok()?)
}

/// Blocks until this process has no child left, and reaps every one, adopted orphans too.
pub(crate) fn reap(program: &Child, tell: &mut dyn FnMut(Reaped)) {
    let program = program.id();
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((child, status))) if id(child) == program => {
                let ending = ending(status);
                tell(Reaped::Program { ending, is_alone: !is_any_left() });
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => {
                tell(Reaped::Everything);
                return;
            }
        }
    }
}

/// Reaps the dead. Saves a look through all processes in the ordinary case: a program that leaves nothing behind.
fn is_any_left() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            left => return left.is_ok(),
        }
    }
}

fn ending(status: WaitStatus) -> Ending {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, Some(signal)) => Ending::Signalled(signal),
        (None, None) => Ending::Lost,
    }
}

/// Waits until one of these has bytes or is at its end; `false` when the time is over first.
pub(crate) fn wait_readable(files: &[BorrowedFd<'_>], until: Option<Instant>) -> bool {
    let mut polled: Vec<PollFd<'_>> =
        files.iter().map(|file| PollFd::from_borrowed_fd(*file, PollFlags::IN)).collect();
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut polled, timeout.as_ref()) {
            Ok(0) => return false,
            // An error other than an interruption shows again, and is treated, where it is read.
            Ok(_) => return true,
            Err(Errno::INTR) => {}
            Err(_) => return true,
        }
    }
}

/// Kills a child that was given its own group, with the whole group.
pub(crate) fn kill_own_process_group(child: &mut Child) {
    if let Some(group) = pid(child.id()) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
}
