//! The commit of a finished task, in the person's checkout (SPEC R4, G2).
//!
//! It moves a person's branch: only by what the task changed, never by a path that was uncommitted before the loop,
//! and never over what somebody else committed meanwhile.

use std::collections::BTreeSet;

use gulf_engine::{Candidate, UnitId};
use gulf_host::crash;
use gulf_host::git::{
    BranchName, CommitId, FileMode, MergeMessage, Obstacle, Recorded, Recording, Trailer, TreeEdit, TreeId,
    TreePath,
};

use super::closing::{Note, TaskBooks};
use super::texts::Bookkeeping;
use crate::candidate::kept_candidate;
use crate::error::Failure;
use crate::landing::{TRAILER_CANDIDATE, TRAILER_LOOP};
use crate::snapshot::stamp;
use crate::texts::TEXT_BYTES_MAX;
use crate::why::why;

pub(super) const TRAILER_TASK: &str = "Gulf-Task";
/// A branch that moves so often while it is committed on is somebody else's to hold still.
pub(super) const ATTEMPTS_MAX: u32 = 5;
/// So many paths are named one by one.
const LEFT_MAX: usize = 50;

/// What came of it.
#[derive(Debug)]
pub(super) enum Committed {
    Done { commit: Option<CommitId>, left: Vec<String> },
    NotReady { why: String },
}

/// A task that passed every gate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished<'task> {
    pub(super) unit: UnitId,
    pub(super) candidate: &'task Candidate,
    pub(super) name: &'task str,
    pub(super) title: &'task str,
    pub(super) texts: &'task Bookkeeping,
}

impl TaskBooks<'_> {
    /// Commits a finished task on this branch, or says what is in the way; what was committed before a crash is found again.
    pub(super) fn commit_task(
        &self,
        branch: &str,
        task: Finished<'_>,
        note: &mut Note,
    ) -> Result<Committed, Failure> {
        let branch = BranchName::parse(branch)?;
        for _ in 0..ATTEMPTS_MAX {
            if let Some(committed) = self.committed_before(&branch, note)? {
                return Ok(committed);
            }
            if let Some(obstacle) = self.resources.repository.in_way_of_commit() {
                return Ok(Committed::NotReady { why: in_this_checkout(&obstacle) });
            }
            let head = self.resources.repository.head()?;
            let Some(from) = head.on(&branch) else {
                let why =
                    format!("finished tasks are committed on {}, and it is not checked out", branch.short());
                return Ok(Committed::NotReady { why });
            };
            let Planned { tree, head_tree, left } = self.planned(task, from)?;
            if tree == head_tree {
                return Ok(Committed::Done { commit: None, left });
            }
            let parents: Vec<&CommitId> = from.into_iter().collect();
            let commit =
                self.resources.repository.commit(&tree, &parents, &self.message(task), stamp(note.at_ms))?;
            note.commit = Some(commit.clone());
            note.left.clone_from(&left);
            self.keep_task_note(task.unit, note)?;
            crash::point("tasks.noted");
            let paths = self.resources.repository.differing(&head_tree, &tree)?;
            let wanted = Recording { branch: &branch, from, to: &commit, paths: &paths, index: &tree };
            match self.resources.repository.record(&wanted)? {
                Recorded::Moved => {
                    crash::point("tasks.committed");
                    return Ok(Committed::Done { commit: Some(commit), left });
                }
                Recorded::HeadMoved => {}
                Recorded::NotReady { obstacle } => {
                    return Ok(Committed::NotReady { why: in_this_checkout(&obstacle) });
                }
            }
        }
        Ok(Committed::NotReady { why: format!("{} moves while gulf commits to it", branch.short()) })
    }

    /// What an earlier attempt committed is not committed again, wherever the branch has gone from there.
    fn committed_before(&self, branch: &BranchName, note: &Note) -> Result<Option<Committed>, Failure> {
        let Some(commit) = &note.commit else { return Ok(None) };
        let Some(tip) = self.resources.repository.read_branch(branch)? else { return Ok(None) };
        let is_there = tip == *commit || self.resources.repository.descends(&tip, commit)?;
        Ok(is_there.then(|| Committed::Done { commit: Some(commit.clone()), left: note.left.clone() }))
    }

    /// HEAD's tree with what the task changed and the texts that say that it is done.
    fn planned(&self, task: Finished<'_>, from: Option<&CommitId>) -> Result<Planned, Failure> {
        let empty = self.resources.repository.empty_tree();
        let head_tree = from.map_or(Ok(empty.clone()), |from| self.resources.repository.tree_of(from))?;
        let candidate = &task.candidate.tree;
        let begun = self.fold.begun.get(&task.unit).unwrap_or(&empty);
        let changed = self.changed(begun, candidate)?;
        let mut left = Vec::new();
        let mut leave = |paths: &BTreeSet<TreePath>, why: &str| {
            left.extend(paths.iter().take(LEFT_MAX).map(|path| format!("{path} ({why})")));
        };
        let dirty: BTreeSet<TreePath> =
            changed.iter().filter(|path| self.resources.agreement.was_dirty(path)).cloned().collect();
        leave(&dirty, "it was uncommitted before the loop");
        let asked: Vec<TreePath> = changed.difference(&dirty).cloned().collect();
        let filtered: BTreeSet<TreePath> =
            self.resources.repository.filtered_paths(&asked)?.into_iter().collect();
        leave(&filtered, "a filter has to run for it");
        let elsewhere = self.committed_elsewhere(&head_tree, candidate)?;
        // One reason each: where nothing was ever committed, all that lay there differs from no commit.
        let others: BTreeSet<TreePath> = changed.intersection(&elsewhere).cloned().collect();
        let others: BTreeSet<TreePath> = others.difference(&dirty).cloned().collect();
        leave(&others, "somebody else committed it meanwhile");
        let taken: Vec<TreePath> = changed
            .into_iter()
            .filter(|path| ![&dirty, &filtered, &others].iter().any(|paths| paths.contains(path)))
            .collect();
        let take = |path: TreePath| (path, TreeEdit::Take(candidate.clone()));
        let mut edits: Vec<(TreePath, TreeEdit)> = taken.into_iter().map(take).collect();
        self.add_texts(&head_tree, &mut edits, task.texts)?;
        let tree = self.resources.repository.write_tree_with(&head_tree, &edits)?;
        Ok(Planned { tree, head_tree, left })
    }

    pub(super) fn changed(&self, old: &TreeId, new: &TreeId) -> Result<BTreeSet<TreePath>, Failure> {
        Ok(self.resources.repository.diff(old, new)?.into_iter().map(|change| change.path).collect())
    }

    /// Paths that HEAD holds in another form than the candidate, and than HEAD did when that was built.
    fn committed_elsewhere(&self, head: &TreeId, candidate: &TreeId) -> Result<BTreeSet<TreePath>, Failure> {
        let Some(kept) = kept_candidate(&self.resources.folder) else { return Ok(BTreeSet::new()) };
        let since = self.changed(&kept.parent().tree, head)?;
        Ok(since.intersection(&self.changed(head, candidate)?).cloned().collect())
    }

    /// The list with its tick, and the file of lessons, where they are committed at all.
    fn add_texts(
        &self,
        head: &TreeId,
        edits: &mut Vec<(TreePath, TreeEdit)>,
        texts: &Bookkeeping,
    ) -> Result<(), Failure> {
        for text in &texts.texts {
            let path = TreePath::try_from(text.path.as_str())?;
            if self.resources.agreement.was_dirty(&path) {
                continue;
            }
            let taken = edits.iter().find_map(|(taken, edit)| match edit {
                TreeEdit::Take(candidate) if *taken == path => Some(candidate),
                TreeEdit::Take(_) | TreeEdit::Put(..) | TreeEdit::Remove => None,
            });
            let entries = self.resources.repository.list(taken.unwrap_or(head))?;
            let entry = entries.iter().find(|entry| entry.path == path);
            let (before, mode) = match entry {
                Some(entry) if matches!(entry.mode, FileMode::File | FileMode::Executable) => {
                    (self.resources.repository.read_blob(&entry.blob, TEXT_BYTES_MAX)?, entry.mode)
                }
                None if text.is_lessons => (Vec::new(), FileMode::File),
                Some(_) | None => continue,
            };
            let Ok(before) = String::from_utf8(before) else { continue };
            if let Some(after) = texts.edited(text, &before) {
                edits.push((path, TreeEdit::Put(after.into_bytes(), mode)));
            }
        }
        Ok(())
    }

    fn message(&self, task: Finished<'_>) -> String {
        let title = if task.name == task.title {
            task.title.to_owned()
        } else {
            format!("{}: {}", task.name, task.title)
        };
        let message = MergeMessage {
            title: self.resources.mask.text(&title).into_owned(),
            body: why(self.resources, self.fold),
            trailers: vec![
                Trailer::new(TRAILER_TASK, task.name),
                Trailer::new(TRAILER_LOOP, &self.resources.agreement.loop_id),
                Trailer::new(TRAILER_CANDIDATE, &task.candidate.commit),
            ],
        };
        message.text()
    }
}

/// What keeps a commit from being made.
pub(super) fn in_this_checkout(obstacle: &Obstacle) -> String {
    format!("{} in this checkout", obstacle.description())
}

/// What would be committed.
struct Planned {
    tree: TreeId,
    head_tree: TreeId,
    left: Vec<String>,
}
