//! Why a turn of Codex failed: the sentences its program prints, and the codes its session file holds.
//!
//! It stands apart because it is two tables. `codex exec` tells no code and no status, only sentences of its own
//! (not the model's), so those are looked for; what the session file says later is better and wins.

use serde_json::Value;

use crate::agents::statuses::of_status;
use crate::agents::words::status;
use crate::agents::{FailureKind, Need, Reset, TurnFailure};

/// Of Codex's own sentences, the part that tells what happened; the first that fits.
const SENTENCES: [(&str, Said); 13] = [
    ("hit your usage limit", Said::UsageLimit),
    ("Quota exceeded", Said::Kind(FailureKind::NeedsPerson { need: Need::Billing })),
    ("ran out of room in the model's context window", Said::Kind(FailureKind::ContextFull)),
    ("exceeded retry limit, last status: ", Said::Status),
    ("unexpected status ", Said::Status),
    ("model is at capacity", Said::Kind(FailureKind::Overloaded)),
    // Whatever the servers' 500 means.
    ("currently experiencing high demand", Said::Kind(FailureKind::Unreachable)),
    ("rate limit exceeded: ", Said::Kind(FailureKind::Overloaded)),
    ("Incomplete response returned, reason: content_filter", Said::Kind(FailureKind::Refused)),
    ("stream disconnected before completion", Said::Kind(FailureKind::Unreachable)),
    ("Connection failed", Said::Kind(FailureKind::Unreachable)),
    ("timeout waiting for child process", Said::Kind(FailureKind::Other)),
    ("Not logged in", Said::Kind(FailureKind::NeedsPerson { need: Need::SignIn })),
];

/// What stands before the time of day.
const TRY_AGAIN: &str = "try again at ";

enum Said {
    Kind(FailureKind),
    /// An HTTP status follows.
    Status,
    /// A time may follow.
    UsageLimit,
}

/// What a sentence of Codex says.
pub(super) fn of_sentence(sentence: &str) -> TurnFailure {
    let found = SENTENCES.iter().find_map(|(part, said)| Some((sentence.split_once(part)?.1, said)));
    let kind = match found {
        Some((_, Said::Kind(kind))) => kind.clone(),
        Some((rest, Said::Status)) => of_answer(leading_number(rest)),
        Some((rest, Said::UsageLimit)) => FailureKind::RateLimited { reset: time_of_day(rest) },
        None => FailureKind::Other,
    };
    TurnFailure::new(kind, sentence)
}

/// `codex_error_info` of the session file: a word, or a word with a status. Nothing if it says no more than the sentence.
pub(super) fn of_code(code: &Value) -> Option<FailureKind> {
    if let Some((word, details)) = code.as_object().and_then(|object| object.iter().next()) {
        let is_connection = [
            "http_connection_failed",
            "response_stream_connection_failed",
            "response_stream_disconnected",
            "response_too_many_failed_attempts",
        ];
        return is_connection
            .contains(&word.as_str())
            .then(|| of_answer(status(&details["http_status_code"])));
    }
    match code.as_str().unwrap_or_default() {
        "usage_limit_exceeded" => Some(FailureKind::RateLimited { reset: Reset::Unknown }),
        "context_window_exceeded" => Some(FailureKind::ContextFull),
        "session_budget_exceeded" => Some(FailureKind::BudgetUsedUp),
        "server_overloaded" | "rate_limit_exceeded" | "flex_unavailable" | "policy_capacity_unavailable" => {
            Some(FailureKind::Overloaded)
        }
        "internal_server_error" => Some(FailureKind::Unreachable),
        "model_not_found" => Some(FailureKind::NeedsPerson { need: Need::Model }),
        "unauthorized" => Some(FailureKind::NeedsPerson { need: Need::SignIn }),
        "cyber_policy" | "misalignment_policy_violation" | "invalid_prompt" => Some(FailureKind::Refused),
        _ => None,
    }
}

fn of_answer(status: Option<u16>) -> FailureKind {
    match status {
        // A missing model and a full context have codes of their own.
        Some(404 | 413) => FailureKind::Other,
        Some(status) => of_status(status).unwrap_or(FailureKind::Other),
        // There was nobody to answer.
        None => FailureKind::Unreachable,
    }
}

/// `Reconnecting... 2/5 (unexpected status 503 …)`: which attempt, and the status.
pub(super) fn of_reconnect(sentence: &str) -> Option<(u32, Option<u16>)> {
    let rest = sentence.strip_prefix("Reconnecting... ")?;
    let (attempt, rest) = rest.split_once('/')?;
    let before = ["unexpected status ", "last status: "];
    let status = before.iter().find_map(|before| leading_number(rest.split_once(before)?.1));
    Some((attempt.parse().ok()?, status))
}

fn leading_number(text: &str) -> Option<u16> {
    let digits = text.len() - text.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    text[..digits].parse().ok()
}

/// `… try again at 10:26 PM.` On another day a date stands before it, and only the session file tells it in full.
fn time_of_day(rest: &str) -> Reset {
    let read = || {
        let (_, time) = rest.split_once(TRY_AGAIN)?;
        let mut words = time.trim_end_matches('.').split_whitespace();
        let (hour, minute) = words.next()?.split_once(':')?;
        let (hour, minute) = (hour.parse::<u8>().ok()?, minute.parse::<u8>().ok()?);
        let afternoon = match words.next()? {
            "AM" => 0,
            "PM" => 12,
            _ => return None,
        };
        let is_time = (1..=12).contains(&hour) && minute < 60;
        is_time.then_some(Reset::TimeOfDay { hour: hour % 12 + afternoon, minute })
    };
    read().unwrap_or(Reset::Unknown)
}
