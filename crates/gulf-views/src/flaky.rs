//! What is said of a check that was asked again about the very same files.
//!
//! It stands apart because whoever reads a green word must see in the same line that a red one came before it.

use crate::look::Tone;
use crate::phrase::Phrase;
use gulf_engine::{CONFIRMATIONS, Doubt, State, Work};

/// The check was asked again about the same tree.
pub(crate) fn remark(work: &Work, state: &State) -> Phrase {
    let words = state.candidate().and_then(|candidate| state.unit().words.get(&candidate.tree));
    let Work::Check { name } = work else { return Phrase::new() };
    let Some(Doubt::Asked { iteration, greens }) = words.and_then(|words| words.doubts.get(name)) else {
        return Phrase::new();
    };
    let told = match (greens, state.flaky().contains_key(name)) {
        (0, false) => format!(" · asked once more, as in iteration {iteration}"),
        (0, true) => " · FLAKY: it said yes about these very files".to_owned(),
        (greens, _) => {
            format!(" · FLAKY: it said no about these very files; said yes {greens} of {CONFIRMATIONS} times")
        }
    };
    Phrase::new().tone(Tone::Attention, told)
}
