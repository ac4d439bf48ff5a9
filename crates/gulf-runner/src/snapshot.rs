//! What stands in a project, as a tree of git: without the loop's own texts, and with the reasons why something is missing.

use camino::Utf8Path;
use gulf_engine::Base;
use gulf_host::git::{self, CommitStamp, SnapshotRequest, SubmoduleState, TreePath};
use gulf_spec::own_texts::OWN_TEXTS;

use crate::agreement::Agreement;
use crate::error::RunError;

/// What stands in the project, as a tree.
pub(crate) fn take_snapshot(
    repository: &git::Repository,
    agreement: &Agreement,
    base: &Base,
    index: &Utf8Path,
) -> Result<git::WorktreeSnapshot, RunError> {
    let base = git::TreeId::parse(base.tree.as_str())?;
    let mut never_part = loop_texts()?;
    for path in agreement.verification.environment.private_paths() {
        never_part.push(TreePath::try_from(path.as_str())?);
    }
    for path in agreement.ralph.iter().filter_map(|ralph| ralph.status.as_deref()) {
        never_part.push(TreePath::try_from(path)?);
    }
    if let Some(list) = &agreement.list {
        never_part.push(TreePath::try_from(list.path.as_str())?);
    }
    Ok(repository.snapshot(&SnapshotRequest {
        index,
        base: Some(&base),
        loop_texts: &never_part,
        file_bytes_max: agreement.verification.file_bytes_max,
    })?)
}

/// The paths whose changes never enter a candidate.
pub(crate) fn loop_texts() -> Result<Vec<TreePath>, RunError> {
    OWN_TEXTS.iter().map(|text| Ok(TreePath::try_from(text.path.trim_end_matches('/'))?)).collect()
}

/// What is not part of a tree, each with the reason.
pub(crate) fn left_out(taken: &git::WorktreeSnapshot) -> Vec<String> {
    let large =
        taken.too_large.iter().map(|file| format!("{}: {} bytes, over the limit", file.path, file.bytes));
    let unreadable = taken.unreadable.iter().map(|file| format!("{}: {}", file.path, file.why));
    let submodules =
        taken.submodules.iter().map(|finding| format!("{}: {}", finding.path, lacking(finding.state)));
    large.chain(unreadable).chain(submodules).collect()
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
