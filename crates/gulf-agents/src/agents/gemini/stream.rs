//! Gemini CLI: the events that it prints in a turn, read as they come.
//!
//! The order and the keys of these events are the tool's, and change with it.

use serde_json::Value;

use super::as_it_stood;
use crate::agents::course::Course;
use crate::agents::descriptor::TurnProtocol;
use crate::agents::report::of_status;
use crate::agents::words::{status, text, text_or_empty};
use crate::agents::{
    AgentEvent, FailureKind, Need, Outcome, ProcessEnd, Reset, ToolCall, TurnFailure, TurnReport, TurnUsage,
    Usage, prices,
};

/// What it says of a call that a rule did not let through.
const DENIED: &str = "policy_violation";

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    /// The last words to the person come in pieces, and these are not all yet.
    is_saying: bool,
    /// Trouble that was told without an end of the turn.
    trouble: String,
    /// The last event; why it failed is told by the exit code, too, and that comes later.
    end: Option<Value>,
}

impl TurnProtocol for Stream {
    fn read(&mut self, event: &Value, course: &mut Course) {
        let kind = event["type"].as_str().unwrap_or_default();
        if kind != "message" {
            self.say_so_far(course);
        }
        match kind {
            "init" => course.init(event),
            "message" => self.message(event, course),
            "tool_use" => {
                let call = ToolCall::read(&event["tool_name"], &event["parameters"]);
                course.call(text(&event["tool_id"]), call);
            }
            "tool_result" => tool_result(event, course),
            // A warning, or trouble that the result tells again without its words.
            "error" => self.trouble = text_or_empty(&event["message"]),
            "result" => self.result(event, course),
            _ => {}
        }
    }

    fn finish(self: Box<Self>, mut course: Course, end: ProcessEnd) -> TurnReport {
        course.outcome = self.end.map(|said| match said["status"].as_str() {
            Some("success") => Outcome::Completed,
            Some("error") => Outcome::Failed(failure(&said["error"], &self.trouble, end)),
            Some(_) | None => Outcome::default(),
        });
        course.report.final_message = as_it_stood(&course.report.final_message);
        let mut report = course.report(end);
        if let Outcome::Failed(TurnFailure { kind: kind @ FailureKind::NotStarted, .. }) = &mut report.outcome
        {
            // Before anything began a code that tells nothing means that it refused its arguments.
            *kind = of_exit(end, None).unwrap_or(FailureKind::NotStarted);
        }
        report
    }
}

impl Stream {
    /// The person's own prompt is repeated, and is nothing that the agent said.
    fn message(&mut self, event: &Value, course: &mut Course) {
        if event["role"] != "assistant" {
            return;
        }
        let Some(piece) = text(&event["content"]) else { return };
        let continues = event["delta"].as_bool() == Some(true);
        if !continues {
            self.say_so_far(course);
        }
        if !self.is_saying {
            course.report.final_message.clear();
        }
        course.report.final_message.push_str(&piece);
        self.is_saying = true;
        if !continues {
            self.say_so_far(course);
        }
    }

    fn say_so_far(&mut self, course: &mut Course) {
        if std::mem::take(&mut self.is_saying) {
            course.events.push(AgentEvent::Said { text: course.report.final_message.clone() });
        }
    }

    fn result(&mut self, event: &Value, course: &mut Course) {
        self.end = Some(event.clone());
        spend(&event["stats"], course);
        course.events.push(AgentEvent::Finished);
    }
}

fn tool_result(event: &Value, course: &mut Course) {
    let call = course.open.remove(event["tool_id"].as_str().unwrap_or_default());
    let is_denied = event["status"] == "error" && event["error"]["type"] == DENIED;
    if let Some(call) = call.filter(|_| is_denied) {
        course.deny(call);
    }
}

/// Sub-agents and the choice of a model are among these sums. The model that is told is the dearest of them, so
/// that what several cost together is not taken for less than it is.
fn spend(stats: &Value, course: &mut Course) {
    let Some(usage) = usage(stats) else { return };
    course.report.spent = Some(TurnUsage::unpriced(usage));
    let models = stats["models"].as_object().into_iter().flatten();
    let used = models.filter(|(_, stats)| stats["total_tokens"].as_u64() != Some(0));
    let dearest = used.map(|(name, _)| name).max_by_key(|name| {
        // One without a price is taken for the dearest there is.
        prices::cost(name, usage).unwrap_or(u64::MAX)
    });
    course.report.model = dearest.cloned().or(course.report.model.take());
}

/// `input_tokens` counts what came from a cache, too; thinking is part of the total alone.
fn usage(stats: &Value) -> Option<Usage> {
    let input = stats["input_tokens"].as_u64()?;
    let cache_read_tokens = stats["cached"].as_u64().unwrap_or(0);
    let output = stats["output_tokens"].as_u64().unwrap_or(0);
    let thinking = stats["total_tokens"].as_u64().unwrap_or(0).saturating_sub(input).saturating_sub(output);
    let (input_tokens, output_tokens) =
        (input.saturating_sub(cache_read_tokens), output.saturating_add(thinking));
    Some(Usage { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens: 0 })
}

// Why a turn of Gemini CLI failed: by its exit code, and by the error of the model's servers that it passes on.

/// What stands before the servers' error in the text of a result, and after it.
const PASSED_ON: (&str, char) = ("[API Error: ", ']');

/// How its own sentence begins where a filter kept an answer back; the reason has no field.
const BLOCKED: &str = "The model response was blocked due to ";

/// Its own sentence where a quota names how long.
const RETRY_AFTER: &str = "Suggested retry after ";

/// The lowest exit code that stands for an HTTP status: 400 modulo 256. Its own codes end with 130.
const STATUS_EXIT_MIN: i32 = 144;
/// What an exit code holds at most.
const EXITS: i32 = 256;

/// What a `result` with an error says, with the code that its process ended with.
pub(super) fn failure(error: &Value, trouble: &str, end: ProcessEnd) -> TurnFailure {
    let detail = text(&error["message"]).unwrap_or_else(|| trouble.to_owned());
    let passed_on = passed_on(&detail);
    let kind = passed_on
        .as_ref()
        .and_then(|error| of_answer(status(&error["code"])?, error))
        .or_else(|| retry_after(&detail))
        .or_else(|| detail.starts_with(BLOCKED).then_some(FailureKind::Refused))
        .or_else(|| error["type"].as_str().and_then(of_type))
        .or_else(|| of_exit(end, passed_on.as_ref()))
        .unwrap_or(FailureKind::Other);
    TurnFailure { kind, detail }
}

/// `[API Error: {"error":{"code":401,…}}]`, and perhaps advice behind it.
fn passed_on(detail: &str) -> Option<Value> {
    let (head, last) = PASSED_ON;
    let (text, _) = detail.strip_prefix(head)?.rsplit_once(last)?;
    let error = serde_json::from_str::<Value>(text).ok()?["error"].take();
    error.is_object().then_some(error)
}

/// `Suggested retry after 600s.`
fn retry_after(detail: &str) -> Option<FailureKind> {
    let (_, rest) = detail.split_once(RETRY_AFTER)?;
    let (seconds, _) = rest.split_once('s')?;
    let seconds = seconds.parse::<f64>().ok().filter(|seconds| (0.0..1e9).contains(seconds))?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1e9")]
    Some(FailureKind::RateLimited { reset: Reset::In { seconds: seconds.ceil() as u64 } })
}

/// The names of its own errors.
fn of_type(name: &str) -> Option<FailureKind> {
    match name {
        "FatalAuthenticationError" => Some(FailureKind::NeedsPerson { need: Need::SignIn }),
        "FatalConfigError" | "FatalSandboxError" | "FatalUntrustedWorkspaceError" => {
            Some(FailureKind::NeedsPerson { need: Need::Setup })
        }
        "FatalTurnLimitedError" => Some(FailureKind::TurnsUsedUp),
        "FatalCancellationError" => Some(FailureKind::Interrupted),
        _ => None,
    }
}

fn of_exit(end: ProcessEnd, passed_on: Option<&Value>) -> Option<FailureKind> {
    let ProcessEnd::Exited(code) = end else { return None };
    match code {
        41 => Some(FailureKind::NeedsPerson { need: Need::SignIn }),
        // 42 is an input it does not take: a session that is not there, too.
        42 => Some(FailureKind::NotStarted),
        44 | 52 | 55 => Some(FailureKind::NeedsPerson { need: Need::Setup }),
        53 => Some(FailureKind::TurnsUsedUp),
        130 => Some(FailureKind::Interrupted),
        STATUS_EXIT_MIN..EXITS => {
            of_answer(u16::try_from(code + EXITS).ok()?, passed_on.unwrap_or(&Value::Null))
        }
        _ => None,
    }
}

fn of_answer(status: u16, error: &Value) -> Option<FailureKind> {
    match status {
        // It has waited and asked again for minutes before it says so.
        429 => Some(FailureKind::RateLimited { reset: Reset::Unknown }),
        400 if is_bad_key(error) => Some(FailureKind::NeedsPerson { need: Need::SignIn }),
        status => of_status(status),
    }
}

/// A key that is not valid is told as a bad request, with its reason among the details.
fn is_bad_key(error: &Value) -> bool {
    let mut details = error["details"].as_array().into_iter().flatten();
    details.any(|detail| detail["reason"] == "API_KEY_INVALID")
}
