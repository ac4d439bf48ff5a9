//! What the file of a session tells of the time since the last stop.
//!
//! A hook hears nothing of a turn but its end: tool calls, tokens and on some hosts even the last words stand only
//! there. Nothing is decided on it but how much was done and spent, and what the words say where the host does not
//! tell them itself.

mod claude;
mod codex;
mod copilot;

use std::collections::BTreeMap;

use serde_json::Value;

use super::{HookEvent, HookKind, Host, json};
use crate::agents::{ContextUse, LINE_BYTES_MAX, Usage};

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// What happened in these bytes of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TranscriptChange {
    /// Calls of tools by the session's own agent; nothing where no file of this host can be read.
    pub tool_calls: Option<u32>,
    /// The last words to the person, if no call of a tool came after them.
    pub final_message: Option<String>,
    /// By model, for the table of prices; empty where nothing was told. Some files do not name the model.
    pub spent: BTreeMap<Option<String>, Usage>,
    /// How full the context was at the last call of the model.
    pub context: Option<ContextUse>,
    /// Where the next reading begins: so many bytes are whole lines.
    pub complete_bytes: usize,
    /// What the next reading must know of this one; a text of this module's own.
    pub mark: Option<String>,
    /// When the hooks of the last stop were called, if nothing came after it: milliseconds since 1970.
    pub stopped_unix_ms: Option<u64>,
}

/// Reads what a session's file holds from where the last reading ended; `mark` is what that one left.
///
/// Some hosts write their file a moment after they call the hook: read again until it
/// [is current](TranscriptChange::is_current), but not for long, for the host waits. What sub-agents did may stand in
/// files of their own ([`folder_of_subagents`]).
pub fn hear(host: Host, bytes: &[u8], mark: Option<&str>) -> TranscriptChange {
    let complete_bytes = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let whole = &bytes[..complete_bytes];
    let heard = match host {
        Host::Claude => claude::hear(whole, mark),
        Host::Codex => codex::hear(whole, mark),
        Host::Copilot => copilot::hear(whole),
        Host::Other => TranscriptChange::default(),
    };
    let mark = heard.mark.or_else(|| mark.map(str::to_owned));
    TranscriptChange { complete_bytes, mark, ..heard }
}

impl TranscriptChange {
    /// This and what the lines after it tell. Words are the last ones until a tool is called.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        let is_quiet = next.tool_calls.unwrap_or(0) == 0;
        // Any line can be the one that came after it.
        let stopped_unix_ms = self.stopped_unix_ms.filter(|_| next.complete_bytes == 0);
        next.spent.into_iter().for_each(|(model, usage)| self.spend(model, usage));
        let calls = |one: u32| one.saturating_add(next.tool_calls.unwrap_or(0));
        Self {
            tool_calls: self.tool_calls.map(calls).or(next.tool_calls),
            final_message: next.final_message.or(self.final_message.filter(|_| is_quiet)),
            spent: self.spent,
            context: next.context.or(self.context),
            complete_bytes: self.complete_bytes.saturating_add(next.complete_bytes),
            mark: next.mark.or(self.mark),
            stopped_unix_ms: next.stopped_unix_ms.or(stopped_unix_ms),
        }
    }

    /// Before the first line of a file that can be read.
    fn begun() -> Self {
        Self { tool_calls: Some(0), ..Self::default() }
    }

    fn call(&mut self) {
        self.tool_calls = self.tool_calls.map(|calls| calls.saturating_add(1));
    }

    fn spend(&mut self, model: Option<String>, usage: Usage) {
        let sum = self.spent.entry(model).or_default();
        *sum = sum.plus(usage);
    }

    /// The file tells the stop that is this event. Claude Code and Copilot CLI were seen to write the last lines up to
    /// a tenth of a second later, and at a first stop there may be no file yet.
    pub fn is_current(&self, event: &HookEvent) -> bool {
        let HookKind::Stop { message, .. } = &event.kind else { return true };
        match event.host {
            Host::Claude => message.as_deref().is_none_or(|message| self.ends_with(message.trim())),
            // It does not tell the words, and an earlier stop can be written as late as this one.
            Host::Copilot => {
                let told = event.occasion.as_deref().and_then(millisecond_of_day);
                self.stopped_unix_ms.is_some_and(|stopped| told.is_none_or(|told| stopped % DAY_MS == told))
            }
            Host::Codex | Host::Other => true,
        }
    }

    /// A message may be told as a whole or by its last block.
    fn ends_with(&self, message: &str) -> bool {
        let heard = self.final_message.as_deref().unwrap_or_default().trim();
        message.is_empty() || !heard.is_empty() && (message.ends_with(heard) || heard.ends_with(message))
    }
}

/// Of `2026-11-22T05:13:48.748Z`, or of milliseconds since 1970: the hooks of one host tell the time in both forms.
fn millisecond_of_day(occasion: &str) -> Option<u64> {
    if let Ok(unix_ms) = occasion.parse::<u64>() {
        return Some(unix_ms % DAY_MS);
    }
    let (_, time) = occasion.strip_suffix('Z')?.split_once('T')?;
    let (time, fraction) = time.split_once('.')?;
    let (hour, rest) = time.split_once(':')?;
    let (minute, second) = rest.split_once(':')?;
    let number = |text: &str, max: u64| text.parse::<u64>().ok().filter(|number| *number <= max);
    let seconds = (number(hour, 23)? * 60 + number(minute, 59)?) * 60 + number(second, 60)?;
    Some((seconds * 1_000 + number(fraction, 999).filter(|_| fraction.len() == 3)?) % DAY_MS)
}

/// Where the host keeps the files of a session's sub-agents; [`hear`] reads each like the session's own, and no call
/// of a tool in them is the session's.
pub fn folder_of_subagents(host: Host, transcript: &str) -> Option<String> {
    match host {
        Host::Claude => Some(format!("{}/subagents", transcript.strip_suffix(".jsonl")?)),
        Host::Codex | Host::Copilot | Host::Other => None,
    }
}

/// Hands over the object of each line; a line that is none is passed over.
fn read_lines(whole: &[u8], read: impl FnMut(Value)) {
    let lines = whole.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| line.len() <= LINE_BYTES_MAX);
    lines.filter_map(|line| json::value(line).ok()).filter(Value::is_object).for_each(read);
}
