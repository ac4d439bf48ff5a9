//! Reads and writes objects: commits, differences between trees, listings, files.
//!
//! All of it is about ids alone: no worktree, no index, no reference.

use std::collections::{BTreeSet, HashMap};
use std::iter;

use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::Repository;
use super::error::{GitError, Result};
use super::listing::columns;
use super::names::{BlobId, CommitId, FileMode, ObjectFormat, TreeId, TreePath};
use crate::crash;
use crate::digest::hexadecimal;

/// A line of a listing is about as long.
const LINE_BYTES: usize = 64;

/// Seconds since 1970, in UTC: commits by gulf depend on what they are given, on no clock and no zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommitStamp {
    pub unix_seconds: u64,
}

/// Who makes a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committer {
    pub name: String,
    pub email: String,
}

impl Committer {
    /// What stands behind what gulf itself commits.
    pub fn gulf() -> Self {
        Self { name: "gulf".to_owned(), email: "gulf@localhost".to_owned() }
    }

    /// As git writes it, which leaves out what would end a name early.
    fn line(&self) -> String {
        let is_crud = |character: char| character <= ' ' || ",:;<>\"\\'".contains(character);
        let [name, email] =
            [&self.name, &self.email].map(|text| text.trim_matches(is_crud).replace(['\n', '<', '>'], ""));
        format!("{name} <{email}>")
    }
}

/// One file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub path: TreePath,
    pub mode: FileMode,
    pub blob: BlobId,
}

/// One path that two trees disagree about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: TreePath,
    pub kind: TreeChangeKind,
    pub old_blob: Option<BlobId>,
    pub new_blob: Option<BlobId>,
    /// A link leads from here to somewhere else: what is behind it is not in the tree.
    pub is_link: bool,
    /// Of a submodule, or of a repository that lies within, the tree has a commit's id alone.
    pub is_submodule: bool,
    /// It could be run as a program, and cannot any more.
    pub is_program_no_more: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeChangeKind {
    Added,
    /// Other bytes, or another executable bit.
    Modified,
    Deleted,
    /// A file became a link or a submodule, or the other way round.
    TypeChanged,
}

impl Repository {
    /// Makes a commit by `gulf <gulf@localhost>`: the same arguments give the same id, always.
    pub fn commit(
        &self,
        tree: &TreeId,
        parents: &[&CommitId],
        message: &str,
        when: CommitStamp,
    ) -> Result<CommitId> {
        self.commit_as(&Committer::gulf(), tree, parents, message, when)
    }

    /// Makes a commit by somebody.
    pub fn commit_as(
        &self,
        by: &Committer,
        tree: &TreeId,
        parents: &[&CommitId],
        message: &str,
        when: CommitStamp,
    ) -> Result<CommitId> {
        let named: Vec<String> =
            iter::once(tree.to_string()).chain(parents.iter().map(ToString::to_string)).collect();
        let found = self.headers(&named)?;
        if let Some(missing) = named.iter().zip(&found).find_map(|(id, found)| found.is_none().then_some(id))
        {
            // Git writes down whatever it is told.
            let (verb, said) = ("commit-tree".to_owned(), format!("{missing} is not there"));
            return Err(GitError::StoreDamaged { verb, said });
        }
        let mut text = format!("tree {tree}\n");
        for (at, parent) in parents.iter().enumerate() {
            if !parents[..at].contains(parent) {
                text.push_str(&format!("parent {parent}\n"));
            }
        }
        for role in ["author", "committer"] {
            text.push_str(&format!("{role} {} {} +0000\n", by.line(), when.unix_seconds));
        }
        text.push_str(&format!("\n{message}"));
        let file = self.store.temporary_file(text.as_bytes())?;
        let begin = || {
            let call = self.store.call("hash-object").args(["-t", "commit", "-w", "--stdin-paths"]);
            Ok(call.arg("--no-filters"))
        };
        crash::point("git.commit-tree");
        // Relative to where that git runs: no line can hold every path.
        let name = file.path().file_name().unwrap_or_default().as_encoded_bytes();
        let line = self.kept.commits.ask(&self.layout, begin, |git| {
            git.ask([name, b"\n"].concat(), |answer| answer.ends_with(b"\n"))
        })?;
        let commit = CommitId::parse(String::from_utf8_lossy(&line).trim_end())?;
        self.remembered.trees.keep(commit.clone(), tree.clone());
        Ok(commit)
    }

    /// The tree of a commit.
    pub fn tree_of(&self, commit: &CommitId) -> Result<TreeId> {
        let ask = || {
            let found = self.headers(&[format!("{commit}^{{tree}}")])?.pop().flatten();
            let found = found.ok_or_else(|| GitError::ObjectMissing { id: commit.to_string() })?;
            Ok(TreeId::parse(&found.id)?)
        };
        self.remembered.trees.or_ask(commit.clone(), |_| 1, ask)
    }

    /// The paths two trees disagree about, in the order of their bytes.
    pub fn diff(&self, old: &TreeId, new: &TreeId) -> Result<Vec<Change>> {
        if old == new {
            return Ok(Vec::new());
        }
        let ask = || self.diff_of(old.as_str(), new.as_str());
        self.remembered.differences.or_ask((old.clone(), new.clone()), Vec::len, ask)
    }

    /// The paths that are another in a tree than in a commit.
    pub fn diff_from(&self, old: &CommitId, new: &TreeId) -> Result<Vec<Change>> {
        self.diff_of(old.as_str(), new.as_str())
    }

    pub(super) fn diff_of(&self, old: &str, new: &str) -> Result<Vec<Change>> {
        let form = ["-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none"];
        let answer = self.store.call("diff-tree").args(form).args([old, new]).run()?;
        let mut fields = answer.entries();
        let mut changes = Vec::new();
        while let (Some(columns), Some(path)) = (fields.next(), fields.next()) {
            changes.push(change(columns, path)?);
        }
        Ok(changes)
    }

    /// Every file of a tree.
    pub fn list(&self, tree: &TreeId) -> Result<Vec<Entry>> {
        if *tree == self.empty_tree() {
            return Ok(Vec::new());
        }
        let ask = || {
            let answer = self.store.call("ls-tree").args(["-r", "-z", "--full-tree", tree.as_str()]).run()?;
            answer.entries().map(entry).collect()
        };
        self.remembered.lists.or_ask(tree.clone(), Vec::len, ask)
    }

    /// The file at `path` of a tree, or nothing where the tree has none.
    pub fn read_file(&self, tree: &TreeId, path: &TreePath, bytes_max: u64) -> Result<Option<Vec<u8>>> {
        let entries = self.list(tree)?;
        match entries.into_iter().find(|entry| entry.path == *path && entry.mode != FileMode::Submodule) {
            Some(entry) => self.read_blob(&entry.blob, bytes_max).map(Some),
            None => Ok(None),
        }
    }

    /// The bytes of one blob; one that is larger than `bytes_max` is an error.
    pub fn read_blob(&self, blob: &BlobId, bytes_max: u64) -> Result<Vec<u8>> {
        let ids = [blob.to_string()];
        let missing = || GitError::ObjectMissing { id: blob.to_string() };
        let header = self.headers(&ids)?.pop().flatten().filter(|header| header.kind == "blob");
        if header.ok_or_else(missing)?.bytes as u64 > bytes_max {
            return Err(GitError::BlobTooLarge { path: format!("blob {blob}"), bytes_max });
        }
        self.contents(&ids)?.pop().map(|(_, bytes)| bytes).ok_or_else(missing)
    }

    /// The bytes of those blobs that are here and not larger than `bytes_max`.
    pub fn read_small_blobs(&self, blobs: &[BlobId], bytes_max: u64) -> Result<HashMap<BlobId, Vec<u8>>> {
        let lines =
            |read: &HashMap<BlobId, Vec<u8>>| read.values().map(|bytes| bytes.len() / LINE_BYTES).sum();
        let ask = || {
            if blobs.is_empty() {
                return Ok(HashMap::new());
            }
            let ids: Vec<String> = blobs.iter().map(ToString::to_string).collect();
            // What is not here, or no blob, such as a submodule's commit, is left out.
            let found = self.headers(&ids)?.into_iter().flatten();
            let small = found.filter(|header| header.kind == "blob" && header.bytes as u64 <= bytes_max);
            let read = self.contents(&small.map(|header| header.id).collect::<Vec<_>>())?.into_iter();
            read.map(|(header, bytes)| Ok((BlobId::parse(&header.id)?, bytes))).collect()
        };
        self.remembered.contents.or_ask((blobs.to_vec(), bytes_max), lines, ask)
    }
}

/// As `update-index --index-info` reads them: mode and id of an entry, and its path.
pub(super) fn index_lines<'a>(entries: impl Iterator<Item = (String, &'a TreePath)>) -> Vec<u8> {
    entries.flat_map(|(what, path)| [what.as_bytes(), b"\t", path.as_bytes(), b"\0"].concat()).collect()
}

/// `:<mode> <mode> <id> <id> <letter>`
fn change(columns: &[u8], path: &[u8]) -> Result<Change> {
    let text = String::from_utf8_lossy(columns).into_owned();
    let unknown = || GitError::answer("diff-tree", &text);
    let columns: Vec<&str> = text.split(' ').collect();
    let [old_mode, mode, old, new, letter] = columns.as_slice() else { return Err(unknown()) };
    let kind = match *letter {
        "A" => TreeChangeKind::Added,
        "M" => TreeChangeKind::Modified,
        "D" => TreeChangeKind::Deleted,
        "T" => TreeChangeKind::TypeChanged,
        _ => return Err(unknown()),
    };
    let blob = |id: &str| (!id.bytes().all(|byte| byte == b'0')).then(|| BlobId::parse(id)).transpose();
    Ok(Change {
        path: TreePath::parse(path)?,
        kind,
        old_blob: blob(old)?,
        new_blob: blob(new)?,
        is_link: *mode == FileMode::Symlink.as_str(),
        is_submodule: *mode == FileMode::Submodule.as_str(),
        is_program_no_more: *old_mode == ":100755" && *mode == FileMode::File.as_str(),
    })
}

/// `<mode> <type> <id><TAB><path>`
fn entry(line: &[u8]) -> Result<Entry> {
    let ([mode, _, id], path) = columns(line)?;
    Ok(Entry { path, mode: FileMode::parse(mode)?, blob: BlobId::parse(id)? })
}

// Objects that are what their names say: git computes an id when it writes an object, and believes it when it reads one.
// Whoever may write in a repository can so put other bytes in the place of a file's.

/// So many objects are in memory at once.
const AT_ONCE: usize = 100;

/// No text that tests are made of is larger.
const BYTES_MAX: usize = 32 << 20;

/// Is that the object with this id?
pub(super) fn is_named(id: &str, kind: &str, bytes: &[u8], format: ObjectFormat) -> bool {
    let head = format!("{kind} {}\0", bytes.len());
    let computed = match format {
        ObjectFormat::Sha1 => hexadecimal(&Sha1::new().chain_update(head).chain_update(bytes).finalize()),
        ObjectFormat::Sha256 => hexadecimal(&Sha256::new().chain_update(head).chain_update(bytes).finalize()),
    };
    computed == id
}

impl Repository {
    /// Reads every folder of these trees: an error names one that is not what it is called.
    pub fn verify_trees(&self, trees: &[&TreeId]) -> Result<()> {
        let mut seen: BTreeSet<String> = trees.iter().map(ToString::to_string).collect();
        let mut due: Vec<String> = seen.iter().cloned().collect();
        while !due.is_empty() {
            let now: Vec<String> = due.drain(..due.len().min(AT_ONCE)).collect();
            for (_, bytes) in self.contents(&now)? {
                due.extend(folders(&bytes, self.layout.object_format).filter(|id| seen.insert(id.clone())));
            }
        }
        Ok(())
    }

    /// The same of these objects, but for the largest.
    pub fn verify_blobs(&self, ids: &[String]) -> Result<()> {
        for ids in ids.chunks(AT_ONCE) {
            let found = self.headers(ids)?.into_iter().flatten();
            let small = found.filter(|header| header.bytes <= BYTES_MAX).map(|header| header.id);
            self.contents(&small.collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// The folders in a tree: `<mode> <name>`, an end, and the bytes of the id.
fn folders(tree: &[u8], format: ObjectFormat) -> impl Iterator<Item = String> + use<'_> {
    let id_bytes = format.hexadecimal_digits() / 2;
    let mut rest = tree;
    let entries = std::iter::from_fn(move || {
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (name, behind) = rest.split_at(end);
        let id = behind.get(1..=id_bytes)?;
        rest = &behind[1 + id_bytes..];
        Some((name.starts_with(b"40000 "), id))
    });
    entries.filter(|(is_folder, _)| *is_folder).map(|(_, id)| hexadecimal(id))
}
