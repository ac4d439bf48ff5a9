//! What may still be spent: the limits that let no further iteration follow (SPEC G15, B12).
//!
//! It is the one place where money ends a loop: of the gates, only the judge costs any.

use crate::contract::{Reserve, Standstill};
use crate::decision::{Decision, Evaluation};
use crate::effect::Spent;
use crate::end::{End, Exhaustion};
use crate::event::PauseReason;

impl Evaluation<'_> {
    /// Nothing follows this iteration: what is there is evaluated, claimed or not.
    pub(crate) fn is_at_limit(self) -> bool {
        self.exhaustion().is_some()
    }

    /// The limit that lets no further iteration follow.
    pub(crate) fn exhaustion(self) -> Option<Exhaustion> {
        let last = self.state.unit.iterations >= self.state.iterations_max();
        if last { Some(Exhaustion::Iterations) } else { self.is_out_of_budget() }
    }

    /// A loop that comes to no end of its own: stuck, or at its last iteration (SPEC A5).
    pub(crate) fn rest_or_end(self, end: End) -> Decision {
        match (self.contract.policy.stuck.then, &end) {
            (Standstill::End, _) => Decision::End(end),
            (Standstill::Ask, End::Exhausted { .. }) => Decision::Pause(PauseReason::Limit),
            (Standstill::Ask, _) => Decision::Pause(PauseReason::Stuck),
        }
    }

    /// The budget that leaves no room for another turn, if one does (SPEC B12).
    pub(crate) fn is_out_of_budget(self) -> Option<Exhaustion> {
        let spending = &self.state.spending;
        let reserve = match self.contract.policy.limits.reserve {
            Reserve::Nothing => Spent::default(),
            Reserve::DearestIteration => spending.dearest_so_far(),
        };
        if spending.out_of_budget { Some(Exhaustion::Money) } else { self.is_over(&reserve) }
    }

    /// What a judge's call may still use: it is no further iteration, so only what is spent counts.
    pub(crate) fn is_spent(self) -> Option<Exhaustion> {
        self.is_over(&Spent::default())
    }

    fn is_over(self, reserve: &Spent) -> Option<Exhaustion> {
        let (limits, total) = (&self.contract.policy.limits, &self.state.spending.total);
        let is_over = |max: Option<u64>, total: u64, reserve: u64| {
            max.is_some_and(|max| total >= max || total.saturating_add(reserve) > max)
        };
        if is_over(limits.microdollars_max, total.microdollars, reserve.microdollars) {
            return Some(Exhaustion::Money);
        }
        is_over(limits.tokens_max, total.tokens, reserve.tokens).then_some(Exhaustion::Tokens)
    }
}
