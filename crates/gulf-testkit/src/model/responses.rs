//! The Responses API of OpenAI, as far as Codex listens to it.

use serde_json::{Value, json};

use super::anthropic::Rendered;
use super::reply::{Message, NamedCall, Usage};
use super::request::Request;

pub(super) fn render(request: &Request, message: &Message, usage: Usage) -> Rendered {
    let items = items(request, message);
    let mut whole = json!({
        "id": format!("resp_{:020}", request.number), "object": "response", "created_at": 0,
        "model": request.model(), "status": "in_progress", "output": [],
    });
    let mut opening = vec![json!({"type": "response.created", "response": whole})];
    let mut rest: Vec<Value> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        rest.extend(item_events(index, item));
    }
    rest.push(closing(&mut whole, items, message, usage));
    for (number, event) in opening.iter_mut().chain(&mut rest).enumerate() {
        event["sequence_number"] = number.into();
    }
    Rendered { opening, rest, whole }
}

pub(super) fn error(kind: &str, message: &str, fields: &[(String, Value)]) -> Value {
    let mut error = json!({"type": kind, "message": message, "code": kind});
    for (name, value) in fields {
        error[name] = value.clone();
    }
    json!({"error": error})
}

/// The last event: completed, cut off, or failed.
fn closing(whole: &mut Value, items: Vec<Value>, message: &Message, usage: Usage) -> Value {
    let (event, status) = match (&message.error, &message.stop_reason) {
        (Some((kind, words)), _) => {
            whole["error"] = json!({"code": kind, "message": words});
            ("response.failed", "failed")
        }
        (None, Some(reason)) => {
            whole["incomplete_details"] = json!({"reason": reason});
            ("response.incomplete", "incomplete")
        }
        (None, None) => ("response.completed", "completed"),
    };
    whole["status"] = status.into();
    if message.error.is_none() {
        whole["output"] = Value::Array(items);
        whole["usage"] = usage_of(usage);
    }
    json!({"type": event, "response": whole})
}

/// Cached tokens are among the input's here.
fn usage_of(usage: Usage) -> Value {
    let input = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
    json!({
        "input_tokens": input, "output_tokens": usage.output_tokens, "total_tokens": input + usage.output_tokens,
        "input_tokens_details": {
            "cached_tokens": usage.cache_read_tokens, "cache_write_tokens": usage.cache_write_tokens,
        },
        "output_tokens_details": {"reasoning_tokens": 0},
    })
}

fn items(request: &Request, message: &Message) -> Vec<Value> {
    let number = request.number;
    let texts = message.text.iter().map(|text| {
        json!({
            "type": "message", "id": format!("msg_{number:020}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        })
    });
    let calls = message.calls.iter().enumerate().map(|(index, call)| {
        let call_id = format!("call_{number:020}_{index:02}");
        match call.named("exec_command", "cmd") {
            NamedCall::Tool { name, input } => function_call(&call_id, &name, &input),
            NamedCall::Freeform { name, text } => json!({
                "type": "custom_tool_call", "id": format!("ctc_{call_id}"), "call_id": call_id, "name": name,
                "input": text, "status": "completed",
            }),
        }
    });
    texts.chain(calls).collect()
}

/// `namespace/name` names a tool of a namespace.
fn function_call(call_id: &str, name: &str, input: &Value) -> Value {
    let (namespace, name) = name.split_once('/').map_or((None, name), |(space, name)| (Some(space), name));
    let mut item = json!({
        "type": "function_call", "id": format!("fc_{call_id}"), "call_id": call_id, "name": name,
        "arguments": input.to_string(), "status": "completed",
    });
    if let Some(namespace) = namespace {
        item["namespace"] = namespace.into();
    }
    item
}

/// Begun, filled by one piece, done.
fn item_events(index: usize, item: &Value) -> Vec<Value> {
    let mut begun = item.clone();
    begun["status"] = "in_progress".into();
    let mut events = Vec::new();
    let mut say = |kind: &str, member: &str, value: Value| {
        events.push(json!({
            "type": kind, "item_id": item["id"], "output_index": index, "content_index": 0, member: value,
        }));
    };
    match item["type"].as_str() {
        Some("message") => {
            begun["content"] = json!([]);
            say("response.output_item.added", "item", begun);
            let text = item["content"][0]["text"].clone();
            let part = json!({"type": "output_text", "text": "", "annotations": []});
            say("response.content_part.added", "part", part);
            say("response.output_text.delta", "delta", text.clone());
            say("response.output_text.done", "text", text);
        }
        Some("function_call") => {
            say("response.output_item.added", "item", begun);
            say("response.function_call_arguments.delta", "delta", item["arguments"].clone());
            say("response.function_call_arguments.done", "arguments", item["arguments"].clone());
        }
        _ => say("response.output_item.added", "item", begun),
    }
    say("response.output_item.done", "item", item.clone());
    events
}
