//! One loop, or several that were found unfinished, driven until they end or rest; the person at the terminal is asked
//! at once where the loop waits for them.

use std::sync::Arc;

use gulf_engine::{Fact, Stage, admit};
use gulf_host::clock::Clock;
use gulf_host::signals;
use gulf_runner::amend;
use gulf_runner::claims::RequestFile;
use gulf_runner::drive::{DriveOutcome, Leave};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::check_agent;
use gulf_runner::session;
use gulf_runner::start::{self, Held, Known};
use gulf_views::{self as views, NextStep, Summary, end_json, result};

use super::pause::{self, Typed};
use super::reach::{self, Patience, Reached};
use super::together::{self, RestOfGroup};
use super::{Driven, Driving, drive, exit_code, name_of};
use crate::failure::Failure;
use crate::out::say_note;
use crate::screen::{self, TellingStyle};
use crate::{ending, input, place, verdicts};

/// How a loop is driven: how it is told, what it offers in the end, and how long a person is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Manner<'manner> {
    pub telling: TellingStyle,
    pub parting: &'manner Parting,
    pub patience: Patience,
}

impl Manner<'_> {
    /// As most commands drive.
    pub fn usual(telling: TellingStyle) -> Self {
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

/// Takes these loops, one or all of a group, as a driver in processes of gulf's own, and drives them. `over` are those of
/// the group that have ended before: what the group came to is theirs, too. One that cannot go on keeps no other one.
pub fn go_on_with(
    place: &PlaceOfWork,
    (members, over): (&[Known], &[Known]),
    manner: Manner<'_>,
    clock: &Arc<Clock>,
    settle: impl Fn(&mut Held) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let (mut all, mut failures) = (Vec::new(), Vec::new());
    for known in members {
        match take(place, known, clock, &settle) {
            Ok(taken) => all.push(taken),
            Err(failure) if members.len() == 1 => return Err(failure),
            Err(failure) => {
                say_note(format!("{} does not continue: {}", known.handle(), failure.in_one_line()));
                failures.push((known.clone(), failure));
            }
        }
    }
    let is_alone = over.is_empty() && failures.is_empty();
    match (all.pop(), all.is_empty()) {
        (Some((there, held)), true) if is_alone => drive_and_show(&there, held, manner, clock),
        (None, _) if !failures.is_empty() => Err(failures.swap_remove(0).1),
        (last, _) => {
            all.extend(last);
            together::drive(all, RestOfGroup { over: over.to_vec(), failures }, manner, clock)
        }
    }
}

/// Takes one of them to be driven here.
fn take(
    place: &PlaceOfWork,
    known: &Known,
    clock: &Arc<Clock>,
    settle: &impl Fn(&mut Held) -> Result<(), Failure>,
) -> Result<(PlaceOfWork, Held), Failure> {
    let there = place::of_loop(place, known)?;
    let checkout = start::take_checkout(&there, known.name.as_str())?;
    let mut held = start::hold(&there, &known.name, checkout)?;
    check_agent(&there, &held.workshop.agreement.agent.tool)?;
    session::move_here(&there, &mut held, clock)?;
    for told in reach::take_answers(&mut held, clock)? {
        say_note(told);
    }
    settle(&mut held)?;
    Ok((there, held))
}

/// Drives a held loop, shows how it was left, and gives the exit code.
pub fn drive_and_show(
    place: &PlaceOfWork,
    mut held: Held,
    manner: Manner<'_>,
    clock: &Arc<Clock>,
) -> Result<u8, Failure> {
    let Manner { telling, parting, patience } = manner;
    let leave = Leave::default();
    let its_leave = leave.clone();
    let _listening = signals::listen(move |interruption| its_leave.ask(interruption))
        .map_err(|error| Failure::world(&error, None))?;
    let mut seen = 0;
    loop {
        let driving = Driving { telling, clock, leave: &leave, worker: None, seen };
        let mut driven = drive(place, held, driving)?;
        let is_asked_here =
            telling == TellingStyle::Lines && patience == Patience::AsSealed && input::can_ask();
        if !is_asked_here && let Reached::GoOn(again) = reach::wait(place, &mut driven, &driving, patience)? {
            (held, seen) = (*again, driven.seen);
            continue;
        }
        conclude(&driven, parting);
        if is_asked_here || matches!(driven.left, DriveOutcome::Ended(_)) {
            reach::tell(&mut driven, &driving);
        }
        seen = driven.seen;
        let Driven { left, agreement, state, checkout, home, .. } = driven;
        if let (DriveOutcome::Paused(reason), Some(checkout)) = (&left, checkout)
            && is_asked_here
            && let Some(typed) = pause::ask(*reason, &state)?
        {
            held = start::hold(
                place,
                &name_of(&agreement).map_err(|error| Failure::world(&error, None))?,
                checkout,
            )?;
            carry_out(&mut held, typed, clock)?;
            continue;
        }
        let code = exit_code(&left);
        if code == 0 {
            ending::stands(&home, &state)?;
        }
        return Ok(code);
    }
}

/// The last screen.
fn conclude(driven: &Driven, parting: &Parting) {
    let Driven { screen, home, state, lies, .. } = driven;
    let mut summary =
        Summary::new(screen.facts(), screen.history(), state, views::DriverPresence::Absent, lies);
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
        TellingStyle::Json => outln!("{}", end_json(&summary)),
        TellingStyle::Lines => {
            let look = screen::look(&std::io::stdout());
            out!("\n{}", result(&summary, look));
        }
    }
}

/// What the person typed at a pause.
fn carry_out(held: &mut Held, typed: Typed, clock: &Clock) -> Result<(), Failure> {
    let agreement = &held.workshop.agreement;
    let (acts, agreed) = match typed {
        Typed::Acts(acts) => (acts, None),
        Typed::More(more) => (vec![], Some(amend::with_more_iterations(agreement, held.book.state(), more))),
        Typed::Stop => (vec![], Some(amend::with_stop_at_limit(agreement))),
    };
    if let Some(agreed) = agreed {
        amend::amend(held, agreed, clock.wall_ms())?;
    }
    for asked in acts {
        match admit(held.book.state(), RequestFile::by_this_process(asked).request()) {
            Ok(Fact::UnitSkipped { why, .. }) => {
                let (set_aside, note) = held.workshop.give_task_up(held.book.fold(), &why, None);
                note.iter().for_each(say_note);
                held.book.add(vec![Fact::UnitSkipped { why, set_aside }], clock.wall_ms())?;
            }
            Ok(fact) => held.book.add(vec![fact], clock.wall_ms())?,
            // The loop stays as it is, and the person is asked again.
            Err(refusal) => {
                say_note(refusal);
                return Ok(());
            }
        }
    }
    go_on(held, clock)
}

/// A paused loop is resumed; an interrupted one just goes on. One that waits for an answer stays paused.
pub fn go_on(held: &mut Held, clock: &Clock) -> Result<(), Failure> {
    let state = held.book.state();
    if matches!(state.stage(), Stage::Paused(..)) && state.open_questions().next().is_none() {
        held.book.add(vec![Fact::Resumed], clock.wall_ms())?;
    }
    Ok(())
}
