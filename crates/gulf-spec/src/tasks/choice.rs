//! In which order tasks are done (SPEC R1, R7).
//!
//! Apart from the list because a list says what there is, and what has become of its tasks is known to others: a tick in
//! the file is the word of whoever wrote it.

use std::collections::BTreeMap;

use super::{Task, TaskId, TaskList};

/// What has become of a task, by whoever keeps account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskMark {
    /// To be done.
    Pending,
    /// Done, and verified; or a person's tick from before.
    Complete,
    /// Skipped, or given up: neither it nor what waits for it comes next.
    SetAside,
}

impl TaskList {
    /// What can be done, in the order in which it is: the most urgent first, in the order of the file on a tie; before it
    /// what it waits for, of that again the most urgent first. What is set aside, waits for that, or stands in a circle is
    /// not among it.
    pub fn order(&self, standing: impl Fn(&Task) -> TaskMark) -> Vec<&Task> {
        let account = TaskCounts::count(self, standing);
        let mut over: Vec<bool> =
            account.standing.iter().map(|standing| *standing == TaskMark::Complete).collect();
        let mut order = Vec::new();
        for at in self.by_urgency((0..self.tasks.len()).collect()) {
            if account.can_begin_in_time[at] && !over[at] {
                account.add(at, &mut over, &mut order);
            }
        }
        order.into_iter().map(|at| &self.tasks[at]).collect()
    }

    fn by_urgency(&self, mut places: Vec<usize>) -> Vec<usize> {
        places.sort_by_key(|at| (self.tasks[*at].priority, *at));
        places
    }
}

struct TaskCounts {
    standing: Vec<TaskMark>,
    /// Of each task what it waits for, the most urgent first.
    dependencies: Vec<Vec<usize>>,
    /// It, and all that it waits for, can be done.
    can_begin_in_time: Vec<bool>,
}

impl TaskCounts {
    fn count(list: &TaskList, standing: impl Fn(&Task) -> TaskMark) -> Self {
        let standing: Vec<_> = list.tasks.iter().map(standing).collect();
        let places: BTreeMap<&TaskId, usize> =
            list.tasks.iter().enumerate().rev().map(|(at, task)| (&task.id, at)).collect();
        let of_task = |task: &Task| {
            list.by_urgency(task.depends_on.iter().filter_map(|id| places.get(id).copied()).collect())
        };
        let dependencies = list.tasks.iter().map(of_task).collect();
        let mut account = Self { standing, dependencies, can_begin_in_time: vec![false; list.tasks.len()] };
        account.see_who_can();
        account
    }

    /// What waits for nothing can be done, then what waits only for that, and so on; a circle never can.
    fn see_who_can(&mut self) {
        let mut dependents = vec![Vec::new(); self.standing.len()];
        let mut missing = vec![0_usize; self.standing.len()];
        let mut able = Vec::new();
        for (at, dependencies) in self.dependencies.iter().enumerate() {
            match self.standing[at] {
                TaskMark::Complete => able.push(at),
                TaskMark::SetAside => {}
                TaskMark::Pending => {
                    for other in dependencies {
                        missing[at] += 1;
                        dependents[*other].push(at);
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

    /// Adds a task that can be done, and before it all that it waits for. Whoever can be done stands in no circle, so this
    /// ends.
    fn add(&self, at: usize, over: &mut [bool], order: &mut Vec<usize>) {
        let mut path = vec![(at, self.dependencies[at].iter())];
        while let Some((at, rest)) = path.last_mut() {
            let at = *at;
            match rest.find(|other| !over[**other]) {
                Some(other) => path.push((*other, self.dependencies[*other].iter())),
                None => {
                    path.pop();
                    over[at] = true;
                    order.push(at);
                }
            }
        }
    }
}
