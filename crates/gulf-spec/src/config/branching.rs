//! The settings of loops with branches of their own: where their work lands, and who works at the same time.
//!
//! They stand apart because no other loop knows of them.

use std::num::NonZeroU32;

use gulf_engine::Landing;
use serde::{Deserialize, Serialize};

/// How work comes onto its base branch (SPEC G18).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandingSettings {
    /// As a person names it, `main`; none: the branch that is checked out.
    pub base: Option<String>,
    pub place: LandingPlace,
    pub push: Push,
    pub accept: Landing,
    pub lanes: NonZeroU32,
}

/// Where the branch of the loop is checked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LandingPlace {
    /// In a worktree of its own.
    Worktree,
    /// In the person's checkout, which goes back to the base branch.
    InPlace,
}

/// Whether a loop with a branch of its own may start where there is nothing for a judge to judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeNeed {
    WithCriteria,
    Required,
}

/// Whether what landed is pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Push {
    Never,
    Asked,
}

/// Who works on one goal at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParallelSettings {
    pub workers: u32,
    pub select: GroupSelection,
    /// Files with one worker's hint each, relative to the project.
    pub strategies: Vec<String>,
}

/// Whose work of a group is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupSelection {
    All,
    /// Once one has landed, the others are stopped.
    First,
}
