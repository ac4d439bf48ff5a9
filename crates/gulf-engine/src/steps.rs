//! Turns beside the work: an agent thinks, and what it leaves is text for the turn that follows (SPEC A3, A7, L2).
//!
//! Nothing in them can be done or claimed: they end no iteration, build no candidate, and no gate hears of them. What
//! they cost counts, and so does a provider that asks to wait.

use crate::decision::{Beside, Decision, Evaluation};
use crate::effect::{EffectKey, EffectKind};
use crate::end::Party;
use crate::event::{PauseReason, Settlement};
use crate::state::{Applied, Next, Stage, StateFields};
use crate::turn::{REPEATED_FAILURE_MIN, Step, StepEnd, StepWhen, StepWord, TurnOutcome};
use crate::unit::Steps;
use alloc::vec;
use core::mem;

/// So often what only helps is asked for again; then the turn follows on what stands.
const HELP_REPEATS_MAX: u32 = 1;

impl StateFields {
    /// The steps that the coming turn follows, or that the one in hand followed, in their order.
    pub fn steps_before_turn(&self) -> impl Iterator<Item = Step> {
        let is_ahead = *self.innermost_stage() == Stage::Between(Next::Advance);
        let is_first = self.unit.iterations + u32::from(is_ahead) == 1;
        let after_refusal = self.unit.steps.after_refusal;
        let after_repeated = after_refusal && self.unit.streaks.same_failure >= REPEATED_FAILURE_MIN;
        let is_helped = self.unit.steps.repeated <= HELP_REPEATS_MAX;
        let terms = self.contract.as_deref().into_iter().flat_map(|contract| &contract.policy.steps);
        terms.filter_map(move |terms| {
            let applies = match terms.when {
                StepWhen::First => is_first,
                StepWhen::Every => true,
                StepWhen::AfterRefusal => after_refusal,
                StepWhen::AfterRepeatedFailure => after_repeated && is_helped,
            };
            applies.then_some(terms.step)
        })
    }

    /// An agent thinks, beside the work.
    pub(crate) fn is_stepping(&self) -> bool {
        self.running.iter().any(|key| matches!(key.work, EffectKind::Step { .. }))
    }

    pub(crate) fn begin_step(&mut self, key: &EffectKey) -> Applied {
        let Stage::Between(next) = self.stage else { return Err("a step comes before a turn") };
        if key.unit != self.unit.id || key.iteration != self.next_turn(next).0 {
            return Err("this step belongs to another iteration");
        }
        if !mem::replace(&mut self.unit.steps.begun, true) {
            self.spending.next_turn();
        }
        Ok(())
    }

    pub(crate) fn end_step(&mut self, step: Step, end: &StepEnd) {
        self.deny(&end.denials);
        match &end.outcome {
            TurnOutcome::Completed => {
                (self.failures.agent, self.failures.limited) = (0, 0);
                self.hear_step(step, &end.word);
            }
            TurnOutcome::RateLimited { wait_ms } => self.wait_for_provider(Party::Agent, *wait_ms),
            TurnOutcome::OutOfBudget => self.spending.out_of_budget = true,
            TurnOutcome::NeedsPerson { why } => {
                self.failures.needs_person.insert(Party::Agent, why.clone());
            }
            TurnOutcome::Declined { why } => self.decline(why),
            TurnOutcome::Failed { .. } | TurnOutcome::TimedOut => {
                self.fail(Party::Agent, "the agent failed while it thought");
            }
            TurnOutcome::ContextFull => {
                self.fail(Party::Agent, "the prompt does not fit into the agent's context");
            }
        }
    }

    fn hear_step(&mut self, step: Step, word: &StepWord) {
        let steps = &mut self.unit.steps;
        match word {
            StepWord::Said => drop(steps.done.insert(step)),
            StepWord::Incomplete { .. } => steps.repeated += 1,
            // What was objected to is planned again, and looked at again.
            StepWord::Objected { .. } => {
                steps.done.remove(&Step::Plan);
                steps.repeated += 1;
            }
        }
    }

    /// A person looked at what does not come to its end: the turn follows on what stands.
    pub(crate) fn resume_steps(&mut self, reason: PauseReason) {
        self.unit.steps.repeated = 0;
        if reason == PauseReason::Step {
            self.unit.steps.done = self.steps_before_turn().collect();
        }
    }

    /// The iteration is over; the steps before the next one are not done.
    pub(crate) fn forget_steps(&mut self, settlement: Settlement) {
        // Where numbers steer, an iteration that is no success was told no by them.
        let is_steered = self.contract.as_deref().is_some_and(|contract| contract.policy.feedback.is_some());
        let after_refusal = matches!(settlement, Settlement::Refused { .. } | Settlement::Rejected)
            || (is_steered && settlement == Settlement::Unclaimed);
        self.unit.steps = Steps { after_refusal, ..Steps::default() };
        self.attempts.retain(|work, _| !matches!(work, EffectKind::Step { .. }));
    }
}

impl Evaluation<'_> {
    /// The step that comes next, if one does; a session thinks within its own turn.
    pub(crate) fn next_step(self) -> Option<Decision> {
        let (steps, retries) = (&self.state.unit.steps, &self.contract.policy.retries);
        let step = self.state.steps_before_turn().find(|step| !steps.done.contains(step))?;
        if self.is_session() {
            return None;
        }
        if steps.repeated > retries.research_max.get() {
            return Some(Decision::Pause(PauseReason::Step));
        }
        Some(self.run(vec![self.key(EffectKind::Step { step })], Beside::Probe))
    }

    /// What is thought about goes on.
    pub(crate) fn step_in_hand(self) -> Decision {
        let steps = self.state.running.iter().filter(|key| matches!(key.work, EffectKind::Step { .. }));
        self.run(steps.cloned().collect(), Beside::Probe)
    }
}
