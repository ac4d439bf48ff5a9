//! The groups of settings that one loop has and another has not: branches, lists, steps; and what is named by all.
//!
//! Apart from the table of keys because these are the types that the rest of gulf works with.

use gulf_engine::{Step, StepTerms, StepWhen};
use serde::{Deserialize, Serialize};

use super::{Config, FoundProblems, Key};

/// How work comes onto its base branch (SPEC G18).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandingSettings {
    /// As a person names it, `main`; none: the branch that is checked out.
    pub base: Option<String>,
    pub place: LandingPlace,
    pub push: Push,
}

/// Where the branch of the loop is checked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LandingPlace {
    /// In a worktree of its own.
    Worktree,
    /// In the person's checkout, which goes back to the base branch.
    InPlace,
}

/// Whether what landed is pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Push {
    Never,
    Asked,
}

/// Whose work of a group is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupSelection {
    All,
    /// Once one has landed, the others are stopped.
    First,
}

// Who is named to work or judge, and how it talks to gulf.

/// The agents that can be named: those whose protocol is known.
pub const AGENTS: [&str; 5] = ["claude", "codex", "copilot", "opencode", "gemini"];

/// A program that works or judges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentTool {
    /// One of [`AGENTS`]; OpenCode wants a model with its provider, as in `anthropic/claude-sonnet-4-5`.
    Named { name: &'static str, model: Option<String> },
    /// Any program: prompt on stdin, final message on stdout.
    Command(String),
}

/// The tools of `gulf mcp`, beside the commands that say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnTools {
    /// It has the commands.
    #[default]
    None,
    /// Its program is told to start the server.
    Mcp,
}

// The settings of a list of tasks.

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

impl Config {
    /// The steps that are not off. A critic without a plan has nothing to look at.
    pub(super) fn read_steps(&self, problems: &mut FoundProblems) -> Vec<StepSetting> {
        let mut steps = Vec::new();
        for (step, when, agent, prompt) in STEPS {
            let agent = self.read_tool(agent, problems);
            let when = match self.text(when) {
                "first" => StepWhen::First,
                "every" => StepWhen::Every,
                "after-refusal" => StepWhen::AfterRefusal,
                "repeated" => StepWhen::AfterRepeatedFailure,
                _ => continue,
            };
            let terms = StepTerms { step, when };
            let prompt = self.optional_text(prompt).map(str::to_owned);
            steps.push(StepSetting { terms, agent, prompt });
        }
        let has = |step| steps.iter().any(|one: &StepSetting| one.terms.step == step);
        if has(Step::Criticize) && !has(Step::Plan) {
            let what = "a critic needs a plan, but planning is off";
            problems.push(self.located(Key::StepsCritic, what, "set `steps.plan` to `first` too"));
        }
        steps
    }
}

// How the work is checked, as settings say it.

/// Is something kept from parts of the machine?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// Where the machine can do it, and for checks where the base says the same.
    Auto,
    Isolated,
    #[serde(alias = "off")]
    None,
}
