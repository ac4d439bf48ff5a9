//! `gulf resume`: an unfinished loop goes on, here or in its session.

use std::sync::Arc;

use gulf_engine::{Act, Stage, Worker};
use gulf_host::clock::Clock;
use gulf_runner::branching;
use gulf_runner::claims::Caller;
use gulf_runner::group;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::{Known, StartError};
use gulf_runner::trust::GivenOn;

use crate::cli::ResumeArguments;
use crate::drive::{Manner, go_on, go_on_with, reach, terms, together};
use crate::failure::Failure;
use crate::in_session::adopt::{self, AdoptedFor};
use crate::out::say_note;
use crate::screen::TellingStyle;
use crate::trusting::{self, Word};
use crate::{in_session, place, requests};

pub fn resume(arguments: &ResumeArguments) -> Result<u8, Failure> {
    if Caller::of_this_process() != Caller::Person {
        // Act like any other act, so that the refusal is written down.
        return requests::ask_as_worker(arguments.id.as_deref(), &Act::Resume);
    }
    let place = place::here()?;
    let word = Word::terminal("gulf resume", GivenOn::GoingOn);
    for told in adopt::in_project(&place, AdoptedFor::GoingOn(word), &Clock::new())? {
        say_note(told);
    }
    let cleared = branching::clear_away(&place)?;
    let is_any = !place::open_here(&place)?.is_empty();
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
    let clock = Arc::new(Clock::new());
    let all = place::known(&place, None)?;
    let (members, beside) = (group::together(&known, &all), together::over(&known, &all));
    if !arguments.here && matches!(known.fold.state.worker(), Worker::Session { .. }) {
        for one in &members {
            in_session::wake(&place::of_loop(&place, one)?, one, arguments)?;
        }
        return Ok(0);
    }
    let patience = reach::patience(arguments.wait.as_deref())?;
    let manner = Manner { patience, ..Manner::usual(TellingStyle::of(arguments.json)) };
    go_on_with(&place, (&members, &beside), manner, &clock, |held| {
        terms::settle(&place, held, arguments, &clock)?;
        go_on(held, &clock)
    })
}

/// Another process waits for this word and goes on by itself; what changes the terms, only who holds the loop can do.
fn lead_on(place: &PlaceOfWork, known: &Known, arguments: &ResumeArguments) -> Result<u8, Failure> {
    let ResumeArguments { accept_contract, iterations, limits, allow, .. } = arguments;
    if *accept_contract || iterations.is_some() || !allow.is_empty() || !limits.said.is_empty() {
        return Err(Failure::usage(
            "another gulf waits for a person in this checkout, and continues with the terms as they are",
            "end it with Ctrl-C, then type this again",
        ));
    }
    requests::put(place, known, &Act::Resume)
}

/// The loop to go on with; where there is none, the one that a person may mean is said to be over.
fn unfinished(place: &PlaceOfWork, id: Option<&str>) -> Result<Known, Failure> {
    let known = match id {
        Some(_) => place::unfinished(place, id)?,
        None if !place::open_here(place)?.is_empty() => place::unfinished_group(place)?,
        None => place::meant(place, None)?,
    };
    if let Stage::Ended(end) = known.fold.state.stage() {
        let id = known.handle();
        return Err(StartError::Over { id, end: end.clone() }.into());
    }
    Ok(known)
}
