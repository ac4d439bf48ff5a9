//! The hook at a session's stop.

use std::fs::File;
use std::io::Read;

use camino::Utf8Path;
use gulf_agents::sessions::{Answer, Host, Notices, TRIGGER_BYTES_MAX, last_trigger, notices, spelled_for};
use gulf_host::signals;
use gulf_runner::drive::DriveOutcome;
use gulf_runner::session::{self, Answered, Armed, DrivenSession, Outcome, Seat, Stopped};
use gulf_views::one_line;

use super::prompt::means;
use super::{Call, adopt, speak, variable};
use crate::failure::{Failure, Result};
use crate::in_session::SessionMessage;
use crate::in_session::conclude::conclude;
use crate::language;

/// Said once to a session whose loop another one has taken over.
const MOVED: &str = "gulf: another session has taken over this loop; this one stops normally. /gulf-loop:resume takes it \
                     back.";

pub fn stop(call: &Call, stopped: &Stopped) -> Result<SessionMessage> {
    let mut warnings = Vec::new();
    if !call.place.is_armed() {
        match adopt::from_markers(call)? {
            Ok(notes) => warnings = notes,
            Err(said) => return Ok(said),
        }
    }
    let Some(home) = &call.place.home else { return Ok(SessionMessage::nothing()) };
    let Some(mut seat) = Seat::take(home, &call.place.project)? else { return Ok(SessionMessage::nothing()) };
    let leave = call.leave.clone();
    let _listening = signals::listen(move |signal| leave.obey(signal)).map_err(Failure::broken)?;
    match session::stop(&mut seat, stopped, means(call))? {
        Outcome::NotOurs => Ok(SessionMessage::nothing()),
        Outcome::Moved => Ok(SessionMessage::let_stop(MOVED)),
        Outcome::Again(last) => {
            repeat(&last);
            Ok(SessionMessage::nothing())
        }
        Outcome::Waits { tasks, is_claimed } => Ok(waits(&tasks, is_claimed)),
        Outcome::Driven(mut driven) => {
            driven.notes.splice(0..0, warnings);
            let said = conclude(&mut seat, &driven)?;
            let said = asked_for(call, &mut seat.armed, stopped, &driven.left, said);
            remember(seat, stopped, &driven, &said, call)?;
            Ok(said)
        }
    }
}

/// The same stop gets the same answer.
pub(super) fn repeat(last: &Answered) {
    speak(&last.stderr, last.stdout.as_deref());
}

fn waits(tasks: &[String], is_claimed: bool) -> SessionMessage {
    let names = tasks.join("; ");
    if !is_claimed {
        return SessionMessage::let_stop(format!(
            "gulf has not checked this yet: something still runs in the background ({names}). The loop continues when that has ended. Stop anything that never ends, such as a server."
        ));
    }
    SessionMessage::go_on(
        format!(
            "You say that it is done, but something of yours still runs in the background: {names}. Wait \
             for it, or stop it; then say again that it is done."
        ),
        language::translated(format!("Gulf Loop | not judged yet: {names}")),
        "",
    )
}

fn remember(
    mut seat: Seat,
    stopped: &Stopped,
    driven: &DrivenSession,
    said: &SessionMessage,
    call: &Call,
) -> Result<()> {
    if matches!(driven.left, DriveOutcome::Ended(_)) {
        return Ok(seat.clear()?);
    }
    if driven.left != DriveOutcome::Interrupted {
        seat.armed.failures = 0;
    }
    seat.armed.last = stopped.occasion().map(|occasion| said.kept(call, occasion, stopped.file_bytes()));
    Ok(seat.save()?)
}

// A pause or an end where the host shows nothing of what a hook says: the model is asked to say it.

/// Of a session's file; a longer one is taken for a terminal's.
const FILE_BYTES_MAX: u64 = 256 << 20;
/// So much of it is in memory at a time.
const PIECE_BYTES: usize = 1 << 20;

/// What the session is answered with at a pause or an end, given what is said where the person reads it.
pub fn asked_for(
    call: &Call,
    armed: &mut Armed,
    stopped: &Stopped,
    left: &DriveOutcome,
    said: SessionMessage,
) -> SessionMessage {
    let Answer::LetStop { told } = &said.answer else { return said };
    if !matches!(left, DriveOutcome::Paused(_) | DriveOutcome::Ended(_)) || shown(call) == Notices::Shown {
        return said;
    }
    if armed.parted {
        return SessionMessage::nothing();
    }
    // The host overrules one block too many, without a word.
    let blocks = if stopped.continuing { armed.blocks } else { 0 };
    if stopped.cap.is_some_and(|cap| blocks >= cap.blocks) {
        return said;
    }
    armed.parted = true;
    armed.blocks = armed.blocks.saturating_add(1);
    let line = spelled_for(call.event.host, &one_line(told));
    SessionMessage { answer: Answer::Continue { brief: brief(&line), told: line }, talk: said.talk }
}

/// No command and no check is left: only the line counts.
fn brief(line: &str) -> String {
    format!(
        "gulf has looked, and nothing is left to do here: call no tool and change nothing. The person reads only what you \
         say, so end your answer with exactly this one line, as it stands:\n\n{line}"
    )
}

fn shown(call: &Call) -> Notices {
    let file = call.event.transcript.as_deref().filter(|_| call.event.host == Host::Codex);
    let trigger = file.and_then(|path| trigger(Utf8Path::new(path)));
    notices(call.event.host, &variable, trigger.as_deref())
}

/// What began the turn, by the session's file; none where it does not say so.
fn trigger(path: &Utf8Path) -> Option<String> {
    let mut file = File::open(path).ok()?.take(FILE_BYTES_MAX);
    let mut piece = Vec::with_capacity(PIECE_BYTES + TRIGGER_BYTES_MAX);
    let mut last = None;
    loop {
        let read = file.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut piece).ok()?;
        if read == 0 {
            return last;
        }
        last = last_trigger(&piece).map(str::to_owned).or(last);
        // One that is cut in two is whole with the next piece.
        piece.drain(..piece.len().saturating_sub(TRIGGER_BYTES_MAX));
    }
}
