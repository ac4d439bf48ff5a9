//! What tells whether a file was written since somebody looked at it.
//!
//! It stands apart because it is compared where nothing is read: in snapshots, and before a kept program is asked.

use std::fs;
use std::time::SystemTime;

use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::platform;

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
        let number = platform::file_number(&metadata);
        Some(Self { modified: metadata.modified().ok()?, bytes: metadata.len(), number })
    }
}
