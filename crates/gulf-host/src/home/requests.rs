//! The dropbox in which other processes leave requests for the one that drives a loop.
//!
//! It is the only folder of a loop that more than one process writes: each request is a new file, made whole, and
//! only the driver removes it.

use std::hash::{BuildHasher, RandomState};

use camino::{Utf8Path, Utf8PathBuf};

use crate::crash;
use crate::files::{self, Durability, ReadError, WriteError};

/// How much of a request is read.
const REQUEST_BYTES_MAX: u64 = 1 << 20;
/// How many requests are listed at once; the others wait for the next time.
const REQUESTS_MAX: usize = 1000;
const ATTEMPTS_MAX: usize = 10;

/// The folder of requests of one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requests {
    directory: Utf8PathBuf,
}

/// One request that waits.
#[derive(Debug)]
pub struct WaitingRequest {
    /// The file's name, unique in this loop. A driver journals it, and so knows a request again that it admitted
    /// before a crash kept it from removing the file.
    pub name: String,
    /// What it says; a file that cannot be read as one of a bounded size is a request to be refused.
    pub content: Result<Vec<u8>, ReadError>,
}

impl Requests {
    /// The requests that lie in this folder.
    pub fn in_directory(directory: Utf8PathBuf) -> Requests {
        Requests { directory }
    }

    /// What to watch for new requests.
    pub fn directory(&self) -> &Utf8Path {
        &self.directory
    }

    /// Leaves a request and returns its name. It can be seen as soon as it is whole, which is later if it is synced first.
    pub fn leave(&self, wall_ms: u64, content: &[u8], durability: Durability) -> Result<String, WriteError> {
        let mut attempt = 0;
        loop {
            // Digits enough for u64, so that names sort by time.
            let name = format!("{wall_ms:020}-{:016x}.json", RandomState::new().hash_one(wall_ms));
            match files::create_new(&self.directory.join(&name), content, durability) {
                Ok(()) => return Ok(name),
                Err(WriteError::Exists { .. }) if attempt < ATTEMPTS_MAX => attempt += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// The requests that wait, the oldest first. None when there is no folder yet.
    pub fn list(&self) -> Result<Vec<WaitingRequest>, ReadError> {
        let failed = |source| ReadError::Failed { path: self.directory.clone(), source };
        let entries = files::entries(&self.directory).map_err(failed)?;
        let names = entries.iter().filter(|entry| entry.path().extension() == Some("json"));
        let names = names.map(|entry| entry.file_name().to_owned());
        // Files that are still being written begin with a dot.
        let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        names.sort();
        names.truncate(REQUESTS_MAX);
        let mut requests = Vec::with_capacity(names.len());
        for name in names {
            match files::read_bytes(&self.directory.join(&name), REQUEST_BYTES_MAX) {
                // Removed in between.
                Err(ReadError::Missing { .. }) => {}
                content => requests.push(WaitingRequest { name, content }),
            }
        }
        Ok(requests)
    }

    /// Removes a request that was admitted, refused or taken back; one that is gone already is no error.
    pub fn remove(&self, name: &str) -> Result<(), WriteError> {
        let path = self.directory.join(name);
        crash::point("requests.remove");
        let removed = files::remove_file(&path);
        crash::point("requests.removed");
        removed
    }
}
