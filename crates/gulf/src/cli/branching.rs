//! The words of loops with a branch of their own.
//!
//! They stand apart because `run` and `start` share them, and a loop in place needs none.

use clap::Args;

/// Flags of loops with a branch of their own.
#[derive(Debug, Args)]
pub struct BranchingArguments {
    /// Where autonomous and parallel work lands; default: the branch that is checked out.
    #[arg(short = 'b', long, value_name = "BRANCH")]
    pub base_branch: Option<String>,
    /// Work autonomously in this checkout, on a branch of its own, instead of in a worktree beside it
    #[arg(long)]
    pub in_place: bool,
    /// Push what has landed; without it nothing is ever pushed
    #[arg(long)]
    pub push: bool,
    /// Number of workers on the goal at the same time, with `--preset parallel`
    #[arg(short = 'w', long, value_name = "N", allow_hyphen_values = true)]
    pub workers: Option<String>,
    /// all: every worker's work lands; first: once one has landed, the others are stopped and kept
    #[arg(long, value_name = "WHOSE")]
    pub select: Option<String>,
    /// A file with a hint for one worker; repeatable, one file per worker in turn
    #[arg(long, value_name = "FILE")]
    pub strategy: Vec<String>,
}
