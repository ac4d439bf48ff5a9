//! Copilot CLI's file of a session, `events.jsonl`.
//!
//! Its hooks do not tell the last words, so that here they decide: a promise is looked for in them. Sub-agents write
//! into the same file.

use serde_json::Value;

use super::{TranscriptChange, read_lines};
use crate::agents::copilot::TOKENS;
use crate::agents::{ContextUse, Usage};

pub(super) fn hear(whole: &[u8]) -> TranscriptChange {
    let mut heard = TranscriptChange::begun();
    read_lines(whole, |event| read(&mut heard, &event));
    heard
}

fn read(heard: &mut TranscriptChange, event: &Value) {
    let data = &event["data"];
    let is_own = event["agentId"].is_null() && data["parentToolCallId"].is_null();
    match event["type"].as_str().unwrap_or_default() {
        "session.usage_record" => spend(heard, &data["usage"], is_own),
        "assistant.message" if is_own => {
            let is_calling = data["toolRequests"].as_array().is_some_and(|requests| !requests.is_empty());
            let text = data["content"].as_str().filter(|text| !is_calling && !text.trim().is_empty());
            heard.final_message = text.map(str::to_owned);
            heard.stopped_unix_ms = None;
        }
        "tool.execution_start" if is_own => {
            heard.call();
            heard.final_message = None;
        }
        "hook.start" if is_own => {
            let is_stop = data["hookType"] == "agentStop";
            heard.stopped_unix_ms = data["input"]["timestamp"].as_u64().filter(|_| is_stop);
        }
        _ => {}
    }
}

fn spend(heard: &mut TranscriptChange, record: &Value, is_own: bool) {
    let Some(sent) = record["inputTokens"].as_u64() else { return };
    let Some(usage) = Usage::from_sum(record, TOKENS) else { return };
    heard.spend(record["model"].as_str().map(str::to_owned), usage);
    if is_own {
        heard.context = Some(ContextUse { tokens: sent, window: record["maxPromptTokens"].as_u64() });
    }
}
