//! Writes the loop's own texts into the project.
//!
//! A crash between writing and renaming leaves a file behind: it must not lie where it would be taken for the
//! worker's work, and go into a candidate.

use std::fs;

use camino::Utf8Path;
use gulf_host::files::{self, Durability, WriteError};

/// Relative to the project; no snapshot looks into it.
const STAGING: &str = ".gulf";

/// Puts a text in its place in one step. Nobody waits for the disk: the journal knows all that is said there.
pub(crate) fn write(project: &Utf8Path, path: &Utf8Path, text: &str) -> Result<(), WriteError> {
    let staging = project.join(STAGING);
    // A link would lead gulf's pen out of the project.
    if staging.is_symlink() || fs::create_dir_all(&staging).is_err() {
        return files::replace(path, text.as_bytes(), Durability::Buffered);
    }
    files::replace_through(&staging, path, text.as_bytes(), Durability::Buffered)
}

#[cfg(test)]
mod tests;
