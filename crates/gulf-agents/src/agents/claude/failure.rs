//! Why a turn of Claude Code failed, from the typed fields of its result.
//!
//! It stands apart because it is a table: `subtype` says "success" after every error of the API, so it is not
//! read, and the text of the result is for people.

use serde_json::Value;

use crate::agents::statuses::of_status;
use crate::agents::words::{status, text, text_or_empty};
use crate::agents::{FailureKind, Need, Outcome, Reset, TurnFailure};

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
        Some(true) => Outcome::Failed(TurnFailure::new(kind(result, hints), detail(result))),
        None => {
            Outcome::Failed(TurnFailure::new(FailureKind::Unreadable, "its result does not say how it ended"))
        }
    }
}

fn detail(result: &Value) -> String {
    let first = &result["errors"][0];
    text(&result["result"]).unwrap_or_else(|| text_or_empty(first))
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

/// `api_error`: "typed kind of the API error, for consumers that key on the cause".
fn of_cause(cause: &str, hints: &Hints) -> Option<FailureKind> {
    match cause {
        "usage_limit_reached" => Some(FailureKind::RateLimited { reset: reset(hints) }),
        "connection_failed"
        | "stream_idle_timeout"
        | "computer_slept"
        | "no_response"
        | "empty_completion"
        | "network_edge_blocked"
        | "gateway_content_type" => Some(FailureKind::Unreachable),
        "message_over_context_limit" | "autocompact_thrashing" => Some(FailureKind::ContextFull),
        "safety_monitor_blocked" | "dlp_request_denied" => Some(FailureKind::Refused),
        "stored_login_refused"
        | "oauth_refresh_store_refused"
        | "provider_credentials"
        | "gateway_signin_required"
        | "gateway_session_expired"
        | "api_key_auth_disabled"
        | "org_disabled_credential"
        | "invalid_credential_header"
        | "named_profile_unusable" => Some(FailureKind::NeedsPerson { need: Need::SignIn }),
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
