//! What a worker is told that does one step of a plan while others do others (SPEC A1, A4).
//!
//! Apart because such a worker sees a part of the work only: it can claim nothing, and must leave the rest alone.

use std::collections::BTreeMap;

use minijinja::value::Value;

use super::fill::{fill, list, thoughts};
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
    let values = BTreeMap::from([
        ("goal", Value::from(brief.goal.as_str())),
        ("id", Value::from(brief.id.as_str())),
        ("title", Value::from(brief.title.as_str())),
        ("details", Value::from(brief.details.as_str())),
        ("attempt", Value::from(brief.attempt)),
        ("done", Value::from(brief.done.join(", "))),
        ("others", list(brief.others.iter().cloned())),
        ("notes", list(brief.notes.iter().cloned())),
        ("thoughts", thoughts(&brief.thoughts)),
        ("checks", list(brief.checks.iter().cloned())),
    ]);
    fill(&Source::new("part.md", PART), values)
}
