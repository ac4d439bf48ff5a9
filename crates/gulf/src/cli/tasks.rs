//! The words of a list of tasks.
//!
//! They stand apart because three commands share them, and no loop without a list needs any.

use clap::Args;

/// Flags of a list, with `--preset tasks`.
#[derive(Debug, Args)]
pub struct ListArguments {
    /// The list that `--preset tasks` works off; without it docs/planning/TASKS.md, TASKS.md, fix_plan.md or prd.json
    #[arg(long, value_name = "FILE")]
    pub tasks: Option<String>,
    /// Only this task of the list, and what it waits for
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// When a task comes to no end: ask (pause), skip (the next task) or stop (the loop is over)
    #[arg(long, value_name = "WHAT")]
    pub on_task_limit: Option<String>,
}

/// Flags of `gulf skip`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf skip\n  gulf skip --because \"there is no key for Stripe yet\"\n\nThe loop must rest between two turns (`gulf pause`, or a task at its limit). What the task left lies in the worktree; what waits for it never begins. `gulf resume` goes on with the next task."
)]
pub struct SkipArguments {
    /// A loop, such as k3v9; without it the unfinished one here
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Why, for .claude/progress.txt
    #[arg(long, value_name = "REASON")]
    pub because: Option<String>,
}
