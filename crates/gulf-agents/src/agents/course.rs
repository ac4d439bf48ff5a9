//! The course of a turn: what every agent's stream tells of it, under names of its own.
//!
//! The report wants the same of each of them, and what a stream's last word and the end of its process amount to is
//! the same for all.

use std::collections::BTreeMap;

use serde_json::Value;

use super::orienting::OrientationReader;
use super::words::{text, text_or_empty, what_of};
use super::{
    AgentEvent, ContextUse, DENIALS_MAX, FailureKind, Outcome, ProcessEnd, ToolCall, TurnFailure, TurnReport,
};
use crate::command;

/// Calls whose input is remembered until their result comes.
const OPEN_MAX: usize = 10_000;

/// As far as it was told.
#[derive(Debug, Default)]
pub(crate) struct Course {
    /// Its outcome, and how much of the last words stays, is settled at the end.
    pub(super) report: TurnReport,
    orienting: OrientationReader,
    pub(super) has_started: bool,
    /// By id, the calls whose result has not come.
    pub(super) open: BTreeMap<String, ToolCall>,
    /// The stream's last word.
    pub(super) outcome: Option<Outcome>,
    /// What was told and nobody has taken yet.
    pub(super) events: Vec<AgentEvent>,
}

impl Course {
    /// Its session, where that is told; else it stays what it was.
    pub(super) fn learn_session(&mut self, told: &Value) {
        self.report.session = text(told).or(self.report.session.take());
    }

    /// Its model, where that is told; else it stays what it was.
    pub(super) fn learn_model(&mut self, told: &Value) {
        self.report.model = text(told).or(self.report.model.take());
    }

    /// Tells that the agent runs: once, however often its stream says so.
    pub(super) fn start(&mut self) {
        if !std::mem::replace(&mut self.has_started, true) {
            self.events.push(AgentEvent::Started);
        }
    }

    /// Starts with the session and the model that this event names.
    pub(super) fn init(&mut self, event: &Value) {
        self.learn_session(&event["session_id"]);
        self.learn_model(&event["model"]);
        self.start();
    }

    /// Tells what the agent said, if it said something.
    pub(super) fn say(&mut self, said: &Value) {
        if let Some(text) = text(said) {
            self.report.final_message.clone_from(&text);
            self.events.push(AgentEvent::Said { text });
        }
    }

    /// Tells how full the context is.
    pub(super) fn measure(&mut self, context: ContextUse) {
        self.report.context = Some(context);
        self.orienting.measure(context);
        self.events.push(AgentEvent::Measured(context));
    }

    /// Tells that a tool is called. With an id it is remembered until its result comes.
    pub(super) fn call(&mut self, id: Option<String>, call: ToolCall) {
        self.report.tool_calls = self.report.tool_calls.saturating_add(1);
        self.orienting.call(&call.tool);
        if let Some(id) = id.filter(|_| self.open.len() < OPEN_MAX) {
            self.open.insert(id, call.clone());
        }
        self.events.push(AgentEvent::Called(call));
    }

    /// Tells that nobody allowed this call, and keeps it for the report.
    pub(super) fn deny(&mut self, call: ToolCall) {
        self.events.push(AgentEvent::Denied(call.clone()));
        if self.report.denials.len() < DENIALS_MAX {
            self.report.denials.push(call);
        }
    }

    /// Tells the last word.
    pub(super) fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.events.push(AgentEvent::Finished);
    }

    /// What is known when the process is gone.
    pub(super) fn report(mut self, end: ProcessEnd) -> TurnReport {
        self.report.outcome = self.settle(end);
        self.report.orientation = self.orienting.context_before_edit();
        self.report.final_message = command::final_message(self.report.final_message.as_bytes());
        self.report
    }

    /// The outcome when the tool's last word and the end of its process are put together.
    ///
    /// A last word stands when the process is stopped after it: an agent can outlive its result. An exit code that
    /// contradicts it is not good news.
    fn settle(&mut self, end: ProcessEnd) -> Outcome {
        let failed = |kind, detail: String| Outcome::Failed(TurnFailure::new(kind, detail));
        // None where it was stopped: 128 + SIGINT, SIGKILL, SIGTERM is what a program exits with when it heard the
        // signal itself.
        let own_code = match end {
            ProcessEnd::Exited(code) => Some(code).filter(|code| ![130, 137, 143].contains(code)),
            ProcessEnd::Signalled | ProcessEnd::TimedOut { .. } => None,
        };
        match (self.outcome.take(), own_code) {
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

impl ToolCall {
    /// With this name, and with this input.
    pub(super) fn read(tool: &Value, input: &Value) -> Self {
        Self { tool: text_or_empty(tool), what: what_of(input) }
    }
}
