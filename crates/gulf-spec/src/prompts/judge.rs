//! The prompt of a judge: the person's goal and criteria, the fenced material, and what an answer looks like (SPEC B4).
//!
//! Apart from the worker's prompt because it must not share a word with it: no project replaces this template, and
//! what the worker wrote comes in one value, behind fences that were made before.

use serde::Serialize;

use super::TemplateError;
use super::fill::fill;
use crate::text::Source;

const EVIDENCE: &str = include_str!("../../templates/judge.md");
const SCENARIOS: &str = include_str!("../../templates/scenarios.md");
const LINE: &str = include_str!("../../templates/judge-line.md");

/// All that a judge's prompt says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgeBrief {
    /// The person's, as it was sealed.
    pub goal: String,
    /// The person's, or gulf's own where they wrote none; their numbers count from 1.
    pub criteria: Vec<String>,
    /// The word in the fences around everything in the material.
    pub nonce: String,
    /// From 1.
    pub part: u32,
    pub parts: u32,
    /// The part's text, fenced.
    pub material: String,
    #[serde(flatten)]
    pub form: AnswerForm,
}

/// What is to be answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum AnswerForm {
    /// A word for each criterion, with evidence, as JSON of this schema.
    Evidence { schema: String },
    /// One verdict in two lines.
    Line,
}

/// The prompt for one part.
pub fn judge(brief: &JudgeBrief) -> Result<String, TemplateError> {
    let source = match &brief.form {
        AnswerForm::Evidence { .. } => Source::new("judge.md", EVIDENCE),
        AnswerForm::Line => Source::new("judge-line.md", LINE),
    };
    fill(&source, brief)
}

/// What whoever tries out the work is told before there is anything to judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScenarioBrief {
    pub goal: String,
    pub nonce: String,
    /// Fenced.
    pub material: String,
    /// Of the answer.
    pub schema: String,
    /// The most commands that are run.
    pub most: usize,
}

/// The prompt that asks for scenarios.
pub fn scenarios(brief: &ScenarioBrief) -> Result<String, TemplateError> {
    fill(&Source::new("scenarios.md", SCENARIOS), brief)
}

#[cfg(test)]
mod tests;
