//! The one command that commits what was verified.
//!
//! Outside of a list of tasks gulf never commits in the person's checkout (SPEC G2, R4); it says how.

use gulf_engine::Candidate;
use gulf_host::git::{Discovery, Repository, TreeId};
use gulf_spec::goal::goal_title;

use crate::agreement::Agreement;

/// Is the candidate something else than what HEAD holds?
pub fn is_uncommitted(agreement: &Agreement, candidate: &Candidate) -> bool {
    let Ok(Discovery::Repository(layout)) = Repository::discover(&agreement.project) else { return false };
    let head = layout.head_with_tree().ok().flatten();
    TreeId::parse(candidate.tree.as_str()).is_ok_and(|tree| head.is_none_or(|head| head.tree != tree))
}

/// Commits everything that is not ignored, with the goal's title as its message.
pub fn command(goal: &str) -> String {
    let title = match goal_title(goal) {
        "" => "gulf",
        title => title,
    };
    let title: String = title.chars().take(TITLE_CHARS_MAX).collect();
    format!("git add -A && git commit -m '{}'", title.replace('\'', "'\\''"))
}

/// A commit's title.
const TITLE_CHARS_MAX: usize = 72;
