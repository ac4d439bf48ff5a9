//! The loops of a repository as their journals tell them, whoever drives them.

use camino::Utf8Path;
use gulf_engine::Stage;
use gulf_host::home::Name;

use crate::agreement::{Agreement, goal_digest};
use crate::book::{self, Fold};
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::handles;
use crate::place::PlaceOfWork;

/// A loop as its journal tells, whoever drives it.
#[derive(Clone, Debug)]
pub struct Known {
    pub name: Name,
    pub home: LoopPaths,
    pub fold: Fold,
    /// Wall clock of the last event.
    pub updated_at_ms: u64,
}

/// What is kept about a repository.
#[derive(Debug, Default)]
pub struct Loops {
    pub known: Vec<Known>,
    pub damaged: Vec<Damaged>,
}

/// A loop whose journal cannot be read: never resumed, never deleted (SPEC L7).
#[derive(Debug)]
pub struct Damaged {
    pub name: Name,
    pub error: RunError,
}

/// The loops of this repository, the oldest first. One that cannot be read does not hide the others.
pub fn loops(place: &PlaceOfWork) -> Result<Loops, RunError> {
    let mut loops = Loops::default();
    for name in place.repository.loop_names()? {
        let home = place.loop_home(&name);
        if !home.journal().is_file() {
            // A start that came to nothing.
            continue;
        }
        match Known::read(name.clone(), home) {
            Ok(known) => loops.known.push(known),
            Err(error) => loops.damaged.push(Damaged { name, error }),
        }
    }
    // A name tells the minute only: of those that began in one, the goal would decide.
    loops.known.sort_by_key(|one| one.fold.started_at_ms);
    Ok(loops)
}

impl Known {
    /// The loop in this folder.
    pub fn read(name: Name, home: LoopPaths) -> Result<Self, RunError> {
        let events = book::read(home.root())?;
        let updated_at_ms = events.last().map_or(0, |event| event.at_ms);
        Ok(Self { name, home, fold: book::fold(&events), updated_at_ms })
    }

    /// What people call it.
    pub fn handle(&self) -> String {
        handles::of(self.home.root())
    }

    /// Is there something to go on with?
    pub fn is_unfinished(&self) -> bool {
        match self.fold.state.stage() {
            Stage::Unsealed | Stage::Ended(_) => false,
            Stage::Between(_) | Stage::Turn | Stage::Settling(_) => true,
            Stage::Gates(..) | Stage::FollowUp(..) | Stage::Paused(..) => true,
        }
    }

    /// Does it work in this checkout? One whose contract cannot be read may: it is not passed over in silence.
    pub fn works_in(&self, project: &Utf8Path) -> bool {
        self.agreement().map_or(true, |agreement| agreement.project == project)
    }

    /// Was it started in this checkout, or does it work there?
    pub fn is_of(&self, project: &Utf8Path) -> bool {
        self.agreement().map_or(true, |agreement| {
            agreement.project == project
                || agreement.branching.is_some_and(|branching| branching.checkout == project)
        })
    }

    /// What was sealed.
    pub fn agreement(&self) -> Result<Agreement, RunError> {
        let contract = self.fold.state.contract().ok_or(RunError::NoContract)?;
        Agreement::open(&self.home, contract)
    }
}

/// The unfinished loop with this goal, if there is one.
pub fn same_goal<'known>(known: &'known [Known], goal: &str) -> Option<&'known Known> {
    let digest = goal_digest(goal);
    known.iter().rev().find(|one| one.fold.state.contract().is_some_and(|contract| contract.goal == digest))
}
