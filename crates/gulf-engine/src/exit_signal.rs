//! The two conditions of an end where a loop works through a list of tasks (SPEC K2): all of it is ticked, and the worker
//! says of its own accord that nothing is left.
//!
//! A peer has both and asks for either: ticked boxes over failing tests ended it as completed.

use crate::contract::{Gate, Standstill};
use crate::decision::{Decision, Evaluation};
use crate::effect::{Candidate, TaskTally};
use crate::end::End;
use crate::event::Settlement;
use crate::ids::Digest;
use crate::state::Stage;
use crate::turn::{Remainder, Turn, TurnOutcome};
use alloc::format;

impl Evaluation<'_> {
    /// Silence is no exit signal, whatever is ticked and green.
    pub(crate) fn lacks_signal(self) -> bool {
        self.contract.policy.gates.contains(&Gate::Tasks) && self.state.unit.claim.is_none()
    }

    /// A claim over open tasks; or one whose turn came to a bad end, of which nobody knows whether it still stands. What
    /// nobody counted is open.
    pub(crate) fn tasks_object(self) -> Option<Decision> {
        let Stage::Gates(turn, candidate) = &self.state.stage else { return None };
        let is_whole = self.is_waived(candidate)
            || matches!(turn.outcome, TurnOutcome::Completed | TurnOutcome::OutOfBudget);
        if self.lacks_signal() || (is_whole && self.all_ticked()) {
            return None;
        }
        // Who claims too early hears from the checks all the same, as who does not claim.
        let check = self.next_check(candidate).filter(|_| self.is_compared(candidate));
        let refused = || Decision::Settle(Settlement::Refused { gate: Gate::Tasks });
        Some(check.map_or_else(refused, |terms| self.run_check(terms)))
    }

    /// It changed things and named nothing that remains; or all is there but the signal.
    pub(crate) fn leaves_unsaid(self, turn: &Turn, candidate: &Candidate) -> bool {
        let is_changed = *self.state.unit.tree_before(self.base()) != candidate.tree;
        self.awaits_signal(candidate) || (turn.remainder == Remainder::Unnamed && is_changed)
    }

    /// Every task is ticked and every check says yes: only the worker's word is missing.
    fn awaits_signal(self, candidate: &Candidate) -> bool {
        let is_green = |terms| self.is_green(terms, candidate);
        self.lacks_signal() && self.all_ticked() && self.contract.checks.iter().all(is_green)
    }

    /// Every gate that was asked said yes, unclaimed: what is exhausted is over.
    pub(crate) fn without_signal(self) -> Decision {
        // What becomes of a task at its limit, and of a loop whose person is asked there, is decided between turns.
        let ends = self.contract.tasks.is_empty() && self.contract.policy.stuck.then == Standstill::End;
        let limit = self.exhaustion().filter(|_| ends);
        limit.map_or(Decision::Settle(Settlement::Unclaimed), |limit| Decision::End(End::Exhausted { limit }))
    }

    fn all_ticked(self) -> bool {
        self.state.unit.tally.is_some_and(TaskTally::is_done)
    }
}

/// The same list in the same state is the same failure: whoever ticks one more is not stuck.
pub(crate) fn failure(tasks: Option<TaskTally>) -> Digest {
    Digest::new(tasks.map_or_else(
        || "tasks not counted".into(),
        |TaskTally { open, ticked, missing }| format!("tasks {open} {ticked} {missing}"),
    ))
}
