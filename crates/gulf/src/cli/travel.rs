//! Flags of the commands that look at an iteration, and go back to it.

use camino::Utf8PathBuf;
use clap::Args;

use super::{OfLimits, SettingFlags};

/// Flags of `gulf show`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf show                                     the last iteration of the newest loop here\n  gulf show k3v9@7\n  gulf show @0                                  where the newest loop here started\n  gulf show @7 --json"
)]
pub struct ShowArguments {
    /// LOOP@7: iteration 7; LOOP@0: the start; LOOP: the last iteration; without LOOP the newest one here
    #[arg(value_name = "LOOP@N")]
    pub point: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `gulf diff`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf diff                                     from the start to the last iteration\n  gulf diff @7                                  what iteration 7 changed\n  gulf diff k3v9@7..9 --stat\n  gulf diff @9..7 | git apply                   undo iterations 8 and 9 in your worktree"
)]
pub struct DiffArguments {
    /// LOOP@7: what iteration 7 changed; LOOP@7..9: between two iterations; LOOP: all of it; without LOOP the newest one here
    #[arg(value_name = "LOOP@N..M")]
    pub span: Option<String>,
    /// Only the files, and the number of lines changed in each
    #[arg(long)]
    pub stat: bool,
}

/// Flags of `gulf restore`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  gulf restore @7 --to ../at-7\n  gulf restore k3v9@0 --to /tmp/start")]
pub struct RestoreArguments {
    /// LOOP@7: iteration 7; LOOP@0: the start; LOOP: the last iteration; without LOOP the newest one here
    #[arg(value_name = "LOOP@N")]
    pub point: Option<String>,
    /// The folder to write to: new or empty, and outside the project
    #[arg(long, value_name = "DIR")]
    pub to: Utf8PathBuf,
}

/// Flags of `gulf fork`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  gulf fork @7\n  gulf fork k3v9@7 --agent codex --max-iterations 10")]
pub struct ForkArguments {
    /// LOOP@7: iteration 7; LOOP@0: the start; LOOP: the last iteration; without LOOP the newest one here
    #[arg(value_name = "LOOP@N")]
    pub point: Option<String>,
    /// Who does the work instead: claude, codex, copilot, opencode, gemini, or `command:PROGRAM`
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// The agent's model
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    #[command(flatten)]
    pub limits: SettingFlags<OfLimits>,
    /// Another command the agent may run, such as 'cargo bench'; repeatable
    #[arg(long, value_name = "COMMAND")]
    pub allow: Vec<String>,
    /// Print the journal's events as JSON lines
    #[arg(long)]
    pub json: bool,
}
