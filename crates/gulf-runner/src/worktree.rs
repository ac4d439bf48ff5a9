//! What lies in a worktree as a commit, uncommitted changes included (SPEC G2).
//!
//! It stands apart because a loop's base and what `gulf verify` looks at must be made in the same way.

use camino::Utf8Path;
use gulf_engine::CommitId as Committed;
use gulf_host::git::{CommitId, Repository, SnapshotRequest, TreeId, TreePath};
use gulf_host::provision::dependency_folders;
use gulf_spec::own_texts::{OWN_TEXTS, Writer};

use crate::error::RunError;
use crate::snapshot::{left_out, stamp};
use crate::texts::FILE_BYTES_MAX;

/// A worktree as it lies there.
#[derive(Clone, Debug)]
pub(crate) struct Lying {
    /// The branch's own commit where nothing is uncommitted.
    pub(crate) commit: CommitId,
    pub(crate) tree: TreeId,
    /// Where HEAD stands; none on a branch without a commit.
    pub(crate) head: Option<CommitId>,
    pub(crate) head_tree: TreeId,
    /// What is not part of the tree, each with the reason.
    pub(crate) left_out: Vec<String>,
    /// Ignored folders that hold dependencies, and those named in `caches`.
    pub(crate) dependency_folders: Vec<String>,
}

impl Lying {
    /// A commit in its place, with the dependencies that lie here.
    pub(crate) fn of_commit(self, repository: &Repository, commit: &Committed) -> Result<Self, RunError> {
        let commit = CommitId::parse(commit.as_str())?;
        let tree = repository.tree_of(&commit)?;
        Ok(Self { head_tree: tree.clone(), left_out: Vec::new(), commit, tree, ..self })
    }
}

/// Takes the worktree as it is. A person's texts are part of it as they lie there; the loop's own stand as they were
/// committed.
pub(crate) fn as_it_lies(
    repository: &Repository,
    index: &Utf8Path,
    caches: &[String],
    message: &str,
    at_ms: u64,
) -> Result<Lying, RunError> {
    let head = repository.head_with_tree(None)?;
    let head_tree = head.as_ref().map_or_else(|| repository.empty_tree(), |head| head.tree.clone());
    let of_the_loop = OWN_TEXTS
        .iter()
        .filter(|text| matches!(text.writer, Writer::Loop))
        .map(|text| Ok(TreePath::try_from(text.path.trim_end_matches('/'))?))
        .collect::<Result<Vec<_>, RunError>>()?;
    let taken = repository.snapshot(&SnapshotRequest {
        index,
        base: Some(&head_tree),
        loop_texts: &of_the_loop,
        file_bytes_max: FILE_BYTES_MAX,
    })?;
    let commit = match &head {
        Some(head) if head_tree == taken.tree => head.commit.clone(),
        head => {
            let parents: Vec<&CommitId> = head.iter().map(|head| &head.commit).collect();
            repository.commit(&taken.tree, &parents, message, stamp(at_ms))?
        }
    };
    let folders = dependency_folders(repository, index, caches)?;
    let dependency_folders = folders.iter().map(ToString::to_string).collect();
    let head = head.map(|head| head.commit);
    Ok(Lying { commit, head, head_tree, left_out: left_out(&taken), tree: taken.tree, dependency_folders })
}
