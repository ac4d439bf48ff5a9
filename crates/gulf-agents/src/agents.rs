//! The agents that gulf knows by name: how a turn of theirs is called, and what their stream of events says (SPEC B7).
//!
//! It stands apart from `command` because these have a protocol: what became of a turn is read from its fields,
//! never from what a model wrote. Contracts were taken from Claude Code 2.1.330 and Codex CLI 0.169.0, whose own
//! lines are the samples of the tests. Fields and events that are not known are ignored and counted, so that a
//! newer version of a tool costs a number in a report, not the turn.

mod claude;
pub mod codex;
mod decoder;
mod invocation;
mod lines;
pub mod prices;
mod report;
mod words;

pub use decoder::Decoder;
pub use invocation::{
    Confinement, Invocation, Purpose, Schema, Session, ToolServer, TurnRequest, invocation,
};
pub use lines::LINE_BYTES_MAX;
pub use report::{
    AgentEvent, ContextUse, Cost, DENIALS_MAX, Denial, Failure, FailureKind, Need, Outcome, ProcessEnd,
    Reset, Span, Spent, TurnReport, Usage,
};
pub use words::WHAT_CHARS_MAX;

/// An agent whose protocol is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Claude Code, `claude -p --output-format stream-json`.
    Claude,
    /// Codex CLI, `codex exec --json`.
    Codex,
}

impl Tool {
    /// The tool of a name in gulf.toml.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "claude" => Some(Self::Claude),
            "codex" => Some(Self::Codex),
            _ => None,
        }
    }

    /// Its name in gulf.toml, and of its program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
        }
    }
}
