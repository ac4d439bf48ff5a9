//! What a prompt says about the task in hand of a list (SPEC R1–R3).
//!
//! Apart because it is a text of its own in every prompt, made of what others wrote: each of them stands in a fence.

use serde::Serialize;
use serde_json::json;

use super::fill::{fence, fill, shortened};
use super::{IterationBrief, TemplateError, Thought};
use crate::text::Source;

const TASK: &str = include_str!("../../templates/task.md");
/// Of the log of earlier tasks, its end.
const LEARNT_CHARACTERS_MAX: usize = 6_000;
/// Of the previous attempt, its end: there stands how it went.
const PREVIOUS_CHARACTERS_MAX: usize = 6_000;
const DETAILS_CHARACTERS_MAX: usize = 12_000;

/// The task in hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskBrief {
    pub id: String,
    pub title: String,
    pub details: String,
    pub criteria: Vec<String>,
    /// Which of how many.
    pub number: usize,
    pub count: usize,
    /// The list's.
    pub path: String,
    /// What earlier tasks taught.
    pub learnt: String,
    /// The last attempt at this task: its iteration, and what it said.
    pub previous: Option<(u32, String)>,
}

pub(super) fn text(brief: &IterationBrief) -> Result<Option<String>, TemplateError> {
    let Some(task) = &brief.task else { return Ok(None) };
    let details = shortened(&task.details, DETAILS_CHARACTERS_MAX);
    let learnt = shortened(&task.learnt, LEARNT_CHARACTERS_MAX);
    let previous = task.previous.as_ref().map(|(_, said)| shortened(said, PREVIOUS_CHARACTERS_MAX));
    let previous =
        previous.map(|said| if said.trim().is_empty() { "(it said nothing)".to_owned() } else { said });
    let values = json!({
        "id": task.id,
        "title": task.title,
        "number": task.number,
        "count": task.count,
        "path": task.path,
        "fence": fence(&details),
        "details": details,
        "criteria": task.criteria,
        "learnt_fence": fence(&learnt),
        "learnt": learnt,
        "previous_iteration": task.previous.as_ref().map(|(iteration, _)| *iteration),
        "previous_fence": previous.as_deref().map(fence),
        "previous": previous,
        "checks": brief.checks,
    });
    fill(&Source::new("task.md", TASK), &values).map(Some)
}

// What a worker is told that does one step of a plan while others do others (SPEC A1, A4).

const PART: &str = include_str!("../../templates/part.md");

/// One step of a plan, for its worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
    fill(&Source::new("part.md", PART), brief)
}
