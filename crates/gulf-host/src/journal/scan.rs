//! Finds the records in the bytes of a journal, and says where they stop making sense.
//!
//! It stands apart because the writer, every reader and every follower must agree on this to the byte.

use std::io::{self, BufRead, Read};

use camino::Utf8Path;
use serde::de::IgnoredAny;

use crate::journal::{JournalError, JournalLimits};

/// A place between two records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordPosition {
    /// Bytes before it.
    pub(super) offset: u64,
    /// Number of the record that begins here.
    pub(super) sequence: u64,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// Counted in bytes from 1.
    pub(super) column: u64,
    pub(super) reason: String,
}

impl RecordPosition {
    pub(super) const START: RecordPosition = RecordPosition { offset: 0, sequence: 1 };
}

/// Hands each record from `start` on to `keep` and returns where the last one ended. What follows there, if anything,
/// is one last line that is no record: unfinished, or damaged by a crash. A flawed line that is not the last is
/// [`JournalError::Corrupt`]; the records before it were handed over. `reader` must end where the file ended when it
/// was looked at, lest a line that is just being written be read as two.
pub(super) fn scan(
    mut reader: impl BufRead,
    path: &Utf8Path,
    start: RecordPosition,
    limits: JournalLimits,
    mut keep: impl FnMut(u64, &[u8]),
) -> Result<RecordPosition, JournalError> {
    let failed = |source| JournalError::Failed { path: path.to_owned(), action: "read", source };
    let mut position = start;
    let mut flaw = None;
    let mut line = Vec::new();
    while read_line(&mut reader, &mut line, limits).map_err(failed)? {
        if let Some(Flaw { column, reason }) = flaw {
            return Err(JournalError::Corrupt {
                path: path.to_owned(),
                line: position.sequence,
                column,
                reason,
            });
        }
        match record_in(&line, limits) {
            Ok(record) => {
                keep(position.sequence, record);
                position.offset += line.len() as u64;
                position.sequence += 1;
            }
            Err(found) => flaw = Some(found),
        }
    }
    Ok(position)
}

/// Says what keeps these bytes from being a record: one JSON object in UTF-8 without a line end.
pub(super) fn examine(record: &[u8]) -> Result<(), Flaw> {
    let flaw = |column: usize, reason: &str| Err(Flaw { column: column as u64, reason: reason.to_owned() });
    if let Some(at) = record.iter().position(|byte| *byte == b'\n') {
        return flaw(at + 1, "a line end inside");
    }
    let text = match std::str::from_utf8(record) {
        Ok(text) => text,
        Err(error) => return flaw(error.valid_up_to() + 1, "not UTF-8"),
    };
    if !text.trim_ascii_start().starts_with('{') {
        return flaw(1, "not a JSON object");
    }
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(IgnoredAny) => Ok(()),
        Err(error) => {
            let reason = error.to_string();
            // The place is said by the column; serde_json would say it again, with a line number of its own.
            let reason = reason.split_once(" at line ").map_or(&*reason, |(reason, _)| reason);
            flaw(error.column(), reason)
        }
    }
}

/// Reads up to and with the next line end into `line`; of a line that is too long only so much that it shows.
/// False at the end.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, limits: JournalLimits) -> io::Result<bool> {
    line.clear();
    let enough = limits.line_bytes_max + 1;
    reader.by_ref().take(enough).read_until(b'\n', line)?;
    if line.len() as u64 == enough && line.last() != Some(&b'\n') {
        reader.skip_until(b'\n')?;
    }
    Ok(!line.is_empty())
}

fn record_in(line: &[u8], limits: JournalLimits) -> Result<&[u8], Flaw> {
    if line.len() as u64 > limits.line_bytes_max {
        let reason = format!("longer than {} bytes", limits.line_bytes_max);
        return Err(Flaw { column: limits.line_bytes_max, reason });
    }
    match line.split_last() {
        Some((b'\n', record)) => examine(record).map(|()| record),
        Some(_) | None => {
            Err(Flaw { column: line.len() as u64 + 1, reason: "the line is unfinished".to_owned() })
        }
    }
}
