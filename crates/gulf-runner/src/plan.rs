//! What a start would seal: read from the project, the settings and the flags; nothing is touched.
//!
//! It stands apart from the start itself because `--dry-run`, `doctor` and `init` ask the same questions.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{
    Baseline, Cause, CheckName, Expectation, FindingsPolicy, ForceMax, Gate, JudgeWhen, Limits, Policy,
    RejectionPolicy, Rejections, Research, RetryPolicy, StuckPolicy,
};
use gulf_host::files::{self, ReadError};
use gulf_host::programs;
use gulf_spec::config::{self, AgentTool, Config};
use gulf_spec::detect::{Detected, detect};
use gulf_spec::problem::{Located, Problem};
use gulf_spec::rubric::{self, Rubric, RubricProblem};
use gulf_spec::text::Source;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::agreement::{AgentTerms, KeptOutput, Place, PromptTemplate, SealedCheck, VerificationTerms};
use crate::error::RunError;
use crate::place::PlaceOfWork;

/// How much of a text that a person wrote is read.
pub const TEXT_BYTES_MAX: u64 = 1 << 20;
/// A file larger than this is named, not stored in a candidate.
pub(crate) const FILE_BYTES_MAX: u64 = 100 << 20;
/// Small files that the detection looks into.
const MANIFEST_BYTES_MAX: u64 = 1 << 20;
/// Where criteria and checks stand, if no other file is named.
pub const RUBRIC: &str = "RUBRIC.md";
/// The path of the project's own script of checks (SPEC G16).
pub const AUTOCHECKS: &str = ".claude/autochecks.sh";

/// Everything that a start would seal, except the base.
#[derive(Clone, Debug)]
pub struct Plan {
    pub goal: String,
    pub agent: AgentTerms,
    pub checks: Vec<SealedCheck>,
    pub criteria: Vec<String>,
    pub completion_promise: String,
    pub prompt_template: Option<PromptTemplate>,
    pub verification: VerificationTerms,
    pub policy: Policy,
    /// What a person should be told before it starts.
    pub notes: Vec<String>,
}

/// How the work is checked.
#[derive(Clone, Debug)]
pub struct Stated {
    pub checks: Vec<SealedCheck>,
    pub criteria: Vec<String>,
    pub detected: Detected,
    /// What a person should be told before it starts.
    pub notes: Vec<String>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct PlanRequest {
    pub goal: String,
    pub config: Config,
    /// `--rubric`, else RUBRIC.md.
    pub rubric: Option<Utf8PathBuf>,
    pub evidence: Evidence,
}

/// May the loop run without any check?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    Required,
    /// `--unverified`: it ends attested.
    Waived,
}

/// Why nothing can be sealed.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("the goal is blank")]
    BlankGoal,
    #[error("no agent is named")]
    NoAgent,
    #[error("the agent's program was not found: {program}")]
    AgentMissing { program: String },
    #[error("no check was found in {project}")]
    NoCheck { project: Utf8PathBuf },
    #[error("{path} is there but not executable")]
    AutochecksNotExecutable { path: Utf8PathBuf },
    #[error("{path} does not say what it seems to say")]
    Rubric { path: Utf8PathBuf, problems: Vec<Located<RubricProblem>> },
    #[error("two checks are called {name}: {first} and {second}")]
    DuplicateCheck { name: String, first: String, second: String },
    #[error("the check {name} is to run in place, and there is no such check")]
    UnknownInPlace { name: String },
    #[error("`{value}` is too large for {what}")]
    OutOfRange { what: &'static str, value: u64 },
    #[error(transparent)]
    Run(#[from] RunError),
}

impl PlanError {
    /// What the person can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::BlankGoal => {
                "say what is to be done: `gulf run \"add a --json flag\"`, `gulf run -f PROMPT.md`"
            }
            Self::NoAgent => {
                "name one: `--agent 'command:my-agent'`, or `[agent]` `tool = \"command:my-agent\"` in gulf.toml; \
                 `gulf demo` needs none"
            }
            Self::AgentMissing { .. } => {
                "install it, or name another with `--agent`; `gulf doctor` looks at everything"
            }
            Self::NoCheck { .. } => {
                "say how the work is checked: `--check 'make test'`, `gulf init`; or accept an unproven end with \
                 `--unverified`"
            }
            Self::AutochecksNotExecutable { path } => {
                return Some(format!("`chmod +x {path}`, or remove it"));
            }
            Self::Rubric { .. } => "mend the places above; what stands there would not count",
            Self::DuplicateCheck { .. } => "give one of them another `name` in gulf.toml",
            Self::UnknownInPlace { .. } => "`gulf config explain` lists the checks",
            Self::OutOfRange { .. } => "take a smaller value",
            Self::Run(error) => return error.hint(),
        };
        Some(hint.to_owned())
    }
}

impl From<ReadError> for PlanError {
    fn from(error: ReadError) -> Self {
        Self::Run(error.into())
    }
}

/// Composes what would be sealed.
pub fn plan(place: &PlaceOfWork, request: PlanRequest) -> Result<Plan, PlanError> {
    if request.goal.trim().is_empty() {
        return Err(PlanError::BlankGoal);
    }
    let config = &request.config;
    let Stated { checks, criteria, detected, notes } =
        stated(&place.project, config, request.rubric.as_deref(), request.evidence)?;
    Ok(Plan {
        agent: agent(place, config)?,
        policy: policy(config, &checks, criteria.len())?,
        goal: request.goal,
        checks,
        criteria,
        completion_promise: config.completion_promise.clone(),
        prompt_template: prompt_template(place, config)?,
        verification: verification(config, detected),
        notes,
    })
}

/// How checks get a checkout they can run in.
pub(crate) fn verification(config: &Config, detected: Detected) -> VerificationTerms {
    VerificationTerms {
        setup: config.verify.setup.clone().or(detected.setup_command),
        lockfiles: detected.lockfiles,
        output: if config.verify.from_clean { KeptOutput::Cleared } else { KeptOutput::Kept },
        // Known when the start is looked at.
        dependency_folders: Vec::new(),
        copy_bytes_max: config.verify.copy_bytes_max,
        file_bytes_max: FILE_BYTES_MAX,
    }
}

/// How the work in a project is checked: what was written down, or else what is detected.
pub fn stated(
    project: &Utf8Path,
    config: &Config,
    rubric: Option<&Utf8Path>,
    evidence: Evidence,
) -> Result<Stated, PlanError> {
    let mut notes = Vec::new();
    let path = rubric.unwrap_or(Utf8Path::new(RUBRIC));
    let rubric = read_rubric(project, path, rubric.is_some(), &mut notes)?;
    let detected = detected(project);
    let mut checks = stated_checks(project, config, &rubric, path)?;
    if checks.is_empty() && evidence == Evidence::Required {
        checks = detected_checks(&detected);
        if checks.is_empty() {
            return Err(PlanError::NoCheck { project: project.to_owned() });
        }
        let commands: Vec<&str> = checks.iter().map(|check| check.command.as_str()).collect();
        notes.push(format!("no check was named; found and sealed: {}", commands.join(", ")));
    }
    place_checks(&mut checks, config)?;
    let criteria = rubric.criteria.iter().map(|item| item.text.clone()).collect();
    Ok(Stated { checks, criteria, detected, notes })
}

/// Looks at the project's files for languages and their commands.
pub fn detected(project: &Utf8Path) -> Detected {
    let paths = listing(project);
    let read =
        |path: &str| files::read_text(&project.join(path), MANIFEST_BYTES_MAX).ok().map(|text| text.content);
    detect(&paths, &read)
}

/// Reads RUBRIC.md; without it there is an empty one.
fn read_rubric(
    project: &Utf8Path,
    path: &Utf8Path,
    named: bool,
    notes: &mut Vec<String>,
) -> Result<Rubric, PlanError> {
    let text = match files::read_text(&project.join(path), TEXT_BYTES_MAX) {
        Ok(text) => text.content,
        Err(ReadError::Missing { .. }) if !named => return Ok(Rubric::default()),
        Err(error) => return Err(error.into()),
    };
    let rubric = rubric::parse(&Source::new(path.as_str(), &text));
    let problems: Vec<_> = rubric.errors().cloned().collect();
    if !problems.is_empty() {
        return Err(PlanError::Rubric { path: path.to_owned(), problems });
    }
    notes.extend(rubric.problems.iter().map(|located| {
        let hint = located.problem.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{}: {}{hint}", located.place(), located.problem)
    }));
    Ok(rubric)
}

/// The checks that somebody wrote down: RUBRIC.md, gulf.toml and `--check`, autochecks.sh.
fn stated_checks(
    project: &Utf8Path,
    config: &Config,
    rubric: &Rubric,
    rubric_path: &Utf8Path,
) -> Result<Vec<SealedCheck>, PlanError> {
    let mut checks: Vec<SealedCheck> = rubric
        .checks
        .iter()
        .map(|item| sealed(&item.text, &item.text, format!("{rubric_path}:{}", item.line)))
        .collect();
    for setting in &config.checks {
        let mut check = sealed(&setting.name, &setting.command, setting.origin.to_string());
        check.timeout_ms = milliseconds(setting.timeout);
        check.directory = Utf8PathBuf::from(&setting.cwd);
        check.environment.clone_from(&setting.env);
        checks.push(check);
    }
    let autochecks = project.join(AUTOCHECKS);
    if autochecks.is_file() {
        if !programs::is_executable(&autochecks) {
            return Err(PlanError::AutochecksNotExecutable { path: Utf8PathBuf::from(AUTOCHECKS) });
        }
        checks.push(sealed("autochecks", &format!("./{AUTOCHECKS}"), AUTOCHECKS.to_owned()));
    }
    distinct(checks)
}

/// The same command is run once; one name for two commands is a mistake.
fn distinct(checks: Vec<SealedCheck>) -> Result<Vec<SealedCheck>, PlanError> {
    let mut kept: Vec<SealedCheck> = Vec::new();
    for check in checks {
        let same = |one: &&SealedCheck| one.command == check.command && one.directory == check.directory;
        if kept.iter().any(|one| same(&one)) {
            continue;
        }
        if let Some(first) = kept.iter().find(|one| one.name == check.name) {
            return Err(PlanError::DuplicateCheck {
                name: check.name.to_string(),
                first: first.origin.clone(),
                second: check.origin,
            });
        }
        kept.push(check);
    }
    Ok(kept)
}

fn detected_checks(detected: &Detected) -> Vec<SealedCheck> {
    detected
        .checks
        .iter()
        .map(|check| sealed(&check.name, &check.command, format!("detected: {}", check.why)))
        .collect()
}

fn sealed(name: &str, command: &str, origin: String) -> SealedCheck {
    SealedCheck {
        name: CheckName::new(name),
        command: command.to_owned(),
        timeout_ms: milliseconds(config::check_timeout_default()),
        directory: Utf8PathBuf::new(),
        environment: std::collections::BTreeMap::new(),
        place: Place::Checkout,
        baseline: Baseline::Refused,
        origin,
    }
}

fn place_checks(checks: &mut [SealedCheck], config: &Config) -> Result<(), PlanError> {
    for name in &config.verify.in_place {
        let check = checks
            .iter_mut()
            .find(|check| check.name.as_str() == name)
            .ok_or_else(|| PlanError::UnknownInPlace { name: name.clone() })?;
        check.place = Place::Project;
    }
    if config.verify.baseline {
        for check in checks {
            check.baseline = Baseline::Accepted;
        }
    }
    Ok(())
}

fn agent(place: &PlaceOfWork, config: &Config) -> Result<AgentTerms, PlanError> {
    let Some(AgentTool::Command(command)) = &config.agent else { return Err(PlanError::NoAgent) };
    if let Some(program) = programs::missing_program(command, &place.project) {
        return Err(PlanError::AgentMissing { program });
    }
    Ok(AgentTerms {
        command: command.clone(),
        timeout_ms: milliseconds(config.agent_timeout),
        idle_timeout_ms: milliseconds(config.agent_idle_timeout),
    })
}

fn prompt_template(place: &PlaceOfWork, config: &Config) -> Result<Option<PromptTemplate>, PlanError> {
    let Some(path) = &config.prompt_template else { return Ok(None) };
    let text = files::read_text(&place.project.join(path), TEXT_BYTES_MAX)?;
    Ok(Some(PromptTemplate { path: path.clone(), text: text.content }))
}

/// The numbers that bound and steer a loop.
pub(crate) fn policy(config: &Config, checks: &[SealedCheck], criteria: usize) -> Result<Policy, PlanError> {
    let count = |what: &'static str, value: u32| {
        NonZeroU32::new(value).ok_or(PlanError::OutOfRange { what, value: u64::from(value) })
    };
    let mut caps = Vec::new();
    if checks.is_empty() {
        caps.push(Cause::NoCheck);
    }
    if criteria > 0 {
        caps.push(Cause::CriteriaNotProven { count: u32::try_from(criteria).unwrap_or(u32::MAX) });
    }
    let gates = if checks.is_empty() { vec![Gate::Integrity] } else { vec![Gate::Checks, Gate::Integrity] };
    Ok(Policy {
        limits: Limits {
            iterations_max: count("limits.max_iterations", config.iterations_max)?,
            active_ms_max: config.duration_max.map(milliseconds),
        },
        milestone_every: NonZeroU32::new(config.milestone_every),
        force_max: if config.force_max { ForceMax::On } else { ForceMax::Off },
        research: match config.research {
            config::Research::Gate => Research::Gate,
            config::Research::Inline => Research::Inline,
            config::Research::Off => Research::Off,
        },
        gates,
        judge: JudgeWhen::OnClaim,
        rejections: RejectionPolicy {
            threshold: count("hitl_threshold", config.hitl_threshold)?,
            then: Rejections::Pause,
        },
        findings: FindingsPolicy::Attest,
        expectation: match config.expect {
            config::Expect::Auto => Expectation::Auto,
            config::Expect::StayGreen => Expectation::StayGreen,
        },
        stuck: StuckPolicy {
            same_candidate_max: count("stuck.same_candidate", config.stuck.same_candidate)?,
            oscillations_max: count("stuck.oscillations", config.stuck.oscillations)?,
            same_failure_max: count("stuck.same_failure", config.stuck.same_failure)?,
            idle_max: count("stuck.idle_iterations", config.stuck.idle_iterations)?,
        },
        retries: RetryPolicy {
            failures_max: count("retries", 5)?,
            backoff_ms: 1_000,
            research_max: count("research", 5)?,
        },
        caps,
    })
}

/// The project's files near the top, as far as the detection looks.
fn listing(project: &Utf8Path) -> Vec<String> {
    programs::list(project, LISTING_DEPTH_MAX, LISTING_FILES_MAX)
}

/// Manifests in sub-folders are mentioned.
const LISTING_DEPTH_MAX: usize = 3;
const LISTING_FILES_MAX: usize = 20_000;

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
