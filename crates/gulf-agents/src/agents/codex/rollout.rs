//! The file that Codex keeps of a session: `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`.
//!
//! It says what the stream does not: what the last turn alone used, how full the context was, which model answered,
//! when a limit is over, and a code for each failure. There is none after `--ephemeral`.

use serde_json::Value;

use super::stream::{of_code, usage};
use crate::agents::decoder::Lines;
use crate::agents::orienting::OrientationReader;
use crate::agents::words::{text, text_or_empty};
use crate::agents::{
    ContextBeforeEdit, ContextUse, FailureKind, Need, Outcome, Reset, TurnFailure, TurnReport, TurnUsage,
    Usage,
};

/// Full, in percent.
const FULL_PERCENT: f64 = 100.0;

/// What a session's file says, of its last turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RolloutReport {
    pub model: Option<String>,
    /// Of the last turn alone.
    pub turn_usage: Option<Usage>,
    /// Of all turns.
    pub session_usage: Option<Usage>,
    /// Of the calls of the model that these bytes tell, whichever turn they belong to.
    pub added_usage: Option<Usage>,
    pub context: Option<ContextUse>,
    /// Of the last turn alone.
    pub orientation: Option<ContextBeforeEdit>,
    /// Calls of tools that the model asked for.
    pub tool_calls: u32,
    /// The last words to the person, if no call of a tool came after them.
    pub final_message: Option<String>,
    /// Why the last turn failed; nothing if it did not.
    pub failure: Option<TurnFailure>,
}

/// Reads a whole file, or what came to it since it was read; a line at its end that is not finished does not count.
pub fn rollout(bytes: &[u8]) -> RolloutReport {
    let (mut reader, mut lines) = (Reader::default(), Lines::default());
    let pieces = bytes.split_inclusive(|byte| *byte == b'\n');
    pieces.filter_map(|piece| lines.push(piece)).for_each(|event| reader.read(&event));
    if reader.has_edited {
        reader.orienting.edit();
    }
    RolloutReport { orientation: reader.orienting.context_before_edit(), ..reader.report }
}

impl RolloutReport {
    /// What the stream said, with what only the file knows.
    #[must_use]
    pub fn refine(&self, mut report: TurnReport) -> TurnReport {
        report.model = self.model.clone().or(report.model);
        report.context = self.context.or(report.context);
        report.orientation = self.orientation.or(report.orientation);
        if let Some(usage) = self.turn_usage {
            report.spent = Some(TurnUsage::unpriced(usage));
        }
        if let (Outcome::Failed(told), Some(known)) = (&mut report.outcome, &self.failure)
            && let Some(kind) = Self::refined(&told.kind, &known.kind)
        {
            told.kind = kind;
        }
        report
    }

    /// One code stands for a limit that passes and for an account without money; the sentence tells them apart.
    fn refined(told: &FailureKind, known: &FailureKind) -> Option<FailureKind> {
        match (told, known) {
            (_, FailureKind::Other) => None,
            // A filter's cut is told as a connection that broke off.
            (FailureKind::Refused, _) => None,
            (FailureKind::NeedsPerson { need: Need::Billing }, FailureKind::RateLimited { .. }) => None,
            (FailureKind::RateLimited { reset }, FailureKind::RateLimited { reset: Reset::Unknown }) => {
                Some(FailureKind::RateLimited { reset: *reset })
            }
            (_, known) => Some(known.clone()),
        }
    }
}

#[derive(Debug, Default)]
struct Reader {
    report: RolloutReport,
    /// What all turns before the last one used.
    before: Usage,
    /// How full the account's limits are, in percent, and when each opens again, as the last answer told them.
    windows: Vec<(f64, Option<u64>)>,
    orienting: OrientationReader,
    /// The last turn has changed a file by its own tool. How full the context was then is told afterwards.
    has_edited: bool,
}

impl Reader {
    fn read(&mut self, event: &Value) {
        let payload = &event["payload"];
        match event["type"].as_str().unwrap_or_default() {
            "turn_context" => self.report.model = text(&payload["model"]).or(self.report.model.take()),
            "token_usage_record" => {
                // One record for each call of the model, so a turn that began before these bytes needs no difference.
                if let Some(usage) = usage(&payload["usage"]) {
                    self.report.added_usage = Some(self.report.added_usage.unwrap_or_default().plus(usage));
                }
                self.total(usage(&payload["thread_token_usage"]));
            }
            "event_msg" => self.message(payload),
            "response_item" => self.answer(payload),
            // Kinds that a later version adds are of the sort that tells a loop nothing.
            _ => {}
        }
    }

    fn message(&mut self, payload: &Value) {
        match payload["type"].as_str().unwrap_or_default() {
            "task_started" => {
                self.before = self.report.session_usage.unwrap_or_default();
                self.report.turn_usage = None;
                self.report.failure = None;
                (self.orienting, self.has_edited) = (OrientationReader::default(), false);
            }
            "token_count" => {
                self.total(usage(&payload["info"]["total_token_usage"]));
                self.measure(&payload["info"]);
                self.limits(&payload["rate_limits"]);
            }
            "item_completed" => self.has_edited |= payload["item"]["type"] == "FileChange",
            "task_complete" => self.report.failure = self.failure(&payload["error"]),
            "turn_aborted" => {
                let reason = text_or_empty(&payload["reason"]);
                self.report.failure = Some(TurnFailure::new(FailureKind::Interrupted, reason));
            }
            _ => {}
        }
    }

    /// What the model was sent and answered.
    fn answer(&mut self, item: &Value) {
        let kind = item["type"].as_str().unwrap_or_default();
        if kind == "message" && item["role"] == "assistant" {
            let parts = item["content"].as_array().into_iter().flatten();
            let texts: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
            self.report.final_message = Some(texts.concat()).filter(|text| !text.trim().is_empty());
        } else if kind.ends_with("_call") {
            self.report.tool_calls = self.report.tool_calls.saturating_add(1);
            self.report.final_message = None;
        }
    }

    fn total(&mut self, total: Option<Usage>) {
        if let Some(total) = total {
            self.report.turn_usage = Some(total.since(self.before));
            self.report.session_usage = Some(total);
        }
    }

    fn measure(&mut self, info: &Value) {
        if let Some(tokens) = info["last_token_usage"]["input_tokens"].as_u64() {
            let context = ContextUse { tokens, window: info["model_context_window"].as_u64() };
            self.report.context = Some(context);
            self.orienting.measure(context);
            if self.has_edited {
                self.orienting.edit();
            }
        }
    }

    fn limits(&mut self, limits: &Value) {
        let told = [&limits["primary"], &limits["secondary"]].into_iter();
        let windows = told.filter_map(|one| Some((one["used_percent"].as_f64()?, one["resets_at"].as_u64())));
        let windows: Vec<_> = windows.collect();
        if !windows.is_empty() {
            self.windows = windows;
        }
    }

    fn failure(&self, error: &Value) -> Option<TurnFailure> {
        let message = error["message"].as_str()?;
        let kind = match of_code(&error["codex_error_info"]) {
            Some(FailureKind::RateLimited { .. }) => FailureKind::RateLimited { reset: self.reset() },
            Some(kind) => kind,
            None => FailureKind::Other,
        };
        Some(TurnFailure::new(kind, message))
    }

    /// When the last of the full windows opens again.
    fn reset(&self) -> Reset {
        let full = self.windows.iter().filter(|(used, _)| *used >= FULL_PERCENT);
        let last = full.filter_map(|(_, opens_unix_s)| *opens_unix_s).max();
        last.map_or(Reset::Unknown, |unix_s| Reset::At { unix_s })
    }
}
