//! What is left to do once the work has landed: a checkout that the loop worked in goes back to the base branch.
//!
//! It stands apart from landing because that is true whatever becomes of this: nothing here keeps a loop from ending, and
//! all of it may be done again after a crash.

use gulf_engine::{Candidate, LandingWord};
use gulf_host::crash;
use gulf_host::git::{BranchName, CommitId, Deletion, Holders, InTheWay, Return, Returned, TreeId, TreePath};
use gulf_spec::own_texts::{OWN_TEXTS, Writer};

use crate::agreement::{LandingPlace, LandingTerms, short};
use crate::book::Fold;
use crate::error::{RunError, in_full};
use crate::workshop::Workshop;

impl Workshop {
    /// Leaves the ground that the loop stood on, where its work has landed; says what a person should know of it.
    pub(crate) fn leave_ground(&self, fold: &Fold) -> Vec<String> {
        let Some(LandingWord::Landed { commit, .. }) = fold.state.landing() else { return Vec::new() };
        fold.state.candidate().map(|candidate| self.leave_ground_of(candidate, commit)).unwrap_or_default()
    }

    /// The same for this candidate, which that commit holds.
    pub(super) fn leave_ground_of(
        &self,
        candidate: &Candidate,
        commit: &gulf_engine::CommitId,
    ) -> Vec<String> {
        let Some(terms) = &self.agreement.landing else { return Vec::new() };
        let left = match terms.place {
            LandingPlace::Worktree => Ok(None),
            LandingPlace::InPlace => self.go_back(terms, candidate, commit.as_str()),
        };
        match left {
            Ok(note) => note.into_iter().collect(),
            Err(error) => vec![stays(terms, &in_full(&error))],
        }
    }

    /// The person's checkout stands on the base branch again, and the loop's branch is gone where nothing is lost by it.
    fn go_back(
        &self,
        terms: &LandingTerms,
        candidate: &Candidate,
        landed: &str,
    ) -> Result<Option<String>, RunError> {
        // A remote's branch is nothing to stand on.
        let Ok(to) = BranchName::parse(&terms.base) else { return Ok(None) };
        let from = BranchName::parse(&terms.branch)?;
        let Some(newest) = self.repository.read_branch(&from)? else { return Ok(None) };
        let (landed, work) = (CommitId::parse(landed)?, self.work_in_files(candidate, &newest)?);
        let keeps = texts_of(Writer::Loop)?;
        let wanted = Return { from: &from, to: &to, landed: &landed, work: &work, keeps: &keeps };
        let returned = self.repository.go_back(&wanted)?;
        crash::point("landing.back");
        let why = match returned {
            Returned::Back { .. } | Returned::Elsewhere => return self.remove_branch(&from, &newest),
            Returned::NotReady { reasons } => InTheWay::all(&reasons),
            Returned::Taken { at } => format!("{to} is checked out at {at}"),
            Returned::Left => format!("{to} no longer contains the work"),
        };
        Ok(Some(stays(terms, &why)))
    }

    /// What of the candidate lies in the files: the person's texts and private files are no part of it.
    fn work_in_files(&self, candidate: &Candidate, newest: &CommitId) -> Result<TreeId, RunError> {
        let mut others = texts_of(Writer::Person)?;
        for path in self.agreement.verification.environment.private_paths() {
            others.push(TreePath::try_from(path.as_str())?);
        }
        let tree = TreeId::parse(candidate.tree.as_str())?;
        let committed = self.repository.tree_of(newest)?;
        Ok(self.repository.with_paths_of(&tree, &others, &committed)?)
    }

    fn remove_branch(&self, branch: &BranchName, newest: &CommitId) -> Result<Option<String>, RunError> {
        let deletion = self.repository.delete_branch(branch, newest, Holders::AnythingBut(branch))?;
        crash::point("landing.branch-gone");
        Ok(match deletion {
            Deletion::Deleted | Deletion::Absent => None,
            Deletion::Moved { .. } => {
                Some(format!("the branch {branch} stays: it has moved in the meantime"))
            }
            Deletion::Unreachable { commit } => {
                Some(format!("the branch {branch} stays: no other contains its commit {commit}"))
            }
            Deletion::CheckedOut { at } => {
                Some(format!("the branch {branch} stays: it is checked out at {at}"))
            }
        })
    }
}

fn texts_of(writer: Writer) -> Result<Vec<TreePath>, RunError> {
    let texts = OWN_TEXTS.iter().filter(|text| text.writer == writer);
    texts.map(|text| Ok(TreePath::try_from(text.path.trim_end_matches('/'))?)).collect()
}

fn stays(terms: &LandingTerms, why: &str) -> String {
    let (branch, base) = (short(&terms.branch), short(&terms.base));
    format!(
        "this checkout stays on {branch}: {why}. Commit there what you want to keep; then `git switch {base}` brings you \
         to what landed"
    )
}
