//! What iteration 1's brief lacks, and how often it was asked for; apart, because a session's person and the log read it alike.

use crate::phrase::{Phrase, attention};
use gulf_engine::{Brief, Research, State};

/// Does the loop go on only with a brief? Elsewhere one is welcome, and no word is lost about its absence.
pub(crate) fn is_demanded(state: &State) -> bool {
    let demanded = [Research::Gate, Research::Brief];
    state.contract().is_some_and(|contract| demanded.contains(&contract.policy.research))
}

/// `2 of 5: the brief lacks RISKS, GAPS`, for an iteration that repeats.
pub fn research_gap(state: &State) -> String {
    let most = state.contract().map_or(0, |contract| contract.policy.retries.research_max.get());
    let asked = state.unit().streaks.research.min(most);
    format!("{asked} of {most}: {}", gap(state))
}

/// The log's line.
pub(crate) fn repeats(state: &State) -> Phrase {
    attention("iteration 1 repeats").say(format!(", {}", research_gap(state)))
}

fn gap(state: &State) -> String {
    let brief = state.unit().last.as_ref().map(|(turn, _)| &turn.brief);
    match brief {
        Some(Brief::Incomplete { missing }) => {
            let names: Vec<&str> = missing.iter().map(|sentence| name(sentence)).collect();
            format!("the brief lacks {}", names.join(", "))
        }
        Some(Brief::Complete) => {
            "the brief stands, but files were changed, and iteration 1 changes nothing else".to_owned()
        }
        Some(Brief::NotAsked) | None => "it needs a complete brief".to_owned(),
    }
}

/// The field's name, which a sentence about it has in backticks; else the sentence.
fn name(sentence: &str) -> &str {
    let quoted = sentence.split('`').nth(1).and_then(|quoted| quoted.strip_suffix(':'));
    quoted.unwrap_or(sentence)
}
