//! Merges two commits without a worktree, and says typed what they do not agree on.
//!
//! A merge is only a tree here: nothing is checked out, no branch moves, and no merge driver of the project runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::Utf8Path;

use super::error::GitError;
use super::history::Trailer;
use super::names::{BlobId, CommitId, FileMode, TreeId, TreePath};
use super::objects::{CommitStamp, Entry};
use super::overlay::TreeEdit;
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
    pub paths: Vec<ConflictPath>,
    /// Git's words, those about what went well among them.
    pub messages: Vec<ConflictMessage>,
}

/// A path with more than one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConflictPath {
    pub path: TreePath,
    pub kind: ConflictKind,
    pub base: Option<Stage>,
    pub ours: Option<Stage>,
    pub theirs: Option<Stage>,
}

/// What one side has at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    pub mode: FileMode,
    pub blob: BlobId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConflictKind {
    /// Both changed the same lines, or both added the file.
    Content,
    Binary,
    /// One changed it, the other deleted it.
    ModifyDelete,
    RenameDelete,
    /// Both renamed it, to different names, or different files to one name.
    RenameRename,
    /// A file here, a folder there.
    FileDirectory,
    /// A file here, a link or submodule there.
    DistinctModes,
    /// A folder was renamed by one, and the other's files in it have no sure place.
    DirectoryRename,
    Submodule,
    /// One that this gulf has no name for, in git's words.
    Other(String),
}

/// One thing git said about a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConflictMessage {
    pub paths: Vec<TreePath>,
    /// Git's stable name for it: `CONFLICT (contents)`, `Auto-merging`.
    pub kind: String,
    pub text: String,
}

/// The message of a merge commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeMessage {
    pub title: String,
    /// Between title and trailers; may be empty.
    pub body: String,
    pub trailers: Vec<Trailer>,
}

/// Paths that are one on a disk that knows no case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseTwins {
    pub paths: Vec<TreePath>,
}

impl Repository {
    /// Merges `theirs` into `ours` as `git merge` would, renames and several common ancestors included.
    pub fn merge(&self, ours: &CommitId, theirs: &CommitId) -> Result<Merged, GitError> {
        if self.common_ancestor(ours, theirs)?.is_none() {
            return Ok(Merged::Unrelated);
        }
        self.store.refresh_info(&self.layout.common_dir)?;
        let settings = SETTINGS.map(str::to_owned);
        let (_kept, folder) = temporary_folder()?;
        self.write_attributes(&self.tree_of(ours)?, &folder)?;
        let call = self.history_call(&settings, "merge-tree").with_work_tree(folder.as_std_path());
        let call = call.args(["--write-tree", "-z", "--messages"]);
        let answer = call.args([ours.as_str(), theirs.as_str()]).accept(&[0, 1]).run()?;
        let (tree, rest) = tree(&answer.stdout)?;
        if answer.code == 0 { Ok(Merged::Clean(tree)) } else { conflict(tree, rest).map(Merged::Conflict) }
    }

    /// Merges what two trees made of a third, as `merge` does.
    pub fn merge_trees(&self, base: &TreeId, ours: &TreeId, theirs: &TreeId) -> Result<Merged, GitError> {
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
    pub fn with_paths_of(
        &self,
        tree: &TreeId,
        paths: &[TreePath],
        other: &TreeId,
    ) -> Result<TreeId, GitError> {
        let take = |path: &TreePath| (path.clone(), TreeEdit::Take(other.clone()));
        let edits: Vec<(TreePath, TreeEdit)> = paths.iter().map(take).collect();
        if edits.is_empty() { Ok(tree.clone()) } else { self.write_tree_with(tree, &edits) }
    }

    /// Files and folders of `new` that only their case tells apart, those of `old` left out.
    pub fn case_twins(&self, old: &TreeId, new: &TreeId) -> Result<Vec<CaseTwins>, GitError> {
        if old == new {
            return Ok(Vec::new());
        }
        let known = self.twins(old)?;
        let mut found = self.twins(new)?;
        found.retain(|twins| !known.contains(twins));
        Ok(found)
    }

    /// Git looks for attributes in a worktree, so it gets one that holds nothing else: those of `ours`, as in any merge.
    fn write_attributes(&self, ours: &TreeId, folder: &Utf8Path) -> Result<(), GitError> {
        let mut files = self.list(ours)?;
        files.retain(|entry| {
            entry.path.file_name() == b".gitattributes"
                && matches!(entry.mode, FileMode::File | FileMode::Executable)
        });
        let blobs: Vec<BlobId> = files.iter().map(|entry| entry.blob.clone()).collect();
        let contents = self.read_small_blobs(&blobs, ATTRIBUTES_BYTES_MAX)?;
        for Entry { path, blob, .. } in files {
            let Some(bytes) = contents.get(&blob) else { continue };
            let file = path.require_below(folder)?;
            let made = file.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| fs::write(&file, bytes)).map_err(GitError::file("write", &path))?;
        }
        Ok(())
    }

    fn twins(&self, tree: &TreeId) -> Result<Vec<CaseTwins>, GitError> {
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
        Ok(twins.map(|paths| CaseTwins { paths: paths.into_iter().collect() }).collect())
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

// Reads what `git merge-tree --write-tree -z` answers (its documentation, "OUTPUT").

/// The tree that opens every answer, and what follows it.
fn tree(bytes: &[u8]) -> Result<(TreeId, &[u8]), GitError> {
    let end = bytes.iter().position(|byte| *byte == 0).ok_or_else(|| unknown(bytes))?;
    Ok((TreeId::parse(&String::from_utf8_lossy(&bytes[..end]))?, &bytes[end + 1..]))
}

/// The stages of each path, and then the messages.
fn conflict(tree: TreeId, bytes: &[u8]) -> Result<Conflict, GitError> {
    let mut fields = bytes.split(|byte| *byte == 0);
    let mut stages: BTreeMap<TreePath, [Option<Stage>; 3]> = BTreeMap::new();
    for field in fields.by_ref().take_while(|field| !field.is_empty()) {
        let (path, number, stage) = stage(field)?;
        let slot = stages.entry(path).or_default().get_mut(number).ok_or_else(|| unknown(field))?;
        *slot = Some(stage);
    }
    let mut messages = Vec::new();
    while let Some(count) = fields.next().filter(|field| !field.is_empty()) {
        messages.push(message(count, &mut fields)?);
    }
    let paths = stages.into_iter().map(|(path, [base, ours, theirs])| ConflictPath {
        kind: kind(&path, &messages),
        path,
        base,
        ours,
        theirs,
    });
    Ok(Conflict { tree, paths: paths.collect(), messages })
}

/// `<mode> <id> <stage><TAB><path>`, stages counted from 1.
fn stage(field: &[u8]) -> Result<(TreePath, usize, Stage), GitError> {
    let tab = field.iter().position(|byte| *byte == b'\t').ok_or_else(|| unknown(field))?;
    let columns = String::from_utf8_lossy(&field[..tab]).into_owned();
    let columns: Vec<&str> = columns.split(' ').collect();
    let [mode, id, number] = columns.as_slice() else { return Err(unknown(field)) };
    let number: usize = number.parse().map_err(|_| unknown(field))?;
    let stage = Stage { mode: FileMode::parse(mode)?, blob: BlobId::parse(id)? };
    Ok((TreePath::parse(&field[tab + 1..])?, number.wrapping_sub(1), stage))
}

/// A number, as many paths, a stable name and a text.
fn message<'a>(
    count: &[u8],
    fields: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<ConflictMessage, GitError> {
    let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
    let count_text = text(count);
    let count: usize = count_text.parse().map_err(|_| unknown(count))?;
    let mut next = || fields.next().ok_or_else(|| unknown(b"a message cut short"));
    let mut paths = Vec::new();
    for _ in 0..count {
        // What is no path of a tree is a name git made up for its words.
        paths.extend(TreePath::parse(next()?).ok());
    }
    let kind = text(next()?);
    Ok(ConflictMessage { paths, kind, text: text(next()?).trim_end().to_owned() })
}

/// What the messages about a path call its conflict; where git is silent, both have other content.
fn kind(path: &TreePath, messages: &[ConflictMessage]) -> ConflictKind {
    let about = messages.iter().filter(|message| message.paths.contains(path));
    let mut kinds = about.filter_map(|message| conflict_name(&message.kind));
    match kinds.next() {
        None | Some("contents") => ConflictKind::Content,
        Some("binary") => ConflictKind::Binary,
        Some("modify/delete") => ConflictKind::ModifyDelete,
        Some("rename/delete") => ConflictKind::RenameDelete,
        Some("rename/rename" | "rename involved in collision") => ConflictKind::RenameRename,
        Some("file/directory") => ConflictKind::FileDirectory,
        Some("distinct modes") => ConflictKind::DistinctModes,
        Some(name) if name.contains("directory rename") => ConflictKind::DirectoryRename,
        Some(name) if name.starts_with("submodule") => ConflictKind::Submodule,
        Some(name) => ConflictKind::Other(name.to_owned()),
    }
}

/// What stands in the brackets of `CONFLICT (contents)`.
fn conflict_name(kind: &str) -> Option<&str> {
    kind.strip_prefix("CONFLICT")?.trim_start().strip_prefix('(')?.strip_suffix(')')
}

fn unknown(bytes: &[u8]) -> GitError {
    GitError::Answer { verb: "merge-tree".to_owned(), answer: String::from_utf8_lossy(bytes).into_owned() }
}
