//! The change of a loop that is over, and how the checkout lies that it was made in.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;
use gulf_engine::{Candidate, Digest, EffectKind, EffectResult, Event, Fact, LandingWord};
use gulf_host::crash;
use gulf_host::files::{self, Durability};
use gulf_host::git::{
    BlobId, BranchName, BranchShift, CommitId, CommitWithTree, FileMode, Head, Merged, Repository, Shift,
    Shifted, Step, TreeEdit, TreeId, TreePath, forget_index,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::undone::Edits;
use super::{KeepingError, Result, first_few, in_the_way, quoted};
use crate::agreement::{Agreement, RepositoryKind};
use crate::candidate::kept_candidate;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::known::{self, KnownLoop};
use crate::place::PlaceOfWork;
use crate::snapshot::{left_out, take_snapshot};
use crate::worker_commits::WorkerCommits;
use crate::{FORMAT_VERSION, book, records, references};

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
    pub(super) candidate: Option<Candidate>,
    /// What others changed while it rested.
    pub(super) edits: Edits,
    /// What the gates said about the candidate, as it was written down; only where it is to be committed here.
    pub(super) receipt: Option<(Digest, Value)>,
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
    pub(super) fn open(place: &PlaceOfWork, known: &KnownLoop) -> Result<Self> {
        let agreement = known.agreement()?;
        let folder = known.home.clone();
        let repository = place.open(&folder.git())?;
        let events = book::read(known.home.root())?;
        let nothing = repository.empty_tree();
        Ok(Self {
            base: agreement.base.tree.clone(),
            candidate: last_candidate(&events),
            edits: Edits::read(&events, &repository, &agreement.base.tree)?,
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
    pub(super) fn looked_at(mut self) -> Result<Self> {
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
        self.left_out = taken.left_out.into_iter().map(|file| file.path).collect();
        self.lies = taken.tree;
        Ok(self)
    }

    pub(super) fn worker_commits(&self) -> Result<WorkerCommits> {
        let (Some(commit), Some(candidate)) = (self.head.as_ref().and_then(Head::commit), &self.candidate)
        else {
            return Ok(WorkerCommits::default());
        };
        let head = CommitWithTree { commit: commit.clone(), tree: self.head_tree.clone() };
        let place = (&self.repository, &self.agreement, &self.folder);
        let mut found = WorkerCommits::on(&head, candidate, place)?;
        // Also what lies there larger than a candidate may hold.
        found.kept_out.extend(found.undone.extract_if(.., |path| self.left_out.contains(path)));
        Ok(found)
    }

    pub(super) fn is_git(&self) -> bool {
        self.agreement.repository == RepositoryKind::Own
    }

    pub(super) fn entries(&self, tree: &TreeId) -> Result<Entries> {
        let entries = self.repository.list(tree)?;
        Ok(entries.into_iter().map(|entry| (entry.path, (entry.mode, entry.blob))).collect())
    }

    /// Where two trees differ, what is left out of every tree not counted.
    pub(super) fn paths(&self, old: &TreeId, new: &TreeId) -> Result<BTreeSet<TreePath>> {
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
    ) -> Result<(TreeId, Vec<TreePath>)> {
        let (tree, mut conflicts) = match self.repository.merge_trees(base, ours, theirs)? {
            Merged::Clean(tree) => (tree, Vec::new()),
            Merged::Conflict(conflict) => (conflict.tree, conflict.paths),
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
    ) -> Result<TreeId> {
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
    ) -> Result<TreeId> {
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
                format!("staged changes cannot be told apart from the loop's: {}", first_few(&conflicts)),
                format!(
                    "`git restore --staged -- {}` leaves the files as they are",
                    quoted(&self.agreement.project, &conflicts)
                ),
            ));
        }
        self.with(&beside, mixed, &merged)
    }

    /// Does it, noted before.
    pub(super) fn shift(&self, shift: &Shift) -> Result<()> {
        if shift.files.0 == shift.files.1 && shift.index.0 == shift.index.1 && shift.branch.is_none() {
            return Ok(());
        }
        Note::keep(shift, &self.folder)?;
        match self.repository.shift(shift)? {
            Shifted::Done => Ok(()),
            Shifted::HeadMoved => Err(moved()),
            Shifted::NotReady { reasons: found } => Err(self.not_ready(&found)),
        }
    }
}

pub(super) fn moved() -> KeepingError {
    in_the_way("the branch moved at this moment; nothing was changed", "run the same command again")
}

/// The last candidate; none where a turn began after it and nothing was built of that.
pub(crate) fn last_candidate(events: &[Event]) -> Option<Candidate> {
    let mut found = None;
    for event in events {
        if let Fact::Began { key } = &event.fact
            && matches!(key.work, EffectKind::Turn | EffectKind::FollowUp)
        {
            found = None;
        }
        if let Fact::Ended { result: EffectResult::Snapshot(snapshot), .. } = &event.fact {
            found = Some(&snapshot.candidate);
        }
    }
    found.cloned()
}

// What is noted of a checkout that is about to be changed, so that a crash anywhere is put right by who comes next.

const WHAT: &str = "what was about to be changed";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Note {
    version: u32,
    files: (TreeId, TreeId),
    index: (TreeId, TreeId),
    branch: Option<BranchShift>,
}

impl Note {
    pub(super) fn keep(shift: &Shift, folder: &LoopPaths) -> Result<(), RunError> {
        let Shift { files, index, branch } = shift.clone();
        let note = Self { version: FORMAT_VERSION, files, index, branch };
        records::keep(&file(folder), WHAT, &note, Durability::Synced)?;
        crash::point("keeping.noted");
        Ok(())
    }

    pub(super) fn shift(self) -> Shift {
        let Self { version: _, files, index, branch } = self;
        Shift { files, index, branch }
    }

    /// What was committed before a crash is not committed again, wherever the branch has gone from there.
    pub(super) fn landed(&self, change: &Change, branch: &BranchName) -> Option<LandingWord> {
        let BranchShift { from, to, .. } = self.branch.as_ref().filter(|moving| moving.name == *branch)?;
        let tip = change.repository.read_branch(branch).ok()??;
        let is_there = tip == *to || change.repository.descends(&tip, to).ok()?;
        is_there.then(|| landed(to, from.as_ref().unwrap_or(to)))
    }

    pub(super) fn read(folder: &LoopPaths) -> Result<Option<Self>, RunError> {
        records::read(&file(folder), WHAT)
    }

    pub(super) fn forget(folder: &LoopPaths) -> Result<(), RunError> {
        Ok(files::remove_file(&file(folder))?)
    }
}

pub(super) fn landed(commit: &CommitId, onto: &CommitId) -> LandingWord {
    LandingWord::Landed { commit: commit.clone(), onto: onto.clone() }
}

fn file(folder: &LoopPaths) -> Utf8PathBuf {
    folder.root().join("keeping.json")
}

// The loop's change taken out of the checkout again: what was there before the loop stays, and what was done since.

/// Of a worker's commits so many are looked through for the first.
const STEPS_MAX: usize = 100_000;

/// So many commits are told.
const COMMITS_MAX: usize = 20;

/// What is taken out, and what stays.
#[derive(Debug)]
pub struct TakeOut {
    /// Files that go back to how they were.
    pub files: Vec<String>,
    /// Commits that go off the branch, the newest first, and the branch.
    pub commits: Vec<Step>,
    pub branch: Option<String>,
    /// Other branches that hold commits of the loop, and keep them.
    pub also_on: Vec<String>,
    /// Of the files that go back, those that somebody changed while no turn ran.
    pub edited: Vec<String>,
    /// Changed while no turn ran, and left as they are.
    pub left: Vec<String>,
    /// What no candidate holds, and so what stays: each with the reason.
    pub not_held: Vec<String>,
    /// Does no candidate hold all that goes?
    pub(super) is_kept_apart: bool,
    pub(super) shift: Shift,
}

impl TakeOut {
    pub fn is_nothing(&self) -> bool {
        self.files.is_empty() && self.commits.is_empty() && self.shift.index.0 == self.shift.index.1
    }
}

impl Change {
    pub(super) fn to_take_out(&self) -> Result<TakeOut> {
        // What a turn that was cut off left is in no candidate: all that lies there is taken for its.
        let (work, is_kept_apart) = match &self.candidate {
            Some(Candidate { tree, .. }) => (tree, *tree != self.lies),
            None => (&self.lies, true),
        };
        // What a person changed before the loop did stays, as it would have without the loop.
        let base = self.with(&self.base, &self.edits.first, work)?;
        let change = self.paths(&base, work)?;
        self.holds_no_repository(&change)?;
        let back = self.back_to()?;
        let new_head = match &back {
            Some(back) => self.repository.tree_of(&back.to)?,
            None => {
                self.is_uncommitted(&change, (work, &base))?;
                self.head_tree.clone()
            }
        };
        let (files, mut conflicts) = self.merged(work, &self.lies, &base)?;
        // A file that lies as it was committed before the loop holds nothing of the loop's.
        let gone = self.lying_as(&self.agreement.start_tree(&self.repository)?, &conflicts)?;
        let files = self.with(&files, &gone, &self.lies)?;
        conflicts.retain(|path| !gone.contains(path));
        if !conflicts.is_empty() {
            let named = first_few(&conflicts);
            return Err(in_the_way(
                format!("changed since the loop's end, where it had changed them, too: {named}"),
                self.back_by_hand(conflicts)?,
            ));
        }
        let index = if self.is_git() {
            self.index_beside(&new_head, &change, (work, &base))?
        } else {
            self.staged.clone()
        };
        let commits = back.as_ref().map(|back| self.repository.log_since(&back.to, COMMITS_MAX));
        let commits = commits.transpose()?.unwrap_or_default();
        let reverted = self.paths(&self.lies, &files)?;
        let mut left = self.paths(work, &self.lies)?;
        left.retain(|path| !change.contains(path));
        // What stands in its way now: a folder where a file was.
        let lying = self.paths(&self.base, &files)?;
        let is_changed = |path: &TreePath| change.contains(path) || self.edits.first.contains(path);
        left.extend(lying.into_iter().filter(is_changed));
        left.retain(|path| !reverted.contains(path));
        let index = (self.staged.clone(), index);
        let text = |paths: BTreeSet<TreePath>| paths.iter().map(TreePath::to_string).collect();
        let planned = TakeOut {
            edited: self.edits.later_in(&reverted),
            files: text(reverted),
            left: text(left),
            not_held: self.left_out_words.clone(),
            commits,
            branch: back.as_ref().map(|back| back.name.short().to_owned()),
            also_on: self.also_on(back.as_ref())?,
            is_kept_apart,
            shift: Shift { files: (self.lies.clone(), files), index, branch: back },
        };
        match planned.also_on.first() {
            Some(first) if planned.is_nothing() => Err(in_the_way(
                format!("the loop's commits are on another branch: {}", first_few(&planned.also_on)),
                format!("`git switch {first}`, then `gulf discard {}`", known::handle(self.folder.root())),
            )),
            Some(_) | None => Ok(planned),
        }
    }

    /// How files come to hold nothing of the loop's; what was in no commit before it was made by it.
    fn back_by_hand(&self, paths: Vec<TreePath>) -> Result<String> {
        let (id, start) = (known::handle(self.folder.root()), self.agreement.head.as_ref());
        let is_here = start == self.head.as_ref().and_then(Head::commit);
        let source = start.filter(|_| !is_here).map_or("HEAD", CommitId::as_str);
        let committed = self.entries(&self.agreement.start_tree(&self.repository)?)?;
        let (old, new): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| committed.contains_key(path));
        let restore = format!("`git restore --source={source} -- {}`", quoted(&self.agreement.project, &old));
        let remove = format!("`rm -- {}`", quoted(&self.agreement.project, &new));
        let what = match (old.is_empty(), new.is_empty()) {
            _ if !self.is_git() => {
                format!("copy the loop's files there (`gulf restore {id} --to DIR` writes them)")
            }
            (false, false) => format!("{restore} and {remove}"),
            (false, true) => restore,
            (true, _) => remove,
        };
        Ok(format!("keep a copy of what is yours, then {what}, and run `gulf discard` again"))
    }

    pub(super) fn lying_as(&self, tree: &TreeId, paths: &[TreePath]) -> Result<Vec<TreePath>> {
        let differing = self.repository.differing(tree, &self.lies)?;
        Ok(paths.iter().filter(|path| self.is_git() && !differing.contains(path)).cloned().collect())
    }

    /// The branches that hold a commit of the worker's, but for the one that goes back.
    fn also_on(&self, back: Option<&BranchShift>) -> Result<Vec<String>> {
        let (Some(start), Some(candidate)) = (&self.agreement.head, &self.candidate) else {
            return Ok(Vec::new());
        };
        let made = self.repository.steps(Some(start), &candidate.commit, STEPS_MAX)?;
        let Some(first) = made.last().filter(|first| first.parents.first() == Some(start)) else {
            return Ok(Vec::new());
        };
        let mut holders = self.repository.branches_with(&first.commit)?;
        let own = self.agreement.landing.as_ref().map(|landing| landing.branch.as_str());
        holders.retain(|holder| back.is_none_or(|back| back.name != *holder) && own != Some(holder.as_str()));
        Ok(holders.iter().map(|holder| holder.short().to_owned()).collect())
    }

    /// The branch goes back to where the loop began, where all that is on it since is the loop's.
    fn back_to(&self) -> Result<Option<BranchShift>> {
        let (name, now) = match &self.head {
            Some(Head::Branch { name, commit }) => (Some(name), commit),
            Some(Head::Detached { commit }) => (None, commit),
            Some(Head::Unborn { .. }) | None => return Ok(None),
        };
        let start = self.agreement.head.as_ref();
        if start == Some(now) || !self.is_within(now)? {
            return Ok(None);
        }
        let Some(to) = start else {
            return Err(in_the_way(
                "the first commit of this branch was made during the loop, and gulf leaves no branch without a commit",
                "`git update-ref -d HEAD` removes it; then `gulf discard` removes the files",
            ));
        };
        let Some(name) = name else {
            return Err(in_the_way(
                "commits were made during the loop, and no branch is checked out",
                format!("`git reset --keep {to}`; then `gulf discard` reverts the rest"),
            ));
        };
        if !self.repository.descends(now, to)? {
            // Another branch was checked out, and the one of the start is as it was.
            if !self.repository.branches_with(to)?.is_empty() {
                return Ok(None);
            }
            return Err(in_the_way(
                format!(
                    "this branch was rewritten: it no longer comes from {:.7}, where the loop began",
                    to.as_str()
                ),
                format!("`git reset --keep {to}`; then `gulf discard` reverts the rest"),
            ));
        }
        if let Some((other, began_on)) = references::brought_along(&self.repository, &self.folder, (to, now))?
            && began_on != name.short()
        {
            return Err(in_the_way(
                format!("{other} was there before the loop, and commits of it are not the loop's"),
                format!("`git switch {began_on}`; then run `gulf discard` again"),
            ));
        }
        let why = format!("gulf discard: {}", self.agreement.loop_id);
        let (name, from) = (name.clone(), Some(now.clone()));
        Ok(Some(BranchShift { name, from, to: to.clone(), why }))
    }

    /// Was this commit there when the last candidate was built?
    fn is_within(&self, commit: &CommitId) -> Result<bool> {
        let Some(candidate) = &self.candidate else { return Ok(true) };
        let is_last = kept_candidate(&self.folder).is_some_and(|kept| kept.head() == commit);
        Ok(is_last || candidate.commit == *commit || self.repository.descends(&candidate.commit, commit)?)
    }

    /// What a person committed since is theirs to take back.
    fn is_uncommitted(&self, change: &BTreeSet<TreePath>, (work, base): (&TreeId, &TreeId)) -> Result<()> {
        let (without, conflicts) = self.merged(work, &self.head_tree, base)?;
        let (head, without) = (self.entries(&self.head_tree)?, self.entries(&without)?);
        let start = self.entries(&self.agreement.start_tree(&self.repository)?)?;
        // Where the worker undid what was uncommitted, HEAD is like its work, and nobody committed anything.
        let is_undone =
            |path: &&TreePath| self.agreement.was_dirty(path) && head.get(*path) == start.get(*path);
        let is_committed = |path: &&TreePath| {
            head.get(*path) != without.get(*path) && !conflicts.contains(path) && !is_undone(path)
        };
        let committed: Vec<&TreePath> = change.iter().filter(is_committed).collect();
        if committed.is_empty() || !self.is_git() {
            return Ok(());
        }
        Err(in_the_way(
            format!("the loop's change is committed on this branch: {}", first_few(&committed)),
            format!(
                "`git log -- {}` shows the commit; `git revert` undoes it",
                quoted(&self.agreement.project, &committed)
            ),
        ))
    }
}
