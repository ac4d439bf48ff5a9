//! A folder in `$GULF_HOME` that goes with the process that made it.
//!
//! It stands apart because going must also work after `kill -9`: each folder holds a lock, and the next one who needs
//! a folder removes those whose lock nobody holds any more. Two at once are no trouble: each has its own.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability, WriteError};
use gulf_host::home::Home;
use gulf_host::lock::{Holder, Lock};

use crate::error::RunError;
use crate::folder::LoopPaths;

/// The folders of all that run now, below `$GULF_HOME`.
const PARENT: &str = "verify";
/// A folder is called so once it is locked; only then may it be found.
const PREFIX: &str = "run-";
const UNLOCKED_PREFIX: &str = "new-";
const LOCK_FILE: &str = "lock";

/// Removed when dropped.
#[derive(Debug)]
pub(super) struct PassingFolder {
    root: Utf8PathBuf,
    lock: Option<Lock>,
}

impl PassingFolder {
    pub(super) fn create(home: &Home) -> Result<Self, RunError> {
        let parent = home.root().join(PARENT);
        files::create_private_directories(&parent, Durability::Buffered)?;
        remove_abandoned(&parent);
        let failed = |source| WriteError::Failed { path: parent.clone(), action: "make a folder in", source };
        let made = tempfile::Builder::new().prefix(UNLOCKED_PREFIX).tempdir_in(&parent).map_err(failed)?;
        let name = made.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let root = parent.join(name.replacen(UNLOCKED_PREFIX, PREFIX, 1));
        let lock = Lock::try_acquire(&parent.join(name).join(LOCK_FILE), b"gulf verify")?;
        fs::rename(made.keep(), &root).map_err(failed)?;
        Ok(Self { root, lock: Some(lock) })
    }

    pub(super) fn folder(&self) -> LoopPaths {
        LoopPaths::new(&self.root)
    }
}

impl Drop for PassingFolder {
    fn drop(&mut self) {
        // Where a locked file cannot be removed, the lock must go first.
        drop(self.lock.take());
        // What cannot be removed now, the next one removes.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Removes what a process that was killed has left.
fn remove_abandoned(parent: &Utf8Path) {
    let Ok(entries) = parent.read_dir_utf8() else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().starts_with(PREFIX)) {
        if matches!(Lock::holder(&entry.path().join(LOCK_FILE)), Ok(Holder::Nobody)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
