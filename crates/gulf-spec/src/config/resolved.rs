//! What is in force once the last layer has spoken, as typed values.
//!
//! Apart from the merge because it knows what each key means, and the merge does not.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::time::Duration;

use gulf_engine::{ContextPolicy, FeedbackPolicy, FindingsPolicy, Reviewer, StuckPolicy};
use serde::Deserialize;
use strum::VariantNames;

use super::value::from_name;
use super::{
    AGENTS, AgentTool, Assumed, Config, FoundProblems, Key, KeyRow, LandingPlace, LandingSettings, Origin,
    PortRange, Preset, Push, SettingLayer, Value,
};
use crate::environment::{Selection, is_below, is_variable};
use crate::problem::{Located, Mistake, nearest};

/// What a key holds whose row has this shape: after the last layer each has a value of it, the default at least.
macro_rules! value {
    ($config:ident, $key:ident, $shape:ident) => {{
        let Value::$shape(value) = &$config.settings[&$key].value else {
            unreachable!("{:?} has another shape by the table", $key)
        };
        value
    }};
}

/// Basis points in a percent.
const PERCENT_BP: u32 = 100;

/// From which level of verification on each looks at the work.
const LEVELS: [(u32, Reviewer); 3] = [(3, Reviewer::Qa), (4, Reviewer::Security), (4, Reviewer::Documents)];

impl Config {
    pub(super) fn read_preset(&self, problems: &mut FoundProblems) -> Preset {
        from_name(self.text(Key::Preset)).unwrap_or_else(|| {
            let found = self.text(Key::Preset);
            problems.push(self.not_available(Key::Preset, found, &Preset::VARIANTS.join(", ")));
            Preset::Auto
        })
    }

    /// Flags that say nothing for this preset: whoever typed one meant something else, most likely the preset that is named
    /// last. A file and a variable may hold what other loops need.
    pub(super) fn find_flags_of_others(&self, problems: &mut FoundProblems) {
        let preset = self.preset;
        let of_presets = |row: &KeyRow| {
            Some(match (row.key, row.group()) {
                (Key::LandingInPlace, _) => (preset == Preset::Autonomous, "the preset autonomous"),
                (Key::LandingBase | Key::LandingPush, _) => {
                    (preset.lands(), "the presets parallel, autopilot and autonomous")
                }
                (Key::JudgeRequired, _) => (preset != Preset::Basic, "the preset judge"),
                (Key::VerifyLevel, _) => (preset.has_levels(), "the presets autopilot and ralph"),
                (_, Some("parallel")) => (preset == Preset::Parallel, "the preset parallel"),
                (_, Some("feedback")) => (preset == Preset::Feedback, "the preset feedback"),
                (_, Some("tasks")) => (preset == Preset::Tasks, "the preset tasks"),
                (_, _) => return None,
            })
        };
        for row in Key::rows() {
            let is_typed = self.origin(row.key).is_some_and(|origin| origin.layer == SettingLayer::Flag);
            if let Some((false, meant)) = of_presets(row).filter(|_| is_typed) {
                let (flag, preset) = (row.flag.unwrap_or(row.path), preset.word());
                let what = format!("`{flag}` is for {meant}, and the preset is {preset}");
                let last = meant.rsplit(' ').next().unwrap_or(meant);
                let help = format!("add `--preset {last}`, or leave `{flag}` out");
                problems.push(self.located(row.key, what, help));
            }
        }
    }

    pub(super) fn read_tool(&self, key: Key, problems: &mut FoundProblems) -> Option<AgentTool> {
        let text = self.text(key).trim();
        if text.is_empty() {
            return None;
        }
        let tool = tool_of(text);
        if tool.is_none() {
            problems.push(self.not_available(key, self.text(key), TOOLS));
        }
        tool
    }

    /// Each names a specialist and a program.
    pub(super) fn read_specialists(&self, problems: &mut FoundProblems) -> BTreeMap<String, AgentTool> {
        let key = Key::TasksSpecialists;
        let available =
            "NAME=claude, NAME=codex and so on, with a model NAME=claude:MODEL, or NAME=command:PROGRAM";
        let read = |value: &String| {
            let known = specialist(value);
            if known.is_none() {
                problems.push(self.not_available(key, value, available));
            }
            known
        };
        self.list(key).iter().filter_map(read).collect()
    }

    /// Those who are named, and those of the level of verification (SPEC A4): each once, in one order.
    pub(super) fn read_reviewers(&self, problems: &mut FoundProblems) -> Vec<Reviewer> {
        let level = if self.preset.has_levels() { self.count(Key::VerifyLevel) } else { 0 };
        let of_level = LEVELS.into_iter().filter(|(from, _)| level >= *from).map(|(_, by)| by);
        let mut reviewers: BTreeSet<Reviewer> = of_level.collect();
        for name in self.list(Key::JudgeReviewers) {
            match from_name(name) {
                Some(by) => drop(reviewers.insert(by)),
                None => {
                    let what = format!("`{name}` in `judge.reviewers` is not a reviewer");
                    let help = "known are: qa, security, documents";
                    problems.push(self.located(Key::JudgeReviewers, what, help));
                }
            }
        }
        if !reviewers.is_empty() && self.text(Key::JudgeProtocol) == "line" {
            let what = "reviewers must show evidence, but `judge.protocol` is `line`";
            let help = "set `judge.protocol` to `evidence`, or leave the reviewers out";
            problems.push(self.located(Key::JudgeReviewers, what, help));
        }
        reviewers.into_iter().collect()
    }

    /// What a later part of gulf would trip over, each at its place.
    pub(super) fn find_environment_problems(&self, problems: &mut FoundProblems) {
        problems.extend(self.not_below_project(Key::EnvironmentLink));
        problems.extend(self.not_below_project(Key::EnvironmentCache));
        for key in [Key::EnvironmentCopy, Key::VerifyTestsMayChange, Key::VerifyCountAsTests] {
            for pattern in self.list(key) {
                let leads_out = pattern.split('/').any(|part| part == "..");
                let why = Selection::new([pattern.as_str()]).err().map(|error| error.to_string());
                if let Some(why) = why.or(leads_out.then(|| "it leads out of the project".to_owned())) {
                    let what = format!("`{pattern}` in `{}` is not an ignore pattern: {why}", key.row().path);
                    let help = "write a pattern as in .gitignore, such as \".env\" or \"config/*.local\"";
                    problems.push(self.located(key, what, help));
                }
            }
        }
        let leads_somewhere = |path: &str| ["/", "~/", "$"].iter().any(|start| path.starts_with(start));
        for found in self.list(Key::VerifyVisible).iter().filter(|path| !leads_somewhere(path)) {
            let what = format!("`{found}` in `verify.visible` is not a whole path");
            let help = "write one such as \"/srv/fixtures\" or \"~/data\"; of the project checks see their own checkout";
            problems.push(self.located(Key::VerifyVisible, what, help));
        }
        if self.list(Key::AgentReach).iter().any(|path| path.trim().is_empty()) {
            let help = "write one such as \"~/.ssh\", or leave it out";
            problems.push(self.located(Key::AgentReach, "a path in `agent.reach` is blank", help));
        }
        let mut seen = BTreeSet::new();
        for found in self.list(Key::EnvironmentPorts) {
            if !is_variable(found) || is_needed(found) || !seen.insert(found) {
                let what = format!("`{found}` in `environment.ports` cannot be the name of a variable");
                let help = "write each name once, such as \"PORT\"; those with `GULF_` are gulf's own, and without PATH, HOME and the like no program runs";
                problems.push(self.located(Key::EnvironmentPorts, what, help));
            }
        }
        let range = self.ports(Key::EnvironmentPortRange);
        if range.len() < self.list(Key::EnvironmentPorts).len() {
            let expected = "wide enough for all of `environment.ports`";
            problems.push(self.wrong(Key::EnvironmentPortRange, expected, &range.to_string()));
        }
    }

    /// What a list names that is no path of the project.
    pub(super) fn not_below_project(&self, key: Key) -> impl Iterator<Item = Located<Mistake>> {
        self.list(key).iter().filter(|path| !is_below(path)).map(move |found| {
            let what = format!("`{}` is not a path inside the project: `{found}`", key.row().path);
            self.located(key, what, "write a path as git shows it, such as \"data/large\"")
        })
    }

    /// A problem of a key, where its value stands.
    pub(super) fn located(
        &self,
        key: Key,
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Located<Mistake> {
        let Origin { source, span, .. } = self.settings[&key].origin.clone();
        Located { problem: Mistake::error(what, help), source, span }
    }

    fn not_available(&self, key: Key, value: &str, available: &str) -> Located<Mistake> {
        self.located(key, format!("unknown {} `{value}`", kind(key.row().path)), meant(value, available))
    }

    pub(super) fn wrong(&self, key: Key, expected: &str, found: &str) -> Located<Mistake> {
        self.located(key, format!("`{}` must be {expected}, not `{found}`", key.row().path), "")
    }

    /// What is called as the setting says, of a type whose names are the words of the table.
    pub fn choice<T: for<'word> Deserialize<'word>>(&self, key: Key) -> T {
        from_name(self.text(key)).unwrap_or_else(|| unreachable!("{key:?} is one of the words of the table"))
    }

    pub fn text(&self, key: Key) -> &str {
        value!(self, key, Text)
    }

    /// Of a key whose empty text says nothing.
    pub fn optional_text(&self, key: Key) -> Option<&str> {
        Some(self.text(key)).filter(|text| !text.is_empty())
    }

    /// Of a key whose least count is 1.
    pub fn positive(&self, key: Key) -> NonZeroU32 {
        NonZeroU32::new(self.count(key)).unwrap_or(NonZeroU32::MIN)
    }

    /// Of a key whose 0 is off.
    pub fn unless_off(&self, key: Key) -> Option<NonZeroU32> {
        NonZeroU32::new(self.count(key))
    }

    /// Of a key that says percents.
    pub fn basis_points(&self, key: Key) -> u32 {
        self.count(key).saturating_mul(PERCENT_BP)
    }

    pub fn count(&self, key: Key) -> u32 {
        *value!(self, key, Count)
    }

    pub fn switch(&self, key: Key) -> bool {
        *value!(self, key, Switch)
    }

    /// What a switch means.
    pub fn switched<T>(&self, key: Key, on: T, off: T) -> T {
        if self.switch(key) { on } else { off }
    }

    pub fn size(&self, key: Key) -> u64 {
        *value!(self, key, Size)
    }

    pub fn ports(&self, key: Key) -> PortRange {
        *value!(self, key, Ports)
    }

    pub fn duration(&self, key: Key) -> Option<Duration> {
        *value!(self, key, Duration)
    }

    pub fn milliseconds(&self, key: Key) -> Option<u64> {
        self.duration(key).map(|duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
    }

    pub fn money(&self, key: Key) -> Option<u64> {
        *value!(self, key, Money)
    }

    pub fn tokens(&self, key: Key) -> Option<u64> {
        *value!(self, key, Tokens)
    }

    pub fn list(&self, key: Key) -> &[String] {
        value!(self, key, List)
    }

    pub fn stuck(&self) -> StuckPolicy {
        StuckPolicy {
            same_candidate_max: self.positive(Key::StuckSameCandidate),
            same_failure_max: self.positive(Key::StuckSameFailure),
            oscillations_max: self.positive(Key::StuckOscillations),
            idle_max: self.positive(Key::StuckIdleIterations),
            recurrences_max: self.unless_off(Key::StuckRecurrences),
            orientation_bp_max: Some(self.basis_points(Key::StuckOrientation)).filter(|share| *share > 0),
            then: self.choice(Key::StuckThen),
        }
    }

    /// It counts with the preset feedback.
    pub fn feedback(&self) -> FeedbackPolicy {
        FeedbackPolicy {
            auto_converge: self.switch(Key::FeedbackAutoConverge),
            human_review: self.switch(Key::FeedbackHumanReview),
            coverage_bp_min: self.basis_points(Key::FeedbackCoverageMin),
            coverage: self.choice(Key::FeedbackCoverage),
        }
    }

    pub fn findings(&self) -> FindingsPolicy {
        match self.text(Key::VerifyOnTestChange) {
            "ask" => FindingsPolicy::Ask,
            "stop" => FindingsPolicy::Stop,
            _ => FindingsPolicy::Attest,
        }
    }

    pub fn context(&self) -> ContextPolicy {
        match self.text(Key::AgentContext) {
            "fresh" => ContextPolicy::Fresh,
            "continue" => ContextPolicy::Continue,
            _ => ContextPolicy::Auto { used_bp_max: self.basis_points(Key::AgentContextShare) },
        }
    }

    /// For a turn that does not tell.
    pub fn assumed(&self) -> Assumed {
        Assumed {
            microdollars: self.money(Key::LimitsAssumedCost).unwrap_or(u64::MAX),
            tokens: self.tokens(Key::LimitsAssumedTokens).unwrap_or(u64::MAX),
        }
    }

    /// Where finished work goes.
    pub fn landing(&self) -> LandingSettings {
        LandingSettings {
            base: self.optional_text(Key::LandingBase).map(str::to_owned),
            place: self.switched(Key::LandingInPlace, LandingPlace::InPlace, LandingPlace::Worktree),
            push: self.switched(Key::LandingPush, Push::Asked, Push::Never),
        }
    }
}

const TOOLS: &str = "`claude`, `codex`, `copilot`, `opencode`, `gemini`, each also with a model as in `claude:MODEL`, or `command:` and any program";

fn tool_of(text: &str) -> Option<AgentTool> {
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (name, Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty())),
        None => (text, None),
    };
    let is_cut = text.ends_with(':');
    match (AGENTS.into_iter().find(|agent| *agent == name), rest) {
        (Some(name), model) if !is_cut => Some(AgentTool::Named { name, model }),
        (None, Some(command)) if name == "command" => Some(AgentTool::Command(command)),
        (Some(_) | None, _) => None,
    }
}

/// `backend=claude:opus`
fn specialist(text: &str) -> Option<(String, AgentTool)> {
    let (name, tool) = text.split_once('=')?;
    let name = name.trim().to_lowercase();
    if name.is_empty() { None } else { Some((name, tool_of(tool.trim())?)) }
}

/// No process starts, or finds its files, where a port's number stands instead.
fn is_needed(variable: &str) -> bool {
    let is_of_loader = ["LD_", "DYLD_"].iter().any(|start| variable.starts_with(start));
    is_of_loader || ["PATH", "HOME", "PWD", "SHELL", "TMPDIR", "USER"].contains(&variable)
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
