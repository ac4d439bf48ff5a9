//! Who is named to work or judge, what it remembers, and how it talks to gulf.
//!
//! It stands apart because a worker, a judge and a thinker are named alike.

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

/// By what an agent says its word to gulf, besides its last message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentWords {
    /// By commands in its shell.
    Commands,
    /// By those, and by the tools of `gulf mcp`.
    Tools,
}

/// What a turn remembers of the turns before it (SPEC B13).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    Fresh,
    Continue,
    Auto { percent_max: u32 },
}
