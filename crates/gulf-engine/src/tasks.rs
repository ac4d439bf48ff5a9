//! Units of work from a list of tasks: which comes next, and what becomes of one that does not come to its end
//! (SPEC R1, R5, R7, K5).
//!
//! The list is agreed on and its order with it: here is only kept what has become of each task, and a worker's word
//! moves none of them but its own, and that one only back.

use crate::claim::Claim;
use crate::contract::{Base, Contract, ContractTask, Gate, TaskLimit};
use crate::decision::{Decision, Evaluation};
use crate::effect::{Candidate, Closing, EffectKind, TaskTally};
use crate::end::{Cause, End, Exhaustion};
use crate::event::{PauseReason, SetAside, Settlement};
use crate::ids::UnitId;
use crate::refusal::BLOCKERS_MAX;
use crate::state::{Applied, Next, Stage, StateFields};
use crate::unit::{PlannedTask, TaskFate, Unit};
use alloc::{format, vec::Vec};

pub(crate) fn plan_of(contract: &Contract) -> Vec<PlannedTask> {
    let planned = |(id, task): (u32, &ContractTask)| {
        let (id, task) = (UnitId(id), task.clone());
        PlannedTask { id, task, standing: TaskFate::Pending, set_aside: None }
    };
    (0..).zip(&contract.tasks).map(planned).collect()
}

impl TaskTally {
    /// Nothing is left of the list.
    pub fn is_done(self) -> bool {
        self.open == 0 && self.missing == 0
    }
}

impl Evaluation<'_> {
    /// What follows a unit that passed every gate, where it is one of a list.
    pub(crate) fn next_of_list(self, end: &End) -> Option<Decision> {
        if self.contract.tasks.is_empty() {
            return None;
        }
        if self.state.unit.closing.is_none() {
            return Some(self.only(self.key(EffectKind::Close)));
        }
        if self.state.task_after(TaskFate::Finished).is_some() {
            return Some(Decision::FinishUnit(end.clone()));
        }
        let id = self.state.unit.id;
        let is_whole = self.state.plan.iter().all(|one| one.id == id || one.standing == TaskFate::Finished);
        let limit = Exhaustion::Tasks;
        (!is_whole).then_some(Decision::End(End::Exhausted { limit }))
    }

    /// A unit comes to no end of its own: the loop neither, unless it works off a list.
    pub(crate) fn give_up(self, end: End) -> Decision {
        if self.contract.tasks.is_empty() {
            return self.rest_or_end(end);
        }
        match self.contract.policy.task_limit {
            TaskLimit::Ask => Decision::Pause(PauseReason::TaskLimit),
            TaskLimit::Skip => Decision::SkipUnit(end),
            TaskLimit::Stop => Decision::End(end),
        }
    }

    /// What its own criteria ask for was seen by nobody but the worker.
    pub(crate) fn task_not_judged(self) -> Option<Cause> {
        if self.contract.policy.gates.contains(&Gate::Judge) {
            return None;
        }
        let in_hand = self.state.plan.iter().find(|one| one.id == self.state.unit.id)?;
        let ContractTask { name, criteria, .. } = &in_hand.task;
        (*criteria > 0).then(|| Cause::TaskNotJudged { task: name.clone(), count: *criteria })
    }

    pub(crate) fn waits_to_close(self) -> bool {
        matches!(self.state.unit.closing, Some(Closing::NotReady { .. }))
    }

    /// The unit in hand was skipped, and no other can begin.
    pub(crate) fn is_list_over(self) -> bool {
        let id = self.state.unit.id;
        self.state.plan.iter().any(|one| one.id == id && one.standing == TaskFate::Skipped)
    }
}

impl StateFields {
    /// What the task in hand came to by itself, once it is written down; the loop's end is that of all of them.
    pub fn end_of_task(&self) -> Option<End> {
        let (_, last) = self.last_candidate().or_else(|| self.unit.last.clone())?;
        let contract = self.contract.as_deref()?;
        let is_closed = matches!(self.unit.closing, Some(Closing::Done { .. }));
        is_closed.then(|| Evaluation { state: self, contract }.of_its_own(&last))
    }

    /// What comes after the unit in hand, if this is what becomes of it.
    pub(crate) fn task_after(&self, standing: TaskFate) -> Option<UnitId> {
        let now = |one: &PlannedTask| if one.id == self.unit.id { standing } else { one.standing };
        let is_finished =
            |id: &UnitId| self.plan.iter().any(|one| one.id == *id && now(one) == TaskFate::Finished);
        let can_begin =
            |one: &&PlannedTask| now(one) == TaskFate::Pending && one.task.after.iter().all(is_finished);
        self.plan.iter().find(can_begin).map(|one| one.id)
    }

    /// How often the unit in hand was put back.
    fn blockers(&self) -> usize {
        let in_hand = self.plan.iter().filter(|one| one.id == self.unit.id);
        in_hand.flat_map(|one| &one.task.after).filter(|id| self.is_added(**id)).count()
    }

    fn is_added(&self, id: UnitId) -> bool {
        let agreed = self.contract.as_ref().map_or(0, |contract| contract.tasks.len());
        usize::try_from(id.0).is_ok_and(|id| id >= agreed)
    }

    /// What was put before another task is not put back itself: a list has an end.
    pub(crate) fn may_be_blocked(&self) -> bool {
        !self.is_added(self.unit.id) && self.blockers() < BLOCKERS_MAX
    }

    pub(crate) fn next_unit(&mut self, end: &End) -> Applied {
        let Stage::Gates(_, candidate) = &self.stage else { return Err("no unit waits to be finished") };
        let candidate = candidate.clone();
        let Some(Closing::Done { base, .. }) = &self.unit.closing else {
            return Err("a finished task is written down first");
        };
        let lies = base.as_ref().map(Candidate::from);
        let Some(next) = self.task_after(TaskFate::Finished) else { return Err("no unit follows") };
        self.finished.push(end.clone());
        self.mark(TaskFate::Finished, None);
        self.turn_counted();
        self.take_up(next, Some(lies.as_ref().unwrap_or(&candidate)))
    }

    /// The next unit begins on the last good state, where what this one left was set aside; else with what lies there.
    pub(crate) fn skip_unit(&mut self, set_aside: Option<&SetAside>) -> Applied {
        if !matches!(self.innermost_stage(), Stage::Between(_)) || self.plan.is_empty() {
            return Err("a unit of a list is skipped between turns");
        }
        if matches!(self.stage, Stage::Paused(..)) {
            self.resume()?;
        }
        let left = self.unit.last.as_ref().filter(|_| set_aside.is_none());
        let lies = left.map(|(_, candidate)| candidate.clone());
        let next = self.task_after(TaskFate::Skipped);
        self.mark(TaskFate::Skipped, set_aside.cloned());
        self.stage = Stage::Between(Next::Advance);
        next.map_or(Ok(()), |next| self.take_up(next, lies.as_ref()))
    }

    /// Puts a new task before the one in hand, which waits for it.
    pub(crate) fn block(&mut self, candidate: &Candidate) -> Applied {
        let Some(Claim::Blocked { task }) = &self.unit.claim else { return Err("nothing blocks the unit") };
        let title = task.clone();
        let id = UnitId(u32::try_from(self.plan.len()).unwrap_or(u32::MAX));
        let number = self.blockers() + 1;
        let in_hand = self.plan.iter().position(|one| one.id == self.unit.id);
        let Some(at) = in_hand else { return Err("only a task of a list is blocked") };
        let blocked = &mut self.plan[at];
        let name = format!("{}-B{number}", blocked.task.name);
        blocked.task.after.push(id);
        let after = Vec::new();
        let task = ContractTask { name, title, after, criteria: 0 };
        self.plan.insert(at, PlannedTask { id, task, standing: TaskFate::Pending, set_aside: None });
        // So much is left of it while it waits: no limit starts anew.
        let Unit { id: blocked, iterations, is_asked, .. } = self.unit;
        self.parked.insert(blocked, Unit { id: blocked, iterations, is_asked, ..Unit::default() });
        self.take_up(id, Some(candidate))
    }

    pub(crate) fn closed(&mut self, closing: &Closing) -> Applied {
        if self.plan.is_empty() || !matches!(self.stage, Stage::Gates(..)) {
            return Err("no finished task is in hand");
        }
        self.unit.closing = Some(closing.clone());
        Ok(())
    }

    fn mark(&mut self, standing: TaskFate, set_aside: Option<SetAside>) {
        if let Some(one) = self.plan.iter_mut().find(|one| one.id == self.unit.id) {
            (one.standing, one.set_aside) = (standing, set_aside);
        }
    }

    /// What the checks said of what lies there they said of what this unit begins with.
    fn take_up(&mut self, id: UnitId, lies: Option<&Candidate>) -> Applied {
        let words = lies.and_then(|candidate| self.unit.words.get(&candidate.tree));
        let said = words.map(|words| words.checks.clone()).unwrap_or_default();
        self.forget_steps(Settlement::Approved);
        let unit = self.parked.remove(&id).unwrap_or_default();
        self.unit = Unit { id, iteration: self.unit.iteration, ..unit };
        self.stage = Stage::Between(Next::Advance);
        let Some(candidate) = lies.filter(|one| self.base().is_some_and(|base| base.tree != one.tree)) else {
            return Ok(());
        };
        let base = Base { commit: candidate.commit.clone(), tree: candidate.tree.clone() };
        self.move_base(&base)?;
        self.probes = said;
        Ok(())
    }
}
