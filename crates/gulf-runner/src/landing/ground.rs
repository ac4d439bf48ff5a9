//! Where the work stands on its base branch: a worker that merges the branch stands on a newer commit of it.
//!
//! It stands apart because what is asked of a candidate is asked in comparison with this commit: what others brought is
//! not the worker's change, and was tested when it landed.

use gulf_engine::{Base, CommitId, TreeId};
use gulf_host::git;

use crate::book::Fold;
use crate::workshop::{Failure, Workshop};

impl Workshop {
    /// The newest commit of the base branch that this commit holds, where that is newer than what was known.
    pub(crate) fn newer_base(&self, head: &git::CommitId, fold: &Fold) -> Result<Option<Base>, Failure> {
        let Some(terms) = &self.agreement.landing else { return Ok(None) };
        let Some(tip) = self.repository.find_commit(&terms.base)? else { return Ok(None) };
        let known = self.base(fold);
        let Some(common) = self.repository.common_ancestor(head, &tip)? else { return Ok(None) };
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
}
