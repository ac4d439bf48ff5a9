//! Starts what a person asks for: what would be sealed is composed, what is in the way is refused or ended, and the loop is
//! sealed and driven.

pub mod preview;

use std::sync::Arc;

use camino::Utf8Path;
use gulf_engine::{PauseReason, Stage};
use gulf_host::clock::Clock;
use gulf_host::files;
use gulf_host::lock::Lock;
use gulf_runner::agreement::WorkerTerms;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{
    CheckNeed, Plan, PlanError, PlanRequest, Questions, TEXT_BYTES_MAX, plan, ralph_layout, with_texts,
};
use gulf_runner::prompt::first_prompt;
use gulf_runner::specs::{self, SpecTerms};
use gulf_runner::start::{self, KnownLoop, Loops, StartError};
use gulf_runner::trust::GivenOn;
use gulf_runner::{branching, cleanup, group, session, tasks};
use gulf_spec::config::{Config, Key, Preset};
use gulf_spec::texts::is_prompt_skeleton;
use gulf_views::one_line;

use crate::cli::{ResumeArguments, TermsArguments};
use crate::drive::{DriveStyle, drive_and_show, go_on_with, terms, together};
use crate::ending::{self, Replacing};
use crate::failure::{Failure, Result};
use crate::out::say_note;
use crate::screen::TellingStyle;
use crate::settings::{self, SettingsScope};
use crate::trusting::{self, TypedPlace, Word};
use crate::{drive, hints, input, place, requests};

/// A person begins something in this repository.
const RUN: Word<'static> = Word { by: "gulf run", typed: TypedPlace::Terminal, occasion: GivenOn::Beginning };

/// What is asked for, by `gulf run`, `gulf start`, `gulf demo`, a prompt or a state file.
#[derive(Debug)]
pub struct RunRequest {
    pub plan: PlanRequest,
    pub flags: Vec<(Key, String)>,
    pub replacing: Replacing,
    pub heard: SettingsScope,
    pub manner: DriveStyle,
}

impl RunRequest {
    /// By the flags that `gulf run` and `gulf start` have in common.
    pub fn from_flags(
        terms: &TermsArguments,
        (spec, goal): (Option<SpecTerms>, String),
        flags: Vec<(Key, String)>,
        worker: WorkerTerms,
    ) -> Self {
        let request = Self::new(goal, flags, worker);
        let plan = PlanRequest {
            spec,
            rubric: terms.rubric.clone(),
            evidence: if terms.unverified { CheckNeed::Waived } else { CheckNeed::Required },
            questions: if terms.ignore_questions { Questions::Ignored } else { Questions::Stop },
            ..request.plan
        };
        let replacing = match (terms.replace, terms.yes) {
            (true, true) => Replacing::Agreed,
            (true, false) => Replacing::Asked,
            (false, _) => Replacing::Refused,
        };
        Self { plan, replacing, ..request }
    }

    /// Where nothing else was said.
    pub fn new(goal: String, flags: Vec<(Key, String)>, worker: WorkerTerms) -> Self {
        let (evidence, questions) = (CheckNeed::Required, Questions::Stop);
        let plan = PlanRequest { goal, rubric: None, evidence, questions, worker, spec: None };
        let (replacing, heard) = (Replacing::Refused, SettingsScope::Everyone);
        Self { plan, flags, replacing, heard, manner: DriveStyle::usual(TellingStyle::Lines) }
    }
}

/// Starts or goes on, and drives until the loop ends, rests, or this process is told to leave.
pub fn drive_goal(place: &PlaceOfWork, request: &RunRequest) -> Result<u8> {
    if request.replacing != Replacing::Refused {
        requests::refuse_agents("replace a loop")?;
    }
    place::is_project(place)?;
    place::note_of_folder(place);
    branching::clear_away(place)?.into_iter().for_each(say_note);
    cleanup::put_all_away(place).into_iter().for_each(say_note);
    let Loops { known, damaged } = start::loops(place)?;
    place::pass_over(&damaged);
    let open: Vec<KnownLoop> =
        known.into_iter().filter(|one| one.is_unfinished() && one.is_of(&place.project)).collect();
    let clock = Arc::new(Clock::new());
    if let Some(same) =
        start::same_goal(&open, &request.plan.goal).filter(|_| request.replacing == Replacing::Refused)
    {
        return go_on(place, request, &group::together(same, &open), &clock);
    }
    let spec = free_spec(place, request)?;
    let (config, sealed) = composed_of(place, request)?;
    let is_apart = config.preset.lands() && !config.switch(Key::LandingInPlace);
    for one in &open {
        // A worktree of its own stands in nobody's way, unless it is for the same goal.
        let is_same = start::same_goal(std::slice::from_ref(one), &request.plan.goal).is_some();
        if !is_same && (is_apart || !one.works_in(&place.project)) {
            continue;
        }
        if request.replacing == Replacing::Refused {
            drop(start::take_checkout(place, one.name.as_str())?);
            return Err(StartError::Unfinished { id: one.handle() }.into());
        }
        ending::may_end(one, request.replacing)?;
        ending::replace(place, one, &clock)?;
        session::let_go(place)?;
        errln!("ended {} in favour of this goal", one.handle());
    }
    if request.heard == SettingsScope::Everyone {
        let commands = trusting::commands(&place.project, &config, &sealed.terms.checks);
        trusting::give_at(place, RUN, &commands)?;
    }
    if config.preset.lands() {
        return preview::start(place, request, &config, (sealed, spec), &clock);
    }
    let held = start::start(place, sealed, &clock)?;
    // It is found from now on.
    drop(spec);
    drive_and_show(place, held, &request.manner, &clock)
}

/// This goal has loops that are not finished.
fn go_on(place: &PlaceOfWork, request: &RunRequest, members: &[KnownLoop], clock: &Arc<Clock>) -> Result<u8> {
    trusting::give_at(place, RUN, &[])?;
    for same in members {
        terms::are_those_of(same, &request.flags)?;
    }
    for same in members {
        errln!("this goal has an unfinished loop: going on with {}", same.handle());
    }
    let beside = match members.first() {
        Some(first) => together::over(first, &place::known(place, None)?),
        None => Vec::new(),
    };
    let is_json = request.manner.telling == TellingStyle::Json;
    let resumed = ResumeArguments { json: is_json, ..ResumeArguments::default() };
    go_on_with(place, (members, &beside), &request.manner, clock, |held| {
        terms::settle(place, held, &resumed, clock)?;
        // The goal typed again says nothing of tests: the last screen names the commands that do.
        let is_left = matches!(&held.book.state().stage, Stage::Paused(PauseReason::TestsChanged, _));
        if is_left { Ok(()) } else { drive::go_on(held, clock) }
    })
}

/// Another loop on the same spec is in the way, unless it is here and about to be replaced. Until the lock is let go
/// nobody else in this repository starts on a spec: two who start at once would not see each other.
pub fn free_spec(place: &PlaceOfWork, request: &RunRequest) -> Result<Option<Lock>> {
    let Some(spec) = &request.plan.spec else { return Ok(None) };
    let lock = specs::alone(place)?;
    let mut others = place::known(place, None)?;
    others.retain(|one| request.replacing == Replacing::Refused || !one.works_in(&place.project));
    specs::is_free(spec, &others)?;
    Ok(Some(lock))
}

/// The settings in force for this request, and what would be sealed with them.
pub fn composed_of(place: &PlaceOfWork, request: &RunRequest) -> Result<(Config, Plan)> {
    let in_force = settings::heard(place, request.heard, request.flags.clone())?;
    let is_list = in_force.preset == Preset::Tasks;
    if is_list && request.plan.worker != WorkerTerms::Processes {
        return Err(no_list_in_session());
    }
    let mut notes = Vec::new();
    let list = is_list.then(|| tasks::terms(place, &in_force, &mut notes)).transpose()?;
    let mut config = in_force.clone();
    let planned = match plan(place, &config, request.plan.clone()) {
        Err(error @ PlanError::OnlyProposed { .. }) if agrees(&error)? => {
            let flags =
                request.flags.iter().cloned().chain([(Key::VerifyDetected, "true".to_owned())]).collect();
            config = settings::heard(place, request.heard, flags)?;
            plan(place, &config, request.plan.clone())
        }
        planned => planned,
    };
    let mut plan = with_texts(place, &config, planned?)?;
    plan.terms.list = list;
    plan.notes.extend(notes);
    plan.notes.extend(hints::of_presets(&plan.terms.goal, &config));
    // A template that cannot be used is refused here, and not by the first turn.
    first_prompt(place, &plan.terms)?;
    Ok((in_force, plan))
}

// Asks a person about checks that stand in a project's CI and task files.

/// Shows what was found, and where; does the person at the terminal take it? Where nobody can be asked nobody does.
pub fn agrees(error: &PlanError) -> Result<bool> {
    let PlanError::OnlyProposed { found, .. } = error else { return Ok(false) };
    if !input::can_ask() {
        return Ok(false);
    }
    errln!("No check is named. Found in the project:");
    found.iter().for_each(|one| errln!("  {}", one_line(one)));
    input::agrees("Take that?")
}

// What is to be done, where nobody says it in words: it stands in a file, or the project itself says it.

/// What stands in a file that a person named.
pub fn in_file(file: &Utf8Path) -> Result<String> {
    written(file, file.as_str())
}

/// What the project itself says is to be done, if it does: a Ralph project's prompt, else PROMPT.md.
pub fn of_project(place: &PlaceOfWork) -> Result<Option<String>> {
    let ralph = ralph_layout(&place.project)?;
    let name = ralph.map_or_else(|| "PROMPT.md".to_owned(), |layout| layout.prompt);
    let file = place.project.join(&name);
    if file.is_file() { written(&file, &name).map(Some) } else { Ok(None) }
}

/// The refusal of a start without a word, by this command.
pub fn missing(command: &str) -> Failure {
    Failure::usage(
        "no prompt was given, and there is no PROMPT.md",
        format!("say what is to be done: `gulf {command} \"add a --json flag\"`"),
    )
}

/// The refusal of a list of tasks where a session is the worker.
pub fn no_list_in_session() -> Failure {
    let what = "a list of tasks is not worked off in a session";
    Failure::usage(what, "`gulf run --preset tasks` works it off in processes of gulf's own")
}

/// What a person wrote down, and not what `gulf init` did.
fn written(file: &Utf8Path, name: &str) -> Result<String> {
    let text = files::read_text(file, TEXT_BYTES_MAX)?.content;
    if is_prompt_skeleton(&text) {
        return Err(Failure::usage(
            format!("{name} still is what `gulf init` wrote"),
            "write down what is to be done, or give it: `gulf run \"add a --json flag\"`",
        ));
    }
    Ok(text)
}
