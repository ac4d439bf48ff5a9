//! What a view must be told because the journal holds it as a digest only, or not at all.

use gulf_engine::{CheckName, LoopId};
use serde::Serialize;

/// The sealed texts, and where things lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    pub loop_id: LoopId,
    /// The spec's id where the loop was started on one, else the goal's digest (SPEC L1).
    pub spec_id: String,
    /// In the person's words, whole.
    pub goal: String,
    /// The line of it that names it.
    pub title: String,
    /// In the contract's order.
    pub checks: Vec<CheckFacts>,
    /// Criteria of RUBRIC.md.
    pub criteria: Vec<String>,
    /// How far the checks were kept apart from the machine, one line each: `in a checkout of its own, not isolated`.
    pub isolation: Vec<String>,
    /// The folder of the iterations' logs (SPEC K7).
    pub logs: String,
    /// Where the loop has a branch of its own.
    pub branch: Option<BranchFacts>,
    /// The command that starts a new loop on the same goal.
    pub again_command: String,
}

/// A loop's own branch, and where its work lands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BranchFacts {
    /// As people call it, like the base.
    pub name: String,
    pub base: String,
    /// None where it is checked out in the person's checkout, and where it was removed.
    pub worktree: Option<String>,
    /// Why a worktree stays though its work has landed; none where nobody has looked.
    pub kept: Option<String>,
    /// Checks that run in the project itself, so never on the commit that lands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked_when_merged: Vec<CheckName>,
    /// Where others work on the same goal.
    pub worker: Option<WorkerFacts>,
}

/// One of several workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WorkerFacts {
    /// From 1.
    pub number: u32,
    pub of: u32,
}

/// A sealed check's texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFacts {
    pub name: CheckName,
    pub command: String,
}

impl Facts {
    pub(crate) fn check(&self, name: &CheckName) -> Option<&CheckFacts> {
        self.checks.iter().find(|check| check.name == *name)
    }
}

/// Does a living process drive the loop? The lock tells, the journal cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    Present,
    Absent,
}

/// Is there something in the worktree that a person may want to commit?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worktree {
    Clean,
    /// Yes, and this one command commits it.
    Dirty {
        commit_command: String,
    },
}
