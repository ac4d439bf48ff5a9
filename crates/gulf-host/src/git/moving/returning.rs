//! Brings a checkout from a loop's branch back to the branch that holds the loop's work by now.
//!
//! No branch moves here: files and index go to what the branch holds, then HEAD stands on it. What is uncommitted and
//! in nobody's way travels along, as it does with `git switch`, but is staged no more; what is staged and stands in no
//! file is in the way, and so is a conflict that is not resolved.

use std::{fs, slice};

use camino::{Utf8Path, Utf8PathBuf};

use super::held::HeldCheckout;
use super::{Carries, InTheWay, Move};
use crate::crash;
use crate::git::Repository;
use crate::git::branches::BranchName;
use crate::git::error::Result;
use crate::git::names::{CommitId, TreeId, TreePath};
use crate::git::worktrees::Worktree;

/// From which branch this worktree shall go to which.
#[derive(Debug, Clone, Copy)]
pub struct Return<'a> {
    /// Where it stands.
    pub from: &'a BranchName,
    /// Where it shall stand, at the newest commit.
    pub to: &'a BranchName,
    /// What `to` must hold.
    pub landed: &'a CommitId,
    /// What lies in the files and is part of `landed`, so that nothing of it is lost.
    pub work: &'a TreeId,
    /// At and below these, files stay as they are, whatever is committed where.
    pub keeps: &'a [TreePath],
}

/// What came of going back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returned {
    /// It stands on the branch that holds the work.
    Back,
    /// It does not stand on that branch any more.
    Elsewhere,
    /// Nothing was touched.
    NotReady { reasons: Vec<InTheWay> },
    /// The branch is checked out there, and no branch is in two places.
    Taken { at: Utf8PathBuf },
    /// The branch does not hold what landed any more.
    Left,
}

impl Repository {
    /// Goes back, if nothing is in the way; ends or takes back what an attempt left that was cut off.
    pub fn go_back(&self, wanted: &Return) -> Result<Returned> {
        let Some(here) = self.worktrees()?.into_iter().find(|one| one.path == self.work_tree()) else {
            return Ok(Returned::Elsewhere);
        };
        self.settle_half_a_return(wanted, &here)?;
        if !here.stands_on(wanted.from) {
            return Ok(Returned::Elsewhere);
        }
        let Some(tip) = self.read_branch(wanted.to)? else { return Ok(Returned::Left) };
        if !self.descends(&tip, wanted.landed)? {
            return Ok(Returned::Left);
        }
        if let Some(other) = self.where_checked_out(wanted.to)?.into_iter().next() {
            return Ok(Returned::Taken { at: other.path });
        }
        self.way_back(wanted, &tip)?.carry_back(wanted.from, &here)
    }

    fn way_back<'a>(&'a self, wanted: &Return<'a>, tip: &CommitId) -> Result<Move<'a>> {
        let new_tree = self.tree_of(tip)?;
        Ok(Move {
            repository: self,
            branch: wanted.to.clone(),
            from: Some(tip.clone()),
            to: tip.clone(),
            old_tree: self.with_paths_of(wanted.work, wanted.keeps, &new_tree)?,
            new_tree,
            words: format!("{}{tip}\n", words_before_tip(wanted)),
            carries: Carries::Files { keeps: wanted.keeps },
        })
    }

    /// What a crash left half done becomes what it was before; where HEAD has moved already, what it was to be.
    fn settle_half_a_return(&self, wanted: &Return, here: &Worktree) -> Result<()> {
        let Some(tip) = here.git_dir.as_deref().and_then(|git_dir| tip_in_lock(wanted, git_dir)) else {
            return Ok(());
        };
        let way = self.way_back(wanted, &tip)?;
        let Some(lock) = HeldCheckout::left_by(&way, here)? else { return Ok(()) };
        let settled = if here.stands_on(wanted.from) {
            way.undo(slice::from_ref(&lock))
        } else if here.stands_on(wanted.to) {
            way.catch_up(&lock)
        } else {
            Ok(())
        };
        if settled.is_err() {
            lock.leave();
        }
        settled
    }
}

impl Move<'_> {
    fn carry_back(&self, from: &BranchName, here: &Worktree) -> Result<Returned> {
        let points = ["git.back.begin", "git.back.held", "git.back.released"];
        let act = |lock: &HeldCheckout| self.switch(lock).and_then(|()| self.catch_up(lock));
        let undo = |lock: &HeldCheckout| self.put_head(from).and_then(|()| self.undo(slice::from_ref(lock)));
        let reasons = self.alone_in(here, points, act, undo)?;
        Ok(if reasons.is_empty() { Returned::Back } else { Returned::NotReady { reasons } })
    }

    /// The branch may have moved before HEAD stood on it; since then whoever moves it finds this checkout locked.
    fn catch_up(&self, lock: &HeldCheckout) -> Result<()> {
        let now = self.repository.read_branch(&self.branch)?.unwrap_or_else(|| self.to.clone());
        if now == self.to { Ok(()) } else { self.onwards(&now)?.complete(slice::from_ref(lock)) }
    }

    /// From what this move leads to, to what the branch holds by now.
    fn onwards(&self, now: &CommitId) -> Result<Self> {
        let new_tree = self.repository.tree_of(now)?;
        let (from, old_tree) = (Some(self.to.clone()), self.new_tree.clone());
        Ok(Self { from, to: now.clone(), old_tree, new_tree, ..self.clone() })
    }

    fn put_head(&self, branch: &BranchName) -> Result<()> {
        let call = self.repository.person_call("symbolic-ref")?;
        call.args(["-m", "gulf: back to where the work landed", "HEAD", branch.as_str()]).run()?;
        Ok(())
    }

    /// The index, then files, then the index that belongs to them; HEAD last.
    fn switch(&self, lock: &HeldCheckout) -> Result<()> {
        lock.stage(&self.old_tree)?;
        crash::point("git.back.staged");
        lock.write_files(&self.old_tree, &self.new_tree)?;
        crash::point("git.back.files");
        lock.replace_index()?;
        crash::point("git.back.index");
        self.put_head(&self.branch)?;
        crash::point("git.back.head");
        Ok(())
    }
}

/// As it stands in the lock, before the commit.
fn words_before_tip(wanted: &Return) -> String {
    format!("gulf goes back from {} to {} at ", wanted.from.as_str(), wanted.to.as_str())
}

/// Where an attempt wanted to go that was cut off.
fn tip_in_lock(wanted: &Return, git_dir: &Utf8Path) -> Option<CommitId> {
    let words = fs::read_to_string(git_dir.join("index.lock")).ok()?;
    CommitId::parse(words.strip_prefix(&words_before_tip(wanted))?.trim_end()).ok()
}
