//! What every start of a loop takes besides the prompt: where it stands, settings, and what may be passed over.
//!
//! It stands apart because `gulf run` and `gulf start` begin the same loop.

use camino::Utf8PathBuf;
use clap::Args;

use super::{OF_DESIGNS, OF_LOOP, SettingFlags};

/// The terms of a loop that begins.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, and clap wants it so")]
#[derive(Debug, Args)]
pub struct TermsArguments {
    /// Read the prompt from a file
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with = "prompt")]
    pub file: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub settings: SettingFlags<OF_LOOP>,
    /// The same as `--research off`
    #[arg(long, conflicts_with = "research")]
    pub no_research: bool,
    /// The goal is this spec's text: .moai/specs/SPEC-ID/spec.md, else specs/ID.md
    #[arg(long, value_name = "ID", conflicts_with_all = ["prompt", "file"])]
    pub spec: Option<String>,
    #[command(flatten)]
    pub of_designs: SettingFlags<OF_DESIGNS>,
    /// Criteria and checks from this file instead of RUBRIC.md
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<Utf8PathBuf>,
    /// Start without any check: the loop ends attested at most
    #[arg(long)]
    pub unverified: bool,
    /// Start despite open questions in gulf-align.md; the journal records them
    #[arg(long)]
    pub ignore_questions: bool,
    /// End an unfinished loop here first
    #[arg(long)]
    pub replace: bool,
    /// With --replace: end it without asking, even while it runs
    #[arg(long, requires = "replace")]
    pub yes: bool,
}

/// Flags of `gulf start`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf start \"add a --json flag\" --check 'cargo test'\n  gulf start --preset judge -f PROMPT.md\n  gulf start -n 20 \"fix the failing test\"\n\nIn a session, type `/gulf-loop:start PROMPT` instead: there nothing has to be quoted."
)]
pub struct StartArguments {
    /// What should be done; `-` reads it from standard input; default: PROMPT.md
    pub prompt: Vec<String>,
    #[command(flatten)]
    pub terms: TermsArguments,
}
