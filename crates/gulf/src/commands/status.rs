//! `gulf status` and `gulf list`: where loops stand.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};

use gulf_engine::{Event, UNDER_WAY_EXIT_CODE};
use gulf_host::clock::{Clock, local_moment};
use gulf_host::home::Name;
use gulf_host::watch::Wake;
use gulf_runner::agreement::{Agreement, WorkerTerms};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::KnownLoop;
use gulf_runner::{book, group};
use gulf_spec::goal::goal_title;
use gulf_spec::handle;
use gulf_views::{
    Cost, DriverPresence, Facts, History, Look, LoopStatus, Member, QuestionReport, Row, Trend, group_json,
    group_result, list_json, progress_report, result, status_json, table, under_way,
};
use serde_json::Value;

use super::tell;
use crate::cli::{LoopsArguments, StatusArguments};
use crate::commands::log::LOOK_EVERY;
use crate::commands::report::moment;
use crate::drive::notify;
use crate::failure::{Failure, Result, USAGE};
use crate::in_session::{adopt, conclude};
use crate::language::language;
use crate::out::say_note;
use crate::place::{self, driver_of};
use crate::report::unlanded_behind;
use crate::screen;
use crate::{ending, reviewing};

pub fn status(arguments: &StatusArguments) -> Result<u8> {
    let place = place::here()?;
    let id = arguments.which.id.as_deref();
    if arguments.exit_code && id.is_none() && place::known_here(&place, None)?.is_empty() {
        // A script must not take it for a loop that is verified.
        return Err(Failure::usage("there is no loop here", "start one with `gulf run \"…\"`"));
    }
    let code = if arguments.watch { watched(arguments, &place)? } else { shown(arguments, &place)? };
    if arguments.exit_code { standing_code(&place, id) } else { Ok(code) }
}

/// Of the loop that was shown; of several together, the worst, and whoever still works comes first.
fn standing_code(place: &PlaceOfWork, id: Option<&str>) -> Result<u8> {
    let known = place::meant(place, id)?;
    let mut members = if id.is_none() { group::members(&known, &place::known(place, None)?) } else { vec![] };
    if members.is_empty() {
        members.push(known);
    }
    let code = |one: &KnownLoop| Ok(LoopStatus::new(&one.fold.state, driver_of(one)?).asked_exit_code());
    let codes = members.iter().map(code).collect::<Result<Vec<u8>>>()?;
    let under_way = codes.iter().find(|code| **code == UNDER_WAY_EXIT_CODE).copied();
    Ok(under_way.or_else(|| codes.into_iter().max()).unwrap_or(USAGE))
}

/// Says it again whenever the journal grows, as long as somebody drives the loop.
fn watched(arguments: &StatusArguments, place: &PlaceOfWork) -> Result<u8> {
    const CLEAR: &str = "\u{1b}[H\u{1b}[2J";
    let is_terminal = std::io::stdout().is_terminal();
    let watch = notify::watch(&place::meant(place, arguments.which.id.as_deref())?.home)?;
    loop {
        let known = place::meant(place, arguments.which.id.as_deref())?;
        let driver = driver_of(&known)?;
        out!("{}", if is_terminal { CLEAR } else { "" });
        let code = shown(arguments, place)?;
        std::io::stdout().flush().map_err(Failure::broken)?;
        if driver == DriverPresence::Absent {
            return Ok(code);
        }
        outln!("{}", if is_terminal { "(Ctrl-C leaves; the loop keeps running)" } else { "" });
        while watch.wait_at_most(LOOK_EVERY) == Wake::TimedOut && driver_of(&known)? == driver {}
    }
}

fn shown(arguments: &StatusArguments, place: &PlaceOfWork) -> Result<u8> {
    let StatusArguments { which: arguments, report, exit_code: _, watch: _ } = arguments;
    let id = arguments.id.as_deref();
    if id.is_none() && arguments.json && place::known_here(place, None)?.is_empty() {
        outln!("{}", serde_json::json!({ "version": 1, "loop": null }));
        return Ok(0);
    }
    let is_of_none = id.is_none() && !arguments.json;
    if is_of_none
        && place::open_here(place)?.is_empty()
        && let Some(lying) = adopt::lying_here(place)?
    {
        out!("{lying}");
        return Ok(0);
    }
    let known = place::meant(place, id)?;
    place::tell_if_moved(&known);
    if id.is_none() {
        let members = group::members(&known, &place::known(place, None)?);
        if members.len() > 1 && !report {
            let (goal, members) = in_group(&members)?;
            let text = || group_result(&goal, &members, screen::stdout_look());
            return tell(arguments.json, || group_json(&goal, &members, 0), text);
        }
        if let Some(one) = unlanded_behind(&known, &place::known_here(place, None)?) {
            let handle = one.handle();
            say_note(format!("the work of {handle} is finished and has not landed: `gulf land {handle}`"));
        }
    }
    let (mut facts, agreement) = place::facts_of(&known)?;
    if let Some(agreement) = &agreement {
        notify::look_at_unread(&known, agreement, &mut facts.channels)?;
    }
    if arguments.json {
        outln!("{}", with_facts(&known, facts, agreement.as_ref())?);
        return Ok(0);
    }
    let events = book::read(known.home.root())?;
    let history = History::fold(&events);
    let state = &known.fold.state;
    let driver = driver_of(&known)?;
    if *report {
        place::add_end(&mut facts, &known.home, &history, state);
        out!("{}", progress_report(&facts, &history, state, driver));
        return Ok(0);
    }
    if let (Some(agreement), Ok(there)) = (&agreement, place::of_loop(place, &known)) {
        facts.changed_checks =
            reviewing::changed_checks(&there, (agreement, known.home.root()), &history, state);
    }
    facts.note = place::note(&known.home, state);
    if agreement.as_ref().is_some_and(|agreement| agreement.worker != WorkerTerms::Processes) {
        out!("{}", conclude::progress(&known)?);
    }
    let mut summary = ending::summary(&known, (facts, agreement), driver)?;
    if summary.standing == LoopStatus::Running {
        let now_ms = Clock::new().wall_ms();
        summary.advice.extend(under_way(&events, state, now_ms, |at_ms| local_moment(at_ms, now_ms)));
    }
    out!("{}", result(&summary, screen::stdout_look()));
    Ok(0)
}

/// Where one loop stands, for programs.
pub fn document(known: &KnownLoop) -> Result<Value> {
    let (facts, agreement) = place::facts_of(known)?;
    with_facts(known, facts, agreement.as_ref())
}

fn with_facts(known: &KnownLoop, mut facts: Facts, agreement: Option<&Agreement>) -> Result<Value> {
    let history = History::fold(&book::read(known.home.root())?);
    let state = &known.fold.state;
    facts.note = place::note(&known.home, state);
    facts.review = agreement
        .and_then(|agreement| reviewing::review_facts(agreement, known.home.root(), &history, state));
    place::add_end(&mut facts, &known.home, &history, state);
    Ok(status_json(&facts, &history, state, driver_of(known)?))
}

/// Where all of a group stand, as a person asks for it in a session.
pub fn of_group(group: &[KnownLoop]) -> Result<String> {
    let (goal, members) = in_group(group)?;
    Ok(group_result(&goal, &members, Look::piped().in_language(language())).trim_end().to_owned())
}

fn in_group(group: &[KnownLoop]) -> Result<(String, Vec<Member>)> {
    let told: Vec<(Member, String)> =
        group.iter().map(|known| place::member(known, driver_of(known)?)).collect::<Result<_, _>>()?;
    let (members, mut titles): (Vec<_>, Vec<_>) = told.into_iter().unzip();
    Ok((titles.pop().unwrap_or_default(), members))
}

pub fn list(arguments: &LoopsArguments) -> Result<u8> {
    let place = place::here()?;
    let now_ms = Clock::new().wall_ms();
    let since_ms = arguments.since.as_deref().map(|since| moment(since, now_ms)).transpose()?;
    let mut rows = Vec::new();
    let names = place.repository.loop_names()?;
    let known = place::known(&place, None)?;
    let names: Vec<&str> = names.iter().map(Name::as_str).collect();
    let handles: BTreeMap<&str, String> = names.iter().copied().zip(handle::handles(&names)).collect();
    for one in known.iter().filter(|one| since_ms.is_none_or(|since| one.fold.last_at_ms >= since)) {
        let handle = handles.get(one.name.as_str()).cloned().unwrap_or_else(|| one.handle());
        let events = if one.is_unfinished() { book::read(one.home.root())? } else { Vec::new() };
        let trend = trend(one, &events);
        rows.push(Row { trend, ..row(one, one.agreement().ok().as_ref(), handle)? });
    }
    let stands = |row: &Row| row.standing.word().split(' ').next().unwrap_or_default().to_owned();
    rows.retain(|row| arguments.state.is_empty() || arguments.state.contains(&stands(row)));
    let text = || {
        place::tell_of_earlier(&place);
        match (rows.is_empty(), known.len()) {
            (false, _) => table(&rows, now_ms, screen::stdout_look()),
            (true, 0) => {
                "There is no loop here yet. Start one with `gulf run \"…\"`, or watch `gulf demo`.\n"
                    .to_owned()
            }
            (true, all) => format!("No loop here matches. `gulf list` shows all {all}.\n"),
        }
    };
    tell(arguments.json, || list_json(&rows), text)
}

/// Is it getting nearer? Nobody asks that of what is over.
pub fn trend(known: &KnownLoop, events: &[Event]) -> Option<Trend> {
    known.is_unfinished().then(|| Trend::from_history(&History::fold(events), &known.fold.state)).flatten()
}

/// Without its trend; `agreement` is none where this gulf cannot read it.
pub fn row(known: &KnownLoop, agreement: Option<&Agreement>, handle: String) -> Result<Row> {
    let state = &known.fold.state;
    let branch = agreement.and_then(place::branch);
    let goal = agreement.map_or_else(|| place::UNREADABLE.to_owned(), |agreement| agreement.goal.clone());
    Ok(Row {
        loop_id: gulf_engine::LoopId::new(known.name.as_str()),
        handle,
        title: goal_title(&goal).to_owned(),
        goal,
        standing: LoopStatus::new(state, driver_of(known)?),
        branch,
        iteration: state.unit.iterations,
        iterations_max: state.iterations_max(),
        trend: None,
        queue: agreement.and_then(|agreement| place::queue(agreement, known)),
        cost: Cost::from_spending(&state.spending),
        microdollars_max: state.contract().and_then(|contract| contract.policy.limits.microdollars_max),
        open_questions: QuestionReport::open(state),
        updated_at_ms: known.fold.last_at_ms,
    })
}
