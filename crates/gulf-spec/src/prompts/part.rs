//! What a worker is told that does one step of a plan while others do others (SPEC A1, A4).
//!
//! Apart because such a worker sees a part of the work only: it can claim nothing, and must leave the rest alone.

use serde_json::json;

use super::fill::{fill, thoughts};
use super::{TemplateError, Thought};
use crate::text::Source;

const PART: &str = include_str!("../../templates/part.md");

/// One step of a plan, for its worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartBrief {
    pub goal: String,
    pub id: String,
    pub title: String,
    pub details: String,
    /// Above one where it was interrupted and begins again.
    pub attempt: u32,
    /// The steps that it waited for, by their ids.
    pub done: Vec<String>,
    /// The steps of others: `S2: the printer`.
    pub others: Vec<String>,
    pub notes: Vec<String>,
    /// The plan among them.
    pub thoughts: Vec<Thought>,
    /// The commands that decide about the whole.
    pub checks: Vec<String>,
}

/// The prompt of a step's worker.
pub fn part(brief: &PartBrief) -> Result<String, TemplateError> {
    let values = json!({
        "goal": brief.goal,
        "id": brief.id,
        "title": brief.title,
        "details": brief.details,
        "attempt": brief.attempt,
        "done": brief.done.join(", "),
        "others": brief.others,
        "notes": brief.notes,
        "thoughts": thoughts(&brief.thoughts),
        "checks": brief.checks,
    });
    fill(&Source::new("part.md", PART), &values)
}
