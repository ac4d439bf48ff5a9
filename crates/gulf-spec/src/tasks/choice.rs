//! In which order tasks are done (SPEC R1, R7).
//!
//! Apart from the list because a list says what there is, and what has become of its tasks is known to others: a tick in
//! the file is the word of whoever wrote it.

use std::collections::BTreeMap;

use gulf_engine::TaskFate;

use super::{Task, TaskId, TaskList};

impl TaskList {
    /// What can be done, in the order in which it is: the most urgent first, in the order of the file on a tie; before it
    /// what it waits for, of that again the most urgent first. What is skipped, waits for that, or stands in a circle is
    /// not among it. `standing` is what has become of a task by whoever keeps account; a person's tick from before counts as
    /// finished.
    pub fn order(&self, standing: impl Fn(&Task) -> TaskFate) -> Vec<&Task> {
        let standing: Vec<_> = self.tasks.iter().map(standing).collect();
        let places: BTreeMap<&TaskId, usize> =
            self.tasks.iter().enumerate().rev().map(|(at, task)| (&task.id, at)).collect();
        let named =
            |task: &Task| task.depends_on.iter().filter_map(|id| places.get(id).copied()).collect::<Vec<_>>();
        let waits_for = |(at, task): (usize, &Task)| match standing[at] {
            TaskFate::Finished => Vec::new(),
            TaskFate::Pending => self.by_urgency(named(task)),
            // For ever.
            TaskFate::Skipped => vec![at],
        };
        let dependencies: Vec<Vec<usize>> = self.tasks.iter().enumerate().map(waits_for).collect();
        let can_begin = can_begin_in_time(&dependencies);
        let mut over: Vec<bool> = standing.iter().map(|standing| *standing == TaskFate::Finished).collect();
        let mut order = Vec::new();
        for at in self.by_urgency((0..self.tasks.len()).collect()) {
            if can_begin[at] && !over[at] {
                add(&dependencies, at, &mut over, &mut order);
            }
        }
        order.into_iter().map(|at| &self.tasks[at]).collect()
    }

    fn by_urgency(&self, mut places: Vec<usize>) -> Vec<usize> {
        places.sort_by_key(|at| (self.tasks[*at].priority, *at));
        places
    }
}

/// Of each, by its place, whether it and all that it waits for can be done: what waits for nothing can, then what waits
/// only for that, and so on; a circle never can.
pub(super) fn can_begin_in_time(dependencies: &[Vec<usize>]) -> Vec<bool> {
    let mut dependents = vec![Vec::new(); dependencies.len()];
    for (at, others) in dependencies.iter().enumerate() {
        for other in others {
            dependents[*other].push(at);
        }
    }
    let mut missing: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    let mut able: Vec<usize> = (0..dependencies.len()).filter(|at| missing[*at] == 0).collect();
    let mut can_begin = vec![false; dependencies.len()];
    while let Some(at) = able.pop() {
        can_begin[at] = true;
        for dependent in &dependents[at] {
            missing[*dependent] -= 1;
            if missing[*dependent] == 0 {
                able.push(*dependent);
            }
        }
    }
    can_begin
}

/// Adds a task that can be done, and before it all that it waits for. Whoever can be done stands in no circle, so this
/// ends.
fn add(dependencies: &[Vec<usize>], at: usize, over: &mut [bool], order: &mut Vec<usize>) {
    let mut path = vec![(at, dependencies[at].iter())];
    while let Some((at, rest)) = path.last_mut() {
        let at = *at;
        match rest.find(|other| !over[**other]) {
            Some(other) => path.push((*other, dependencies[*other].iter())),
            None => {
                path.pop();
                over[at] = true;
                order.push(at);
            }
        }
    }
}
