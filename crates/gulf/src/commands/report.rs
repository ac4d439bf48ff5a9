//! `gulf report`: what is kept in the project when a loop ends, at any time; as a page, for a pull request, and of all loops
//! of a night.

use std::time::Duration;

use camino::Utf8Path;
use gulf_engine::State;
use gulf_faces::PageTerms;
use gulf_host::clock::{Clock, day_began, local_moment};
use gulf_host::files;
use gulf_runner::agreement::{Agreement, Tool, WorkerTerms};
use gulf_runner::book;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::KnownLoop;
use gulf_spec::quantity::duration;
use gulf_views::{
    History, Night, NightLoop, Report, ReportPage, Stats, StatsWorker, brief, night_json, report_json,
    stats_json,
};

use super::tell;
use crate::cli::{LoopReportArguments, StatsArguments};
use crate::failure::{Failure, Result};
use crate::language::language;
use crate::out::{masked, say_note};
use crate::place::{self, driver_of};
use crate::report::{ReportDepth, ReportedLoop, gathered, worktree};
use crate::{paths, screen};

pub fn report(arguments: &LoopReportArguments) -> Result<u8> {
    let LoopReportArguments { which, markdown, html, since } = arguments;
    let place = place::here()?;
    if let Some(since) = since {
        return of_night(&place, since, arguments);
    }
    let known = place::meant(&place, which.id.as_deref())?;
    let report = of_loop(&place, &known, ReportDepth::Full)?;
    if html.is_none() && (which.json || *markdown) {
        return tell(which.json, || report_json(&report), || brief(&report));
    }
    let report = report.in_language(language());
    match html {
        Some(file) => write_page(file, &gulf_faces::report(&ReportPage::new(&report), terms())),
        None => screen::say(&gulf_views::report(&report)).map(|()| 0),
    }
}

/// All loops that something happened to since then.
fn of_night(place: &PlaceOfWork, since: &str, arguments: &LoopReportArguments) -> Result<u8> {
    let now_ms = Clock::new().wall_ms();
    let since_ms = moment(since, now_ms)?;
    let mut loops = Vec::new();
    for known in place::known(place, None)?.iter().filter(|one| one.fold.last_at_ms >= since_ms) {
        match of_loop(place, known, ReportDepth::Words) {
            Ok(report) if arguments.which.json => loops.push(NightLoop::new(&report)),
            Ok(report) => loops.push(NightLoop::new(&report.in_language(language()))),
            Err(failure) => say_note(format!("passing over {}: {}", known.handle(), failure.in_one_line())),
        }
    }
    let night = Night::new(local_moment(since_ms, now_ms), since_ms, loops);
    let text = || gulf_views::night(&night, screen::stdout_look());
    match &arguments.html {
        Some(file) => write_page(file, &gulf_faces::night(&night, terms())),
        None => tell(arguments.which.json, || night_json(&night), text),
    }
}

/// `yesterday`, a date, or so long ago.
pub(super) fn moment(since: &str, now_ms: u64) -> Result<u64> {
    let ago = |ago: Duration| now_ms.saturating_sub(u64::try_from(ago.as_millis()).unwrap_or(u64::MAX));
    let moment = day_began(since, now_ms).or_else(|| duration(since).ok().map(ago));
    moment.ok_or_else(|| {
        let hint = "use `yesterday`, `today`, a date such as 2026-02-13, or a duration such as 12h";
        Failure::usage(format!("`--since {since}` is not a point in time"), hint)
    })
}

pub fn of_loop(place: &PlaceOfWork, known: &KnownLoop, depth: ReportDepth) -> Result<Report> {
    let agreement = known.agreement()?;
    let (folder, state) = (&known.home, &known.fold.state);
    let mut facts = place::facts(&agreement, known.home.root());
    let history = History::fold(&book::read(known.home.root())?);
    place::add_end(&mut facts, folder, &history, state);
    let lies = &worktree(&agreement, folder, &history, state);
    let told = ReportedLoop { lies, agreement: &agreement, folder, facts: &facts, history: &history, state };
    Ok(gathered(place, &told, driver_of(known)?, depth))
}

/// For whom pages are drawn that a person keeps.
fn terms() -> PageTerms {
    PageTerms { mask: masked, language: language() }
}

/// Where a file is named, says that it was written: whoever pipes the page gets nothing else.
fn write_page(file: &Utf8Path, page: &str) -> Result<u8> {
    if file == "-" {
        screen::say(page)?;
        return Ok(0);
    }
    files::write_to(file, page.as_bytes()).map_err(|error| {
        let hint = "name a file in a folder that is there and can be written to, or `-` for standard output";
        Failure::world(&error, Some(hint.to_owned()))
    })?;
    outln!("wrote {}", paths::shown(file));
    Ok(0)
}

// `gulf stats`: numbers over all loops of this repository.

pub fn stats(arguments: &StatsArguments) -> Result<u8> {
    let place = place::here()?;
    let mut loops: Vec<(StatsWorker, History, State)> = Vec::new();
    for known in place::known(&place, None)? {
        // Of a contract that another version of gulf sealed.
        let unknown = |_| StatsWorker { agent: "unknown".to_owned(), model: None };
        let worker = known.agreement().map_or_else(unknown, |agreement| worker(&agreement));
        loops.push((worker, History::fold(&book::read(known.home.root())?), known.fold.state));
    }
    let stats =
        Stats::from_loops(loops.iter().map(|(worker, history, state)| (worker.clone(), history, state)));
    let text = || gulf_views::stats(&stats, screen::stdout_look());
    match &arguments.html {
        Some(file) => write_page(file, &gulf_faces::stats(&stats, terms())),
        None => tell(arguments.json, || stats_json(&stats), text),
    }
}

fn worker(agreement: &Agreement) -> StatsWorker {
    let (agent, model) = match (&agreement.worker, &agreement.agent.tool) {
        (WorkerTerms::Session { host } | WorkerTerms::Adopted { host, .. }, _) => {
            (format!("{host} session"), None)
        }
        (WorkerTerms::Processes, Tool::Agent { agent, model }) => (agent.name().to_owned(), model.clone()),
        (WorkerTerms::Processes, Tool::Command { command }) => {
            let program = command.split_whitespace().next().unwrap_or_default();
            (format!("command:{program}"), None)
        }
    };
    StatsWorker { agent, model }
}
