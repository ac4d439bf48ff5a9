//! The calls of tools in a turn: how many there were, what each is about, and which nobody allowed.
//!
//! It stands apart because every agent's stream tells the same of them, under names of its own.

use std::collections::BTreeMap;

use super::{AgentEvent, DENIALS_MAX, ToolCall};

/// Calls whose input is remembered until their result comes.
const OPEN_MAX: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Calls {
    count: u32,
    /// By id, those whose result has not come.
    open: BTreeMap<String, ToolCall>,
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

    /// The call with this id, whose result has not come.
    pub(super) fn open(&self, id: &str) -> Option<&ToolCall> {
        self.open.get(id)
    }

    /// The same; now it has come.
    pub(super) fn end(&mut self, id: &str) -> Option<ToolCall> {
        self.open.remove(id)
    }

    /// Tells that nobody allowed this call, and keeps it for the report.
    pub(super) fn deny(&mut self, call: ToolCall, events: &mut Vec<AgentEvent>) {
        events.push(AgentEvent::Denied { tool: call.tool.clone(), what: call.what.clone() });
        if self.denied.len() < DENIALS_MAX {
            self.denied.push(call);
        }
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// What nobody allowed, in the order in which it was told.
    pub(super) fn into_denied(self) -> Vec<ToolCall> {
        self.denied
    }
}

impl ToolCall {
    /// What is told of a call that was run and failed.
    pub(super) fn failed(self) -> AgentEvent {
        AgentEvent::ToolFailed { tool: self.tool, what: self.what }
    }
}
