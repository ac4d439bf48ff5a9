//! Flags of the commands that look at what a person wrote down before a loop.

use camino::Utf8PathBuf;
use clap::Args;

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
