//! What the file of a session tells of the time since the last stop.
//!
//! It stands apart because a hook hears nothing of a turn but its end: tool calls, tokens and on some hosts even the
//! last words stand only there. Nothing is decided on it but how much was done and spent, and what the words say
//! where the host does not tell them itself.

mod claude;
mod codex;
mod copilot;

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Host, json};
use crate::agents::{ContextUse, Cost, LINE_BYTES_MAX, Span, Spent, Usage};

/// What happened in these bytes of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// Calls of tools by the session's own agent; nothing where no file of this host can be read.
    pub tool_calls: Option<u32>,
    /// The last words to the person, if no call of a tool came after them.
    pub final_message: Option<String>,
    /// By model, in the order of their names; empty where nothing was told.
    pub spent: Vec<SpentOn>,
    /// How full the context was at the last call of the model.
    pub context: Option<ContextUse>,
    /// Where the next reading begins: so many bytes are whole lines.
    pub complete_bytes: usize,
    /// What the next reading must know of this one; a text of this module's own.
    pub mark: Option<String>,
    /// The file says that the hooks of a stop were called, and nothing after it.
    pub is_at_stop: bool,
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

/// Reads what a session's file holds from where the last reading ended; `mark` is what that one left.
///
/// Some hosts write their file a moment after they call the hook: read again until it [is current](Heard::is_current),
/// but not for long, for the host waits. What sub-agents did may stand in files of their own
/// ([`folder_of_subagents`]).
pub fn hear(host: Host, bytes: &[u8], mark: Option<&str>) -> Heard {
    let complete_bytes = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let whole = &bytes[..complete_bytes];
    let heard = match host {
        Host::Claude => claude::hear(whole, mark),
        Host::Codex => codex::hear(whole, mark),
        Host::Copilot => copilot::hear(whole),
        Host::Other => Heard::default(),
    };
    let mark = heard.mark.or_else(|| mark.map(str::to_owned));
    Heard { complete_bytes, mark, ..heard }
}

impl Heard {
    /// The file tells the stop that the hook was called for. Claude Code and Copilot CLI were seen to write the last
    /// lines up to a tenth of a second later, and at a first stop there may be no file yet.
    pub fn is_current(&self, host: Host, message: Option<&str>) -> bool {
        let Some(message) = message.map(str::trim).filter(|message| !message.is_empty()) else {
            return host != Host::Copilot || self.is_at_stop;
        };
        let heard = self.final_message.as_deref().unwrap_or_default().trim();
        match host {
            // A message may be told as a whole or by its last block.
            Host::Claude => !heard.is_empty() && (message.ends_with(heard) || heard.ends_with(message)),
            Host::Copilot => self.is_at_stop,
            Host::Codex | Host::Other => true,
        }
    }
}

/// Where the host keeps the files of a session's sub-agents; [`hear`] reads each like the session's own, and no call
/// of a tool in them is the session's.
pub fn folder_of_subagents(host: Host, transcript: &str) -> Option<String> {
    match host {
        Host::Claude => Some(format!("{}/subagents", transcript.strip_suffix(".jsonl")?)),
        Host::Codex | Host::Copilot | Host::Other => None,
    }
}

fn spent_on(by_model: BTreeMap<Option<String>, Usage>) -> Vec<SpentOn> {
    let spent = |usage| Spent { usage, cost: Cost::Unknown, span: Span::Turn };
    by_model.into_iter().map(|(model, usage)| SpentOn { model, spent: spent(usage) }).collect()
}

/// One object for each line; nothing for a line that is none.
fn lines(whole: &[u8]) -> impl Iterator<Item = Option<Value>> {
    let texts = whole.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    texts.map(|text| {
        let value = (text.len() <= LINE_BYTES_MAX).then(|| json::value(text));
        value.and_then(Result::ok).filter(Value::is_object)
    })
}
