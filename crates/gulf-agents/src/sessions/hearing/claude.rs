//! Claude Code's file of a session, `<session>.jsonl`, and those of its sub-agents.
//!
//! It stands apart because here one message of the model is several lines, and each repeats what the message cost.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Heard, lines, spent_on};
use crate::agents::{ContextUse, Usage};

/// The tool's own words in the model's place: that a request failed, for example.
const NO_MODEL: &str = "<synthetic>";

pub(super) fn hear(whole: &[u8], mark: Option<&str>) -> Heard {
    let mut reader = Reader::default();
    for line in lines(whole) {
        match line {
            Some(line) if line["type"] == "assistant" => reader.assistant(&line),
            Some(_) => {}
            None => reader.unknown_lines = reader.unknown_lines.saturating_add(1),
        }
    }
    reader.finish(mark)
}

#[derive(Debug, Default)]
struct Reader {
    tool_calls: u32,
    /// The message that was said last, by its id, and its words so far.
    said: Option<(Option<String>, String)>,
    /// By the id of the message; without one, each line counts.
    messages: BTreeMap<String, (Option<String>, Usage)>,
    last_message: Option<String>,
    context: Option<ContextUse>,
    unknown_lines: u32,
}

impl Reader {
    fn assistant(&mut self, line: &Value) {
        let message = &line["message"];
        if message["model"] == NO_MODEL || line["isApiErrorMessage"] == true {
            return;
        }
        let id = message["id"].as_str().map(str::to_owned);
        let is_own = line["isSidechain"] != true;
        self.spend(id.as_deref(), message, is_own);
        if !is_own {
            return;
        }
        for block in message["content"].as_array().into_iter().flatten() {
            match block["type"].as_str().unwrap_or_default() {
                "text" => self.say(id.as_deref(), block["text"].as_str().unwrap_or_default()),
                "tool_use" => {
                    self.tool_calls = self.tool_calls.saturating_add(1);
                    self.said = None;
                }
                // Thoughts, and what the model's own servers did.
                _ => {}
            }
        }
    }

    fn say(&mut self, id: Option<&str>, text: &str) {
        match &mut self.said {
            Some((said_id, said)) if id.is_some() && said_id.as_deref() == id => {
                said.push('\n');
                said.push_str(text);
            }
            Some(_) | None => self.said = Some((id.map(str::to_owned), text.to_owned())),
        }
    }

    /// Of a message that is still being written the first lines tell less; the last one tells all.
    fn spend(&mut self, id: Option<&str>, message: &Value, is_own: bool) {
        let Some(usage) = usage(&message["usage"]) else { return };
        let key = id.map_or_else(|| format!("line {}", self.messages.len()), str::to_owned);
        let model = message["model"].as_str().map(str::to_owned);
        self.messages.insert(key, (model, usage));
        self.last_message = id.map(str::to_owned).or(self.last_message.take());
        if is_own {
            let sent = Usage { output_tokens: 0, ..usage };
            self.context = Some(ContextUse { tokens: sent.tokens(), window: None });
        }
    }

    fn finish(mut self, mark: Option<&str>) -> Heard {
        if let Some(counted) = mark {
            self.messages.remove(counted);
        }
        let mut by_model: BTreeMap<Option<String>, Usage> = BTreeMap::new();
        for (model, usage) in self.messages.into_values() {
            let sum = by_model.entry(model).or_default();
            *sum = sum.plus(usage);
        }
        Heard {
            tool_calls: Some(self.tool_calls),
            final_message: self.said.map(|(_, text)| text).filter(|text| !text.trim().is_empty()),
            spent: spent_on(by_model),
            context: self.context,
            mark: self.last_message,
            unknown_lines: self.unknown_lines,
            ..Heard::default()
        }
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    let tokens = |key: &str| usage[key].as_u64();
    Some(Usage {
        input_tokens: tokens("input_tokens")?,
        output_tokens: tokens("output_tokens").unwrap_or(0),
        cache_read_tokens: tokens("cache_read_input_tokens").unwrap_or(0),
        cache_write_tokens: tokens("cache_creation_input_tokens").unwrap_or(0),
    })
}
