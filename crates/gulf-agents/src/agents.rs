//! The agents that gulf knows by name: how a turn of theirs is called, and what their stream of events says (SPEC B7).
//!
//! These have a protocol: what became of a turn is read from its fields, never from what a model wrote. Contracts
//! were taken from Claude Code 2.1.332, Codex CLI 0.171.0, Copilot CLI 1.0.102, OpenCode 1.18.33 and Gemini CLI
//! 0.61.0, whose own lines are the samples of the tests. Fields and events that are not known are ignored, so that a
//! newer version of a tool does not cost the turn.

mod claude;
pub mod codex;
pub mod copilot;
mod course;
mod decoder;
mod descriptor;
mod gemini;
mod invocation;
mod opencode;
mod orienting;
pub mod prices;
mod report;
mod words;

pub use decoder::{Decoder, LINE_BYTES_MAX};
pub use descriptor::{AgentHome, Descriptor, Models, SpendingIn, ToolsBy, Writes};
pub use invocation::{
    AgentRole, Confinement, Invocation, Schema, ToolServer, TurnRequest, TurnSession, invocation,
};
pub use report::{
    AgentEvent, CUT_OFF_MAX, ContextBeforeEdit, ContextUse, DENIALS_MAX, FailureKind, Need, Outcome,
    ProcessEnd, ReadingEnd, Reset, SumSpan, ToolCall, TurnFailure, TurnReport, TurnUsage, Usage,
};
pub use words::WHAT_CHARS_MAX;

use serde::{Deserialize, Serialize};

/// An agent whose protocol is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// Claude Code, `claude -p --output-format stream-json`.
    Claude,
    /// Codex CLI, `codex exec --json`.
    Codex,
    /// Copilot CLI, `copilot --output-format json`.
    Copilot,
    /// OpenCode, `opencode run --format json`.
    OpenCode,
    /// Gemini CLI, `gemini --output-format stream-json`.
    Gemini,
}

impl Tool {
    /// Each of them, the one that is taken first where none is named before the others.
    pub const ALL: [Self; 5] = [Self::Claude, Self::Codex, Self::Copilot, Self::OpenCode, Self::Gemini];

    /// The tool of a name in gulf.toml.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Its name in gulf.toml, and of its program.
    pub fn name(self) -> &'static str {
        self.descriptor().name
    }
}
