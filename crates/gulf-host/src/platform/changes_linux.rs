//! What changes in a directory, told by inotify.
//!
//! Only Linux has it; elsewhere `watch` looks every half second.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use camino::Utf8PathBuf;
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::io::Errno;

const EVENT_BUFFER_BYTES: usize = 4096;

/// A source of changes, readable while it has some to tell.
#[derive(Debug)]
pub(crate) struct Changes(OwnedFd);

impl Changes {
    pub(crate) fn open(directories: &[Utf8PathBuf]) -> io::Result<Changes> {
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
        Ok(Changes(events))
    }

    /// Takes all that there is to tell by now, and says whether there was anything. That a directory is gone is told, too.
    pub(crate) fn take(&self) -> io::Result<bool> {
        let mut buffer = [MaybeUninit::uninit(); EVENT_BUFFER_BYTES];
        let mut reader = inotify::Reader::new(&self.0, &mut buffer);
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
}

impl AsFd for Changes {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
