//! Who waits for whom: names become ids, and a circle is named.
//!
//! Apart from reading because both forms of list end in the same graph.

use std::collections::{BTreeMap, BTreeSet};

use super::{Found, Gathered, Name, TaskId, TaskProblem, words};
use crate::problem::nearest;
use crate::text::Source;

/// Gives every task an id of its own, turns names into ids, and reports what cannot be.
pub(super) fn link(source: &Source, gathered: &mut Gathered) {
    name_apart(source, gathered);
    let names = Names::of(&gathered.tasks);
    let mut edges: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); gathered.tasks.len()];
    let mut problems = Vec::new();
    for (at, found) in gathered.tasks.iter().enumerate() {
        for (name, is_first) in found
            .waits_for
            .iter()
            .map(|name| (name, false))
            .chain(found.blocks.iter().map(|name| (name, true)))
        {
            match names.find(&name.text) {
                Some(other) if is_first => _ = edges[other].insert(at),
                Some(other) => _ = edges[at].insert(other),
                None => problems.push((names.unknown(found, name), name.span)),
            }
        }
    }
    if let Some(cycle) = first_cycle(&edges) {
        let span = cycle.first().map(|at| gathered.tasks[*at].task.span).unwrap_or_default();
        let cycle = cycle.iter().map(|at| gathered.tasks[*at].task.id.clone()).collect();
        problems.push((TaskProblem::Cycle { cycle }, span));
    }
    let ids: Vec<_> = gathered.tasks.iter().map(|found| found.task.id.clone()).collect();
    for (found, edges) in gathered.tasks.iter_mut().zip(edges) {
        found.task.depends_on = edges.into_iter().map(|at| ids[at].clone()).collect();
    }
    for (problem, span) in problems {
        gathered.problem(source, problem, span);
    }
}

/// Two tasks of one name cannot be told apart: an error where people chose the name, else the second gets a number.
fn name_apart(source: &Source, gathered: &mut Gathered) {
    let mut taken = BTreeSet::new();
    let mut doubled = Vec::new();
    for found in gathered.tasks.iter().filter(|found| found.is_named) {
        if !taken.insert(found.task.id.as_str().to_lowercase()) {
            doubled.push((found.task.id.clone(), found.task.span));
        }
    }
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for found in gathered.tasks.iter_mut().filter(|found| !found.is_named) {
        let made = found.task.id.to_string();
        let mut id = made.clone();
        while !taken.insert(id.clone()) {
            let number = numbers.entry(made.clone()).or_insert(1);
            *number += 1;
            id = format!("{made}-{number}");
        }
        found.task.id = TaskId::new(id);
    }
    for (id, span) in doubled {
        gathered.problem(source, TaskProblem::DuplicateId { id }, span);
    }
}

/// What tasks can be called by.
struct Names {
    /// Ids and titles in small letters; of two tasks the first.
    places: BTreeMap<String, usize>,
    ids: Vec<TaskId>,
}

impl Names {
    fn of(tasks: &[Found]) -> Self {
        let mut places = BTreeMap::new();
        for (at, found) in tasks.iter().enumerate() {
            places.entry(found.task.id.as_str().to_lowercase()).or_insert(at);
        }
        for (at, found) in tasks.iter().enumerate() {
            places.entry(found.task.title.to_lowercase()).or_insert(at);
        }
        Self { places, ids: tasks.iter().map(|found| found.task.id.clone()).collect() }
    }

    /// The whole name, else its first word: `T1.1 the schema`.
    fn find(&self, name: &str) -> Option<usize> {
        let name = name.to_lowercase();
        let first = name.split_whitespace().next().unwrap_or_default().trim_end_matches([':', '.']);
        self.places.get(&name).or_else(|| self.places.get(first)).copied()
    }

    fn unknown(&self, found: &Found, name: &Name) -> TaskProblem {
        let (task, name) = (found.task.id.clone(), name.text.clone());
        if !words::is_id(name.split_whitespace().next().unwrap_or_default()) {
            return TaskProblem::NoTaskName { task, name };
        }
        // No task waits for itself.
        let others = self.ids.iter().filter(|id| **id != task).map(TaskId::as_str);
        let suggestion = nearest(&name, others).map(TaskId::new);
        TaskProblem::UnknownDependency { task, name, suggestion }
    }
}

/// The first circle, from the task of it that stands first in the list.
fn first_cycle(edges: &[BTreeSet<usize>]) -> Option<Vec<usize>> {
    let mut state = vec![Visit::Not; edges.len()];
    for start in 0..edges.len() {
        if state[start] != Visit::Not {
            continue;
        }
        let mut path = vec![(start, edges[start].iter())];
        state[start] = Visit::OnPath;
        while let Some((at, rest)) = path.last_mut() {
            let (at, next) = (*at, rest.next().copied());
            match next.map(|next| (next, state[next])) {
                None => {
                    state[at] = Visit::Done;
                    path.pop();
                }
                Some((next, Visit::Not)) => {
                    state[next] = Visit::OnPath;
                    path.push((next, edges[next].iter()));
                }
                Some((next, Visit::OnPath)) => {
                    let begun = path.iter().position(|(at, _)| *at == next).unwrap_or(0);
                    let mut cycle: Vec<_> = path[begun..].iter().map(|(at, _)| *at).collect();
                    let first =
                        cycle.iter().enumerate().min_by_key(|(_, at)| **at).map_or(0, |(index, _)| index);
                    cycle.rotate_left(first);
                    return Some(cycle);
                }
                Some((_, Visit::Done)) => {}
            }
        }
    }
    None
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visit {
    Not,
    OnPath,
    Done,
}
