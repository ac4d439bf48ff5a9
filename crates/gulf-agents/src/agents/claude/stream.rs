//! Claude Code: the events that it prints in a turn, read as they come.
//!
//! It stands apart because the order and the keys of these events are the tool's, and change with it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::failure::{Hints, outcome};
use crate::agents::course::Course;
use crate::agents::descriptor::TurnProtocol;
use crate::agents::words::{count, lines_changed, microdollars, status, text, text_or_empty, what_of};
use crate::agents::{
    AgentEvent, ContextUse, CostEstimate, DENIALS_MAX, FailureKind, Outcome, ProcessEnd, SumSpan, ToolCall,
    TurnReport, TurnUsage, Usage,
};

/// Of `system`, what is known and tells a loop nothing.
const SILENT: [&str; 14] = [
    "hook_started", "hook_response", "hook_progress", "informational", "notification", "status",
    "compact_boundary", "task_started", "task_progress", "task_updated", "task_notification",
    "background_tasks_changed", "model_refusal_no_fallback", "local_command_output",
];

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    course: Course,
    /// Ids of calls: a denial is told as an event, and again in the result.
    denied: BTreeSet<String>,
    message: Option<String>,
    hints: Hints,
    /// Of the last result.
    outcome: Option<Outcome>,
    final_message: String,
    structured: Option<Value>,
    spent: Option<TurnUsage>,
}

impl TurnProtocol for Stream {
    fn read(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        match event["type"].as_str().unwrap_or_default() {
            "system" => self.system(event, events),
            "assistant" => self.assistant(event, events),
            "user" => self.tool_results(event, events),
            "rate_limit_event" => self.rate_limit(&event["rate_limit_info"], events),
            "result" => self.result(event, events),
            // Pieces of what comes again as a whole, if a person asked for them.
            "stream_event" => {}
            _ => self.course.not_understood(),
        }
    }

    fn finish(mut self: Box<Self>, end: ProcessEnd) -> TurnReport {
        if !self.final_message.is_empty() {
            self.course.said = self.final_message;
        }
        let report = self.course.report(self.outcome, end);
        TurnReport { spent: self.spent, structured: self.structured, ..report }
    }
}

impl Stream {
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
            _ => self.course.not_understood(),
        }
    }

    /// A process with a second prompt says it again; the session is the same.
    fn init(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.course.learn_session(&event["session_id"]);
        self.course.learn_model(&event["model"]);
        self.course.start(events);
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
                "text" if is_main && !is_error => self.course.say(&block["text"], events),
                "tool_use" => self.call(block, events),
                // Thoughts, what the model's own servers did, and words of sub-agents.
                _ => {}
            }
        }
    }

    fn call(&mut self, block: &Value, events: &mut Vec<AgentEvent>) {
        let call = ToolCall { tool: text_or_empty(&block["name"]), what: what_of(&block["input"]) };
        self.course.calls.begin(text(&block["id"]), call, events);
        // Only beside the tool: what was called stays what a rule can allow.
        if let (Some(AgentEvent::Called { what, .. }), Some(lines)) =
            (events.last_mut(), lines_changed(&block["input"]))
        {
            *what = format!("{what} {lines}");
        }
    }

    /// One message comes as several events, and each repeats its usage.
    fn measure(&mut self, message: &Value, events: &mut Vec<AgentEvent>) {
        let id = text(&message["id"]);
        let usage = &message["usage"];
        let Some(input) = count(&usage["input_tokens"]) else { return };
        self.course.learn_model(&message["model"]);
        if id.is_some() && id == self.message {
            return;
        }
        self.message = id;
        let cached = [&usage["cache_read_input_tokens"], &usage["cache_creation_input_tokens"]];
        let tokens = cached.into_iter().filter_map(count).fold(input, u64::saturating_add);
        let window = self.course.context.and_then(|context| context.window);
        self.course.measure(ContextUse { tokens, window }, events);
    }

    fn tool_results(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        for block in event["message"]["content"].as_array().into_iter().flatten() {
            if block["type"] != "tool_result" {
                continue;
            }
            let id = block["tool_use_id"].as_str().unwrap_or_default();
            let call = self.course.calls.end(id);
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
        let known = self.course.calls.open(id).map(|call| call.what.clone());
        let what = input.map(what_of).filter(|what| !what.is_empty()).or(known).unwrap_or_default();
        self.course.calls.deny(ToolCall { tool, what }, events);
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
            _ => self.course.not_understood(),
        }
    }

    fn result(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.course.learn_session(&event["session_id"]);
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
            && !self.course.has_started
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
        let model = self.course.model.as_ref();
        let window = model.and_then(|model| count(&usage[model.as_str()]["contextWindow"]));
        if let Some(context) = self.course.context
            && window.is_some()
            && context.window != window
        {
            self.course.measure(ContextUse { window, ..context }, events);
        }
    }

    /// `usage` leaves sub-agents out and `modelUsage` counts from the session's first turn, so what a turn used is
    /// the sum of what its results say they added.
    fn spend(&mut self, event: &Value) {
        let added = &event["model_usage_since_last_result"];
        if let Some(added) = sum(added) {
            let before = self.spent.filter(|spent| spent.span == SumSpan::Turn);
            self.spent = Some(match before {
                Some(before) => TurnUsage {
                    usage: before.usage.plus(added.usage),
                    cost: before.cost.and(added.cost),
                    span: SumSpan::Turn,
                },
                None => added,
            });
        } else if let Some(total) = sum(&event["modelUsage"]) {
            self.spent = Some(TurnUsage { span: SumSpan::Session, ..total });
        }
    }
}

/// Over all models.
fn sum(by_model: &Value) -> Option<TurnUsage> {
    let models = by_model.as_object()?;
    let mut usage = Usage::default();
    let mut cost = CostEstimate::Told { microdollars: 0 };
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
    Some(TurnUsage { usage, cost, span: SumSpan::Turn })
}
