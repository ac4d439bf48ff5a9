//! The settings of a loop: defaults < user < project `gulf.toml` < environment < flags, each with its origin.
//!
//! Apart from the reader of each layer (`config/layer.rs`) because only here, when the last layer has spoken, is
//! it known which value counts; what is merely overridden may name a thing that does not exist yet.

mod checks;
mod keys;
mod layer;
mod notify;
mod preset;
mod resolved;
mod schema;
mod settings;
mod value;

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use gulf_engine::{
    ContextPolicy, Expectation, FeedbackPolicy, FollowUp, ForceMax, JudgeWhen, Research, Reviewer,
    StuckPolicy,
};
use layer::LayerReader;
use resolved::Resolved;
use serde::{Deserialize, Serialize};

use crate::problem::{Problem, Problems, did_you_mean, nearest};
use crate::quantity::QuantityError;
use crate::text::{Source, Span};

pub use crate::environment::PortRange;
pub use checks::{CheckSetting, Measures};
pub use keys::{Key, KeyRow, OTHER_VARIABLES, Shape};
pub use layer::check_timeout_default;
pub use notify::{
    COMMAND, CommandSays, CommandTerms, NotifyEvent, NotifyProblem, NotifyTerms, SLACK, SecretPlace,
    SlackTerms, WEBHOOK, WebhookTerms, is_safe_address,
};
pub use preset::{Preset, PresetJudge};
pub use schema::{reference, schema, template};
pub use settings::{
    AGENTS, AgentTool, GroupSelection, Isolation, JudgeNeed, LandingPlace, LandingSettings, OwnTools,
    ParallelSettings, Push, StepSetting, TaskSettings, VerifySettings,
};
pub use value::Value;
pub(crate) use value::expected;

/// What a person, a project and a machine asked for, as it was found.
#[derive(Debug, Clone, Default)]
pub struct SettingLayers {
    /// `~/.config/gulf/gulf.toml`.
    pub user: Option<Source>,
    /// The project's `.ralphrc`, of which its `gulf.toml` may say otherwise.
    pub ralphrc: Option<Source>,
    /// The project's `gulf.toml`.
    pub project: Option<Source>,
    /// All variables whose name begins with `GULF_`.
    pub environment: Vec<(String, String)>,
    /// Flags by the key they set, in order; [`Key::CheckCommand`] may come several times and adds a check each.
    pub flags: Vec<(Key, String)>,
}

/// Who said a value; a later one outranks an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SettingLayer {
    Default,
    User,
    Project,
    Environment,
    Flag,
}

/// Where a value stands. Prints as `default`, `gulf.toml:3:1`, `GULF_RESEARCH` or `--research`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub layer: SettingLayer,
    pub source: Source,
    pub span: Span,
}

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    pub preset: Preset,
    pub judge_need: JudgeNeed,
    /// None where nobody named one: the first that is installed.
    pub agent: Option<AgentTool>,
    pub agent_timeout: Duration,
    pub agent_idle_timeout: Duration,
    pub agent_model: Option<String>,
    /// Is the worker kept from what checks and gulf itself depend on?
    pub agent_sandbox: Isolation,
    /// What it may use all the same.
    pub agent_reach: Vec<String>,
    /// Commands that the agent may run besides what the checks need.
    pub agent_allow: Vec<String>,
    pub agent_arguments: Vec<String>,
    pub own_tools: OwnTools,
    pub context: ContextPolicy,
    pub follow_up: FollowUp,
    pub judge: JudgeSettings,
    pub budget: BudgetSettings,
    pub memory: MemoryForm,
    pub checks: Vec<CheckSetting>,
    pub iterations_max: NonZeroU32,
    pub duration_max: Option<Duration>,
    /// In a row, of agent, judge or machine.
    pub failures_max: NonZeroU32,
    pub completion_promise: String,
    /// A review after every so many iterations.
    pub milestone_every: Option<NonZeroU32>,
    pub force_max: ForceMax,
    pub research: Research,
    pub hitl_threshold: NonZeroU32,
    pub turns_per_hour: Option<NonZeroU32>,
    pub expect: Expectation,
    /// A text with acceptance criteria, relative to the project.
    pub prd: Option<String>,
    pub loop_folder: LoopFolder,
    pub preset_hints: PresetHints,
    pub language: UiLanguage,
    pub stuck: StuckPolicy,
    pub environment: EnvironmentSettings,
    pub landing: LandingSettings,
    pub parallel: ParallelSettings,
    /// It counts with the preset feedback.
    pub feedback: FeedbackPolicy,
    pub tasks: TaskSettings,
    pub verify: VerifySettings,
    /// By which ways a person is reached.
    pub notify: NotifyTerms,
    /// A project's own prompt template, relative to the project.
    pub prompt_template: Option<String>,
    /// What is thought about before a turn, in its order.
    pub steps: Vec<StepSetting>,
    /// How many independent steps of a plan are worked on at the same time (SPEC A1).
    pub steps_parallel: u32,
    /// Of the project's own texts in a prompt (SPEC K4).
    pub context_tokens_max: u64,
    settings: BTreeMap<Key, Setting>,
}

/// Who judges, when and how (SPEC B4, G7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeSettings {
    /// None where nobody named one: the first that is installed.
    pub tool: Option<AgentTool>,
    pub when: JudgeWhen,
    pub protocol: VerdictForm,
    pub timeout: Duration,
    pub call_bytes_max: u64,
    /// Who looks at the work beside it, each once.
    pub reviewers: Vec<Reviewer>,
}

/// The form of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictForm {
    /// A word per criterion, with evidence that is looked at (SPEC B4).
    Evidence,
    /// `APPROVED`, or `REJECTED: reason`.
    Line,
}

/// How the worker's memory is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryForm {
    /// progress.txt and decisions.md.
    Plain,
    /// `.claude/memory/` besides (SPEC G22).
    Structured,
}

/// What may be spent besides iterations and time (SPEC B12); money in millionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetSettings {
    pub microdollars_max: Option<u64>,
    pub tokens_max: Option<u64>,
    /// For a turn that does not tell.
    pub assumed: Assumed,
}

/// Unknown cost is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumed {
    pub microdollars: u64,
    pub tokens: u64,
}

/// Whether a loop has a folder in the project, for the person and the worker (SPEC A2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopFolder {
    None,
    Kept,
}

/// Whether words of a prompt are pointed out for which there is a preset (SPEC A1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresetHints {
    Off,
    On,
}

/// In which language a person reads screens and questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UiLanguage {
    /// As the locale says.
    Auto,
    #[serde(rename = "en")]
    English,
    #[serde(rename = "ko")]
    Korean,
}

/// What every fresh checkout contains besides the commit: a worker's worktree, and the rooms of checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentSettings {
    /// Patterns of an ignore file.
    pub copy: Vec<String>,
    pub link: Vec<String>,
    pub setup: Option<String>,
    pub setup_timeout: Duration,
    pub cache: Vec<String>,
    pub copy_bytes_max: u64,
    /// Names of variables.
    pub ports: Vec<String>,
    pub port_range: PortRange,
    /// As it was written: `~` and all.
    pub worktrees: Option<String>,
}

/// One line of `gulf config explain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub path: String,
    pub value: String,
    pub origin: Origin,
    pub variable: Option<&'static str>,
}

/// What is wrong with a setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum ConfigProblem {
    #[error("cannot read this as TOML: {0}")]
    Syntax(String),
    #[error("unknown key `{path}`")]
    #[diagnostic(help("{}", or_all(suggestion.as_deref())))]
    UnknownKey { path: String, suggestion: Option<String> },
    #[error("`{path}` is called `{to}` now")]
    #[diagnostic(help("write `{to}` instead; it means the same"))]
    Moved { path: String, to: String },
    #[error("unknown variable `{name}`")]
    #[diagnostic(help("{}", or_setting(suggestion.as_deref())))]
    UnknownVariable { name: String, suggestion: Option<String> },
    #[error("`{path}` must be {expected}, not {found}")]
    WrongType { path: String, expected: String, found: String },
    #[error("`{path}` must be {expected}, not `{found}`")]
    #[diagnostic(help("{}", did_you_mean(suggestion.as_deref())))]
    WrongValue { path: String, expected: String, found: String, suggestion: Option<String> },
    #[error("cannot read `{path}`: {reason} in `{found}`")]
    #[diagnostic(help("write {expected}"))]
    WrongQuantity { path: String, found: String, expected: String, reason: QuantityError },
    #[error("unknown {} `{value}`", kind(path))]
    #[diagnostic(help("{}", meant(value, available)))]
    NotAvailable { path: String, value: String, available: String },
    #[error("`{flag}` is for {meant}, and the preset is {preset}")]
    #[diagnostic(help("add `--preset {}`, or leave `{flag}` out", meant.rsplit(' ').next().unwrap_or(meant)))]
    OtherPreset { flag: &'static str, meant: &'static str, preset: &'static str },
    #[error("`{found}` in `{path}` is not a reviewer")]
    #[diagnostic(help("known are: qa, security, documents"))]
    NoReviewer { path: String, found: String },
    #[error("reviewers must show evidence, but `judge.protocol` is `line`")]
    #[diagnostic(help("set `judge.protocol` to `evidence`, or leave the reviewers out"))]
    ReviewersByLine,
    #[error("a critic needs a plan, but planning is off")]
    #[diagnostic(help("set `steps.plan` to `first` too"))]
    CriticWithoutPlan,
    #[error("a check without a command")]
    #[diagnostic(help("add `command = \"…\"`"))]
    CheckWithoutCommand,
    #[error("two checks are called `{name}`")]
    #[diagnostic(help("the first stands at {first}; give one of them another `name`"))]
    DuplicateCheck { name: String, first: String },
    #[error("`{path}` is not a path inside the project: `{found}`")]
    #[diagnostic(help("write a path as git shows it, such as \"data/large\""))]
    NotBelowProject { path: String, found: String },
    #[error("`{found}` in `{path}` is not an ignore pattern: {why}")]
    #[diagnostic(help("write a pattern as in .gitignore, such as \".env\" or \"config/*.local\""))]
    WrongPattern { path: String, found: String, why: String },
    #[error("`{found}` in `{path}` cannot be the name of a variable")]
    #[diagnostic(help("write each name once, such as \"PORT\"; those with `GULF_` are gulf's own"))]
    NotAVariable { path: String, found: String },
    #[error("{0}")]
    #[diagnostic(help("{}", .0.hint().unwrap_or_default()))]
    Ralphrc(crate::ralphrc::RalphrcProblem),
    #[error("{0}")]
    #[diagnostic(transparent)]
    Notify(NotifyProblem),
    #[error("`check.cwd` leaves the project: `{found}`")]
    #[diagnostic(help("write a folder of the project, such as \"web\""))]
    CheckOutsideProject { found: String },
}

/// `agent.tool` is an agent, `preset` a preset.
fn kind(path: &str) -> &str {
    match path {
        "agent.tool" => "agent",
        "judge.tool" => "judge",
        "tasks.specialists" => "specialist",
        path => path,
    }
}

/// What is available, and first what may be meant: a program, or a name that is nearly one of them.
fn meant(value: &str, available: &str) -> String {
    let is_agent = AGENTS.iter().all(|name| available.contains(name));
    let is_program = available.contains("`command:`") && value.contains(['/', '.']) && !value.contains(':');
    let names: Vec<&str> = if is_agent { AGENTS.to_vec() } else { available.split(", ").collect() };
    let guess = match nearest(value, names) {
        _ if is_program => format!("did you mean `command:{value}`? "),
        Some(name) => format!("did you mean `{name}`? "),
        None => String::new(),
    };
    format!("{guess}available: {available}")
}

fn or_all(suggestion: Option<&str>) -> String {
    suggestion.map_or("`gulf config explain` lists all".to_owned(), |key| did_you_mean(Some(key)))
}

/// Many settings have no variable.
fn or_setting(suggestion: Option<&str>) -> String {
    let all =
        "`gulf config explain` lists the settings and their variables; one without is written into gulf.toml";
    suggestion.map_or_else(|| all.to_owned(), |name| did_you_mean(Some(name)))
}

/// All that is wrong with a configuration, at once.
pub type ConfigError = Problems<ConfigProblem>;

/// A value and who said it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// Reads all layers and says what is in force.
///
/// Lists are replaced by the higher layer, not joined; only `--check` adds. Every problem of every layer is
/// reported at once.
pub fn load(layers: &SettingLayers) -> Result<Config, ConfigError> {
    let mut settings: BTreeMap<Key, Setting> = Key::defaults().collect();
    let mut checks = Vec::new();
    let mut problems = Vec::new();
    layer::read(layers, &mut settings, &mut checks, &mut problems);
    for (name, text) in &layers.environment {
        let mut reader = LayerReader::new(SettingLayer::Environment, Source::word(name.as_str(), text));
        reader.variable();
        settings.extend(reader.settings);
        problems.extend(reader.problems);
    }
    for (key, text) in &layers.flags {
        let row = key.row();
        let mut reader =
            LayerReader::new(SettingLayer::Flag, Source::word(row.flag.unwrap_or(row.path), text));
        reader.flag(*key);
        settings.extend(reader.settings);
        problems.extend(reader.problems);
        checks.extend(reader.checks);
    }
    let checks = checks::distinct(checks, &mut problems);
    let preset = Resolved(&settings).preset(&mut problems);
    adopt(preset, &mut settings);
    let resolved = Resolved(&settings);
    resolved.environment_problems(&mut problems);
    resolved.specialist_problems(&mut problems);
    resolved.of_preset(preset, &mut problems);
    let notify = resolved.notify(&mut problems);
    let agent = resolved.tool(Key::AgentTool, &mut problems);
    let judge = resolved.tool(Key::JudgeTool, &mut problems);
    let steps = resolved.steps(&mut problems);
    let reviewers = resolved.reviewers(preset, &mut problems);
    Problems::check((), problems)?;
    Ok(Config {
        judge: JudgeSettings { reviewers, ..resolved.judge(judge) },
        steps,
        notify,
        ..resolved.config(preset, agent, checks)
    })
}

impl Config {
    /// Every key with its value and where it was said, in the order of the table; then the checks.
    pub fn explain(&self) -> Vec<Explanation> {
        let keys = self.settings.iter().map(|(key, setting)| Explanation {
            path: key.row().path.to_owned(),
            value: setting.value.to_string(),
            origin: setting.origin.clone(),
            variable: key.row().variable,
        });
        let checks = self.checks.iter().map(|check| Explanation {
            path: format!("check \"{}\"", check.name),
            value: check.command.clone(),
            origin: check.origin.clone(),
            variable: None,
        });
        keys.chain(checks).collect()
    }

    /// Who said the value of a key; for the keys of a check see [`CheckSetting::origin`].
    pub fn origin(&self, key: Key) -> Option<&Origin> {
        self.settings.get(&key).map(|setting| &setting.origin)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.source.place(self.span))
    }
}

impl Problem for ConfigProblem {}

/// Where nobody said anything, the preset does.
fn adopt(preset: Preset, settings: &mut BTreeMap<Key, Setting>) {
    for (key, text) in preset.values() {
        let is_unsaid =
            settings.get(&key).is_none_or(|setting| setting.origin.layer == SettingLayer::Default);
        if let (true, Some(value)) = (is_unsaid, Value::read(key.row(), text).ok()) {
            let source = Source::word(format!("preset {}", preset.word()), text);
            let origin =
                Origin { layer: SettingLayer::Default, source, span: Span { start: 0, end: text.len() } };
            settings.insert(key, Setting { value, origin });
        }
    }
}

#[cfg(test)]
mod tests;
