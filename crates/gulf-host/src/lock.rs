//! Locks between processes: at most one holder, who is named, and who loses it by dying.
//!
//! It stands apart because who drives a loop, and who may touch a checkout, must be decided by the kernel: a file
//! that merely exists would outlive its writer.
//!
//! The lock is the system's lock on an open file, advisory on Unix. The file stays when the lock goes: removing it
//! would let two processes each lock a file of the same name.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};

use camino::{Utf8Path, Utf8PathBuf};

use crate::crash;
use crate::files::{TEMPORARY_PREFIX, system_hint};
use crate::platform;

#[cfg(test)]
mod tests;

/// How much of a note is read back.
const NOTE_BYTES_MAX: u64 = 64 * 1024;
/// How often taking a lock is tried again when what stood in the way was only someone looking.
const ATTEMPTS_MAX: usize = 1000;

/// A lock that is held until this value is dropped or the process dies.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Why a lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The note is what the holder wrote about itself; empty in the instant before it has done so, and on Windows,
    /// where a locked file cannot be read.
    #[error("{path} is held by another process")]
    Held { path: Utf8PathBuf, note: Vec<u8> },
    #[error("cannot lock {path}")]
    Failed { path: Utf8PathBuf, source: io::Error },
}

/// Who holds a lock at the moment of looking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    Nobody,
    Process { note: Vec<u8> },
}

impl LockError {
    /// What the person can do about it. Who the holder is and how to ask it to leave, only the note's author knows.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            LockError::Held { .. } => None,
            LockError::Failed { source, .. } if source.kind() == io::ErrorKind::Unsupported => {
                Some("this file system knows no locks; choose another place with GULF_HOME")
            }
            LockError::Failed { source, .. } => system_hint(source),
        }
    }
}

impl Lock {
    /// Takes the lock at once or not at all. `note` says who holds it, for whoever is refused.
    pub fn try_acquire(path: &Utf8Path, note: &[u8]) -> Result<Lock, LockError> {
        let failed = |source| LockError::Failed { path: path.to_owned(), source };
        for _ in 0..ATTEMPTS_MAX {
            crash::point("lock.open");
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)
                .map_err(failed)?;
            match try_exclusive(&file).map_err(failed)? {
                Attempt::Taken if platform::is_at(&file, path.as_std_path()).map_err(failed)? => {
                    return Lock::signed(file, note).map_err(failed);
                }
                // The file was removed between opening and locking: this lock guards nothing any more.
                Attempt::Taken => {}
                Attempt::HeldByAnother => {
                    return Err(LockError::Held { path: path.to_owned(), note: read_note(file) });
                }
                Attempt::Disturbed => {
                    drop(file);
                    std::thread::yield_now();
                }
            }
        }
        Err(LockError::Held { path: path.to_owned(), note: Vec::new() })
    }

    /// Looks who holds the lock; making sure does not keep anyone from taking it.
    pub fn holder(path: &Utf8Path) -> Result<Holder, LockError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Holder::Nobody),
            Err(source) => return Err(LockError::Failed { path: path.to_owned(), source }),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(Holder::Nobody),
            Err(TryLockError::WouldBlock) => Ok(Holder::Process { note: read_note(file) }),
            Err(TryLockError::Error(source)) => Err(LockError::Failed { path: path.to_owned(), source }),
        }
    }

    /// Tries whether a lock in `directory` keeps a second one out; nothing stays there.
    pub fn try_out_in(directory: &Utf8Path) -> Result<(), LockError> {
        let failed = |source| LockError::Failed { path: directory.to_owned(), source };
        let file =
            tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(directory).map_err(failed)?;
        let path =
            Utf8Path::from_path(file.path()).ok_or_else(|| failed(io::ErrorKind::InvalidFilename.into()))?;
        let lock = Lock::try_acquire(path, b"trial")?;
        let holder = Lock::holder(path)?;
        drop(lock);
        match holder {
            Holder::Process { .. } => Ok(()),
            Holder::Nobody => Err(failed(io::ErrorKind::Unsupported.into())),
        }
    }

    fn signed(file: File, note: &[u8]) -> io::Result<Lock> {
        let mut lock = Lock { file };
        crash::point("lock.note");
        // First emptied: a note of the previous holder must not be believed of this one.
        lock.file.set_len(0)?;
        lock.file.write_all(note)?;
        crash::point("lock.noted");
        Ok(lock)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A note that cannot be removed does no harm, as nobody holds the lock.
        let _ = self.file.set_len(0);
        // Closing the file would release it too, but not while a child that is just being started still has a copy.
        let _ = self.file.unlock();
    }
}

enum Attempt {
    Taken,
    HeldByAnother,
    Disturbed,
}

/// A shared lock is only ever held by someone in [`Lock::holder`], for an instant. So whoever cannot have the
/// exclusive lock but can have a shared one was disturbed by someone who only looked, and tries again.
fn try_exclusive(file: &File) -> io::Result<Attempt> {
    match file.try_lock() {
        Ok(()) => return Ok(Attempt::Taken),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    match file.try_lock_shared() {
        Ok(()) => Ok(Attempt::Disturbed),
        Err(TryLockError::WouldBlock) => Ok(Attempt::HeldByAnother),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn read_note(mut file: File) -> Vec<u8> {
    let mut note = Vec::new();
    // The note is a courtesy: one that cannot be read is an empty one.
    let read = file.rewind().and_then(|()| file.take(NOTE_BYTES_MAX).read_to_end(&mut note));
    if read.is_err() {
        note.clear();
    }
    note
}
