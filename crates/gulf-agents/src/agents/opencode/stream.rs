//! OpenCode: the events that it prints in a turn, read as they come.
//!
//! The order and the keys of these events are the tool's, and change with it. There is no last event: a turn is over
//! when a step ends that asks for no tool, and the process after it.

use serde_json::Value;

use crate::agents::course::Course;
use crate::agents::descriptor::TurnProtocol;
use crate::agents::report::{asks_for_patience, of_status};
use crate::agents::words::{microdollars, status, text, text_or_empty};
use crate::agents::{
    AgentEvent, ContextUse, FailureKind, Need, Outcome, ProcessEnd, Reset, ToolCall, TurnFailure, TurnReport,
    TurnUsage, Usage,
};

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    /// Of the last step, if none began after it.
    reason: Option<String>,
    failure: Option<TurnFailure>,
    spent: Option<TurnUsage>,
}

impl TurnProtocol for Stream {
    fn read(&mut self, event: &Value, course: &mut Course) {
        start(event, course);
        let part = &event["part"];
        match event["type"].as_str().unwrap_or_default() {
            "step_start" => self.reason = None,
            "text" => say(part, course),
            "tool_use" => tool(part, course),
            "step_finish" => self.step(part, course),
            "error" => self.trouble(event, course),
            _ => {}
        }
    }

    fn finish(self: Box<Self>, mut course: Course, end: ProcessEnd) -> TurnReport {
        course.outcome = self.failure.map(Outcome::Failed).or_else(|| of_reason(self.reason.as_deref()?));
        course.report.spent = self.spent.filter(|_| course.outcome.is_some());
        course.report(end)
    }
}

impl Stream {
    fn step(&mut self, part: &Value, course: &mut Course) {
        self.reason = Some(text_or_empty(&part["reason"]));
        if self.reason.as_deref().and_then(of_reason).is_some() {
            course.events.push(AgentEvent::Finished);
        }
        let told = usage(&part["tokens"]);
        // A step that does not tell what it used makes the whole sum unknown.
        let microdollars = told.and_then(|usage| cost(&part["cost"], usage));
        let more = TurnUsage { microdollars, ..TurnUsage::unpriced(told.unwrap_or_default()) };
        self.spent = Some(self.spent.map_or(more, |before| before.plus(more)));
        if let Some(usage) = told {
            let sent = Usage { output_tokens: 0, ..usage };
            course.measure(ContextUse { tokens: sent.tokens(), window: None });
        }
    }

    fn trouble(&mut self, event: &Value, course: &mut Course) {
        self.failure = Some(failure(&event["error"], event["timestamp"].as_u64()));
        course.events.push(AgentEvent::Finished);
    }
}

/// Every event names the session; there is none that only begins it.
fn start(event: &Value, course: &mut Course) {
    if course.report.session.is_none() {
        course.learn_session(&event["sessionID"]);
    }
    if course.report.session.is_some() {
        course.start();
    }
}

/// What the tool itself puts into a session is nobody's words.
fn say(part: &Value, course: &mut Course) {
    if part["synthetic"].as_bool() != Some(true) {
        course.say(&part["text"]);
    }
}

/// A call is told when it is over.
fn tool(part: &Value, course: &mut Course) {
    let state = &part["state"];
    let call = ToolCall::read(&part["tool"], &state["input"]);
    course.call(None, call.clone());
    // Did a rule keep it from running? What a tool prints is not looked at: that is an output, never an error.
    let error = state["error"].as_str().unwrap_or_default();
    if state["status"] == "error" && DENIED.iter().any(|begin| error.starts_with(begin)) {
        course.deny(call);
    }
}

/// What the end of a step says of the turn; nothing where the turn goes on with what a tool answered.
fn of_reason(reason: &str) -> Option<Outcome> {
    let failed = |kind, detail: &str| Some(Outcome::Failed(TurnFailure::new(kind, detail)));
    match reason {
        "stop" => Some(Outcome::Completed),
        "tool-calls" => None,
        "content-filter" => failed(FailureKind::Refused, "the provider's filter stopped it"),
        "length" => failed(FailureKind::Other, "its answer was cut at the longest that its model gives"),
        _ => None,
    }
}

fn usage(tokens: &Value) -> Option<Usage> {
    let of = |value: &Value| value.as_u64().unwrap_or(0);
    let input_tokens = tokens["input"].as_u64()?;
    let output_tokens = of(&tokens["output"]).saturating_add(of(&tokens["reasoning"]));
    let [cache_read_tokens, cache_write_tokens] = ["read", "write"].map(|key| of(&tokens["cache"][key]));
    Some(Usage { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens })
}

/// It takes a model without a price in its list for one that costs nothing.
fn cost(dollars: &Value, usage: Usage) -> Option<u64> {
    microdollars(dollars).filter(|cost| *cost > 0 || usage.tokens() == 0)
}

// Why a turn of OpenCode failed, from the typed errors of its stream.

/// How its own answer to the model begins where a rule did not let a call through. It has no field for that.
const DENIED: [&str; 2] = [
    "The user has specified a rule which prevents you from using this specific tool call.",
    "The user rejected permission to use this specific tool call",
];

/// What an `error` says; `at_ms` is when it was told.
pub(super) fn failure(error: &Value, at_ms: Option<u64>) -> TurnFailure {
    let name = error["name"].as_str().unwrap_or_default();
    let data = &error["data"];
    let kind = match name {
        "ContextOverflowError" => FailureKind::ContextFull,
        "ProviderAuthError" => FailureKind::NeedsPerson { need: Need::SignIn },
        "MessageAbortedError" => FailureKind::Interrupted,
        "ContentFilterError" => FailureKind::Refused,
        "StructuredOutputError" => FailureKind::SchemaNotMet,
        "ProviderModelNotFoundError" => FailureKind::NeedsPerson { need: Need::Model },
        "APIError" => of_api(data, at_ms),
        // `MessageOutputLengthError`, `UnknownError`, and what a later version adds.
        _ => FailureKind::Other,
    };
    TurnFailure { kind, detail: text(&data["message"]).unwrap_or_else(|| name.to_owned()) }
}

fn of_api(data: &Value, at_ms: Option<u64>) -> FailureKind {
    match status(&data["statusCode"]) {
        // It has waited and asked again before it says so.
        Some(status) if asks_for_patience(status) => {
            FailureKind::RateLimited { reset: reset(&data["responseHeaders"], at_ms) }
        }
        Some(status) => of_status(status).unwrap_or(FailureKind::Other),
        // No status at all: there was nobody to answer.
        None if data["isRetryable"].as_bool() == Some(true) => FailureKind::Unreachable,
        None => FailureKind::Other,
    }
}

/// `retry-after` in seconds; a date is not read.
fn reset(headers: &Value, at_ms: Option<u64>) -> Reset {
    let seconds = headers["retry-after"].as_str().and_then(|seconds| seconds.trim().parse::<u64>().ok());
    match (seconds, at_ms) {
        (Some(seconds), Some(at_ms)) => Reset::At { unix_s: (at_ms / 1000).saturating_add(seconds) },
        (Some(_), None) | (None, _) => Reset::Unknown,
    }
}
