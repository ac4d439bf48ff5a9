//! What tells whether a file was written since somebody looked at it.
//!
//! It stands apart because it is compared where nothing is read: in snapshots, and before a kept program is asked.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::time::SystemTime;

use camino::Utf8Path;
use serde::{Deserialize, Serialize};

/// Which file this is and when it was last written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStamp {
    modified: SystemTime,
    bytes: u64,
    number: u64,
}

impl FileStamp {
    pub(super) fn of(path: &Utf8Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self { modified: metadata.modified().ok()?, bytes: metadata.len(), number: metadata.ino() })
    }
}
