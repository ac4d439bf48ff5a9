//! What a hook says to its host: one JSON object on one line, or nothing at all.
//!
//! The same answer has another form for each host, and a form that a host does not know ends the session without a
//! word: Codex refuses an object with a field too many, Copilot CLI passes over it.

use serde_json::{Value, json};

use super::Host;

/// Codex refuses a block without a reason; nobody should meet this sentence.
const NO_REASON: &str = "gulf gave no reason";

/// What a hook wants of its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The host does what it would have done.
    Nothing,
    /// The session goes on: `brief` is for the model, `told` for the person.
    Continue { brief: String, told: String },
    /// The session stops, and the person is told why.
    LetStop { told: String },
    /// The prompt never reaches the model; the person reads the reason.
    RefusePrompt { reason: String },
    /// The model reads this along with the prompt.
    AddToPrompt { context: String, told: Option<String> },
    /// The host does what it would have done; the person reads this.
    Tell { told: String },
    /// The tool is not run; the model reads the reason.
    DenyTool { reason: String },
}

/// The answer in the host's form, without a line end; nothing is to be printed where nothing comes back.
///
/// What a host has no field for is left out: then a person hears it on stderr, or not at all.
pub fn answer(host: Host, answer: &Answer) -> Option<String> {
    let spelled = |text: &str| spelled_for(host, text);
    let value = match answer {
        Answer::Nothing => return None,
        Answer::Continue { brief, told } => with_told(proceed(host, brief), &spelled(told)),
        Answer::LetStop { told } | Answer::Tell { told } => match host {
            Host::Claude | Host::Codex if is_said(told) => json!({"systemMessage": spelled(told)}),
            Host::Claude | Host::Codex | Host::Copilot | Host::Other => return None,
        },
        Answer::RefusePrompt { reason } => block(&spelled(reason)),
        Answer::AddToPrompt { context, told } => {
            let told = told.as_deref().unwrap_or_default();
            if !is_said(context) && !is_said(told) {
                return None;
            }
            with_told(add(host, context), &spelled(told))
        }
        Answer::DenyTool { reason } => deny(&spelled(or_no_reason(reason))),
    };
    Some(value.to_string())
}

/// What a person reads names commands as their host takes them: Codex knows no `/` before a skill's name.
pub fn spelled_for(host: Host, text: &str) -> String {
    match host {
        Host::Codex => text.replace("/gulf-loop:", "$gulf-loop:"),
        Host::Claude | Host::Copilot | Host::Other => text.to_owned(),
    }
}

fn proceed(host: Host, brief: &str) -> Value {
    match host {
        // As a reason the model would read it twice, and the person as an error.
        Host::Claude => specific("Stop", json!({"additionalContext": or_no_reason(brief)})),
        Host::Codex | Host::Copilot | Host::Other => block(brief),
    }
}

fn block(reason: &str) -> Value {
    json!({"decision": "block", "reason": or_no_reason(reason)})
}

fn add(host: Host, context: &str) -> Value {
    let added = json!({"additionalContext": context});
    match host {
        Host::Claude | Host::Codex | Host::Other => specific("UserPromptSubmit", added),
        // The other form is passed over.
        Host::Copilot => added,
    }
}

/// All hosts take this form.
fn deny(reason: &str) -> Value {
    let decision = json!({"permissionDecision": "deny", "permissionDecisionReason": reason});
    specific("PreToolUse", decision)
}

fn specific(event: &str, mut fields: Value) -> Value {
    fields["hookEventName"] = event.into();
    json!({ "hookSpecificOutput": fields })
}

fn with_told(mut answer: Value, told: &str) -> Value {
    if is_said(told) {
        answer["systemMessage"] = told.into();
    }
    answer
}

fn is_said(text: &str) -> bool {
    !text.trim().is_empty()
}

fn or_no_reason(text: &str) -> &str {
    if is_said(text) { text } else { NO_REASON }
}
