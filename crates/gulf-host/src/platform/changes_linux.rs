//! What changes in a directory, told by inotify.
//!
//! Only Linux has it; elsewhere `watch` looks every half second.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

use camino::Utf8Path;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use super::Change;

const EVENT_BUFFER_BYTES: usize = 4096;

/// A source of changes that blocks its thread.
#[derive(Debug)]
pub(crate) struct Changes {
    events: OwnedFd,
    stopped: OwnedFd,
}

/// Ends a wait when it is dropped.
#[derive(Debug)]
pub(crate) struct Stop {
    // Closing the write end of the pipe is the signal.
    _open: OwnedFd,
}

impl Changes {
    pub(crate) fn open(directories: &[&Utf8Path]) -> io::Result<(Changes, Stop)> {
        let events = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let interest = WatchFlags::CREATE
            | WatchFlags::MODIFY
            | WatchFlags::DELETE
            | WatchFlags::MOVE
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR;
        for directory in directories {
            inotify::add_watch(&events, directory.as_std_path(), interest)?;
        }
        let (stopped, open) = pipe_with(PipeFlags::CLOEXEC)?;
        Ok((Changes { events, stopped }, Stop { _open: open }))
    }

    /// Blocks until something happens; many events at once are one change.
    pub(crate) fn next(&mut self) -> io::Result<Change> {
        loop {
            let mut ready =
                [PollFd::new(&self.events, PollFlags::IN), PollFd::new(&self.stopped, PollFlags::IN)];
            match poll(&mut ready, None) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let [events, stopped] = ready.map(|descriptor| !descriptor.revents().is_empty());
            if stopped {
                return Ok(Change::Stopped);
            }
            if events && let Some(change) = self.drain()? {
                return Ok(change);
            }
        }
    }

    fn drain(&mut self) -> io::Result<Option<Change>> {
        let mut buffer = [MaybeUninit::uninit(); EVENT_BUFFER_BYTES];
        let mut reader = inotify::Reader::new(&self.events, &mut buffer);
        let mut change = None;
        loop {
            match reader.next() {
                Ok(event) if event.events().intersects(ReadFlags::IGNORED | ReadFlags::MOVE_SELF) => {
                    change = Some(Change::Gone);
                }
                Ok(_) => change = change.or(Some(Change::Changed)),
                Err(Errno::AGAIN) => return Ok(change),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
