//! The commit that stands for what a snapshot found, and what is kept of the last one.
//!
//! It stands apart because most turns of a session change nothing: then git is asked for nothing that it said before.

use camino::Utf8PathBuf;
use gulf_engine::EffectKey;
use gulf_host::files::Durability;
use gulf_host::git::{CommitId, CommitWithTree, Expected, RefName, Repository, TreeId};
use gulf_spec::goal::goal_title;
use serde::{Deserialize, Serialize};

use crate::FORMAT_VERSION;
use crate::agreement::Agreement;
use crate::book::Fold;
use crate::error::Failure;
use crate::records;
use crate::resources::Resources;
use crate::snapshot::stamp;

/// A candidate with what it was made on, as git gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptCandidate {
    version: u32,
    tree: TreeId,
    parent: CommitId,
    parent_tree: TreeId,
    commit: CommitId,
}

impl KeptCandidate {
    /// HEAD, or the base where nothing was committed yet.
    pub(crate) fn parent(&self) -> CommitWithTree {
        CommitWithTree { commit: self.parent.clone(), tree: self.parent_tree.clone() }
    }
}

impl Resources {
    /// The last candidate, where it is kept. A lost one is made again, and is the same.
    pub(crate) fn kept_candidate(&self) -> Option<KeptCandidate> {
        records::find(&self.candidate_file()).filter(|kept: &KeptCandidate| kept.version == FORMAT_VERSION)
    }

    /// The commit that stands for a tree on `parent`, with the iteration's reference at it.
    pub(crate) fn candidate_commit(
        &self,
        tree: &TreeId,
        parent: CommitWithTree,
        last: Option<KeptCandidate>,
        (key, fold): (&EffectKey, &Fold),
    ) -> Result<CommitId, Failure> {
        let name = RefName::iteration(self.agreement.loop_id.as_str(), u64::from(key.iteration))?;
        let point_at = |commit: &CommitId| self.repository.update_ref(&name, commit, &Expected::Anything);
        if let Some(last) = last.filter(|last| last.tree == *tree && last.parent() == parent)
            && point_at(&last.commit).is_ok()
        {
            return Ok(last.commit);
        }
        // It is another one, or somebody took the last one's commit out of the repository.
        let commit = self.commit(tree, &parent, key, fold)?;
        point_at(&commit)?;
        let kept = KeptCandidate {
            version: FORMAT_VERSION,
            tree: tree.clone(),
            parent: parent.commit,
            parent_tree: parent.tree,
            commit: commit.clone(),
        };
        records::write(&self.candidate_file(), "what is kept of a candidate", &kept, Durability::Buffered)?;
        Ok(commit)
    }

    /// The branch's own commit where that holds the tree already.
    fn commit(
        &self,
        tree: &TreeId,
        parent: &CommitWithTree,
        key: &EffectKey,
        fold: &Fold,
    ) -> Result<CommitId, Failure> {
        if parent.tree == *tree {
            return Ok(parent.commit.clone());
        }
        let title = self.mask.text(goal_title(&self.agreement.goal));
        let why = self.why(fold);
        let why = if why.is_empty() { why } else { format!("{why}\n\n") };
        let message = format!("{title}\n\n{why}{}{}\n", signature(&self.agreement), key.iteration);
        Ok(self.repository.commit(tree, &[&parent.commit], &message, stamp(fold.started_at_ms))?)
    }

    fn candidate_file(&self) -> Utf8PathBuf {
        self.folder.root().join("candidate.json")
    }
}

/// What gulf's own commits of a loop end with, before the iteration's number.
fn signature(agreement: &Agreement) -> String {
    format!("gulf: {} iteration ", agreement.loop_id)
}

/// Why the change was made, as gulf's commit of the candidate has it; nothing where that commit is the worker's own, and
/// its words stand in the history already.
pub(crate) fn why_of(repository: &Repository, agreement: &Agreement, commit: &CommitId) -> String {
    let message = repository.message_of(commit).unwrap_or_default();
    let Some((_, body)) = message.trim_end().split_once("\n\n") else { return String::new() };
    let (why, last) = body.rsplit_once("\n\n").unwrap_or(("", body));
    if last.starts_with(&signature(agreement)) { why.trim().to_owned() } else { String::new() }
}
