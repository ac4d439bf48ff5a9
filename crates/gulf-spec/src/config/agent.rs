//! Who is named to work or judge, and how it talks to gulf.
//!
//! It stands apart because a worker, a judge and a thinker are named alike.

use serde::{Deserialize, Serialize};

/// The agents that can be named: those whose protocol is known.
pub const AGENTS: [&str; 5] = ["claude", "codex", "copilot", "opencode", "gemini"];

/// A program that works or judges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentTool {
    /// One of [`AGENTS`]; OpenCode wants a model with its provider, as in `anthropic/claude-sonnet-4-5`.
    Named { name: &'static str, model: Option<String> },
    /// Any program: prompt on stdin, final message on stdout.
    Command(String),
}

/// The tools of `gulf mcp`, beside the commands that say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnTools {
    /// It has the commands.
    #[default]
    None,
    /// Its program is told to start the server.
    Mcp,
}
