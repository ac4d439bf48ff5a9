//! What a repository's loops had in common, once none of them is left.
//!
//! It stands apart from the loops' own folders because each of these is somebody's as long as any loop is there.

use std::fs;

use gulf_host::files;
use gulf_host::lock::{Lock, LockError};

use super::half_removed;
use crate::error::RunError;
use crate::place::PlaceOfWork;

/// Git directories of gulf's own; whoever needs one makes it anew.
const GIT_DIRECTORIES: [&str; 2] = ["branching.git", "clean.git"];
/// Starts that were cut off; each is a file in it, and somebody's.
const BEGINNINGS: &str = "beginnings";

/// Takes it away where the repository has no loop any more, and nobody begins one at this moment.
pub fn sweep(place: &PlaceOfWork) -> Result<(), RunError> {
    if !is_over(place)? {
        return Ok(());
    }
    let mut held = Vec::new();
    for path in place.checkout_locks()? {
        match Lock::try_acquire(&path, b"") {
            Ok(lock) => held.push((path, lock)),
            Err(LockError::Held { .. }) => return Ok(()),
            Err(error @ LockError::Failed { .. }) => return Err(error.into()),
        }
    }
    // Whoever was about to begin one has its folder by now.
    if !is_over(place)? {
        return Ok(());
    }
    let root = place.repository.root();
    for name in GIT_DIRECTORIES {
        files::remove_directory(&root.join(name))?;
    }
    // Only where nothing lies in it.
    let _ = fs::remove_dir(root.join(BEGINNINGS));
    for (path, _held) in held.iter().filter(|(path, _)| *path != place.checkout_lock()) {
        // It is held: whoever opened it meanwhile sees that it is gone, and takes the next one.
        let _ = fs::remove_file(path);
    }
    Ok(())
}

fn is_over(place: &PlaceOfWork) -> Result<bool, RunError> {
    Ok(place.repository.loop_names()?.is_empty() && half_removed(place).is_empty())
}
