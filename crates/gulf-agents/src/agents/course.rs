//! The course of a turn: what every agent's stream tells of it, under names of its own.
//!
//! The report wants the same of each of them, and what a stream's last word and the end of its process amount to is
//! the same for all.

use std::collections::BTreeMap;

use serde_json::Value;

use super::words::text;
use super::{
    AgentEvent, ContextUse, DENIALS_MAX, FailureKind, Outcome, ProcessEnd, ToolCall, TurnFailure, TurnReport,
};
use crate::command;

/// As far as it was told.
#[derive(Debug, Default)]
pub(super) struct Course {
    pub(super) has_started: bool,
    pub(super) session: Option<String>,
    pub(super) model: Option<String>,
    pub(super) calls: Calls,
    /// The last words to the person.
    pub(super) said: String,
    pub(super) context: Option<ContextUse>,
    unknown_events: u32,
}

impl Course {
    /// Its session, where that is told; else it stays what it was.
    pub(super) fn learn_session(&mut self, told: &Value) {
        self.session = text(told).or(self.session.take());
    }

    /// Its model, where that is told; else it stays what it was.
    pub(super) fn learn_model(&mut self, told: &Value) {
        self.model = text(told).or(self.model.take());
    }

    /// Tells that the agent runs: once, however often its stream says so.
    pub(super) fn start(&mut self, events: &mut Vec<AgentEvent>) {
        if !std::mem::replace(&mut self.has_started, true) {
            events.push(AgentEvent::Started);
        }
    }

    /// Starts with the session and the model that this event names.
    pub(super) fn init(&mut self, event: &Value, events: &mut Vec<AgentEvent>) {
        self.learn_session(&event["session_id"]);
        self.learn_model(&event["model"]);
        self.start(events);
    }

    /// Tells what the agent said, if it said something.
    pub(super) fn say(&mut self, said: &Value, events: &mut Vec<AgentEvent>) {
        if let Some(text) = text(said) {
            self.said.clone_from(&text);
            events.push(AgentEvent::Said { text });
        }
    }

    /// Tells how full the context is.
    pub(super) fn measure(&mut self, context: ContextUse, events: &mut Vec<AgentEvent>) {
        self.context = Some(context);
        let ContextUse { tokens: context_tokens, window: context_window } = context;
        events.push(AgentEvent::Measured { context_tokens, context_window });
    }

    /// Counts an event that nobody knows here.
    pub(super) fn not_understood(&mut self) {
        self.unknown_events = self.unknown_events.saturating_add(1);
    }

    /// What is known when the process is gone, the stream's last word being this.
    pub(super) fn report(self, said: Option<Outcome>, end: ProcessEnd) -> TurnReport {
        TurnReport {
            outcome: self.settle(said, end),
            final_message: command::final_message(self.said.as_bytes()),
            session: self.session,
            model: self.model,
            tool_calls: self.calls.count,
            denials: self.calls.denied,
            cut_off: Vec::new(),
            spent: None,
            context: self.context,
            orientation: None,
            structured: None,
            unknown_events: self.unknown_events,
        }
    }

    /// The outcome when the tool's last word and the end of its process are put together.
    ///
    /// A last word stands when the process is stopped after it: an agent can outlive its result. An exit code that
    /// contradicts it is not good news.
    fn settle(&self, said: Option<Outcome>, end: ProcessEnd) -> Outcome {
        let failed = |kind, detail: String| Outcome::Failed(TurnFailure::new(kind, detail));
        // None where it was stopped: 128 + SIGINT, SIGKILL, SIGTERM is what a program exits with when it heard the
        // signal itself.
        let own_code = match end {
            ProcessEnd::Exited(code) => Some(code).filter(|code| ![130, 137, 143].contains(code)),
            ProcessEnd::Signalled | ProcessEnd::TimedOut { .. } => None,
        };
        match (said, own_code) {
            (Some(Outcome::Failed(failure)), _) => Outcome::Failed(failure),
            (Some(Outcome::Completed), None | Some(0)) => Outcome::Completed,
            (Some(Outcome::Completed), Some(code)) => failed(
                FailureKind::Unreadable,
                format!("said that it completed, and exited with code {code}"),
            ),
            (None, None) => failed(FailureKind::Interrupted, String::new()),
            (None, Some(code)) if code != 0 && !self.has_started => {
                failed(FailureKind::NotStarted, format!("exited with code {code} before it began"))
            }
            (None, Some(code)) => {
                failed(FailureKind::Unreadable, format!("exited with code {code} without a result"))
            }
        }
    }
}

// The calls of tools in a turn: how many there were, what each is about, and which nobody allowed.

/// Calls whose input is remembered until their result comes.
const OPEN_MAX: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Calls {
    count: u32,
    /// By id, those whose result has not come.
    pub(super) open: BTreeMap<String, ToolCall>,
    /// What nobody allowed, in the order in which it was told.
    denied: Vec<ToolCall>,
}

impl Calls {
    /// Tells that a tool is called. With an id it is remembered until its result comes.
    pub(super) fn begin(&mut self, id: Option<String>, call: ToolCall, events: &mut Vec<AgentEvent>) {
        self.count = self.count.saturating_add(1);
        if let Some(id) = id
            && self.open.len() < OPEN_MAX
        {
            self.open.insert(id, call.clone());
        }
        events.push(AgentEvent::Called { tool: call.tool, what: call.what });
    }

    /// Tells that nobody allowed this call, and keeps it for the report.
    pub(super) fn deny(&mut self, call: ToolCall, events: &mut Vec<AgentEvent>) {
        events.push(AgentEvent::Denied { tool: call.tool.clone(), what: call.what.clone() });
        if self.denied.len() < DENIALS_MAX {
            self.denied.push(call);
        }
    }
}
