//! Where the work of a loop lands that a state file tells of: its branch was made by a person, or by the original.
//!
//! Nothing is made here, and nothing is refused: what the file says of branches counts as far as it is so, and else
//! the loop works where it is and lands nothing.

use std::num::NonZeroU32;

use gulf_engine::{Landing, Policy};
use gulf_host::git::{BranchName, Head};
use gulf_spec::marker::{Autonomy, Marker};

use super::{Branching, private, short};
use crate::agreement::{LandingPlace, LandingTerms};
use crate::error::RunError;
use crate::place::PlaceOfWork;
use crate::plan::Plan;

/// The original's only one.
const LABEL: &str = "autonomous";

/// What of branches is sealed, or for the person why nothing is.
type Found = Result<(LandingTerms, Branching), String>;

/// Lets the work land where the state file says so; a note where it says so and cannot be followed.
pub fn as_the_marker_says(place: &PlaceOfWork, marker: &Marker, mut plan: Plan) -> Result<Plan, RunError> {
    if marker.autonomy == Autonomy::Attended || marker.branch.trim().is_empty() {
        return Ok(plan);
    }
    match find(place, marker)? {
        Ok((landing, branching)) => {
            // As the seed does: what its gates let pass is merged.
            plan.terms.policy = Policy { landing: Some(Landing::OrAttested), ..plan.terms.policy };
            plan.terms.landing = Some(landing);
            plan.terms.branching = Some(branching);
        }
        Err(why) => plan.notes.push(format!("nothing will land: {why}")),
    }
    Ok(plan)
}

fn find(place: &PlaceOfWork, marker: &Marker) -> Result<Found, RunError> {
    if place.layout.is_none() {
        return Ok(Err("this is no git repository".to_owned()));
    }
    place.repository.create()?;
    let repository = place.open(&private(place))?;
    let head = repository.head()?;
    let (Some(branch), Some(base)) = (branch_named(&marker.branch), branch_named(&marker.base_branch)) else {
        let (branch, base) = (&marker.branch, &marker.base_branch);
        return Ok(Err(format!("{branch} and {base} are no names of branches")));
    };
    if !matches!(&head, Head::Branch { name, .. } if *name == branch) {
        return Ok(Err(format!("{branch} is not checked out here")));
    }
    let Some(base) = repository.real_branch(&base)? else {
        return Ok(Err(format!("{base} is no branch")));
    };
    if repository.read_branch(&base)?.is_none() {
        return Ok(Err(format!("there is no branch {base}")));
    }
    if base == branch {
        return Ok(Err(format!("{base} is the branch that is worked on")));
    }
    let worktrees = repository.worktrees()?;
    let main = worktrees.first().map_or(&place.project, |first| &first.path);
    let is_linked = *main != place.project && !marker.worktree_path.trim().is_empty();
    let landing = LandingTerms {
        base: base.as_str().to_owned(),
        branch: branch.as_str().to_owned(),
        place: if is_linked { LandingPlace::Worktree } else { LandingPlace::InPlace },
        push: None,
        lanes: NonZeroU32::MIN,
        label: LABEL.to_owned(),
    };
    let checkout = if is_linked { main.clone() } else { place.project.clone() };
    Ok(Ok((landing, Branching { checkout, worker: None })))
}

fn branch_named(name: &str) -> Option<BranchName> {
    BranchName::from_short_name(short(name.trim())).ok()
}
