//! Claude Code: the events that it prints in a turn, read as they come.
//!
//! The order and the keys of these events are the tool's, and change with it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::agents::course::Course;
use crate::agents::descriptor::TurnProtocol;
use crate::agents::report::of_status;
use crate::agents::words::{lines_changed, microdollars, status, text, text_or_empty, what_of};
use crate::agents::{
    AgentEvent, ContextUse, DENIALS_MAX, FailureKind, Need, Outcome, ProcessEnd, Reset, SumSpan, ToolCall,
    TurnFailure, TurnReport, TurnUsage, Usage,
};

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    /// Ids of calls: a denial is told as an event, and again in the result.
    denied: BTreeSet<String>,
    message: Option<String>,
    hints: Hints,
    /// Of the last result.
    final_message: String,
}

impl TurnProtocol for Stream {
    fn read(&mut self, event: &Value, course: &mut Course) {
        match event["type"].as_str().unwrap_or_default() {
            "system" => self.system(event, course),
            "assistant" => self.assistant(event, course),
            "user" => {
                let blocks = event["message"]["content"].as_array().into_iter().flatten();
                for result in blocks.filter(|block| block["type"] == "tool_result") {
                    course.open.remove(result["tool_use_id"].as_str().unwrap_or_default());
                }
            }
            "rate_limit_event" => self.rate_limit(&event["rate_limit_info"]),
            "result" => self.result(event, course),
            _ => {}
        }
    }

    fn finish(self: Box<Self>, mut course: Course, end: ProcessEnd) -> TurnReport {
        if !self.final_message.is_empty() {
            course.report.final_message = self.final_message;
        }
        course.report(end)
    }
}

impl Stream {
    fn system(&mut self, event: &Value, course: &mut Course) {
        match event["subtype"].as_str().unwrap_or_default() {
            // A process with a second prompt says it again; the session is the same.
            "init" => course.init(event),
            "api_retry" => {
                let attempt = event["attempt"].as_u64().and_then(|attempt| u32::try_from(attempt).ok());
                let status = status(&event["error_status"]);
                course.events.push(AgentEvent::Retrying { attempt: attempt.unwrap_or(0), status });
            }
            "permission_denied" => {
                let tool = text_or_empty(&event["tool_name"]);
                self.deny(&text_or_empty(&event["tool_use_id"]), tool, None, course);
            }
            _ => {}
        }
    }

    fn assistant(&mut self, event: &Value, course: &mut Course) {
        let is_main = event["parent_tool_use_id"].is_null();
        let message = &event["message"];
        // The tool itself speaks in the model's place when there was no answer.
        let is_error = event["is_api_error_message"].as_bool() == Some(true);
        if is_error {
            self.hints.error = text(&event["error"]);
            let limit = &event["api_error_params"]["rate_limit_info"];
            self.hints.reset_unix_s = limit["resetsAt"].as_u64().or(self.hints.reset_unix_s);
        } else if is_main && message["model"] != "<synthetic>" {
            self.measure(message, course);
        }
        for block in message["content"].as_array().into_iter().flatten() {
            match block["type"].as_str().unwrap_or_default() {
                "text" if is_main && !is_error => course.say(&block["text"]),
                "tool_use" => call(block, course),
                // Thoughts, what the model's own servers did, and words of sub-agents.
                _ => {}
            }
        }
    }

    /// One message comes as several events, and each repeats its usage.
    fn measure(&mut self, message: &Value, course: &mut Course) {
        let id = text(&message["id"]);
        let usage = &message["usage"];
        let Some(input) = usage["input_tokens"].as_u64() else { return };
        course.learn_model(&message["model"]);
        if id.is_some() && id == self.message {
            return;
        }
        self.message = id;
        let cached = [&usage["cache_read_input_tokens"], &usage["cache_creation_input_tokens"]];
        let tokens = cached.into_iter().filter_map(Value::as_u64).fold(input, u64::saturating_add);
        let window = course.report.context.and_then(|context| context.window);
        course.measure(ContextUse { tokens, window });
    }

    fn deny(&mut self, id: &str, tool: String, input: Option<&Value>, course: &mut Course) {
        if self.denied.len() >= DENIALS_MAX || !self.denied.insert(id.to_owned()) {
            return;
        }
        let known = course.open.get(id).map(|call| call.what.clone());
        let what = input.map(what_of).filter(|what| !what.is_empty()).or(known).unwrap_or_default();
        course.deny(ToolCall { tool, what });
    }

    fn rate_limit(&mut self, info: &Value) {
        match info["status"].as_str().unwrap_or_default() {
            "allowed" => self.hints.reset_unix_s = None,
            "rejected" => self.hints.reset_unix_s = info["resetsAt"].as_u64(),
            // A limit comes near.
            _ => {}
        }
    }

    fn result(&mut self, event: &Value, course: &mut Course) {
        course.learn_session(&event["session_id"]);
        for denial in event["permission_denials"].as_array().into_iter().flatten() {
            let id = text_or_empty(&denial["tool_use_id"]);
            self.deny(&id, text_or_empty(&denial["tool_name"]), Some(&denial["tool_input"]), course);
        }
        learn_window(&event["modelUsage"], course);
        spend(event, course);
        let hints = std::mem::take(&mut self.hints);
        let mut outcome = outcome(event, &hints);
        if let Outcome::Failed(failure) = &mut outcome
            && failure.kind == FailureKind::Other
            && !course.has_started
        {
            // A session to resume that is not there is told in a result, before anything began.
            failure.kind = FailureKind::NotStarted;
        }
        if outcome == Outcome::Completed {
            // After the cap on blocking hooks it is empty; then what was said last is the last word.
            self.final_message = text(&event["result"]).unwrap_or_default();
            course.report.structured =
                Some(event["structured_output"].clone()).filter(|value| !value.is_null());
        }
        // A process can say a second one, when a job in the background ends.
        course.end(outcome);
    }
}

fn call(block: &Value, course: &mut Course) {
    course.call(text(&block["id"]), ToolCall::read(&block["name"], &block["input"]));
    // Only beside the tool: what was called stays what a rule can allow.
    let lines = lines_changed(&block["input"]);
    if let (Some(AgentEvent::Called(call)), Some(lines)) = (course.events.last_mut(), lines) {
        call.what = format!("{} {lines}", call.what);
    }
}

fn learn_window(usage: &Value, course: &mut Course) {
    let model = course.report.model.as_ref();
    let window = model.and_then(|model| usage[model.as_str()]["contextWindow"].as_u64());
    if let Some(context) = course.report.context
        && window.is_some()
        && context.window != window
    {
        course.measure(ContextUse { window, ..context });
    }
}

/// `usage` leaves sub-agents out and `modelUsage` counts from the session's first turn, so what a turn used is
/// the sum of what its results say they added.
fn spend(event: &Value, course: &mut Course) {
    let added = &event["model_usage_since_last_result"];
    if let Some(added) = sum(added) {
        let before = course.report.spent.filter(|spent| spent.span == SumSpan::Turn);
        course.report.spent = Some(before.map_or(added, |before| before.plus(added)));
    } else if let Some(total) = sum(&event["modelUsage"]) {
        course.report.spent = Some(TurnUsage { span: SumSpan::Session, ..total });
    }
}

/// Over all models.
fn sum(by_model: &Value) -> Option<TurnUsage> {
    let mut sum = TurnUsage { microdollars: Some(0), ..TurnUsage::unpriced(Usage::default()) };
    for model in by_model.as_object()?.values() {
        let keys = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"];
        let usage = Usage::of_keys(model, keys);
        sum = sum.plus(TurnUsage { usage, microdollars: microdollars(&model["costUSD"]), ..sum });
    }
    Some(sum)
}

// Why a turn of Claude Code failed, from the typed fields of its result.

/// What was told before the result and belongs to it.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// The kind of error of the last message that the tool put in the model's place.
    pub(super) error: Option<String>,
    /// When the limit that was reached is over.
    pub(super) reset_unix_s: Option<u64>,
}

/// What a `result` says.
pub(super) fn outcome(result: &Value, hints: &Hints) -> Outcome {
    match result["is_error"].as_bool() {
        // A project's own hook may have stopped it; the turn came to its end all the same.
        Some(false) => Outcome::Completed,
        Some(true) => {
            let detail = text(&result["result"]).unwrap_or_else(|| text_or_empty(&result["errors"][0]));
            Outcome::Failed(TurnFailure::new(kind(result, hints), detail))
        }
        None => Outcome::default(),
    }
}

fn kind(result: &Value, hints: &Hints) -> FailureKind {
    if let Some(kind) = result["terminal_reason"].as_str().and_then(of_terminal_reason) {
        return kind;
    }
    if result["stop_reason"] == "refusal" {
        return FailureKind::Refused;
    }
    let error = hints.error.as_deref().unwrap_or_default();
    let cause = result["api_error"].as_str().and_then(|cause| of_cause(cause, hints));
    cause
        .or_else(|| of_error(error))
        .unwrap_or_else(|| of_answer(status(&result["api_error_status"]), hints, error))
}

fn of_terminal_reason(reason: &str) -> Option<FailureKind> {
    match reason {
        // A request that is too large shrinks in a fresh session, too.
        "prompt_too_long" | "blocking_limit" | "rapid_refill_breaker" | "image_error" => {
            Some(FailureKind::ContextFull)
        }
        "max_turns" => Some(FailureKind::TurnsUsedUp),
        "budget_exhausted" => Some(FailureKind::BudgetUsedUp),
        "structured_output_retry_exhausted" => Some(FailureKind::SchemaNotMet),
        "aborted_tools" | "aborted_streaming" => Some(FailureKind::Interrupted),
        "turn_setup_failed" => Some(FailureKind::NotStarted),
        // `api_error` says nothing more; what a later version adds is told by the other fields, or by none.
        _ => None,
    }
}

/// Causes for which the model's servers were not reached.
const UNREACHABLE: [&str; 7] = [
    "connection_failed", "stream_idle_timeout", "computer_slept", "no_response", "empty_completion",
    "network_edge_blocked", "gateway_content_type",
];
/// Causes for which somebody must sign in.
const SIGN_IN: [&str; 9] = [
    "stored_login_refused", "oauth_refresh_store_refused", "provider_credentials", "gateway_signin_required",
    "gateway_session_expired", "api_key_auth_disabled", "org_disabled_credential",
    "invalid_credential_header", "named_profile_unusable",
];

/// `api_error`: "typed kind of the API error, for consumers that key on the cause".
fn of_cause(cause: &str, hints: &Hints) -> Option<FailureKind> {
    match cause {
        "usage_limit_reached" => Some(FailureKind::RateLimited { reset: reset(hints) }),
        cause if UNREACHABLE.contains(&cause) => Some(FailureKind::Unreachable),
        "message_over_context_limit" | "autocompact_thrashing" => Some(FailureKind::ContextFull),
        "safety_monitor_blocked" | "dlp_request_denied" => Some(FailureKind::Refused),
        cause if SIGN_IN.contains(&cause) => Some(FailureKind::NeedsPerson { need: Need::SignIn }),
        "model_requires_usage_credits" | "long_context_credits_required" => {
            Some(FailureKind::NeedsPerson { need: Need::Billing })
        }
        "no_allowed_fallback" | "model_substitution_disabled" => {
            Some(FailureKind::NeedsPerson { need: Need::Model })
        }
        "claude_code_version_too_old"
        | "tls_untrusted_ca"
        | "tls_cert_signature_failure"
        | "consent_unanswered" => Some(FailureKind::NeedsPerson { need: Need::Setup }),
        _ => None,
    }
}

/// `error` of the message in the model's place: it knows a billing error, which has no status of its own.
fn of_error(error: &str) -> Option<FailureKind> {
    match error {
        "authentication_failed" | "oauth_org_not_allowed" => {
            Some(FailureKind::NeedsPerson { need: Need::SignIn })
        }
        "billing_error" => Some(FailureKind::NeedsPerson { need: Need::Billing }),
        "model_not_found" => Some(FailureKind::NeedsPerson { need: Need::Model }),
        _ => None,
    }
}

fn of_answer(status: Option<u16>, hints: &Hints, error: &str) -> FailureKind {
    match status {
        Some(429) if hints.reset_unix_s.is_some() => FailureKind::RateLimited { reset: reset(hints) },
        // An error in the middle of an answer.
        None if ["overloaded", "rate_limit"].contains(&error) => FailureKind::Overloaded,
        None if error == "server_error" => FailureKind::Unreachable,
        Some(status) => of_status(status).unwrap_or(FailureKind::Other),
        None => FailureKind::Other,
    }
}

fn reset(hints: &Hints) -> Reset {
    hints.reset_unix_s.map_or(Reset::Unknown, |unix_s| Reset::At { unix_s })
}
