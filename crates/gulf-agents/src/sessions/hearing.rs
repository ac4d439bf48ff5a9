//! What the file of a session tells of the time since the last stop.
//!
//! It stands apart because a hook hears nothing of a turn but its end: tool calls, tokens and on some hosts even the
//! last words stand only there. Nothing is decided on it but how much was done and spent.

use crate::agents::{ContextUse, Spent};

use super::Host;

/// What happened in these bytes of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// Calls of tools by the session's own agent; nothing where the file cannot be read that far.
    pub tool_calls: Option<u32>,
    /// The last words to the person.
    pub final_message: Option<String>,
    /// By model, in the order of their names; empty where the file does not tell it.
    pub spent: Vec<SpentOn>,
    /// How full the context was at the last call of the model.
    pub context: Option<ContextUse>,
    /// Where the next reading begins: so many bytes are whole lines.
    pub complete_bytes: usize,
    /// Lines that were not understood.
    pub unknown_lines: u32,
}

/// What was used of one model, for the table of prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpentOn {
    /// Nothing where the file does not name it.
    pub model: Option<String>,
    pub spent: Spent,
}

/// Reads what a session's file holds from where the last reading ended.
pub fn hear(host: Host, bytes: &[u8]) -> Heard {
    let _ = host;
    let complete_bytes = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    Heard { complete_bytes, ..Heard::default() }
}
