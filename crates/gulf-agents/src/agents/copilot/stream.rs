//! Copilot CLI: the events that it prints in a turn, read as they come.
//!
//! It stands apart because the order and the keys of these events are the tool's, and change with it. What it used
//! stands in a file of its own, which is read by `usage`.

use serde_json::Value;

use super::failure::failure;
use crate::agents::course::Course;
use crate::agents::descriptor::TurnProtocol;
use crate::agents::words::{count, status, text, text_or_empty, what_of};
use crate::agents::{
    AgentEvent, ContextUse, FailureKind, Outcome, ProcessEnd, ToolCall, TurnFailure, TurnReport,
};

/// What is known and tells a loop nothing, by its beginning: states of the session, pieces of what comes again as a
/// whole, thoughts.
const SILENT: [&str; 14] = [
    "session.", "assistant.turn_start", "assistant.turn_end", "assistant.message_", "assistant.reasoning",
    "assistant.streaming_delta", "assistant.tool_call_delta", "assistant.intent", "assistant.idle",
    "assistant.usage", "model.call_", "tool.execution_p", "hook.", "permission.",
];

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    course: Course,
    /// The last error of the session: only the result says whether the turn ended of it.
    error: Option<Value>,
    /// The last answer of the model's servers that was none.
    call_failure: Option<Value>,
    retries: u32,
    outcome: Option<Outcome>,
}

impl TurnProtocol for Stream {
    fn read(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        let data = &event["data"];
        match event["type"].as_str().unwrap_or_default() {
            "session.tools_updated" => self.course.learn_model(&data["model"]),
            // The prompt is taken: from here on it may cost. The session is named by the last event only.
            "user.message" => self.course.start(events),
            "assistant.message" => self.say(data, events),
            "tool.execution_start" => self.call(data, events),
            "tool.execution_complete" => self.tool_result(data, events),
            "model.call_failure" => self.call_failure = Some(data.clone()),
            "assistant.turn_retry" => self.retry(events),
            "session.error" => self.error = Some(data.clone()),
            "result" => self.result(event, events),
            kind if SILENT.iter().any(|begin| kind.starts_with(begin)) => {}
            _ => self.course.not_understood(),
        }
    }

    fn finish(self: Box<Self>, end: ProcessEnd) -> TurnReport {
        self.course.report(self.outcome, end)
    }
}

impl Stream {
    /// A sub-agent's words are not the person's to read.
    fn say(&mut self, data: &Value, events: &mut Vec<AgentEvent>) {
        if data["parentToolCallId"].is_null() {
            self.course.learn_model(&data["model"]);
            self.course.say(&data["content"], events);
        }
    }

    fn call(&mut self, data: &Value, events: &mut Vec<AgentEvent>) {
        let call = ToolCall { tool: text_or_empty(&data["toolName"]), what: what_of(&data["arguments"]) };
        self.course.calls.begin(text(&data["toolCallId"]), call, events);
    }

    fn tool_result(&mut self, data: &Value, events: &mut Vec<AgentEvent>) {
        self.measure(&data["toolTelemetry"]["metrics"], events);
        let Some(call) = self.course.calls.end(data["toolCallId"].as_str().unwrap_or_default()) else {
            return;
        };
        if data["success"].as_bool() != Some(false) {
            return;
        }
        if data["error"]["code"] == "denied" {
            self.course.calls.deny(call, events);
        } else {
            events.push(call.failed());
        }
    }

    fn measure(&mut self, metrics: &Value, events: &mut Vec<AgentEvent>) {
        let Some(tokens) = count(&metrics["context_current_tokens"]) else { return };
        let window = count(&metrics["context_token_limit"]);
        let context = ContextUse { tokens, window };
        if self.course.context != Some(context) {
            self.course.measure(context, events);
        }
    }

    fn retry(&mut self, events: &mut Vec<AgentEvent>) {
        self.retries = self.retries.saturating_add(1);
        let status = self.call_failure.as_ref().and_then(|failure| status(&failure["statusCode"]));
        events.push(AgentEvent::Retrying { attempt: self.retries, status, delay_ms: None });
    }

    fn result(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.course.learn_session(&event["sessionId"]);
        let error = self.error.take().unwrap_or_default();
        let call_failure = self.call_failure.take().unwrap_or_default();
        self.outcome = Some(match event["exitCode"].as_i64() {
            Some(0) => Outcome::Completed,
            Some(_) => Outcome::Failed(failure(&error, &call_failure)),
            None => {
                let why = "its result does not say how it ended";
                Outcome::Failed(TurnFailure::new(FailureKind::Unreadable, why))
            }
        });
        events.push(AgentEvent::Finished);
    }
}
