//! Flags of `gulf trust`.

use camino::Utf8PathBuf;
use clap::Args;

/// Flags of `gulf trust`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf trust                                    this repository, with the commands that are shown\n  gulf trust ../other --revoke\n  gulf trust --list\n\nRunning gulf run, start, resume, verify or fork in a repository trusts it as well, and so does /gulf-loop:start or :resume in a session. Trust belongs to the repository on this disk: it follows a move, but not a clone or a copy.\n\nExit codes: 0 trusted, revoked or listed; 1 an error; 2 usage, or called by an agent."
)]
pub struct TrustArguments {
    /// The repository, or a folder in it; default: this one
    pub path: Option<Utf8PathBuf>,
    /// Revoke trust
    #[arg(long, conflicts_with = "list")]
    pub revoke: bool,
    /// List trusted repositories
    #[arg(long, conflicts_with = "path")]
    pub list: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
