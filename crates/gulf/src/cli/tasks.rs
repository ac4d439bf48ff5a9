//! What a person says about a task of a list.

use clap::Args;

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
