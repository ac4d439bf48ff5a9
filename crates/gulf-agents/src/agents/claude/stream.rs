//! Claude Code: its events.
//!
//! It stands apart because the order and the keys of these events are the tool's, and change with it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::failure::{Hints, outcome};
use crate::agents::calls::Calls;
use crate::agents::report::settle;
use crate::agents::words::{count, microdollars, status, text, text_or_empty, what_of};
use crate::agents::{
    AgentEvent, ContextUse, Cost, DENIALS_MAX, FailureKind, Outcome, ProcessEnd, Span, Spent, ToolCall,
    TurnReport, Usage,
};
use crate::command;

/// Of `system`, what is known and tells a loop nothing.
const SILENT: [&str; 14] = [
    "hook_started",
    "hook_response",
    "hook_progress",
    "informational",
    "notification",
    "status",
    "compact_boundary",
    "task_started",
    "task_progress",
    "task_updated",
    "task_notification",
    "background_tasks_changed",
    "model_refusal_no_fallback",
    "local_command_output",
];

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    has_started: bool,
    session: Option<String>,
    model: Option<String>,
    calls: Calls,
    /// Ids of calls: a denial is told as an event, and again in the result.
    denied: BTreeSet<String>,
    said: String,
    message: Option<String>,
    context: Option<ContextUse>,
    hints: Hints,
    /// Of the last result.
    outcome: Option<Outcome>,
    final_message: String,
    structured: Option<Value>,
    spent: Option<Spent>,
    unknown_events: u32,
}

impl Stream {
    pub(in crate::agents) fn read(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        match event["type"].as_str().unwrap_or_default() {
            "system" => self.system(event, events),
            "assistant" => self.assistant(event, events),
            "user" => self.tool_results(event, events),
            "rate_limit_event" => self.rate_limit(&event["rate_limit_info"], events),
            "result" => self.result(event, events),
            // Pieces of what comes again as a whole, if a person asked for them.
            "stream_event" => {}
            _ => self.unknown_events = self.unknown_events.saturating_add(1),
        }
    }

    fn system(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        match event["subtype"].as_str().unwrap_or_default() {
            "init" => self.init(event, events),
            "api_retry" => events.push(AgentEvent::Retrying {
                attempt: count(&event["attempt"])
                    .and_then(|attempt| u32::try_from(attempt).ok())
                    .unwrap_or(0),
                status: status(&event["error_status"]),
                delay_ms: count(&event["retry_delay_ms"]),
            }),
            "permission_denied" => {
                let tool = text_or_empty(&event["tool_name"]);
                self.deny(&text_or_empty(&event["tool_use_id"]), tool, None, events);
            }
            subtype if SILENT.contains(&subtype) => {}
            _ => self.unknown_events = self.unknown_events.saturating_add(1),
        }
    }

    /// A process with a second prompt says it again; the session is the same.
    fn init(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.session = text(&event["session_id"]).or(self.session.take());
        self.model = text(&event["model"]).or(self.model.take());
        if !self.has_started {
            let session = self.session.clone().unwrap_or_default();
            events.push(AgentEvent::Started { session, model: self.model.clone() });
        }
        self.has_started = true;
    }

    fn assistant(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        let is_main = event["parent_tool_use_id"].is_null();
        let message = &event["message"];
        // The tool itself speaks in the model's place when there was no answer.
        let is_error = event["is_api_error_message"].as_bool() == Some(true);
        if is_error {
            self.hints.error = text(&event["error"]);
            let limit = &event["api_error_params"]["rate_limit_info"];
            self.hints.reset_unix_s = count(&limit["resetsAt"]).or(self.hints.reset_unix_s);
        } else if is_main && message["model"] != "<synthetic>" {
            self.measure(message, events);
        }
        for block in message["content"].as_array().into_iter().flatten() {
            match block["type"].as_str().unwrap_or_default() {
                "text" if is_main && !is_error => self.say(text(&block["text"]), events),
                "tool_use" => self.call(block, events),
                // Thoughts, what the model's own servers did, and words of sub-agents.
                _ => {}
            }
        }
    }

    fn say(&mut self, text: Option<String>, events: &mut Vec<AgentEvent>) {
        if let Some(text) = text {
            self.said.clone_from(&text);
            events.push(AgentEvent::Said { text });
        }
    }

    fn call(&mut self, block: &Value, events: &mut Vec<AgentEvent>) {
        let call = ToolCall { tool: text_or_empty(&block["name"]), what: what_of(&block["input"]) };
        self.calls.begin(text(&block["id"]), call, events);
    }

    /// One message comes as several events, and each repeats its usage.
    fn measure(&mut self, message: &Value, events: &mut Vec<AgentEvent>) {
        let id = text(&message["id"]);
        let usage = &message["usage"];
        let Some(input) = count(&usage["input_tokens"]) else { return };
        self.model = text(&message["model"]).or(self.model.take());
        if id.is_some() && id == self.message {
            return;
        }
        self.message = id;
        let cached = [&usage["cache_read_input_tokens"], &usage["cache_creation_input_tokens"]];
        let tokens = cached.into_iter().filter_map(count).fold(input, u64::saturating_add);
        let window = self.context.and_then(|context| context.window);
        self.context = Some(ContextUse { tokens, window });
        events.push(AgentEvent::Measured { context_tokens: tokens, context_window: window });
    }

    fn tool_results(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        for block in event["message"]["content"].as_array().into_iter().flatten() {
            if block["type"] != "tool_result" {
                continue;
            }
            let id = block["tool_use_id"].as_str().unwrap_or_default();
            let call = self.calls.end(id);
            let was_run = !event["tool_result_meta"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|meta| meta["id"] == id && !meta["non_execution_kind"].is_null());
            if block["is_error"].as_bool() == Some(true)
                && was_run
                && let Some(call) = call
            {
                events.push(call.failed());
            }
        }
    }

    fn deny(&mut self, id: &str, tool: String, input: Option<&Value>, events: &mut Vec<AgentEvent>) {
        if self.denied.len() >= DENIALS_MAX || !self.denied.insert(id.to_owned()) {
            return;
        }
        let known = self.calls.open(id).map(|call| call.what.clone());
        let what = input.map(what_of).filter(|what| !what.is_empty()).or(known).unwrap_or_default();
        self.calls.deny(ToolCall { tool, what }, events);
    }

    fn rate_limit(&mut self, info: &Value, events: &mut Vec<AgentEvent>) {
        let until_unix_s = count(&info["resetsAt"]);
        let kind = text(&info["rateLimitType"]);
        match info["status"].as_str().unwrap_or_default() {
            "allowed" => self.hints.reset_unix_s = None,
            "allowed_warning" => events.push(AgentEvent::NearLimit { until_unix_s, kind }),
            "rejected" => {
                self.hints.reset_unix_s = until_unix_s;
                events.push(AgentEvent::RateLimited { until_unix_s, kind });
            }
            _ => self.unknown_events = self.unknown_events.saturating_add(1),
        }
    }

    fn result(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.session = text(&event["session_id"]).or(self.session.take());
        for denial in event["permission_denials"].as_array().into_iter().flatten() {
            let id = text_or_empty(&denial["tool_use_id"]);
            self.deny(&id, text_or_empty(&denial["tool_name"]), Some(&denial["tool_input"]), events);
        }
        self.learn_window(&event["modelUsage"], events);
        self.spend(event);
        let hints = std::mem::take(&mut self.hints);
        let mut outcome = outcome(event, &hints);
        if let Outcome::Failed(failure) = &mut outcome
            && failure.kind == FailureKind::Other
            && !self.has_started
        {
            // A session to resume that is not there is told in a result, before anything began.
            failure.kind = FailureKind::NotStarted;
        }
        if outcome == Outcome::Completed {
            // After the cap on blocking hooks it is empty; then what was said last is the last word.
            self.final_message = text(&event["result"]).unwrap_or_default();
            self.structured = Some(event["structured_output"].clone()).filter(|value| !value.is_null());
        }
        // A process can say a second one, when a job in the background ends.
        self.outcome = Some(outcome);
        events.push(AgentEvent::Finished);
    }

    fn learn_window(&mut self, usage: &Value, events: &mut Vec<AgentEvent>) {
        let window = self.model.as_ref().and_then(|model| count(&usage[model.as_str()]["contextWindow"]));
        if let Some(context) = &mut self.context
            && window.is_some()
            && context.window != window
        {
            context.window = window;
            let context_tokens = context.tokens;
            events.push(AgentEvent::Measured { context_tokens, context_window: window });
        }
    }

    /// `usage` leaves sub-agents out and `modelUsage` counts from the session's first turn, so what a turn used is
    /// the sum of what its results say they added.
    fn spend(&mut self, event: &Value) {
        let added = &event["model_usage_since_last_result"];
        if let Some(added) = sum(added) {
            let before = self.spent.filter(|spent| spent.span == Span::Turn);
            self.spent = Some(match before {
                Some(before) => Spent {
                    usage: before.usage.plus(added.usage),
                    cost: before.cost.and(added.cost),
                    span: Span::Turn,
                },
                None => added,
            });
        } else if let Some(total) = sum(&event["modelUsage"]) {
            self.spent = Some(Spent { span: Span::Session, ..total });
        }
    }

    pub(in crate::agents) fn finish(self, end: ProcessEnd) -> TurnReport {
        let message = if self.final_message.is_empty() { self.said } else { self.final_message };
        TurnReport {
            outcome: settle(self.outcome, self.has_started, end),
            final_message: command::final_message(message.as_bytes()),
            session: self.session,
            model: self.model,
            tool_calls: self.calls.count(),
            denials: self.calls.into_denied(),
            spent: self.spent,
            context: self.context,
            orientation: None,
            structured: self.structured,
            unknown_events: self.unknown_events,
        }
    }
}

/// Over all models.
fn sum(by_model: &Value) -> Option<Spent> {
    let models = by_model.as_object()?;
    let mut usage = Usage::default();
    let mut cost = Cost::Told { microdollars: 0 };
    for model in models.values() {
        let tokens = |key: &str| count(&model[key]).unwrap_or(0);
        usage = usage.plus(Usage {
            input_tokens: tokens("inputTokens"),
            output_tokens: tokens("outputTokens"),
            cache_read_tokens: tokens("cacheReadInputTokens"),
            cache_write_tokens: tokens("cacheCreationInputTokens"),
        });
        cost = cost.and(microdollars(&model["costUSD"]));
    }
    Some(Spent { usage, cost, span: Span::Turn })
}
