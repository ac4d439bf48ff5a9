//! The settings in force: files, variables and flags, read in one place.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, ReadError};
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{self, TEXT_BYTES_MAX};
use gulf_spec::config::{self, Config, Key, SettingLayers};
use gulf_spec::quantity;
use gulf_spec::text::Source;

use crate::cli::{
    BranchingArguments, ChecksArguments, FeedbackFlags, LimitArguments, ListArguments, SettingArguments,
    TermsArguments,
};
use crate::failure::Failure;

/// Whose settings count besides the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The person's file, the project's, and variables.
    Everyone,
    /// The flags only: a sample of gulf's own goes the same way on every machine.
    Nobody,
}

/// The settings in force for this request.
pub fn heard(place: &PlaceOfWork, heard: Heard, flags: Vec<(Key, String)>) -> Result<Config, Failure> {
    match heard {
        Heard::Everyone => load(place, flags),
        Heard::Nobody => Ok(config::load(&SettingLayers { flags, ..SettingLayers::default() })?),
    }
}

/// Where a project's settings stand.
pub const PROJECT_FILE: &str = "gulf.toml";

/// Reads every layer; the flags come last.
pub fn load(place: &PlaceOfWork, flags: Vec<(Key, String)>) -> Result<Config, Failure> {
    Ok(config::load(&layers(&place.project, flags)?)?)
}

/// What every layer says, not looked at yet.
pub fn layers(project: &Utf8Path, flags: Vec<(Key, String)>) -> Result<SettingLayers, Failure> {
    let user = match user_file() {
        Some(path) => source(&path, path.as_str())?,
        None => None,
    };
    let ralphrc = plan::ralphrc(project).map_err(RunError::from)?;
    let project = source(&project.join(PROJECT_FILE), PROJECT_FILE)?;
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.to_string_lossy().into_owned())))
        .filter(|(name, _)| name.starts_with("GULF_"))
        .collect();
    Ok(SettingLayers { user, ralphrc, project, environment, flags })
}

/// Where a person's own settings lie.
pub fn user_file() -> Option<Utf8PathBuf> {
    let folder = match std::env::var("XDG_CONFIG_HOME") {
        Ok(folder) if folder.starts_with('/') => Utf8PathBuf::from(folder),
        Ok(_) | Err(_) => Utf8PathBuf::from(std::env::var("HOME").ok()?).join(".config"),
    };
    Some(folder.join("gulf").join("gulf.toml"))
}

/// The flags of a start, by the key that each sets.
pub fn flags(arguments: &TermsArguments) -> Vec<(Key, String)> {
    settings(&arguments.settings)
        .into_iter()
        .chain(branching(&arguments.branching))
        .chain(feedback(&arguments.feedback))
        .chain(list(&arguments.list))
        .collect()
}

fn settings(arguments: &SettingArguments) -> Vec<(Key, String)> {
    let on = |set: bool| set.then(|| "true".to_owned());
    let research = arguments.research.clone().or_else(|| arguments.no_research.then(|| "off".to_owned()));
    let is_short_for_preset = arguments.with_judge && arguments.preset.is_none();
    let preset = arguments.preset.clone().or_else(|| is_short_for_preset.then(|| "judge".to_owned()));
    let single = [
        (Key::Preset, preset),
        (Key::JudgeRequired, on(arguments.with_judge && !is_short_for_preset)),
        (Key::AgentTool, arguments.agent.clone()),
        (Key::AgentModel, arguments.model.clone()),
        (Key::AgentContext, arguments.context.clone()),
        (Key::JudgeTool, arguments.judge.clone()),
        (Key::JudgeReviewers, arguments.reviewers.clone()),
        (Key::HitlThreshold, arguments.hitl_threshold.clone()),
        (Key::StructuredMemory, on(arguments.structured_memory)),
        (Key::CompletionPromise, arguments.completion_promise.clone()),
        (Key::MilestoneEvery, arguments.milestone_every.clone()),
        (Key::ForceMax, on(arguments.force_max)),
        (Key::Research, research),
        (Key::VerifyBaseline, on(arguments.baseline)),
        (Key::VerifyDetected, on(arguments.detected)),
        (Key::Expect, arguments.expect.clone()),
        (Key::VerifyTestsMayChange, arguments.tests_may_change.clone()),
        (Key::VerifyIsolation, arguments.isolation.clone()),
        (Key::AgentSandbox, arguments.sandbox.clone()),
        (Key::VerifyOnTestChange, arguments.on_test_change.clone()),
        (Key::VerifyFromClean, on(arguments.verify_from_clean)),
        (Key::VerifyLevel, arguments.level.clone()),
        (Key::Prd, arguments.prd.clone()),
    ];
    let checks = arguments.check.iter().map(|command| (Key::CheckCommand, command.clone()));
    let new_checks = arguments.new_check.iter().map(|command| (Key::CheckNew, command.clone()));
    let held_out = arguments.acceptance.iter().map(|command| (Key::CheckHidden, command.clone()));
    let checks = checks.chain(new_checks).chain(held_out);
    let single = single.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let allow = allowed(&arguments.allow);
    single.chain(allow).chain(limits(&arguments.limits)).chain(checks).collect()
}

/// The flags of gates that are asked without a loop.
pub fn checks(arguments: &ChecksArguments) -> impl Iterator<Item = (Key, String)> {
    let checks = arguments.check.iter().map(|command| (Key::CheckCommand, command.clone()));
    let on = |key: Key, set: bool| set.then(|| (key, "true".to_owned()));
    checks
        .chain(on(Key::VerifyFromClean, arguments.verify_from_clean))
        .chain(on(Key::VerifyDetected, arguments.detected))
}

/// The flags of a list.
fn list(arguments: &ListArguments) -> impl Iterator<Item = (Key, String)> {
    let flags = [
        (Key::TasksFile, arguments.tasks.clone()),
        (Key::TasksOnly, arguments.task.clone()),
        (Key::TasksOnLimit, arguments.on_task_limit.clone()),
    ];
    flags.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// The flags of loops with a branch of their own.
fn branching(arguments: &BranchingArguments) -> impl Iterator<Item = (Key, String)> {
    let on = |set: bool| set.then(|| "true".to_owned());
    let strategies = (!arguments.strategy.is_empty()).then(|| arguments.strategy.join(","));
    let flags = [
        (Key::LandingBase, arguments.base_branch.clone()),
        (Key::LandingInPlace, on(arguments.in_place)),
        (Key::LandingPush, on(arguments.push)),
        (Key::ParallelWorkers, arguments.workers.clone()),
        (Key::ParallelSelect, arguments.select.clone()),
        (Key::ParallelStrategies, strategies),
    ];
    flags.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// The flags of loops that numbers steer.
fn feedback(arguments: &FeedbackFlags) -> impl Iterator<Item = (Key, String)> {
    let flags = [
        (Key::FeedbackHumanReview, arguments.human_review.clone()),
        (Key::FeedbackAutoConverge, arguments.auto_converge.clone()),
        (Key::FeedbackCoverageMin, arguments.coverage_min.clone()),
    ];
    flags.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// The flags of a start in a session: the original's presets all take a base branch, and where nothing lands it does
/// nothing.
pub fn of_session(place: &PlaceOfWork, mut flags: Vec<(Key, String)>) -> Result<Vec<(Key, String)>, Failure> {
    let said = flags.extract_if(.., |(key, _)| *key == Key::LandingBase).next();
    if load(place, flags.clone())?.preset.lands() {
        flags.extend(said);
    }
    Ok(flags)
}

/// What the agent may do besides, in the form that a list has in a flag.
pub fn allowed(commands: &[String]) -> Option<(Key, String)> {
    (!commands.is_empty()).then(|| (Key::AgentAllow, commands.join(",")))
}

/// The flags that bound a loop.
pub fn limits(arguments: &LimitArguments) -> impl Iterator<Item = (Key, String)> {
    let limits = [
        (Key::LimitsMaxIterations, arguments.max_iterations.clone()),
        (Key::LimitsMaxDuration, arguments.max_duration.clone()),
        (Key::LimitsMaxCost, arguments.max_cost.clone()),
        (Key::LimitsMaxTokens, arguments.max_tokens.clone()),
        (Key::LimitsTurnsPerHour, arguments.turns_per_hour.clone()),
    ];
    limits.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

/// What a loop may spend, in words.
pub fn bounds(
    iterations: u32,
    time: Option<Duration>,
    microdollars: Option<u64>,
    tokens: Option<u64>,
) -> Vec<String> {
    let tokens = tokens.map(|most| format!("{} tokens", quantity::print_tokens(most)));
    let money = microdollars.map(quantity::print_money);
    let iterations = Some(gulf_views::iterations(iterations));
    [iterations, time.map(quantity::print_duration), money, tokens].into_iter().flatten().collect()
}

fn source(path: &Utf8Path, name: &str) -> Result<Option<Source>, Failure> {
    match files::read_text(path, TEXT_BYTES_MAX) {
        Ok(text) => Ok(Some(Source::new(name, &text.content))),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(error) => Err(RunError::from(error).into()),
    }
}
