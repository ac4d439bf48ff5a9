//! Commits some paths on the branch that is checked out, as `git commit -- PATHS` does, of what gulf has verified.
//!
//! It stands apart because no file is touched: the index learns of these paths and of no other, then the branch moves by
//! compare-and-swap. What a crash leaves in between is staged and not committed; the same call ends it.

use std::collections::BTreeSet;

use crate::crash;
use crate::git::Repository;
use crate::git::branches::BranchName;
use crate::git::error::GitError;
use crate::git::listing::named_attributes;
use crate::git::names::{CommitId, TreeId, TreePath};
use crate::git::refs::{Expected, Head};
use crate::git::worktrees::Operation;

use super::Obstacle;

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
    Moved,
    /// HEAD is not where it was expected; nothing was touched.
    HeadMoved,
    /// Nothing was touched.
    NotReady {
        obstacle: Obstacle,
    },
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
    pub fn filtered_paths(&self, paths: &[TreePath]) -> Result<Vec<TreePath>, GitError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let named = named_attributes(self.person_call("check-attr")?, "filter", paths)?;
        Ok(named.into_iter().map(|(path, _)| path).collect())
    }

    /// Moves the branch to a commit of these paths, if HEAD still is where it was.
    pub fn record(&self, wanted: &Recording) -> Result<Recorded, GitError> {
        if let Some(obstacle) = self.in_way_of_commit() {
            return Ok(Recorded::NotReady { obstacle });
        }
        let is_there = match self.head()? {
            Head::Branch { name, commit } => name == wanted.branch.as_str() && wanted.from == Some(&commit),
            Head::Unborn { name } => name == wanted.branch.as_str() && wanted.from.is_none(),
            Head::Detached { .. } => false,
        };
        if !is_there {
            return Ok(Recorded::HeadMoved);
        }
        self.stage_tree(wanted.paths, wanted.index)?;
        crash::point("git.record.staged");
        let expected = wanted.from.map_or(Expected::Absent, |from| Expected::At(from.clone()));
        let call = self.person_call("update-ref")?;
        let call = call
            .variable("GIT_COMMITTER_NAME", "gulf")
            .variable("GIT_COMMITTER_EMAIL", "gulf@localhost")
            .args(["--create-reflog", "-m", "commit: by gulf"]);
        match self.swap(call, wanted.branch.as_str(), wanted.to, &expected) {
            Ok(()) => Ok(Recorded::Moved),
            Err(GitError::RefMoved { .. }) => Ok(Recorded::HeadMoved),
            Err(error) => Err(error),
        }
    }

    /// Takes what the commit has at these paths for what is in the index.
    pub fn stage_paths(&self, to: &CommitId, paths: &[TreePath]) -> Result<(), GitError> {
        self.stage_tree(paths, &self.tree_of(to)?)
    }

    fn stage_tree(&self, paths: &[TreePath], tree: &TreeId) -> Result<(), GitError> {
        let lines = self.index_lines_of(paths, tree)?;
        self.person_call("update-index")?.args(["-z", "--index-info"]).input(lines).run()?;
        Ok(())
    }

    /// What makes an index have at these paths what a tree has there; what the tree has nothing for goes first, so that a
    /// folder can stand where a file was.
    pub(super) fn index_lines_of(&self, paths: &[TreePath], tree: &TreeId) -> Result<Vec<u8>, GitError> {
        let asked: BTreeSet<&TreePath> = paths.iter().collect();
        let mut entries = self.list(tree)?;
        entries.retain(|entry| asked.contains(&entry.path));
        let standing: BTreeSet<&TreePath> = entries.iter().map(|entry| &entry.path).collect();
        let zero = self.layout.object_format.zero();
        let gone = asked.difference(&standing).map(|path| (format!("0 {zero}"), *path));
        let there =
            entries.iter().map(|entry| (format!("{} {}", entry.mode.as_str(), entry.blob), &entry.path));
        let mut lines = Vec::new();
        for (what, path) in gone.chain(there) {
            lines.extend_from_slice(what.as_bytes());
            lines.push(b'\t');
            lines.extend_from_slice(path.as_bytes());
            lines.push(0);
        }
        Ok(lines)
    }
}
