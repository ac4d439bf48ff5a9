//! What changes in a directory, where no inotify tells it: `open` says so and `watch` looks every half second.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use camino::Utf8PathBuf;

/// Cannot exist here.
#[derive(Debug)]
pub(crate) enum Changes {}

impl Changes {
    pub(crate) fn open(_directories: &[Utf8PathBuf]) -> io::Result<Changes> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn take(&self) -> io::Result<bool> {
        match *self {}
    }
}

impl AsFd for Changes {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match *self {}
    }
}
