//! How a session's loop was left: what the session hears, and what is written and told elsewhere.

use std::fmt::Write as _;
use std::sync::Arc;

use gulf_agents::sessions::{Answer, Host, spelled_for};
use gulf_engine::{Decision, EffectKey, LandingWord, Work, decide};
use gulf_host::clock::Clock;
use gulf_host::home::Name;
use gulf_runner::drive::DriveOutcome;
use gulf_runner::group;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::session::{DrivenSession, Outcome, Seat};
use gulf_runner::start::{self, Known};
use gulf_views::one_line;

use super::{Said, told};
use crate::drive::reach;
use crate::ending;
use crate::failure::Failure;
use crate::language;

/// So often in a row a session is sent on because its host's time was not enough.
const OVERTIMES_MAX: u32 = 3;

/// Writes what shows how the loop was left, where nobody hears an answer.
pub fn concluded(seat: &mut Seat, driven: &DrivenSession) -> Result<(), Failure> {
    conclude(seat, driven)?;
    Ok(seat.save()?)
}

/// The same for a command in a terminal; says how the loop was left, unless the session has the next turn.
pub fn shown(mut seat: Seat, outcome: &Outcome) -> Result<Option<String>, Failure> {
    let Outcome::Driven(driven) = outcome else { return Ok(None) };
    let said = conclude(&mut seat, driven)?;
    let host = Host::named(&seat.armed.host).unwrap_or(Host::Other);
    match &driven.left {
        DriveOutcome::Ended(_) => seat.clear()?,
        DriveOutcome::HandedOver(_) | DriveOutcome::Paused(_) | DriveOutcome::Interrupted => seat.save()?,
    }
    Ok(match said.answer {
        Answer::LetStop { told } => Some(spelled_for(host, &told)),
        Answer::Nothing | Answer::Continue { .. } | Answer::RefusePrompt { .. } => None,
        Answer::AddToPrompt { .. } | Answer::Tell { .. } | Answer::DenyTool { .. } => None,
    })
}

/// What the session hears, and what is written when the loop was left.
pub fn conclude(seat: &mut Seat, driven: &DrivenSession) -> Result<Said, Failure> {
    let known = known(seat, driven)?;
    let place = seat.place()?;
    let mut said = match &driven.left {
        DriveOutcome::HandedOver(_) => {
            ending::project(&place, &known.home, driven);
            let news = driven.handed.as_ref().map(|handed| handed.news.clone()).unwrap_or_default();
            let told = told::going_on(driven);
            Said { answer: Answer::Continue { brief: news, told: told.clone() }, talk: told }
        }
        DriveOutcome::Paused(reason) => {
            ending::project(&place, &known.home, driven);
            Said::let_stop(told::paused(*reason, &known)?)
        }
        DriveOutcome::Ended(_) => {
            ending::write(&place, &known)?;
            stop_others(&place, &known)?;
            Said::let_stop(told::ended(&known)?)
        }
        DriveOutcome::Interrupted => overtime(seat, driven),
    };
    if matches!(driven.left, DriveOutcome::Paused(_) | DriveOutcome::Ended(_)) {
        told_elsewhere(&known, &mut said);
    }
    if !driven.notes.is_empty() {
        let notes: Vec<String> = driven.notes.iter().map(|note| format!("note: {note}")).collect();
        let _ = write!(said.talk, "\n{}", notes.join("\n"));
        if let Answer::Continue { told, .. } | Answer::LetStop { told } = &mut said.answer {
            let _ = write!(told, " · {}", one_line(&notes.join(" · ")));
        }
    }
    Ok(said)
}

/// Whoever is away from the session is told by the channels, once and without waiting for an answer.
fn told_elsewhere(known: &Known, said: &mut Said) {
    let clock = Arc::new(Clock::new());
    let notes = known
        .agreement()
        .map_err(Failure::from)
        .and_then(|agreement| reach::tell_of(&agreement, &known.home, &clock, 1));
    match notes {
        Ok(notes) => notes.iter().for_each(|note| said.talk.push_str(&format!("\nnote: {note}"))),
        Err(failure) => said.talk.push_str(&format!("\nnote: {}", failure.in_one_line())),
    }
}

/// Where the first that lands is enough, the others of its group hear so at their next stop.
fn stop_others(place: &PlaceOfWork, landed: &Known) -> Result<(), Failure> {
    let is_landed = matches!(landed.fold.state.landing(), Some(LandingWord::Landed { .. }));
    if !is_landed || !group::is_over_with_first(&landed.agreement()?) {
        return Ok(());
    }
    for other in group::together(landed, &start::loops(place)?.known) {
        group::stop(&other.home, &Clock::new())?;
    }
    Ok(())
}

/// The gates, or others that land first, need longer than the host allows.
fn overtime(seat: &mut Seat, driven: &DrivenSession) -> Said {
    seat.armed.failures = seat.armed.failures.saturating_add(1);
    let is_over = seat.armed.failures > OVERTIMES_MAX;
    if waits_to_land(driven) {
        return queued(driven, is_over);
    }
    if is_over {
        return Said::let_stop(
            "gulf could not finish looking at this: the checks take longer than the agent's program waits. The \
             loop is NOT over and nothing was verified. `gulf resume --here` goes on without that limit."
                .to_owned(),
        );
    }
    let why = "the checks and the judge took longer than the time that gulf has for one stop";
    Said {
        answer: Answer::Continue {
            brief: format!(
                "gulf has not finished looking at your work: {why}. This is neither a yes nor a no. What was said \
                 so far is kept: finish your turn again, and gulf goes on from there."
            ),
            told: language::told(format!("Gulf Loop | not finished: {why}")),
        },
        talk: why.to_owned(),
    }
}

/// Did every gate say yes, and what is left is the way onto the base branch?
fn waits_to_land(driven: &DrivenSession) -> bool {
    let lands = |key: &EffectKey| key.work == Work::Land;
    matches!(decide(&driven.fold.state), Decision::Run { effects, .. } if effects.iter().any(lands))
}

/// The work keeps its place by being asked for again: nothing is left to do for the session (CONTRACT R8).
fn queued(driven: &DrivenSession, is_over: bool) -> Said {
    let news = told::news(driven, "Merge queued — waiting for its turn");
    if is_over {
        return Said::let_stop(format!(
            "{news}\nEvery gate has passed, but the work has NOT landed yet: others land first, or the tests of the \
             merge take longer than the agent's program waits. The loop is not over: say \"go on\" later, or \
             `gulf resume --here`, which waits as long as it takes."
        ));
    }
    Said {
        answer: Answer::Continue {
            brief: "## Merge Queued\n\nEvery gate has passed, and your work waits for its turn to land on the base \
                    branch: others land first, or the tests of the merge are still running. Nothing is left to do \
                    for you: change nothing, and end your message with the same word again. gulf goes on from there."
                .to_owned(),
            told: news.clone(),
        },
        talk: news,
    }
}

/// The name of the loop that the session works on.
pub fn name(seat: &Seat) -> Result<Name, Failure> {
    Name::parse(&seat.armed.loop_id).map_err(|error| Failure::world(&error, None))
}

fn known(seat: &Seat, driven: &DrivenSession) -> Result<Known, Failure> {
    let name = name(seat)?;
    let home = seat.place()?.loop_home(&name);
    let (fold, updated_at_ms) = (driven.fold.clone(), driven.fold.last_at_ms);
    Ok(Known { name, home, fold, updated_at_ms })
}
