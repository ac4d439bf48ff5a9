//! Requests to a loop: whoever drives it admits or refuses them; where nobody does, this process takes the loop for a
//! moment.

use gulf_engine::{Act, Fact, Stage, State, Worker, admit};
use gulf_host::clock::Clock;
use gulf_host::journal::JournalError;
use gulf_runner::book::Book;
use gulf_runner::claims::{self, Caller, RequestFile};
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::KnownLoop;
use gulf_runner::{FORMAT_VERSION, session, tasks};
use gulf_views::{DriverPresence, iterations};

use crate::drive::notify;
use crate::failure::{Failure, Result};
use crate::out::say_note;
use crate::place::driver_of;
use crate::{ending, place};

/// A worker asks for what is a person's: refused like any other request, so that the refusal is written down.
pub fn ask_as_worker(id: Option<&str>, asked: &Act) -> Result<u8> {
    let place = place::here()?;
    put(&place, &place::unfinished(&place, id)?, asked)
}

/// Asks whoever drives the loop, or, where nobody does, decides it here and now.
pub fn put(place: &PlaceOfWork, known: &KnownLoop, asked: &Act) -> Result<u8> {
    let place = &known.agreement().map_or_else(|_| place.clone(), |agreement| place.of_loop(&agreement));
    let request = RequestFile::by_this_process(asked.clone());
    if driver_of(known)? == DriverPresence::Present {
        return leave(known, &request);
    }
    let mut book = match Book::open(known.home.root()) {
        Ok((book, _)) => book,
        // Somebody came to drive it in this very moment.
        Err(RunError::Journal(JournalError::Locked(_))) => return leave(known, &request),
        Err(error) => return Err(error.into()),
    };
    // Who waits there goes on as soon as the journal says so, and is no longer to be seen.
    let is_waited_for = notify::is_waited_for(&known.home);
    let at_ms = Clock::new().wall_ms();
    let reached = match &book.state().worker {
        Worker::Session { .. } => session::iteration(book.state()),
        Worker::Processes => book.state().unit.iteration,
    };
    let fact = match admit(book.state(), request.request()) {
        Ok(fact) => fact,
        Err(refusal) => {
            let reason = refusal.to_string();
            let fact = Fact::Refused { request: claims::word(&request.act).to_owned(), reason };
            if !matches!(&book.state().stage, Stage::Unsealed | Stage::Ended(_)) {
                book.add(vec![fact], at_ms)?;
            }
            return Err(refusal.into());
        }
    };
    book.add(vec![fact], at_ms)?;
    gulf_runner::drive::carry_out(&mut book, &known.home, at_ms)?;
    let now = KnownLoop { fold: book.fold().clone(), ..known.clone() };
    outln!("{}: {}", known.handle(), done(&request.act, book.state(), (reached, is_waited_for)));
    if matches!(&book.state().stage, Stage::Ended(_)) {
        session::let_go(place)?;
        if let Some(note) = tasks::commit_blockers(place, &now) {
            say_note(note);
        }
        ending::write(place, &now)?;
    } else {
        session::show(place, &now)?;
    }
    Ok(0)
}

fn leave(known: &KnownLoop, request: &RequestFile) -> Result<u8> {
    let is_person = request.author == Caller::Person;
    if is_person && let Err(refusal) = admit(&known.fold.state, request.request()) {
        // The driver would say so in the journal, where nobody looks.
        return Err(refusal.into());
    }
    request.leave(&known.home.requests(), Clock::new().wall_ms())?;
    if !is_person {
        let what = "only a person may do this, and the request comes from an agent's process";
        let hint = "the refusal is in the loop's journal; run it in a terminal of your own";
        return Err(Failure::usage(what, hint));
    }
    let (id, word) = (known.handle(), claims::word(&request.act));
    if matches!(request.act, Act::Steer { .. }) {
        outln!("left a note for {id}");
    } else {
        outln!("asked {id} to {word}");
    }
    Ok(0)
}

/// Leaves a person's request for whoever drives the loop, and does not wait for them.
pub fn leave_for_driver(known: &KnownLoop, asked: Act) -> Result<()> {
    let request = RequestFile { v: FORMAT_VERSION, author: Caller::Person, act: asked };
    request.leave(&known.home.requests(), Clock::new().wall_ms())?;
    Ok(())
}

fn done(asked: &Act, state: &State, (reached, is_waited_for): (u32, bool)) -> String {
    let next = next(state, is_waited_for);
    match asked {
        Act::Pause => format!("paused; {next}"),
        Act::Cancel | Act::Outrun => format!("Loop cancelled after {}", iterations(reached)),
        Act::Resume => format!("resumed; {next}"),
        Act::Steer { .. } => format!("the note is for the next iteration; {next}"),
        Act::Claim { .. } => "claimed".to_owned(),
        Act::Answer { question: Some(number), answer } => {
            format!("answered question {number}: {answer}\n{next}")
        }
        Act::Answer { question: None, answer } => format!("answered: {answer}\n{next}"),
        Act::Approve { .. } => format!("approved; {next}"),
        Act::Reject { .. } => format!("rejected: the next iteration is told why; {next}"),
        Act::Tell { .. } => format!("recorded; {next}"),
        Act::Land { .. } => format!("to land; {next}"),
        Act::Discard { .. } => format!("discarded; {next}"),
        Act::Skip => format!("skipped; {next}"),
    }
}

/// What is to be done now.
fn next(state: &State, is_waited_for: bool) -> String {
    match (&state.stage, state.open_questions().count()) {
        (Stage::Ended(end), _) => format!("the loop has ended as {}", end.word()),
        (Stage::Paused(..), 0) if is_waited_for => {
            "a gulf process waits for you: `gulf resume` lets it continue".to_owned()
        }
        (_, 0) if is_waited_for => "the waiting gulf process continues by itself".to_owned(),
        (_, 0) => "continue with `gulf resume`".to_owned(),
        (_, 1) => "one question is still open: `gulf inbox`".to_owned(),
        (_, open) => format!("{open} questions are still open: `gulf inbox`"),
    }
}

/// Refuses what only a person may do, where no loop is there to write the refusal down.
pub fn refuse_agents(what: &str) -> Result<()> {
    if Caller::of_this_process() == Caller::Person {
        return Ok(());
    }
    let why = format!("only a person may {what}, and this comes from an agent's process");
    Err(Failure::usage(why, "run it in a terminal of your own"))
}

/// Who asks, as the system calls them.
pub fn person() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    named.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "a person".to_owned())
}
