//! Whether the work of a loop lies in the checkout and in no commit, and what of it a person may miss.

use camino::Utf8Path;
use gulf_engine::Candidate;
use gulf_host::git::{Discovery, GitError, Merged, Repository, TreeChangeKind, TreeId};

use crate::agreement::{Agreement, RepositoryKind};
use crate::folder::LoopPaths;
use crate::place::shadow_in;

/// The change of a loop that worked in the person's checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UncommittedChange {
    /// Files of the person's that it took away.
    pub deleted: Vec<String>,
    /// Files whose change by the loop cannot be told apart from what was uncommitted there before it.
    pub entangled: Vec<String>,
}

/// What of the candidate HEAD does not hold; without git, all of it. None where HEAD holds all, or nothing can be said.
pub fn uncommitted(
    agreement: &Agreement,
    folder: &LoopPaths,
    candidate: &Candidate,
) -> Option<UncommittedChange> {
    let (repository, head) = match agreement.repository {
        RepositoryKind::Own => {
            let Ok(Discovery::Repository(layout)) = Repository::discover(&agreement.project) else {
                return None;
            };
            let head = layout.head_with_tree().ok()?;
            (Repository::open(layout, &folder.git()).ok()?, head)
        }
        RepositoryKind::Shadow => {
            let shadow = shadow_in(folder.repository_home());
            (Repository::shadow(&agreement.project, &shadow, &folder.git()).ok()?, None)
        }
    };
    let head = head.map_or_else(|| repository.empty_tree(), |head| head.tree);
    let (is_all_in, found) = compared(&repository, agreement, candidate, &head).ok()?;
    (!is_all_in).then_some(found)
}

fn compared(
    repository: &Repository,
    agreement: &Agreement,
    candidate: &Candidate,
    head: &TreeId,
) -> Result<(bool, UncommittedChange), GitError> {
    let base = TreeId::parse(agreement.base.tree.as_str())?;
    let candidate = TreeId::parse(candidate.tree.as_str())?;
    let changes = repository.diff(&base, &candidate)?;
    let open = repository.differing(head, &candidate)?;
    let is_all_in = changes.iter().all(|change| !open.contains(&change.path));
    let deleted = changes.iter().filter(|change| change.kind == TreeChangeKind::Deleted);
    let deleted = deleted.map(|change| change.path.to_string()).collect();
    let was_dirty = |path: &Utf8Path| agreement.dirty_paths.iter().any(|dirty| dirty == path);
    let is_shared = changes.iter().any(|change| change.path.as_utf8().is_some_and(was_dirty));
    let entangled = match agreement.repository {
        RepositoryKind::Own if is_shared && !is_all_in => entangled(repository, (&base, head, &candidate))?,
        RepositoryKind::Own | RepositoryKind::Shadow => Vec::new(),
    };
    Ok((is_all_in, UncommittedChange { deleted, entangled }))
}

/// Where the loop's change does not go onto what is committed: what `gulf land` will name, too.
fn entangled(
    repository: &Repository,
    (base, head, candidate): (&TreeId, &TreeId, &TreeId),
) -> Result<Vec<String>, GitError> {
    Ok(match repository.merge_trees(base, head, candidate)? {
        Merged::Conflict(conflict) => conflict.paths.iter().map(|path| path.path.to_string()).collect(),
        Merged::Clean(_) | Merged::Unrelated => Vec::new(),
    })
}
