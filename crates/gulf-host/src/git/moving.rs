//! Moves a branch forward, and with it the checkouts that stand on it: all of it or nothing.
//!
//! This is the one place where gulf touches a person's branch, index and files. The order makes a crash harmless: the
//! branch is locked, then each index; files are written, then indexes; the branch moves last, and the locks on the
//! indexes, which say whose they are, go after that.

mod held;
mod obstacles;
mod recovery;
mod returning;
mod shifting;

use std::collections::BTreeSet;
use std::slice;
use std::time::Duration;

use camino::Utf8PathBuf;
use held::HeldCheckout;

use super::Repository;
use super::branches::BranchName;
use super::error::{GitError, Result};
use super::listing::named_attributes;
use super::names::{CommitId, TreeId, TreePath};
use super::objects::index_lines;
use super::program::{Call, Conversation};
use super::worktrees::{Operation, Worktree};
use crate::crash;

pub use obstacles::{InTheWay, Obstacle};
pub use recovery::RecoveredMove;
pub use returning::{Return, Returned};
pub use shifting::{BranchShift, Shift, Shifted};

/// The longest that a git which holds a branch may think about one line, and take to let go.
const LOCK_TIME_MAX: Duration = Duration::from_secs(120);

/// Which branch shall go from where to where.
#[derive(Debug, Clone, Copy)]
pub struct FastForward<'a> {
    /// A symbolic one is followed.
    pub branch: &'a BranchName,
    /// `None`: it has no commit yet.
    pub from: Option<&'a CommitId>,
    /// A commit that comes from `from`.
    pub to: &'a CommitId,
}

/// What came of moving a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advance {
    /// With the checkouts that went along.
    Moved { checkouts: Vec<Utf8PathBuf> },
    /// It is not where it was expected; nothing was touched.
    BaseMoved { now: Option<CommitId> },
    /// Nothing was touched.
    NotReady { reasons: Vec<InTheWay> },
}

/// A move with everything looked up once.
#[derive(Clone)]
struct Move<'a> {
    repository: &'a Repository,
    branch: BranchName,
    from: Option<CommitId>,
    to: CommitId,
    old_tree: TreeId,
    new_tree: TreeId,
    /// What stands in its locks: whose they are, and for what.
    words: String,
    carries: Carries<'a>,
}

/// What may lie in a checkout that goes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carries<'a> {
    /// Nothing that is not committed.
    Nothing,
    /// Whatever is not touched, in the files and in the index.
    WhatStays,
    /// Whatever is not touched in the files; the index is taken for what the old tree holds. `keeps`: as in `Return`.
    Files { keeps: &'a [TreePath] },
}

impl Repository {
    /// Moves the branch, if it still is at `from` and nothing is in the way; a checkout of it gets the files of `to`.
    pub fn fast_forward(&self, wanted: &FastForward) -> Result<Advance> {
        if let Some(from) = wanted.from
            && !self.descends(wanted.to, from)?
        {
            return Err(GitError::NotDescendant { newer: wanted.to.clone(), older: from.clone() });
        }
        let wanted = Move::new(self, wanted)?;
        let now = self.read_branch(&wanted.branch)?;
        if now != wanted.from {
            return Ok(Advance::BaseMoved { now });
        }
        // Looked at before anything is locked, so that who is in the way is not disturbed either.
        let reasons = wanted.obstacles(&wanted.checkouts()?)?;
        if !reasons.is_empty() {
            return Ok(Advance::NotReady { reasons });
        }
        wanted.run()
    }

    /// What keeps the branch from being moved now: nothing is locked, nothing touched.
    pub fn readiness(&self, wanted: &FastForward) -> Result<Vec<InTheWay>> {
        let wanted = Move::new(self, wanted)?;
        wanted.obstacles(&wanted.checkouts()?)
    }
}

impl<'a> Move<'a> {
    fn new(repository: &'a Repository, wanted: &FastForward) -> Result<Self> {
        let real = repository.real_branch(wanted.branch)?;
        let branch = real.ok_or_else(|| GitError::NotABranch { name: wanted.branch.clone() })?;
        let old_tree = match wanted.from {
            Some(from) => repository.tree_of(from)?,
            None => repository.empty_tree(),
        };
        let from = wanted.from.map_or("nothing", CommitId::as_str);
        Ok(Self {
            repository,
            words: format!("gulf moves {} from {from} to {}\n", branch.as_str(), wanted.to),
            carries: Carries::Nothing,
            branch,
            from: wanted.from.cloned(),
            to: wanted.to.clone(),
            old_tree,
            new_tree: repository.tree_of(wanted.to)?,
        })
    }

    /// Where the branch is checked out. A worktree whose folder is gone is nobody's, unless it is locked: then it
    /// lies on a disk that comes back.
    fn checkouts(&self) -> Result<Vec<Worktree>> {
        let mut checkouts = self.repository.where_checked_out(&self.branch)?;
        checkouts.retain(|checkout| checkout.path.is_dir() || checkout.locked.is_some());
        Ok(checkouts)
    }

    fn run(&self) -> Result<Advance> {
        crash::point("git.move.begin");
        let mut transaction = match self.lock_branch() {
            Ok(transaction) => transaction,
            Err(error) => return self.explain(error),
        };
        crash::point("git.move.locked");
        let checkouts = self.checkouts()?;
        let mut held = Vec::new();
        for checkout in &checkouts {
            match HeldCheckout::take(self, checkout)? {
                Some(lock) => held.push(lock),
                None => return Ok(Advance::NotReady { reasons: InTheWay::index_locked(checkout) }),
            }
        }
        crash::point("git.move.held");
        // Nobody changes branch or index any more; what came in between counts.
        let reasons = self.obstacles(&checkouts)?;
        if !reasons.is_empty() {
            return Ok(Advance::NotReady { reasons });
        }
        if let Err(error) = self.carry_out(&held, &mut transaction) {
            // Only the branch itself tells whether an answer that did not come was a yes.
            drop(transaction);
            if self.repository.read_branch(&self.branch)?.as_ref() != Some(&self.to) {
                if self.undo(&held).is_err() {
                    // What is neither old nor new stays locked, and is found by the next recovery.
                    held.into_iter().for_each(HeldCheckout::leave);
                }
                return Err(error);
            }
        }
        drop(held);
        crash::point("git.move.released");
        Ok(Advance::Moved { checkouts: checkouts.into_iter().map(|checkout| checkout.path).collect() })
    }

    /// Does something in one checkout whose index nobody else changes meanwhile, and takes it back where it fails;
    /// `points` are its places to be killed at. Gives what was in the way: nothing was touched then.
    fn alone_in(
        &self,
        here: &Worktree,
        points: [&'static str; 3],
        act: impl FnOnce(&HeldCheckout) -> Result<()>,
        undo: impl FnOnce(&HeldCheckout) -> Result<()>,
    ) -> Result<Vec<InTheWay>> {
        let [begin, held, released] = points;
        let obstacles = || self.obstacles(slice::from_ref(here));
        let reasons = obstacles()?;
        if !reasons.is_empty() {
            return Ok(reasons);
        }
        crash::point(begin);
        let Some(lock) = HeldCheckout::take(self, here)? else { return Ok(InTheWay::index_locked(here)) };
        crash::point(held);
        // Nobody changes the index any more; what came in between counts.
        let reasons = obstacles()?;
        if !reasons.is_empty() {
            return Ok(reasons);
        }
        if let Err(error) = act(&lock) {
            if undo(&lock).is_err() {
                // What is neither old nor new stays locked, and is found by who comes next.
                lock.leave();
            }
            return Err(error);
        }
        drop(lock);
        crash::point(released);
        Ok(Vec::new())
    }

    /// Files, then indexes, then the branch.
    fn carry_out(&self, held: &[HeldCheckout], transaction: &mut Conversation) -> Result<()> {
        for lock in held {
            lock.write_files(&self.old_tree, &self.new_tree)?;
            crash::point("git.move.files");
        }
        for lock in held {
            lock.replace_index()?;
            crash::point("git.move.index");
        }
        transaction.say(b"commit\0", "commit: ok")?;
        crash::point("git.move.branch");
        Ok(())
    }

    /// Prepares the move of the branch: until the conversation ends nobody else moves it.
    fn lock_branch(&self) -> Result<Conversation> {
        let old = self.repository.id_or_zero(self.from.as_ref());
        self.prepare(&format!("update {}\0{}\0{old}\0", self.branch.as_str(), self.to))
    }

    /// Keeps the branch where it is until the conversation ends.
    fn hold_branch(&self, now: Option<&CommitId>) -> Result<Conversation> {
        let now = self.repository.id_or_zero(now);
        self.prepare(&format!("verify {}\0{now}\0", self.branch.as_str()))
    }

    fn prepare(&self, instruction: &str) -> Result<Conversation> {
        let call = self.repository.update_ref_call()?;
        let call = call.args(["-m", "gulf: fast-forward", "--no-deref", "--stdin", "-z"]);
        let mut transaction = call.wall_max(LOCK_TIME_MAX).converse(LOCK_TIME_MAX)?;
        transaction.say(b"start\0", "start: ok")?;
        transaction.say(format!("{instruction}prepare\0").as_bytes(), "prepare: ok")?;
        Ok(transaction)
    }

    /// Git says with one exit code that a branch moved and that it is locked: the branch itself tells which.
    fn explain(&self, error: GitError) -> Result<Advance> {
        let now = self.repository.read_branch(&self.branch)?;
        if now != self.from {
            return Ok(Advance::BaseMoved { now });
        }
        let GitError::Failed { said, .. } = error else { return Err(error) };
        let checkout = self.repository.work_tree().to_owned();
        let obstacle = Obstacle::BranchLocked(said);
        Ok(Advance::NotReady { reasons: vec![InTheWay { checkout, obstacle }] })
    }
}

// Commits some paths on the branch that is checked out, as `git commit -- PATHS` does, of what gulf has verified.

/// Which commit the checked-out branch shall stand at, and what it changes.
#[derive(Debug, Clone, Copy)]
pub struct Recording<'a> {
    pub branch: &'a BranchName,
    /// `None`: it has no commit yet.
    pub from: Option<&'a CommitId>,
    /// A child of `from`.
    pub to: &'a CommitId,
    /// Where the index learns of it.
    pub paths: &'a [TreePath],
    /// What it has at these paths afterwards; the commit's own tree where nothing else is staged there.
    pub index: &'a TreeId,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// The branch is at the commit.
    Moved,
    /// HEAD is not where it was expected; nothing was touched.
    HeadMoved,
    /// Nothing was touched.
    NotReady { obstacle: Obstacle },
}

impl Repository {
    /// What keeps anything from being committed in this checkout now.
    pub fn in_way_of_commit(&self) -> Option<Obstacle> {
        if let Some(operation) = Operation::in_progress(&self.layout.git_dir) {
            return Some(Obstacle::Operation(operation));
        }
        self.layout.git_dir.join("index.lock").exists().then_some(Obstacle::IndexLocked)
    }

    /// Those of `paths` that go through a program on their way into a commit, as large files do: gulf runs none.
    pub fn filtered_paths(&self, paths: &[TreePath]) -> Result<Vec<TreePath>> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let named = named_attributes(self.person_call("check-attr")?, "filter", paths)?;
        Ok(named.into_iter().map(|(path, _)| path).collect())
    }

    /// Moves the branch to a commit of these paths, if HEAD still is where it was.
    pub fn record(&self, wanted: &Recording) -> Result<Recorded> {
        if let Some(obstacle) = self.in_way_of_commit() {
            return Ok(Recorded::NotReady { obstacle });
        }
        if self.head()?.on(wanted.branch) != Some(wanted.from) {
            return Ok(Recorded::HeadMoved);
        }
        self.stage_tree(wanted.paths, wanted.index)?;
        crash::point("git.record.staged");
        let call = self.update_ref_call()?.args(["--create-reflog", "-m", "commit: by gulf"]);
        match self.swap(call, wanted.branch.as_str(), wanted.to, wanted.from) {
            Ok(()) => Ok(Recorded::Moved),
            Err(GitError::RefMoved { .. }) => Ok(Recorded::HeadMoved),
            Err(error) => Err(error),
        }
    }

    /// Takes what the commit has at these paths for what is in the index.
    pub fn stage_paths(&self, to: &CommitId, paths: &[TreePath]) -> Result<()> {
        self.stage_tree(paths, &self.tree_of(to)?)
    }

    /// A call that moves a branch of the person's; its log names gulf.
    fn update_ref_call(&self) -> Result<Call> {
        let call = self.person_call("update-ref")?.variable("GIT_COMMITTER_NAME", "gulf");
        Ok(call.variable("GIT_COMMITTER_EMAIL", "gulf@localhost"))
    }

    fn stage_tree(&self, paths: &[TreePath], tree: &TreeId) -> Result<()> {
        let lines = self.index_lines_of(paths, tree)?;
        self.person_call("update-index")?.args(["-z", "--index-info"]).input(lines).run()?;
        Ok(())
    }

    /// What makes an index have at these paths what a tree has there; what the tree has nothing for goes first, so that a
    /// folder can stand where a file was.
    fn index_lines_of(&self, paths: &[TreePath], tree: &TreeId) -> Result<Vec<u8>> {
        let asked: BTreeSet<&TreePath> = paths.iter().collect();
        let mut entries = self.list(tree)?;
        entries.retain(|entry| asked.contains(&entry.path));
        let standing: BTreeSet<&TreePath> = entries.iter().map(|entry| &entry.path).collect();
        let zero = self.layout.object_format.zero();
        let gone = asked.difference(&standing).map(|path| (format!("0 {zero}"), *path));
        let there =
            entries.iter().map(|entry| (format!("{} {}", entry.mode.as_str(), entry.blob), &entry.path));
        Ok(index_lines(gone.chain(there)))
    }
}
