//! Gemini CLI: the events that it prints in a turn, read as they come.
//!
//! It stands apart because the order and the keys of these events are the tool's, and change with it.

use serde_json::Value;

use super::as_it_stood;
use super::failure::{before_start, failure};
use crate::agents::course::Course;
use crate::agents::descriptor::TurnProtocol;
use crate::agents::words::{count, text, text_or_empty, what_of};
use crate::agents::{
    AgentEvent, CostEstimate, FailureKind, Outcome, ProcessEnd, SumSpan, ToolCall, TurnFailure, TurnReport,
    TurnUsage, Usage, prices,
};

/// What it says of a call that a rule did not let through.
const DENIED: &str = "policy_violation";

#[derive(Debug, Default)]
pub(in crate::agents) struct Stream {
    course: Course,
    /// The last words to the person come in pieces, and these are not all yet.
    is_saying: bool,
    /// Trouble that was told without an end of the turn.
    trouble: String,
    end: Option<End>,
    spent: Option<TurnUsage>,
}

/// What the last event says; why it failed is told by the exit code, too, and that comes later.
#[derive(Debug)]
enum End {
    Success,
    Error { error: Value },
    Unreadable,
}

impl TurnProtocol for Stream {
    fn read(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
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
            _ => self.course.not_understood(),
        }
    }

    fn finish(mut self: Box<Self>, end: ProcessEnd) -> TurnReport {
        let said = self.end.map(|said| match said {
            End::Success => Outcome::Completed,
            End::Error { error } => Outcome::Failed(failure(&error, &self.trouble, end)),
            End::Unreadable => {
                let why = "its result does not say how it ended";
                Outcome::Failed(TurnFailure::new(FailureKind::Unreadable, why))
            }
        });
        self.course.said = as_it_stood(&self.course.said);
        let mut report = self.course.report(said, end);
        if let Outcome::Failed(failure) = &mut report.outcome
            && failure.kind == FailureKind::NotStarted
        {
            failure.kind = before_start(end);
        }
        TurnReport { spent: self.spent, ..report }
    }
}

impl Stream {
    fn init(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.course.learn_session(&event["session_id"]);
        self.course.learn_model(&event["model"]);
        self.course.start(events);
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
            self.course.said.clear();
        }
        self.course.said.push_str(&piece);
        self.is_saying = true;
        if !continues {
            self.say_so_far(events);
        }
    }

    fn say_so_far(&mut self, events: &mut Vec<AgentEvent>) {
        if std::mem::take(&mut self.is_saying) {
            events.push(AgentEvent::Said { text: self.course.said.clone() });
        }
    }

    fn call(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        let call = ToolCall { tool: text_or_empty(&event["tool_name"]), what: what_of(&event["parameters"]) };
        self.course.calls.begin(text(&event["tool_id"]), call, events);
    }

    fn tool_result(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        let Some(call) = self.course.calls.end(event["tool_id"].as_str().unwrap_or_default()) else { return };
        if event["status"] != "error" {
            return;
        }
        if event["error"]["type"] == DENIED {
            self.course.calls.deny(call, events);
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
        self.spent = Some(TurnUsage { usage, cost: CostEstimate::Unknown, span: SumSpan::Turn });
        let models = stats["models"].as_object().into_iter().flatten();
        let used = models.filter(|(_, stats)| count(&stats["total_tokens"]) != Some(0));
        let dearest = used.map(|(name, _)| name).max_by_key(|name| {
            // One without a price is taken for the dearest there is.
            prices::cost(name, usage).unwrap_or(u64::MAX)
        });
        self.course.model = dearest.cloned().or(self.course.model.take());
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
