//! What agents thought before a turn, as it is kept for those that follow.

use camino::Utf8PathBuf;
use gulf_engine::{Step, UnitId};
use gulf_spec::goal::goal_title;
use gulf_spec::parts;
use gulf_spec::prompts::Thought;

use crate::agreement::{Agreement, Tool};
use crate::error::RunError;
use crate::resources::{AgentEffect, Resources};
use crate::texts::text;

/// The program that thinks.
pub(crate) fn thinking_tool(agreement: &Agreement, step: Step) -> &Tool {
    agreement.thinkers.get(&step).and_then(|thinker| thinker.tool.as_ref()).unwrap_or(&agreement.agent.tool)
}

/// The log of what it said.
pub(crate) fn log_name(step: Step) -> String {
    format!("{}.log", step.word())
}

/// Does gulf's own word stand in the place of a plan?
pub(crate) fn has_stand_in(resources: &Resources, unit: UnitId) -> Result<bool, RunError> {
    let plan = text(&thought_path(resources, unit, Step::Plan))?;
    Ok(plan.is_some_and(|plan| parts::is_stand_in(&plan, goal_title(&resources.agreement.goal))))
}

/// The newest of each kind. A cause is one refusal's: it heads no other iteration.
pub(crate) fn kept_thoughts(effect: AgentEffect<'_>) -> Result<Vec<Thought>, RunError> {
    let AgentEffect { resources, fold, key, .. } = effect;
    let kinds = [Step::Analyze, Step::Plan, Step::Criticize, Step::Cause];
    let is_due = |step: &Step| fold.state.steps_before_turn().any(|due| due == *step);
    let texts = kinds.into_iter().filter(|step| *step != Step::Cause || is_due(step)).map(|step| {
        let text = text(&thought_path(resources, key.unit, step))?.filter(|text| !text.trim().is_empty());
        Ok(text.map(|text| Thought { step, text }))
    });
    texts.filter_map(Result::transpose).collect()
}

pub(crate) fn thought_path(resources: &Resources, unit: UnitId, step: Step) -> Utf8PathBuf {
    resources.folder.thoughts().join(format!("{}-{}.md", unit.0 + 1, step.word()))
}
