//! The journal: an append-only list of records, each one line of JSON, written by one process and read by all.
//!
//! Everything else is computed from it. The trait is the seam to a journal shared between machines; [`LocalJournal`]
//! is a file. What a record means is none of its business: here it is bytes.

use std::io;

use camino::Utf8PathBuf;

use crate::files::{WriteError, system_hint};
use crate::hint::Hint as _;
use crate::lock::LockError;

#[cfg(any(test, feature = "conformance"))]
#[path = "journal/tests/conformance.rs"]
pub mod conformance;
mod local;
mod tail;
#[cfg(test)]
mod tests;

pub use crate::files::Durability;
pub use local::{JOURNAL_FILE, LOCK_FILE, LocalJournal, Readable, Rest, Torn, read, read_readable};

/// A list of records that grows at its end by compare-and-append.
pub trait Journal {
    /// Appends all of `records` or none, the first as number `expected`, and returns the number of the last record
    /// in the journal. A different next number is a [`JournalError::Conflict`]. With [`Durability::Synced`] these
    /// records and all before them are on disk when it returns; an empty batch only makes sure of the earlier ones.
    fn append(
        &mut self,
        expected: u64,
        records: &[Vec<u8>],
        durability: Durability,
    ) -> Result<u64, JournalError>;
}

/// One record, and its place: the first has number 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub sequence: u64,
    /// A JSON object, without the line end.
    pub line: Vec<u8>,
}

/// How large a journal may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalLimits {
    /// One record with its line end.
    pub line_bytes_max: u64,
    /// All records together; what is larger can still be read, not appended to.
    pub journal_bytes_max: u64,
}

impl Default for JournalLimits {
    fn default() -> JournalLimits {
        JournalLimits { line_bytes_max: 16 << 20, journal_bytes_max: 1 << 30 }
    }
}

/// Why a journal could not be read or appended to.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum JournalError {
    #[error("the journal has another writer")]
    #[diagnostic(transparent)]
    Locked(#[source] LockError),
    #[error("record {expected} was to be appended, but the next number is {found}")]
    Conflict { expected: u64, found: u64 },
    /// Never resumed, never deleted: someone has to look.
    #[error("{path} is corrupt at line {line}, column {column}: {reason}")]
    #[diagnostic(help(
        "nothing was changed; inspect it with `sed -n {line}p '{path}'` and restore what was there, or start a new loop"
    ))]
    Corrupt { path: Utf8PathBuf, line: u64, column: u64, reason: String },
    /// A mistake of the caller; nothing was written.
    #[error("record {index} of the batch cannot be appended: {reason}, at column {column}")]
    NotARecord { index: usize, column: u64, reason: String },
    #[error("{path} is full: it would have {bytes} bytes, where {journal_bytes_max} are allowed")]
    #[diagnostic(help("start a new one; this one stays readable"))]
    Full { path: Utf8PathBuf, bytes: u64, journal_bytes_max: u64 },
    /// Nothing of the batch stays in the journal, and the next append may succeed.
    #[error("cannot append to {path}; nothing was written")]
    #[diagnostic(help("{}", system_hint(source).unwrap_or_default()))]
    NotAppended { path: Utf8PathBuf, source: io::Error },
    /// What is on disk is no longer known to this writer: it refuses everything until the journal is opened anew.
    #[error("{path} can no longer be written: {reason}")]
    #[diagnostic(help("check the disk, then run the same command again"))]
    Poisoned { path: Utf8PathBuf, reason: String },
    #[error("{path} is not a regular file")]
    #[diagnostic(help("move {path} away"))]
    NotAFile { path: Utf8PathBuf },
    #[error("cannot keep the unfinished end of {path}")]
    #[diagnostic(help("{}", source.hint().unwrap_or_default()))]
    TornEndNotKept {
        path: Utf8PathBuf,
        #[source]
        source: WriteError,
    },
    #[error("cannot {action} {path}")]
    #[diagnostic(help("{}", system_hint(source).unwrap_or_default()))]
    Failed { path: Utf8PathBuf, action: &'static str, source: io::Error },
}
