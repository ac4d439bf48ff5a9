//! Flags of the commands before and after loops: a demonstration, the first settings, what is cleared away.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

/// Flags of `gulf clean`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf clean                                    show what would go, and ask\n  gulf clean --dry-run\n  gulf clean --yes"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
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
    /// Also remove loops whose finished work has not landed, and those that alone hold work of yours
    #[arg(long)]
    pub unlanded: bool,
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

// Flags of `gulf trust`.

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

// Flags of the command that makes gulf known to the hosts of sessions.

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

/// The pages that are made of the program itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReferencePage {
    Cli,
    Config,
    Glossary,
    Schema,
}

// Flags of the commands that look at what a person wrote down before a loop.

/// Flags of `gulf lint`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf lint\n  gulf lint --split loops                  write loops/RUBRIC-1.md, loops/RUBRIC-2.md …\n\nExit codes: 0 no error, warnings or not; 1 an error; 2 usage."
)]
pub struct LintArguments {
    /// Criteria and checks from this file instead of RUBRIC.md
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<Utf8PathBuf>,
    /// The goal from this file instead of PROMPT.md
    #[arg(short = 'f', long, value_name = "FILE")]
    pub file: Option<Utf8PathBuf>,
    /// Write a RUBRIC.md for each of several loops into this folder; nothing is overwritten
    #[arg(long, value_name = "DIR")]
    pub split: Option<Utf8PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `gulf import`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf import                                   show what gulf.toml would say\n  gulf import --write\n  gulf import --from ../other/.ralphrc --write\n\nNothing in the file is executed. What gulf.toml already says is kept and takes precedence; `gulf run` also reads a .ralphrc without this.\n\nExit codes: 0 shown or written; 1 a file cannot be read; 2 usage, a value that only a shell could evaluate, or one that has no place in gulf.toml."
)]
pub struct ImportArguments {
    /// The settings to import
    #[arg(long, value_name = "FILE", default_value = ".ralphrc")]
    pub from: Utf8PathBuf,
    /// Only show the difference, as without any flag
    #[arg(long, conflicts_with = "write")]
    pub dry_run: bool,
    /// Write gulf.toml
    #[arg(long)]
    pub write: bool,
}

/// Flags of `gulf align`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf align --init\n  gulf align\n\nExit codes: 0 aligned, or nothing is written yet; 1 a question is open, or something is missing; 2 usage."
)]
pub struct AlignArguments {
    /// Write a gulf-align.md to be filled in
    #[arg(long, conflicts_with = "json")]
    pub init: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
