//! What `gulf verify` is told.

use camino::Utf8PathBuf;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use gulf_engine::Phase;

use super::{ChecksArguments, LoopArguments};

/// Flags of `gulf verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gulf verify\n  gulf verify --check 'npm test' --base origin/main\n  gulf verify --check ./check.sh --receipt HEAD\n\nExit codes: 0 every gate passed, and nothing differs from the receipt; 1 a gate failed or could not run, or the base's tests or the settings of the checks were changed; 2 usage; 130 interrupted."
)]
pub struct VerifyArguments {
    #[command(flatten)]
    pub checks: ChecksArguments,
    /// Compare tests and runner configuration with this commit, and look for a test that fails there
    #[arg(long, value_name = "COMMIT")]
    pub base: Option<String>,
    /// Compare this commit with its receipt (a git note), and repeat the checks that it names
    #[arg(long, value_name = "COMMIT", conflicts_with = "base")]
    pub receipt: Option<String>,
    /// Sign the receipt if it holds, with this ssh key or git's `user.signingKey`
    #[arg(long, value_name = "KEY", requires = "receipt", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub sign: Option<Utf8PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

// Flags of the command that looks at what was measured.

/// What can be done with feedback.
#[derive(Debug, Subcommand)]
pub enum FeedbackCommand {
    /// Run the checks on the worktree, and print what they measure
    Collect(CollectArguments),
    /// Show the measurements of each iteration, and the decision that followed
    Show(LoopArguments),
    /// Record what was measured outside of gulf: it is shown, and decides nothing
    Record(RecordArguments),
}

/// Flags of `gulf feedback collect`.
#[derive(Debug, Args)]
pub struct CollectArguments {
    #[command(flatten)]
    pub checks: ChecksArguments,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Flags of `gulf feedback record`.
#[derive(Debug, Args)]
pub struct RecordArguments {
    /// A loop, such as k3v9; default: the unfinished one here
    #[arg(value_name = "LOOP")]
    pub id: Option<String>,
    /// The phase it belongs to: must be the current one, which is the default
    #[arg(long, value_name = "PHASE", value_parser = phase())]
    pub phase: Option<Phase>,
    /// The iteration it belongs to: must be the current one, which is the default
    #[arg(long, value_name = "N")]
    pub iteration: Option<u32>,
    /// How many tests passed
    #[arg(long, value_name = "N")]
    pub tests_passed: Option<u32>,
    /// How many tests failed
    #[arg(long, value_name = "N")]
    pub tests_failed: Option<u32>,
    /// How many errors a linter found
    #[arg(long, value_name = "N")]
    pub lint_errors: Option<u32>,
    /// Whether it could be built
    #[arg(long, value_name = "true|false")]
    pub build_success: Option<bool>,
    /// Line coverage in percent, such as 85 or 91.25
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub coverage: Option<String>,
    /// How long it took, such as 90s or 5m
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Who measured it; default: you
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Anything worth knowing
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub notes: String,
}

fn phase() -> impl TypedValueParser<Value = Phase> {
    let all = [Phase::Analyze, Phase::Implement, Phase::Test, Phase::Review];
    let with_name = move |name: String| all.into_iter().find(|phase| name == <&str>::from(phase));
    PossibleValuesParser::new(all.map(<&str>::from)).try_map(move |name| with_name(name).ok_or("no phase"))
}
