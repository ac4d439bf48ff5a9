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

use crate::problem::{Located, Mistake, Problems};
use crate::text::{Source, Span};

pub use crate::environment::PortRange;
pub use checks::{CheckSetting, Measures};
pub use keys::{Key, KeyRow, OTHER_VARIABLES, Shape};
pub use layer::check_timeout_default;
pub use notify::{
    COMMAND, CommandSays, CommandTerms, NotifyEvent, NotifyTerms, SLACK, SecretPlace, SlackTerms, WEBHOOK,
    WebhookTerms, is_safe_address,
};
pub use preset::{Preset, PresetJudge};
pub use schema::{reference, schema, template};
pub use settings::{
    AGENTS, AgentTool, GroupSelection, Isolation, LandingPlace, LandingSettings, OwnTools, Push, StepSetting,
};
pub use value::Value;
pub(crate) use value::{expected, suggestion};

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

/// All that is wrong with a configuration, at once.
pub type ConfigError = Problems;

/// What was found to be wrong so far.
type FoundProblems = Vec<Located<Mistake>>;

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
    let rows = Key::rows().iter().filter(|row| row.group() != Some(keys::CHECK_GROUP));
    let mut settings: BTreeMap<Key, Setting> = rows.map(KeyRow::unsaid).collect();
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
        let keys = self.settings.iter().map(|(key, setting)| {
            let (path, variable) = (key.row().path.to_owned(), key.row().variable);
            Explanation { path, value: setting.value.to_string(), origin: setting.origin.clone(), variable }
        });
        let checks = self.checks.iter().map(|check| {
            let (path, value) = (format!("check \"{}\"", check.name), check.command.clone());
            Explanation { path, value, origin: check.origin.clone(), variable: None }
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
