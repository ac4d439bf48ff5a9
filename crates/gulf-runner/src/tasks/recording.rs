//! The commit of a finished task, in the person's checkout (SPEC R4, G2).
//!
//! It moves a person's branch: only by what the task changed, never by a path that was uncommitted before the loop,
//! and never over what somebody else committed meanwhile.

use std::collections::BTreeSet;

use gulf_engine::{Candidate, ContractTask, PlannedTask};
use gulf_host::crash;
use gulf_host::git::{
    BranchName, CommitId, CommitWithTree, FileMode, MergeMessage, Obstacle, Recorded, Recording, Trailer,
    TreeEdit, TreeId, TreePath,
};

use super::closing::{Note, TaskBooks};
use super::texts::{Bookkeeping, EditedText};
use crate::candidate::kept_candidate;
use crate::error::Result;
use crate::landing::{TRAILER_CANDIDATE, TRAILER_LOOP};
use crate::resources::Resources;
use crate::snapshot::stamp;
use crate::texts::TEXT_BYTES_MAX;
use crate::why::why;
use crate::worker_commits::WorkerCommits;

pub(super) const TRAILER_TASK: &str = "Gulf-Task";
/// A branch that moves so often while it is committed on is somebody else's to hold still.
pub(super) const ATTEMPTS_MAX: u32 = 5;
/// So many paths are named one by one.
const LEFT_MAX: usize = 50;

/// What was committed, if anything, and what is not in it; or what is in the way.
type Committed = Result<(Option<CommitId>, Vec<String>), String>;

/// A commit that a branch is to stand at, and where the index learns of it.
pub(super) struct NextCommit {
    pub(super) to: CommitId,
    pub(super) paths: Vec<TreePath>,
    pub(super) index: TreeId,
}

/// A task that passed every gate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished<'task> {
    pub(super) planned: &'task PlannedTask,
    pub(super) candidate: &'task Candidate,
    pub(super) texts: &'task Bookkeeping,
}

impl TaskBooks<'_> {
    /// Commits a finished task on this branch, or says what is in the way; what was committed before a crash is found again.
    pub(super) fn commit_task(&self, branch: &str, task: Finished<'_>, note: &mut Note) -> Result<Committed> {
        let branch = BranchName::parse(branch)?;
        if let Some(commit) = self.committed_before(&branch, note)? {
            return Ok(Ok((Some(commit), note.left.clone())));
        }
        let mut left_out = Vec::new();
        let committed = self.commit_on(&branch, |from| {
            let Planned { tree, head_tree, left } = self.planned(task, from)?;
            left_out = left;
            if tree == head_tree {
                return Ok(None);
            }
            let parents: Vec<&CommitId> = from.into_iter().collect();
            let to =
                self.resources.repository.commit(&tree, &parents, &self.message(task), stamp(note.at_ms))?;
            note.commit = Some(to.clone());
            note.left.clone_from(&left_out);
            self.keep_task_note(task.planned.id, note)?;
            crash::point("tasks.noted");
            let paths = self.resources.repository.differing(&head_tree, &tree)?;
            Ok(Some(NextCommit { to, paths, index: tree }))
        })?;
        if matches!(committed, Ok(Some(_))) {
            crash::point("tasks.committed");
        }
        Ok(committed.map(|commit| (commit, left_out)))
    }

    /// Brings a branch that is checked out to what `make` commits on top of where it stands, anew where somebody else moves it
    /// meanwhile; or says what is in the way.
    pub(super) fn commit_on(
        &self,
        branch: &BranchName,
        mut make: impl FnMut(Option<&CommitId>) -> Result<Option<NextCommit>>,
    ) -> Result<Result<Option<CommitId>, String>> {
        let (repository, name) = (&self.resources.repository, branch.short());
        for _ in 0..ATTEMPTS_MAX {
            if let Some(obstacle) = repository.in_way_of_commit() {
                return Ok(Err(in_this_checkout(&obstacle)));
            }
            let head = repository.head()?;
            let Some(from) = head.on(branch) else {
                return Ok(Err(format!("finished tasks are committed on {name}, and it is not checked out")));
            };
            let Some(NextCommit { to, paths, index }) = make(from)? else { return Ok(Ok(None)) };
            match repository.record(&Recording { branch, from, to: &to, paths: &paths, index: &index })? {
                Recorded::Moved => return Ok(Ok(Some(to))),
                Recorded::HeadMoved => {}
                Recorded::NotReady { obstacle } => return Ok(Err(in_this_checkout(&obstacle))),
            }
        }
        Ok(Err(format!("{name} moves while gulf commits to it")))
    }

    /// What an earlier attempt committed is not committed again, wherever the branch has gone from there.
    fn committed_before(&self, branch: &BranchName, note: &Note) -> Result<Option<CommitId>> {
        let Some(commit) = &note.commit else { return Ok(None) };
        let Some(tip) = self.resources.repository.read_branch(branch)? else { return Ok(None) };
        let is_there = tip == *commit || self.resources.repository.descends(&tip, commit)?;
        Ok(is_there.then(|| commit.clone()))
    }

    /// HEAD's tree with what the task changed and the texts that say that it is done.
    fn planned(&self, task: Finished<'_>, from: Option<&CommitId>) -> Result<Planned> {
        let empty = self.resources.repository.empty_tree();
        let head_tree = from.map_or(Ok(empty.clone()), |from| self.resources.repository.tree_of(from))?;
        let candidate = &task.candidate.tree;
        let begun = self.fold.begun.get(&task.planned.id).unwrap_or(&empty);
        let mut taken = self.resources.repository.differing(begun, candidate)?;
        // And what gulf itself writes: of the worker's own commits the rest counts.
        let texts = task.texts.texts.iter().filter_map(|text| TreePath::try_from(text.path.as_str()).ok());
        let changed: BTreeSet<TreePath> = taken.iter().cloned().chain(texts).collect();
        let mut left = Vec::new();
        // One reason each: where nothing was ever committed, all that lay there differs from no commit.
        let mut leave = |taken: &mut Vec<TreePath>, is_left: &dyn Fn(&TreePath) -> bool, why: &str| {
            let paths: Vec<TreePath> = taken.extract_if(.., |path| is_left(path)).collect();
            left.extend(paths.iter().take(LEFT_MAX).map(|path| format!("{path} ({why})")));
        };
        let was_dirty = |path: &TreePath| self.resources.agreement.was_dirty(path);
        leave(&mut taken, &was_dirty, "it was uncommitted before the loop");
        let filtered = self.resources.repository.filtered_paths(&taken)?;
        leave(&mut taken, &|path| filtered.contains(path), "a filter has to run for it");
        let elsewhere = self.committed_elsewhere(&head_tree, candidate)?;
        leave(&mut taken, &|path| elsewhere.contains(path), "somebody else committed it meanwhile");
        let mut workers = WorkerCommits::default();
        let is_more = !self.changed(&head_tree, candidate)?.is_subset(&changed);
        if let Some(commit) = from.filter(|_| is_more) {
            let head = CommitWithTree { commit: commit.clone(), tree: head_tree.clone() };
            let Resources { repository, agreement, folder, .. } = self.resources;
            workers = WorkerCommits::on(&head, task.candidate, (repository, agreement, folder))?;
        }
        leave(&mut workers.kept_out, &|_| true, "it was committed during the loop, and nothing checked it");
        let take = |path: TreePath| (path, TreeEdit::Take(candidate.clone()));
        let mut edits: Vec<(TreePath, TreeEdit)> = taken.into_iter().map(take).collect();
        for path in workers.undone.into_iter().filter(|path| !changed.contains(path)) {
            let start = self.resources.agreement.start_tree(&self.resources.repository)?;
            edits.push((path, TreeEdit::Take(start)));
        }
        self.add_texts(&head_tree, &mut edits, task.texts)?;
        Ok(Planned { tree: self.resources.repository.write_tree_with(&head_tree, &edits)?, head_tree, left })
    }

    pub(super) fn changed(&self, old: &TreeId, new: &TreeId) -> Result<BTreeSet<TreePath>> {
        Ok(self.resources.repository.diff(old, new)?.into_iter().map(|change| change.path).collect())
    }

    /// Paths that HEAD holds in another form than the candidate, and than HEAD did when that was built.
    fn committed_elsewhere(&self, head: &TreeId, candidate: &TreeId) -> Result<BTreeSet<TreePath>> {
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
    ) -> Result<()> {
        for text in &texts.texts {
            let path = TreePath::try_from(text.path.as_str())?;
            if self.resources.agreement.was_dirty(&path) {
                continue;
            }
            let taken = edits.iter().find_map(|(taken, edit)| match edit {
                TreeEdit::Take(candidate) if *taken == path => Some(candidate),
                TreeEdit::Take(_) | TreeEdit::Put(..) | TreeEdit::Remove => None,
            });
            let edited = |before: &str| texts.edited(text, before);
            edits.extend(self.edit_of(taken.unwrap_or(head), text, edited)?);
        }
        Ok(())
    }

    /// The edit of a text as this tree has it; none where it says all of that already, or cannot be edited. The lessons are
    /// made where they are not there.
    pub(super) fn edit_of(
        &self,
        tree: &TreeId,
        text: &EditedText,
        edited: impl FnOnce(&str) -> Option<String>,
    ) -> Result<Option<(TreePath, TreeEdit)>> {
        let (repository, path) = (&self.resources.repository, TreePath::try_from(text.path.as_str())?);
        let entries = repository.list(tree)?;
        let (before, mode) = match entries.iter().find(|entry| entry.path == path) {
            Some(entry) if matches!(entry.mode, FileMode::File | FileMode::Executable) => {
                (repository.read_blob(&entry.blob, TEXT_BYTES_MAX)?, entry.mode)
            }
            None if text.is_lessons => (Vec::new(), FileMode::File),
            Some(_) | None => return Ok(None),
        };
        let after = String::from_utf8(before).ok().and_then(|before| edited(&before));
        Ok(after.map(|after| (path, TreeEdit::Put(after.into_bytes(), mode))))
    }

    fn message(&self, task: Finished<'_>) -> String {
        let ContractTask { name, title, .. } = &task.planned.task;
        let named = if name == title { title.clone() } else { format!("{name}: {title}") };
        let message = MergeMessage {
            title: self.resources.mask.text(&named).into_owned(),
            body: why(self.resources, self.fold),
            trailers: vec![
                Trailer::new(TRAILER_TASK, name),
                Trailer::new(TRAILER_LOOP, &self.resources.agreement.loop_id),
                Trailer::new(TRAILER_CANDIDATE, &task.candidate.commit),
            ],
        };
        message.text()
    }
}

/// What keeps a commit from being made.
pub(super) fn in_this_checkout(obstacle: &Obstacle) -> String {
    format!("{obstacle} in this checkout")
}

/// What would be committed.
struct Planned {
    tree: TreeId,
    head_tree: TreeId,
    left: Vec<String>,
}
