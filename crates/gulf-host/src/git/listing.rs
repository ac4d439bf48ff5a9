//! One look at a worktree through a private index: what stands in the index, and what differs from it.
//!
//! One call of git gives all of it, and both snapshots and submodules read it.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};

use super::beside;
use super::error::{GitError, Result};
use super::names::{CommitId, FileMode, TreePath};
use super::program::Call;
use super::snapshot::{nul_terminated, remove_if_there};
use super::store::Store;
use crate::digest::hexadecimal;

/// By these files git knows how bytes become files.
pub(super) const ATTRIBUTES: &[u8] = b".gitattributes";
/// By these also what to ignore.
const RULES: [&[u8]; 2] = [b".gitignore", ATTRIBUTES];

/// Asks by a call of `check-attr` which of these paths an attribute has a value for, and which.
pub(super) fn named_attributes(
    call: Call,
    attribute: &str,
    paths: &[TreePath],
) -> Result<Vec<(TreePath, String)>> {
    let answer = call.args(["-z", "--stdin", attribute]).input(nul_terminated(paths)).run()?;
    let mut fields = answer.stdout.split(|byte| *byte == 0);
    let mut found = Vec::new();
    while let (Some(path), Some(_), Some(value)) = (fields.next(), fields.next(), fields.next()) {
        if !matches!(value, b"unspecified" | b"unset" | b"set") {
            found.push((TreePath::parse(path)?, String::from_utf8_lossy(value).into_owned()));
        }
    }
    Ok(found)
}

/// The index, and how the worktree differs from it.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Everything the index holds.
    pub(super) tracked: Vec<TreePath>,
    /// Those of them that are submodules.
    pub(super) gitlinks: Vec<Gitlink>,
    /// Paths with the stages of a conflict; in no index of gulf's own.
    pub(super) unmerged: Vec<TreePath>,
    /// Those of them that say what is ignored and how bytes become files, each with what it holds.
    pub(super) rules: Vec<(TreePath, String)>,
    /// Those that are not in the worktree as the index has them, or not at all.
    pub(super) changed: Vec<TreePath>,
    /// Files of the worktree that the index does not know.
    pub(super) untracked: Vec<TreePath>,
    /// Repositories inside the worktree that the index does not know; where ignored files are listed as well, every
    /// folder that it does not know.
    pub(super) nested: Vec<TreePath>,
}

/// A submodule of the index.
#[derive(Debug, Clone)]
pub(super) struct Gitlink {
    pub(super) path: TreePath,
    pub(super) commit: CommitId,
}

impl Listing {
    /// Lists the index, and what in the worktree differs from it, ignored files left out.
    pub(super) fn read(store: &Store, work_tree: &Utf8Path, index: &Utf8Path) -> Result<Self> {
        Self::read_with(store, work_tree, index, "--exclude-standard")
    }

    /// The same with another option for what the index does not know.
    pub(super) fn read_with(
        store: &Store,
        work_tree: &Utf8Path,
        index: &Utf8Path,
        unknown: &str,
    ) -> Result<Self> {
        let call = store.call_in(work_tree, index, "ls-files");
        let answer = call.args(["-z", "-t", "-s", "-c", "-m", "-d", "-o", unknown]).run()?;
        let mut listing = Listing::default();
        for line in answer.entries() {
            listing.take(line)?;
        }
        Ok(listing)
    }

    /// Takes `? path`, or `TAG mode id stage<TAB>path`.
    fn take(&mut self, line: &[u8]) -> Result<()> {
        let unknown = || GitError::answer("ls-files", line);
        let (tag, rest) = line.split_at_checked(2).ok_or_else(unknown)?;
        if tag == b"? " {
            match rest.strip_suffix(b"/") {
                Some(directory) => self.nested.push(TreePath::parse(directory)?),
                None => self.untracked.push(TreePath::parse(rest)?),
            }
            return Ok(());
        }
        let ([mode, id, _], path) = columns(rest)?;
        match tag {
            // A removed file is listed as removed and then as changed.
            b"C " | b"R " if self.changed.last() == Some(&path) => {}
            b"C " | b"R " => self.changed.push(path),
            // H: in the index; S: in the index, and left out of a sparse worktree.
            b"H " | b"S " => {
                if mode == FileMode::Submodule.as_str() {
                    self.gitlinks.push(Gitlink { path: path.clone(), commit: CommitId::parse(id)? });
                }
                if RULES.contains(&path.file_name()) {
                    self.rules.push((path.clone(), id.to_owned()));
                }
                self.tracked.push(path);
            }
            // Up to three stages stand in a row.
            b"M " if self.unmerged.last() == Some(&path) => {}
            b"M " => self.unmerged.push(path),
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// All at which the worktree is not as the index says, in the order in which git lists them.
    pub(super) fn differing(&self) -> impl Iterator<Item = &TreePath> {
        self.untracked.iter().chain(&self.changed).chain(&self.nested)
    }
}

/// Three words and a path, as an index and a tree are listed: `mode id stage<TAB>path`, `mode type id<TAB>path`.
pub(super) fn columns(line: &[u8]) -> Result<([&str; 3], TreePath)> {
    let unknown = || GitError::answer("ls-files or ls-tree", line);
    let tab = line.iter().position(|byte| *byte == b'\t').ok_or_else(unknown)?;
    let mut words = std::str::from_utf8(&line[..tab]).unwrap_or_default().split(' ');
    let mut word = || words.next().ok_or_else(unknown);
    Ok(([word()?, word()?, word()?], TreePath::parse(&line[tab + 1..])?))
}

// Repositories inside the worktree: which commit they stand at, whether their own worktree says the same.

/// A submodule that is not exactly what the tree records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmoduleFinding {
    pub path: TreePath,
    pub state: SubmoduleState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmoduleState {
    /// Its worktree holds changes that its commit does not: they are not in the candidate.
    Dirty,
    /// A repository without a commit: nothing of it is in the candidate.
    WithoutCommit,
    /// Recorded, but the worktree has nothing to check it out from.
    NotCheckedOut,
}

/// The commit a nested repository stands at; `None` where there is no repository or no commit.
pub(super) fn head(work_tree: &Utf8Path, path: &TreePath) -> Result<Option<CommitId>> {
    let Some(git_dir) = git_dir(work_tree, path) else { return Ok(None) };
    let call = Call::new(work_tree.as_std_path(), &[], "rev-parse").variable("GIT_DIR", &git_dir);
    let answer = call.args(["-q", "--verify", "HEAD^{commit}"]).accept(&[0, 1, 128]).run()?;
    Ok(if answer.code == 0 { Some(CommitId::parse(&answer.text())?) } else { None })
}

/// Tells what is wrong with a submodule, if anything. One that was never checked out is nothing wrong.
pub(super) fn inspect(
    outer: &Store,
    work_tree: &Utf8Path,
    index: &Utf8Path,
    path: &TreePath,
) -> Result<Option<SubmoduleFinding>> {
    let finding = |state| Some(SubmoduleFinding { path: path.clone(), state });
    let (Some(store), Some(directory)) = (store_of(outer, work_tree, path), utf8_below(work_tree, path))
    else {
        return Ok(None);
    };
    let Some(commit) = head(work_tree, path)? else { return Ok(finding(SubmoduleState::WithoutCommit)) };
    let index = beside(index, &format!(".submodule-{}", digest(path)));
    remove_if_there(&beside(&index, ".lock"))?;
    let read = store.call_in(&directory, &index, "read-tree").args(["--reset", commit.as_str()]);
    read.run()?;
    store.call_in(&directory, &index, "update-index").args(["-q", "--refresh"]).accept(&[0, 1]).run()?;
    let listing = Listing::read(&store, &directory, &index)?;
    Ok(listing.differing().next().and_then(|_| finding(SubmoduleState::Dirty)))
}

/// The objects of a submodule, reached through gulf's own git directory.
pub(super) fn store_of(outer: &Store, work_tree: &Utf8Path, path: &TreePath) -> Option<Store> {
    let git_dir = git_dir(work_tree, path)?;
    let objects = common_dir(&git_dir).join("objects");
    objects.is_dir().then(|| Store { objects, ..outer.clone() })
}

/// A short name for a path that may be any bytes.
pub(super) fn digest(path: &TreePath) -> String {
    hexadecimal(&Sha256::digest(path.as_bytes())[..8])
}

pub(super) fn utf8_below(work_tree: &Utf8Path, path: &TreePath) -> Option<Utf8PathBuf> {
    path.as_utf8().map(|path| work_tree.join(path))
}

/// The git directory of a nested repository: `.git` itself, or what it names.
fn git_dir(work_tree: &Utf8Path, path: &TreePath) -> Option<Utf8PathBuf> {
    let directory = utf8_below(work_tree, path)?;
    let dot_git = directory.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    if !dot_git.is_file() {
        return None;
    }
    let text = fs::read_to_string(&dot_git).ok()?;
    Some(directory.join(text.strip_prefix("gitdir:")?.trim()))
}

fn common_dir(git_dir: &Utf8Path) -> Utf8PathBuf {
    let named = fs::read_to_string(git_dir.join("commondir")).ok();
    named.map_or_else(|| git_dir.to_owned(), |text| git_dir.join(text.trim()))
}
