//! How much of its context an agent fills before it edits anything for the first time (SPEC G4, G24).
//!
//! It is the same for every agent whose protocol says how full the context is; what was read cannot be asked of an
//! agent's words.

use super::{ContextBeforeEdit, ContextUse, ReadingEnd};

/// The tools that edit files, by the agents' own names for them. A command may edit as well, and nothing tells whether
/// it did.
const EDITING: [&str; 14] = [
    "Edit", "MultiEdit", "NotebookEdit", "Write", "apply_patch", "create", "edit", "insert", "multiedit",
    "patch", "replace", "str_replace", "write", "write_file",
];

/// Watches one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::agents) struct OrientationReader {
    /// What the model was sent first: instructions, tools, the prompt, a session that went on.
    first: Option<u64>,
    /// The most that it was sent so far: a context that was compacted was full before.
    peak: u64,
    window: Option<u64>,
    /// The peak when the first edit came.
    at_edit: Option<u64>,
}

impl OrientationReader {
    pub(in crate::agents) fn call(&mut self, tool: &str) {
        if EDITING.contains(&tool) {
            self.edit();
        }
    }

    pub(in crate::agents) fn measure(&mut self, context: ContextUse) {
        self.first = self.first.or(Some(context.tokens));
        self.peak = self.peak.max(context.tokens);
        self.window = context.window.or(self.window);
    }

    pub(in crate::agents) fn edit(&mut self) {
        self.at_edit = self.at_edit.or(Some(self.peak));
    }

    /// What the whole turn says; nothing where it does not tell both, how full the context was and what fits into it.
    pub(in crate::agents) fn context_before_edit(self) -> Option<ContextBeforeEdit> {
        let (first, window) = (self.first?, self.window.filter(|window| *window > 0)?);
        let (until, at) = match self.at_edit {
            Some(at) => (ReadingEnd::Edit, at),
            None => (ReadingEnd::Turn, self.peak),
        };
        Some(ContextBeforeEdit { tokens: at.saturating_sub(first), window, until })
    }
}

#[cfg(test)]
mod tests;
