//! Merges two commits without a worktree, and says where they do not agree.
//!
//! A merge is only a tree here: nothing is checked out, no branch moves, and no merge driver of the project runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::Utf8Path;

use super::error::{GitError, Result};
use super::history::Trailer;
use super::names::{BlobId, CommitId, FileMode, TreeId, TreePath};
use super::objects::{CommitStamp, Entry};
use super::overlay::TreeEdit;
use super::program::Answer;
use super::{Repository, temporary_folder};

/// What merges look like must not depend on what a person set for theirs.
const SETTINGS: [&str; 3] = ["merge.conflictStyle=merge", "merge.renormalize=false", "merge.renames=true"];

/// The largest file of attributes that counts; git itself ignores larger ones.
const ATTRIBUTES_BYTES_MAX: u64 = 100 << 20;

/// What came of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merged {
    Clean(TreeId),
    Conflict(Conflict),
    /// The commits have no common beginning.
    Unrelated,
}

/// What two commits do not agree on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The merge as far as it went, with markers in the files.
    pub tree: TreeId,
    /// Each once, in the order of their bytes.
    pub paths: Vec<TreePath>,
}

/// The message of a merge commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeMessage {
    pub title: String,
    /// Between title and trailers; may be empty.
    pub body: String,
    pub trailers: Vec<Trailer>,
}

impl Repository {
    /// Merges `theirs` into `ours` as `git merge` would, renames and several common ancestors included.
    pub fn merge(&self, ours: &CommitId, theirs: &CommitId) -> Result<Merged> {
        if self.common_ancestor(ours, theirs)?.is_none() {
            return Ok(Merged::Unrelated);
        }
        self.store.refresh_info(&self.layout.common_dir)?;
        let settings = SETTINGS.map(str::to_owned);
        let (_kept, folder) = temporary_folder()?;
        self.write_attributes(&self.tree_of(ours)?, &folder)?;
        let call = self.history_call(&settings, "merge-tree").with_work_tree(folder.as_std_path());
        let call = call.args(["--write-tree", "-z", "--name-only", "--no-messages"]);
        let answer = call.args([ours.as_str(), theirs.as_str()]).accept(&[0, 1]).run()?;
        let conflict = conflict(&answer)?;
        Ok(if answer.code == 0 { Merged::Clean(conflict.tree) } else { Merged::Conflict(conflict) })
    }

    /// Merges what two trees made of a third, as `merge` does.
    pub fn merge_trees(&self, base: &TreeId, ours: &TreeId, theirs: &TreeId) -> Result<Merged> {
        if base == theirs || ours == theirs {
            return Ok(Merged::Clean(ours.clone()));
        }
        if base == ours {
            return Ok(Merged::Clean(theirs.clone()));
        }
        // Git before 2.40 takes no base but the one that the history of two commits gives.
        let when = CommitStamp { unix_seconds: 0 };
        let begin = self.commit(base, &[], "gulf: before\n", when)?;
        let ours = self.commit(ours, &[&begin], "gulf: here\n", when)?;
        let theirs = self.commit(theirs, &[&begin], "gulf: there\n", when)?;
        self.merge(&ours, &theirs)
    }

    /// `tree`, but at `paths` and below them what `other` has there: nothing where it has nothing.
    pub fn with_paths_of(&self, tree: &TreeId, paths: &[TreePath], other: &TreeId) -> Result<TreeId> {
        let take = |path: &TreePath| (path.clone(), TreeEdit::Take(other.clone()));
        let edits: Vec<(TreePath, TreeEdit)> = paths.iter().map(take).collect();
        if edits.is_empty() { Ok(tree.clone()) } else { self.write_tree_with(tree, &edits) }
    }

    /// Files and folders of `new` that are one on a disk that knows no case, each with its twins; those of `old` left out.
    pub fn case_twins(&self, old: &TreeId, new: &TreeId) -> Result<Vec<Vec<TreePath>>> {
        if old == new {
            return Ok(Vec::new());
        }
        let known = self.twins(old)?;
        let mut found = self.twins(new)?;
        found.retain(|twins| !known.contains(twins));
        Ok(found)
    }

    /// Git looks for attributes in a worktree, so it gets one that holds nothing else: those of `ours`, as in any merge.
    fn write_attributes(&self, ours: &TreeId, folder: &Utf8Path) -> Result<()> {
        let mut files = self.list(ours)?;
        files.retain(|entry| {
            entry.path.file_name() == b".gitattributes"
                && matches!(entry.mode, FileMode::File | FileMode::Executable)
        });
        let blobs: Vec<BlobId> = files.iter().map(|entry| entry.blob.clone()).collect();
        let contents = self.read_small_blobs(&blobs, ATTRIBUTES_BYTES_MAX)?;
        for Entry { path, blob, .. } in files {
            let Some(bytes) = contents.get(&blob) else { continue };
            let file = path.below(folder);
            let made = file.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| fs::write(&file, bytes)).map_err(GitError::file("write", &path))?;
        }
        Ok(())
    }

    fn twins(&self, tree: &TreeId) -> Result<Vec<Vec<TreePath>>> {
        let mut spellings: BTreeMap<String, BTreeSet<TreePath>> = BTreeMap::new();
        for entry in self.list(tree)? {
            let bytes = entry.path.as_bytes();
            let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
            for end in ends.chain([bytes.len()]) {
                let folded = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
                spellings.entry(folded).or_default().insert(TreePath::parse(&bytes[..end])?);
            }
        }
        let twins = spellings.into_values().filter(|paths| paths.len() > 1);
        Ok(twins.map(Vec::from_iter).collect())
    }
}

impl MergeMessage {
    /// As git wants it: title, body, trailers, an empty line between them.
    pub fn text(&self) -> String {
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut text = format!("{}\n", one_line(&self.title));
        if !self.body.trim().is_empty() {
            text.push_str(&format!("\n{}\n", self.body.trim()));
        }
        if !self.trailers.is_empty() {
            text.push('\n');
        }
        for Trailer { name, value } in &self.trailers {
            text.push_str(&format!("{name}: {}\n", one_line(value)));
        }
        text
    }
}

/// Reads what `git merge-tree --write-tree -z --name-only` answers: the tree, and paths that are in conflict.
fn conflict(answer: &Answer) -> Result<Conflict> {
    let mut fields = answer.entries();
    let tree = TreeId::parse(&String::from_utf8_lossy(fields.next().unwrap_or_default()))?;
    let paths: BTreeSet<TreePath> = fields.map(TreePath::parse).collect::<Result<_, _>>()?;
    Ok(Conflict { tree, paths: paths.into_iter().collect() })
}
