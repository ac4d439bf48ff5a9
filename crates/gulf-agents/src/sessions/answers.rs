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
    let value = match &spelled(host, answer) {
        Answer::Nothing => return None,
        Answer::Continue { brief, told } => with_told(proceed(host, brief), Some(told)),
        Answer::LetStop { told } | Answer::Tell { told } => match host {
            Host::Claude | Host::Codex if is_said(told) => json!({"systemMessage": told}),
            Host::Claude | Host::Codex | Host::Copilot | Host::Other => return None,
        },
        Answer::RefusePrompt { reason } => json!({"decision": "block", "reason": or_no_reason(reason)}),
        Answer::AddToPrompt { context, told } => {
            if !is_said(context) && !told.as_deref().is_some_and(is_said) {
                return None;
            }
            with_told(add(host, context), told.as_deref())
        }
        Answer::DenyTool { reason } => deny(or_no_reason(reason)),
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

fn spelled(host: Host, answer: &Answer) -> Answer {
    let own = |text: &String| spelled_for(host, text);
    match answer {
        Answer::Nothing => Answer::Nothing,
        Answer::Continue { brief, told } => Answer::Continue { brief: brief.clone(), told: own(told) },
        Answer::LetStop { told } => Answer::LetStop { told: own(told) },
        Answer::RefusePrompt { reason } => Answer::RefusePrompt { reason: own(reason) },
        Answer::AddToPrompt { context, told } => {
            Answer::AddToPrompt { context: context.clone(), told: told.as_ref().map(own) }
        }
        Answer::Tell { told } => Answer::Tell { told: own(told) },
        Answer::DenyTool { reason } => Answer::DenyTool { reason: own(reason) },
    }
}

fn proceed(host: Host, brief: &str) -> Value {
    match host {
        // As a reason the model would read it twice, and the person as an error.
        Host::Claude => specific("Stop", &json!({"additionalContext": or_no_reason(brief)})),
        Host::Codex | Host::Copilot | Host::Other => {
            json!({"decision": "block", "reason": or_no_reason(brief)})
        }
    }
}

fn add(host: Host, context: &str) -> Value {
    let added = json!({"additionalContext": context});
    match host {
        Host::Claude | Host::Codex | Host::Other => specific("UserPromptSubmit", &added),
        // The other form is passed over.
        Host::Copilot => added,
    }
}

/// All hosts take this form.
fn deny(reason: &str) -> Value {
    let decision = json!({"permissionDecision": "deny", "permissionDecisionReason": reason});
    specific("PreToolUse", &decision)
}

fn specific(event: &str, fields: &Value) -> Value {
    json!({"hookSpecificOutput": both(json!({"hookEventName": event}), fields.clone())})
}

/// The fields of both objects.
fn both(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

fn with_told(answer: Value, told: Option<&str>) -> Value {
    match told.filter(|told| is_said(told)) {
        Some(told) => both(answer, json!({"systemMessage": told})),
        None => answer,
    }
}

fn is_said(text: &str) -> bool {
    !text.trim().is_empty()
}

fn or_no_reason(text: &str) -> &str {
    if is_said(text) { text } else { NO_REASON }
}
