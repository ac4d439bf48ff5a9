//! The groups of settings that one loop has and another has not: branches, lists, steps; and what is named by all.
//!
//! Apart from the table of keys because these are the types that the rest of gulf works with.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use gulf_engine::{FindingsPolicy, Landing, Step, StepTerms, StepWhen, TaskLimit};
use serde::{Deserialize, Serialize};

use crate::problem::Located;

use super::ConfigProblem;
use super::keys::Key;
use super::resolved::Resolved;

/// How work comes onto its base branch (SPEC G18).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandingSettings {
    /// As a person names it, `main`; none: the branch that is checked out.
    pub base: Option<String>,
    pub place: LandingPlace,
    pub push: Push,
    pub accept: Landing,
    pub lanes: NonZeroU32,
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

/// Whether a loop with a branch of its own may start where there is nothing for a judge to judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeNeed {
    WithCriteria,
    Required,
}

/// Whether what landed is pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Push {
    Never,
    Asked,
}

/// Who works on one goal at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParallelSettings {
    pub workers: u32,
    pub select: GroupSelection,
    /// Files with one worker's hint each, relative to the project.
    pub strategies: Vec<String>,
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

// The settings of the steps before a turn: what is thought about, before which iterations, and by whom.

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

// How the work is checked, as settings say it.

/// How checks get a checkout they can run in (SPEC B2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifySettings {
    pub from_clean: bool,
    /// Names of checks that run in the project itself.
    pub in_place: Vec<String>,
    pub isolation: Isolation,
    /// Names of checks that are not isolated.
    pub open: Vec<String>,
    /// What isolated checks may read outside of the project.
    pub visible: Vec<String>,
    pub baseline: bool,
    /// What CI and task files run counts without a further word.
    pub detected: bool,
    /// Who looks at the work, in presets with levels (SPEC A4): 1 the checks alone, 2 a judge as well, 3 a QA review too,
    /// 4 security and documents too.
    pub level: u32,
    /// The largest report that is read, and how much of an output's end.
    pub report_bytes_max: u64,
    /// Tests whose expectations the work may change.
    pub tests_may_change: Vec<String>,
    /// Patterns of files that checks judge by, although nothing else says so.
    pub count_as_tests: Vec<String>,
    /// What follows where tests were changed that may not.
    pub on_test_change: FindingsPolicy,
}

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
