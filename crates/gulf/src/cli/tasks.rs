//! The words of a list of tasks.
//!
//! They stand apart because three commands share them, and no loop without a list needs any.

use clap::Args;

/// Flags of a list, with `--preset tasks`.
#[derive(Debug, Args)]
pub struct ListArguments {
    /// The list for `--preset tasks`; default: docs/planning/TASKS.md, TASKS.md, fix_plan.md or prd.json
    #[arg(long, value_name = "FILE")]
    pub tasks: Option<String>,
    /// Only this task of the list, and those it depends on
    #[arg(long, value_name = "ID")]
    pub task: Option<String>,
    /// If a task reaches its limit: ask (pause), skip (to the next task) or stop (end the loop)
    #[arg(long, value_name = "WHAT")]
    pub on_task_limit: Option<String>,
}

/// Flags of `gulf skip`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf skip\n  gulf skip --because \"there is no key for Stripe yet\"\n\nThe loop must be paused between two turns (`gulf pause`, or a task at its limit). What the task changed is set aside; tasks that depend on it never start. `gulf resume` continues with the next task."
)]
pub struct SkipArguments {
    /// A loop, such as k3v9; default: the unfinished one here
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Why, for .claude/progress.txt
    #[arg(long, value_name = "REASON")]
    pub because: Option<String>,
}
