//! What changes in a directory, where no inotify tells it: `open` says so and `watch` looks every half second.

use std::io;

use camino::Utf8Path;

/// What ended a wait for changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(dead_code, reason = "there is nobody here to tell of changes")]
pub(crate) enum Change {
    /// Something in the directory changed.
    Changed,
    /// The directory itself is gone or was moved away; nothing more will come.
    Gone,
    /// [`Stop`] was dropped.
    Stopped,
}

/// Cannot exist here.
#[derive(Debug)]
pub(crate) enum Changes {}

/// Cannot exist here.
#[derive(Debug)]
pub(crate) enum Stop {}

impl Changes {
    pub(crate) fn open(_directories: &[&Utf8Path]) -> io::Result<(Changes, Stop)> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn next(&mut self) -> io::Result<Change> {
        match *self {}
    }
}
