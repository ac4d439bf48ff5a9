//! What is remembered beside a private index: which tree it last gave, on which base.
//!
//! A memory must be bound to what it is about: the note holds the checksum git ends the index with, and counts only
//! while the index still ends so.

use std::fs;
use std::io::{Read, Seek, SeekFrom};

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::git::beside;
use crate::git::error::GitError;
use crate::git::names::TreeId;
use crate::git::store::replace_file;
use crate::git::worktree_view::FileStamp;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) tree: TreeId,
    pub(super) base: Option<TreeId>,
    pub(super) person_index: Option<FileStamp>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    index_checksum: Vec<u8>,
    tree: String,
    base: Option<String>,
    person_index: Option<FileStamp>,
}

impl Note {
    pub(super) fn path(index: &Utf8Path) -> Utf8PathBuf {
        beside(index, ".note")
    }

    /// The note beside `index`, if it is about this very index and about `base`. Anything else is no memory at all.
    pub(super) fn read(index: &Utf8Path, base: Option<&TreeId>) -> Option<Self> {
        let bytes = fs::read(Self::path(index)).ok()?;
        let written: Written = serde_json::from_slice(&bytes).ok()?;
        if written.version != 1 || written.index_checksum != checksum(index)? {
            return None;
        }
        let tree = TreeId::parse(&written.tree).ok()?;
        // An index that holds the base exactly is as good as one made of it.
        if written.base.as_deref() != base.map(TreeId::as_str) && base != Some(&tree) {
            return None;
        }
        Some(Self { tree, base: base.cloned(), person_index: written.person_index })
    }

    /// Writes the note when it says something new, or the index was written again.
    pub(super) fn write_if_changed(&self, index: &Utf8Path, last: Option<&Note>) -> Result<(), GitError> {
        if last == Some(self) && Note::read(index, self.base.as_ref()).is_some() {
            return Ok(());
        }
        let written = Written {
            version: 1,
            index_checksum: checksum(index).unwrap_or_default(),
            tree: self.tree.to_string(),
            base: self.base.as_ref().map(ToString::to_string),
            person_index: self.person_index.clone(),
        };
        let path = Self::path(index);
        let bytes = serde_json::to_vec(&written)
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
