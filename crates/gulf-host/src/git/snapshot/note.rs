//! What is remembered beside a private index: which tree it last gave, on which base.
//!
//! A memory must be bound to what it is about: the note holds the checksum git ends the index with, and counts only
//! while the index still ends so.

use std::fs;
use std::io::{Read, Seek, SeekFrom};

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::git::beside;
use crate::git::error::{GitError, Result};
use crate::git::names::TreeId;
use crate::git::store::replace_file;
use crate::git::worktree_view::FileStamp;

const VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Note {
    version: u32,
    index_checksum: Vec<u8>,
    pub(super) tree: TreeId,
    base: Option<TreeId>,
    pub(super) person_index: Option<FileStamp>,
}

impl Note {
    /// What there is to remember of an index as it stands now.
    pub(super) fn new(
        index: &Utf8Path,
        tree: TreeId,
        base: Option<&TreeId>,
        person_index: Option<FileStamp>,
    ) -> Self {
        let index_checksum = checksum(index).unwrap_or_default();
        Self { version: VERSION, index_checksum, tree, base: base.cloned(), person_index }
    }

    pub(super) fn path(index: &Utf8Path) -> Utf8PathBuf {
        beside(index, ".note")
    }

    /// The note beside `index`, if it is about this very index and about `base`. Anything else is no memory at all.
    pub(super) fn read(index: &Utf8Path, base: Option<&TreeId>) -> Option<Self> {
        let bytes = fs::read(Self::path(index)).ok()?;
        let note: Self = serde_json::from_slice(&bytes).ok()?;
        // An index that holds the base exactly is as good as one made of it.
        let is_about_base = note.base.as_ref() == base || base == Some(&note.tree);
        let is_about_index = note.version == VERSION && note.index_checksum == checksum(index)?;
        (is_about_base && is_about_index).then(|| Self { base: base.cloned(), ..note })
    }

    /// Writes the note when it says something new, or the index was written again.
    pub(super) fn write_if_changed(&self, index: &Utf8Path, last: Option<&Note>) -> Result<()> {
        if last == Some(self) {
            return Ok(());
        }
        let path = Self::path(index);
        let bytes = serde_json::to_vec(self)
            .map_err(|error| GitError::file("write", &path)(std::io::Error::other(error)))?;
        replace_file(&path, &bytes)
    }
}

/// The last bytes of an index: a hash over all of it. Twenty bytes of a longer hash tell as much.
fn checksum(index: &Utf8Path) -> Option<Vec<u8>> {
    let mut file = fs::File::open(index).ok()?;
    file.seek(SeekFrom::End(-20)).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
