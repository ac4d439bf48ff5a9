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

use gulf_engine::Reviewer;
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
    AGENTS, AgentTool, GroupSelection, Isolation, LandingPlace, LandingSettings, OwnTools, Push, StepSetting,
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

/// The settings in force: what a key holds is asked by the shape of its row; what must be read first stands beside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Config {
    pub preset: Preset,
    /// None where nobody named one: the first that is installed.
    pub agent: Option<AgentTool>,
    pub judge: Option<AgentTool>,
    /// Who looks at the work beside the judge, each once.
    pub reviewers: Vec<Reviewer>,
    pub checks: Vec<CheckSetting>,
    /// By the task list's own word for who should do a task.
    pub specialists: BTreeMap<String, AgentTool>,
    /// By which ways a person is reached.
    pub notify: NotifyTerms,
    /// What is thought about before a turn, in its order.
    pub steps: Vec<StepSetting>,
    settings: BTreeMap<Key, Setting>,
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

/// Unknown cost is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumed {
    pub microdollars: u64,
    pub tokens: u64,
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
    let (mut checks, mut problems) = (Vec::new(), Vec::new());
    for said in layer::read(layers) {
        settings.extend(said.settings);
        problems.extend(said.problems);
        if said.layer == SettingLayer::Flag {
            checks.extend(said.checks);
        } else if !said.checks.is_empty() {
            checks = said.checks;
        }
    }
    let checks = checks::distinct(checks, &mut problems);
    let mut config = Config { checks, settings, ..Config::default() };
    config.preset = config.read_preset(&mut problems);
    adopt(config.preset, &mut config.settings);
    config.find_environment_problems(&mut problems);
    config.specialists = config.read_specialists(&mut problems);
    config.find_flags_of_others(&mut problems);
    config.notify = config.read_notify(&mut problems);
    config.agent = config.read_tool(Key::AgentTool, &mut problems);
    config.judge = config.read_tool(Key::JudgeTool, &mut problems);
    config.steps = config.read_steps(&mut problems);
    config.reviewers = config.read_reviewers(&mut problems);
    Problems::check(config, problems)
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
