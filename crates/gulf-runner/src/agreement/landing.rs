//! What was agreed of the way onto a base branch.
//!
//! It stands apart because most loops land nothing, and the queue knows no other part of a contract.

use std::num::NonZeroU32;

use gulf_spec::config::LandingPlace;
use serde::{Deserialize, Serialize};

/// How the work comes onto its base branch (SPEC G17, G18).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LandingTerms {
    /// The branch it lands on: `refs/heads/main`; `refs/remotes/origin/main` where a push is all that lands it.
    pub base: String,
    /// The loop's own: `refs/heads/gulf/auto-20260101-120000`.
    pub branch: String,
    pub place: LandingPlace,
    /// What else is moved once the base has moved; nothing is pushed unasked.
    pub push: Option<PushTerms>,
    /// So many merges are tested at once, if this process leads the queue.
    pub lanes: NonZeroU32,
    /// Who this is, in the merge's message: `autonomous`, `parallel worker 2`.
    pub label: String,
}

/// What a landing is pushed to, as it stood at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushTerms {
    /// As the repository calls it: `origin`.
    pub remote: String,
    pub url: String,
    /// There: `refs/heads/main`.
    pub branch: String,
}

impl PushTerms {
    /// As people call the branch: `origin/main`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.remote, short(&self.branch))
    }
}

/// The name of a branch as people use it: `main`, `origin/main`.
pub fn short(name: &str) -> &str {
    let local = name.strip_prefix("refs/heads/");
    local.or_else(|| name.strip_prefix("refs/remotes/")).unwrap_or(name)
}
