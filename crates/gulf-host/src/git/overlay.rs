//! Makes a tree from another one and a few edits: a candidate's tests on the base's code, say.
//!
//! It needs no worktree, only an index that lives for one call.

use std::collections::BTreeMap;
use std::fs;

use camino::Utf8Path;

use super::error::{GitError, Result};
use super::names::{BlobId, FileMode, TreeId, TreePath};
use super::objects::{Entry, index_lines};
use super::{Repository, temporary_folder};

/// What happens to a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeEdit {
    /// These bytes stand there.
    Put(Vec<u8>, FileMode),
    /// Nothing stands there, nor below.
    Remove,
    /// There, and below, stands what stands in that tree: nothing where it has nothing.
    Take(TreeId),
}

impl Repository {
    /// Writes `base` with `edits`, applied in order, as a tree.
    pub fn write_tree_with(&self, base: &TreeId, edits: &[(TreePath, TreeEdit)]) -> Result<TreeId> {
        let (_kept, folder) = temporary_folder()?;
        let mut put = self.write_blobs(&folder, edits)?.into_iter();
        let mut files: BTreeMap<TreePath, (FileMode, BlobId)> = BTreeMap::new();
        insert(&mut files, self.list(base)?);
        let before = files.clone();
        for (path, edit) in edits {
            files.retain(|standing, _| !standing.is_at_or_below(path));
            match edit {
                TreeEdit::Put(_, mode) => {
                    let blob = put.next().ok_or_else(|| GitError::answer("hash-object", "too few ids"))?;
                    // A file in the way of the new path's directories gives way.
                    files.retain(|standing, _| !path.is_at_or_below(standing));
                    files.insert(path.clone(), (*mode, blob));
                }
                TreeEdit::Take(from) => {
                    let mut taken = self.list(from)?;
                    taken.retain(|entry| entry.path.is_at_or_below(path));
                    if !taken.is_empty() {
                        files.retain(|standing, _| !path.is_at_or_below(standing));
                    }
                    insert(&mut files, taken);
                }
                TreeEdit::Remove => {}
            }
        }
        if files == before { Ok(base.clone()) } else { self.write_tree(&folder.join("index"), &files) }
    }

    fn write_tree(&self, index: &Utf8Path, files: &BTreeMap<TreePath, (FileMode, BlobId)>) -> Result<TreeId> {
        let entries = files.iter().map(|(path, (mode, blob))| (format!("{} {blob}", mode.as_str()), path));
        let call = |verb| self.store.call(verb).variable("GIT_INDEX_FILE", index);
        call("update-index").args(["-z", "--index-info"]).input(index_lines(entries)).run()?;
        Ok(TreeId::parse(&call("write-tree").run()?.text())?)
    }

    /// Stores what is put, in one call: an id for each edit that brings bytes.
    fn write_blobs(&self, folder: &Utf8Path, edits: &[(TreePath, TreeEdit)]) -> Result<Vec<BlobId>> {
        let mut names = Vec::new();
        for (number, (_, edit)) in edits.iter().enumerate() {
            if let TreeEdit::Put(bytes, _) = edit {
                let path = folder.join(format!("put-{number}"));
                fs::write(&path, bytes).map_err(GitError::file("write", &path))?;
                names.extend_from_slice(format!("{path}\n").as_bytes());
            }
        }
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let call = self.store.call("hash-object").args(["-w", "--no-filters", "--stdin-paths"]);
        let text = call.input(names).run()?.text();
        Ok(text.lines().map(BlobId::parse).collect::<Result<_, _>>()?)
    }
}

fn insert(files: &mut BTreeMap<TreePath, (FileMode, BlobId)>, entries: Vec<Entry>) {
    files.extend(entries.into_iter().map(|entry| (entry.path, (entry.mode, entry.blob))));
}
