//! Flags of what keeps finished work, and of what throws it away.

use clap::{Args, ValueEnum};

/// Flags of `gulf land`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf land                                     what is ready here, or the newest loop's work\n  gulf land k3v9 --base-branch release\n  gulf land -b origin/main --push\n  gulf land --pull-request                      where the base branch takes requests only\n\nWork that lies uncommitted in the checkout becomes one commit on the branch that is checked out: exactly the loop's change, and nothing that was uncommitted before it or since. No hook runs, and nothing is pushed. Elsewhere a merge is tested before the branch moves, as for any loop. Work that ended attested lands only from a terminal; who landed it, and when, stands in its journal.\n\nExit codes: 0 landed, or the request was merged; 10 the request waits, or something is in the way, which the answer names; 1 it does not go together with the branch, or an error; 2 usage. Where the loop goes on, those of `gulf resume`."
)]
pub struct LandArguments {
    /// A loop, such as k3v9; without it what is ready to land here, else the newest
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Where it lands; without it where that was agreed on, else the branch that is checked out
    #[arg(short = 'b', long, value_name = "BRANCH")]
    pub base_branch: Option<String>,
    /// Push what has landed; without it nothing is pushed but what the start asked for
    #[arg(long)]
    pub push: bool,
    /// Push a branch and ask for it to be merged, on GitHub by `gh`, on GitLab by `glab`; or say how that request stands
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, require_equals = true, default_missing_value = "auto",
        conflicts_with_all = ["push", "json"])]
    pub pull_request: Option<PullRequestTool>,
    /// Print JSON; where the loop goes on, its events as JSON lines
    #[arg(long)]
    pub json: bool,
}

/// Who opens a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PullRequestTool {
    /// The one that the remote's address names
    Auto,
    Gh,
    Glab,
}

/// Flags of `gulf discard`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf discard                                  show what would go, and ask\n  gulf discard k3v9 --yes\n\nWhat was uncommitted before the loop stays as it is, and so does what was changed since its end. All that goes stays in the loop's candidates until `gulf clean` removes the loop: `gulf land` brings it back, `gulf restore` writes it to a folder.\n\nExit codes: 0 discarded, or nothing to discard; 2 something is in the way, which the answer names; 1 an error."
)]
pub struct DiscardArguments {
    /// A loop, such as k3v9; without it the one that ended last here, with the others of its group
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// Discard without asking
    #[arg(long)]
    pub yes: bool,
}
