//! What differs in the worktree from HEAD, only looked at.
//!
//! It stands apart from the snapshot because nothing is stored: whoever only asks leaves no objects behind.

use camino::Utf8Path;

use super::SnapshotRequest;
use crate::git::Repository;
use crate::git::error::GitError;
use crate::git::names::TreePath;

impl Repository {
    /// The paths at which the worktree differs from HEAD, ignored files left out, in the order of their bytes.
    /// `index` is a file of the caller's own, made anew.
    pub fn changed_paths(&self, index: &Utf8Path) -> Result<Vec<TreePath>, GitError> {
        let base = self.head_with_tree(None)?.map_or_else(|| self.empty_tree(), |head| head.tree);
        let request = SnapshotRequest { index, base: Some(&base), loop_texts: &[], file_bytes_max: u64::MAX };
        self.store.refresh_info(&self.layout.common_dir)?;
        self.seed(&request)?;
        let plan = self.look(&request, None)?;
        let unreadable = plan.unreadable.into_iter().map(|unreadable| unreadable.path);
        let mut paths: Vec<TreePath> =
            plan.staged.into_iter().chain(plan.removals).chain(plan.nested).chain(unreadable).collect();
        paths.sort_by(|one, other| one.as_bytes().cmp(other.as_bytes()));
        paths.dedup();
        Ok(paths)
    }
}
