//! What somebody changed in a state file that gulf had written.
//!
//! Apart from reading because a worker can write this file: what tightens counts, and all else is only named.

use super::fields::{self, MERGE_STATUS, legible, shown};
use super::{Marker, MarkerActivity, Reading};
use crate::text::lines;

/// A change of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkerEdit {
    /// `active: false`.
    Paused,
    /// A lower `max_iterations`.
    LowerIterationsMax(u32),
    /// Anything else. It does not count, and the next write undoes it.
    Loosened {
        /// One sentence about it, without a full stop.
        what: String,
    },
}

/// Compares what gulf last wrote with what is found, in the order of the file.
///
/// A value that cannot be read tightens nothing. White space at the prompt's end and the form of line endings are
/// no change: editors add and alter them unasked.
pub fn edits(ours: &Marker, found: &Reading) -> Vec<MarkerEdit> {
    let unread = |key: &str| found.warnings.iter().any(|warning| warning.key() == Some(key));
    let mut edits = Vec::new();
    for (was, is) in fields::of(ours).into_iter().zip(fields::of(&found.marker)) {
        if was.key == MERGE_STATUS {
            continue;
        }
        if unread(was.key) {
            let what = format!("`{}` is missing or cannot be read", was.key);
            edits.push(MarkerEdit::Loosened { what });
        } else if was.value != is.value {
            let loosened = || {
                let (key, is, was) = (was.key, shown(&legible(&is.value)), shown(&legible(&was.value)));
                MarkerEdit::Loosened { what: format!("`{key}` was set to {is}; it was {was}") }
            };
            edits.push(tightened(was.key, ours, &found.marker).unwrap_or_else(loosened));
        }
    }
    if !is_same_text(&ours.prompt, &found.marker.prompt) {
        edits.push(MarkerEdit::Loosened { what: "the prompt was changed".to_owned() });
    }
    edits
}

/// The change of a key as one that counts.
fn tightened(key: &str, ours: &Marker, found: &Marker) -> Option<MarkerEdit> {
    match key {
        "active" if found.standing == MarkerActivity::Paused => Some(MarkerEdit::Paused),
        "max_iterations" if found.iterations_max < ours.iterations_max => {
            Some(MarkerEdit::LowerIterationsMax(found.iterations_max))
        }
        _ => None,
    }
}

fn is_same_text(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(str::trim_end);
    lines(one).map(|line| line.text).eq(lines(other).map(|line| line.text))
}
