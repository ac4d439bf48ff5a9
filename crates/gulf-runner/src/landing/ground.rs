//! Where the work stands on its base branch: a worker that merges the branch stands on a newer commit of it.
//!
//! It stands apart because what is asked of a candidate is asked in comparison with this commit: what others brought is
//! not the worker's change, and was tested when it landed. What the worker put onto the base branch itself is its change.

use gulf_engine::{Base, CommitId, TreeId};
use gulf_host::git::{self, Fetch, Origin};

use super::base::BaseBranch;
use crate::agreement::{LandingTerms, short};
use crate::book::Fold;
use crate::error::Failure;
use crate::workshop::Workshop;

impl Workshop {
    /// The newest commit of the base branch that this commit holds, where that is newer than what was known and none of
    /// it is the worker's own; what is told of such is added to `drifted`.
    pub(crate) fn newer_base(
        &self,
        head: &git::CommitId,
        fold: &Fold,
        drifted: &mut Vec<String>,
    ) -> Result<Option<Base>, Failure> {
        let Some(terms) = &self.agreement.landing else { return Ok(None) };
        let known = self.base(fold);
        let Some(common) = self.common_with(head, terms, known)? else { return Ok(None) };
        if common.as_str() == known.commit.as_str() {
            return Ok(None);
        }
        // A start with uncommitted changes is on no branch: the work stays compared with that.
        let from = git::CommitId::parse(known.commit.as_str())?;
        if !self.repository.descends(&common, &from)? {
            return Ok(None);
        }
        if let Some(why) = own_work(&self.repository.origin(&from, &common)?) {
            drifted.push(format!(
                "{} ({why}; the work stays compared with {:.7})",
                short(&terms.base),
                from.as_str()
            ));
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

/// Why what the base branch holds by now may be the worker's own work, which no gate has seen; `None` where it is not.
fn own_work(origin: &Origin) -> Option<String> {
    match origin {
        Origin::Elsewhere => None,
        Origin::Here { commit } => {
            Some(format!("it was moved to the worker's own {:.7}, and not by a landing", commit.as_str()))
        }
        Origin::Unknown => Some("the worktree's log does not tell who made what it holds by now".to_owned()),
    }
}
