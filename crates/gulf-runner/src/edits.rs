//! What changed in the checkout while no turn ran: a person's edits, or another program's, and never the worker's.
//!
//! A candidate is built of all that lies there, whoever wrote it: without this look, what a person changed meanwhile
//! would be called the worker's. What changes while a turn runs cannot be told apart.

use camino::Utf8PathBuf;
use gulf_engine::{Fact, Research, Settlement};
use gulf_host::files::{self, Durability};
use gulf_host::git::TreeId;
use gulf_spec::own_texts::own_text;

use crate::agreement::{Agreement, Place};
use crate::book::Fold;
use crate::error::Result;
use crate::folder::LoopPaths;
use crate::resources::Resources;
use crate::snapshot::checkout_snapshot;

/// So many are named one by one.
const PATHS_MAX: usize = 20;
/// Far more than an id.
const NOTE_BYTES_MAX: u64 = 256;

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

/// What differs from what the last turn left, before the next one begins. The note of it goes: whoever is killed in
/// the middle of a turn leaves nothing to compare with.
pub(crate) fn edits_since_last_turn(resources: &Resources, fold: &Fold) -> Option<Fact> {
    let left = left_tree(&resources.folder);
    let _ = std::fs::remove_file(note(&resources.folder));
    if resources.last_look.end() {
        return None;
    }
    // What cannot be looked at is said where the candidate is built of it.
    left.and_then(|left| edits_since(resources, &left, fold).ok().flatten())
}

fn edits_since(resources: &Resources, left: &TreeId, fold: &Fold) -> Result<Option<Fact>> {
    let lies = checkout_snapshot(resources, resources.base(fold))?.tree;
    if lies == *left {
        return Ok(None);
    }
    let (paths, more) = named_changes(resources, left, &lies)?;
    Ok((!paths.is_empty()).then_some(Fact::Edited { paths, more }))
}

/// A few by name, and how many more.
fn named_changes(resources: &Resources, from: &TreeId, to: &TreeId) -> Result<(Vec<String>, u32)> {
    let changes = resources.repository.diff(from, to)?;
    let paths = changes.iter().map(|change| change.path.to_string());
    let mut paths: Vec<String> = paths.filter(|path| !is_own(&resources.agreement, path)).collect();
    let more = u32::try_from(paths.len().saturating_sub(PATHS_MAX)).unwrap_or(u32::MAX);
    paths.truncate(PATHS_MAX);
    Ok((paths, more))
}

/// What the worker changed besides the brief while nothing else was asked for; that it put it back is told, too.
pub(crate) fn changes_besides_brief(
    resources: &Resources,
    fold: &Fold,
    settlement: Settlement,
) -> Option<Fact> {
    let policy = fold.state.contract().map(|contract| contract.policy.research)?;
    let (unit, is_repeated) = (&fold.state.unit, fold.state.unit.attempt > 1);
    if unit.iteration != 1 || !matches!(policy, Research::Gate | Research::Brief) {
        return None;
    }
    // What cannot be compared is in the candidate all the same, and its diff shows it.
    let (changed, more) =
        named_changes(resources, &resources.base(fold).tree, &fold.state.candidate()?.tree).ok()?;
    let is_told = if changed.is_empty() { is_repeated } else { settlement == Settlement::Research };
    is_told.then_some(Fact::Researched { changed, more })
}

/// After a turn that no candidate follows, and after whatever of gulf's own moved files.
pub(crate) fn note_what_lies(resources: &Resources, fold: &Fold) {
    if let Ok(taken) = checkout_snapshot(resources, resources.base(fold)) {
        note_left(&resources.agreement, &resources.folder, &taken.tree);
    }
}

/// What the last turn left, or whatever of gulf's own came after it.
pub(crate) fn left_tree(folder: &LoopPaths) -> Option<TreeId> {
    TreeId::parse(files::read_text(&note(folder), NOTE_BYTES_MAX).ok()?.content.trim()).ok()
}
