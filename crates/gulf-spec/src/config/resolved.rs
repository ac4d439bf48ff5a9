//! What is in force once the last layer has spoken, as typed values.
//!
//! Apart from the merge because it knows what each key means, and the merge does not.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::time::Duration;

use gulf_engine::{
    ContextPolicy, FeedbackPolicy, FindingsPolicy, FollowUp, ForceMax, Landing, Reviewer, StuckPolicy,
};
use serde::Deserialize;
use strum::VariantNames;

use super::value::from_name;
use super::{
    AGENTS, AgentTool, Assumed, BudgetSettings, CheckSetting, Config, ConfigProblem, EnvironmentSettings,
    JudgeNeed, JudgeSettings, Key, LandingPlace, LandingSettings, LoopFolder, MemoryForm, NotifyTerms,
    OwnTools, ParallelSettings, PortRange, Preset, PresetHints, Push, Setting, SettingLayer, TaskSettings,
    Value, VerifySettings,
};
use crate::environment::{Selection, is_below, is_variable};
use crate::problem::Located;

/// The table after the last layer: each key has a value of its row's shape, the default at least.
pub(super) struct Resolved<'s>(pub(super) &'s BTreeMap<Key, Setting>);

/// What a key holds whose row has this shape.
macro_rules! value {
    ($resolved:ident, $key:ident, $shape:ident) => {{
        let Value::$shape(value) = &$resolved.0[&$key].value else {
            unreachable!("{:?} has another shape by the table", $key)
        };
        value
    }};
}

/// Basis points in a percent.
const PERCENT_BP: u32 = 100;

/// From which level of verification on each looks at the work.
const LEVELS: [(u32, Reviewer); 3] = [(3, Reviewer::Qa), (4, Reviewer::Security), (4, Reviewer::Documents)];

impl Resolved<'_> {
    pub(super) fn preset(&self, problems: &mut Vec<Located<ConfigProblem>>) -> Preset {
        from_name(self.text(Key::Preset)).unwrap_or_else(|| {
            problems.push(self.not_available(Key::Preset, Preset::VARIANTS.join(", ")));
            Preset::Auto
        })
    }

    /// Flags that say nothing for this preset: whoever typed one meant something else, most likely the preset that is named
    /// last. A file and a variable may hold what other loops need.
    pub(super) fn of_preset(&self, preset: Preset, problems: &mut Vec<Located<ConfigProblem>>) {
        const BOTH: &str = "the presets parallel, autopilot and autonomous";
        let landing = [Key::LandingBase, Key::LandingPush].map(|key| (key, preset.lands(), BOTH));
        let in_place = (Key::LandingInPlace, preset == Preset::Autonomous, "the preset autonomous");
        let parallel = [Key::ParallelWorkers, Key::ParallelSelect, Key::ParallelStrategies]
            .map(|key| (key, preset == Preset::Parallel, "the preset parallel"));
        let tasks = [Key::TasksFile, Key::TasksOnly, Key::TasksOnLimit]
            .map(|key| (key, preset == Preset::Tasks, "the preset tasks"));
        let judge = (Key::JudgeRequired, preset != Preset::Basic, "the preset judge");
        let feedback = [Key::FeedbackAutoConverge, Key::FeedbackHumanReview, Key::FeedbackCoverageMin]
            .map(|key| (key, preset == Preset::Feedback, "the preset feedback"));
        let level = (Key::VerifyLevel, preset.has_levels(), "the presets autopilot and ralph");
        let all =
            landing.into_iter().chain([in_place, judge, level]).chain(parallel).chain(feedback).chain(tasks);
        for (key, fits, meant) in all {
            let origin = &self.0[&key].origin;
            if origin.layer != SettingLayer::Flag || fits {
                continue;
            }
            let row = key.row();
            let problem = ConfigProblem::OtherPreset {
                flag: row.flag.unwrap_or(row.path),
                meant,
                preset: preset.word(),
            };
            problems.push(Located { problem, source: origin.source.clone(), span: origin.span });
        }
    }

    pub(super) fn tool(&self, key: Key, problems: &mut Vec<Located<ConfigProblem>>) -> Option<AgentTool> {
        let text = self.text(key).trim();
        if text.is_empty() {
            return None;
        }
        let tool = tool_of(text);
        if tool.is_none() {
            problems.push(self.not_available(key, TOOLS.to_owned()));
        }
        tool
    }

    fn tasks(&self) -> TaskSettings {
        TaskSettings {
            file: self.optional_text(Key::TasksFile),
            only: self.optional_text(Key::TasksOnly),
            on_limit: self.choice(Key::TasksOnLimit),
            specialists: self.list(Key::TasksSpecialists).iter().filter_map(|one| specialist(one)).collect(),
        }
    }

    /// Each names a specialist and a program.
    pub(super) fn specialist_problems(&self, problems: &mut Vec<Located<ConfigProblem>>) {
        let key = Key::TasksSpecialists;
        for found in self.list(key).into_iter().filter(|one| specialist(one).is_none()) {
            let path = key.row().path.to_owned();
            let available =
                "NAME=claude, NAME=codex and so on, with a model NAME=claude:MODEL, or NAME=command:PROGRAM";
            problems.push(self.located(
                key,
                ConfigProblem::NotAvailable { path, value: found, available: available.to_owned() },
            ));
        }
    }

    pub(super) fn judge(&self, tool: Option<AgentTool>) -> JudgeSettings {
        JudgeSettings {
            tool,
            when: self.choice(Key::JudgeWhen),
            protocol: self.choice(Key::JudgeProtocol),
            timeout: self.duration(Key::JudgeTimeout).unwrap_or(Duration::MAX),
            call_bytes_max: self.size(Key::JudgeCallLimit),
            reviewers: Vec::new(),
        }
    }

    /// Those who are named, and those of the level of verification (SPEC A4): each once, in one order.
    pub(super) fn reviewers(
        &self,
        preset: Preset,
        problems: &mut Vec<Located<ConfigProblem>>,
    ) -> Vec<Reviewer> {
        let level = if preset.has_levels() { self.count(Key::VerifyLevel) } else { 0 };
        let of_level = LEVELS.into_iter().filter(|(from, _)| level >= *from).map(|(_, by)| by);
        let mut reviewers: BTreeSet<Reviewer> = of_level.collect();
        for name in self.list(Key::JudgeReviewers) {
            match from_name(&name) {
                Some(by) => drop(reviewers.insert(by)),
                None => {
                    let path = Key::JudgeReviewers.row().path.to_owned();
                    problems.push(
                        self.located(Key::JudgeReviewers, ConfigProblem::NoReviewer { path, found: name }),
                    );
                }
            }
        }
        if !reviewers.is_empty() && self.text(Key::JudgeProtocol) == "line" {
            problems.push(self.located(Key::JudgeReviewers, ConfigProblem::ReviewersByLine));
        }
        reviewers.into_iter().collect()
    }

    fn context(&self) -> ContextPolicy {
        match self.text(Key::AgentContext) {
            "fresh" => ContextPolicy::Fresh,
            "continue" => ContextPolicy::Continue,
            _ => ContextPolicy::Auto { used_bp_max: self.basis_points(Key::AgentContextShare) },
        }
    }

    fn budget(&self) -> BudgetSettings {
        BudgetSettings {
            microdollars_max: self.money(Key::LimitsMaxCost),
            tokens_max: self.tokens(Key::LimitsMaxTokens),
            assumed: Assumed {
                microdollars: self.money(Key::LimitsAssumedCost).unwrap_or(u64::MAX),
                tokens: self.tokens(Key::LimitsAssumedTokens).unwrap_or(u64::MAX),
            },
        }
    }

    /// What a later part of gulf would trip over, each at its place.
    pub(super) fn environment_problems(&self, problems: &mut Vec<Located<ConfigProblem>>) {
        for key in [Key::EnvironmentLink, Key::EnvironmentCache] {
            for found in self.list(key).into_iter().filter(|path| !is_below(path)) {
                let path = key.row().path.to_owned();
                problems.push(self.located(key, ConfigProblem::NotBelowProject { path, found }));
            }
        }
        for key in [Key::EnvironmentCopy, Key::VerifyTestsMayChange, Key::VerifyCountAsTests] {
            for pattern in self.list(key) {
                if let Err(why) = Selection::new([pattern.as_str()]) {
                    let path = key.row().path.to_owned();
                    let problem = ConfigProblem::WrongPattern { path, found: pattern, why: why.to_string() };
                    problems.push(self.located(key, problem));
                }
            }
        }
        let mut seen = BTreeSet::new();
        for found in self.list(Key::EnvironmentPorts) {
            let is_first = seen.insert(found.clone());
            if !is_variable(&found) || !is_first {
                let path = Key::EnvironmentPorts.row().path.to_owned();
                problems
                    .push(self.located(Key::EnvironmentPorts, ConfigProblem::NotAVariable { path, found }));
            }
        }
        let range = self.ports(Key::EnvironmentPortRange);
        if range.len() < self.list(Key::EnvironmentPorts).len() {
            let problem = ConfigProblem::WrongValue {
                path: Key::EnvironmentPortRange.row().path.to_owned(),
                expected: "wide enough for all of `environment.ports`".to_owned(),
                found: range.to_string(),
                suggestion: None,
            };
            problems.push(self.located(Key::EnvironmentPortRange, problem));
        }
    }

    pub(super) fn located(&self, key: Key, problem: ConfigProblem) -> Located<ConfigProblem> {
        let origin = &self.0[&key].origin;
        Located { problem, source: origin.source.clone(), span: origin.span }
    }

    fn not_available(&self, key: Key, available: String) -> Located<ConfigProblem> {
        let (path, value) = (key.row().path.to_owned(), self.text(key).to_owned());
        self.located(key, ConfigProblem::NotAvailable { path, value, available })
    }

    pub(super) fn config(
        &self,
        preset: Preset,
        agent: Option<AgentTool>,
        checks: Vec<CheckSetting>,
    ) -> Config {
        Config {
            preset,
            judge_need: self.switched(Key::JudgeRequired, JudgeNeed::Required, JudgeNeed::WithCriteria),
            agent,
            agent_timeout: self.duration(Key::AgentTimeout).unwrap_or(Duration::MAX),
            agent_idle_timeout: self.duration(Key::AgentIdleTimeout).unwrap_or(Duration::MAX),
            agent_model: self.optional_text(Key::AgentModel),
            agent_sandbox: self.choice(Key::AgentSandbox),
            agent_reach: self.list(Key::AgentReach),
            agent_allow: self.list(Key::AgentAllow),
            agent_arguments: self.list(Key::AgentArguments),
            own_tools: self.switched(Key::AgentMcp, OwnTools::Mcp, OwnTools::None),
            context: self.context(),
            follow_up: self.switched(Key::AgentFollowUp, FollowUp::Once, FollowUp::Off),
            judge: self.judge(None),
            budget: self.budget(),
            memory: self.switched(Key::StructuredMemory, MemoryForm::Structured, MemoryForm::Plain),
            checks,
            iterations_max: self.positive(Key::LimitsMaxIterations),
            duration_max: self.duration(Key::LimitsMaxDuration),
            failures_max: self.positive(Key::LimitsMaxFailures),
            completion_promise: self.text(Key::CompletionPromise).to_owned(),
            milestone_every: self.unless_off(Key::MilestoneEvery),
            force_max: self.switched(Key::ForceMax, ForceMax::On, ForceMax::Off),
            research: self.choice(Key::Research),
            hitl_threshold: self.positive(Key::HitlThreshold),
            turns_per_hour: self.unless_off(Key::LimitsTurnsPerHour),
            prd: self.optional_text(Key::Prd),
            loop_folder: self.switched(Key::LoopFolder, LoopFolder::Kept, LoopFolder::None),
            preset_hints: self.switched(Key::PresetHints, PresetHints::On, PresetHints::Off),
            language: self.choice(Key::UiLanguage),
            expect: self.choice(Key::Expect),
            stuck: StuckPolicy {
                same_candidate_max: self.positive(Key::StuckSameCandidate),
                same_failure_max: self.positive(Key::StuckSameFailure),
                oscillations_max: self.positive(Key::StuckOscillations),
                idle_max: self.positive(Key::StuckIdleIterations),
                recurrences_max: self.unless_off(Key::StuckRecurrences),
                orientation_bp_max: Some(self.basis_points(Key::StuckOrientation)).filter(|share| *share > 0),
                then: self.choice(Key::StuckThen),
            },
            environment: self.environment(),
            landing: self.landing(),
            parallel: self.parallel(),
            feedback: self.feedback(),
            tasks: self.tasks(),
            verify: self.verify(),
            notify: NotifyTerms::default(),
            prompt_template: self.optional_text(Key::PromptTemplate),
            steps: Vec::new(),
            steps_parallel: self.count(Key::StepsParallel),
            context_tokens_max: self.tokens(Key::PromptContextTokensMax).unwrap_or(u64::MAX),
            settings: self.0.clone(),
        }
    }

    fn environment(&self) -> EnvironmentSettings {
        EnvironmentSettings {
            copy: self.list(Key::EnvironmentCopy),
            link: self.list(Key::EnvironmentLink),
            setup: self.optional_text(Key::EnvironmentSetup),
            setup_timeout: self.duration(Key::EnvironmentSetupTimeout).unwrap_or(Duration::MAX),
            cache: self.list(Key::EnvironmentCache),
            copy_bytes_max: self.size(Key::EnvironmentCopyLimit),
            ports: self.list(Key::EnvironmentPorts),
            port_range: self.ports(Key::EnvironmentPortRange),
            worktrees: self.optional_text(Key::EnvironmentWorktrees),
        }
    }

    fn landing(&self) -> LandingSettings {
        LandingSettings {
            base: self.optional_text(Key::LandingBase),
            place: self.switched(Key::LandingInPlace, LandingPlace::InPlace, LandingPlace::Worktree),
            push: self.switched(Key::LandingPush, Push::Asked, Push::Never),
            accept: if self.text(Key::LandingAccept) == "attested" {
                Landing::OrAttested
            } else {
                Landing::Verified
            },
            lanes: self.positive(Key::LandingLanes),
        }
    }

    fn parallel(&self) -> ParallelSettings {
        ParallelSettings {
            workers: self.count(Key::ParallelWorkers),
            select: self.choice(Key::ParallelSelect),
            strategies: self.list(Key::ParallelStrategies),
        }
    }

    fn feedback(&self) -> FeedbackPolicy {
        FeedbackPolicy {
            auto_converge: self.switch(Key::FeedbackAutoConverge),
            human_review: self.switch(Key::FeedbackHumanReview),
            coverage_bp_min: self.basis_points(Key::FeedbackCoverageMin),
            coverage: self.choice(Key::FeedbackCoverage),
        }
    }

    /// What is called as the setting says, of a type whose names are the words of the table.
    fn choice<T: for<'word> Deserialize<'word>>(&self, key: Key) -> T {
        from_name(self.text(key)).unwrap_or_else(|| unreachable!("{key:?} is one of the words of the table"))
    }

    pub(super) fn text(&self, key: Key) -> &str {
        value!(self, key, Text)
    }

    pub(super) fn optional_text(&self, key: Key) -> Option<String> {
        Some(self.text(key).to_owned()).filter(|text| !text.is_empty())
    }

    /// Of a key whose least count is 1.
    fn positive(&self, key: Key) -> NonZeroU32 {
        NonZeroU32::new(self.count(key)).unwrap_or(NonZeroU32::MIN)
    }

    /// Of a key whose 0 is off.
    fn unless_off(&self, key: Key) -> Option<NonZeroU32> {
        NonZeroU32::new(self.count(key))
    }

    /// Of a key that says percents.
    fn basis_points(&self, key: Key) -> u32 {
        self.count(key).saturating_mul(PERCENT_BP)
    }

    pub(super) fn count(&self, key: Key) -> u32 {
        *value!(self, key, Count)
    }

    pub(super) fn switch(&self, key: Key) -> bool {
        *value!(self, key, Switch)
    }

    /// What a switch means.
    pub(super) fn switched<T>(&self, key: Key, on: T, off: T) -> T {
        if self.switch(key) { on } else { off }
    }

    fn verify(&self) -> VerifySettings {
        VerifySettings {
            from_clean: self.switch(Key::VerifyFromClean),
            in_place: self.list(Key::VerifyInPlace),
            isolation: self.choice(Key::VerifyIsolation),
            open: self.list(Key::VerifyOpen),
            visible: self.list(Key::VerifyVisible),
            baseline: self.switch(Key::VerifyBaseline),
            detected: self.switch(Key::VerifyDetected),
            level: self.count(Key::VerifyLevel),
            report_bytes_max: self.size(Key::VerifyReportLimit),
            tests_may_change: self.list(Key::VerifyTestsMayChange),
            count_as_tests: self.list(Key::VerifyCountAsTests),
            on_test_change: match self.text(Key::VerifyOnTestChange) {
                "ask" => FindingsPolicy::Ask,
                "stop" => FindingsPolicy::Stop,
                _ => FindingsPolicy::Attest,
            },
        }
    }

    fn size(&self, key: Key) -> u64 {
        *value!(self, key, Size)
    }

    fn ports(&self, key: Key) -> PortRange {
        *value!(self, key, Ports)
    }

    pub(super) fn duration(&self, key: Key) -> Option<Duration> {
        *value!(self, key, Duration)
    }

    pub(super) fn milliseconds(&self, key: Key) -> Option<u64> {
        self.duration(key).map(|duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
    }

    fn money(&self, key: Key) -> Option<u64> {
        *value!(self, key, Money)
    }

    fn tokens(&self, key: Key) -> Option<u64> {
        *value!(self, key, Tokens)
    }

    pub(super) fn list(&self, key: Key) -> Vec<String> {
        value!(self, key, List).clone()
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
