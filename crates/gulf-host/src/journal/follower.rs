//! Reads what was added to a journal file since the last time.
//!
//! It remembers: views that follow a loop must not read thousands of records again for each new one.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use camino::{Utf8Path, Utf8PathBuf};

use crate::journal::local::{JOURNAL_FILE, failure, open_for_reading};
use crate::journal::tail::{RecordPosition, scan};
use crate::journal::{JournalError, JournalLimits, Record};

/// A reader that goes on where it stopped. Only complete records are returned, each once.
///
/// A writer whose disk is full takes back a batch that it could not finish; a follower may have read the beginning
/// of it. It notices with its next [`Follower::poll`] and says [`JournalError::Rewritten`].
#[derive(Debug)]
pub struct Follower {
    path: Utf8PathBuf,
    position: RecordPosition,
    last_line: Vec<u8>,
}

impl Follower {
    /// Follows the journal in `directory` from its first record; it need not be there yet.
    pub fn new(directory: &Utf8Path) -> Follower {
        Follower {
            path: directory.join(JOURNAL_FILE),
            position: RecordPosition::START,
            last_line: Vec::new(),
        }
    }

    /// The records that were completed since the last call.
    pub fn poll(&mut self) -> Result<Vec<Record>, JournalError> {
        let Some((mut file, bytes)) = open_for_reading(&self.path)? else {
            return if self.position == RecordPosition::START {
                Ok(Vec::new())
            } else {
                Err(self.rewritten())
            };
        };
        match self.still_stands(&mut file, bytes) {
            Ok(true) => {}
            Ok(false) => return Err(self.rewritten()),
            Err(source) => return Err(failure(&self.path, "read", source)),
        }
        let added = BufReader::new(file.take(bytes - self.position.offset));
        let mut records = Vec::new();
        self.position = scan(added, &self.path, self.position, JournalLimits::default(), &mut records)?;
        if let Some(record) = records.last() {
            self.last_line.clone_from(&record.line);
        }
        Ok(records)
    }

    /// Whether the last line that was read is still where it was; leaves the file at the end of it.
    fn still_stands(&self, file: &mut File, bytes: u64) -> io::Result<bool> {
        if bytes < self.position.offset {
            return Ok(false);
        }
        if self.position == RecordPosition::START {
            return Ok(true);
        }
        let line_bytes = self.last_line.len() as u64 + 1;
        file.seek(SeekFrom::Start(self.position.offset - line_bytes))?;
        let mut found = Vec::new();
        file.take(line_bytes).read_to_end(&mut found)?;
        Ok(found.split_last() == Some((&b'\n', &self.last_line[..])))
    }

    fn rewritten(&self) -> JournalError {
        JournalError::Rewritten { path: self.path.clone(), sequence: self.position.sequence }
    }
}
