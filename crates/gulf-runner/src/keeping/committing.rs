//! One commit of exactly the loop's change, on the branch that is checked out.
//!
//! It stands apart because it is made by plumbing: no hook runs, and nothing signs it. What a person may expect of
//! `git commit` besides is said.

use std::collections::BTreeSet;

use gulf_engine::LandingWord;
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::git::{
    BranchName, BranchShift, CommitId, Committer, Head, MergeMessage, Recorded, Recording, Shift, Trailer,
    TreeId, TreePath,
};
use gulf_spec::goal::goal_title;

use super::change::{Change, Entries, moved};
use super::note::{Note, landed};
use super::{KeepingError, in_the_way, named, obstacle, quoted};
use crate::candidate::why_of;
use crate::landing::{TRAILER_CANDIDATE, TRAILER_LOOP, TRAILER_RECEIPT};
use crate::masking;
use crate::snapshot::stamp;

/// A commit's title.
const TITLE_CHARS_MAX: usize = 72;

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
    pub(super) fn to_commit(&self, branch: &BranchName) -> Result<PlannedCommit, KeepingError> {
        let from = match &self.head {
            Some(Head::Branch { name, commit }) if name == branch.as_str() => Some(commit.clone()),
            Some(Head::Unborn { name }) if name == branch.as_str() => None,
            Some(Head::Branch { .. } | Head::Unborn { .. } | Head::Detached { .. }) | None => {
                return Err(moved());
            }
        };
        let Some((_, candidate)) = &self.candidate else {
            return Err(in_the_way(
                "the loop produced nothing that could land",
                "`gulf log` shows what it did",
            ));
        };
        let (merged, conflicts) = self.merged(&self.base, &self.head_tree, candidate)?;
        let open: Vec<TreePath> = self.paths(&self.head_tree, &merged)?.into_iter().collect();
        let filtered = self.repository.filtered_paths(&open)?;
        self.are_committed(&filtered)?;
        let conflicts: Vec<TreePath> =
            conflicts.into_iter().filter(|path| !filtered.contains(path)).collect();
        self.are_told_apart(&conflicts)?;
        let tree = self.with(&merged, &filtered, &self.head_tree)?;
        let change = self.paths(&self.head_tree, &tree)?;
        let index = self.index_beside(&tree, &change, (&self.head_tree, &tree))?;
        let mut notes = Vec::new();
        let files = self.files_beside(&tree, candidate, &change, &mut notes)?;
        notes.extend(self.notes_of(&change)?);
        Ok(PlannedCommit { from, tree, index, files, notes })
    }

    /// What goes through a program on its way into a commit is a person's to commit: gulf runs none.
    fn are_committed(&self, filtered: &[TreePath]) -> Result<(), KeepingError> {
        let start =
            self.agreement.head.as_ref().map(|commit| CommitId::parse(commit.as_str())).transpose()?;
        let start = start.map(|commit| self.repository.tree_of(&commit)).transpose()?;
        let start = self.entries(&start.unwrap_or_else(|| self.repository.empty_tree()))?;
        let head = self.entries(&self.head_tree)?;
        let open: Vec<&TreePath> =
            filtered.iter().filter(|path| start.get(*path) == head.get(*path)).collect();
        if open.is_empty() {
            return Ok(());
        }
        Err(in_the_way(format!("{} needs a filter, and gulf runs none", named(&open)), by_hand(&open)))
    }

    fn are_told_apart(&self, conflicts: &[TreePath]) -> Result<(), KeepingError> {
        if conflicts.is_empty() {
            return Ok(());
        }
        let is_dirty = |path: &&TreePath| {
            path.as_utf8().is_some_and(|path| self.agreement.dirty_paths.iter().any(|dirty| dirty == path))
        };
        let what = if conflicts.iter().all(|path| is_dirty(&path)) {
            "the loop's change cannot be told apart from what was uncommitted before it"
        } else {
            "the loop's change conflicts with what was committed since"
        };
        Err(in_the_way(format!("{what}: {}", named(conflicts)), by_hand(conflicts)))
    }

    /// Files are touched only where the work is not there any more, so that the commit would show as taken back.
    fn files_beside(
        &self,
        tree: &TreeId,
        candidate: &TreeId,
        change: &BTreeSet<TreePath>,
        notes: &mut Vec<String>,
    ) -> Result<TreeId, KeepingError> {
        let trees = [&self.lies, &self.head_tree, &self.base, candidate];
        let [lies, head, base, work]: [Entries; 4] = [
            self.entries(trees[0])?,
            self.entries(trees[1])?,
            self.entries(trees[2])?,
            self.entries(trees[3])?,
        ];
        let is_without = |path: &&TreePath| {
            let lies = lies.get(*path);
            lies != work.get(*path) && (lies == head.get(*path) || lies == base.get(*path))
        };
        let without: Vec<&TreePath> = change.iter().filter(is_without).collect();
        if without.is_empty() || without.len() < change.len() {
            if !without.is_empty() {
                notes.push(format!(
                    "as before the loop in your files, and so a change that is not committed: {}",
                    named(&without)
                ));
            }
            return Ok(self.lies.clone());
        }
        let (clean, dirty): (Vec<&TreePath>, Vec<&TreePath>) =
            without.into_iter().partition(|path| lies.get(*path) == head.get(*path));
        let files = self.with(&self.lies, clean, tree)?;
        self.with(&files, dirty, candidate)
    }

    fn notes_of(&self, change: &BTreeSet<TreePath>) -> Result<Vec<String>, KeepingError> {
        let mut notes = Vec::new();
        if change.is_empty() {
            return Ok(notes);
        }
        notes.extend(self.left_out_words.iter().map(|what| format!("not part of the commit: {what}")));
        if self.repository.committer()?.is_none() {
            let set = "`git config user.name` and `git config user.email` set yours, then `git commit --amend --reset-author \
                       --no-edit`";
            notes.push(format!("git knows no name of yours, so the commit is gulf's: {set}"));
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
            notes.push(format!("{}: `git commit --amend --no-edit` makes up for it", missing.join(", and ")));
        }
        Ok(notes)
    }

    /// The commit, and the branch at it.
    pub(super) fn commit(
        &self,
        planned: &PlannedCommit,
        branch: &BranchName,
        clock: &Clock,
    ) -> Result<LandingWord, KeepingError> {
        if planned.tree == self.head_tree {
            let nothing =
                || in_the_way("the loop changed nothing that could be committed", "`gulf log` tells why");
            let commit = planned.from.as_ref().ok_or_else(nothing)?;
            return Ok(landed(commit, commit.as_str()));
        }
        let gulf = || Committer { name: "gulf".to_owned(), email: "gulf@localhost".to_owned() };
        let by = self.repository.committer()?.unwrap_or_else(gulf);
        let parents: Vec<&CommitId> = planned.from.iter().collect();
        let when = stamp(clock.wall_ms());
        let commit = self.repository.commit_as(&by, &planned.tree, &parents, &self.message(), when)?;
        let shift = Shift {
            files: (self.lies.clone(), planned.files.clone()),
            index: (self.staged.clone(), planned.index.clone()),
            branch: Some(BranchShift {
                name: branch.clone(),
                from: planned.from.clone(),
                to: commit.clone(),
                why: format!("commit: {} by gulf land", self.title()),
            }),
        };
        if planned.files == self.lies {
            self.record(&shift, &commit, planned, branch)?;
        } else {
            self.shift(&shift)?;
        }
        let onto = planned.from.as_ref().unwrap_or(&commit);
        Ok(landed(&commit, onto.as_str()))
    }

    /// Without a file: nothing of the checkout is held meanwhile.
    fn record(
        &self,
        shift: &Shift,
        commit: &CommitId,
        planned: &PlannedCommit,
        branch: &BranchName,
    ) -> Result<(), KeepingError> {
        Note::of(shift).write(&self.folder)?;
        crash::point("keeping.noted");
        let paths = self.repository.differing(&self.staged, &planned.index)?;
        let wanted = Recording {
            branch,
            from: planned.from.as_ref(),
            to: commit,
            paths: &paths,
            index: &planned.index,
        };
        match self.repository.record(&wanted)? {
            Recorded::Moved => Ok(()),
            Recorded::HeadMoved => Err(moved()),
            Recorded::NotReady { obstacle: found } => Err(obstacle(&found)),
        }
    }

    pub(super) fn title(&self) -> String {
        match goal_title(&self.agreement.goal) {
            "" => "gulf".to_owned(),
            title => masking::of_this_process().text(title).chars().take(TITLE_CHARS_MAX).collect(),
        }
    }

    pub(super) fn message(&self) -> String {
        let trailer = |name: &str, value: String| Trailer { name: name.to_owned(), value };
        let candidate =
            self.candidate.iter().map(|(commit, _)| trailer(TRAILER_CANDIDATE, commit.to_string()));
        let receipt =
            self.receipt.iter().map(|kept| trailer(TRAILER_RECEIPT, format!("sha256:{}", kept.digest)));
        let trailers = [trailer(TRAILER_LOOP, self.agreement.loop_id.to_string())];
        MergeMessage {
            title: self.title(),
            body: self
                .candidate
                .iter()
                .map(|(commit, _)| why_of(&self.repository, &self.agreement, commit))
                .collect(),
            trailers: trailers.into_iter().chain(candidate).chain(receipt).collect(),
        }
        .text()
    }
}

fn by_hand<T: ToString>(paths: &[T]) -> String {
    let paths = quoted(paths);
    format!(
        "commit them yourself: `git add -- {paths} && git commit -- {paths}`; then `gulf land` commits the rest"
    )
}
