//! The Gemini API of Google, as far as Gemini CLI listens to it.

use serde_json::{Value, json};

use super::anthropic::Rendered;
use super::reply::{Message, NamedCall, Usage};
use super::request::Request;

/// One event is the whole answer: the tool puts pieces together in any number.
pub(super) fn render(request: &Request, message: &Message, usage: Usage) -> Rendered {
    let reason = message.stop_reason.as_deref().unwrap_or("STOP");
    let content = json!({"role": "model", "parts": parts(message)});
    let input = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
    let whole = json!({
        "candidates": [{"content": content, "finishReason": reason, "index": 0}],
        "usageMetadata": {
            "promptTokenCount": input, "cachedContentTokenCount": usage.cache_read_tokens,
            "candidatesTokenCount": usage.output_tokens, "totalTokenCount": input + usage.output_tokens,
        },
        "modelVersion": request.model(), "responseId": format!("response-{}", request.number),
    });
    Rendered { opening: Vec::new(), rest: vec![whole.clone()], whole }
}

pub(super) fn error(kind: &str, message: &str, fields: &[(String, Value)]) -> Value {
    let mut error = json!({"status": kind, "message": message, "details": []});
    for (name, value) in fields {
        error[name] = value.clone();
    }
    json!({"error": error})
}

fn parts(message: &Message) -> Vec<Value> {
    let texts = message.text.iter().map(|text| json!({"text": text}));
    let calls = message.calls.iter().map(|call| match call.named("run_shell_command", "command") {
        NamedCall::Tool { name, input } => json!({"functionCall": {"name": name, "args": input}}),
        NamedCall::Freeform { name, .. } => {
            panic!("nobody who speaks this has a tool that takes text: {name}")
        }
    });
    texts.chain(calls).collect()
}
