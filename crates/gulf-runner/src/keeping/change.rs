//! The change of a loop that is over, and how the checkout lies that it was made in.

use std::collections::{BTreeMap, BTreeSet};

use gulf_engine::{EffectResult, Event, Fact, Work};
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::git::{
    self, BlobId, CommitId, Expected, FileMode, Head, Merged, RefName, Repository, Shift, Shifted, TreeEdit,
    TreeId, TreePath, forget_index,
};

use super::attesting::KeptReceipt;
use super::note::Note;
use super::{KeepingError, in_the_way, named, quoted, reasons};
use crate::agreement::{Agreement, RepositoryKind};
use crate::book;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::known::Known;
use crate::place::PlaceOfWork;
use crate::snapshot::{left_out, stamp, take_snapshot};

/// What a tree has at its paths.
pub(super) type Entries = BTreeMap<TreePath, (FileMode, BlobId)>;

/// The loop's change, and what lies, is staged and is committed where it was made.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) agreement: Agreement,
    pub(super) folder: LoopPaths,
    pub(super) repository: Repository,
    /// What lay there when the loop began.
    pub(super) base: TreeId,
    /// What it came to last; none where it was cut off before anything was built, and what it changed since is not told
    /// apart from what a person did.
    pub(super) candidate: Option<(CommitId, TreeId)>,
    /// Only where it is to be committed here.
    pub(super) receipt: Option<KeptReceipt>,
    pub(super) head: Option<Head>,
    pub(super) head_tree: TreeId,
    pub(super) lies: TreeId,
    pub(super) staged: TreeId,
    /// What no tree of gulf's holds as it lies: too large, or not to be read.
    pub(super) left_out: Vec<TreePath>,
    /// The same with the reasons.
    pub(super) left_out_words: Vec<String>,
}

impl Change {
    pub(super) fn open(place: &PlaceOfWork, known: &Known) -> Result<Self, KeepingError> {
        let agreement = known.agreement()?;
        let folder = known.home.clone();
        let repository = place.open(&folder.git())?;
        let base = TreeId::parse(agreement.base.tree.as_str())?;
        let candidate = last_candidate(&book::read(known.home.root())?)?;
        let nothing = repository.empty_tree();
        Ok(Self {
            base,
            candidate,
            receipt: None,
            head: None,
            head_tree: nothing.clone(),
            lies: nothing.clone(),
            staged: nothing,
            left_out: Vec::new(),
            left_out_words: Vec::new(),
            agreement,
            folder,
            repository,
        })
    }

    /// With how things stand by now.
    pub(super) fn looked_at(mut self) -> Result<Self, KeepingError> {
        if self.is_git() {
            if let Some(found) = self.repository.in_way_of_commit() {
                return Err(super::obstacle(&found));
            }
            let head = self.repository.head()?;
            if let Some(commit) = head.commit() {
                self.head_tree = self.repository.tree_of(commit)?;
            }
            self.head = Some(head);
            let unresolved =
                || in_the_way("conflicts are not resolved in this checkout", "resolve them first");
            self.staged = self.repository.staged_tree()?.ok_or_else(unresolved)?;
        }
        let index = self.folder.root().join("keeping.index");
        let taken = take_snapshot(&self.repository, &self.agreement, &self.agreement.base, &index);
        forget_index(&index);
        let taken = taken?;
        self.left_out_words = left_out(&taken);
        let large = taken.too_large.into_iter().map(|file| file.path);
        self.left_out = large.chain(taken.unreadable.into_iter().map(|file| file.path)).collect();
        self.lies = taken.tree;
        Ok(self)
    }

    pub(super) fn is_git(&self) -> bool {
        self.agreement.repository == RepositoryKind::Own
    }

    pub(super) fn entries(&self, tree: &TreeId) -> Result<Entries, KeepingError> {
        let entries = self.repository.list(tree)?;
        Ok(entries.into_iter().map(|entry| (entry.path, (entry.mode, entry.blob))).collect())
    }

    /// Where two trees differ, what is left out of every tree not counted.
    pub(super) fn paths(&self, old: &TreeId, new: &TreeId) -> Result<BTreeSet<TreePath>, KeepingError> {
        let mut paths: BTreeSet<TreePath> = self.repository.differing(old, new)?.into_iter().collect();
        paths.retain(|path| !self.left_out.contains(path));
        Ok(paths)
    }

    /// What two sides made of a tree, and where they do not go together. What is left out stands as `ours` has it.
    pub(super) fn merged(
        &self,
        base: &TreeId,
        ours: &TreeId,
        theirs: &TreeId,
    ) -> Result<(TreeId, Vec<TreePath>), KeepingError> {
        let (tree, mut conflicts) = match self.repository.merge_trees(base, ours, theirs)? {
            Merged::Clean(tree) => (tree, Vec::new()),
            Merged::Conflict(conflict) => {
                (conflict.tree, conflict.paths.into_iter().map(|path| path.path).collect())
            }
            Merged::Unrelated => (ours.clone(), self.repository.differing(base, theirs)?),
        };
        conflicts.retain(|path| !self.left_out.contains(path));
        conflicts.sort();
        conflicts.dedup();
        Ok((self.with(&tree, &self.left_out, ours)?, conflicts))
    }

    /// A tree with what another one has at these paths.
    pub(super) fn with<'path>(
        &self,
        tree: &TreeId,
        paths: impl IntoIterator<Item = &'path TreePath>,
        from: &TreeId,
    ) -> Result<TreeId, KeepingError> {
        let take = |path: &TreePath| (path.clone(), TreeEdit::Take(from.clone()));
        let edits: Vec<(TreePath, TreeEdit)> = paths.into_iter().map(take).collect();
        Ok(self.repository.write_tree_with(tree, &edits)?)
    }

    /// The index once HEAD holds `head`: what is staged stays staged, and where the change is staged, too, it goes along.
    pub(super) fn index_beside(
        &self,
        head: &TreeId,
        change: &BTreeSet<TreePath>,
        (from, to): (&TreeId, &TreeId),
    ) -> Result<TreeId, KeepingError> {
        let staged: BTreeSet<TreePath> =
            self.repository.differing(&self.head_tree, &self.staged)?.into_iter().collect();
        let beside = self.with(head, staged.difference(change), &self.staged)?;
        let mixed: Vec<&TreePath> = staged.intersection(change).collect();
        if mixed.is_empty() {
            return Ok(beside);
        }
        let (merged, conflicts) = self.merged(from, &self.staged, to)?;
        let conflicts: Vec<TreePath> = conflicts.into_iter().filter(|path| mixed.contains(&path)).collect();
        if !conflicts.is_empty() {
            return Err(in_the_way(
                format!("staged changes cannot be told apart from the loop's: {}", named(&conflicts)),
                format!("`git restore --staged -- {}` leaves the files as they are", quoted(&conflicts)),
            ));
        }
        self.with(&beside, mixed, &merged)
    }

    /// Does it, noted before.
    pub(super) fn shift(&self, shift: &Shift) -> Result<(), KeepingError> {
        let is_nothing =
            shift.files.0 == shift.files.1 && shift.index.0 == shift.index.1 && shift.branch.is_none();
        if is_nothing {
            return Ok(());
        }
        Note::of(shift).write(&self.folder)?;
        crash::point("keeping.noted");
        match self.repository.shift(shift)? {
            Shifted::Done => Ok(()),
            Shifted::HeadMoved => Err(moved()),
            Shifted::NotReady { reasons: found } => Err(reasons(&found)),
        }
    }

    /// Holds what lies there, where no candidate does.
    pub(super) fn keep_what_lies(&self, planned: &super::TakeOut, clock: &Clock) -> Result<(), KeepingError> {
        if !planned.is_kept_apart {
            return Ok(());
        }
        let parents: Vec<&CommitId> = self.head.iter().filter_map(Head::commit).collect();
        let message = format!("gulf: what lay there when {} was discarded\n", self.agreement.loop_id);
        let commit = self.repository.commit(&self.lies, &parents, &message, stamp(clock.wall_ms()))?;
        let name = RefName::parse(&format!("refs/gulf/{}/discarded", self.agreement.loop_id))?;
        Ok(self.repository.update_ref(&name, &commit, &Expected::Anything)?)
    }
}

pub(super) fn moved() -> KeepingError {
    in_the_way("the branch moved at this moment; nothing was changed", "run the same command again")
}

/// The last candidate; none where a turn began after it and nothing was built of that.
fn last_candidate(events: &[Event]) -> Result<Option<(CommitId, TreeId)>, RunError> {
    let mut found = None;
    for event in events {
        if let Fact::Began { key } = &event.fact
            && matches!(key.work, Work::Turn | Work::FollowUp)
        {
            found = None;
        }
        if let Fact::Ended { result: EffectResult::Snapshot(snapshot), .. } = &event.fact {
            found = Some(&snapshot.candidate);
        }
    }
    let parse = |candidate: &gulf_engine::Candidate| -> Result<_, git::GitError> {
        Ok((CommitId::parse(candidate.commit.as_str())?, TreeId::parse(candidate.tree.as_str())?))
    };
    Ok(found.map(parse).transpose()?)
}
