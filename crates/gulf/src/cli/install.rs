//! Flags of the command that makes gulf known to the hosts of sessions.

use clap::{Args, ValueEnum};

/// Flags of `gulf install`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf install claude --dry-run            show what would be written\n  gulf install claude\n  gulf install codex\n  gulf install copilot --uninstall\n\nThe plugin gulf-loop does the same through each host's own commands; use one of the two. Only gulf's own entries are written, updated and removed; everything else in a file stays as it is, comments included.\n\nExit codes: 0 done, or nothing to do; 1 error; 2 usage, or refused: the file cannot be understood, or another loop's hook is there."
)]
pub struct InstallArguments {
    /// The program to install gulf for
    #[arg(value_name = "HOST")]
    pub host: HostName,
    /// Remove what gulf installed
    #[arg(long)]
    pub uninstall: bool,
    /// Show what would change; write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Remove the original gulf-loop's hook and commands and disable the ralph-loop plugin, without asking
    #[arg(long, conflicts_with = "uninstall")]
    pub replace_original: bool,
}

/// A program with sessions and hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HostName {
    Claude,
    Codex,
    Copilot,
}
