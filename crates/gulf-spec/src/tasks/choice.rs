//! Which task comes next (SPEC R1, R7).
//!
//! Apart from the list because a list says what there is, and what has become of its tasks is known to others: a tick in
//! the file is the word of whoever wrote it.

use std::collections::BTreeMap;

use super::{Task, TaskId, TaskList};

/// What has become of a task, by whoever keeps account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// To be done.
    Pending,
    /// Done, and verified; or a person's tick from before.
    Complete,
    /// Skipped, or given up: neither it nor what waits for it comes next.
    SetAside,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next<'l> {
    Task(&'l Task),
    /// Every task is complete.
    Finished,
    /// What is left is set aside, or waits for what is.
    Stuck(Vec<Waiting<'l>>),
}

/// A task that cannot begin, and the unfinished ones it waits for; none where it was set aside itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting<'l> {
    pub task: &'l Task,
    pub waits_for: Vec<&'l TaskId>,
}

impl TaskList {
    /// The most urgent task that is left, in the order of the file on a tie; where it waits for others, the most urgent of
    /// those.
    pub fn next(&self, standing: impl Fn(&Task) -> Standing) -> Next<'_> {
        let account = Account::of(self, standing);
        let mut left: Vec<_> =
            (0..self.tasks.len()).filter(|at| account.standing[*at] == Standing::Pending).collect();
        left.sort_by_key(|at| (self.tasks[*at].priority, *at));
        let able = left.iter().copied().find(|at| account.can_begin_in_time[*at]);
        match able {
            Some(at) => Next::Task(&self.tasks[account.first_step(self, at)]),
            None if account.standing.iter().all(|standing| *standing == Standing::Complete) => Next::Finished,
            None => Next::Stuck(account.waiting(self)),
        }
    }
}

struct Account<'l> {
    standing: Vec<Standing>,
    /// By id.
    places: BTreeMap<&'l TaskId, usize>,
    /// It, and all that it waits for, can be done.
    can_begin_in_time: Vec<bool>,
}

impl<'l> Account<'l> {
    fn of(list: &'l TaskList, standing: impl Fn(&Task) -> Standing) -> Self {
        let standing: Vec<_> = list.tasks.iter().map(standing).collect();
        let places = list.tasks.iter().enumerate().rev().map(|(at, task)| (&task.id, at)).collect();
        let mut account = Self { standing, places, can_begin_in_time: vec![false; list.tasks.len()] };
        account.see_who_can(list);
        account
    }

    /// What waits for nothing can be done, then what waits only for that, and so on; a circle never can.
    fn see_who_can(&mut self, list: &TaskList) {
        let mut dependents = vec![Vec::new(); list.tasks.len()];
        let mut missing = vec![0_usize; list.tasks.len()];
        let mut able = Vec::new();
        for (at, task) in list.tasks.iter().enumerate() {
            match self.standing[at] {
                Standing::Complete => able.push(at),
                Standing::SetAside => {}
                Standing::Pending => {
                    for other in self.dependencies(task) {
                        missing[at] += 1;
                        dependents[other].push(at);
                    }
                    if missing[at] == 0 {
                        able.push(at);
                    }
                }
            }
        }
        while let Some(at) = able.pop() {
            self.can_begin_in_time[at] = true;
            for dependent in &dependents[at] {
                missing[*dependent] -= 1;
                if missing[*dependent] == 0 {
                    able.push(*dependent);
                }
            }
        }
    }

    fn dependencies(&self, task: &Task) -> Vec<usize> {
        task.depends_on.iter().filter_map(|id| self.places.get(id).copied()).collect()
    }

    /// From a task that can be done down to one that can begin now.
    fn first_step(&self, list: &TaskList, from: usize) -> usize {
        let mut at = from;
        // Whoever can be done stands in no circle, so this ends.
        while let Some(first) = self
            .dependencies(&list.tasks[at])
            .into_iter()
            .filter(|other| self.standing[*other] != Standing::Complete)
            .min_by_key(|other| (list.tasks[*other].priority, *other))
        {
            at = first;
        }
        at
    }

    fn waiting(&self, list: &'l TaskList) -> Vec<Waiting<'l>> {
        let unfinished = |at: &usize| self.standing[*at] != Standing::Complete;
        (0..list.tasks.len())
            .filter(unfinished)
            .map(|at| {
                let task = &list.tasks[at];
                let waits_for = match self.standing[at] {
                    Standing::SetAside => Vec::new(),
                    Standing::Pending | Standing::Complete => {
                        let others = self.dependencies(task).into_iter().filter(unfinished);
                        others.map(|other| &list.tasks[other].id).collect()
                    }
                };
                Waiting { task, waits_for }
            })
            .collect()
    }
}
