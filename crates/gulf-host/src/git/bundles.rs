//! Keeps commits in one file, for whoever wants to look at what did not land.
//!
//! It stands apart because such a file outlives branches and worktrees: `git fetch FILE` brings everything back.

use camino::Utf8Path;

use super::branches::BranchName;
use super::error::GitError;
use super::names::CommitId;
use super::scratch::Scratch;
use super::{Repository, beside};
use crate::crash;
use crate::git::snapshot::remove_if_there;

/// What came of keeping commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bundle {
    /// The file is there, and git has read it again.
    Written,
    /// Everything is in what was left out; there is no file.
    Nothing,
}

impl Repository {
    /// Writes a bundle with these commits, named as branches, and their history without that of `not`.
    pub fn bundle(
        &self,
        path: &Utf8Path,
        commits: &[(BranchName, CommitId)],
        not: &[CommitId],
    ) -> Result<Bundle, GitError> {
        let mut kept = Vec::new();
        for (name, commit) in commits {
            if !self.is_in_one_of(commit, not)? {
                kept.push((name.as_str().to_owned(), commit.clone()));
            }
        }
        if kept.is_empty() {
            return Ok(Bundle::Nothing);
        }
        let scratch = Scratch::with_commits(self, &kept)?;
        let partial = beside(path, ".part");
        remove_if_there(&partial)?;
        let mut call = scratch.call(&[], "bundle").args(["create", "--quiet", partial.as_str()]);
        for (name, _) in &kept {
            call = call.arg(name);
        }
        for commit in not {
            call = call.arg(format!("^{commit}"));
        }
        call.run()?;
        scratch.call(&[], "bundle").args(["verify", "--quiet", partial.as_str()]).run()?;
        crash::point("git.bundle");
        std::fs::rename(&partial, path).map_err(GitError::file("write", path))?;
        Ok(Bundle::Written)
    }

    fn is_in_one_of(&self, commit: &CommitId, others: &[CommitId]) -> Result<bool, GitError> {
        for other in others {
            if self.descends(other, commit)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
