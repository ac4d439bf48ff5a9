//! Repositories inside the worktree: which commit they stand at, whether their own worktree says the same.
//!
//! It stands apart because a candidate records a submodule by its commit alone: what is not in that commit is not in
//! the candidate, and the person must hear so. Their configuration is as much the worker's as the outer one's, so
//! they are looked at through gulf's own git directory too.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};

use super::beside;
use super::error::GitError;
use super::listing::Listing;
use super::names::{CommitId, TreePath};
use super::program::Call;
use super::snapshot::remove_if_there;
use super::store::Store;

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
pub(super) fn head(work_tree: &Utf8Path, path: &TreePath) -> Result<Option<CommitId>, GitError> {
    let Some(git_dir) = git_dir(work_tree, path) else { return Ok(None) };
    let answer = Call::new(work_tree.as_std_path(), &[], "rev-parse")
        .variable("GIT_DIR", &git_dir)
        .args(["-q", "--verify", "HEAD^{commit}"])
        .accept(&[0, 1, 128])
        .run()?;
    if answer.code == 0 { CommitId::parse(&answer.text()).map(Some) } else { Ok(None) }
}

/// Tells what is wrong with a submodule, if anything. One that was never checked out is nothing wrong.
pub(super) fn inspect(
    outer: &Store,
    work_tree: &Utf8Path,
    index: &Utf8Path,
    path: &TreePath,
) -> Result<Option<SubmoduleFinding>, GitError> {
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
    let clean = listing.differences.is_empty() && listing.nested.is_empty();
    Ok(if clean { None } else { finding(SubmoduleState::Dirty) })
}

/// The objects of a submodule, reached through gulf's own git directory.
pub(super) fn store_of(outer: &Store, work_tree: &Utf8Path, path: &TreePath) -> Option<Store> {
    let git_dir = git_dir(work_tree, path)?;
    let objects = common_dir(&git_dir).join("objects");
    objects.is_dir().then(|| Store { objects, ..outer.clone() })
}

/// A short name for a path that may be any bytes.
pub(super) fn digest(path: &TreePath) -> String {
    let hash = Sha256::digest(path.as_bytes());
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
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
