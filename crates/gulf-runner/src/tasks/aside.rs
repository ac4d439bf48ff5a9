//! Sets the work of a task aside that is given up: the next one begins on the last good state.
//!
//! It takes files out of a person's checkout. All that lies there is kept in a commit first, and noted; cut off
//! anywhere, the same call ends it. What the person had uncommitted at the start is as it was then.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use gulf_engine::SetAside;
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::files::Durability;
use gulf_host::git::{
    BranchName, CommitId, Expected, MergeMessage, Recorded, Recording, RefName, Trailer, TreeEdit, TreeId,
    TreePath,
};
use serde::{Deserialize, Serialize};

use super::closing::{TaskBooks, WHAT};
use super::recording::{ATTEMPTS_MAX, NextCommit, TRAILER_TASK, in_this_checkout};
use super::texts::{Bookkeeping, EditedText};
use crate::agreement::RepositoryKind;
use crate::error::{Failure, Result, in_full};
use crate::known::KnownLoop;
use crate::landing::TRAILER_LOOP;
use crate::place::PlaceOfWork;
use crate::resources::Resources;
use crate::snapshot::{checkout_snapshot, stamp};
use crate::{FORMAT_VERSION, records};

/// So many paths are named one by one.
const PATHS_MAX: usize = 50;

/// What lay there when the task was given up, on disk before anything of it is touched.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    version: u32,
    /// It is of this moment only: a task that goes on leaves something else.
    iteration: u32,
    commit: CommitId,
    paths: Vec<String>,
}

impl TaskBooks<'_> {
    /// Takes what the task in hand left out of the checkout, to be begun before it is written down as given up. Where that
    /// cannot be, it lies there still.
    pub(super) fn set_aside(&self) -> Result<SetAside> {
        let base = self.fold.state.base().ok_or_else(|| Failure::Refused("there is no base".to_owned()))?;
        let (good, base_commit) = (&base.tree, &base.commit);
        let lies = checkout_snapshot(self.resources, base)?.tree;
        // What was noted in this very moment of the loop, by a gulf that was cut off.
        let iteration = self.fold.state.unit.iteration;
        let is_of_now = |note: &Note| note.version == FORMAT_VERSION && note.iteration == iteration;
        let kept = records::read(&self.aside_file(), WHAT)?.filter(is_of_now);
        if lies == *good && kept.is_none() {
            return Ok(SetAside { commit: None, paths: Vec::new(), left: Vec::new() });
        }
        let note = kept.map_or_else(|| self.keep_what_lies((&lies, good), base_commit), Ok)?;
        crash::point("tasks.aside-kept");
        let changed: BTreeSet<TreePath> = self.changed(good, &lies)?;
        let left = self.take_out_of_branch((&lies, good), &note)?;
        crash::point("tasks.aside-committed");
        if !changed.is_empty() {
            self.resources.repository.put_back(&lies, good)?;
        }
        let is_own = self.resources.agreement.repository == RepositoryKind::Own;
        Ok(SetAside { commit: is_own.then_some(note.commit), paths: note.paths, left })
    }

    /// The commit that holds it, with a reference of its own.
    fn keep_what_lies(&self, (lies, good): (&TreeId, &TreeId), base: &CommitId) -> Result<Note> {
        let (loop_id, unit) = (&self.resources.agreement.loop_id, &self.fold.state.unit);
        let name = self.in_hand().map_or("a task", |one| one.task.name.as_str());
        let message = format!("gulf: what {name} left when it was given up\n");
        let now = stamp(Clock::new().wall_ms());
        let commit = self.resources.repository.commit(lies, &[base], &message, now)?;
        let reference = RefName::parse(&format!("refs/gulf/{loop_id}/aside-{}", unit.id.0 + 1))?;
        self.resources.repository.update_ref(&reference, &commit, &Expected::Anything)?;
        let paths = self.changed(good, lies)?.iter().take(PATHS_MAX).map(ToString::to_string).collect();
        let note = Note { version: FORMAT_VERSION, iteration: unit.iteration, commit, paths };
        records::keep(&self.aside_file(), WHAT, &note, Durability::Synced)?;
        Ok(note)
    }

    fn aside_file(&self) -> Utf8PathBuf {
        self.resources.folder.root().join(format!("aside-{}.json", self.fold.state.unit.id.0 + 1))
    }

    /// What the worker committed of it is taken back by a commit: the branch only moves forward. What it staged is no
    /// longer staged. Gives what cannot be taken back.
    fn take_out_of_branch(&self, (lies, good): (&TreeId, &TreeId), note: &Note) -> Result<Vec<String>> {
        let Resources { repository, agreement, .. } = self.resources;
        let branch = agreement.list.as_ref().and_then(|list| list.branch.as_deref());
        let Some(branch) = branch else { return Ok(Vec::new()) };
        let kept = repository.tree_of(&note.commit)?;
        let mut asked = self.changed(good, &kept)?;
        asked.extend(self.changed(good, lies)?);
        let (branch, asked) = (BranchName::parse(branch)?, asked.into_iter().collect::<Vec<_>>());
        let filtered = repository.filtered_paths(&asked)?;
        let is_free = |path: &TreePath| !agreement.was_dirty(path) && !filtered.contains(path);
        let (taken, others): (Vec<_>, Vec<_>) = asked.into_iter().partition(is_free);
        for _ in 0..ATTEMPTS_MAX {
            let head = repository.head()?;
            let Some(Some(from)) = head.on(&branch) else { return Ok(Vec::new()) };
            let head = repository.tree_of(from)?;
            let ahead = self.changed(good, &head)?;
            let is_theirs = self.changed(&kept, &head)?;
            let edit = |path: &TreePath| (path.clone(), TreeEdit::Take(good.clone()));
            let committed = taken.iter().filter(|path| ahead.contains(path) && !is_theirs.contains(path));
            let edits: Vec<_> = committed.map(edit).collect();
            if edits.is_empty() {
                repository.stage_paths(from, &taken)?;
                break;
            }
            let tree = repository.write_tree_with(&head, &edits)?;
            let now = stamp(Clock::new().wall_ms());
            let commit = repository.commit(&tree, &[from], &self.aside_message(note), now)?;
            let wanted =
                Recording { branch: &branch, from: Some(from), to: &commit, paths: &taken, index: &tree };
            match repository.record(&wanted)? {
                Recorded::Moved => break,
                Recorded::HeadMoved => {}
                Recorded::NotReady { obstacle } => {
                    return Ok(vec![format!("what it committed ({})", in_this_checkout(&obstacle))]);
                }
            }
        }
        let committed = self.committed_since_start()?;
        let left = others.iter().filter(|path| committed.contains(path)).take(PATHS_MAX);
        let why = "it was committed, and it was uncommitted before the loop";
        Ok(left.map(|path| format!("{path} ({why})")).collect())
    }

    fn committed_since_start(&self) -> Result<BTreeSet<TreePath>> {
        let Resources { repository, agreement, .. } = self.resources;
        let Some(head) = repository.head()?.commit().cloned() else { return Ok(BTreeSet::new()) };
        self.changed(&agreement.start_tree(repository)?, &repository.tree_of(&head)?)
    }

    fn aside_message(&self, note: &Note) -> String {
        let task = self.in_hand().map(|one| (one.task.name.as_str(), one.task.title.as_str()));
        let (name, title) = task.unwrap_or_default();
        let loop_id = &self.resources.agreement.loop_id;
        let message = MergeMessage {
            title: format!("Set aside {name}: {title}"),
            body: format!(
                "The task was given up. `git cherry-pick -n {:.12}` brings back what it left.",
                note.commit
            ),
            trailers: vec![Trailer::new(TRAILER_TASK, name), Trailer::new(TRAILER_LOOP, loop_id)],
        };
        message.text()
    }
}

// The lines that gulf wrote into a list for what has to come first, committed where a loop ends before their tasks do.

/// Commits what a loop added to its list that ended without being driven; what a person should know where that cannot be.
/// One that cannot be read keeps nobody from ending it.
pub fn commit_blockers(place: &PlaceOfWork, known: &KnownLoop) -> Option<String> {
    let agreement = known.agreement().ok().filter(|agreement| agreement.list.is_some())?;
    let place = place.of_loop(&agreement);
    let resources = place
        .open(&known.home.git())
        .and_then(|repository| Resources::open(place.home.root(), agreement, known.home.clone(), repository));
    resources.map_or_else(
        |error| Some(error.to_string()),
        |resources| TaskBooks { resources: &resources, fold: &known.fold }.commit_blockers(),
    )
}

impl TaskBooks<'_> {
    /// Commits them where they are not yet; what a person should know where that cannot be.
    pub(crate) fn commit_blockers(&self) -> Option<String> {
        let list = self.resources.agreement.list.as_ref()?;
        let texts = match self.bookkeeping(list, None, Vec::new()) {
            Ok(texts) => texts,
            Err(error) => return Some(in_full(&error)),
        };
        let added = texts.blockers();
        let branch = list.branch.as_ref().filter(|_| !added.is_empty())?;
        let why = self.record_blockers(branch, &list.path, &texts);
        let why = why.unwrap_or_else(|failure| Some(failure.to_string()))?;
        Some(format!("{}: what was added for {} is not committed: {why}", list.path, added.join(", ")))
    }

    /// Why it is not committed, if it is not.
    fn record_blockers(&self, branch: &str, list: &str, texts: &Bookkeeping) -> Result<Option<String>> {
        let (branch, path) = (BranchName::parse(branch)?, TreePath::try_from(list)?);
        // That was said at the start.
        if self.resources.agreement.was_dirty(&path) {
            return Ok(None);
        }
        if !self.resources.repository.filtered_paths(std::slice::from_ref(&path))?.is_empty() {
            return Ok(Some("a filter has to run for it".to_owned()));
        }
        let added = |from: &CommitId| self.with_blockers(from, list, texts);
        Ok(self.commit_on(&branch, |from| from.map_or(Ok(None), added))?.err())
    }

    /// A commit on top of this one that differs by these lines; none where it has them, or no such list.
    fn with_blockers(&self, from: &CommitId, list: &str, texts: &Bookkeeping) -> Result<Option<NextCommit>> {
        let head = self.resources.repository.tree_of(from)?;
        let list = EditedText { path: list.to_owned(), is_lessons: false };
        let edit = self.edit_of(&head, &list, |before| texts.with_blockers(before))?;
        let Some(edit) = edit else { return Ok(None) };
        let paths = vec![edit.0.clone()];
        let index = self.resources.repository.write_tree_with(&head, &[edit])?;
        let message = MergeMessage {
            title: format!("Add what has to come first: {}", texts.blockers().join(", ")),
            body: String::new(),
            trailers: vec![Trailer::new(TRAILER_LOOP, &self.resources.agreement.loop_id)],
        };
        let now = stamp(Clock::new().wall_ms());
        let to = self.resources.repository.commit(&index, &[from], &message.text(), now)?;
        Ok(Some(NextCommit { to, paths, index }))
    }
}
