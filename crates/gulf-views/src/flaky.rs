//! What is said of a check that was asked again about the very same files.
//!
//! It stands apart because whoever reads a green word must see in the same line that a red one came before it.

use crate::phrase::{Phrase, attention};
use crate::unproven::Unproven;
use gulf_engine::{CONFIRMATIONS, CheckName, Doubt, Flakiness, State, Work};
use serde::Serialize;

/// A check that said yes and no about the same files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlakyCheck {
    pub check: CheckName,
    /// The iterations whose logs have both words.
    pub no_in: u32,
    pub yes_in: u32,
}

impl FlakyCheck {
    /// In the contract's order.
    pub(crate) fn all(state: &State) -> Vec<FlakyCheck> {
        let checks = state.contract().into_iter().flat_map(|contract| &contract.checks);
        let flaky = checks.filter_map(|terms| Some((&terms.name, state.flaky().get(&terms.name)?)));
        flaky
            .map(|(name, &Flakiness { no_in, yes_in })| FlakyCheck { check: name.clone(), no_in, yes_in })
            .collect()
    }

    /// How every view tells it, with the commands that name both logs.
    pub(crate) fn unproven(&self) -> Unproven {
        let Self { check, no_in, yes_in } = self;
        Unproven {
            what: format!("a steady word of check {check}: it is flaky"),
            each: vec![format!(
                "it said no in iteration {no_in} and yes in iteration {yes_in} about the very same files: \
                 `gulf log --iteration {no_in}` and `gulf log --iteration {yes_in}` name its logs"
            )],
        }
    }
}

/// What follows a check's word where it is not the only one.
pub(crate) fn beside(name: &CheckName, state: &State) -> &'static str {
    if state.flaky().contains_key(name) { " · flaky: it said yes and no about the same files" } else { "" }
}

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
    attention(told)
}
