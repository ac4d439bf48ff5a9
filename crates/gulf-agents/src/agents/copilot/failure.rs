//! Why a turn of Copilot CLI failed, from the typed error of its session.
//!
//! It stands apart because it is a table: which categories there are, the tool's own schema of its events says.

use serde_json::Value;

use crate::agents::statuses::of_status;
use crate::agents::words::{status, text_or_empty};
use crate::agents::{FailureKind, Need, Reset, TurnFailure};

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
