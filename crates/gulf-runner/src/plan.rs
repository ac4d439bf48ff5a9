//! What a start would seal: read from the project, the settings and the flags; nothing is touched.
//!
//! It stands apart from the start itself because `--dry-run`, `doctor` and `init` ask the same questions.

mod alignment;
mod error;
mod found;
mod policy;
mod preflight;
mod ralph;
mod said;
mod tools;

use std::num::NonZeroU32;

use camino::{Utf8Path, Utf8PathBuf};
use found::{hold_out, leave_one_open};
use gulf_engine::Step;
use gulf_host::clock::milliseconds;
use gulf_host::files::{self, ReadError};
use gulf_host::{git, programs};
use gulf_spec::config::{Config, Key, Preset, SettingLayer};
use gulf_spec::detect::{Detected, detect};
use gulf_spec::lint;
use gulf_spec::problem::Located;
use gulf_spec::rubric::{self, Item, Rubric};
use gulf_spec::text::Source;
use policy::{Judging, evidence, judging};

use crate::agreement::{
    AgentTerms, Agreement, KeptOutput, MemoryForm, ProjectFolderTerms, SealedCheck, SealedText, SpecTerms,
    VerificationTerms, WorkerTerms, agreed_channels,
};
use crate::error::RunError;
use crate::place::PlaceOfWork;
use crate::texts::FILE_BYTES_MAX;
use crate::{readiness, spending};

pub use crate::texts::{AUTOCHECKS, RUBRIC, TEXT_BYTES_MAX, source};
pub use error::PlanError;
pub(crate) use error::Result;
pub use found::to_install;
pub(crate) use policy::{Judged, PolicyTerms, limits, policy, reserve};
pub(crate) use preflight::refuse_unrunnable;
pub use preflight::{Missing, missing};
pub use ralph::{ralph_layout, ralphrc, with_texts};
pub use said::flags;
pub use tools::check_program;
pub(crate) use tools::specialist;

/// Small files that the detection looks into.
const MANIFEST_BYTES_MAX: u64 = 1 << 20;

/// Everything that a start would seal.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which loop it becomes, and what lies where it starts, is not said yet.
    pub terms: Agreement,
    /// What a person should be told before it starts.
    pub notes: Vec<String>,
}

/// How the work is checked.
#[derive(Clone, Debug)]
pub struct PlannedVerification {
    pub checks: Vec<SealedCheck>,
    pub criteria: Vec<String>,
    /// RUBRIC.md's own.
    pub model: Option<String>,
    /// RUBRIC.md's own.
    pub hitl_threshold: Option<NonZeroU32>,
    /// The description of the product that had criteria, or was to have some.
    pub prd: Option<SealedText>,
    pub detected: Detected,
    /// What a person should be told before it starts.
    pub notes: Vec<String>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct PlanRequest {
    pub goal: String,
    /// `--rubric`, else RUBRIC.md.
    pub rubric: Option<Utf8PathBuf>,
    pub evidence: CheckNeed,
    pub questions: Questions,
    pub worker: WorkerTerms,
    /// The spec whose text is the goal: what it is accepted by counts like a rubric's criteria.
    pub spec: Option<SpecTerms>,
}

/// What open questions of gulf-align.md mean (SPEC G12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Questions {
    /// They stop a start.
    Stop,
    /// `--ignore-questions`: they are written down.
    Ignored,
}

/// May the loop run without any check?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckNeed {
    Required,
    /// Criteria count as well: a judge is asked about them.
    OrCriteria,
    /// `--unverified`: it ends attested.
    Waived,
}

/// What would be sealed by a start.
pub fn plan(place: &PlaceOfWork, config: &Config, request: PlanRequest) -> Result<Plan> {
    let mut plan = compose(place, config, request)?;
    said::refuse_unjudged(config, &mut plan)?;
    plan.notes.extend(said::lost_paths(config, &place.project));
    Ok(plan)
}

/// Composes what is sealed, at the start or later.
pub(crate) fn compose(place: &PlaceOfWork, config: &Config, request: PlanRequest) -> Result<Plan> {
    if request.goal.trim().is_empty() {
        return Err(PlanError::BlankGoal);
    }
    let mut stated = stated_for(place, config, &request)?;
    if let Some(spec) = &request.spec {
        found::of_spec(spec, &request.goal, &mut stated);
    }
    let rubric = request.rubric.unwrap_or_else(|| Utf8PathBuf::from(RUBRIC));
    let agreed = alignment::agreed(place, request.questions)?;
    policy::or_own(config, &mut stated.criteria, &mut stated.notes);
    let agent = tools::agent(place, config, &stated.checks, &request.worker, &mut stated.notes)?;
    let judge = policy::judge(place, config, &request.worker, &agent.tool, &rubric, &mut stated)?;
    preflight::refuse_unrunnable(&place.project, config, &stated.checks)?;
    let PlannedVerification { checks, criteria, model: _, hitl_threshold, prd, detected, mut notes } = stated;
    let terms = PolicyTerms {
        config,
        checks: &checks,
        judged: if judge.is_some() { Judged::ByJudge } else { Judged::ByNobody { criteria: criteria.len() } },
        agent: Some(&agent.tool),
        hitl_threshold: hitl_threshold.filter(|_| !is_said(config, Key::HitlThreshold)),
        evidence: request.evidence,
        worker: &request.worker,
    };
    let unrun_checks = alignment::unrun(&agreed, &checks);
    notes.extend(alignment::note(&unrun_checks));
    notes.extend(lint::split_signals(criteria.len(), Some(config)).iter().map(split_note));
    let policy = policy(&terms);
    notes.extend(spending::note_of_assumed(&agent, &policy.limits));
    leave_one_open(&checks, &policy)?;
    let tokens_max = config.tokens(Key::PromptContextTokensMax).unwrap_or(u64::MAX);
    let usual = if judge.is_some() { Preset::Judge } else { Preset::Basic };
    let preset = if config.preset == Preset::Auto { usual } else { config.preset };
    let terms = Agreement {
        goal: request.goal,
        preset: Some(preset.word().to_owned()),
        agent,
        checks,
        criteria,
        judge,
        rubric,
        said: said::stated_settings(config),
        memory: config.switched(Key::StructuredMemory, MemoryForm::Structured, MemoryForm::Plain),
        ignored_questions: alignment::texts(&agreed.open_questions),
        unrun_checks,
        completion_promise: config.text(Key::CompletionPromise).to_owned(),
        prompt_template: prompt_template(place, config)?,
        side_by_side: side_by_side(config, &request.worker, &mut notes),
        worker: request.worker,
        spec: request.spec,
        thinkers: tools::thinkers(place, config)?,
        notify: agreed_channels(&config.notify, &[&place.project])?,
        project_folder: config.switch(Key::LoopFolder).then_some(ProjectFolderTerms { prd, tokens_max }),
        ..Agreement::draft(verification(&place.project, config, detected)?, policy)
    };
    Ok(Plan { terms, notes })
}

/// Did anybody say it, for this loop or in a file?
fn is_said(config: &Config, key: Key) -> bool {
    config.origin(key).is_some_and(|origin| origin.layer != SettingLayer::Default)
}

/// What a goal is told that is too large for one loop.
fn split_note(lint::SplitSignal { message, .. }: &lint::SplitSignal) -> String {
    format!("{message}: several loops in a row do better; `gulf lint --split DIR` writes their rubrics")
}

/// Who would do the work with these settings and checks.
pub fn agent(place: &PlaceOfWork, config: &Config, checks: &[SealedCheck]) -> Result<AgentTerms> {
    tools::agent(place, config, checks, &WorkerTerms::Processes, &mut Vec::new())
}

/// How the work is checked; what is missing for a judge are criteria, whatever checks there are.
fn stated_for(place: &PlaceOfWork, config: &Config, request: &PlanRequest) -> Result<PlannedVerification> {
    let judging = judging(config);
    let rubric = request.rubric.as_deref();
    match stated(&place.project, config, rubric, evidence(request.evidence, judging)) {
        Err(PlanError::NoCheck { .. }) if judging == Judging::Always => {
            Err(PlanError::NoCriteria { path: rubric.unwrap_or(Utf8Path::new(RUBRIC)).to_owned() })
        }
        stated => stated,
    }
}

/// How checks get a checkout they can run in.
pub(crate) fn verification(
    project: &Utf8Path,
    config: &Config,
    detected: Detected,
) -> Result<VerificationTerms, RunError> {
    Ok(VerificationTerms {
        output: if config.switch(Key::VerifyFromClean) { KeptOutput::Cleared } else { KeptOutput::Kept },
        file_bytes_max: FILE_BYTES_MAX,
        report_bytes_max: config.size(Key::VerifyReportLimit),
        tests_may_change: config.list(Key::VerifyTestsMayChange).to_vec(),
        count_as_tests: config.list(Key::VerifyCountAsTests).to_vec(),
        visible: config.list(Key::VerifyVisible).to_vec(),
        environment: readiness::terms(project, config, detected)?,
    })
}

/// How the work in a project is checked: what was written down, or else what is detected.
pub fn stated(
    project: &Utf8Path,
    config: &Config,
    rubric: Option<&Utf8Path>,
    evidence: CheckNeed,
) -> Result<PlannedVerification> {
    let mut notes = Vec::new();
    let path = rubric.unwrap_or(Utf8Path::new(RUBRIC));
    let rubric = read_rubric(project, rubric, &mut notes)?;
    let detected = detected(project);
    let mut checks = stated_checks(project, config, &rubric, path)?;
    let (prd, of_product) = found::product(project, config, &mut notes)?.unzip();
    let of_product = of_product.unwrap_or_default();
    let criteria: Vec<String> = alignment::texts(&rubric.criteria).into_iter().chain(of_product).collect();
    // Where there are none, no judge is asked instead.
    let is_open = evidence == CheckNeed::OrCriteria && criteria.is_empty();
    let evidence = if is_open { CheckNeed::Required } else { evidence };
    if checks.is_empty() && evidence != CheckNeed::Waived {
        checks = found::agreed_on(&detected, (project, config), evidence, &mut notes)?;
        if checks.is_empty() {
            notes.push("no check was named or found: the judge's criteria decide".to_owned());
        }
    }
    found::place_checks(&mut checks, config)?;
    let (model, hitl_threshold) = (rubric.model.map(|item| item.text), rubric.hitl_threshold);
    Ok(PlannedVerification { checks, criteria, model, hitl_threshold, prd, detected, notes })
}

/// Looks at the project's files for languages and their commands.
pub fn detected(project: &Utf8Path) -> Detected {
    let mut paths = found::listing(project);
    let read =
        |path: &str| files::read_text(&project.join(path), MANIFEST_BYTES_MAX).ok().map(|text| text.content);
    let detected = found::with_runners(detect(&paths, &read));
    // A lockfile that git ignores, as libraries have it, is in no candidate: nothing can be set up from it there.
    let ignored = match detected.lockfiles.as_slice() {
        [] => Vec::new(),
        some => git::ignored_paths(project, some).unwrap_or_default(),
    };
    if ignored.is_empty() {
        return detected;
    }
    paths.retain(|path| !ignored.contains(path));
    found::with_runners(detect(&paths, &read))
}

/// Reads the rubric; where none is named and there is no RUBRIC.md, there is an empty one.
fn read_rubric(project: &Utf8Path, named: Option<&Utf8Path>, notes: &mut Vec<String>) -> Result<Rubric> {
    let path = named.unwrap_or(Utf8Path::new(RUBRIC));
    let text = match files::read_text(&project.join(path), TEXT_BYTES_MAX) {
        Ok(text) => text.content,
        Err(ReadError::Missing { .. }) if named.is_none() => return Ok(Rubric::default()),
        Err(error) => return Err(error.into()),
    };
    let rubric = rubric::parse(&Source::new(path.as_str(), &text));
    let problems: Vec<_> = rubric.errors().cloned().collect();
    if !problems.is_empty() {
        return Err(PlanError::Rubric { path: path.to_owned(), problems });
    }
    notes.extend(rubric.problems.iter().map(Located::in_one_line));
    Ok(rubric)
}

/// The checks that somebody wrote down: RUBRIC.md, gulf.toml and `--check`, autochecks.sh.
fn stated_checks(
    project: &Utf8Path,
    config: &Config,
    rubric: &Rubric,
    rubric_path: &Utf8Path,
) -> Result<Vec<SealedCheck>> {
    let of_rubric = |Item { text, line, .. }: &Item| {
        SealedCheck::from_command(text, text, format!("{rubric_path}:{line}"))
    };
    let mut checks: Vec<SealedCheck> = rubric.checks.iter().map(of_rubric).collect();
    for setting in &config.checks {
        let mut check =
            SealedCheck::from_command(&setting.name, &setting.command, setting.origin.to_string());
        check.timeout_ms = milliseconds(setting.timeout);
        check.directory = Utf8PathBuf::from(&setting.cwd);
        check.environment.clone_from(&setting.env);
        check.measures = setting.measures;
        check.reports.clone_from(&setting.reports);
        check.is_new = setting.is_new;
        if setting.is_hidden {
            hold_out(&mut check, project)?;
        }
        checks.push(check);
    }
    let autochecks = project.join(AUTOCHECKS);
    if autochecks.is_file() {
        if !programs::is_executable(&autochecks) {
            return Err(PlanError::AutochecksNotExecutable { path: Utf8PathBuf::from(AUTOCHECKS) });
        }
        let command = format!("./{AUTOCHECKS}");
        checks.push(SealedCheck::from_command("autochecks", &command, AUTOCHECKS.to_owned()));
    }
    distinct(checks)
}

/// The same command is run once; one name for two commands is a mistake.
fn distinct(checks: Vec<SealedCheck>) -> Result<Vec<SealedCheck>> {
    let mut kept: Vec<SealedCheck> = Vec::new();
    for check in checks {
        let same = |one: &&mut SealedCheck| {
            (&one.command, &one.directory, &one.held_out)
                == (&check.command, &check.directory, &check.held_out)
        };
        if let Some(first) = kept.iter_mut().find(same) {
            first.is_new |= check.is_new;
            continue;
        }
        if let Some(first) = kept.iter().find(|one| one.name == check.name) {
            let (name, first) = (check.name.to_string(), first.origin.clone());
            return Err(PlanError::DuplicateCheck { name, first, second: check.origin });
        }
        kept.push(check);
    }
    Ok(kept)
}

/// Only what stands on a branch of its own can be joined there without touching what is a person's. A session has agents
/// of its own, and joins nothing.
fn side_by_side(config: &Config, worker: &WorkerTerms, notes: &mut Vec<String>) -> Option<NonZeroU32> {
    let wanted = config.unless_off(Key::StepsParallel).filter(|wanted| wanted.get() > 1)?;
    if !config.steps.iter().any(|step| step.terms.step == Step::Plan) {
        notes.push("steps.parallel has no effect without a plan (`steps.plan`)".to_owned());
        return None;
    }
    let joins = *worker == WorkerTerms::Processes;
    if joins && (!config.preset.lands() || config.switch(Key::LandingInPlace)) {
        notes.push("steps.parallel has no effect without the preset autopilot, or in place".to_owned());
        return None;
    }
    Some(wanted)
}

fn prompt_template(place: &PlaceOfWork, config: &Config) -> Result<Option<SealedText>> {
    let Some(path) = config.optional_text(Key::PromptTemplate) else { return Ok(None) };
    let text = files::read_text(&place.project.join(path), TEXT_BYTES_MAX)?;
    Ok(Some(SealedText { path: path.to_owned(), text: text.content }))
}
