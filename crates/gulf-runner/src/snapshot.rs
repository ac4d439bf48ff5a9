//! What stands in a project, as a tree of git: without the loop's own texts, and with the reasons why something is missing.

use camino::Utf8Path;
use gulf_engine::Base;
use gulf_host::git::{
    CommitId, CommitStamp, Repository, SnapshotRequest, SubmoduleState, TreeId, TreePath, WorktreeSnapshot,
};
use gulf_host::provision::dependency_folders;
use gulf_spec::own_texts::{OWN_TEXTS, OwnText, Writer};
use gulf_spec::text::listed;

use crate::agreement::Agreement;
use crate::error::RunError;
use crate::resources::Resources;
use crate::texts::FILE_BYTES_MAX;

const IGNORED_NAMED_MAX: usize = 6;

/// What stands in the project, as a tree.
pub(crate) fn take_snapshot(
    repository: &Repository,
    agreement: &Agreement,
    base: &Base,
    index: &Utf8Path,
) -> Result<WorktreeSnapshot, RunError> {
    let mut never_part = loop_texts()?;
    let private = agreement.verification.environment.private_paths();
    let status = agreement.ralph.iter().filter_map(|ralph| ralph.status.as_deref());
    let list = agreement.list.iter().map(|list| list.path.as_str());
    for path in private.iter().map(String::as_str).chain(status).chain(list) {
        never_part.push(TreePath::try_from(path)?);
    }
    let file_bytes_max = agreement.verification.file_bytes_max;
    let wanted = SnapshotRequest { index, base: Some(&base.tree), loop_texts: &never_part, file_bytes_max };
    Ok(repository.snapshot(&wanted)?)
}

/// The paths whose changes never enter a candidate.
pub(crate) fn loop_texts() -> Result<Vec<TreePath>, RunError> {
    paths_of(OWN_TEXTS.iter())
}

/// The paths of those texts that this writer writes.
pub(crate) fn texts_of(writer: Writer) -> Result<Vec<TreePath>, RunError> {
    paths_of(OWN_TEXTS.iter().filter(|text| text.writer == writer))
}

fn paths_of(texts: impl Iterator<Item = &'static OwnText>) -> Result<Vec<TreePath>, RunError> {
    texts.map(|text| Ok(TreePath::try_from(text.path.trim_end_matches('/'))?)).collect()
}

/// What stands in the checkout of a loop, as a tree.
pub(crate) fn checkout_snapshot(resources: &Resources, base: &Base) -> Result<WorktreeSnapshot, RunError> {
    take_snapshot(&resources.repository, &resources.agreement, base, &resources.folder.index())
}

/// What is not part of a tree, each with the reason.
pub(crate) fn left_out(taken: &WorktreeSnapshot) -> Vec<String> {
    let files = taken.left_out.iter().map(|file| format!("{}: {}", file.path, file.why));
    let submodules =
        taken.submodules.iter().map(|finding| format!("{}: {}", finding.path, lacking(finding.state)));
    let ignored = (!taken.ignored.is_empty()).then(|| {
        let named = listed(&taken.ignored, IGNORED_NAMED_MAX);
        format!("{named}: git ignored it when the loop began; `git add -f` adds it once the loop has ended")
    });
    files.chain(submodules).chain(ignored).collect()
}

/// What of a submodule no candidate holds.
fn lacking(state: SubmoduleState) -> &'static str {
    match state {
        SubmoduleState::Dirty => "changes that it has not committed",
        SubmoduleState::WithoutCommit => "a repository without a commit",
        SubmoduleState::NotCheckedOut => "not checked out here",
    }
}

/// The time of a commit: the loop's start, so that the same tree gives the same commit in every attempt.
pub(crate) fn stamp(at_ms: u64) -> CommitStamp {
    CommitStamp { unix_seconds: at_ms / 1000 }
}

// What lies in a worktree as a commit, uncommitted changes included (SPEC G2).

/// A worktree as it lies there.
#[derive(Clone, Debug)]
pub(crate) struct WorktreeState {
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

impl WorktreeState {
    /// A commit in its place, with the dependencies that lie here.
    pub(crate) fn of_commit(self, repository: &Repository, commit: &CommitId) -> Result<Self, RunError> {
        let tree = repository.tree_of(commit)?;
        let (commit, head_tree) = (commit.clone(), tree.clone());
        Ok(Self { head_tree, left_out: Vec::new(), commit, tree, ..self })
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
) -> Result<WorktreeState, RunError> {
    let head = repository.head_with_tree(None)?;
    let head_tree = head.as_ref().map_or_else(|| repository.empty_tree(), |head| head.tree.clone());
    let loop_texts = &texts_of(Writer::Loop)?;
    let wanted =
        SnapshotRequest { index, base: Some(&head_tree), loop_texts, file_bytes_max: FILE_BYTES_MAX };
    let taken = repository.snapshot(&wanted)?;
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
    let (left_out, tree) = (left_out(&taken), taken.tree);
    Ok(WorktreeState { commit, head, head_tree, left_out, tree, dependency_folders })
}
