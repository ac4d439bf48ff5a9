//! Copilot CLI's file of a session, `events.jsonl`.
//!
//! Its hooks do not tell the last words, so that here they decide: a promise is looked for in them. Sub-agents write
//! into the same file.

use serde_json::Value;

use super::{TranscriptChange, lines};
use crate::agents::copilot::TOKENS;
use crate::agents::{ContextUse, Usage};

pub(super) fn hear(whole: &[u8]) -> TranscriptChange {
    let mut reader = Reader { heard: TranscriptChange::begun() };
    for line in lines(whole) {
        match line {
            Some(event) => reader.read(&event),
            None => reader.heard.unknown_lines = reader.heard.unknown_lines.saturating_add(1),
        }
    }
    reader.heard
}

struct Reader {
    heard: TranscriptChange,
}

impl Reader {
    fn read(&mut self, event: &Value) {
        let data = &event["data"];
        let is_own = event["agentId"].is_null() && data["parentToolCallId"].is_null();
        match event["type"].as_str().unwrap_or_default() {
            "session.usage_record" => self.spend(&data["usage"], is_own),
            "assistant.message" if is_own => self.say(data),
            "tool.execution_start" if is_own => self.call(),
            "hook.start" if is_own => self.hook(data),
            _ => {}
        }
    }

    fn say(&mut self, data: &Value) {
        let is_calling = data["toolRequests"].as_array().is_some_and(|requests| !requests.is_empty());
        let text = data["content"].as_str().filter(|text| !is_calling && !text.trim().is_empty());
        self.heard.final_message = text.map(str::to_owned);
        self.heard.stopped_unix_ms = None;
    }

    fn hook(&mut self, data: &Value) {
        let is_stop = data["hookType"] == "agentStop";
        self.heard.stopped_unix_ms = data["input"]["timestamp"].as_u64().filter(|_| is_stop);
    }

    fn call(&mut self) {
        self.heard.call();
        self.heard.final_message = None;
    }

    fn spend(&mut self, record: &Value, is_own: bool) {
        let Some(sent) = record["inputTokens"].as_u64() else { return };
        let Some(usage) = Usage::from_sum(record, TOKENS) else { return };
        self.heard.spend(record["model"].as_str().map(str::to_owned), usage);
        if is_own {
            self.heard.context =
                Some(ContextUse { tokens: sent, window: record["maxPromptTokens"].as_u64() });
        }
    }
}
