//! A pause or an end where the host shows nothing of what a hook says: the model is asked to say it.
//!
//! It stands apart because it keeps a session from stopping that has nothing left to do: once for each rest, and only where
//! neither a screen nor the host's own cap on such answers stands against it.

use std::fs::File;
use std::io::Read;

use camino::Utf8Path;
use gulf_agents::sessions::{Answer, Host, Notices, TRIGGER_BYTES_MAX, last_trigger, notices, spelled_for};
use gulf_runner::drive::DriveOutcome;
use gulf_runner::session::{Armed, Stopped};
use gulf_views::one_line;

use super::{Call, variable};
use crate::in_session::Said;

/// Of a session's file; a longer one is taken for a terminal's.
const FILE_BYTES_MAX: u64 = 256 << 20;
/// So much of it is in memory at a time.
const PIECE_BYTES: usize = 1 << 20;

/// What the session is answered with at a pause or an end, given what is said where the person reads it.
pub fn asked_for(call: &Call, armed: &mut Armed, stopped: &Stopped, left: &DriveOutcome, said: Said) -> Said {
    match left {
        DriveOutcome::Paused(_) | DriveOutcome::Ended(_) => {}
        DriveOutcome::HandedOver(_) | DriveOutcome::Interrupted => return said,
    }
    let Answer::LetStop { told } = &said.answer else { return said };
    if shown(call) == Notices::Shown {
        return said;
    }
    if armed.parted {
        return Said::nothing();
    }
    if !may_block(armed, stopped) {
        return said;
    }
    armed.parted = true;
    armed.blocks = armed.blocks.saturating_add(1);
    let line = spelled_for(call.event.host, &one_line(told));
    Said { answer: Answer::Continue { brief: brief(&line), told: line }, talk: said.talk }
}

/// No command and no check is left: only the line counts.
fn brief(line: &str) -> String {
    format!(
        "gulf has looked, and nothing is left to do here: call no tool and change nothing. The person reads only what you \
         say, so end your answer with exactly this one line, as it stands:\n\n{line}"
    )
}

/// The host overrules one block too many, without a word.
fn may_block(armed: &Armed, stopped: &Stopped) -> bool {
    let blocks = if stopped.continuing { armed.blocks } else { 0 };
    stopped.cap.is_none_or(|cap| blocks < cap.blocks)
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
