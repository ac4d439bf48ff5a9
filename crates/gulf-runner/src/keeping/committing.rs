//! One commit of exactly the loop's change, on the branch that is checked out.
//!
//! It is made by plumbing: no hook runs, and nothing signs it. What a person may expect of `git commit` besides is
//! said.

use std::collections::BTreeSet;

use gulf_engine::{Candidate, Digest, Fact, LandingWord, PauseReason, Refusal, Stage};
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::git::{
    BranchName, BranchShift, CommitId, Committer, Expected, Fetch, Head, MergeMessage, PushOutcome, Recorded,
    Recording, RefName, Shift, Trailer, TreeId, TreePath,
};
use gulf_spec::goal::goal_title;
use gulf_spec::own_texts::own_text;

use super::change::{Change, Note, landed, moved};
use super::{KeepingError, Result, first_few, in_the_way, obstacle, quoted};
use crate::agreement::{LandingTerms, PushTerms};
use crate::candidate::why_of;
use crate::error::RunError;
use crate::known::{self, KnownLoop};
use crate::landing::{RemoteBase, TRAILER_CANDIDATE, TRAILER_LOOP, TRAILER_RECEIPT};
use crate::place::PlaceOfWork;
use crate::receipt::{LandedLoop, LandedWork, ReceiptStatement, WorkReceipt};
use crate::snapshot::stamp;
use crate::worker_commits::WorkerCommits;
use crate::{FORMAT_VERSION, book, masking, references};

/// A commit's title.
const TITLE_CHARS_MAX: usize = 72;
/// A command line has an end.
const PATHS_MAX: usize = 1_000;

/// What would be committed, and what would lie there afterwards.
#[derive(Debug)]
pub(super) struct PlannedCommit {
    from: Option<CommitId>,
    tree: TreeId,
    index: TreeId,
    files: TreeId,
    pub(super) notes: Vec<String>,
}

impl Change {
    pub(super) fn to_commit(&self, branch: &BranchName) -> Result<PlannedCommit> {
        let from = self.head.as_ref().and_then(|head| head.on(branch)).ok_or_else(moved)?.cloned();
        let nothing =
            || in_the_way("the loop produced nothing that could land", "`gulf log` shows what it did");
        let Candidate { commit, tree: candidate } = self.candidate.as_ref().ok_or_else(nothing)?;
        if let Some(from) = &from
            && let Some((other, _)) =
                references::brought_along(&self.repository, &self.folder, (from, commit))?
        {
            return Err(in_the_way(
                format!("the work was done on top of {other}, which is not on this branch"),
                format!("`git switch {other}`, or merge it here first; then run `gulf land` again"),
            ));
        }
        let (merged, mut conflicts) = self.merged(&self.base, &self.head_tree, candidate)?;
        let workers = self.worker_commits()?;
        let merged = self.with(&merged, &workers.undone, &self.agreement.start_tree(&self.repository)?)?;
        conflicts.retain(|path| !workers.undone.contains(path));
        let open: Vec<TreePath> = self.paths(&self.head_tree, &merged)?.into_iter().collect();
        let filtered = self.repository.filtered_paths(&open)?;
        self.are_committed(&filtered)?;
        conflicts.retain(|path| !filtered.contains(path));
        self.are_told_apart(&conflicts)?;
        let tree = self.with(&merged, &filtered, &self.head_tree)?;
        let change = self.paths(&self.head_tree, &tree)?;
        self.is_as_it_is_called(&tree, &change)?;
        let index = self.index_beside(&tree, &change, (&self.head_tree, &tree))?;
        let mut notes = Vec::new();
        let files = self.files_beside(&tree, candidate, &change, &mut notes)?;
        notes.extend(self.note_of_unlike(candidate, &tree)?.filter(|_| !change.is_empty()));
        notes.extend(self.notes_of(&change)?);
        notes.extend(self.note_of_unchecked(&workers));
        Ok(PlannedCommit { from, tree, index, files, notes })
    }

    /// What the checks saw and the commit does not hold: the person's own, uncommitted when the loop began.
    fn note_of_unlike(&self, candidate: &TreeId, tree: &TreeId) -> Result<Option<String>> {
        let mut unlike = self.repository.differing(candidate, tree)?;
        unlike.retain(|path| self.agreement.was_dirty(path) && own_text(&path.to_string()).is_none());
        Ok((!unlike.is_empty()).then(|| {
            format!(
                "the checks ran with your uncommitted change of {}, which is not in the commit: without it nothing was checked",
                first_few(&unlike)
            )
        }))
    }

    /// Gulf takes nothing off a branch that only its person can judge.
    fn note_of_unchecked(&self, workers: &WorkerCommits) -> Option<String> {
        let newest = workers.newest.as_ref().filter(|_| !workers.kept_out.is_empty())?;
        let (paths, quoted) =
            (first_few(&workers.kept_out), quoted(&self.agreement.project, &workers.kept_out));
        let is_newest = self.head.as_ref().and_then(Head::commit) == Some(newest);
        let id = known::handle(self.folder.root());
        let fix = match &self.agreement.head {
            Some(start) if is_newest => format!(
                "`git reset {:.7}` takes them all off and leaves your files, then `gulf land {id}` commits what was checked",
                start.as_str()
            ),
            Some(_) | None => format!("`git rm --cached -- {quoted}`, and a commit, take it out again"),
        };
        Some(format!("commits made during the loop put {paths} on this branch, which nothing checked: {fix}"))
    }

    /// A later loop's worker can write over what an earlier one's candidate is made of.
    fn is_as_it_is_called(&self, tree: &TreeId, change: &BTreeSet<TreePath>) -> Result<()> {
        self.repository.verify_trees(&[tree])?;
        let work = self.entries(tree)?;
        let files = change.iter().filter_map(|path| work.get(path));
        let blobs: Vec<String> = files.map(|(_, blob)| blob.to_string()).collect();
        Ok(self.repository.verify_blobs(&blobs)?)
    }

    /// What goes through a program on its way into a commit is a person's to commit: gulf runs none.
    fn are_committed(&self, filtered: &[TreePath]) -> Result<()> {
        let start = self.entries(&self.agreement.start_tree(&self.repository)?)?;
        let head = self.entries(&self.head_tree)?;
        let open: Vec<&TreePath> =
            filtered.iter().filter(|path| start.get(*path) == head.get(*path)).collect();
        if open.is_empty() {
            return Ok(());
        }
        let hint = self.by_hand(&open, "; git needs the filter's program for it (of lfs, `git-lfs`)")?;
        Err(in_the_way(format!("{} needs a filter, and gulf runs none", first_few(&open)), hint))
    }

    fn are_told_apart(&self, conflicts: &[TreePath]) -> Result<()> {
        if conflicts.is_empty() {
            return Ok(());
        }
        let has_moved = self.agreement.start_tree(&self.repository)? != self.head_tree;
        let what = if !has_moved || conflicts.iter().all(|path| self.agreement.was_dirty(path)) {
            "the loop's change cannot be told apart from what was uncommitted before it"
        } else {
            "the loop's change conflicts with what was committed since"
        };
        let is_out = self.lying_as(&self.head_tree, conflicts)?.len() == conflicts.len();
        let restore = format!("`gulf restore {} --to DIR`", known::handle(self.folder.root()));
        let by_restoring = || format!("{restore} writes the loop's files: put its change in by hand");
        let hint = if is_out { by_restoring() } else { self.by_hand(conflicts, "")? };
        Err(in_the_way(format!("{what}: {}", first_few(conflicts)), hint))
    }

    /// No command of git's is named that would run what the worker set up.
    fn by_hand<T: ToString>(&self, paths: &[T], needs: &str) -> Result<String> {
        let paths = quoted(&self.agreement.project, paths);
        Ok(match self.what_git_would_run()? {
            Some(first) => {
                format!("{first}, then run the same command again; else commit these files yourself")
            }
            None => format!(
                "commit them yourself: `git add -- {paths} && git commit -- {paths}`; then `gulf land` commits the rest{needs}"
            ),
        })
    }

    /// Files are touched only where the work is not there any more, so that the commit would show as taken back.
    fn files_beside(
        &self,
        tree: &TreeId,
        candidate: &TreeId,
        change: &BTreeSet<TreePath>,
        notes: &mut Vec<String>,
    ) -> Result<TreeId> {
        let (taken_out, _) = self.merged(candidate, &self.lies, &self.base)?;
        let (lies, head) = (self.entries(&self.lies)?, self.entries(&self.head_tree)?);
        let (taken_out, work) = (self.entries(&taken_out)?, self.entries(candidate)?);
        // Where taking the change out would do nothing, it is out already, whatever else was done there.
        let is_without = |path: &&TreePath| {
            let lies = lies.get(*path);
            lies != work.get(*path) && lies == taken_out.get(*path)
        };
        let without: Vec<&TreePath> = change.iter().filter(is_without).collect();
        // `gulf discard` left these where they are.
        let goes = change.iter().filter(|path| !self.edits.first.contains(path)).count();
        if without.is_empty() || without.len() < goes {
            if !without.is_empty() {
                notes.push(format!(
                    "as before the loop in your files, and so a change that is not committed: {}",
                    first_few(&without)
                ));
            }
            return Ok(self.lies.clone());
        }
        let (clean, dirty): (Vec<&TreePath>, Vec<&TreePath>) =
            without.into_iter().partition(|path| lies.get(*path) == head.get(*path));
        let files = self.with(&self.lies, clean, tree)?;
        if dirty.is_empty() {
            return Ok(files);
        }
        let (put_in, mut conflicts) = self.merged(&self.base, &self.lies, candidate)?;
        conflicts.retain(|path| dirty.contains(&path));
        if !conflicts.is_empty() {
            notes.push(format!(
                "committed, and not put into your files, where the same lines were changed since: {}",
                first_few(&conflicts)
            ));
        }
        self.with(&files, dirty.into_iter().filter(|path| !conflicts.contains(path)), &put_in)
    }

    fn notes_of(&self, change: &BTreeSet<TreePath>) -> Result<Vec<String>> {
        let mut notes = Vec::new();
        if change.is_empty() {
            return Ok(notes);
        }
        notes.extend(self.left_out_words.iter().map(|what| format!("not part of the commit: {what}")));
        let mut amends = Vec::new();
        if self.repository.committer()?.is_none() {
            let set = "`git config user.name` and `git config user.email` set yours, then `git commit --amend --reset-author \
                       --no-edit`";
            amends.push(format!("git knows no name of yours, so the commit is gulf's: {set}"));
        }
        let left_out = self.repository.left_out_of_commit()?;
        let mut missing = Vec::new();
        if !left_out.hooks.is_empty() {
            missing.push(format!("no hook of the repository ran ({})", left_out.hooks.join(", ")));
        }
        if left_out.signature {
            missing.push("the commit is not signed".to_owned());
        }
        if !missing.is_empty() {
            amends
                .push(format!("{}: `git commit --amend --no-edit` makes up for it", missing.join(", and ")));
        }
        if !amends.is_empty() {
            notes.extend(self.what_git_would_run()?);
        }
        notes.extend(amends);
        Ok(notes)
    }

    /// The commit, and the branch at it.
    pub(super) fn commit(
        &self,
        planned: &PlannedCommit,
        branch: &BranchName,
        clock: &Clock,
    ) -> Result<LandingWord> {
        if planned.tree == self.head_tree {
            let nothing =
                || in_the_way("the loop changed nothing that could be committed", "`gulf log` tells why");
            let commit = self.holding(planned.from.as_ref().ok_or_else(nothing)?)?;
            return Ok(landed(&commit, &commit));
        }
        let by = self.repository.committer()?.unwrap_or_else(Committer::gulf);
        let parents: Vec<&CommitId> = planned.from.iter().collect();
        let when = stamp(clock.wall_ms());
        let commit = self.repository.commit_as(&by, &planned.tree, &parents, &self.message(), when)?;
        let why = format!("commit: {} by gulf land", self.title());
        let forward =
            BranchShift { name: branch.clone(), from: planned.from.clone(), to: commit.clone(), why };
        let shift = Shift {
            files: (self.lies.clone(), planned.files.clone()),
            index: (self.staged.clone(), planned.index.clone()),
            branch: Some(forward),
        };
        if planned.files == self.lies {
            self.record(&shift, &commit, planned, branch)?;
        } else {
            self.shift(&shift)?;
        }
        Ok(landed(&commit, planned.from.as_ref().unwrap_or(&commit)))
    }

    /// The commit by which the branch at `head` holds the change: later ones may be somebody else's.
    fn holding(&self, head: &CommitId) -> Result<CommitId> {
        let (Some(start), Some(Candidate { tree, .. })) = (&self.agreement.head, &self.candidate) else {
            return Ok(head.clone());
        };
        let paths = self.paths(&self.base, tree)?;
        let paths: Vec<String> = paths.iter().take(PATHS_MAX).map(TreePath::to_string).collect();
        Ok(self.repository.newest_touching(start, head, &paths)?.unwrap_or_else(|| head.clone()))
    }

    /// Without a file: nothing of the checkout is held meanwhile.
    fn record(
        &self,
        shift: &Shift,
        commit: &CommitId,
        planned: &PlannedCommit,
        branch: &BranchName,
    ) -> Result<()> {
        Note::keep(shift, &self.folder)?;
        let paths = self.repository.differing(&self.staged, &planned.index)?;
        let (from, index) = (planned.from.as_ref(), &planned.index);
        match self.repository.record(&Recording { branch, from, to: commit, paths: &paths, index })? {
            Recorded::Moved => Ok(()),
            Recorded::HeadMoved => Err(moved()),
            Recorded::NotReady { obstacle: found } => Err(obstacle(&found)),
        }
    }

    /// The first line of the goal; where that is too long for a title, its first words.
    pub(super) fn title(&self) -> String {
        let goal = self.goal_line();
        if goal.chars().count() <= TITLE_CHARS_MAX {
            return goal;
        }
        let part: String = goal.chars().take(TITLE_CHARS_MAX - 2).collect();
        let words = part.rsplit_once(' ').map_or(part.as_str(), |(words, _)| words);
        format!("{} …", words.trim_end())
    }

    fn goal_line(&self) -> String {
        match goal_title(&self.agreement.goal) {
            "" => "gulf".to_owned(),
            title => masking::of_this_process().text(title).into_owned(),
        }
    }

    pub(super) fn message(&self) -> String {
        let candidate = self.candidate.iter().map(|one| Trailer::new(TRAILER_CANDIDATE, &one.commit));
        let receipt =
            self.receipt.iter().map(|(digest, _)| Trailer::new(TRAILER_RECEIPT, &format!("sha256:{digest}")));
        let trailers = [Trailer::new(TRAILER_LOOP, &self.agreement.loop_id)];
        let trailers = trailers.into_iter().chain(candidate).chain(receipt).collect();
        let goal = Some(self.goal_line()).filter(|goal| goal.chars().count() > TITLE_CHARS_MAX);
        let why = self.candidate.iter().map(|one| why_of(&self.repository, &self.agreement, &one.commit));
        let body = goal.into_iter().chain(why.filter(|why| !why.is_empty())).collect::<Vec<_>>().join("\n\n");
        MergeMessage { title: self.title(), body, trailers }.text()
    }
}

// The receipt of work that is committed on a person's word: named in the commit's message, and a note on it.

impl Change {
    /// Writes down what the gates said, for the commit to name.
    pub(super) fn with_receipt(mut self, known: &KnownLoop, by: &str) -> Result<Self> {
        if let Some(candidate) = &self.candidate {
            let said = WorkReceipt::compose(&self.agreement, &self.folder, &known.fold, candidate, Some(by))?;
            self.receipt = Some(said.keep(&self.folder)?);
        }
        Ok(self)
    }

    /// Puts the receipt beside the commit; once again after a crash it is the same.
    pub(super) fn attest(&self, word: &LandingWord, branch: &BranchName, clock: &Clock) -> Result<()> {
        let (Some((digest, said)), LandingWord::Landed { commit, onto }) = (&self.receipt, word) else {
            return Ok(());
        };
        let tree = self.repository.tree_of(commit)?;
        let work = LandedWork {
            version: FORMAT_VERSION,
            gulf_version: env!("CARGO_PKG_VERSION").to_owned(),
            base_branch: branch.as_str().to_owned(),
            base_before: (onto != commit).then(|| onto.clone()),
            environment: self.environment()?,
            landed: vec![LandedLoop {
                commit: commit.clone(),
                receipt: digest.clone(),
                said: said.clone(),
                unchecked_when_merged: Vec::new(),
                flaky: None,
            }],
        };
        let statement = ReceiptStatement::new(commit.as_str(), tree.as_str(), work).encode()?;
        Ok(self.repository.note(commit, &statement, stamp(clock.wall_ms()))?)
    }

    /// The surroundings of the last driver, in which the checks ran.
    fn environment(&self) -> Result<Digest, RunError> {
        let events = book::read(self.folder.root())?;
        let found = events.iter().rev().find_map(|event| {
            let Fact::Attached { environment, .. } = &event.fact else { return None };
            Some(environment.clone())
        });
        Ok(found.unwrap_or_else(|| Digest::new("")))
    }
}

// One commit of exactly the loop's change, on top of where a remote's branch stands, pushed as a branch of its own: what a
// pull request is made of.

/// A branch at a remote that asks to be merged.
#[derive(Debug)]
pub struct Proposal {
    pub url: String,
    /// As people call it: `main`.
    pub base: String,
    pub branch: String,
    pub title: String,
}

/// Pushes it, once: what was pushed before is others' to go on with.
pub fn propose(
    place: &PlaceOfWork,
    known: &KnownLoop,
    terms: &LandingTerms,
    clock: &Clock,
) -> Result<Proposal> {
    is_finished(known)?;
    let push = terms.push.as_ref().ok_or(Refusal::NothingToLand)?;
    let change = Change::open(place, known)?;
    let branch = branch_of(&change, terms)?;
    let proposal = Proposal {
        url: push.url.clone(),
        base: BranchName::parse(&push.branch)?.short().to_owned(),
        branch: branch.short().to_owned(),
        title: change.title(),
    };
    let pushed = RefName::parse(&format!("refs/gulf/{}/proposed", change.agreement.loop_id))?;
    if change.repository.read_ref(&pushed)?.is_some() {
        return Ok(proposal);
    }
    let commit = change.on_top_of(push, terms, clock)?;
    crash::point("proposing.made");
    change.push(push, &branch, &commit)?;
    change.repository.update_ref(&pushed, &commit, &Expected::Anything)?;
    Ok(proposal)
}

/// Every gate has said yes, or a person may.
fn is_finished(known: &KnownLoop) -> Result<()> {
    let stage = &known.fold.state.stage;
    let is_finished = matches!(stage, Stage::Ended(end) if end.has_passed())
        || matches!(stage, Stage::Paused(PauseReason::ReadyToLand, _));
    if is_finished { Ok(()) } else { Err(Refusal::NothingToLand.into()) }
}

/// The loop's own, or one of its name.
fn branch_of(change: &Change, terms: &LandingTerms) -> Result<BranchName> {
    Ok(match &change.agreement.landing {
        Some(_) => BranchName::parse(&terms.branch)?,
        None => BranchName::from_short_name(&format!("gulf/{}", change.agreement.loop_id))?,
    })
}

impl Change {
    fn on_top_of(&self, push: &PushTerms, terms: &LandingTerms, clock: &Clock) -> Result<CommitId> {
        let candidate = &self.candidate.as_ref().ok_or(Refusal::NothingToLand)?.tree;
        let name = push.name();
        let tip = match RemoteBase::new(&terms.base, push)?.fetch(&self.repository)? {
            Fetch::Fetched { commit } => commit,
            Fetch::Absent => {
                let hint = "name another branch with `--base-branch`, or push that one first";
                return Err(in_the_way(format!("{} has no branch {}", push.remote, push.branch), hint));
            }
            Fetch::Unreachable { words } => return Err(away(push, &words)),
        };
        let there = self.repository.tree_of(&tip)?;
        let (merged, conflicts) = self.merged(&self.base, &there, candidate)?;
        if !conflicts.is_empty() {
            return Err(in_the_way(
                format!("the loop's change conflicts with {name}: {}", first_few(&conflicts)),
                "fetch that branch, and continue from this loop: `gulf fork`",
            ));
        }
        // What gulf and its worker tell each other is nobody's to review.
        let is_own = |path: &&TreePath| path.as_utf8().is_some_and(|path| own_text(path.as_str()).is_some());
        let changed: Vec<TreePath> = self.paths(&there, &merged)?.into_iter().collect();
        let tree = self.with(&merged, changed.iter().filter(is_own), &there)?;
        let filtered = self.repository.filtered_paths(&changed)?;
        if !filtered.is_empty() {
            return Err(in_the_way(
                format!("{} needs a filter, and gulf runs none", first_few(&filtered)),
                "commit and push the work yourself: `gulf land`, then `git push`",
            ));
        }
        if tree == there {
            return Err(in_the_way(format!("{name} already contains the loop's change"), "`gulf status`"));
        }
        let by = self.repository.committer()?.unwrap_or_else(Committer::gulf);
        Ok(self.repository.commit_as(&by, &tree, &[&tip], &self.message(), stamp(clock.wall_ms()))?)
    }

    fn push(&self, push: &PushTerms, branch: &BranchName, commit: &CommitId) -> Result<()> {
        let remote = &push.remote;
        match self.repository.push(&push.url, commit, branch, None)? {
            PushOutcome::Pushed => Ok(()),
            PushOutcome::Moved { .. } => Err(in_the_way(
                format!("{remote} already has a branch {}, which this loop did not push", branch.short()),
                format!("if nobody needs it: `git push {remote} --delete {}`", branch.short()),
            )),
            PushOutcome::Declined { words } => Err(in_the_way(
                format!("{remote} declines the branch {}: {}", branch.short(), words),
                "do what it asks for, then run the same command again",
            )),
            PushOutcome::Unreachable { words } => Err(away(push, &words)),
        }
    }
}

fn away(push: &PushTerms, words: &str) -> KeepingError {
    in_the_way(
        format!("{} cannot be reached: {words}", push.remote),
        format!("`git fetch {}` shows whether it answers", push.remote),
    )
}
