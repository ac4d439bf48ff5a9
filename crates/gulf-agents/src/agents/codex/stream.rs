//! Codex CLI: the events that it prints in a turn, read as they come.
//!
//! The order and the keys of these events are the tool's, and change with it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::agents::course::Course;
use crate::agents::descriptor::TurnProtocol;
use crate::agents::report::of_status;
use crate::agents::words::{one_line, status, text_or_empty, what_of};
use crate::agents::{
    AgentEvent, CUT_OFF_MAX, FailureKind, Need, Outcome, ProcessEnd, Reset, SumSpan, ToolCall, TurnFailure,
    TurnReport, TurnUsage, Usage,
};

/// Of a command that is kept.
const COMMAND_CHARS_MAX: usize = 10_000;

/// What `codex exec` exits with when it was interrupted; after every failure of its own it has said so before.
const INTERRUPTED_EXIT: i32 = 1;

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    is_in_turn: bool,
    /// Commands that have begun and not ended, as they were typed. Codex leaves one running that takes longer than its tool waits, and kills
    /// it when the turn is over.
    commands: BTreeMap<String, String>,
    /// Not an end by itself: it also tells that a connection is tried again.
    error: Option<String>,
}

/// Of an item's life, what an event tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemStage {
    Begun,
    Completed,
}

impl TurnProtocol for Stream {
    fn read(&mut self, event: &Value, course: &mut Course) {
        match event["type"].as_str().unwrap_or_default() {
            "thread.started" => {
                course.learn_session(&event["thread_id"]);
                course.start();
            }
            "turn.started" => self.is_in_turn = true,
            "item.started" => self.item(&event["item"], ItemStage::Begun, course),
            "item.completed" => self.item(&event["item"], ItemStage::Completed, course),
            "error" => self.trouble(text_or_empty(&event["message"]), course),
            "turn.completed" => {
                let used = usage(&event["usage"]).map(TurnUsage::unpriced);
                course.report.spent = used.map(|used| TurnUsage { span: SumSpan::Session, ..used });
                self.end(Outcome::Completed, course);
            }
            "turn.failed" => {
                let failure = of_sentence(event["error"]["message"].as_str().unwrap_or_default());
                self.end(Outcome::Failed(failure), course);
            }
            _ => {}
        }
    }

    fn finish(self: Box<Self>, mut course: Course, end: ProcessEnd) -> TurnReport {
        let is_failed_exit = matches!(end, ProcessEnd::Exited(code) if code != 0);
        let error = self.error.filter(|_| is_failed_exit);
        course.outcome = course.outcome.or_else(|| Some(Outcome::Failed(of_sentence(&error?))));
        course.report.structured =
            serde_json::from_str(&course.report.final_message).ok().filter(Value::is_object);
        course.report.cut_off = self.commands.into_values().collect();
        let mut report = course.report(end);
        if let Outcome::Failed(failure) = &mut report.outcome
            && failure.kind == FailureKind::Unreadable
            && self.is_in_turn
            && end == ProcessEnd::Exited(INTERRUPTED_EXIT)
        {
            failure.kind = FailureKind::Interrupted;
        }
        report
    }
}

impl Stream {
    fn end(&mut self, outcome: Outcome, course: &mut Course) {
        self.is_in_turn = false;
        course.end(outcome);
    }

    fn trouble(&mut self, message: String, course: &mut Course) {
        match of_reconnect(&message) {
            Some((attempt, status)) => course.events.push(AgentEvent::Retrying { attempt, status }),
            None => self.error = Some(message),
        }
    }

    fn item(&mut self, item: &Value, stage: ItemStage, course: &mut Course) {
        let is_completed = stage == ItemStage::Completed;
        let (tool, what) = match item["type"].as_str().unwrap_or_default() {
            "command_execution" => ("shell".to_owned(), one_line(typed(item))),
            "file_change" => ("edit".to_owned(), changed(item)),
            "mcp_tool_call" => {
                let tool = format!("{}.{}", text_or_empty(&item["server"]), text_or_empty(&item["tool"]));
                (tool, what_of(&item["arguments"]))
            }
            "web_search" => ("web_search".to_owned(), what_of(item)),
            "collab_tool_call" => (text_or_empty(&item["tool"]), what_of(item)),
            "agent_message" if is_completed => return course.say(&item["text"]),
            // An error as an item is a warning.
            _ => return,
        };
        let id = text_or_empty(&item["id"]);
        let call = ToolCall { tool, what };
        // Told once, when it begins; some items have no beginning.
        let was_told = match stage {
            ItemStage::Begun => course.open.contains_key(&id),
            ItemStage::Completed => course.open.remove(&id).is_some(),
        };
        if !was_told {
            course.call((!is_completed).then(|| id.clone()), call.clone());
        }
        if is_completed {
            self.commands.remove(&id);
        } else if item["type"] == "command_execution" && self.commands.len() < CUT_OFF_MAX {
            self.commands.insert(id, typed(item).chars().take(COMMAND_CHARS_MAX).collect());
        }
        if is_completed && item["status"] == "declined" {
            course.deny(call);
        }
    }
}

pub(super) fn usage(usage: &Value) -> Option<Usage> {
    let keys = ["input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens"];
    Usage::from_sum(usage, keys)
}

/// `/bin/bash -lc '…'`: what a person would have typed.
fn typed(item: &Value) -> &str {
    let command = item["command"].as_str().unwrap_or_default();
    let called = command.split_once(" -lc ").or_else(|| command.split_once(" -c "));
    let of_shell = called.filter(|(shell, _)| shell.ends_with("sh") && !shell.contains(' '));
    let inner = of_shell.map_or(command, |(_, inner)| inner);
    let quoted = ['\'', '"'].into_iter().find_map(|quote| inner.strip_prefix(quote)?.strip_suffix(quote));
    quoted.unwrap_or(inner)
}

fn changed(item: &Value) -> String {
    let changes = item["changes"].as_array().map_or(&[][..], Vec::as_slice);
    let path = changes.first().and_then(|change| change["path"].as_str()).unwrap_or_default();
    match changes.len() {
        0 | 1 => one_line(path),
        more => one_line(&format!("{path} and {} more", more - 1)),
    }
}

// Why a turn of Codex failed: the sentences its program prints, and the codes its session file holds.

/// Of Codex's own sentences, the part that tells what happened; the first that fits.
const SENTENCES: [(&str, StderrLine); 13] = [
    ("hit your usage limit", StderrLine::UsageLimit),
    ("Quota exceeded", StderrLine::Kind(FailureKind::NeedsPerson { need: Need::Billing })),
    ("ran out of room in the model's context window", StderrLine::Kind(FailureKind::ContextFull)),
    ("exceeded retry limit, last status: ", StderrLine::Status),
    ("unexpected status ", StderrLine::Status),
    ("model is at capacity", StderrLine::Kind(FailureKind::Overloaded)),
    // Whatever the servers' 500 means.
    ("currently experiencing high demand", StderrLine::Kind(FailureKind::Unreachable)),
    ("rate limit exceeded: ", StderrLine::Kind(FailureKind::Overloaded)),
    ("Incomplete response returned, reason: content_filter", StderrLine::Kind(FailureKind::Refused)),
    ("stream disconnected before completion", StderrLine::Kind(FailureKind::Unreachable)),
    ("Connection failed", StderrLine::Kind(FailureKind::Unreachable)),
    ("timeout waiting for child process", StderrLine::Kind(FailureKind::Other)),
    ("Not logged in", StderrLine::Kind(FailureKind::NeedsPerson { need: Need::SignIn })),
];

/// What stands before the time of day.
const TRY_AGAIN: &str = "try again at ";

enum StderrLine {
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
        Some((_, StderrLine::Kind(kind))) => kind.clone(),
        Some((rest, StderrLine::Status)) => of_answer(leading_number(rest)),
        Some((rest, StderrLine::UsageLimit)) => FailureKind::RateLimited { reset: time_of_day(rest) },
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
        let is_connection = is_connection.contains(&word.as_str());
        return is_connection.then(|| of_answer(status(&details["http_status_code"])));
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
