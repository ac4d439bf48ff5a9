//! Where the work stands on its base branch: a worker that merges the branch stands on a newer commit of it.
//!
//! It stands apart because what is asked of a candidate is asked in comparison with this commit: what others brought is
//! not the worker's change, and was tested when it landed.

use gulf_engine::{Base, CommitId, TreeId};
use gulf_host::git::{self, Fetch};

use super::base::BaseBranch;
use crate::agreement::LandingTerms;
use crate::book::Fold;
use crate::workshop::{Failure, Workshop};

impl Workshop {
    /// The newest commit of the base branch that this commit holds, where that is newer than what was known.
    pub(crate) fn newer_base(&self, head: &git::CommitId, fold: &Fold) -> Result<Option<Base>, Failure> {
        let Some(terms) = &self.agreement.landing else { return Ok(None) };
        let known = self.base(fold);
        let Some(common) = self.common_with(head, terms, known)? else { return Ok(None) };
        if common.as_str() == known.commit.as_str() {
            return Ok(None);
        }
        // A start with uncommitted changes is on no branch: the work stays compared with that.
        if !self.repository.descends(&common, &git::CommitId::parse(known.commit.as_str())?)? {
            return Ok(None);
        }
        let tree = self.repository.tree_of(&common)?;
        Ok(Some(Base { commit: CommitId::new(common.as_str()), tree: TreeId::new(tree.as_str()) }))
    }
    /// Of a remote's branch, a worker may have fetched and merged more than gulf has seen: the remote is asked, and only
    /// where the work stands on something new. Where it cannot be asked, what was merged counts as the worker's.
    fn common_with(
        &self,
        head: &git::CommitId,
        terms: &LandingTerms,
        known: &Base,
    ) -> Result<Option<git::CommitId>, Failure> {
        let common = |tip: Option<git::CommitId>| match tip {
            Some(tip) => self.repository.common_ancestor(head, &tip),
            None => Ok(None),
        };
        let base = BaseBranch::of(terms)?;
        let seen = common(base.tip(&self.repository)?)?;
        let BaseBranch::Remote(remote) = base else { return Ok(seen) };
        let told = common(self.repository.find_commit(&terms.base)?)?;
        let known = git::CommitId::parse(known.commit.as_str())?;
        for commit in [seen, told].into_iter().flatten() {
            if !self.repository.descends(&known, &commit)? {
                return Ok(match remote.fetch(&self.repository)? {
                    Fetch::Fetched { commit } => common(Some(commit))?,
                    Fetch::Absent | Fetch::Unreachable { .. } => None,
                });
            }
        }
        Ok(None)
    }
}
