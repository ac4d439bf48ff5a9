//! Locks between processes: at most one holder, who is named, and who loses it by dying.
//!
//! Who drives a loop, and who may touch a checkout, must be decided by the kernel: a file that merely exists would
//! outlive its writer.
//!
//! The lock is the system's lock on an open file, advisory on Unix. The file stays when the lock goes: removing it
//! would let two processes each lock a file of the same name.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use crate::crash;
use crate::files::{TEMPORARY_PREFIX, system_hint};
use crate::platform;

#[cfg(test)]
mod tests;

/// How much of a note is read back.
const NOTE_BYTES_MAX: u64 = 64 * 1024;
/// How long a lock may outlive its holder: far longer than any program needs to be started.
const DYING_MAX: Duration = Duration::from_secs(5);
const DYING_LOOK_EVERY: Duration = Duration::from_millis(5);
/// How often a holder without a note is looked at again: it is taking the lock, or letting go of it, at this very moment.
const UNSIGNED_LOOKS_MAX: usize = 100;
/// How often taking a lock is tried again when what stood in the way was only someone looking.
const ATTEMPTS_MAX: usize = 1000;

/// A lock that is held until this value is dropped or the process dies.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Why a lock was not taken.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum LockError {
    /// The note is what the holder wrote about itself; empty in the instant before it has done so.
    #[error("{path} is held by another process")]
    Held { path: Utf8PathBuf, note: Vec<u8> },
    #[error("cannot lock {path}")]
    #[diagnostic(help("{}", hint_of(source)))]
    Failed { path: Utf8PathBuf, source: io::Error },
}

/// Who holds a lock at the moment of looking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    Nobody,
    Process { note: Vec<u8> },
}

/// What the person can do about it. Who the holder is and how to ask it to leave, only the note's author knows.
fn hint_of(error: &io::Error) -> &'static str {
    if error.kind() == io::ErrorKind::Unsupported {
        return "this file system knows no locks; choose another place with GULF_HOME";
    }
    system_hint(error).unwrap_or_default()
}

/// Is the open file still the one that the path names?
fn is_at(file: &File, path: &Utf8Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

impl Lock {
    /// Takes the lock at once or not at all. `note` says who holds it, for whoever is refused.
    ///
    /// A holder that is dead is waited for: a program it was just starting has a copy of the lock until it runs.
    pub fn try_acquire(path: &Utf8Path, note: &[u8]) -> Result<Lock, LockError> {
        let started = Instant::now();
        loop {
            let tried = Lock::try_once(path, note);
            match tried.map_err(|source| LockError::Failed { path: path.to_owned(), source })? {
                Ok(lock) => return Ok(lock),
                Err((Some(process), _)) if !platform::is_alive(process) && started.elapsed() < DYING_MAX => {
                    // The kernel tells nobody when such a copy goes.
                    std::thread::sleep(DYING_LOOK_EVERY);
                }
                Err((_, note)) => return Err(LockError::Held { path: path.to_owned(), note }),
            }
        }
    }

    /// Takes the lock as soon as nobody holds it.
    pub fn wait(path: &Utf8Path, note: &[u8]) -> Result<Lock, LockError> {
        let failed = |source| LockError::Failed { path: path.to_owned(), source };
        loop {
            let file = opened(path).map_err(failed)?;
            file.lock().map_err(failed)?;
            if is_at(&file, path).map_err(failed)? {
                return Lock::signed(file, note).map_err(failed);
            }
        }
    }

    /// The process that holds the lock at the moment of looking, where one does and has signed.
    pub fn holding_process(path: &Utf8Path) -> Option<u32> {
        let file = File::open(path).ok()?;
        if is_refused(file.try_lock_shared()).ok()? { read_note(file).0 } else { None }
    }

    /// One attempt; where somebody holds it, who that is and its note.
    fn try_once(path: &Utf8Path, note: &[u8]) -> io::Result<Result<Lock, HolderNote>> {
        for _ in 0..ATTEMPTS_MAX {
            crash::point("lock.open");
            let file = opened(path)?;
            if is_refused(file.try_lock())? {
                // A shared lock is only ever held by someone in [`Lock::holder`], for an instant. So whoever cannot have
                // the exclusive lock but can have a shared one was disturbed by someone who only looked.
                if is_refused(file.try_lock_shared())? {
                    return Ok(Err(read_note(file)));
                }
                drop(file);
                std::thread::yield_now();
            } else if is_at(&file, path)? {
                return Lock::signed(file, note).map(Ok);
            }
            // Else the file was removed between opening and locking: this lock guards nothing any more.
        }
        Ok(Err((None, Vec::new())))
    }

    /// Looks who holds the lock; making sure does not keep anyone from taking it.
    pub fn holder(path: &Utf8Path) -> Result<Holder, LockError> {
        let failed = |source| LockError::Failed { path: path.to_owned(), source };
        for look in 1.. {
            let file = match File::open(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                opened => opened.map_err(failed)?,
            };
            if !is_refused(file.try_lock_shared()).map_err(failed)? {
                break;
            }
            let (by, note) = read_note(file);
            if by.is_some() || look == UNSIGNED_LOOKS_MAX {
                return Ok(Holder::Process { note });
            }
            // The kernel tells nobody when a note is written.
            std::thread::sleep(DYING_LOOK_EVERY);
        }
        Ok(Holder::Nobody)
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

    /// Says something else to whoever is refused from now on.
    pub fn say(&mut self, note: &[u8]) -> Result<(), LockError> {
        let failed = |source| LockError::Failed { path: Utf8PathBuf::new(), source };
        self.sign(note).map_err(failed)
    }

    fn signed(file: File, note: &[u8]) -> io::Result<Lock> {
        let mut lock = Lock { file };
        lock.sign(note)?;
        Ok(lock)
    }

    fn sign(&mut self, note: &[u8]) -> io::Result<()> {
        crash::point("lock.note");
        // First emptied: a note of the previous holder must not be believed of this one.
        self.file.set_len(0)?;
        self.file.rewind()?;
        let mut signed = format!("{}\n", std::process::id()).into_bytes();
        signed.extend_from_slice(note);
        self.file.write_all(&signed)?;
        crash::point("lock.noted");
        Ok(())
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

/// The file that is locked, made where it is not there; what it holds stays.
fn opened(path: &Utf8Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Whether somebody else's lock stands against the one that was tried.
fn is_refused(tried: Result<(), TryLockError>) -> io::Result<bool> {
    match tried {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A process, where it has signed, and what it says of itself.
type HolderNote = (Option<u32>, Vec<u8>);

/// Who holds the lock, and what it says of itself. Both are a courtesy: what cannot be read is empty.
fn read_note(mut file: File) -> HolderNote {
    let mut signed = Vec::new();
    if file.rewind().and_then(|()| file.take(NOTE_BYTES_MAX).read_to_end(&mut signed)).is_err() {
        return (None, Vec::new());
    }
    match signed.iter().position(|byte| *byte == b'\n') {
        Some(end) => {
            let process = std::str::from_utf8(&signed[..end]).ok().and_then(|id| id.parse().ok());
            (process, signed.split_off(end + 1))
        }
        None => (None, Vec::new()),
    }
}
