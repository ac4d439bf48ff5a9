//! Gemini CLI: its events.
//!
//! It stands apart because the order and the keys of these events are the tool's, and change with it.

use serde_json::Value;

use super::as_it_stood;
use super::failure::{before_start, failure};
use crate::agents::calls::Calls;
use crate::agents::report::settle;
use crate::agents::words::{count, text, text_or_empty, what_of};
use crate::agents::{
    AgentEvent, Cost, Failure, FailureKind, Outcome, ProcessEnd, Span, Spent, ToolCall, TurnReport, Usage,
    prices,
};
use crate::command;

/// What it says of a call that a rule did not let through.
const DENIED: &str = "policy_violation";

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    has_started: bool,
    session: Option<String>,
    model: Option<String>,
    calls: Calls,
    /// The last words to the person come in pieces.
    said: String,
    is_saying: bool,
    /// Trouble that was told without an end of the turn.
    trouble: String,
    end: Option<End>,
    spent: Option<Spent>,
    unknown_events: u32,
}

/// What the last event says; why it failed is told by the exit code, too, and that comes later.
#[derive(Debug)]
enum End {
    Success,
    Error { error: Value },
    Unreadable,
}

impl Stream {
    pub(in crate::agents) fn read(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        let kind = event["type"].as_str().unwrap_or_default();
        if kind != "message" {
            self.say_so_far(events);
        }
        match kind {
            "init" => self.init(event, events),
            "message" => self.message(event, events),
            "tool_use" => self.call(event, events),
            "tool_result" => self.tool_result(event, events),
            // A warning, or trouble that the result tells again without its words.
            "error" => self.trouble = text_or_empty(&event["message"]),
            "result" => self.result(event, events),
            _ => self.unknown_events = self.unknown_events.saturating_add(1),
        }
    }

    fn init(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.session = text(&event["session_id"]).or(self.session.take());
        self.model = text(&event["model"]).or(self.model.take());
        if !self.has_started {
            let session = self.session.clone().unwrap_or_default();
            events.push(AgentEvent::Started { session, model: self.model.clone() });
        }
        self.has_started = true;
    }

    /// The person's own prompt is repeated, and is nothing that the agent said.
    fn message(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        if event["role"] != "assistant" {
            return;
        }
        let Some(piece) = text(&event["content"]) else { return };
        let continues = event["delta"].as_bool() == Some(true);
        if !continues {
            self.say_so_far(events);
        }
        if !self.is_saying {
            self.said.clear();
        }
        self.said.push_str(&piece);
        self.is_saying = true;
        if !continues {
            self.say_so_far(events);
        }
    }

    fn say_so_far(&mut self, events: &mut Vec<AgentEvent>) {
        if std::mem::take(&mut self.is_saying) {
            events.push(AgentEvent::Said { text: self.said.clone() });
        }
    }

    fn call(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        let call = ToolCall { tool: text_or_empty(&event["tool_name"]), what: what_of(&event["parameters"]) };
        self.calls.begin(text(&event["tool_id"]), call, events);
    }

    fn tool_result(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        let Some(call) = self.calls.end(event["tool_id"].as_str().unwrap_or_default()) else { return };
        if event["status"] != "error" {
            return;
        }
        if event["error"]["type"] == DENIED {
            self.calls.deny(call, events);
        } else {
            events.push(call.failed());
        }
    }

    fn result(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.end = Some(match event["status"].as_str() {
            Some("success") => End::Success,
            Some("error") => End::Error { error: event["error"].clone() },
            Some(_) | None => End::Unreadable,
        });
        self.spend(&event["stats"]);
        events.push(AgentEvent::Finished);
    }

    /// Sub-agents and the choice of a model are among these sums. The model that is told is the dearest of them, so
    /// that what several cost together is not taken for less than it is.
    fn spend(&mut self, stats: &Value) {
        let Some(usage) = usage(stats) else { return };
        self.spent = Some(Spent { usage, cost: Cost::Unknown, span: Span::Turn });
        let models = stats["models"].as_object().into_iter().flatten();
        let used = models.filter(|(_, stats)| count(&stats["total_tokens"]) != Some(0));
        let dearest = used.map(|(name, _)| name).max_by_key(|name| {
            // One without a price is taken for the dearest there is.
            prices::cost(name, usage).unwrap_or(u64::MAX)
        });
        self.model = dearest.cloned().or(self.model.take());
    }

    pub(in crate::agents) fn finish(self, end: ProcessEnd) -> TurnReport {
        let said = self.end.map(|said| match said {
            End::Success => Outcome::Completed,
            End::Error { error } => Outcome::Failed(failure(&error, &self.trouble, end)),
            End::Unreadable => {
                let why = "its result does not say how it ended";
                Outcome::Failed(Failure::new(FailureKind::Unreadable, why))
            }
        });
        let mut outcome = settle(said, self.has_started, end);
        if let Outcome::Failed(settled) = &mut outcome
            && settled.kind == FailureKind::NotStarted
        {
            settled.kind = before_start(end);
        }
        TurnReport {
            outcome,
            final_message: command::final_message(as_it_stood(&self.said).as_bytes()),
            session: self.session,
            model: self.model,
            tool_calls: self.calls.count(),
            denials: self.calls.into_denied(),
            spent: self.spent,
            context: None,
            orientation: None,
            structured: None,
            unknown_events: self.unknown_events,
        }
    }
}

/// `input_tokens` counts what came from a cache, too; thinking is part of the total alone.
fn usage(stats: &Value) -> Option<Usage> {
    let input = count(&stats["input_tokens"])?;
    let cache_read_tokens = count(&stats["cached"]).unwrap_or(0);
    let output = count(&stats["output_tokens"]).unwrap_or(0);
    let thinking = count(&stats["total_tokens"]).unwrap_or(0).saturating_sub(input).saturating_sub(output);
    Some(Usage {
        input_tokens: input.saturating_sub(cache_read_tokens),
        output_tokens: output.saturating_add(thinking),
        cache_read_tokens,
        cache_write_tokens: 0,
    })
}
