//! The writing end of a journal file: a batch is appended whole, or the file is put back to its previous length.
//!
//! It stands apart so that each way a disk can fail (short write, no space, no sync, no truncation) is a test with a
//! file that fails so, and so that no failed append can be forgotten: a tail whose state is unknown refuses to go on.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt as _;

use camino::{Utf8Path, Utf8PathBuf};
use serde::de::IgnoredAny;

use crate::crash;
use crate::files::Durability;
use crate::journal::{JournalError, JournalLimits, Record};

/// What a tail needs of a file.
pub(super) trait AppendFile {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<usize>;
    fn sync(&mut self) -> io::Result<()>;
    fn truncate(&mut self, bytes: u64) -> io::Result<()>;
    /// `None` when the file no longer has a name.
    fn bytes(&mut self) -> io::Result<Option<u64>>;
}

/// The end of a file that only we append to.
#[derive(Debug)]
pub(super) struct Tail<F> {
    file: F,
    pub(super) path: Utf8PathBuf,
    pub(super) bytes: u64,
    /// Why nothing more can be appended, once that is so.
    poisoned: Option<String>,
}

impl<F: AppendFile> Tail<F> {
    /// `bytes` is the length of the file now.
    pub(super) fn new(file: F, path: Utf8PathBuf, bytes: u64) -> Tail<F> {
        Tail { file, path, bytes, poisoned: None }
    }

    /// Appends with one write; a short one is continued, which finishes it or names the reason.
    pub(super) fn append(&mut self, batch: &[u8], durability: Durability) -> Result<(), JournalError> {
        if let Some(reason) = self.poisoned.clone() {
            return Err(self.poison(reason));
        }
        self.refuse_interference()?;
        if let Err(error) = self.write_all(batch) {
            return Err(self.roll_back(error));
        }
        match durability {
            Durability::Buffered => {}
            Durability::Synced => self.sync()?,
        }
        self.bytes += batch.len() as u64;
        Ok(())
    }

    fn refuse_interference(&mut self) -> Result<(), JournalError> {
        match self.file.bytes() {
            Ok(Some(bytes)) if bytes == self.bytes => Ok(()),
            Ok(Some(bytes)) => {
                Err(self.poison(format!("it has {bytes} bytes, where this writer left {}", self.bytes)))
            }
            Ok(None) => Err(self.poison("it was removed while it was in use".to_owned())),
            Err(error) => Err(self.poison(format!("its length is unknown: {error}"))),
        }
    }

    fn write_all(&mut self, batch: &[u8]) -> io::Result<()> {
        let mut written = 0;
        while written < batch.len() {
            match self.file.write_at(self.bytes + written as u64, &batch[written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(bytes) => written += bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn roll_back(&mut self, cause: io::Error) -> JournalError {
        match self.file.truncate(self.bytes) {
            Ok(()) => JournalError::NotAppended { path: self.path.clone(), source: cause },
            Err(error) => {
                self.poison(format!("writing failed ({cause}), and putting it back did too ({error})"))
            }
        }
    }

    /// After a failed sync the system may call lost pages clean: records that were handed over earlier may be gone
    /// from the disk though they can still be read. So there is no way on, only a new start from what the disk has.
    fn sync(&mut self) -> Result<(), JournalError> {
        let Err(error) = self.file.sync() else { return Ok(()) };
        let poisoned = self.poison(format!("the disk did not confirm it: {error}"));
        // The batch is reported as not appended, so it should not be found later; if it is, it was a crash before
        // the answer, which every reader must cope with anyway.
        let _ = self.file.truncate(self.bytes);
        Err(poisoned)
    }

    /// Nothing more can be appended through this tail.
    fn poison(&mut self, reason: String) -> JournalError {
        self.poisoned = Some(reason.clone());
        JournalError::Poisoned { path: self.path.clone(), reason }
    }
}

impl AppendFile for File {
    // At a known place and not in append mode: what a write that failed left is cut off, and written over.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        self.seek(SeekFrom::Start(offset))?;
        crash::point("journal.write");
        let written = self.write(bytes)?;
        crash::point("journal.written");
        Ok(written)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()?;
        crash::point("journal.synced");
        Ok(())
    }

    fn truncate(&mut self, bytes: u64) -> io::Result<()> {
        crash::point("journal.truncate");
        self.set_len(bytes)?;
        crash::point("journal.truncated");
        Ok(())
    }

    fn bytes(&mut self) -> io::Result<Option<u64>> {
        let metadata = self.metadata()?;
        Ok(if metadata.nlink() == 0 { None } else { Some(metadata.len()) })
    }
}

// Finds the records in the bytes of a journal, and says where they stop making sense.

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// Counted in bytes from 1.
    pub(super) column: u64,
    pub(super) reason: String,
}

/// Adds each record to `records` and returns where the last one ended. What follows there, if anything,
/// is one last line that is no record: unfinished, or damaged by a crash. A flawed line that is not the last is
/// [`JournalError::Corrupt`]; the records before it were added. `reader` must end where the file ended when it
/// was looked at, lest a line that is just being written be read as two.
pub(super) fn scan(
    mut reader: impl BufRead,
    path: &Utf8Path,
    limits: JournalLimits,
    records: &mut Vec<Record>,
) -> Result<u64, JournalError> {
    let failed = |source| JournalError::Failed { path: path.to_owned(), action: "read", source };
    let (mut end, mut flaw) = (0, None);
    let mut line = Vec::new();
    while read_line(&mut reader, &mut line, limits).map_err(failed)? {
        let sequence = records.len() as u64 + 1;
        if let Some(Flaw { column, reason }) = flaw {
            return Err(JournalError::Corrupt { path: path.to_owned(), line: sequence, column, reason });
        }
        match record_in(&line, limits) {
            Ok(record) => {
                records.push(Record { sequence, line: record.to_vec() });
                end += line.len() as u64;
            }
            Err(found) => flaw = Some(found),
        }
    }
    Ok(end)
}

/// Says what keeps these bytes from being a record: one JSON object in UTF-8 without a line end.
fn examine(record: &[u8]) -> Result<(), Flaw> {
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

/// The record in a line with its end.
pub(super) fn record_in(line: &[u8], limits: JournalLimits) -> Result<&[u8], Flaw> {
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
