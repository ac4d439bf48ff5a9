//! Checks that said yes and no about the very same files: whoever reads a green word must see that a red one came before.

use crate::wording;
use gulf_engine::{CheckName, Flakiness, State};
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
        let flaky = |name: &CheckName| {
            let &Flakiness { no_in, yes_in } = state.flaky().get(name)?;
            Some(FlakyCheck { check: name.clone(), no_in, yes_in })
        };
        wording::checks(state).filter_map(|terms| flaky(&terms.name)).collect()
    }
}

/// What follows a check's word where it is not the only one.
pub(crate) fn beside(name: &CheckName, state: &State) -> &'static str {
    if state.flaky().contains_key(name) { " · flaky: it passed and failed on the same files" } else { "" }
}
