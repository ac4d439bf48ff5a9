//! What was thought about before a turn, counted a second time, and the laws of thinking.

use super::{Kept, Ledger, is_probe, law};
use crate::*;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Thoughts {
    /// Said to the end, since the last iteration was settled.
    said: BTreeSet<Step>,
    /// Asked for again, since a person last looked.
    again: u32,
    /// A person lets the turn follow on what stands.
    waived: bool,
    after_refusal: bool,
    /// The iteration's spending began with one of them.
    begun: bool,
}

impl Ledger {
    pub(super) fn coming_iteration(&self) -> u32 {
        if self.repeats { self.iteration } else { self.iteration + 1 }
    }

    /// Of the unit in hand.
    pub(super) fn coming_of_unit(&self) -> u32 {
        self.iterations + u32::from(!self.repeats)
    }

    pub(super) fn step_began(&mut self, contract: &Contract, key: &EffectKey) -> Kept {
        let limits = &contract.policy.limits;
        let within = self.coming_of_unit() <= self.iterations_max(contract);
        law(within, "no iteration beyond the limit ever begins")?;
        self.is_in_time(contract)?;
        law(!self.sessions.is_worker(), "a session thinks within its own turn")?;
        law(self.active_ms >= self.wait_until_ms, "a rate limit is waited out")?;
        law(self.people.open.is_empty(), "an open question rests the loop until it is answered")?;
        law(self.running.iter().all(is_probe), "a step runs alone but for a check on the base")?;
        law(!self.awaits_candidate, "what a turn left is looked at before anything is thought about")?;
        let again = contract.policy.retries.research_max.get();
        law(self.thoughts.again <= again, "a plan that its critic never consents to reaches a person")?;
        let due = self.steps_due(contract).next();
        let step = due.map(|step| EffectKind::Step { step });
        law(
            step.as_ref() == Some(&key.work),
            "steps come in the order of the contract, each as often as it must",
        )?;
        if !std::mem::replace(&mut self.thoughts.begun, true) {
            self.purse.turn_begins(limits)?;
        }
        Ok(())
    }

    fn steps_due<'a>(&'a self, contract: &'a Contract) -> impl Iterator<Item = Step> + 'a {
        let thoughts = &self.thoughts;
        let applies = |terms: &&StepTerms| match terms.when {
            StepWhen::First => self.coming_of_unit() == 1,
            StepWhen::Every => true,
            StepWhen::AfterRefusal => thoughts.after_refusal,
            StepWhen::AfterRepeatedFailure => {
                thoughts.after_refusal && self.stalls.is_repeated() && thoughts.again <= 1
            }
        };
        let steps = contract.policy.steps.iter().filter(applies).map(|terms| terms.step);
        steps.filter(|step| !thoughts.waived && !thoughts.said.contains(step))
    }

    pub(super) fn turn_follows_steps(&mut self, contract: &Contract) -> Kept {
        let done = self.sessions.is_worker() || self.steps_due(contract).next().is_none();
        law(done, "a turn follows the steps before it")?;
        if !std::mem::take(&mut self.thoughts.begun) {
            self.purse.turn_begins(&contract.policy.limits)?;
        }
        Ok(())
    }

    pub(super) fn step_ended(&mut self, contract: &Contract, step: Step, end: &StepEnd) {
        for Denial { what, times } in &end.denials {
            *self.people.denials.entry(what.clone()).or_default() += times;
        }
        let thoughts = &mut self.thoughts;
        match (&end.outcome, &end.word) {
            (TurnOutcome::Completed, StepWord::Said) => {
                thoughts.said.insert(step);
            }
            (TurnOutcome::Completed, StepWord::Incomplete { .. }) => thoughts.again += 1,
            (TurnOutcome::Completed, StepWord::Objected { .. }) => {
                thoughts.said.remove(&Step::Plan);
                thoughts.again += 1;
            }
            (TurnOutcome::RateLimited { wait_ms }, _) => self.limited(contract, *wait_ms),
            (TurnOutcome::OutOfBudget, _) => self.purse.is_said_to_be_empty(),
            (TurnOutcome::NeedsPerson { .. }, _) => self.people.needed = true,
            (TurnOutcome::Declined { .. }, _) => self.people.declined += 1,
            (TurnOutcome::Failed { .. } | TurnOutcome::TimedOut | TurnOutcome::ContextFull, _) => {}
        }
    }

    pub(super) fn steps_may_rest(&self, contract: &Contract) -> Kept {
        let again = contract.policy.retries.research_max.get();
        law(self.thoughts.again > again, "a person is asked when a step was repeated often enough")
    }

    pub(super) fn steps_resumed(&mut self) {
        self.thoughts.again = 0;
        self.thoughts.waived |= self.paused == Some(PauseReason::Step);
    }

    /// An iteration is over, and no further attempt of it follows.
    pub(super) fn steps_are_over(&mut self, after_refusal: bool) {
        self.thoughts = Thoughts { after_refusal, ..Thoughts::default() };
        self.attempts.retain(|work, _| !matches!(work, EffectKind::Step { .. }));
    }
}
