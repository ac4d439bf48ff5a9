//! The second book's page on a list of tasks: what was counted in the candidate, and whether the word for it stands.

use super::Ledger;
use crate::*;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Exit {
    pub(super) tally: Option<TaskTally>,
    /// The turn came to an end of its own, or to that of its money.
    pub(super) is_whole: bool,
    /// Its session can be asked once more.
    pub(super) goes_on: bool,
}

impl Ledger {
    /// Both conditions: nothing is left of the list, and somebody says so who came to an end.
    pub(super) fn is_signed_off(&self) -> bool {
        let is_done = self.exit.tally.is_some_and(|tally| tally.open + tally.missing == 0);
        is_done && self.claimed && (self.exit.is_whole || self.person() == Some(true))
    }

    /// Everything is there but the worker's word.
    pub(super) fn waits_for_a_word(&self, contract: &Contract) -> bool {
        let is_done = self.exit.tally.is_some_and(|tally| tally.open + tally.missing == 0);
        let is_green = contract.checks.is_empty() || self.says_yes(contract, Gate::Checks);
        contract.policy.gates.contains(&Gate::Tasks) && is_done && is_green
    }
}
