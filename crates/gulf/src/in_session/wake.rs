//! A session's loop goes on in its session.

use std::sync::Arc;

use gulf_engine::{Stage, Worker};
use gulf_host::clock::Clock;
use gulf_runner::drive::Leave;
use gulf_runner::observer::Unobserved;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::session::{self, Means};
use gulf_runner::start::{self, Known};
use gulf_views::resume_command;

use super::conclude::shown;
use crate::cli::ResumeArguments;
use crate::drive::{reach, terms};
use crate::failure::Failure;
use crate::out::say_note;
use crate::place;

/// A loop whose work is ready to land goes on in its session, on the same terms.
pub fn go_on(place: &PlaceOfWork, known: &Known, json: bool) -> Result<(), Failure> {
    let id = Some(known.name.as_str().to_owned());
    wake(place, known, &ResumeArguments { id, json, ..ResumeArguments::default() })
}

/// A session's loop goes on in its session: it is awake again, and nothing is driven here.
pub fn wake(place: &PlaceOfWork, known: &Known, arguments: &ResumeArguments) -> Result<(), Failure> {
    let clock = Arc::new(Clock::new());
    let was_paused = matches!(known.fold.state.stage(), Stage::Paused(..));
    let checkout = start::take_checkout(place, known.name.as_str())?;
    let mut held = start::hold(place, &known.name, checkout)?;
    for told in reach::take_answers(&mut held, &clock)? {
        say_note(told);
    }
    let is_paused = matches!(held.book.state().stage(), Stage::Paused(..));
    let is_open = held.book.state().open_questions().next().is_some();
    if is_paused {
        terms::settle(place, &mut held, arguments, &clock)?;
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
        if let Some(told) = shown(seat, &outcome)? {
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
        Worker::Session { host, .. } => resume_command(host),
        Worker::Processes => resume_command(""),
    };
    outln!("Say \"go on\" in its session, type {typed} in another, or drive it here: `gulf resume --here`.");
    Ok(())
}
