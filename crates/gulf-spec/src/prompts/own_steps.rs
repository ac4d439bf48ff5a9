//! What a session that a person opened is told to think about before it works (SPEC A3, A7).
//!
//! Apart because elsewhere each step is a turn of its own, with an answer that gulf looks at; here nobody is asked, so
//! the worker is told, and its notes are all that shows it.

use gulf_engine::Step;
use serde_json::json;

use super::TemplateError;
use super::fill::fill;
use crate::text::Source;

const OWN_STEPS: &str = include_str!("../../templates/own-steps.md");

/// The steps before this turn, which are the worker's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSteps {
    pub steps: Vec<Step>,
    /// So many agents of its own may do independent steps of the plan at the same time; zero: none.
    pub side_by_side: u32,
}

/// None where nothing is to be thought about.
pub(super) fn block(own: Option<&OwnSteps>) -> Result<Option<String>, TemplateError> {
    let Some(OwnSteps { steps, side_by_side }) = own.filter(|own| !own.steps.is_empty()) else {
        return Ok(None);
    };
    let values = json!({
        "steps": steps.iter().map(|step| step.word().to_owned()).collect::<Vec<_>>(),
        "plans": steps.contains(&Step::Plan),
        "side_by_side": *side_by_side,
    });
    fill(&Source::new("own-steps.md", OWN_STEPS), &values).map(Some)
}
