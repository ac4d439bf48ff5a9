//! What every start of a loop takes besides the prompt: where it stands, settings, and what may be passed over.
//!
//! It stands apart because `gulf run` and `gulf start` begin the same loop.

use camino::Utf8PathBuf;
use clap::Args;

use super::{OfDesigns, OfLoop, SettingFlags};

/// The terms of a loop that begins.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, and clap wants it so")]
#[derive(Debug, Args)]
pub struct TermsArguments {
    /// Read the prompt from a file
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with = "prompt")]
    pub file: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub settings: SettingFlags<OfLoop>,
    /// The same as `--research off`
    #[arg(long, conflicts_with = "research")]
    pub no_research: bool,
    /// The goal is this spec's text: .moai/specs/SPEC-ID/spec.md, else specs/ID.md
    #[arg(long, value_name = "ID", conflicts_with_all = ["prompt", "file"])]
    pub spec: Option<String>,
    #[command(flatten)]
    pub of_designs: SettingFlags<OfDesigns>,
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
