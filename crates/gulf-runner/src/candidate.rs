//! An iteration's candidate: what lies in the worktree, as a commit (SPEC B2).
//!
//! What is kept of the last one spares git work: most turns of a session change nothing.

use camino::Utf8PathBuf;
use gulf_engine::{Base, Candidate, Snapshot};
use gulf_host::files::{self, Durability};
use gulf_host::git::{CommitId, CommitWithTree, Expected, RefName, Repository, TreeId};
use gulf_spec::goal::goal_title;
use gulf_spec::own_texts::{OWN_TEXTS, Writer};
use serde::{Deserialize, Serialize};

use crate::agreement::{Agreement, engine_digest};
use crate::error::Result;
use crate::folder::LoopPaths;
use crate::ralph::task_tally;
use crate::resources::{AgentEffect, Resources};
use crate::snapshot::{checkout_snapshot, left_out, stamp};
use crate::texts::TEXT_BYTES_MAX;
use crate::why::why;
use crate::{FORMAT_VERSION, edits, records, references};

/// So many paths stand on one command line.
const PATHS_AT_ONCE_MAX: usize = 1_000;

/// A candidate with what it was made on, as git gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptCandidate {
    version: u32,
    tree: TreeId,
    parent: CommitId,
    parent_tree: TreeId,
    /// Where that is not the parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    head: Option<CommitId>,
    commit: CommitId,
}

impl KeptCandidate {
    /// HEAD, or the base where nothing was committed yet.
    pub(crate) fn parent(&self) -> CommitWithTree {
        CommitWithTree { commit: self.parent.clone(), tree: self.parent_tree.clone() }
    }

    pub(crate) fn head(&self) -> &CommitId {
        self.head.as_ref().unwrap_or(&self.parent)
    }

    pub(crate) fn commit(&self) -> &CommitId {
        &self.commit
    }
}

/// How an iteration's candidate is built.
impl AgentEffect<'_> {
    /// Builds the iteration's candidate (SPEC B2).
    pub(crate) fn snapshot(&self) -> Result<Snapshot> {
        let last = kept_candidate(&self.resources.folder);
        let known =
            last.as_ref().map_or_else(|| as_host(self.resources.base(self.fold)), KeptCandidate::parent);
        let head = self.resources.repository.head_with_tree(Some(&known))?;
        let mut drifted = self.drifted_texts();
        let newer = match &head {
            Some(head) => self.newer_base(&head.commit, &mut drifted)?,
            None => None,
        };
        let base = newer.as_ref().unwrap_or(self.resources.base(self.fold));
        let taken = checkout_snapshot(self.resources, base)?;
        edits::note_left(&self.resources.agreement, &self.resources.folder, &taken.tree);
        self.resources.last_look.begin();
        let parent = self.parent_without_secrets(head.as_ref(), base, &mut drifted)?;
        let head_commit = head.as_ref().map(|head| &head.commit);
        let commit = self.candidate_commit(&taken.tree, (parent, head_commit), last)?;
        drifted.extend(self.committed_too_much(head.as_ref())?);
        drifted.extend(self.lost_start(head.as_ref())?);
        drifted.extend(references::changes(self.resources)?);
        drifted.extend(self.resources.taken_from_worker());
        Ok(Snapshot {
            base: newer,
            tasks: task_tally(self.resources, &taken.tree)?,
            resembles: self.resembles(&taken.tree)?,
            candidate: Candidate { commit, tree: taken.tree.clone() },
            drifted,
            left_out: left_out(&taken),
        })
    }

    /// What the candidate is built on: the branch's commit. A candidate is handed on with its history, and a private file,
    /// or one that git ignored, is in neither; where a commit holds one, it is built without those commits.
    pub(crate) fn parent_without_secrets(
        &self,
        head: Option<&CommitWithTree>,
        base: &Base,
        drifted: &mut Vec<String>,
    ) -> Result<CommitWithTree> {
        let base = as_host(base);
        let Some(head) = head else { return Ok(base) };
        let Resources { repository, agreement, .. } = self.resources;
        let mut kept_out = agreement.verification.environment.private_paths();
        kept_out.extend(repository.ignored_at_start()?.iter().map(ToString::to_string));
        for paths in kept_out.chunks(PATHS_AT_ONCE_MAX) {
            if let Some(commit) = repository.newest_touching(&base.commit, &head.commit, paths)? {
                drifted.push(format!(
                    "commit {commit} (it holds what git ignored; the candidate is without it)"
                ));
                return Ok(base);
            }
        }
        Ok(head.clone())
    }

    /// The person's texts that are no longer as they were sealed: reported, without effect (SPEC B1).
    fn drifted_texts(&self) -> Vec<String> {
        let texts = OWN_TEXTS.iter().filter(|text| text.writer == Writer::Person).map(|text| text.path);
        let has_drifted = |path: &&str| {
            let now = files::read_bytes(&self.resources.project().join(path), TEXT_BYTES_MAX);
            let now = now.ok().map(|bytes| engine_digest(&bytes));
            now.as_ref() != self.resources.agreement.texts.get(*path)
        };
        texts.filter(has_drifted).map(str::to_owned).collect()
    }

    /// What was committed before the loop began is not the worker's to take from the branch; in the tree it would look
    /// like any other change.
    fn lost_start(&self, head: Option<&CommitWithTree>) -> Result<Option<String>> {
        let Some(start) = &self.resources.agreement.head else { return Ok(None) };
        if let Some(head) = head
            && (head.commit == *start || self.resources.repository.descends(&head.commit, start)?)
        {
            return Ok(None);
        }
        let start = start.as_str();
        Ok(Some(format!(
            "HEAD (it does not come from {start:.7} any more, where the loop began; \
             `git log HEAD..{start:.7}` shows what is gone from it)"
        )))
    }

    /// What the person had not committed at the start is not the worker's to commit (SPEC G4).
    fn committed_too_much(&self, head: Option<&CommitWithTree>) -> Result<Vec<String>> {
        let dirty = &self.resources.agreement.dirty_paths;
        let (Some(head), false) = (head, dirty.is_empty()) else { return Ok(Vec::new()) };
        let changes = match &self.resources.agreement.head {
            Some(commit) if *commit == head.commit => return Ok(Vec::new()),
            Some(commit) => self.resources.repository.diff_from(commit, &head.tree)?,
            None => self.resources.repository.diff(&self.resources.repository.empty_tree(), &head.tree)?,
        };
        let committed = changes.iter().map(|change| change.path.to_string());
        let told = |path| format!("{path} (a commit contains it, and it was uncommitted at the start)");
        Ok(committed.filter(|path| dirty.contains(path)).map(told).collect())
    }

    /// The commit that stands for a tree on `parent`, with the iteration's reference at it.
    fn candidate_commit(
        &self,
        tree: &TreeId,
        (parent, head): (CommitWithTree, Option<&CommitId>),
        last: Option<KeptCandidate>,
    ) -> Result<CommitId> {
        let Resources { repository, agreement, folder, .. } = self.resources;
        let name = RefName::iteration(agreement.loop_id.as_str(), u64::from(self.key.iteration))?;
        let point_at = |commit: &CommitId| repository.update_ref(&name, commit, &Expected::Anything);
        let head = head.filter(|head| **head != parent.commit);
        let is_same = |last: &KeptCandidate| {
            last.tree == *tree && last.parent() == parent && last.head.as_ref() == head
        };
        if let Some(last) = last.filter(is_same)
            && point_at(&last.commit).is_ok()
        {
            return Ok(last.commit);
        }
        // It is another one, or somebody took the last one's commit out of the repository.
        let commit = self.commit(tree, &parent)?;
        point_at(&commit)?;
        let kept = KeptCandidate {
            version: FORMAT_VERSION,
            tree: tree.clone(),
            parent: parent.commit,
            parent_tree: parent.tree,
            head: head.cloned(),
            commit: commit.clone(),
        };
        records::keep(&candidate_file(folder), "what is kept of a candidate", &kept, Durability::Buffered)?;
        Ok(commit)
    }

    /// The branch's own commit where that holds the tree already.
    fn commit(&self, tree: &TreeId, parent: &CommitWithTree) -> Result<CommitId> {
        if parent.tree == *tree {
            return Ok(parent.commit.clone());
        }
        let Resources { repository, agreement, mask, .. } = self.resources;
        let title = mask.text(goal_title(&agreement.goal));
        let why = why(self.resources, self.fold);
        let why = if why.is_empty() { why } else { format!("{why}\n\n") };
        let message = format!("{title}\n\n{why}{}{}\n", signature(agreement), self.key.iteration);
        Ok(repository.commit(tree, &[&parent.commit], &message, stamp(self.fold.started_at_ms))?)
    }
}

/// The last candidate, where it is kept. A lost one is made again, and is the same.
pub(crate) fn kept_candidate(folder: &LoopPaths) -> Option<KeptCandidate> {
    records::find(&candidate_file(folder)).filter(|kept: &KeptCandidate| kept.version == FORMAT_VERSION)
}

fn candidate_file(folder: &LoopPaths) -> Utf8PathBuf {
    folder.root().join("candidate.json")
}

fn as_host(base: &Base) -> CommitWithTree {
    CommitWithTree { commit: base.commit.clone(), tree: base.tree.clone() }
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
