//! How much of a fresh context was read before the first edit, in people's words (SPEC G4, G24).
//!
//! It stands apart because the line of a turn, the look back at an iteration and the advice must say the same, and what
//! cannot be measured must never read like a small number.

use crate::phrase::{Phrase, attention, say, secondary};
use gulf_engine::{Orientation, OrientationEnd, State, Turn};

/// One turn may have to read much; the second in a row reads what the first one read.
const COLD_STARTS_MIN: u32 = 2;
/// Basis points of a percent.
const PERCENT_BP: u32 = 100;

/// Of any turn, also where nothing can be said.
pub(crate) fn measured(turn: &Turn) -> Phrase {
    match turn.orientation {
        Some(orientation) => say(read(orientation)),
        None => secondary(
            "what it read before its first edit is not measurable: its agent does not tell, or its session went on",
        ),
    }
}

/// Of a turn that read more than was wanted.
pub(crate) fn too_much(turn: &Turn, state: &State) -> Option<Phrase> {
    let orientation = turn.orientation.filter(|one| bp_max(state).is_some_and(|max| one.used_bp > max))?;
    Some(attention(read(orientation)))
}

/// Of turns in a row.
pub(crate) fn advice(state: &State) -> Option<String> {
    let turns = state.unit().streaks.cold_starts;
    let percent = bp_max(state).filter(|_| turns >= COLD_STARTS_MIN)? / PERCENT_BP;
    Some(format!(
        "Each of the last {turns} turns that began with a fresh context filled more than {percent} % of it before the \
         first edit (stuck.orientation). The next one is told to begin with progress.txt."
    ))
}

fn bp_max(state: &State) -> Option<u32> {
    state.contract()?.policy.stuck.orientation_bp_max
}

fn read(orientation: Orientation) -> String {
    let percent = orientation.used_bp / PERCENT_BP;
    match orientation.until {
        OrientationEnd::Edit => format!("{percent} % of a fresh context read before the first edit"),
        OrientationEnd::Turn => format!("{percent} % of a fresh context read, and nothing edited by a tool"),
    }
}
