//! Flags of `gulf trust`.

use camino::Utf8PathBuf;
use clap::Args;

/// Flags of `gulf trust`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf trust                                    this repository, with the commands that are shown\n  gulf trust ../other --revoke\n  gulf trust --list\n\nTyping gulf run, start, resume, verify or fork in a repository trusts it, too, and so does /gulf-loop:start or :resume in a session. Trust belongs to the repository as it lies on this disk: it goes with one that is moved, and not with a clone or a copy.\n\nExit codes: 0 trusted, not trusted any more, or listed; 1 an error; 2 usage, or an agent asks."
)]
pub struct TrustArguments {
    /// The repository, or a folder in it; without it this one
    pub path: Option<Utf8PathBuf>,
    /// Do not trust it any more
    #[arg(long, conflicts_with = "list")]
    pub revoke: bool,
    /// Show what is trusted
    #[arg(long, conflicts_with = "path")]
    pub list: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
