//! The settings of a list of tasks.
//!
//! They stand apart because no other preset needs any of them.

use std::collections::BTreeMap;

use gulf_engine::TaskLimit;

use super::AgentTool;

/// What the preset tasks works off, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSettings {
    /// None where nobody named one: the first of the usual names that is there.
    pub file: Option<String>,
    /// The one task that is done, and what it waits for.
    pub only: Option<String>,
    /// What follows when a task comes to no end (SPEC R5).
    pub on_limit: TaskLimit,
    /// By the list's own word for who should do a task.
    pub specialists: BTreeMap<String, AgentTool>,
}
