//! Finds the files that git cannot store in the encoding that an attribute names.
//!
//! It stands apart because one such file would keep everything else out of the tree: git takes all paths or none.

use super::{SnapshotRequest, Unreadable, nul_terminated};
use crate::git::Repository;
use crate::git::error::GitError;
use crate::git::listing::named_attributes;
use crate::git::names::TreePath;

/// The attribute by which a file's bytes in the worktree are another encoding of those in its object.
const ENCODING: &str = "working-tree-encoding";
/// More files than this are not looked at one by one.
const PATHS_MAX: usize = 1_000;

impl Repository {
    /// Takes these paths into the index; those that git cannot store as what an attribute says they are stay as they
    /// were, and are named.
    pub(super) fn take_paths(
        &self,
        request: &SnapshotRequest,
        paths: &[TreePath],
    ) -> Result<Vec<Unreadable>, GitError> {
        let Err(error) = self.take_all(request, paths) else { return Ok(Vec::new()) };
        let GitError::Failed { .. } = error else { return Err(error) };
        let mut refused = Vec::new();
        for path in self.encoded(request, paths)? {
            match self.take_all(request, std::slice::from_ref(&path)) {
                Err(GitError::Failed { said, .. }) => refused.push(unreadable(path, &said)),
                taken => taken?,
            }
        }
        if refused.is_empty() {
            return Err(error);
        }
        let rest = paths.iter().filter(|path| refused.iter().all(|one| one.path != **path));
        self.take_all(request, &rest.cloned().collect::<Vec<_>>())?;
        Ok(refused)
    }

    fn take_all(&self, request: &SnapshotRequest, paths: &[TreePath]) -> Result<(), GitError> {
        let call = self.store.call_in(self.work_tree(), request.index, "update-index");
        // The refresh has 1 for an answer where loop texts or files left out differ: they are meant to.
        let call = call.args(["-q", "--refresh", "--add", "--remove", "--replace", "-z", "--stdin"]);
        call.input(nul_terminated(paths)).accept(&[0, 1]).run()?;
        Ok(())
    }

    /// Those of `paths` for which an encoding is named.
    fn encoded(&self, request: &SnapshotRequest, paths: &[TreePath]) -> Result<Vec<TreePath>, GitError> {
        let call = self.store.call_in(self.work_tree(), request.index, "check-attr");
        let named = named_attributes(call, ENCODING, paths)?;
        Ok(named.into_iter().take(PATHS_MAX).map(|(path, _)| path).collect())
    }
}

fn unreadable(path: TreePath, said: &str) -> Unreadable {
    let words = said.lines().last().unwrap_or_default();
    Unreadable {
        path,
        why: format!("it is not in the encoding that its attribute {ENCODING} names ({words})"),
    }
}
