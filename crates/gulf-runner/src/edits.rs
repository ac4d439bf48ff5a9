//! What changed in the checkout while no turn ran: a person's edits, or another program's, and never the worker's.
//!
//! It stands apart because a candidate is built of all that lies there, whoever wrote it: without this look, what a person
//! changed meanwhile would be called the worker's. What changes while a turn runs cannot be told apart.

use camino::Utf8PathBuf;
use gulf_engine::{Fact, Research, Settlement, Turn, TurnOutcome};
use gulf_host::files::{self, Durability};
use gulf_host::git::TreeId;
use gulf_spec::own_texts::own_text;

use crate::agreement::{Agreement, Place};
use crate::book::Fold;
use crate::error::Failure;
use crate::folder::LoopPaths;
use crate::resources::Resources;
use crate::snapshot::take_snapshot;

/// So many are named one by one.
const PATHS_MAX: usize = 20;
/// Far more than an id.
const NOTE_BYTES_MAX: u64 = 256;

impl Resources {
    /// What differs from what the last turn left, before the next one begins. The note of it goes: whoever is killed in
    /// the middle of a turn leaves nothing to compare with.
    pub(crate) fn edits_since_last_turn(&self, fold: &Fold) -> Option<Fact> {
        let left = self.left_tree();
        let _ = std::fs::remove_file(note(&self.folder));
        // What cannot be looked at is said where the candidate is built of it.
        left.and_then(|left| self.edits_since(&left, fold).ok().flatten())
    }

    fn edits_since(&self, left: &TreeId, fold: &Fold) -> Result<Option<Fact>, Failure> {
        let base = self.base(fold);
        let lies = take_snapshot(&self.repository, &self.agreement, base, &self.folder.index())?.tree;
        if lies == *left {
            return Ok(None);
        }
        let (paths, more) = self.named_changes(left, &lies)?;
        Ok((!paths.is_empty()).then_some(Fact::Edited { paths, more }))
    }

    /// A few by name, and how many more.
    fn named_changes(&self, from: &TreeId, to: &TreeId) -> Result<(Vec<String>, u32), Failure> {
        let changes = self.repository.diff(from, to)?;
        let paths = changes.iter().map(|change| change.path.to_string());
        let mut paths: Vec<String> = paths.filter(|path| !is_own(&self.agreement, path)).collect();
        let more = u32::try_from(paths.len().saturating_sub(PATHS_MAX)).unwrap_or(u32::MAX);
        paths.truncate(PATHS_MAX);
        Ok((paths, more))
    }

    /// What the worker changed besides the brief while nothing else was asked for; that it put it back is told, too.
    pub(crate) fn changes_besides_brief(&self, fold: &Fold, settlement: Settlement) -> Option<Fact> {
        let policy = fold.state.contract().map(|contract| contract.policy.research)?;
        let (unit, is_repeated) = (fold.state.unit(), fold.state.unit().attempt > 1);
        if unit.iteration != 1 || !matches!(policy, Research::Gate | Research::Brief) {
            return None;
        }
        // What cannot be compared is in the candidate all the same, and its diff shows it.
        let (changed, more) =
            self.named_changes(&self.base(fold).tree, &fold.state.candidate()?.tree).ok()?;
        let is_told = if changed.is_empty() { is_repeated } else { settlement == Settlement::Research };
        is_told.then_some(Fact::Researched { changed, more })
    }

    /// After a turn that no candidate follows, and after whatever of gulf's own moved files.
    pub(crate) fn note_what_lies(&self, fold: &Fold) {
        let index = self.folder.index();
        if let Ok(taken) = take_snapshot(&self.repository, &self.agreement, self.base(fold), &index) {
            note_left(&self.agreement, &self.folder, &taken.tree);
        }
    }

    /// A candidate is built of what a completed turn left, and noted there.
    pub(crate) fn note_end_of_turn(&self, fold: &Fold, turn: &Result<Turn, Failure>) {
        if !matches!(turn, Ok(Turn { outcome: TurnOutcome::Completed, .. })) {
            self.note_what_lies(fold);
        }
    }

    fn left_tree(&self) -> Option<TreeId> {
        let text = files::read_text(&note(&self.folder), NOTE_BYTES_MAX).ok()?;
        TreeId::parse(text.content.trim()).ok()
    }
}

/// Keeps what lies there as what the loop itself left. Checks that run in the project write there at any time: then
/// nobody can tell whose a change is.
pub(crate) fn note_left(agreement: &Agreement, folder: &LoopPaths, tree: &TreeId) {
    if !agreement.checks.iter().any(|check| check.place == Place::Project) {
        note_tree(folder, tree);
    }
}

/// A note that cannot be kept is one that is not there.
pub(crate) fn note_tree(folder: &LoopPaths, tree: &TreeId) {
    let _ = files::replace(&note(folder), tree.as_str().as_bytes(), Durability::Buffered);
}

fn note(folder: &LoopPaths) -> Utf8PathBuf {
    folder.root().join("left-tree")
}

/// The loop's own texts and its list stand in a candidate as in its base, and gulf writes them itself.
fn is_own(agreement: &Agreement, path: &str) -> bool {
    own_text(path).is_some() || agreement.list.as_ref().is_some_and(|list| list.path.as_str() == path)
}
