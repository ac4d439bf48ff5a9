//! Why a turn of Gemini CLI failed: by its exit code, and by the error of the model's servers that it passes on.
//!
//! It stands apart because it is two tables. The text of a result is for people; only where it holds the servers' own
//! error as JSON, that is read. The exit code of an HTTP error is its status modulo 256.

use serde_json::Value;

use crate::agents::statuses::of_status;
use crate::agents::words::{status, text};
use crate::agents::{FailureKind, Need, ProcessEnd, Reset, TurnFailure};

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

/// Before anything began a code that tells nothing means that it refused its arguments.
pub(super) fn before_start(end: ProcessEnd) -> FailureKind {
    of_exit(end, None).unwrap_or(FailureKind::NotStarted)
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
    let reset = Reset::In { seconds: seconds.ceil() as u64 };
    Some(FailureKind::RateLimited { reset })
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
