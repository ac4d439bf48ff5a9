//! Makes a worktree with a branch of its own, and ends or takes back one that a crash left half made.
//!
//! Its steps are many and each may be the last: until all are done the worktree is locked with words that name it, so
//! nobody prunes it and gulf knows its own.

use std::{fs, io};

use camino::Utf8Path;

use super::{Worktree, same_place};
use crate::crash;
use crate::git::branches::BranchName;
use crate::git::checkout::Keep;
use crate::git::error::{GitError, Result};
use crate::git::exact::Exact;
use crate::git::listing::SubmoduleFinding;
use crate::git::names::CommitId;
use crate::git::refs::Expected;
use crate::git::snapshot::remove_if_there;
use crate::git::{Repository, beside};

/// Which worktree is wanted.
#[derive(Debug, Clone, Copy)]
pub struct AddWorktree<'a> {
    /// An absolute path where nothing is yet, or an empty folder.
    pub path: &'a Utf8Path,
    /// A branch that is not there yet.
    pub branch: &'a BranchName,
    pub at: &'a CommitId,
}

/// What became of a worktree whose making was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecoveredWorktree {
    /// It had been made already; nothing in it was touched.
    WasWhole,
    Finished,
    /// Neither the worktree nor its branch is there.
    Undone,
}

impl Repository {
    /// Makes the branch, and a linked worktree whose files are exactly those of the commit. No hook and no filter of
    /// the project runs. Gives the submodules whose objects are not here, so that their folders stay empty.
    pub fn add_worktree(&self, wanted: &AddWorktree) -> Result<Vec<SubmoduleFinding>> {
        if !is_free(wanted.path) {
            return Err(GitError::PathTaken { path: wanted.path.to_owned() });
        }
        self.create_branch(wanted.branch, wanted.at)?;
        crash::point("git.worktree.branch");
        let made = self.register(wanted).and_then(|()| self.fill(wanted));
        if made.is_err() {
            // The first failure is what the person hears of; what cannot be taken back is found by the next recovery.
            let _ = self.take_back(wanted);
        }
        made
    }

    /// Ends or takes back what a crash left of `add_worktree`; safe to call whatever became of it.
    pub fn recover_worktree(&self, wanted: &AddWorktree) -> Result<RecoveredWorktree> {
        let known = self.worktree_at(wanted.path)?;
        match known {
            Some(known) if known.locked.as_deref() != Some(&making(wanted.path)) => {
                if known.holds(wanted.branch) {
                    Ok(RecoveredWorktree::WasWhole)
                } else {
                    Err(GitError::PathTaken { path: wanted.path.to_owned() })
                }
            }
            Some(known) if known.holds(wanted.branch) && known.path.join(".git").is_file() => {
                self.fill(wanted).map(|_| RecoveredWorktree::Finished)
            }
            Some(_) | None => self.take_back(wanted).map(|()| RecoveredWorktree::Undone),
        }
    }

    pub(super) fn worktree_at(&self, path: &Utf8Path) -> Result<Option<Worktree>> {
        Ok(self.worktrees()?.into_iter().find(|known| same_place(&known.path, path)))
    }

    /// Makes the worktree known, without files, and locked.
    fn register(&self, wanted: &AddWorktree) -> Result<()> {
        let (reason, path) = (making(wanted.path), wanted.path.as_str());
        let add = ["add", "--quiet", "--no-checkout", "--lock", "--reason", &reason];
        self.worktree_verb(&[&add[..], &[path, wanted.branch.short()]].concat())?;
        crash::point("git.worktree.registered");
        Ok(())
    }

    /// Writes the files of the commit and lifts the lock.
    fn fill(&self, wanted: &AddWorktree) -> Result<Vec<SubmoduleFinding>> {
        let known = self.worktree_at(wanted.path)?.and_then(|known| known.git_dir);
        let git_dir = known.ok_or_else(|| GitError::NotAWorktree { path: wanted.path.to_owned() })?;
        let index = git_dir.join("index");
        remove_if_there(&beside(&index, ".lock"))?;
        self.store.refresh_info(&self.layout.common_dir)?;
        let (directory, commit, keep) = (wanted.path, wanted.at, Keep::Nothing);
        let outer = Exact { store: &self.store, directory, index: &index, commit, keep, keep_paths: &[] };
        let gitlinks = outer.bring()?.gitlinks;
        let submodules = self.populate(&outer, &gitlinks, self.work_tree(), 0)?;
        crash::point("git.worktree.filled");
        self.worktree_verb(&["unlock", wanted.path.as_str()])?;
        crash::point("git.worktree.unlocked");
        Ok(submodules)
    }

    /// Removes what was made: while the lock stands, nobody but gulf has put anything there.
    fn take_back(&self, wanted: &AddWorktree) -> Result<()> {
        let registered = self.worktree_at(wanted.path)?;
        if registered.is_some_and(|known| known.locked.as_deref() == Some(&making(wanted.path))) {
            let remove = self.person_call("worktree")?.args(["remove", "--force", "--force"]);
            // What git itself was cut off from making it may refuse; the rest is removed by hand.
            let _ = remove.arg(wanted.path.as_str()).accept(&[0, 128]).run()?;
        }
        self.forget_half_registered(wanted.path)?;
        remove_if_empty(wanted.path)?;
        crash::point("git.worktree.undone");
        if self.read_branch(wanted.branch)?.as_ref() == Some(wanted.at)
            && self.where_checked_out(wanted.branch)?.is_empty()
        {
            self.remove(wanted.branch.as_str(), &Expected::At(wanted.at.clone()))?;
        }
        Ok(())
    }

    /// Removes a registration that git did not finish, and the `.git` file that leads there.
    fn forget_half_registered(&self, path: &Utf8Path) -> Result<()> {
        let folder = self.layout.common_dir.join("worktrees");
        let Ok(entries) = folder.read_dir_utf8() else { return Ok(()) };
        for git_dir in entries.filter_map(Result::ok).map(|entry| entry.path().to_owned()) {
            let reason = fs::read_to_string(git_dir.join("locked")).unwrap_or_default();
            if reason.trim_end() != making(path) {
                continue;
            }
            let dot_git = path.join(".git");
            let leads_here = fs::read_to_string(&dot_git).is_ok_and(|text| text.contains(git_dir.as_str()));
            if leads_here {
                remove_if_there(&dot_git)?;
            }
            fs::remove_dir_all(&git_dir).map_err(GitError::file("remove", &git_dir))?;
        }
        Ok(())
    }
}

/// The words of the lock on a worktree that is not whole yet.
fn making(path: &Utf8Path) -> String {
    format!("gulf is making {path}")
}

/// Whether nothing is there, or a folder without anything in it.
fn is_free(path: &Utf8Path) -> bool {
    match path.read_dir_utf8() {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err(),
    }
}

fn remove_if_empty(path: &Utf8Path) -> Result<()> {
    match fs::remove_dir(path) {
        Ok(()) => Ok(()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) => {
            Ok(())
        }
        Err(source) => Err(GitError::file("remove", path)(source)),
    }
}
