//! The settings of loops with branches of their own: where their work lands, and who works at the same time.
//!
//! They stand apart because no other loop knows of them.

/// How work comes onto its base branch (SPEC G18).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandingSettings {
    /// As a person names it, `main`; none: the branch that is checked out.
    pub base: Option<String>,
    pub place: CheckoutPlace,
    pub push: Push,
    pub accept: Accept,
    pub lanes: u32,
}

/// Where the branch of the loop is checked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutPlace {
    /// In a worktree of its own.
    Worktree,
    /// In the person's checkout.
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

/// What may land.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    Verified,
    /// Attested work, too: the person's word.
    Attested,
}

/// Who works on one goal at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParallelSettings {
    pub workers: u32,
    pub select: Select,
    /// Files with one worker's hint each, relative to the project.
    pub strategies: Vec<String>,
}

/// Whose work is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Select {
    All,
    /// Once one has landed, the others are stopped.
    First,
}
