//! What a worker committed itself on the branch that it works on, and the candidate does not hold: no check saw it there.

use std::collections::HashSet;

use gulf_engine::Candidate;
use gulf_host::git::{Change, CommitId, CommitWithTree, GitError, Repository, TreeChangeKind, TreePath};
use gulf_spec::own_texts::own_text;

use crate::agreement::Agreement;
use crate::candidate::kept_candidate;
use crate::folder::LoopPaths;

#[derive(Debug, Default)]
pub(crate) struct WorkerCommits {
    /// The newest commit that can be the worker's.
    pub newest: Option<CommitId>,
    /// Undone again in the files, and so in the candidate.
    pub undone: Vec<TreePath>,
    /// In the files as in the commit, and in no candidate: git ignored it when the loop began.
    pub kept_out: Vec<TreePath>,
}

impl WorkerCommits {
    /// Those on the branch whose newest commit is `head`. What was committed after the last candidate is somebody else's.
    pub(crate) fn on(
        head: &CommitWithTree,
        candidate: &Candidate,
        (repository, agreement, folder): (&Repository, &Agreement, &LoopPaths),
    ) -> Result<Self, GitError> {
        let kept = kept_candidate(folder).filter(|kept| *kept.commit() == candidate.commit);
        let newest =
            kept.map(|kept| kept.head().clone()).filter(|newest| agreement.head.as_ref() != Some(newest));
        let Some(newest) = newest else { return Ok(Self::default()) };
        let paths =
            |old, new| Ok::<HashSet<_>, GitError>(repository.differing(old, new)?.into_iter().collect());
        let mut unlike = repository.diff(&head.tree, &candidate.tree)?;
        let work = paths(&agreement.base.tree, &candidate.tree)?;
        unlike.retain(|Change { path, .. }| !work.contains(path) && own_text(&path.to_string()).is_none());
        let mut found = Self { newest: Some(newest.clone()), ..Self::default() };
        if unlike.is_empty() || (newest != head.commit && !repository.descends(&head.commit, &newest)?) {
            return Ok(found);
        }
        let (start, of_newest) = (agreement.start_tree(repository)?, repository.tree_of(&newest)?);
        let (committed, since) = (paths(&start, &of_newest)?, paths(&of_newest, &head.tree)?);
        unlike.retain(|Change { path, .. }| committed.contains(path) && !since.contains(path));
        for Change { path, kind, .. } in unlike {
            let lies = path.below(&agreement.project).symlink_metadata().is_ok();
            let is_kept_out = kind == TreeChangeKind::Deleted && lies;
            if is_kept_out { &mut found.kept_out } else { &mut found.undone }.push(path);
        }
        Ok(found)
    }
}
