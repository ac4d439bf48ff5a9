//! Flags of the commands before and after loops: a demonstration, the first settings, what is cleared away.

use clap::Args;

/// Flags of `gulf clean`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf clean                                    show what would go, and ask\n  gulf clean --dry-run\n  gulf clean --yes"
)]
pub struct CleanArguments {
    /// Show what would be removed
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
    /// Remove without asking
    #[arg(long)]
    pub yes: bool,
    /// Also remove iterations of loops unknown to this GULF_HOME, even if no branch contains them
    #[arg(long)]
    pub forgotten: bool,
}

/// Flags of `gulf demo`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf demo\n  gulf demo --without-fix                       how a loop ends that gets nowhere"
)]
pub struct DemoArguments {
    /// Keep the demo's folder, and print its path
    #[arg(long)]
    pub keep: bool,
    /// Let the scripted worker fail every time: the loop ends exhausted
    #[arg(long)]
    pub without_fix: bool,
    /// Print the journal's events as JSON lines
    #[arg(long)]
    pub json: bool,
}

/// Flags of `gulf init`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf init\n  gulf init --no-run\n  gulf init --full                              every setting, to choose from\n\nExisting files are not overwritten."
)]
pub struct InitArguments {
    /// Write without trying the commands first
    #[arg(long)]
    pub no_run: bool,
    /// Also try what the project's CI and task files run
    #[arg(long)]
    pub detected: bool,
    /// Write every other setting as well, commented out at its default
    #[arg(long)]
    pub full: bool,
}
