//! Claude Code's file of a session, `<session>.jsonl`, and those of its sub-agents.
//!
//! Here one message of the model is several lines, and each repeats what the message cost.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{TranscriptChange, read_lines};
use crate::agents::{ContextUse, Usage};

/// The tool's own words in the model's place: that a request failed, for example.
const NO_MODEL: &str = "<synthetic>";

pub(super) fn hear(whole: &[u8], mark: Option<&str>) -> TranscriptChange {
    let counted = mark.and_then(read_mark).into_iter().collect();
    let mut reader = Reader { heard: TranscriptChange::begun(), counted, ..Reader::default() };
    read_lines(whole, |line| reader.assistant(&line));
    reader.finish()
}

#[derive(Debug, Default)]
struct Reader {
    heard: TranscriptChange,
    /// The message that was said last, by its id, and its words so far.
    said: Option<(Option<String>, String)>,
    /// By message.
    counted: BTreeMap<String, Usage>,
    last_message: Option<String>,
}

impl Reader {
    fn assistant(&mut self, line: &Value) {
        let message = &line["message"];
        let is_said = line["type"] == "assistant" && line["isApiErrorMessage"] != true;
        if !is_said || message["model"] == NO_MODEL {
            return;
        }
        let id = message["id"].as_str();
        let is_own = line["isSidechain"] != true;
        self.spend(id, message, is_own);
        if !is_own {
            return;
        }
        for block in message["content"].as_array().into_iter().flatten() {
            match block["type"].as_str().unwrap_or_default() {
                "text" => self.say(id, block["text"].as_str().unwrap_or_default()),
                "tool_use" => {
                    self.heard.call();
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

    /// The first lines of a message can tell less than the last: it was still being written.
    fn spend(&mut self, id: Option<&str>, message: &Value, is_own: bool) {
        let Some(usage) = usage(&message["usage"]) else { return };
        let before = id.and_then(|id| self.counted.get(id)).copied().unwrap_or_default();
        let more = usage.since(before);
        self.heard.spend(message["model"].as_str().map(str::to_owned), more);
        if let Some(id) = id {
            self.counted.insert(id.to_owned(), before.plus(more));
        }
        self.last_message = id.map(str::to_owned);
        if is_own {
            let sent = Usage { output_tokens: 0, ..usage };
            self.heard.context = Some(ContextUse { tokens: sent.tokens(), window: None });
        }
    }

    fn finish(mut self) -> TranscriptChange {
        let last = self.last_message.as_deref();
        let mark = last.and_then(|message| Some(written_mark(message, *self.counted.get(message)?)));
        self.heard.spent.retain(|_, usage| *usage != Usage::default());
        let final_message = self.said.map(|(_, text)| text).filter(|text| !text.trim().is_empty());
        TranscriptChange { final_message, mark, ..self.heard }
    }
}

/// The last message, and what of it was counted: a reading can end between two of its lines.
fn written_mark(message: &str, counted: Usage) -> String {
    let Usage { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = counted;
    format!("{input_tokens} {output_tokens} {cache_read_tokens} {cache_write_tokens} {message}")
}

fn read_mark(mark: &str) -> Option<(String, Usage)> {
    let mut words = mark.splitn(5, ' ');
    let mut tokens = || words.next()?.parse::<u64>().ok();
    let (input_tokens, output_tokens) = (tokens()?, tokens()?);
    let (cache_read_tokens, cache_write_tokens) = (tokens()?, tokens()?);
    let counted = Usage { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens };
    Some((words.next()?.to_owned(), counted))
}

fn usage(usage: &Value) -> Option<Usage> {
    let keys = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    usage[keys[0]].as_u64().map(|_| Usage::of_keys(usage, keys))
}
