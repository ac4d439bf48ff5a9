//! `gulf skip`: a person gives the task in hand up, and the loop goes on with the next one.
//!
//! It stands apart from the other acts because what the task left is set aside, in the project itself, before the journal
//! says so.

use gulf_engine::{Act, Fact, SetAside, admit};
use gulf_host::clock::Clock;
use gulf_runner::claims::{Caller, RequestFile};
use gulf_runner::session;
use gulf_runner::start::{self, Known};
use gulf_views::{DriverPresence, set_aside_words};

use crate::cli::SkipArguments;
use crate::failure::Failure;
use crate::out::say_note;
use crate::place::{self, driver_of};
use crate::requests;

pub fn skip(arguments: &SkipArguments) -> Result<u8, Failure> {
    let id = arguments.id.as_deref();
    if Caller::of_this_process() != Caller::Person {
        return requests::ask_as_worker(id, &Act::Skip);
    }
    let here = place::here()?;
    let known = place::unfinished(&here, id)?;
    let request = RequestFile::by_this_process(Act::Skip);
    // Whoever drives it takes the request; and what is refused is refused and written down like any other.
    if driver_of(&known)? == DriverPresence::Present || admit(&known.fold.state, request.request()).is_err() {
        return requests::put(&here, &known, &Act::Skip);
    }
    let place = place::of_loop(&here, &known)?;
    let checkout = start::take_checkout(&place, known.name.as_str())?;
    let mut held = start::hold(&place, &known.name, checkout)?;
    let why = match admit(held.book.state(), request.request()) {
        Ok(Fact::UnitSkipped { why, .. }) => why,
        // It went on in this very moment.
        Ok(_) => return requests::put(&here, &known, &Act::Skip),
        Err(refusal) => return Err(refusal.into()),
    };
    let (set_aside, note) = held.workshop.give_task_up(held.book.fold(), &why, arguments.because.as_deref());
    note.iter().for_each(say_note);
    let fact = Fact::UnitSkipped { why, set_aside: set_aside.clone() };
    held.book.add(vec![fact], Clock::new().wall_ms())?;
    say(&known, set_aside.as_ref());
    session::show(&place, &Known { fold: held.book.fold().clone(), ..known })?;
    Ok(0)
}

fn say(known: &Known, set_aside: Option<&SetAside>) {
    outln!("{}: skipped; continue with `gulf resume`", known.handle());
    for words in set_aside.into_iter().flat_map(set_aside_words) {
        outln!("  {words}");
    }
}
