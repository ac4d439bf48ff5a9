//! Who is named to work or judge, what it remembers, and how it talks to gulf.
//!
//! It stands apart because a worker, a judge and a thinker are named alike.

/// A program that works or judges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentTool {
    /// Claude Code.
    Claude { model: Option<String> },
    /// Codex CLI.
    Codex { model: Option<String> },
    /// GitHub Copilot CLI.
    Copilot { model: Option<String> },
    /// OpenCode; a model is named with its provider, as in `anthropic/claude-sonnet-4-5`.
    OpenCode { model: Option<String> },
    /// Gemini CLI.
    Gemini { model: Option<String> },
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
