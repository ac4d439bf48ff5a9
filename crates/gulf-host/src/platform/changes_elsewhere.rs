//! What changes in a directory, where no inotify tells it: `open` says so and `watch` looks every half second.

use std::io;

use camino::Utf8Path;

use super::Change;

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
