//! Brings the files, the index and the branch of one checkout to what somebody worked out, beside all that a person left
//! uncommitted there.
//!
//! Files and index may each differ from every commit, and stay so: only the paths that are told change. The index is
//! locked by words that say for what; files first, then the index, the branch last. What a crash leaves is taken back
//! by who comes next.

use serde::{Deserialize, Serialize};

use super::held::HeldCheckout;
use super::{Carries, InTheWay, Move};
use crate::crash;
use crate::git::Repository;
use crate::git::branches::BranchName;
use crate::git::error::{GitError, Result};
use crate::git::names::{CommitId, TreeId, TreePath};
use crate::git::worktrees::Worktree;

/// From what to what a checkout goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shift {
    /// All that lies there and is not ignored, and what is to lie there.
    pub files: (TreeId, TreeId),
    /// What the index holds, and what it is to hold.
    pub index: (TreeId, TreeId),
    /// Where the branch stands that is checked out, and where it is to stand; none where it stays.
    pub branch: Option<BranchShift>,
}

/// A move of the branch that is checked out, forward or back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchShift {
    pub name: BranchName,
    /// None: it has no commit yet.
    pub from: Option<CommitId>,
    pub to: CommitId,
    /// For the branch's log.
    pub why: String,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shifted {
    /// Files, index and branch are as they were to be.
    Done,
    /// HEAD is not where it was expected; nothing was touched.
    HeadMoved,
    /// Nothing was touched.
    NotReady { reasons: Vec<InTheWay> },
}

impl Repository {
    /// Does it, if nothing is in the way.
    pub fn shift(&self, wanted: &Shift) -> Result<Shifted> {
        let here = self.this_worktree()?;
        let way = self.way_of(wanted)?;
        if !self.is_at(wanted)? {
            return Ok(Shifted::HeadMoved);
        }
        let points = ["git.shift.begin", "git.shift.held", "git.shift.released"];
        let act = |lock: &HeldCheckout| way.carry_out_shift(wanted, lock);
        let undo = |lock: &HeldCheckout| way.take_shift_back(wanted, lock);
        match way.alone_in(&here, points, act, undo) {
            Ok(reasons) if reasons.is_empty() => Ok(Shifted::Done),
            Ok(reasons) => Ok(Shifted::NotReady { reasons }),
            Err(GitError::RefMoved { .. }) => Ok(Shifted::HeadMoved),
            Err(error) => Err(error),
        }
    }

    /// Takes back what a crash left of it half done, unless the branch has moved: then all was done. Safe to call whatever
    /// became of it.
    pub fn settle_shift(&self, wanted: &Shift) -> Result<()> {
        let here = self.this_worktree()?;
        let way = self.way_of(wanted)?;
        let Some(lock) = HeldCheckout::left_by(&way, &here)? else { return Ok(()) };
        let has_moved = match &wanted.branch {
            Some(branch) => self.read_branch(&branch.name)?.as_ref() == Some(&branch.to),
            None => false,
        };
        let settled = if has_moved { Ok(()) } else { way.take_shift_back(wanted, &lock) };
        if settled.is_err() {
            lock.leave();
        }
        crash::point("git.shift.settled");
        settled
    }

    fn this_worktree(&self) -> Result<Worktree> {
        let here = self.worktrees()?.into_iter().find(|one| one.path == self.work_tree());
        here.ok_or_else(|| GitError::NotAWorktree { path: self.work_tree().to_owned() })
    }

    /// The files as a move; its branch and commits are nobody's, since here the branch has a way of its own.
    fn way_of(&self, wanted: &Shift) -> Result<Move<'_>> {
        let (old_tree, new_tree) = wanted.files.clone();
        let (name, to) = match &wanted.branch {
            Some(branch) => (branch.name.clone(), branch.to.clone()),
            None => (BranchName::from_short_name("gulf")?, CommitId::new(self.layout.object_format.zero())),
        };
        Ok(Move {
            repository: self,
            words: format!("gulf changes files from {old_tree} to {new_tree}, the branch to {to}\n"),
            carries: Carries::WhatStays,
            branch: name,
            from: None,
            to,
            old_tree,
            new_tree,
        })
    }

    fn is_at(&self, wanted: &Shift) -> Result<bool> {
        let Some(branch) = &wanted.branch else { return Ok(true) };
        Ok(self.head()?.on(&branch.name) == Some(branch.from.as_ref()))
    }

    /// The paths at which two trees differ.
    pub fn differing(&self, old: &TreeId, new: &TreeId) -> Result<Vec<TreePath>> {
        Ok(self.diff(old, new)?.into_iter().map(|change| change.path).collect())
    }
}

impl Move<'_> {
    fn carry_out_shift(&self, wanted: &Shift, lock: &HeldCheckout) -> Result<()> {
        if self.old_tree != self.new_tree {
            lock.write_files_apart(&self.old_tree, &self.new_tree)?;
        }
        crash::point("git.shift.files");
        let (old, new) = &wanted.index;
        self.stage_shift(lock, &self.repository.differing(old, new)?, new)?;
        crash::point("git.shift.index");
        if let Some(branch) = &wanted.branch {
            let call = self.repository.update_ref_call()?.args(["--create-reflog", "-m", &branch.why]);
            self.repository.swap(call, branch.name.as_str(), &branch.to, branch.from.as_ref())?;
        }
        crash::point("git.shift.branch");
        Ok(())
    }

    fn take_shift_back(&self, wanted: &Shift, lock: &HeldCheckout) -> Result<()> {
        self.bring_back(lock)?;
        let (old, new) = &wanted.index;
        self.stage_shift(lock, &self.repository.differing(old, new)?, old)
    }

    fn stage_shift(&self, lock: &HeldCheckout, paths: &[TreePath], tree: &TreeId) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        lock.stage_entries(self.repository.index_lines_of(paths, tree)?)
    }
}
