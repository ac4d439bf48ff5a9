//! The list of tasks as an outsider keeps it, and the laws of its order.

use super::{Kept, Ledger, law};
use crate::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct List {
    /// In the order in which they are done.
    order: Vec<u32>,
    waits_for: BTreeMap<u32, BTreeSet<u32>>,
    /// Finished, or given up.
    over: BTreeMap<u32, bool>,
    /// Its own iterations, asked.
    parked: BTreeMap<u32, (u32, bool)>,
    /// Tasks as the contract has them; the others were added.
    agreed: u32,
    /// What became of writing the candidate in hand down.
    pub(super) closing: Option<Closing>,
}

impl List {
    fn is_list(&self) -> bool {
        !self.order.is_empty()
    }

    fn is_closed(&self) -> bool {
        matches!(self.closing, Some(Closing::Done { .. }))
    }

    /// What was written down besides a tick.
    fn lies(&self) -> Option<TreeId> {
        let Some(Closing::Done { base: Some(base), .. }) = &self.closing else { return None };
        Some(base.tree.clone())
    }

    /// What stood in the way may be gone.
    pub(super) fn resumed(&mut self) {
        self.closing.take_if(|closing| matches!(closing, Closing::NotReady { .. }));
    }

    pub(super) fn may_wait_to_close(&self) -> Kept {
        let waits = matches!(self.closing, Some(Closing::NotReady { .. }));
        law(waits, "only what cannot be committed waits for a person")
    }

    fn able(&self, over: &BTreeMap<u32, bool>) -> Option<u32> {
        let is_done = |id: &u32| over.get(id) == Some(&true);
        let is_able = |id: &&u32| !over.contains_key(*id) && self.waits_for[*id].iter().all(is_done);
        self.order.iter().find(is_able).copied()
    }

    /// As if the one in hand were over like this.
    fn over_with(&self, unit: u32, finished: bool) -> BTreeMap<u32, bool> {
        let mut over = self.over.clone();
        over.insert(unit, finished);
        over
    }

    fn is_whole(&self, over: &BTreeMap<u32, bool>) -> bool {
        self.order.iter().all(|id| over.get(id) == Some(&true))
    }

    fn blockers(&self, unit: u32) -> usize {
        self.waits_for[&unit].iter().filter(|id| **id >= self.agreed).count()
    }
}

impl Ledger {
    pub(super) fn learn_list(&mut self, contract: &Contract) {
        if self.list.is_list() || contract.tasks.is_empty() {
            return;
        }
        for (id, task) in (0..).zip(&contract.tasks) {
            self.list.order.push(id);
            self.list.waits_for.insert(id, task.after.iter().map(|other| other.0).collect());
            self.list.agreed = id + 1;
        }
        self.unit = self.list.able(&BTreeMap::new()).unwrap_or(0);
    }

    pub(super) fn works_on_what_can_begin(&self) -> Kept {
        if !self.list.is_list() {
            return Ok(());
        }
        law(!self.list.over.contains_key(&self.unit), "a task that is over is never worked on")?;
        let waits = self.list.waits_for[&self.unit].iter().all(|id| self.list.over.get(id) == Some(&true));
        law(waits, "a task begins when what it waits for is finished")
    }

    pub(super) fn close_began(&self, contract: &Contract) -> Kept {
        law(self.list.is_list(), "only a task of a list is written down")?;
        law(self.list.closing.is_none(), "a candidate is written down once")?;
        law(self.all_say_yes(contract), "nothing is written down as done that a gate has not said yes to")?;
        self.brief_stands(contract)?;
        self.milestone_is_kept(contract)
    }

    pub(super) fn unit_finished(&mut self, contract: &Contract, end: &End) -> Kept {
        self.success_is_earned(contract, end)?;
        law(self.list.is_closed(), "a finished task is written down first")?;
        law(self.stop.is_none(), "a stop request comes first")?;
        self.people.declined = 0;
        self.units_verified.push(matches!(end, End::Verified { .. }));
        self.list.over.insert(self.unit, true);
        let next = self.list.able(&self.list.over).ok_or("the last unit ends the loop")?;
        self.notes = self.notes.split_off(self.notes_told);
        self.notes_told = 0;
        let lies = self.list.lies().or(self.tree.clone());
        self.take_up(contract, next, lies);
        Ok(())
    }

    pub(super) fn unit_skipped(
        &mut self,
        contract: &Contract,
        why: &End,
        set_aside: Option<&SetAside>,
    ) -> Kept {
        law(self.list.is_list(), "only a task of a list is skipped")?;
        if *why == End::Cancelled {
            law(self.paused.is_some(), "a person skips what rests")?;
            self.resumed(contract)?;
        } else {
            law(contract.policy.task_limit == TaskLimit::Skip, "a task is skipped by policy, or a person")?;
            law(self.paused.is_none() && self.stop.is_none(), "a stop request comes first")?;
            self.gives_up(contract, why)?;
        }
        self.list.over.insert(self.unit, false);
        if let Some(next) = self.list.able(&self.list.over) {
            let lies = self.last_tree.clone().filter(|_| set_aside.is_none());
            self.take_up(contract, next, lies);
        }
        self.repeats = false;
        Ok(())
    }

    /// A task's end without success: at its limit, or stuck.
    fn gives_up(&self, contract: &Contract, why: &End) -> Kept {
        let next = self.iterations + u32::from(!self.repeats);
        let used = next > contract.policy.limits.iterations_max.get();
        let is_limit = *why == End::Exhausted { limit: Exhaustion::Iterations };
        let is_stall = matches!(why, End::Stalled { .. });
        law((is_limit && used) || is_stall, "a task is given up at its limit, or when it is stuck")
    }

    pub(super) fn may_rest_at_limit(&self, contract: &Contract) -> Kept {
        law(self.list.is_list(), "only a task of a list rests at its limit")?;
        law(contract.policy.task_limit == TaskLimit::Ask, "a person is asked by policy")
    }

    pub(super) fn ends_of_itself(&self, contract: &Contract) -> Kept {
        if !self.list.is_list() {
            return Self::may_end_stuck(contract);
        }
        let stops = contract.policy.task_limit == TaskLimit::Stop;
        law(stops, "a task that comes to no end does not end the loop by itself")
    }

    pub(super) fn list_is_stuck(&self) -> Kept {
        law(self.list.is_list(), "only a list runs out of tasks")?;
        let over = if self.list.over.contains_key(&self.unit) {
            self.list.over.clone()
        } else {
            law(self.list.is_closed(), "the last task is written down first")?;
            self.list.over_with(self.unit, true)
        };
        law(self.list.able(&over).is_none(), "what can begin is begun")?;
        law(!self.list.is_whole(&over), "a list that is done is a success")
    }

    pub(super) fn list_is_done(&self) -> Kept {
        if !self.list.is_list() {
            return Ok(());
        }
        law(self.list.is_closed(), "the last task is written down first")?;
        law(self.list.is_whole(&self.list.over_with(self.unit, true)), "success is every task of the list")
    }

    /// Another task is put before the one in hand.
    pub(super) fn blocked(&mut self, contract: &Contract) -> Kept {
        law(self.people.is_blocked(), "what blocks was told")?;
        law(self.list.is_list(), "only a task of a list is blocked")?;
        let may = self.unit < self.list.agreed && self.list.blockers(self.unit) < BLOCKERS_MAX;
        law(may, "no task is put back for ever, and none that was put before another")?;
        let id = u32::try_from(self.list.order.len()).unwrap_or(u32::MAX);
        let at = self.list.order.iter().position(|one| *one == self.unit).unwrap_or(0);
        self.list.order.insert(at, id);
        self.list.waits_for.insert(id, BTreeSet::new());
        self.list.waits_for.entry(self.unit).or_default().insert(id);
        let kept = (self.iterations, self.asked);
        self.list.parked.insert(self.unit, kept);
        let lies = self.tree.clone();
        self.take_up(contract, id, lies);
        Ok(())
    }

    /// Nothing that was said of the unit before is said of this one, but what the checks said of what lies there.
    fn take_up(&mut self, contract: &Contract, next: u32, lies: Option<TreeId>) {
        self.steps_are_over(false);
        self.people.word.clear();
        self.people.questioned = false;
        let left = lies.filter(|tree| tree != self.base_tree(contract));
        if let Some(tree) = &left {
            self.base_said = self.said.get(tree).map(|said| said.checks.clone()).unwrap_or_default();
        }
        let parked = self.list.parked.remove(&next).unwrap_or_default();
        let (iterations, asked) = parked;
        self.list.closing = None;
        *self = Self {
            unit: next,
            iteration: self.iteration,
            iterations,
            asked,
            list: self.list.clone(),
            running: self.running.clone(),
            attempts: self.attempts.clone(),
            base_said: self.base_said.clone(),
            flaky: self.flaky.clone(),
            notes: self.notes.clone(),
            notes_told: self.notes_told,
            units_verified: self.units_verified.clone(),
            active_ms: self.active_ms,
            environment: self.environment.clone(),
            purse: self.purse.clone(),
            numbers: self.numbers.of_next_unit(left.as_ref()),
            sessions: self.sessions.of_next_unit(),
            way: self.way.of_next_unit(left),
            people: self.people.clone(),
            stalls: self.stalls.of_next_unit(),
            wait_until_ms: self.wait_until_ms,
            ..Self::default()
        };
    }
}
