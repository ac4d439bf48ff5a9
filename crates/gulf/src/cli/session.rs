//! The arguments of `gulf start` and `gulf hook`, which work in an agent's own session; read by `commands/start.rs` and
//! `commands/hook.rs`.

use clap::Args;

use super::TermsArguments;

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

/// What `gulf hook` is called with.
#[derive(Debug, Args)]
#[command(
    after_help = "The event comes on standard input as one JSON object; nothing or one JSON object goes to standard output.\n\nExample:\n  echo '{\"hook_event_name\":\"Stop\",\"session_id\":\"s1\",\"last_assistant_message\":\"done\"}' | gulf hook"
)]
pub struct HookArguments {
    /// The event, where standard input does not name it: stop
    pub event: Option<String>,
}
