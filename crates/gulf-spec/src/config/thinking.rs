//! The settings of the steps before a turn: what is thought about, before which iterations, and by whom.
//!
//! They stand apart because each step has the same three settings, and a preset gives them their first values.

use gulf_engine::{Step, StepTerms, StepWhen};

use super::keys::Key;
use super::resolved::Resolved;
use super::{AgentTool, ConfigProblem};
use crate::problem::Located;

/// A step that is taken (SPEC A3, A7, L2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepSetting {
    pub terms: StepTerms,
    /// None: the worker's own.
    pub agent: Option<AgentTool>,
    /// A text of the project's own, relative to it, that is added to gulf's question.
    pub prompt: Option<String>,
}

/// In the order in which they are taken: when, by whom, with which words.
const STEPS: [(Step, Key, Key, Key); 4] = [
    (Step::Analyze, Key::StepsAnalyze, Key::StepsAnalyzeAgent, Key::StepsAnalyzePrompt),
    (Step::Plan, Key::StepsPlan, Key::StepsPlanAgent, Key::StepsPlanPrompt),
    (Step::Criticize, Key::StepsCritic, Key::StepsCriticAgent, Key::StepsCriticPrompt),
    (Step::Cause, Key::StepsCause, Key::StepsCauseAgent, Key::StepsCausePrompt),
];

impl Resolved<'_> {
    /// The steps that are not off. A critic without a plan has nothing to look at.
    pub(super) fn steps(&self, problems: &mut Vec<Located<ConfigProblem>>) -> Vec<StepSetting> {
        let mut steps = Vec::new();
        for (step, when, agent, prompt) in STEPS {
            let agent = self.tool(agent, problems);
            let when = match self.text(when) {
                "first" => StepWhen::First,
                "every" => StepWhen::Every,
                "after-refusal" => StepWhen::AfterRefusal,
                "repeated" => StepWhen::AfterRepeatedFailure,
                _ => continue,
            };
            let terms = StepTerms { step, when };
            steps.push(StepSetting { terms, agent, prompt: self.optional_text(prompt) });
        }
        let has = |step| steps.iter().any(|one: &StepSetting| one.terms.step == step);
        if has(Step::Criticize) && !has(Step::Plan) {
            problems.push(self.located(Key::StepsCritic, ConfigProblem::CriticWithoutPlan));
        }
        steps
    }
}
