//! The writing end of a journal file: a batch is appended whole, or the file is put back to its previous length.
//!
//! It stands apart so that each way a disk can fail (short write, no space, no sync, no truncation) is a test with a
//! file that fails so, and so that no failed append can be forgotten: a tail whose state is unknown refuses to go on.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt as _;

use crate::crash;
use crate::files::Durability;

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
    bytes: u64,
    health: Health,
}

/// Why a batch was not appended.
#[derive(Debug)]
pub(super) enum TailError {
    /// The file is as it was before.
    RolledBack(io::Error),
    /// Nothing more can be appended through this tail.
    Poisoned(String),
}

#[derive(Debug)]
enum Health {
    Sound,
    Poisoned(String),
}

impl<F: AppendFile> Tail<F> {
    /// `bytes` is the length of the file now.
    pub(super) fn new(file: F, bytes: u64) -> Tail<F> {
        Tail { file, bytes, health: Health::Sound }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends with one write; a short one is continued, which finishes it or names the reason.
    pub(super) fn append(&mut self, batch: &[u8], durability: Durability) -> Result<(), TailError> {
        if let Health::Poisoned(reason) = &self.health {
            return Err(TailError::Poisoned(reason.clone()));
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

    fn refuse_interference(&mut self) -> Result<(), TailError> {
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

    fn roll_back(&mut self, cause: io::Error) -> TailError {
        match self.file.truncate(self.bytes) {
            Ok(()) => TailError::RolledBack(cause),
            Err(error) => {
                self.poison(format!("writing failed ({cause}), and putting it back did too ({error})"))
            }
        }
    }

    /// After a failed sync the system may call lost pages clean: records that were handed over earlier may be gone
    /// from the disk though they can still be read. So there is no way on, only a new start from what the disk has.
    fn sync(&mut self) -> Result<(), TailError> {
        let Err(error) = self.file.sync() else { return Ok(()) };
        let poisoned = self.poison(format!("the disk did not confirm it: {error}"));
        // The batch is reported as not appended, so it should not be found later; if it is, it was a crash before
        // the answer, which every reader must cope with anyway.
        let _ = self.file.truncate(self.bytes);
        Err(poisoned)
    }

    fn poison(&mut self, reason: String) -> TailError {
        self.health = Health::Poisoned(reason.clone());
        TailError::Poisoned(reason)
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
