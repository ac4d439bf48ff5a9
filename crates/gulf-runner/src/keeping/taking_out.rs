//! The loop's change taken out of the checkout again: what was there before the loop stays, and what was done since.

use std::collections::BTreeSet;

use gulf_host::git::{BranchName, BranchShift, CommitId, Head, LogLine, Shift, TreeId, TreePath};

use super::change::Change;
use super::{KeepingError, in_the_way, named, quoted};

/// So many commits are told.
const COMMITS_MAX: usize = 20;

/// What is taken out, and what stays.
#[derive(Debug)]
pub struct TakeOut {
    /// Files that go back to how they were.
    pub files: Vec<String>,
    /// Commits that go off the branch, the newest first, and the branch.
    pub commits: Vec<LogLine>,
    pub branch: Option<String>,
    /// Changed since the loop's end, and left as they are.
    pub left: Vec<String>,
    /// Does no candidate hold all that goes?
    pub(super) is_kept_apart: bool,
    pub(super) shift: Shift,
}

impl TakeOut {
    pub fn is_nothing(&self) -> bool {
        self.files.is_empty() && self.commits.is_empty() && self.shift.index.0 == self.shift.index.1
    }
}

impl Change {
    pub(super) fn to_take_out(&self) -> Result<TakeOut, KeepingError> {
        // What a turn that was cut off left is in no candidate: all that lies there is taken for its.
        let (work, is_kept_apart) = match &self.candidate {
            Some((_, tree)) => (tree, *tree != self.lies),
            None => (&self.lies, true),
        };
        let change = self.paths(&self.base, work)?;
        let back = self.back_to()?;
        let new_head = match &back {
            Some(back) => self.repository.tree_of(&back.to)?,
            None => {
                self.is_uncommitted(&change, work)?;
                self.head_tree.clone()
            }
        };
        let (files, conflicts) = self.merged(work, &self.lies, &self.base)?;
        if !conflicts.is_empty() {
            return Err(in_the_way(
                format!(
                    "changed since the loop's end, where it had changed them, too: {}",
                    named(&conflicts)
                ),
                format!(
                    "stash your part first: `git stash push -- {}`; or undo it by hand",
                    quoted(&conflicts)
                ),
            ));
        }
        let index = if self.is_git() {
            self.index_beside(&new_head, &change, (work, &self.base))?
        } else {
            self.staged.clone()
        };
        let commits = match &back {
            Some(back) => self.repository.log_since(&back.to, COMMITS_MAX)?,
            None => Vec::new(),
        };
        let text = |paths: BTreeSet<TreePath>| paths.iter().map(TreePath::to_string).collect();
        Ok(TakeOut {
            files: text(self.paths(&self.lies, &files)?),
            left: text(
                self.paths(work, &self.lies)?.into_iter().filter(|path| !change.contains(path)).collect(),
            ),
            commits,
            branch: back.as_ref().map(|back| back.name.short().to_owned()),
            is_kept_apart,
            shift: Shift {
                files: (self.lies.clone(), files),
                index: (self.staged.clone(), index),
                branch: back,
            },
        })
    }

    /// The branch goes back to where the loop began, where all that is on it since is the loop's.
    fn back_to(&self) -> Result<Option<BranchShift>, KeepingError> {
        let (name, now) = match &self.head {
            Some(Head::Branch { name, commit }) => (Some(name), commit),
            Some(Head::Detached { commit }) => (None, commit),
            Some(Head::Unborn { .. }) | None => return Ok(None),
        };
        let start =
            self.agreement.head.as_ref().map(|commit| CommitId::parse(commit.as_str())).transpose()?;
        if start.as_ref() == Some(now) || !self.is_within(now)? {
            return Ok(None);
        }
        let Some(to) = start else {
            return Err(in_the_way(
                "the first commit of this branch was made during the loop, and gulf leaves no branch without a commit",
                "`git update-ref -d HEAD` removes it; then `gulf discard` removes the files",
            ));
        };
        let Some(name) = name else {
            return Err(in_the_way(
                "commits were made during the loop, and no branch is checked out",
                format!("`git reset --keep {to}`; then `gulf discard` reverts the rest"),
            ));
        };
        if !self.repository.descends(now, &to)? {
            return Ok(None);
        }
        let why = format!("gulf discard: {}", self.agreement.loop_id);
        Ok(Some(BranchShift { name: BranchName::parse(name)?, from: Some(now.clone()), to, why }))
    }

    /// Was this commit there when the last candidate was built?
    fn is_within(&self, commit: &CommitId) -> Result<bool, KeepingError> {
        match &self.candidate {
            Some((candidate, _)) => Ok(candidate == commit || self.repository.descends(candidate, commit)?),
            None => Ok(true),
        }
    }

    /// What a person committed since is theirs to take back.
    fn is_uncommitted(&self, change: &BTreeSet<TreePath>, work: &TreeId) -> Result<(), KeepingError> {
        let (head, base, work) =
            (self.entries(&self.head_tree)?, self.entries(&self.base)?, self.entries(work)?);
        let is_committed =
            |path: &&TreePath| head.get(*path) == work.get(*path) && head.get(*path) != base.get(*path);
        let committed: Vec<&TreePath> = change.iter().filter(is_committed).collect();
        if committed.is_empty() || !self.is_git() {
            return Ok(());
        }
        Err(in_the_way(
            format!("the loop's change is committed on this branch: {}", named(&committed)),
            format!("`git log -- {}` shows the commit; `git revert` undoes it", quoted(&committed)),
        ))
    }
}
