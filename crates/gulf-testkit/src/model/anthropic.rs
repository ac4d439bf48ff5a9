//! The Messages API of Anthropic, as far as Claude Code and Copilot CLI listen to it.

use serde_json::{Map, Value, json};

use super::reply::{Message, NamedCall, Usage};
use super::request::Request;

/// As much of a text, or of a call's input, as one event carries.
const PART_CHARS: usize = 400;

/// An answer as it goes over the wire, in its two forms.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rendered {
    /// What can be said before anything is.
    pub(super) opening: Vec<Value>,
    pub(super) rest: Vec<Value>,
    /// Without a stream.
    pub(super) whole: Value,
}

pub(super) fn render(request: &Request, message: &Message, usage: Usage) -> Rendered {
    let blocks = blocks(request, message);
    let calls = !message.calls.is_empty();
    let reason = message.stop_reason.as_deref().unwrap_or(if calls { "tool_use" } else { "end_turn" });
    let mut whole = json!({
        "id": format!("msg_{:024}", request.number), "type": "message", "role": "assistant",
        "model": request.model(), "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": usage_of(Usage { output_tokens: 1, ..usage }),
    });
    let opening = vec![json!({"type": "message_start", "message": whole}), json!({"type": "ping"})];
    let mut rest: Vec<Value> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        rest.extend(block_events(index, block));
    }
    if let Some((kind, words)) = &message.error {
        rest.push(json!({"type": "error", "error": {"type": kind, "message": words}}));
    } else {
        let delta = json!({"stop_reason": reason, "stop_sequence": null});
        rest.push(json!({"type": "message_delta", "delta": delta, "usage": usage_of(usage)}));
        rest.push(json!({"type": "message_stop"}));
    }
    whole["content"] = Value::Array(blocks);
    whole["stop_reason"] = reason.into();
    whole["usage"] = usage_of(usage);
    Rendered { opening, rest, whole }
}

pub(super) fn error(kind: &str, message: &str, fields: &[(String, Value)]) -> Value {
    let mut error = json!({"type": kind, "message": message});
    for (name, value) in fields {
        error[name] = value.clone();
    }
    json!({"type": "error", "error": error})
}

fn usage_of(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
        "cache_read_input_tokens": usage.cache_read_tokens, "service_tier": "standard",
    })
}

fn blocks(request: &Request, message: &Message) -> Vec<Value> {
    let texts = message.text.iter().map(|text| json!({"type": "text", "text": text}));
    // Copilot CLI has the same tool by another name.
    let shell = if request.offers("bash") { "bash" } else { "Bash" };
    let calls = message.calls.iter().enumerate().map(|(index, call)| match call.named(shell, "command") {
        NamedCall::Tool { name, input } => json!({
            "type": "tool_use", "id": format!("toolu_{:020}_{index:02}", request.number),
            "name": name, "input": input,
        }),
        NamedCall::Freeform { name, .. } => {
            panic!("nobody who speaks this has a tool that takes text: {name}")
        }
    });
    texts.chain(calls).collect()
}

/// A block begins empty and is filled piece by piece.
fn block_events(index: usize, block: &Value) -> Vec<Value> {
    let mut empty = block.clone();
    let (kind, member, text) = match block["type"].as_str() {
        Some("text") => {
            empty["text"] = "".into();
            ("text_delta", "text", block["text"].as_str().unwrap_or_default().to_owned())
        }
        _ => {
            empty["input"] = Value::Object(Map::new());
            ("input_json_delta", "partial_json", block["input"].to_string())
        }
    };
    let mut events = vec![json!({"type": "content_block_start", "index": index, "content_block": empty})];
    let characters: Vec<char> = text.chars().collect();
    for part in characters.chunks(PART_CHARS) {
        let delta = json!({"type": kind, member: part.iter().collect::<String>()});
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
    }
    events.push(json!({"type": "content_block_stop", "index": index}));
    events
}
