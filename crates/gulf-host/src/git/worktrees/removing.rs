//! Removes a worktree, unless something would be lost with it.
//!
//! Every reason to keep it is looked for by gulf itself: git would run the project's filters to find out, and knows
//! nothing of who holds the branch's commits.

use camino::Utf8Path;

use super::Worktree;
use crate::crash;
use crate::git::Repository;
use crate::git::branches::Holders;
use crate::git::checkout::has;
use crate::git::error::Result;
use crate::git::listing::{self, Gitlink};
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
pub struct KeptWorktree {
    pub(in crate::git) why: String,
    /// Files that no commit has: changed, staged, untracked and not ignored, in conflict, or repositories of their own.
    pub(in crate::git) uncommitted: Vec<TreePath>,
}

impl KeptWorktree {
    /// For people: what keeps it.
    pub fn description(&self) -> String {
        let Self { why, uncommitted } = self;
        if uncommitted.is_empty() { why.clone() } else { format!("{why}: {}", first_of(uncommitted)) }
    }
}

impl Repository {
    /// Removes the worktree at `path`, its ignored files too, where nothing is lost by it; its branch stays. Says what keeps
    /// it, where it stays.
    pub fn remove_worktree<'a>(
        &self,
        path: &Utf8Path,
        held: impl Into<Elsewhere<'a>>,
    ) -> Result<Option<KeptWorktree>> {
        let Some(worktree) = self.worktree_at(path)? else { return Ok(None) };
        if let Some(kept) = self.why_keep(&worktree, held.into())? {
            return Ok(Some(kept));
        }
        if worktree.locked.is_none() {
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
    ) -> Result<Option<KeptWorktree>> {
        match self.worktree_at(path)? {
            Some(worktree) => self.why_keep(&worktree, held.into()),
            None => Ok(None),
        }
    }

    /// What git ignores in the worktree at `path`; a folder of which nothing else is known is named as one.
    pub fn ignored_in(&self, path: &Utf8Path) -> Result<Vec<TreePath>> {
        let worktree = self.worktree_at(path)?.filter(|worktree| worktree.path.is_dir());
        let Some(worktree) = worktree else { return Ok(Vec::new()) };
        let Some(git_dir) = &worktree.git_dir else { return Ok(Vec::new()) };
        self.store.refresh_info(&self.layout.common_dir)?;
        WorktreeView::unlisted(self, &worktree.path, git_dir)?.ignored()
    }

    fn why_keep(&self, worktree: &Worktree, held: Elsewhere) -> Result<Option<KeptWorktree>> {
        if worktree.locked.as_deref() == Some(&removing(&worktree.path)) {
            // Its removal was cut off, after it had been looked through: what is left would look like a change.
            return Ok(None);
        }
        let because = |why: &str| Ok(Some(KeptWorktree { why: why.to_owned(), uncommitted: Vec::new() }));
        let Some(git_dir) = worktree.git_dir.as_ref().filter(|git_dir| **git_dir != self.layout.common_dir)
        else {
            return because("it is the repository's own worktree");
        };
        match worktree.locked.as_deref() {
            None => {}
            Some("") => return because("it is locked"),
            Some(reason) => return because(&format!("it is locked: {reason}")),
        }
        if let Some(operation) = &worktree.operation {
            return because(&format!("{} is in progress there", operation.description));
        }
        let Some(commit) = worktree.head.as_ref().and_then(Head::commit) else {
            return because("its HEAD cannot be read");
        };
        if !self.is_reachable(commit, held.commits)? {
            return because(&format!("no other branch contains its commit {commit}"));
        }
        if worktree.path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let standing = WorktreeView::read(self, &worktree.path, git_dir)?;
        let uncommitted = self.uncommitted(&standing, commit, held)?;
        if !uncommitted.is_empty() {
            return Ok(Some(KeptWorktree { why: "in no commit".to_owned(), uncommitted }));
        }
        match self.submodule_with_work(worktree, &standing)? {
            Some(path) => because(&format!("the submodule {path} holds work that exists nowhere else")),
            None => Ok(None),
        }
    }

    /// The paths whose content, in the files or in the index, is held by nothing that was named.
    fn uncommitted(&self, view: &WorktreeView, commit: &CommitId, held: Elsewhere) -> Result<Vec<TreePath>> {
        let mut staged = view.staged_beside(&self.tree_of(commit)?)?;
        let mut changed: Vec<TreePath> = view.listing.differing().cloned().collect();
        for files in held.files {
            if staged.is_empty() && changed.is_empty() {
                break;
            }
            let beside = view.staged_beside(files)?;
            staged.retain(|path| beside.contains(path));
            let beside = view.compared_with(files)?;
            changed.retain(|path| beside.listing.differing().any(|other| other == path));
        }
        let mut paths = [staged, changed, view.listing.unmerged.clone()].concat();
        paths.retain(|path| !path.is_within(held.copied));
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    /// The first submodule with changes, or with a commit that the person's own submodule does not have.
    fn submodule_with_work(&self, worktree: &Worktree, standing: &WorktreeView) -> Result<Option<TreePath>> {
        for Gitlink { path, .. } in &standing.listing.gitlinks {
            let Some(head) = listing::head(&worktree.path, path)? else { continue };
            let theirs = listing::store_of(&self.store, self.work_tree(), path);
            let is_elsewhere = theirs.is_some_and(|store| has(&store, &head));
            let finding = listing::inspect(&self.store, &worktree.path, &standing.index, path)?;
            if finding.is_some() || !is_elsewhere {
                return Ok(Some(path.clone()));
            }
        }
        Ok(None)
    }
}

/// The words of the lock on a worktree that is being removed.
fn removing(path: &Utf8Path) -> String {
    format!("gulf is removing {path}")
}
