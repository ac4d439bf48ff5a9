//! Appends to a file that only grows.
//!
//! They stand apart from those that are replaced because several processes add to one: whoever read it, and wrote it anew,
//! would take away what another one added meanwhile.

use std::fs::OpenOptions;
use std::io::Write;

use camino::Utf8Path;

use super::WriteError;

/// Adds to the end of a file, in one write; made where it is not there.
pub fn append(path: &Utf8Path, bytes: &[u8]) -> Result<(), WriteError> {
    let failed = |source| WriteError::Failed { path: path.to_owned(), action: "append to", source };
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    file.write_all(bytes).map_err(failed)
}
