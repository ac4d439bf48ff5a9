//! Brings files of the checkout back from one tree to another.
//!
//! It stands apart because neither a branch nor the person's index moves with them. Git refuses, and touches nothing, where
//! a file is not as the first tree has it; cut off in the middle, the same call with a new look at the checkout ends it.

use crate::crash;

use super::Repository;
use super::error::GitError;
use super::names::TreeId;
use super::snapshot::remove_if_there;

impl Repository {
    /// Writes where the trees differ, and nothing else.
    pub fn put_back(&self, from: &TreeId, to: &TreeId) -> Result<(), GitError> {
        if from == to {
            return Ok(());
        }
        let index = self.store.directory.join("put-back");
        remove_if_there(&index)?;
        let call = |verb| self.store.call_in(self.work_tree(), &index, verb);
        call("read-tree").arg(from.as_str()).run()?;
        call("update-index").args(["-q", "--refresh"]).accept(&[0, 1]).run()?;
        crash::point("git.put-back");
        call("read-tree").args(["-m", "-u", from.as_str(), to.as_str()]).run()?;
        remove_if_there(&index)
    }
}
