//! What `gulf verify` is told.

use camino::Utf8PathBuf;
use clap::Args;

use super::ChecksArguments;

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
