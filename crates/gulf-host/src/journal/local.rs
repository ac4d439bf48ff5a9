//! A journal in a file of its own folder, `journal.jsonl`, with the system's lock on the file `lock` beside it.
//!
//! Another form, shared between machines, will stand beside it.
//!
//! A crash can leave an unfinished last line. It was never acknowledged, so it is no record; the next writer copies
//! it to `journal.torn-<n>` before it cuts it off, and reports it. Anything else that is no record is corruption,
//! which is neither resumed nor repaired.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use camino::{Utf8Path, Utf8PathBuf};

use crate::crash;
use crate::files::{self, Durability, WriteError};
use crate::journal::tail::{Flaw, Tail, record_in, scan};
use crate::journal::{Journal, JournalError, JournalLimits, Record};
use crate::lock::{Lock, LockError};

/// The journal's file name.
pub const JOURNAL_FILE: &str = "journal.jsonl";
/// The name of the file whose lock the writer holds.
pub const LOCK_FILE: &str = "lock";

/// How many torn ends of one journal are kept before it refuses to be opened.
const TORN_ENDS_MAX: u64 = 1000;

/// The one writer of a journal file; see the module.
#[derive(Debug)]
pub struct LocalJournal {
    limits: JournalLimits,
    tail: Tail<File>,
    next: u64,
    // Released last.
    _lock: Lock,
}

/// An unfinished end that was cut off when a journal was opened for writing, and where it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torn {
    pub bytes: u64,
    pub kept_at: Utf8PathBuf,
}

/// Reads all records, without a lock, also while a writer appends: an unfinished last line does not exist yet.
pub fn read(directory: &Utf8Path) -> Result<Vec<Record>, JournalError> {
    let Readable { records, rest } = read_readable(directory)?;
    match rest {
        Rest::Nothing | Rest::Unfinished { .. } => Ok(records),
        Rest::Damaged(error) => Err(error),
    }
}

/// What can be read of a journal, however damaged it is.
#[derive(Debug)]
pub struct Readable {
    /// Up to the damage.
    pub records: Vec<Record>,
    pub rest: Rest,
}

/// What follows the last readable record.
#[derive(Debug)]
pub enum Rest<Damage = JournalError> {
    /// Every line is a record.
    Nothing,
    /// One line that was never finished, or that is just being written.
    Unfinished { bytes: u64 },
    /// What nobody writes: the records behind it are not looked at.
    Damaged(Damage),
}

/// Reads as far as the journal makes sense: for looking back, never for going on.
pub fn read_readable(directory: &Utf8Path) -> Result<Readable, JournalError> {
    let path = directory.join(JOURNAL_FILE);
    let (file, bytes) = open_for_reading(&path)?;
    let mut records = Vec::new();
    let limits = JournalLimits::default();
    let rest = match scan(BufReader::new(file.take(bytes)), &path, limits, &mut records) {
        Ok(end) if end == bytes => Rest::Nothing,
        Ok(end) => Rest::Unfinished { bytes: bytes - end },
        Err(error @ JournalError::Corrupt { .. }) => Rest::Damaged(error),
        Err(error) => return Err(error),
    };
    Ok(Readable { records, rest })
}

impl LocalJournal {
    /// Becomes the writer of the journal in `directory`, which must be there; a missing journal is made, empty.
    /// `note` says to others who the writer is.
    /// Gives all records: whoever opens a journal looks at each of them anyway.
    pub fn open_and_read(
        directory: &Utf8Path,
        note: &[u8],
    ) -> Result<(LocalJournal, Option<Torn>, Vec<Record>), JournalError> {
        LocalJournal::open_within(directory, note, JournalLimits::default())
    }

    pub(super) fn open_within(
        directory: &Utf8Path,
        note: &[u8],
        limits: JournalLimits,
    ) -> Result<(LocalJournal, Option<Torn>, Vec<Record>), JournalError> {
        let lock_path = directory.join(LOCK_FILE);
        let lock = Lock::try_acquire(&lock_path, note).map_err(|error| match error {
            LockError::Held { .. } => JournalError::Locked(error),
            LockError::Failed { path, source } => JournalError::Failed { path, action: "lock", source },
        })?;
        let path = directory.join(JOURNAL_FILE);
        let mut file = open_file(&path)?;
        let bytes = file.metadata().map_err(|source| failure(&path, "open", source))?.len();
        if bytes == 0 {
            // Also when an earlier process made the file and died before its name was on disk.
            settle_new(&file, &path).map_err(|source| failure(&path, "create", source))?;
        }
        let mut records = Vec::new();
        let end = scan(BufReader::new((&file).take(bytes)), &path, limits, &mut records)?;
        let torn = if end < bytes { Some(cut_torn_end(&mut file, &path, end)?) } else { None };
        let tail = Tail::new(file, path, end);
        Ok((LocalJournal { limits, tail, next: records.len() as u64 + 1, _lock: lock }, torn, records))
    }

    fn encode(&self, records: &[Vec<u8>]) -> Result<Vec<u8>, JournalError> {
        let mut batch = Vec::with_capacity(records.iter().map(|record| record.len() + 1).sum());
        for (index, record) in records.iter().enumerate() {
            let start = batch.len();
            batch.extend_from_slice(record);
            batch.push(b'\n');
            record_in(&batch[start..], self.limits)
                .map_err(|Flaw { column, reason }| JournalError::NotARecord { index, column, reason })?;
        }
        let (bytes, journal_bytes_max) =
            (self.tail.bytes + batch.len() as u64, self.limits.journal_bytes_max);
        if bytes > journal_bytes_max && !batch.is_empty() {
            return Err(JournalError::Full { path: self.tail.path.clone(), bytes, journal_bytes_max });
        }
        Ok(batch)
    }
}

impl Journal for LocalJournal {
    fn append(
        &mut self,
        expected: u64,
        records: &[Vec<u8>],
        durability: Durability,
    ) -> Result<u64, JournalError> {
        if expected != self.next {
            return Err(JournalError::Conflict { expected, found: self.next });
        }
        let batch = self.encode(records)?;
        self.tail.append(&batch, durability)?;
        self.next += records.len() as u64;
        Ok(self.next - 1)
    }
}

fn open_for_reading(path: &Utf8Path) -> Result<(File, u64), JournalError> {
    match files::open_regular(path) {
        Ok((file, metadata)) => Ok((file, metadata.len())),
        Err(files::ReadError::Missing { .. }) => Err(failure(path, "read", io::ErrorKind::NotFound.into())),
        Err(files::ReadError::Failed { source, .. }) => Err(failure(path, "read", source)),
        Err(
            files::ReadError::NotAFile { .. }
            | files::ReadError::TooLarge { .. }
            | files::ReadError::NotUtf8 { .. }
            | files::ReadError::Binary { .. },
        ) => Err(JournalError::NotAFile { path: path.to_owned() }),
    }
}

fn open_file(path: &Utf8Path) -> Result<File, JournalError> {
    // Looked at first, because opening a FIFO would wait and opening a device can do something to it.
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(JournalError::NotAFile { path: path.to_owned() }),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(source) => return Err(failure(path, "open", source)),
    }
    crash::point("journal.open");
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    crash::point("journal.opened");
    file.map_err(|source| failure(path, "open", source))
}

fn settle_new(file: &File, path: &Utf8Path) -> io::Result<()> {
    file.sync_all()?;
    crash::point("journal.created");
    files::settle(path, Durability::Synced)
}

fn cut_torn_end(file: &mut File, path: &Utf8Path, offset: u64) -> Result<Torn, JournalError> {
    let torn = keep_torn_end(file, path, offset)
        .map_err(|source| JournalError::TornEndNotKept { path: path.to_owned(), source })?;
    crash::point("journal.torn.cut");
    let cut = file.set_len(offset).and_then(|()| file.sync_all());
    crash::point("journal.torn.done");
    cut.map_err(|source| failure(path, "cut the unfinished end of", source))?;
    Ok(torn)
}

fn keep_torn_end(file: &mut File, path: &Utf8Path, offset: u64) -> Result<Torn, WriteError> {
    let failed = |source| WriteError::Failed { path: path.to_owned(), action: "copy the end of", source };
    let mut copy = files::temporary_beside(path).map_err(failed)?;
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    let bytes = io::copy(file, copy.as_file_mut()).map_err(failed)?;
    copy.as_file().sync_all().map_err(failed)?;
    for number in 1..=TORN_ENDS_MAX {
        let kept_at = path.with_file_name(format!("journal.torn-{number}"));
        crash::point("journal.torn.rename");
        match copy.persist_noclobber(&kept_at) {
            Ok(_) => {
                crash::point("journal.torn.renamed");
                files::settle(&kept_at, Durability::Synced).map_err(failed)?;
                return Ok(Torn { bytes, kept_at });
            }
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => copy = error.file,
            Err(error) => return Err(failed(error.error)),
        }
    }
    Err(WriteError::Exists { path: path.with_file_name(format!("journal.torn-{TORN_ENDS_MAX}")) })
}

fn failure(path: &Utf8Path, action: &'static str, source: io::Error) -> JournalError {
    JournalError::Failed { path: path.to_owned(), action, source }
}
