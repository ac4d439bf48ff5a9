//! Reads what `git merge-tree --write-tree -z` answers (its documentation, "OUTPUT").
//!
//! It stands apart because it is a format: fields that end with NUL, sections that end with an empty field.

use std::collections::BTreeMap;

use super::{Conflict, ConflictKind, ConflictMessage, ConflictPath, Stage};
use crate::git::error::GitError;
use crate::git::names::{BlobId, FileMode, TreeId, TreePath};

/// The tree that opens every answer, and what follows it.
pub(super) fn tree(bytes: &[u8]) -> Result<(TreeId, &[u8]), GitError> {
    let end = bytes.iter().position(|byte| *byte == 0).ok_or_else(|| unknown(bytes))?;
    Ok((TreeId::parse(&String::from_utf8_lossy(&bytes[..end]))?, &bytes[end + 1..]))
}

/// The stages of each path, and then the messages.
pub(super) fn conflict(tree: TreeId, bytes: &[u8]) -> Result<Conflict, GitError> {
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
