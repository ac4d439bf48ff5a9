//! Starts a loop again from an iteration of another one: the same goal and contract, in a worktree and on a branch of its own.
//!
//! Nothing is composed here: what was sealed then holds again, and only who works, what it may cost, and where it
//! goes on differ. It begins as every loop with a branch of its own does.

use gulf_engine::{Base, Policy};
use gulf_host::clock::compact_second;
use gulf_host::git::{CommitId, Repository};

use crate::agreement::{Agreement, FolderOwner, ForkedFrom, LandingPlace, RalphTerms, WorkerTerms};
use crate::branching::{BranchingError, Site, StartingPoint, worktrees_folder};
use crate::folder::LoopPaths;
use crate::place::PlaceOfWork;
use crate::plan::Plan;

/// What was sealed, to be sealed again. Nothing of it lands: whoever forks looks at what comes of it. `base` is what
/// proofs compare with: where the work began, not where the fork does.
pub fn again(sealed: Agreement, from: ForkedFrom, base: Base) -> Plan {
    let terms = Agreement {
        base,
        forked_from: Some(from),
        policy: Policy { landing: None, ..sealed.policy },
        worker: WorkerTerms::Processes,
        landing: None,
        branching: None,
        ralph: sealed.ralph.map(|ralph| RalphTerms { ground: FolderOwner::Apart, ..ralph }),
        // Never two loops on one spec: the original is that one.
        spec: None,
        list: None,
        side_by_side: None,
        ..sealed
    };
    Plan { terms, notes: Vec::new() }
}

/// Where a fork goes on: at an iteration's commit, beside the repository, or in the folder for worktrees that somebody named.
/// `original` is the folder of the loop that it goes on from, as that loop opens the repository.
pub fn starting_point(
    place: &PlaceOfWork,
    (original, repository): (&LoopPaths, Repository),
    at: CommitId,
    worktrees: Option<&str>,
    at_ms: u64,
) -> Result<(StartingPoint, Site), BranchingError> {
    let main = repository.worktrees()?.into_iter().next();
    let main = main.map_or_else(|| place.project.clone(), |main| main.path);
    let (name, stamp) = (main.file_name().unwrap_or("repository"), compact_second(at_ms));
    let folder = worktrees_folder(&main, worktrees)?.join(format!("{name}-gulf-fork-{stamp}"));
    let start = StartingPoint {
        // Nothing of it lands.
        base: String::new(),
        at,
        place: LandingPlace::Worktree,
        push: None,
        notes: Vec::new(),
        texts: original.sealed_texts(),
        repository,
    };
    let site = start.site(&format!("gulf/fork-{stamp}"), &folder)?;
    Ok((start, site))
}
