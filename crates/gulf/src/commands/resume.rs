//! `gulf resume`, and the driving that it shares with `gulf run`.

use std::sync::Arc;

use gulf_engine::{Fact, Stage, State, Worker, admit};
use gulf_host::clock::{Clock, SystemClock};
use gulf_host::journal::Durability;
use gulf_host::signals;
use gulf_runner::agreement::{Agreement, RepositoryKind};
use gulf_runner::book::Stamp;
use gulf_runner::branching;
use gulf_runner::claims::{Asked, Caller, RequestFile};
use gulf_runner::commit::{self, Uncommitted};
use gulf_runner::drive::{Leave, Left};
use gulf_runner::folder::LoopPaths;
use gulf_runner::group;
use gulf_runner::observer::Unobserved;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::check_agent;
use gulf_runner::session::{self, Means};
use gulf_runner::start::{self, Held, Known, StartError};
use gulf_runner::trust::GivenOn;
use gulf_views::{self as views, History, NextStep, Summary, Worktree, end_json, result};

use super::driving::{self, Driven, Driving};
use super::pause::Typed;
use super::reach::{self, Patience, Reached};
use super::together::{self, Beside};
use super::{act, pause, terms};
use crate::cli::ResumeArguments;
use crate::failure::Failure;
use crate::out::say_note;
use crate::screen::{self, Telling};
use crate::trusting::{self, Word};
use crate::{input, place, settings, verdicts};

/// How a loop is driven: how it is told, what it offers in the end, and how long a person is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Manner<'manner> {
    pub telling: Telling,
    pub parting: &'manner Parting,
    pub patience: Patience,
}

impl Manner<'_> {
    /// As most commands drive.
    pub fn usual(telling: Telling) -> Self {
        Manner { telling, parting: &Parting::Usual, patience: Patience::AsSealed }
    }
}

/// What the last screen offers to do next.
#[derive(Clone, Debug)]
pub enum Parting {
    /// What fits the loop, in the project where it ran.
    Usual,
    /// This instead: the loop lies where a person would not look for it.
    Elsewhere(Vec<NextStep>),
    /// This instead, and no path: nothing of the loop stays.
    Gone(Vec<NextStep>),
}

pub fn resume(arguments: &ResumeArguments) -> Result<u8, Failure> {
    if Caller::of_this_process() != Caller::Person {
        // Asked like any other act, so that the refusal is written down.
        return act::ask_as_worker(arguments.id.as_deref(), &Asked::Resume);
    }
    let place = place::here()?;
    let word = Word::terminal("gulf resume", GivenOn::GoingOn);
    for told in super::hook::in_project(&place, super::hook::Asking::GoingOn(word), &SystemClock::new())? {
        say_note(told);
    }
    let cleared = branching::clear_away(&place)?;
    let is_any =
        place::known(&place, None)?.iter().any(|one| one.is_unfinished() && one.is_of(&place.project));
    let was_cut_off = !cleared.starts.is_empty();
    let told = cleared.told();
    if was_cut_off && !is_any {
        return Err(Failure::usage(told.join("; "), "start it again: `gulf run …`"));
    }
    told.into_iter().for_each(say_note);
    let known = unfinished(&place, arguments.id.as_deref())?;
    if matches!(known.fold.state.stage(), Stage::Paused(..)) && reach::is_waited_for(&known.home) {
        return lead_on(&place, &known, arguments);
    }
    trusting::give_at(&place, word, &[])?;
    let clock = Arc::new(SystemClock::new());
    let all = place::known(&place, None)?;
    let (members, beside) = (group::together(&known, &all), together::over(&known, &all));
    if !arguments.here && matches!(known.fold.state.worker(), Worker::Session { .. }) {
        for one in &members {
            in_session(&place::of_loop(&place, one)?, one, arguments)?;
        }
        return Ok(0);
    }
    let patience = reach::patience(arguments.wait.as_deref())?;
    let manner = Manner { patience, ..Manner::usual(Telling::of(arguments.json)) };
    go_on_with(&place, (&members, &beside), manner, &clock, |held| {
        terms::settle(&place, held, arguments, &*clock)?;
        go_on(held, &*clock)
    })
}

/// Another process waits for this word and goes on by itself; what changes the terms, only who holds the loop can do.
fn lead_on(place: &PlaceOfWork, known: &Known, arguments: &ResumeArguments) -> Result<u8, Failure> {
    let ResumeArguments { accept_contract, iterations, limits, allow, .. } = arguments;
    if *accept_contract
        || iterations.is_some()
        || !allow.is_empty()
        || settings::limits(limits).next().is_some()
    {
        return Err(Failure::usage(
            "another gulf waits for a person in this checkout, and goes on with the terms as they are",
            "end it with Ctrl-C, then type this again",
        ));
    }
    act::put(place, known, &Asked::Resume)
}

/// Takes these loops, one or all of a group, as a driver in processes of gulf's own, and drives them. `over` are those of
/// the group that have ended before: what the group came to is theirs, too. One that cannot go on keeps no other one.
pub fn go_on_with(
    place: &PlaceOfWork,
    (members, over): (&[Known], &[Known]),
    manner: Manner<'_>,
    clock: &Arc<SystemClock>,
    settle: impl Fn(&mut Held) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let (mut all, mut failures) = (Vec::new(), Vec::new());
    for known in members {
        match take(place, known, clock, &settle) {
            Ok(taken) => all.push(taken),
            Err(failure) if members.len() == 1 => return Err(failure),
            Err(failure) => {
                say_note(format!("{} does not go on: {}", known.handle(), failure.in_one_line()));
                failures.push((known.clone(), failure));
            }
        }
    }
    let is_alone = over.is_empty() && failures.is_empty();
    match (all.pop(), all.is_empty()) {
        (Some((there, held)), true) if is_alone => drive(&there, held, manner, clock),
        (None, _) if !failures.is_empty() => Err(failures.swap_remove(0).1),
        (last, _) => {
            all.extend(last);
            together::drive(all, Beside { over: over.to_vec(), failures }, manner, clock)
        }
    }
}

/// Takes one of them to be driven here.
fn take(
    place: &PlaceOfWork,
    known: &Known,
    clock: &Arc<SystemClock>,
    settle: &impl Fn(&mut Held) -> Result<(), Failure>,
) -> Result<(PlaceOfWork, Held), Failure> {
    let there = place::of_loop(place, known)?;
    let checkout = start::take_checkout(&there, known.name.as_str())?;
    let mut held = start::hold(&there, &known.name, checkout)?;
    check_agent(&there, &held.workshop.agreement.agent.tool)?;
    session::move_here(&there, &mut held, &**clock)?;
    for told in reach::take_answers(&mut held, clock)? {
        say_note(told);
    }
    settle(&mut held)?;
    Ok((there, held))
}

/// A loop whose work is ready to land goes on in its session, on the same terms.
pub fn in_its_session(place: &PlaceOfWork, known: &Known, json: bool) -> Result<(), Failure> {
    let id = Some(known.name.as_str().to_owned());
    in_session(place, known, &ResumeArguments { id, json, ..ResumeArguments::default() })
}

/// A session's loop goes on in its session: it is awake again, and nothing is driven here.
fn in_session(place: &PlaceOfWork, known: &Known, arguments: &ResumeArguments) -> Result<(), Failure> {
    let clock = Arc::new(SystemClock::new());
    let was_paused = matches!(known.fold.state.stage(), Stage::Paused(..));
    let checkout = start::take_checkout(place, known.name.as_str())?;
    let mut held = start::hold(place, &known.name, checkout)?;
    for told in reach::take_answers(&mut held, &clock)? {
        say_note(told);
    }
    let is_paused = matches!(held.book.state().stage(), Stage::Paused(..));
    let is_open = held.book.state().open_questions().next().is_some();
    if is_paused {
        terms::settle(place, &mut held, arguments, &*clock)?;
    }
    drop(held);
    if is_open {
        outln!("Loop stays paused: a question waits for an answer; see `gulf inbox`.");
        return Ok(());
    }
    if was_paused {
        outln!("[gulf] Loop resumed from iteration {}.", session::iteration(&known.fold.state));
        let mut unobserved = Unobserved;
        let means = Means { clock, leave: Leave::default(), observer: &mut unobserved };
        let (seat, outcome) = session::wake(place, known, means)?;
        if let Some(told) = super::hook::shown(seat, &outcome)? {
            outln!("{told}");
            return Ok(());
        }
    } else {
        outln!("Loop is already active (not paused).");
    }
    if place::branch(&known.agreement()?).is_some_and(|branch| branch.worktree.is_some()) {
        outln!("It works in {}.", place.project);
    }
    let typed = match known.fold.state.worker() {
        Worker::Session { host, .. } => views::resume_command(host),
        Worker::Processes => views::resume_command(""),
    };
    outln!("Say \"go on\" in its session, type {typed} in another, or drive it here: `gulf resume --here`.");
    Ok(())
}

/// The loop to go on with; where there is none, the one that a person may mean is said to be over.
fn unfinished(place: &PlaceOfWork, id: Option<&str>) -> Result<Known, Failure> {
    let here = |one: &Known| one.is_of(&place.project);
    let is_any = |known: &[Known]| known.iter().any(|one| one.is_unfinished() && here(one));
    let known = match id {
        Some(_) => place::unfinished(place, id)?,
        None if is_any(&place::known(place, None)?) => place::unfinished_group(place)?,
        None => place::meant(place, None)?,
    };
    if let Stage::Ended(end) = known.fold.state.stage() {
        let id = known.handle();
        return Err(StartError::Over { id, end: end.clone() }.into());
    }
    Ok(known)
}

/// A paused loop is resumed; an interrupted one just goes on. One that waits for an answer stays paused.
fn go_on(held: &mut Held, clock: &dyn Clock) -> Result<(), Failure> {
    let state = held.book.state();
    if matches!(state.stage(), Stage::Paused(..)) && state.open_questions().next().is_none() {
        record(held, Fact::Resumed, clock)?;
    }
    Ok(())
}

fn record(held: &mut Held, fact: Fact, clock: &dyn Clock) -> Result<(), Failure> {
    let stamp = Stamp { at_ms: clock.wall_ms(), active_ms: held.book.state().active_ms() };
    Ok(held.book.record(vec![fact], stamp, Durability::Synced, |_, _| {})?)
}

/// What the person typed at a pause.
fn carry_out(held: &mut Held, typed: Typed, clock: &dyn Clock) -> Result<(), Failure> {
    let acts = match typed {
        Typed::Acts(acts) => acts,
        Typed::More(more) => {
            terms::more_iterations(held, more, clock)?;
            Vec::new()
        }
        Typed::Stop => {
            terms::stop_at_limit(held, clock)?;
            Vec::new()
        }
    };
    for asked in acts {
        match admit(held.book.state(), RequestFile::by_this_process(asked).request()) {
            Ok(Fact::UnitSkipped { why, .. }) => {
                let (set_aside, note) = held.workshop.give_task_up(held.book.fold(), &why, None);
                note.iter().for_each(say_note);
                record(held, Fact::UnitSkipped { why, set_aside }, clock)?;
            }
            Ok(fact) => record(held, fact, clock)?,
            // The loop stays as it is, and the person is asked again.
            Err(refusal) => {
                say_note(refusal);
                return Ok(());
            }
        }
    }
    go_on(held, clock)
}

/// Drives a held loop, shows how it was left, and gives the exit code.
pub fn drive(
    place: &PlaceOfWork,
    mut held: Held,
    manner: Manner<'_>,
    clock: &Arc<SystemClock>,
) -> Result<u8, Failure> {
    let Manner { telling, parting, patience } = manner;
    let leave = Leave::default();
    let its_leave = leave.clone();
    let _listening = signals::listen(move |interruption| its_leave.ask(interruption))
        .map_err(|error| Failure::world(&error, None))?;
    let mut seen = 0;
    loop {
        let driving = Driving { telling, clock, leave: &leave, worker: None, seen };
        let mut driven = driving::drive(place, held, driving)?;
        let is_asked_here = telling == Telling::Lines && patience == Patience::AsSealed && input::can_ask();
        if !is_asked_here && let Reached::GoOn(again) = reach::wait(place, &mut driven, &driving, patience)? {
            (held, seen) = (*again, driven.seen);
            continue;
        }
        conclude(&driven, parting);
        if is_asked_here || matches!(driven.left, Left::Ended(_)) {
            reach::tell(&mut driven, &driving);
        }
        seen = driven.seen;
        let Driven { left, agreement, state, checkout, .. } = driven;
        if let (Left::Paused(reason), Some(checkout)) = (&left, checkout)
            && is_asked_here
            && let Some(typed) = pause::ask(*reason, &state)?
        {
            held = start::hold(place, &driving::name_of_loop(&agreement)?, checkout)?;
            carry_out(&mut held, typed, &**clock)?;
            continue;
        }
        return Ok(driving::exit_code(&left));
    }
}

/// The last screen.
fn conclude(driven: &Driven, parting: &Parting) {
    let Driven { screen, home, state, lies, .. } = driven;
    let mut summary = Summary::new(screen.facts(), screen.history(), state, views::Driver::Absent, lies);
    verdicts::explain(&mut summary, home);
    match parting {
        Parting::Usual => {}
        Parting::Elsewhere(steps) => summary.next.clone_from(steps),
        Parting::Gone(steps) => {
            summary.next.clone_from(steps);
            summary.logs.clear();
        }
    }
    match screen.telling() {
        Telling::Json => outln!("{}", end_json(&summary)),
        Telling::Lines => {
            let look = screen::look(&std::io::stdout());
            out!("\n{}", result(&summary, look));
        }
    }
}

/// Does the loop's change lie in the person's checkout, to be kept or thrown away?
pub fn worktree(agreement: &Agreement, folder: &LoopPaths, history: &History, state: &State) -> Worktree {
    // What a list's task left out of its commit was uncommitted before.
    let is_own = agreement.landing.is_none() && agreement.list.is_none();
    let candidate = history.last_evaluated().and_then(|iteration| iteration.candidate());
    let Some(candidate) = candidate.filter(|_| is_own && matches!(state.stage(), Stage::Ended(_))) else {
        return Worktree::Clean;
    };
    let found = commit::uncommitted(agreement, folder, candidate);
    found.map_or(Worktree::Clean, |Uncommitted { deleted, entangled }| match agreement.repository {
        RepositoryKind::Own => Worktree::Uncommitted { deleted, entangled },
        RepositoryKind::Shadow => Worktree::WithoutGit { deleted },
    })
}
