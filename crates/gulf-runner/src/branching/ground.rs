//! The ground that a loop stands on: its branch, checked out in a worktree of its own or in the person's checkout.
//!
//! It is made before the loop is sealed, and must be taken back where that does not come about.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::crash;
use gulf_host::git::{
    AddWorktree, BranchName, CommitId, Holders, RecoveredWorktree, Repository, SubmoduleState, TreePath,
};
use gulf_spec::own_texts::{OWN_TEXTS, Writer};
use serde::{Deserialize, Serialize};

use super::{BranchingError, StartingPoint};
use crate::agreement::LandingPlace;
use crate::error::RunError;
use crate::place::PlaceOfWork;
use crate::texts::{TEXT_BYTES_MAX, bring_texts, not_written};

/// Where a loop is to stand; what stands in the record of a beginning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// In full.
    pub branch: String,
    /// A folder that is made, or the person's checkout.
    pub path: Utf8PathBuf,
    /// The commit at which the branch begins.
    pub at: CommitId,
    pub place: LandingPlace,
    /// In full: where the checkout goes back to.
    pub base: String,
}

impl Site {
    pub(super) fn branch(&self) -> Result<BranchName, RunError> {
        Ok(BranchName::parse(&self.branch)?)
    }

    /// Makes the branch, and the worktree where there is to be one.
    pub(super) fn make(&self, start: &StartingPoint) -> Result<Vec<String>, BranchingError> {
        let branch = self.branch()?;
        match self.place {
            LandingPlace::Worktree => {
                let failed = |source| BranchingError::Folder { path: self.path.clone(), source };
                fs::create_dir(&self.path).map_err(failed)?;
                let wanted = AddWorktree { path: &self.path, branch: &branch, at: &self.at };
                let submodules = start.repository.add_worktree(&wanted)?;
                let empty = submodules.iter().filter(|one| one.state == SubmoduleState::NotCheckedOut);
                let told =
                    |path| format!("the submodule {path} is not checked out here, so it is empty there");
                Ok(empty.map(|one| told(&one.path)).collect())
            }
            LandingPlace::InPlace => {
                start.repository.create_branch(&branch, &self.at)?;
                crash::point("branching.branch");
                start.repository.stand_on(&branch)?;
                Ok(Vec::new())
            }
        }
    }

    /// Brings the person's texts, and tells which: what is sealed is what they hold.
    pub(super) fn bring_texts(&self, person: &Utf8Path) -> Result<Vec<String>, RunError> {
        let brought = match self.place {
            LandingPlace::Worktree => bring_texts(person, &self.path)?,
            LandingPlace::InPlace => Vec::new(),
        };
        let told = |name| format!("{name} is not committed: the loop gets it as it lies here");
        Ok(brought.into_iter().map(told).collect())
    }

    /// Takes back what no loop stands on. What somebody else put there stays, and so does the branch then.
    pub(super) fn take_back(
        &self,
        place: &PlaceOfWork,
        repository: &Repository,
    ) -> Result<Option<String>, RunError> {
        let branch = self.branch()?;
        match self.place {
            LandingPlace::Worktree => {
                let wanted = AddWorktree { path: &self.path, branch: &branch, at: &self.at };
                match repository.recover_worktree(&wanted)? {
                    RecoveredWorktree::Undone => return Ok(None),
                    RecoveredWorktree::WasWhole | RecoveredWorktree::Finished => {}
                }
                self.take_texts(&place.project, repository)?;
                crash::point("branching.texts-taken");
                if let Some(kept) = repository.remove_worktree(&self.path, Holders::Anything)? {
                    let (path, why) = (&self.path, kept.description());
                    return Ok(Some(format!("{path} stays, of a start that failed: {why}")));
                }
            }
            LandingPlace::InPlace => {
                let stands = repository.where_checked_out(&branch)?;
                if stands.iter().any(|one| one.path == place.project) {
                    repository.stand_on(&BranchName::parse(&self.base)?)?;
                }
            }
        }
        crash::point("branching.ground-gone");
        repository.delete_branch(&branch, &self.at, Holders::Anything)?;
        Ok(None)
    }

    /// Takes the brought texts away again, as far as they are the person's own to the byte.
    fn take_texts(&self, person: &Utf8Path, repository: &Repository) -> Result<(), RunError> {
        let tree = repository.tree_of(&self.at)?;
        for text in OWN_TEXTS.iter().filter(|text| text.writer == Writer::Person) {
            let (from, to) = (person.join(text.path), self.path.join(text.path));
            let (theirs, there) = (fs::read(&from).ok(), fs::read(&to).ok());
            if there.is_none() || there != theirs {
                continue;
            }
            match repository.read_file(&tree, &TreePath::try_from(text.path)?, TEXT_BYTES_MAX)? {
                Some(committed) if Some(&committed) == there.as_ref() => {}
                Some(committed) => fs::write(&to, &committed).map_err(not_written(&to))?,
                None => fs::remove_file(&to).map_err(not_written(&to))?,
            }
        }
        Ok(())
    }
}
