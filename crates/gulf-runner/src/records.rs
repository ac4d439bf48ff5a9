//! gulf's own records on disk: a value as JSON in a file, replaced whole.
//!
//! They lie where no worker writes. What cannot be read is an error where something is decided on it; where it can be made
//! again, or is only shown, it counts as not there.

use std::error::Error;

use camino::Utf8Path;
use gulf_host::files::{self, Durability};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::RunError;

/// Far more than any of them takes.
const RECORD_BYTES_MAX: u64 = 64 << 20;

/// What stands there, where it can be read.
pub(crate) fn find<T: DeserializeOwned>(path: &Utf8Path) -> Option<T> {
    serde_json::from_slice(&files::read_bytes(path, RECORD_BYTES_MAX).ok()?).ok()
}

/// What stands there; none where there is no such file. `what` it is, for people.
pub(crate) fn read<T: DeserializeOwned>(path: &Utf8Path, what: &'static str) -> Result<Option<T>, RunError> {
    let Some(bytes) = files::if_there(files::read_bytes(path, RECORD_BYTES_MAX))? else { return Ok(None) };
    let decode = |source: serde_json::Error| undecoded(path, what, source);
    serde_json::from_slice(&bytes).map(Some).map_err(decode)
}

/// It lies there, and is damaged or of another form.
pub(crate) fn undecoded(
    path: &Utf8Path,
    what: &'static str,
    source: impl Into<Box<dyn Error + Send + Sync>>,
) -> RunError {
    RunError::Decode { path: path.to_owned(), what, source: source.into() }
}

/// Puts it there; its folder is made where it is missing.
pub(crate) fn keep(
    path: &Utf8Path,
    what: &'static str,
    value: &impl Serialize,
    durability: Durability,
) -> Result<(), RunError> {
    Ok(files::keep(path, &encode(what, value)?, durability)?)
}

/// In one line.
pub(crate) fn encode(what: &'static str, value: &impl Serialize) -> Result<Vec<u8>, RunError> {
    serde_json::to_vec(value).map_err(|source| RunError::Encode { what, source })
}

/// In lines, for people who look.
pub(crate) fn encode_pretty(what: &'static str, value: &impl Serialize) -> Result<Vec<u8>, RunError> {
    serde_json::to_vec_pretty(value).map_err(|source| RunError::Encode { what, source })
}

#[cfg(test)]
mod tests;
