//! Copilot CLI: the events that it prints in a turn, read as they come.
//!
//! The order and the keys of these events are the tool's, and change with it. What it used stands in a file of its
//! own, which is read by `usage`.

use serde_json::Value;

use crate::agents::course::Course;
use crate::agents::descriptor::TurnProtocol;
use crate::agents::report::of_status;
use crate::agents::words::{status, text, text_or_empty};
use crate::agents::{
    AgentEvent, ContextUse, FailureKind, Need, Outcome, Reset, ToolCall, TurnFailure, TurnReport, TurnUsage,
    Usage, prices,
};

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    /// The last error of the session: only the result says whether the turn ended of it.
    error: Option<Value>,
    /// The last answer of the model's servers that was none.
    call_failure: Option<Value>,
    retries: u32,
}

impl TurnProtocol for Stream {
    fn read(&mut self, event: &Value, course: &mut Course) {
        let data = &event["data"];
        match event["type"].as_str().unwrap_or_default() {
            "session.tools_updated" => course.learn_model(&data["model"]),
            // The prompt is taken: from here on it may cost. The session is named by the last event only.
            "user.message" => course.start(),
            "assistant.message" => say(data, course),
            "tool.execution_start" => {
                course.call(text(&data["toolCallId"]), ToolCall::read(&data["toolName"], &data["arguments"]));
            }
            "tool.execution_complete" => tool_result(data, course),
            "model.call_failure" => self.call_failure = Some(data.clone()),
            "assistant.turn_retry" => self.retry(course),
            "session.error" => self.error = Some(data.clone()),
            "result" => self.result(event, course),
            _ => {}
        }
    }
}

impl Stream {
    fn retry(&mut self, course: &mut Course) {
        self.retries = self.retries.saturating_add(1);
        let status = self.call_failure.as_ref().and_then(|failure| status(&failure["statusCode"]));
        course.events.push(AgentEvent::Retrying { attempt: self.retries, status });
    }

    fn result(&mut self, event: &Value, course: &mut Course) {
        course.learn_session(&event["sessionId"]);
        let error = self.error.take().unwrap_or_default();
        let call_failure = self.call_failure.take().unwrap_or_default();
        course.end(match event["exitCode"].as_i64() {
            Some(0) => Outcome::Completed,
            Some(_) => Outcome::Failed(failure(&error, &call_failure)),
            None => Outcome::default(),
        });
    }
}

/// A sub-agent's words are not the person's to read.
fn say(data: &Value, course: &mut Course) {
    if data["parentToolCallId"].is_null() {
        course.learn_model(&data["model"]);
        course.say(&data["content"]);
    }
}

fn tool_result(data: &Value, course: &mut Course) {
    measure(&data["toolTelemetry"]["metrics"], course);
    let call = course.open.remove(data["toolCallId"].as_str().unwrap_or_default());
    let is_denied = data["success"] == false && data["error"]["code"] == "denied";
    if let Some(call) = call.filter(|_| is_denied) {
        course.deny(call);
    }
}

fn measure(metrics: &Value, course: &mut Course) {
    let Some(tokens) = metrics["context_current_tokens"].as_u64() else { return };
    let context = ContextUse { tokens, window: metrics["context_token_limit"].as_u64() };
    if course.report.context != Some(context) {
        course.measure(context);
    }
}

// Why a turn of Copilot CLI failed, from the typed error of its session.

/// What `session.error` says, with the last failed call of the model before it.
pub(super) fn failure(error: &Value, call: &Value) -> TurnFailure {
    let code = error["errorCode"].as_str().unwrap_or_default();
    let kind = match error["errorType"].as_str().unwrap_or_default() {
        "authentication" => FailureKind::NeedsPerson { need: Need::SignIn },
        "authorization" | "policy" => FailureKind::NeedsPerson { need: Need::Setup },
        "quota" if code == "session_quota_exceeded" => FailureKind::BudgetUsedUp,
        "quota" => FailureKind::NeedsPerson { need: Need::Billing },
        // It has waited and asked again before it says so.
        "rate_limit" => FailureKind::RateLimited { reset: Reset::Unknown },
        "context_limit" => FailureKind::ContextFull,
        _ => of_call(error, call),
    };
    TurnFailure { kind, detail: text_or_empty(&error["message"]) }
}

/// Anything else is a call of the model that failed: by its status.
fn of_call(error: &Value, call: &Value) -> FailureKind {
    if call["errorCode"] == "model_max_prompt_tokens_exceeded" {
        return FailureKind::ContextFull;
    }
    match status(&error["statusCode"]).or_else(|| status(&call["statusCode"])) {
        Some(status) => of_status(status).unwrap_or(FailureKind::Other),
        None if call["failureKind"] == "transport" => FailureKind::Unreachable,
        None => FailureKind::Other,
    }
}

// The file that Copilot CLI writes of what a session used: `--usage-output-file`.

/// Where each sum stands, also in the file of a session.
pub(crate) const TOKENS: [&str; 4] = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"];

/// What a session has used so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionUsage {
    pub usage: Usage,
    /// The dearest of the models that were asked, so that what several cost together is not taken for less than it is.
    pub model: Option<String>,
}

/// Reads the file; nothing if it does not tell a sum.
pub fn usage(bytes: &[u8]) -> Option<SessionUsage> {
    let file: Value = serde_json::from_slice(bytes).ok()?;
    let mut sum = SessionUsage::default();
    let mut dearest = 0;
    for (name, metrics) in file["modelMetrics"].as_object()? {
        let usage = Usage::from_sum(&metrics["usage"], TOKENS)?;
        sum.usage = sum.usage.plus(usage);
        let unit = Usage { input_tokens: 1_000_000, output_tokens: 1_000_000, ..Usage::default() };
        let price = prices::cost(name, unit).unwrap_or(u64::MAX);
        if price > dearest && usage.tokens() > 0 {
            dearest = price;
            sum.model = Some(name.clone());
        }
    }
    Some(sum)
}

impl SessionUsage {
    /// What the stream said, with what this turn used; `before` is what the session had used until then.
    #[must_use]
    pub fn refine(self, before: &Self, mut report: TurnReport) -> TurnReport {
        report.model = self.model.or(report.model);
        report.spent = Some(TurnUsage::unpriced(self.usage.since(before.usage)));
        report
    }
}
