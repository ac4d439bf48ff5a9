//! Takes away the worktree and the branch of a loop whose work stands on its base branch.
//!
//! It stands apart from the clean-up that a person asks for because nobody is asked here: it happens when a loop has
//! landed, or when the next one begins, and only where nothing is lost by it. What a crash cut off is found again in the
//! same way.

use gulf_host::git::{BranchName, CommitId};
use gulf_host::home::Name;

use super::branches::landed;
use super::remove_branch;
use crate::error::{RunError, in_full};
use crate::place::PlaceOfWork;

/// What became of a branch of a loop that landed, and of the worktree on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PutAway {
    Gone,
    Kept { why: String },
}

/// After this loop has landed; none where it has no branch any more. `place` must be another checkout than its own.
pub fn put_away(place: &PlaceOfWork, name: &Name) -> Option<PutAway> {
    match each(place, Some(name)) {
        Ok(done) => done.into_iter().next(),
        // It has landed all the same; the next clean-up says more.
        Err(error) => Some(PutAway::Kept { why: in_full(&error) }),
    }
}

/// What earlier loops left that landed: cut off, or kept by what is gone by now. Nothing that is left in the way of this
/// keeps anybody from working; it is said.
pub fn put_all_away(place: &PlaceOfWork) -> Option<String> {
    let failed = |error| format!("cannot take away what earlier loops left: {}", in_full(&error));
    each(place, None).map_err(failed).err()
}

fn each(place: &PlaceOfWork, of: Option<&Name>) -> Result<Vec<PutAway>, RunError> {
    let put_away = |(name, at): (BranchName, CommitId)| {
        let kept = remove_branch(place, &name, &at)?;
        Ok(kept.map_or(PutAway::Gone, |why| PutAway::Kept { why }))
    };
    landed(place, of)?.into_iter().map(put_away).collect()
}
