//! The file that a host keeps of a session, as far as anybody reads it: what was said, and which tools were called.
//!
//! Each host has a form of its own; these are the lines that Claude Code and Codex write.

use serde_json::{Value, json};

use super::harness::Host;

/// What the person said.
pub(crate) fn said_by_person(host: Host, text: &str) -> Value {
    match host {
        Host::Plain | Host::Claude => {
            json!({"type": "user", "isSidechain": false, "message": {"role": "user", "content": text}})
        }
        Host::Codex => message("user", "input_text", text),
    }
}

/// What the agent said in its n-th turn.
pub(crate) fn said_by_agent(host: Host, turn: u32, text: &str) -> Value {
    match host {
        Host::Plain | Host::Claude => assistant(turn, &json!({"type": "text", "text": text})),
        Host::Codex => message("assistant", "output_text", text),
    }
}

/// A tool that the agent called in its n-th turn.
pub(crate) fn called_tool(host: Host, turn: u32) -> Value {
    let id = format!("call_{turn}");
    match host {
        Host::Plain | Host::Claude => assistant(
            turn,
            &json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}),
        ),
        Host::Codex => {
            let call = json!({"type": "function_call", "name": "exec_command", "arguments": "{\"cmd\": \"ls\"}", "call_id": id});
            json!({"type": "response_item", "payload": call})
        }
    }
}

fn assistant(turn: u32, content: &Value) -> Value {
    let message = json!({
        "id": format!("msg_{turn}"), "type": "message", "role": "assistant", "model": "fake-model",
        "content": [content], "usage": {"input_tokens": 10, "output_tokens": 5},
    });
    json!({"type": "assistant", "isSidechain": false, "message": message})
}

fn message(role: &str, kind: &str, text: &str) -> Value {
    let payload = json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    json!({"type": "response_item", "payload": payload})
}
