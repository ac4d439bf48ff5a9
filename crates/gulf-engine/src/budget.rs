//! What may still be spent: the limits that let no further iteration follow (SPEC G15, B12).
//!
//! It stands apart because it is the one place where money ends a loop: of the gates, only the judge costs any.

use crate::contract::Reserve;
use crate::decide::Wish;
use crate::end::Exhaustion;

impl Wish<'_> {
    /// Nothing follows this iteration: what is there is evaluated, claimed or not.
    pub(crate) fn is_at_limit(self) -> bool {
        self.exhaustion().is_some()
    }

    /// The limit that lets no further iteration follow.
    pub(crate) fn exhaustion(self) -> Option<Exhaustion> {
        let last = self.state.unit.iteration >= self.contract.policy.limits.iterations_max.get();
        if last { Some(Exhaustion::Iterations) } else { self.is_out_of_budget() }
    }

    /// The budget that leaves no room for another turn, if one does (SPEC B12).
    pub(crate) fn is_out_of_budget(self) -> Option<Exhaustion> {
        let (limits, spending) = (&self.contract.policy.limits, &self.state.spending);
        let dearest = |before: u64, now: u64| match limits.reserve {
            Reserve::Nothing => 0,
            Reserve::DearestIteration => before.max(now),
        };
        let is_over = |max: Option<u64>, total: u64, reserve: u64| {
            max.is_some_and(|max| total >= max || total.saturating_add(reserve) > max)
        };
        let money = dearest(spending.dearest.microdollars, spending.iteration.microdollars);
        let tokens = dearest(spending.dearest.tokens, spending.iteration.tokens);
        if spending.out_of_budget || is_over(limits.microdollars_max, spending.total.microdollars, money) {
            return Some(Exhaustion::Money);
        }
        is_over(limits.tokens_max, spending.total.tokens, tokens).then_some(Exhaustion::Tokens)
    }

    /// What a judge's call may still use: it is no further iteration, so only what is spent counts.
    pub(crate) fn is_spent(self) -> Option<Exhaustion> {
        let (limits, total) = (&self.contract.policy.limits, &self.state.spending.total);
        if limits.microdollars_max.is_some_and(|max| total.microdollars >= max) {
            return Some(Exhaustion::Money);
        }
        limits.tokens_max.is_some_and(|max| total.tokens >= max).then_some(Exhaustion::Tokens)
    }
}
