//! The hook at a session's stop.

use camino::Utf8PathBuf;
use gulf_agents::sessions::{Answer, answer, block_cap, spelled_for};
use gulf_host::signals;
use gulf_runner::drive::DriveOutcome;
use gulf_runner::observer::Unobserved;
use gulf_runner::session::{self, Answered, Claimed, DrivenSession, Means, Outcome, Seat, Stopped};

use super::{Call, adopt, last_words, print, variable};
use crate::failure::Failure;
use crate::in_session::Said;
use crate::in_session::conclude::conclude;
use crate::language;
use crate::out::masked;

/// Said once to a session whose loop another one has taken over.
const MOVED: &str = "gulf: another session has taken over this loop; this one stops normally. /gulf-loop:resume takes it \
                     back.";

/// What the event says of the stop.
#[derive(Debug)]
pub struct Heard<'event> {
    pub message: &'event Option<String>,
    pub continuing: bool,
    pub background: &'event [String],
}

pub fn stop(call: &Call, heard: &Heard<'_>) -> Result<Said, Failure> {
    let stopped = Stopped {
        event: call.event.clone(),
        message: heard.message.clone(),
        continuing: heard.continuing,
        transcript: call.event.transcript.as_ref().map(Utf8PathBuf::from),
        background: heard.background.to_vec(),
        cap: block_cap(call.event.host, &variable),
        came_at_ms: call.came_at_ms,
    };
    let mut warnings = Vec::new();
    if !call.place.is_armed() {
        match adopt::from_markers(call)? {
            adopt::TakenFiles::Adopted { notes } => warnings = notes,
            adopt::TakenFiles::Nothing => return Ok(Said::nothing()),
            adopt::TakenFiles::Said(said) => return Ok(said),
        }
    }
    let Some(home) = &call.place.home else { return Ok(Said::nothing()) };
    let Some(mut seat) = Seat::take(home, &call.place.project)? else { return Ok(Said::nothing()) };
    let leave = call.leave.clone();
    let _listening = signals::listen(move |interruption| leave.ask(interruption))
        .map_err(|error| Failure::world(&error, None))?;
    let mut unobserved = Unobserved;
    let means = Means { clock: call.clock.clone(), leave: call.leave.clone(), observer: &mut unobserved };
    let outcome = session::stop(&mut seat, &stopped, means)?;
    match outcome {
        Outcome::NotOurs => Ok(Said::nothing()),
        Outcome::Moved => Ok(Said::let_stop(MOVED)),
        Outcome::Again(last) => {
            repeat(&last);
            Ok(Said::nothing())
        }
        Outcome::Waits { tasks, claimed } => Ok(waits(&tasks, claimed)),
        Outcome::Driven(mut driven) => {
            driven.notes.splice(0..0, warnings);
            let said = conclude(&mut seat, &driven)?;
            let said = last_words::asked_for(call, &mut seat.armed, &stopped, &driven.left, said);
            remember(seat, &stopped, &driven, &said, call)?;
            Ok(said)
        }
    }
}

/// The same stop gets the same answer.
pub(super) fn repeat(last: &Answered) {
    for line in last.stderr.lines() {
        anstream::eprintln!("[gulf] {}", masked(line));
    }
    if let Some(text) = &last.stdout {
        print(text);
    }
}

fn waits(tasks: &[String], claimed: Claimed) -> Said {
    let names = tasks.join("; ");
    match claimed {
        Claimed::No => Said::let_stop(format!(
            "gulf has not checked this yet: something still runs in the background ({names}). The loop continues when that has ended. Stop anything that never ends, such as a server."
        )),
        Claimed::Yes => Said {
            answer: Answer::Continue {
                brief: format!(
                    "You say that it is done, but something of yours still runs in the background: {names}. Wait \
                     for it, or stop it; then say again that it is done."
                ),
                told: language::told(format!("Gulf Loop | not judged yet: {names}")),
            },
            talk: String::new(),
        },
    }
}

fn remember(
    mut seat: Seat,
    stopped: &Stopped,
    driven: &DrivenSession,
    said: &Said,
    call: &Call,
) -> Result<(), Failure> {
    if matches!(driven.left, DriveOutcome::Ended(_)) {
        return Ok(seat.clear()?);
    }
    if driven.left != DriveOutcome::Interrupted {
        seat.armed.failures = 0;
    }
    seat.armed.last = stopped.occasion().map(|occasion| Answered {
        occasion: occasion.occasion,
        message: occasion.message,
        at_ms: call.clock.wall_ms(),
        file_bytes: stopped.file_bytes(),
        stdout: answer(call.event.host, &said.answer),
        stderr: spelled_for(call.event.host, &said.talk),
    });
    Ok(seat.save()?)
}
