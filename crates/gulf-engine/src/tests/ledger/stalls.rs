//! What failed and how often, counted a second time, and the laws of who is asked when nothing goes on.

use super::{Kept, Ledger, law};
use crate::*;
use std::collections::BTreeMap;

/// Why a claim was refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Failure {
    /// What each check said that said no.
    Checks(Vec<Digest>),
    Tasks(Option<TaskTally>),
    Landing(Digest),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Stalls {
    /// What each check said last about a tree.
    said: BTreeMap<(TreeId, CheckName), Digest>,
    last: Option<Failure>,
    in_a_row: u32,
    /// Since something got better.
    each: Vec<(Failure, u32)>,
    /// Iterations that a person allowed at the limit.
    granted: u32,
    /// The turn in hand used no tool, and wrote no brief.
    is_quiet: bool,
    /// Turns in a row that left no trace.
    idle: u32,
    /// The tree of the last iteration that came to something.
    before: Option<TreeId>,
}

impl Failure {
    fn size(&self) -> usize {
        match self {
            Self::Checks(failing) => failing.len(),
            Self::Tasks(_) | Self::Landing(_) => 1,
        }
    }
}

impl Stalls {
    pub(super) fn check_said(&mut self, tree: &TreeId, name: &CheckName, run: &CheckRun) {
        let place = (tree.clone(), name.clone());
        match &run.verdict {
            CheckVerdict::Green { .. } => self.said.remove(&place),
            CheckVerdict::Red { fingerprint } | CheckVerdict::Unrunnable { fingerprint, .. } => {
                self.said.insert(place, fingerprint.clone())
            }
        };
    }

    pub(super) fn of_next_unit(&self) -> Self {
        Self { said: self.said.clone(), ..Self::default() }
    }

    pub(super) fn forget(&mut self) {
        (self.last, self.in_a_row, self.idle) = (None, 0, 0);
        self.each.clear();
    }

    pub(super) fn is_repeated(&self) -> bool {
        self.in_a_row >= REPEATED_FAILURE_MIN
    }

    pub(super) fn turn_ended(&mut self, turn: &Turn) {
        self.is_quiet = turn.tool_calls.unwrap_or(0) == 0 && turn.brief != Brief::Complete;
    }

    fn fails(&mut self, failure: Failure, is_counted: bool) {
        self.in_a_row = if self.last.as_ref() == Some(&failure) { self.in_a_row + 1 } else { 1 };
        if !is_counted {
            self.last = Some(failure);
            return;
        }
        if self.each.iter().all(|(earlier, _)| failure.size() < earlier.size()) {
            self.each.clear();
        }
        match self.each.iter_mut().find(|(earlier, _)| *earlier == failure) {
            Some((_, times)) => *times += 1,
            None => self.each.push((failure.clone(), 1)),
        }
        self.each.sort();
        self.last = Some(failure);
    }
}

impl Ledger {
    fn left_no_trace(&self, contract: &Contract) -> bool {
        let before = self.stalls.before.as_ref().unwrap_or_else(|| self.base_tree(contract));
        self.stalls.is_quiet && self.tree.as_ref() == Some(before)
    }

    /// The loop stands still after this turn, which said nothing, over work that is there.
    pub(super) fn is_idle_to_the_end(&self, contract: &Contract) -> bool {
        let is_over = self.stalls.idle + 1 >= contract.policy.stuck.idle_max.get();
        let changed = self.tree.as_ref() != Some(self.base_tree(contract));
        let can_end = !self.sessions.is_worker() && contract.policy.force_max == ForceMax::Off;
        !self.claimed && is_over && changed && can_end && self.left_no_trace(contract)
    }

    pub(super) fn count_idle(&mut self, contract: &Contract, settlement: Settlement) {
        let leaves_none = settlement == Settlement::Unclaimed && self.left_no_trace(contract);
        self.stalls.idle = if leaves_none { self.stalls.idle + 1 } else { 0 };
        self.stalls.before.clone_from(&self.tree);
    }

    /// Before work that nobody claimed is given up, every gate is asked until one says no.
    pub(super) fn is_given_up(&self, contract: &Contract, by: Stall) -> Kept {
        let idle = by == Stall::Idle;
        law(!idle || self.stalls.idle >= contract.policy.stuck.idle_max.get(), "idle turns are counted")?;
        let changed = self.tree.as_ref() != Some(self.base_tree(contract));
        let is_silent = contract.policy.gates.contains(&Gate::Tasks);
        let is_free = contract.policy.force_max == ForceMax::Off && self.person() != Some(false);
        let is_asked = !contract.policy.gates.contains(&Gate::Integrity)
            || !self.says_yes(contract, Gate::Checks)
            || self.words().findings.is_some();
        let is_new = !self.returns_to_rejected();
        law(
            !idle || !changed || is_silent || !is_free || !is_new || is_asked,
            "what nobody claimed goes to the gates before the loop is given up",
        )?;
        law(!idle || !is_free || !self.is_proven(contract), "what is proven is not given up")
    }

    pub(super) fn iterations_max(&self, contract: &Contract) -> u32 {
        contract.policy.limits.iterations_max.get() + self.stalls.granted
    }

    pub(super) fn is_last_over(&self, contract: &Contract) -> bool {
        self.coming_of_unit() > self.iterations_max(contract)
    }

    pub(super) fn claim_is_refused(&mut self, contract: &Contract, gate: Gate) {
        let is_counted = contract.policy.stuck.recurrences_max.is_some();
        match gate {
            Gate::Judge => self.stalls.each.clear(),
            _ if !self.claimed => {}
            Gate::Tasks => self.stalls.fails(Failure::Tasks(self.exit.tally), is_counted),
            Gate::Landing => {
                if let Some(LandingWord::Refused { fingerprint, .. }) = self.way.word.clone() {
                    self.stalls.fails(Failure::Landing(fingerprint), is_counted);
                }
            }
            Gate::Checks | Gate::Feedback | Gate::Integrity | Gate::Approach => {
                let (said, tree) = (self.words().checks, self.tree.clone());
                let failing = self.stalls.said.iter().filter(|((of, name), _)| {
                    Some(of) == tree.as_ref() && said.get(name).is_some_and(|say| !say.is_yes())
                });
                let failing = failing.map(|(_, fingerprint)| fingerprint.clone()).collect();
                self.stalls.fails(Failure::Checks(failing), is_counted);
            }
        }
    }

    pub(super) fn limit_is_lifted(&mut self, contract: &Contract) {
        if self.paused == Some(PauseReason::Limit) && self.is_last_over(contract) {
            self.stalls.granted += contract.policy.limits.iterations_max.get();
        }
    }

    pub(super) fn may_rest_stuck(&self, contract: &Contract, reason: PauseReason) -> Kept {
        let asks = contract.policy.stuck.then == Standstill::Ask && contract.tasks.is_empty();
        law(asks, "a person is asked where the contract says so")?;
        let is_over = reason == PauseReason::Limit;
        law(self.is_last_over(contract) == is_over, "the limit is the limit, and a standstill is none")
    }

    /// Where a person is asked, no loop ends by itself for want of progress or of iterations.
    pub(super) fn may_end_stuck(contract: &Contract) -> Kept {
        law(contract.policy.stuck.then == Standstill::End, "a person is asked before the loop gives up")
    }

    /// Three of a kind are sought the cause of, and what came too often reaches a person or the end.
    pub(super) fn failures_have_an_end(&self, contract: &Contract) -> Kept {
        let StuckPolicy { same_failure_max, recurrences_max, .. } = &contract.policy.stuck;
        law(self.stalls.in_a_row < same_failure_max.get(), "the same failure in a row has an end")?;
        let most = self.stalls.each.iter().map(|(_, times)| *times).max().unwrap_or(0);
        law(recurrences_max.is_none_or(|max| most < max.get()), "what fails again and again has an end")
    }
}
