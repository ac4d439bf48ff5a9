//! A check that says no and then yes about one tree: neither word is believed alone.
//!
//! It is the one place where a word is asked for again, and asking until the answer is a yes would be the cheapest
//! cheat of all. The law: a no is asked again once, when the worker claims the very tree that was settled with it; a
//! yes that follows a no counts when it was said [`CONFIRMATIONS`] times in a row, and a no among them is final; and
//! a loop in which that happened is attested at most, whatever tree it ends with.

use crate::claim::Claim;
use crate::contract::Contract;
use crate::effect::CheckRun;
use crate::end::Cause;
use crate::ids::{CheckName, TreeId};
use crate::state::{Applied, StateFields};
use crate::unit::{Doubt, Flakiness, Unit, Words};

/// So often in a row a yes that follows a no has to be said.
pub const CONFIRMATIONS: u32 = 3;

impl Words {
    /// Is this check to be asked about the tree, for the first time or again?
    pub(crate) fn lacks(&self, check: &CheckName, claim: Option<&Claim>) -> bool {
        let Some(run) = self.checks.get(check) else { return true };
        match self.doubts.get(check) {
            None => false,
            Some(Doubt::Settled { .. }) => matches!(claim, Some(Claim::Done { .. })),
            Some(Doubt::Asked { greens, .. }) => run.is_green() && *greens < CONFIRMATIONS,
        }
    }

    /// What is no longer said is no longer doubted.
    pub(crate) fn forget_doubts(&mut self) {
        self.doubts.retain(|name, _| self.checks.contains_key(name));
    }
}

impl Unit {
    /// An iteration is settled: what says no about its tree may be asked again once.
    pub(crate) fn settle_doubts(&mut self, tree: &TreeId) {
        let Some(words) = self.words.get_mut(tree) else { return };
        for (name, _) in words.checks.iter().filter(|(_, run)| !run.is_green()) {
            words.doubts.entry(name.clone()).or_insert(Doubt::Settled { iteration: self.iteration });
        }
    }
}

impl StateFields {
    pub(crate) fn check_said(&mut self, name: &CheckName, run: &CheckRun) -> Applied {
        let yes_in = self.unit.iteration;
        let words = self.gate_words()?;
        let doubt = words.doubts.get(name).copied();
        words.checks.insert(name.clone(), run.clone());
        let (no_in, greens) = match doubt {
            None => return Ok(()),
            Some(Doubt::Settled { iteration }) => (iteration, 0),
            Some(Doubt::Asked { iteration, greens }) => (iteration, greens),
        };
        let greens = if run.is_green() { greens + 1 } else { 0 };
        words.doubts.insert(name.clone(), Doubt::Asked { iteration: no_in, greens });
        if run.is_green() {
            self.flaky.entry(name.clone()).or_insert(Flakiness { no_in, yes_in });
        }
        Ok(())
    }

    /// The checks that said both about one tree.
    pub(crate) fn flaky_causes(&self, contract: &Contract) -> impl Iterator<Item = Cause> {
        let flaky = contract.checks.iter().filter_map(|terms| Some((terms, self.flaky.get(&terms.name)?)));
        flaky.map(|(terms, Flakiness { no_in, yes_in })| Cause::Flaky {
            check: terms.name.clone(),
            no_in: *no_in,
            yes_in: *yes_in,
        })
    }
}
