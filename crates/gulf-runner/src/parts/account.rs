//! What the workers of one turn may cost together: each gets a share of what is left when it begins (SPEC B12).
//!
//! The rules count money between turns only, and here several are paid within one.

use std::collections::BTreeMap;
use std::time::Duration;

use gulf_engine::{Reserve, Spent};

use crate::agreement::Agreement;
use crate::book::Fold;
use crate::spending::{Allowance, left_microdollars};

/// The money, tokens and time of one turn.
#[derive(Debug)]
pub(super) struct Account {
    microdollars_left: Option<u64>,
    tokens_left: Option<u64>,
    whole: Allowance,
    reserve: Reserve,
    /// The least that is known of what one costs.
    dearest: Spent,
    spent: Spent,
    /// By part that is worked on, how much of the money its worker may still cost; nothing where money has no limit.
    at_work: BTreeMap<usize, u64>,
}

impl Account {
    pub(super) fn new(agreement: &Agreement, fold: &Fold) -> Self {
        let limits = &agreement.policy.limits;
        let total = fold.state.spending.total;
        let assumed = crate::spending::assumed(agreement);
        Self {
            microdollars_left: left_microdollars(fold),
            tokens_left: limits.tokens_max.map(|max| max.saturating_sub(total.tokens)),
            whole: Allowance::whole(agreement, fold),
            reserve: limits.reserve,
            // Whoever tells nothing costs that much.
            dearest: assumed.filter(|_| agreement.agent.tool.known().is_none()).unwrap_or_default(),
            spent: Spent::default(),
            at_work: BTreeMap::new(),
        }
    }

    /// What this part's worker may take, with so many that have not begun, itself among them; or why it cannot begin.
    pub(super) fn begin(
        &mut self,
        at: usize,
        to_begin: usize,
        elapsed: Duration,
    ) -> Result<Allowance, String> {
        let wall = self.whole.wall.saturating_sub(elapsed);
        if wall.is_zero() {
            return Err("the loop's time is over".to_owned());
        }
        let at_work = u64::try_from(self.at_work.len()).unwrap_or(u64::MAX);
        if let Some(left) = self.tokens_left {
            let held = self.spent.tokens.saturating_add(self.dearest.tokens.saturating_mul(at_work));
            let left = left.saturating_sub(held);
            if left == 0 || left < self.dearest.tokens {
                return Err("what is left of the tokens is not enough for it".to_owned());
            }
        }
        let Some(left) = self.microdollars_left else {
            self.at_work.insert(at, 0);
            return Ok(Allowance { wall, microdollars_max: None });
        };
        let held: u64 = self.at_work.values().sum();
        let left = left.saturating_sub(self.spent.microdollars).saturating_sub(held);
        let share = left / u64::try_from(to_begin.max(1)).unwrap_or(u64::MAX);
        // Who cannot be told how much it may cost is taken to cost as much as the dearest did.
        let reserved = match self.reserve {
            Reserve::Nothing => share,
            Reserve::DearestIteration => share.max(self.dearest.microdollars),
        };
        if reserved == 0 || reserved > left {
            return Err("what is left of the money is not enough for it".to_owned());
        }
        self.at_work.insert(at, reserved);
        Ok(Allowance { wall, microdollars_max: Some(reserved) })
    }

    /// What it came to.
    pub(super) fn end(&mut self, at: usize, spent: Option<Spent>) {
        self.at_work.remove(&at);
        let Some(spent) = spent else { return };
        self.dearest.microdollars = self.dearest.microdollars.max(spent.microdollars);
        self.dearest.tokens = self.dearest.tokens.max(spent.tokens);
        self.spent = self.spent.plus(spent);
    }
}

#[cfg(test)]
mod tests;
