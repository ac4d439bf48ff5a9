//! `gulf show`: one iteration: asked, done, claimed, judged, left, and what it changed.

use std::io::{IsTerminal, Write};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Candidate, CheckName, Event, LoopId};
use gulf_host::clock::Clock;
use gulf_host::git::DiffForm;
use gulf_host::home::Name;
use gulf_runner::agreement::{Agreement, ForkedFrom, RepositoryKind, WorkerTerms};
use gulf_runner::book::{self, BookRest};
use gulf_runner::branching::begin;
use gulf_runner::error::{RunError, in_full};
use gulf_runner::folder::LoopPaths;
use gulf_runner::fork::{again, starting_point};
use gulf_runner::judge::{JUDGE, last_of, refusals};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::{agent, check_program};
use gulf_runner::start::loops;
use gulf_runner::trust::GivenOn;
use gulf_runner::{amend, known};
use gulf_spec::config::{Config, Key};
use gulf_spec::handle;
use gulf_spec::point::{Point, PointSpan};
use gulf_views::{
    CandidateChange, Damage, Iteration, IterationReport, IterationTexts, Replay, ReplayStop, ScreenLanguage,
    iteration as iteration_screen, iteration_json, replay as replay_screen, replay_json,
};

use super::tell;
use crate::cli::{DiffArguments, ForkArguments, LoopArguments, RestoreArguments, ShowArguments};
use crate::drive::{DriveStyle, drive_and_show};
use crate::excerpts::{final_message, last_attempt};
use crate::failure::{Failure, Result};
use crate::iterations::RecordedLoop;
use crate::out::say_note;
use crate::report::change;
use crate::screen::{self, TellingStyle};
use crate::starting::preview;
use crate::trusting::{self, Word};
use crate::{place, requests, settings, verdicts};

pub fn show(arguments: &ShowArguments) -> Result<u8> {
    let point = Point::parse(arguments.point.as_deref())?;
    let recorded = RecordedLoop::find(point.loop_id.as_deref())?;
    let report = report_of(&recorded, point.iteration)?;
    tell(arguments.json, || iteration_json(&report), || iteration_screen(&report, screen::stdout_look()))
}

/// What is told of an iteration; without a number, of the last one.
pub fn report_of(recorded: &RecordedLoop, iteration: Option<u32>) -> Result<IterationReport> {
    let (facts, _) = place::facts_of(&recorded.known)?;
    let history = &recorded.history;
    let state = &recorded.known.fold.state;
    Ok(match recorded.iteration(iteration)? {
        None => IterationReport::of_start(&facts, history, state, &recorded.base),
        Some(one) => IterationReport::finished(&facts, history, state, one, texts(recorded, one)),
    })
}

/// What lies beside the journal; what is gone is left out.
fn texts(recorded: &RecordedLoop, iteration: &Iteration) -> IterationTexts {
    let folder = &recorded.known.home;
    let logs = folder.iteration(iteration.number);
    let mut said: Vec<_> = refusals(folder, iteration.number).into_iter().map(|(_, said)| said).collect();
    if said.is_empty() && iteration.judge.is_some() {
        said.extend(last_of(folder, iteration.number, JUDGE));
    }
    let (since, before) = recorded.before(iteration.number);
    let changed = |since, from: &Candidate| {
        let files = change::between(&recorded.place, folder, from, iteration.candidate()?)?;
        Some(CandidateChange { since, files })
    };
    IterationTexts {
        prompt: last_attempt(&logs, "prompt", "md").map(Into::into),
        message: final_message(&logs).unwrap_or_default(),
        outputs: outputs(folder, iteration),
        reasons: said.iter().flat_map(verdicts::reasons).collect(),
        changed_since_last: changed(since, &before),
        // In the first iteration both are the same.
        changed_since_start: if since == 0 { None } else { changed(0, &recorded.base) },
    }
}

fn outputs(folder: &LoopPaths, iteration: &Iteration) -> Vec<(CheckName, String)> {
    let Some(candidate) = iteration.candidate() else { return Vec::new() };
    let red = iteration.checks.iter().filter(|(_, run)| !run.is_green());
    let printed = |name| verdicts::printed(folder, &candidate.tree, name);
    red.filter_map(|(name, _)| Some((name.clone(), printed(name)?))).collect()
}

// `gulf diff`: what changed between two moments of a loop, as `git diff` shows it.

/// How wide a list of files is where nobody looks.
const PIPED_COLUMNS: u16 = 100;

pub fn diff(arguments: &DiffArguments) -> Result<u8> {
    let span = PointSpan::parse(arguments.span.as_deref())?;
    let recorded = RecordedLoop::find(span.loop_id.as_deref())?;
    let (from, to) = recorded.ends(span.steps)?;
    let is_terminal = std::io::stdout().is_terminal();
    let columns_max = if is_terminal { screen::stdout_look().columns_max } else { PIPED_COLUMNS };
    let form = if arguments.stat { DiffForm::Stat { columns_max } } else { DiffForm::Patch };
    let text = recorded.repository()?.diff_text(&from.tree, &to.tree, form)?;
    let text = if is_terminal { gulf_views::tame(&text) } else { text };
    match std::io::stdout().lock().write_all(&text) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::broken(error)),
        Ok(()) | Err(_) => Ok(0),
    }
}

// `gulf restore`: an iteration's files in a folder of their own; nothing of the project is touched.

pub fn restore(arguments: &RestoreArguments) -> Result<u8> {
    let point = Point::parse(arguments.point.as_deref())?;
    let recorded = RecordedLoop::find(point.loop_id.as_deref())?;
    let (number, candidate) = recorded.candidate(point.iteration)?;
    let folder = target(&arguments.to)?;
    refuse(&recorded, &folder)?;
    let absent = recorded.repository()?.restore(&candidate.commit, &folder)?;
    for finding in absent {
        say_note(format!("the submodule {} is not in this repository, and was left empty", finding.path));
    }
    outln!("{}@{number} is in {folder}: commit {}", recorded.known.handle(), candidate.commit.as_str());
    Ok(0)
}

/// The folder's real path. Its parent must be there, so that a slip of the pen makes no tree of folders.
fn target(to: &Utf8Path) -> Result<Utf8PathBuf> {
    let to = place::current_directory()?.join(to);
    if let Ok(there) = to.canonicalize_utf8() {
        return Ok(there);
    }
    let (Some(parent), Some(name)) = (to.parent(), to.file_name()) else {
        return Err(Failure::usage(format!("{to} is not a valid folder name"), "name one, such as ../at-7"));
    };
    let parent = parent.canonicalize_utf8().map_err(|error| {
        Failure::usage(error.to_string(), format!("{parent} must be there: `mkdir -p '{parent}'`"))
    })?;
    Ok(parent.join(name))
}

fn refuse(recorded: &RecordedLoop, folder: &Utf8Path) -> Result<()> {
    let is_inside = |of: &Utf8Path| of.canonicalize_utf8().is_ok_and(|of| folder.starts_with(of));
    let elsewhere = "name a new folder elsewhere, such as `--to ../at-7`";
    if is_inside(recorded.place.home.root()) {
        return Err(Failure::usage(format!("{folder} is inside gulf's own folder"), elsewhere));
    }
    let layout = recorded.place.layout.iter();
    let mut of_project = layout.flat_map(|layout| [&layout.git_dir, &layout.common_dir]);
    if is_inside(&recorded.place.project) || of_project.any(|path| is_inside(path)) {
        let what = format!("{folder} is inside the project, where it would become part of the work");
        return Err(Failure::usage(what, elsewhere));
    }
    if !folder.exists() && !folder.is_symlink() {
        return Ok(());
    }
    let entries = folder.read_dir().map(|mut entries| entries.next().is_none());
    match entries {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::usage(format!("{folder} is not empty"), elsewhere)),
        Err(error) => Err(Failure::usage(error.to_string(), elsewhere)),
    }
}

// `gulf replay`: a loop's decisions, made once more from its journal.

pub fn replay(arguments: &LoopArguments) -> Result<u8> {
    let place = place::here()?;
    let name = name(&place, arguments.id.as_deref())?;
    let folder = place.loop_home(&name);
    let (events, rest) = book::read_readable(folder.root())?;
    let replay = Replay::from_events(&events, stop(&events, rest));
    // In the words of the rules that it is about.
    let look = screen::stdout_look().in_language(ScreenLanguage::English);
    let screen = || replay_screen(&known::handle(folder.root()), &replay, look);
    tell(arguments.json, || replay_json(&LoopId::new(name.as_str()), &replay), screen)?;
    Ok(replay.exit_code())
}

/// A damaged loop can be named, too: this is the command to look at it with.
fn name(place: &PlaceOfWork, id: Option<&str>) -> Result<Name> {
    if let Some(id) = id {
        let mut damaged = loops(place)?.damaged.into_iter().map(|one| one.name);
        if let Some(name) = damaged.find(|name| handle::begins(name.as_str(), id)) {
            return Ok(name);
        }
    }
    Ok(place::meant(place, id)?.name)
}

fn stop(events: &[Event], rest: BookRest) -> Option<ReplayStop> {
    let after = events.last().map_or(0, |event| event.sequence);
    match rest {
        BookRest::Nothing => None,
        BookRest::Unfinished { bytes } => {
            let why = format!("the last line is unfinished ({bytes} bytes) and is ignored");
            Some(ReplayStop { after, why, damage: Damage::UnfinishedLine })
        }
        BookRest::Damaged(error) => Some(ReplayStop { after, why: in_full(&error), damage: Damage::Corrupt }),
    }
}

// `gulf fork`: a new loop with the same goal and contract that goes on from an iteration, beside the person's checkout.

pub fn fork(arguments: &ForkArguments) -> Result<u8> {
    requests::refuse_agents("fork a loop")?;
    let point = Point::parse(arguments.point.as_deref())?;
    let recorded = RecordedLoop::find(point.loop_id.as_deref())?;
    let (number, candidate) = recorded.candidate(point.iteration)?;
    let (sealed, config) = contract(&recorded, arguments)?;
    let restore = format!("`gulf restore {}@{number} --to DIR`, then", recorded.known.handle());
    if sealed.repository == RepositoryKind::Shadow {
        let what = "a project without git has no branches to fork to";
        return Err(Failure::usage(what, format!("{restore} `gulf run` there")));
    }
    if sealed.list.is_some() {
        let what = "a loop that works off a list is not forked: its list stands with what is done";
        return Err(Failure::usage(what, format!("{restore} `gulf run --preset tasks` there")));
    }
    check_program("agent", &sealed.agent.tool, &recorded.place)?;
    let clock = Arc::new(Clock::new());
    let (place, original) = (&recorded.place, &recorded.known.home);
    let (loop_id, commit) = (LoopId::new(recorded.known.name.as_str()), candidate.commit.clone());
    let from = ForkedFrom { loop_id, iteration: number, commit, branch: None };
    let plan = again(sealed, from, recorded.compared_with(number));
    let worktrees = config.optional_text(Key::EnvironmentWorktrees);
    let of_original = (original, recorded.repository()?);
    let (start, site) = starting_point(place, of_original, candidate.commit, worktrees, clock.wall_ms())?;
    trusting::give_at(place, Word::terminal("gulf fork", GivenOn::Beginning), &[])?;
    let (mut held, notes) = begin(place, &start, vec![(site, plan)], &clock)?;
    let held = held.pop().ok_or(RunError::NoContract)?;
    let Agreement { project, forked_from, .. } = &held.resources.agreement;
    let branch = forked_from.as_ref().and_then(|from| from.branch.as_deref()).unwrap_or_default();
    errln!("forked {}@{number}: branch {branch} in {project}", recorded.known.handle());
    notes.iter().for_each(say_note);
    let there = preview::of_held(place, &held)?;
    drive_and_show(&there, held, &DriveStyle::usual(TellingStyle::from_json_flag(arguments.json)), &clock)
}

/// What was sealed, with the agent and the limits that the person names now; and all that is set now.
fn contract(recorded: &RecordedLoop, arguments: &ForkArguments) -> Result<(Agreement, Config)> {
    let sealed = recorded.known.agreement()?;
    let named = [(Key::AgentTool, &arguments.agent), (Key::AgentModel, &arguments.model)];
    let named = named.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
    let flags: Vec<(Key, String)> = named.chain(arguments.limits.said.clone()).collect();
    let is_another = arguments.agent.is_some() || arguments.model.is_some();
    if !is_another && sealed.worker != WorkerTerms::Processes {
        let what = "a session worked on this loop, and a fork works in processes of gulf's own";
        let hint = "name an agent: `--agent claude`, `--agent codex`, `--agent 'command:my-agent'`";
        return Err(Failure::usage(what, hint));
    }
    let mut spoken = amend::settings(&sealed);
    spoken.retain(|(key, _)| flags.iter().all(|(flag, _)| flag != key));
    spoken.extend(flags);
    let config = settings::load(&recorded.place, spoken)?;
    let mut sealed = amend::with_flags(&sealed, &config);
    if is_another {
        let allow = sealed.agent.allow.clone();
        sealed.agent = agent(&recorded.place, &config, &sealed.checks)?;
        sealed.agent.allow.extend(allow);
        sealed.agent.allow.sort();
        sealed.agent.allow.dedup();
    }
    Ok((sealed, config))
}
