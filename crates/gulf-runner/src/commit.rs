//! The one command that commits what was verified.
//!
//! gulf itself never commits in the person's checkout (SPEC G2); it says how.

use gulf_engine::State;
use gulf_host::git::{Discovery, Repository, TreeId};

use crate::agreement::Agreement;

/// Is the last candidate something else than what HEAD holds?
pub fn is_uncommitted(agreement: &Agreement, state: &State) -> bool {
    let Some(tree) = state.unit().trees.last().or(last_evaluated(state)) else { return false };
    let Ok(Discovery::Repository(layout)) = Repository::discover(&agreement.project) else { return false };
    let Ok(folder) = tempfile::tempdir() else { return false };
    let Some(private) = camino::Utf8Path::from_path(folder.path()) else { return false };
    let Ok(repository) = Repository::open(layout, private) else { return false };
    let head = repository.head().ok().and_then(|head| head.commit().cloned());
    let head_tree = head.and_then(|commit| repository.tree_of(&commit).ok());
    TreeId::parse(tree.as_str()).is_ok_and(|tree| head_tree != Some(tree))
}

/// Commits everything that is not ignored, with the goal's first line as its message.
pub fn command(goal: &str) -> String {
    let line = goal.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("gulf");
    let title: String = line.chars().take(TITLE_CHARS_MAX).collect();
    format!("git add -A && git commit -m '{}'", title.replace('\'', "'\\''"))
}

/// A commit's title.
const TITLE_CHARS_MAX: usize = 72;

/// The tree of the words that were spoken last, where the loop ended at its gates.
fn last_evaluated(state: &State) -> Option<&gulf_engine::TreeId> {
    state.unit().words.keys().next_back()
}
