//! Copilot CLI's file of a session, `events.jsonl`.
//!
//! It stands apart because its hooks do not tell the last words, so that here they decide: a promise is looked for in
//! them. What calls of the model used stands in no line before the session ends.

use serde_json::Value;

use super::{Heard, lines};

pub(super) fn hear(whole: &[u8]) -> Heard {
    let mut heard = Heard { tool_calls: Some(0), ..Heard::default() };
    for line in lines(whole) {
        match line {
            Some(event) => read(&event, &mut heard),
            None => heard.unknown_lines = heard.unknown_lines.saturating_add(1),
        }
    }
    heard
}

fn read(event: &Value, heard: &mut Heard) {
    let data = &event["data"];
    // An agent within the session has a call of a tool or an id to its name.
    if !event["agentId"].is_null() || !data["parentToolCallId"].is_null() {
        return;
    }
    match event["type"].as_str().unwrap_or_default() {
        "assistant.message" => {
            let is_calling = data["toolRequests"].as_array().is_some_and(|requests| !requests.is_empty());
            let text = data["content"].as_str().filter(|text| !is_calling && !text.trim().is_empty());
            heard.final_message = text.map(str::to_owned);
        }
        "tool.execution_start" => {
            heard.tool_calls = heard.tool_calls.map(|calls| calls.saturating_add(1));
            heard.final_message = None;
        }
        _ => {}
    }
}
