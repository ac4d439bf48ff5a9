//! Flags of the commands that look at an iteration, and go back to it.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

use super::{OF_LIMITS, SettingFlags};

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
    pub limits: SettingFlags<OF_LIMITS>,
    /// Print the journal's events as JSON lines
    #[arg(long)]
    pub json: bool,
}

// Flags of what keeps finished work, and of what throws it away.

/// Flags of `gulf land`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf land                                     what is ready here, or the newest loop's work\n  gulf land k3v9 --base-branch release\n  gulf land -b origin/main --push\n  gulf land --pull-request                      if the base branch accepts only pull requests\n\nUncommitted work in the checkout becomes one commit on the branch that is checked out: exactly the loop's change, and nothing that was uncommitted before it or changed since. No hooks run, and nothing is pushed. Otherwise a merge is tested before the branch moves, as for any loop. Attested work lands only from a terminal; the journal records who landed it, and when.\n\nExit codes: 0 landed, or the pull request was merged; 10 the pull request is open, or something named in the output is in the way; 1 it does not work together with the branch, or an error; 2 usage. If the loop continues, those of `gulf resume`."
)]
pub struct LandArguments {
    /// A loop, such as k3v9; default: what is ready to land here, else the newest
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// The branch to land on; default: the one agreed on at the start, else the one checked out
    #[arg(short = 'b', long, value_name = "BRANCH")]
    pub base_branch: Option<String>,
    /// Push what has landed; default: as the loop was started
    #[arg(long)]
    pub push: bool,
    /// Push a branch and open a pull request, on GitHub with `gh`, on GitLab with `glab`; or show the state of that request
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, require_equals = true, default_missing_value = "auto",
        conflicts_with_all = ["push", "json"])]
    pub pull_request: Option<PullRequestTool>,
    /// Print JSON; if the loop continues, its events as JSON lines
    #[arg(long)]
    pub json: bool,
}

/// Who opens a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PullRequestTool {
    /// The one named in the remote's address
    Auto,
    Gh,
    Glab,
}

/// Flags of `gulf discard`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf discard                                  show what would go, and ask\n  gulf discard k3v9 --yes\n\nWhat was uncommitted before the loop, or changed after it, stays as it is. The discarded change is kept in the loop's candidates until `gulf clean` removes the loop: `gulf land` brings it back, `gulf restore` writes it to a folder.\n\nExit codes: 0 discarded, or nothing to discard; 2 something named in the output is in the way; 1 an error."
)]
pub struct DiscardArguments {
    /// A loop, such as k3v9; default: the one that ended last here, with the others of its group
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Discard without asking
    #[arg(long)]
    pub yes: bool,
}
