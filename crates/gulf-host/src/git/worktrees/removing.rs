//! Removes a worktree, unless something would be lost with it.
//!
//! Every reason to keep it is looked for by gulf itself: git would run the project's filters to find out, and knows
//! nothing of who holds the branch's commits.

use camino::Utf8Path;

use super::{Operation, Worktree};
use crate::crash;
use crate::git::Repository;
use crate::git::branches::Holders;
use crate::git::checkout::has;
use crate::git::error::GitError;
use crate::git::listing;
use crate::git::names::{CommitId, TreeId, TreePath, first_of};
use crate::git::refs::Head;
use crate::git::worktree_view::WorktreeView;

/// What of a worktree is held elsewhere, so that it is not lost with it.
#[derive(Debug, Clone, Copy)]
pub struct Elsewhere<'a> {
    /// Who may hold its commits.
    pub commits: Holders<'a>,
    /// The files of commits that are held: what lies there as one of these has it needs no commit of its own.
    pub files: &'a [TreeId],
    /// Paths, each with all below it, of which somebody has a copy.
    pub copied: &'a [TreePath],
}

impl<'a> From<Holders<'a>> for Elsewhere<'a> {
    fn from(commits: Holders<'a>) -> Self {
        Self { commits, files: &[], copied: &[] }
    }
}

/// Why a worktree stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptWorktree {
    /// It is the repository's own.
    Main,
    /// Somebody locked it, perhaps with a word why.
    Locked { reason: String },
    /// A merge, a rebase or the like that nobody has ended.
    Busy(Operation),
    /// Files that no commit has: changed, staged, untracked and not ignored, in conflict, or repositories of their own.
    Uncommitted { paths: Vec<TreePath> },
    /// A submodule holds changes or commits that are nowhere else.
    Submodule { path: TreePath },
    /// Its newest commit is held by nothing that was named.
    Unreachable { commit: CommitId },
    /// What it stands at cannot be read.
    Unreadable,
}

impl KeptWorktree {
    /// For people: what keeps it.
    pub fn description(&self) -> String {
        match self {
            KeptWorktree::Main => "it is the repository's own worktree".to_owned(),
            KeptWorktree::Locked { reason } if reason.is_empty() => "it is locked".to_owned(),
            KeptWorktree::Locked { reason } => format!("it is locked: {reason}"),
            KeptWorktree::Busy(operation) => format!("{} is in progress there", operation.description),
            KeptWorktree::Uncommitted { paths } => format!("in no commit: {}", first_of(paths)),
            KeptWorktree::Submodule { path } => {
                format!("the submodule {path} holds work that exists nowhere else")
            }
            KeptWorktree::Unreachable { commit } => format!("no other branch contains its commit {commit}"),
            KeptWorktree::Unreadable => "its HEAD cannot be read".to_owned(),
        }
    }
}

impl Repository {
    /// Removes the worktree at `path`, its ignored files too, where nothing is lost by it; its branch stays. Says what keeps
    /// it, where it stays.
    pub fn remove_worktree<'a>(
        &self,
        path: &Utf8Path,
        held: impl Into<Elsewhere<'a>>,
    ) -> Result<Option<KeptWorktree>, GitError> {
        let Some(worktree) = self.worktree_at(path)? else { return Ok(None) };
        // Cut off in the middle, what is left would look like a change; the lock tells that it was looked through.
        let was_cut_off = worktree.locked.as_deref() == Some(&removing(&worktree.path));
        if !was_cut_off {
            if let Some(kept) = self.why_keep(&worktree, held.into())? {
                return Ok(Some(kept));
            }
            self.worktree_verb(&["lock", "--reason", &removing(&worktree.path), worktree.path.as_str()])?;
        }
        crash::point("git.worktree.remove");
        self.worktree_verb(&["remove", "--force", "--force", worktree.path.as_str()])?;
        crash::point("git.worktree.removed");
        Ok(None)
    }

    /// What keeps the worktree at `path` from being removed; none where it can go, or is not there.
    pub fn keeps_worktree<'a>(
        &self,
        path: &Utf8Path,
        held: impl Into<Elsewhere<'a>>,
    ) -> Result<Option<KeptWorktree>, GitError> {
        let Some(worktree) = self.worktree_at(path)? else { return Ok(None) };
        // A removal that was cut off had looked.
        let was_cut_off = worktree.locked.as_deref() == Some(&removing(&worktree.path));
        if was_cut_off { Ok(None) } else { self.why_keep(&worktree, held.into()) }
    }

    /// What git ignores in the worktree at `path`; a folder of which nothing else is known is named as one.
    pub fn ignored_in(&self, path: &Utf8Path) -> Result<Vec<TreePath>, GitError> {
        let Some((worktree, git_dir)) = self.worktree_at(path)?.and_then(|worktree| {
            let git_dir = worktree.git_dir.clone()?;
            worktree.path.is_dir().then_some((worktree, git_dir))
        }) else {
            return Ok(Vec::new());
        };
        WorktreeView::unlisted(self, &worktree.path, &git_dir)?.ignored()
    }

    fn why_keep(&self, worktree: &Worktree, held: Elsewhere) -> Result<Option<KeptWorktree>, GitError> {
        let Some(git_dir) = worktree.git_dir.as_ref().filter(|git_dir| **git_dir != self.layout.common_dir)
        else {
            return Ok(Some(KeptWorktree::Main));
        };
        if let Some(reason) = &worktree.locked {
            return Ok(Some(KeptWorktree::Locked { reason: reason.clone() }));
        }
        if let Some(operation) = &worktree.operation {
            return Ok(Some(KeptWorktree::Busy(operation.clone())));
        }
        let Some(commit) = worktree.head.as_ref().and_then(Head::commit) else {
            return Ok(Some(KeptWorktree::Unreadable));
        };
        if !self.is_reachable(commit, held.commits)? {
            return Ok(Some(KeptWorktree::Unreachable { commit: commit.clone() }));
        }
        if worktree.path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let standing = WorktreeView::read(self, &worktree.path, git_dir)?;
        let paths = self.uncommitted(&standing, commit, held)?;
        if !paths.is_empty() {
            return Ok(Some(KeptWorktree::Uncommitted { paths }));
        }
        self.submodule_with_work(worktree, &standing)
    }

    /// The paths whose content, in the files or in the index, is held by nothing that was named.
    fn uncommitted(
        &self,
        standing: &WorktreeView,
        commit: &CommitId,
        held: Elsewhere,
    ) -> Result<Vec<TreePath>, GitError> {
        let mut staged = standing.staged_beside(&self.tree_of(commit)?)?;
        let mut changed: Vec<TreePath> = standing.listing.differing().cloned().collect();
        for files in held.files {
            if staged.is_empty() && changed.is_empty() {
                break;
            }
            let beside = standing.staged_beside(files)?;
            staged.retain(|path| beside.contains(path));
            let beside = standing.compared_with(files)?;
            changed.retain(|path| beside.listing.differing().any(|other| other == path));
        }
        let mut paths = [staged, changed, standing.listing.unmerged.clone()].concat();
        paths.retain(|path| !path.is_within(held.copied));
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    /// The first submodule with changes, or with a commit that the person's own submodule does not have.
    fn submodule_with_work(
        &self,
        worktree: &Worktree,
        standing: &WorktreeView,
    ) -> Result<Option<KeptWorktree>, GitError> {
        for gitlink in &standing.listing.gitlinks {
            let path = gitlink.path.clone();
            let Some(head) = listing::head(&worktree.path, &path)? else { continue };
            let theirs = listing::store_of(&self.store, self.work_tree(), &path);
            let is_elsewhere = theirs.is_some_and(|store| has(&store, &head));
            let finding = listing::inspect(&self.store, &worktree.path, &standing.index, &path)?;
            if finding.is_some() || !is_elsewhere {
                return Ok(Some(KeptWorktree::Submodule { path }));
            }
        }
        Ok(None)
    }
}

/// The words of the lock on a worktree that is being removed.
fn removing(path: &Utf8Path) -> String {
    format!("gulf is removing {path}")
}
