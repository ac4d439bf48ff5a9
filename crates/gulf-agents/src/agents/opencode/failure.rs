//! Why a turn of OpenCode failed, from the typed errors of its stream.
//!
//! It stands apart because it is a table of names and statuses.

use serde_json::Value;

use crate::agents::statuses::{asks_for_patience, of_status};
use crate::agents::words::{status, text};
use crate::agents::{FailureKind, Need, Reset, TurnFailure};

/// How its own answer to the model begins where a rule did not let a call through. It has no field for that.
const DENIED: [&str; 2] = [
    "The user has specified a rule which prevents you from using this specific tool call.",
    "The user rejected permission to use this specific tool call",
];

/// Did a rule keep it from running? What a tool prints is not looked at: that is an output, never an error.
pub(super) fn is_denial(error: &str) -> bool {
    DENIED.iter().any(|begin| error.starts_with(begin))
}

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
