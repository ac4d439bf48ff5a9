//! Requests to a loop: a person's (pause, cancel, steer) and the worker's (claim).
//!
//! Whoever drives the loop admits or refuses them; where nobody does, this command takes the loop for a moment.

use gulf_engine::{Claim, Fact, Stage, admit};
use gulf_host::clock::{Clock, SystemClock};
use gulf_host::home::{Home, Name};
use gulf_host::journal::{Durability, JournalError};
use gulf_runner::book::{Book, Stamp};
use gulf_runner::claims::{Asked, Caller, RequestFile};
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::Known;
use gulf_views::Driver;

use super::status::driver_of;
use crate::cli::{ActArguments, ClaimArguments, ClaimKind, SteerArguments};
use crate::failure::Failure;
use crate::place;

pub fn pause(arguments: &ActArguments) -> Result<u8, Failure> {
    ask(arguments.id.as_deref(), &Asked::Pause)
}

pub fn cancel(arguments: &ActArguments) -> Result<u8, Failure> {
    ask(arguments.id.as_deref(), &Asked::Cancel)
}

pub fn steer(arguments: &SteerArguments) -> Result<u8, Failure> {
    ask(arguments.id.as_deref(), &Asked::Steer { note: arguments.note.clone() })
}

/// The worker finds its loop by GULF_LOOP, wherever it stands.
pub fn claim(arguments: &ClaimArguments) -> Result<u8, Failure> {
    let ClaimKind::Done { no_test } = &arguments.claim;
    let id = std::env::var("GULF_LOOP").map_err(|_| {
        Failure::usage(
            "there is no turn to claim in: GULF_LOOP is not set",
            "only the worker can claim, from within its turn",
        )
    })?;
    let home = Home::from_environment().map_err(RunError::from)?;
    let known = loop_by_id(&home, &id)?;
    let asked = Asked::Claim { claim: Claim::Done { no_test: no_test.clone() } };
    RequestFile::by_this_process(asked).leave(&known.requests(), SystemClock::new().wall_ms())?;
    outln!("claimed: the gates are asked when this turn ends");
    Ok(0)
}

fn loop_by_id(home: &Home, id: &str) -> Result<gulf_host::home::LoopHome, Failure> {
    let unknown = || {
        Failure::usage(format!("there is no loop called {id}"), "GULF_LOOP and GULF_HOME are gulf's to set")
    };
    let name = Name::parse(id).map_err(|_| unknown())?;
    for repository in home.repositories().map_err(RunError::from)? {
        let candidate = repository.loop_home(&name);
        if candidate.journal().is_file() {
            return Ok(candidate);
        }
    }
    Err(unknown())
}

/// Asks whoever drives the loop, or, where nobody does, decides it here and now.
pub fn ask(id: Option<&str>, asked: &Asked) -> Result<u8, Failure> {
    let place = place::here()?;
    // Without a loop there is nothing to stop, and that is no error.
    if id.is_none() && !has_unfinished(&place)? {
        outln!("There is no unfinished loop here.");
        return Ok(0);
    }
    let known = place::unfinished(&place, id)?;
    let request = RequestFile::by_this_process(asked.clone());
    if driver_of(&known)? == Driver::Present {
        return leave(&known, &request);
    }
    match Book::open(known.home.root()) {
        Ok((mut book, _)) => answer(&known, &mut book, &request),
        // Somebody came to drive it in this very moment.
        Err(RunError::Journal(JournalError::Locked(_))) => leave(&known, &request),
        Err(error) => Err(error.into()),
    }
}

fn has_unfinished(place: &PlaceOfWork) -> Result<bool, Failure> {
    Ok(place::known(place, None)?.iter().any(|one| one.is_unfinished() && one.works_in(&place.project)))
}

fn leave(known: &Known, request: &RequestFile) -> Result<u8, Failure> {
    if request.author != Caller::Person {
        request.leave(&known.home.requests(), SystemClock::new().wall_ms())?;
        return Err(person_only());
    }
    request.leave(&known.home.requests(), SystemClock::new().wall_ms())?;
    outln!("asked {} to {}", known.name.as_str(), request.act.word());
    Ok(0)
}

/// Nobody drives the loop: the request becomes a fact here and now.
fn answer(known: &Known, book: &mut Book, request: &RequestFile) -> Result<u8, Failure> {
    let clock = SystemClock::new();
    let stamp = Stamp { at_ms: clock.wall_ms(), active_ms: book.state().active_ms() };
    let fact = match admit(book.state(), request.request()) {
        Ok(fact) => fact,
        Err(refusal) => {
            let reason = refusal.to_string();
            let refused = Fact::Refused { request: request.act.word().to_owned(), reason: reason.clone() };
            if !matches!(book.state().stage(), Stage::Unsealed | Stage::Ended(_)) {
                book.record(vec![refused], stamp, Durability::Synced, |_, _| {})?;
            }
            return Err(Failure::usage(reason, "`gulf status` says where the loop stands"));
        }
    };
    book.record(vec![fact], stamp, Durability::Synced, |_, _| {})?;
    gulf_runner::drive::carry_out(book, &known.home, stamp)?;
    outln!("{}: {}", known.name.as_str(), done(&request.act));
    Ok(0)
}

fn done(asked: &Asked) -> &'static str {
    match asked {
        Asked::Pause => "paused; go on with `gulf resume`",
        Asked::Cancel => "cancelled",
        Asked::Resume => "resumed",
        Asked::Steer { .. } => "the note is for the next iteration; go on with `gulf resume`",
        Asked::Claim { .. } => "claimed",
    }
}

fn person_only() -> Failure {
    Failure::usage(
        "only a person may do this, and the request comes from an agent's process",
        "the refusal is in the loop's journal; run it in a terminal of your own",
    )
}
