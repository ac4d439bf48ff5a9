//! Who waits for whom: names become ids, and a circle is named.
//!
//! Apart from reading because both forms of list end in the same graph.

use std::collections::{BTreeMap, BTreeSet};

use super::choice::can_begin_in_time;
use super::{Found, Gathered, RelationCertainty, TaskId, TaskProblem, WrittenName};
use crate::problem::nearest;
use crate::text::Source;

/// Gives every task an id of its own, turns names into ids, and reports what cannot be.
pub(super) fn link(source: &Source, gathered: &mut Gathered) {
    take_labels(source, gathered);
    name_apart(source, gathered);
    let names = Names::collect(&gathered.tasks);
    let mut edges: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); gathered.tasks.len()];
    let mut problems = Vec::new();
    for (at, found) in gathered.tasks.iter().enumerate() {
        let before = found.waits_for.iter().map(|name| (name, false));
        for (name, is_first) in before.chain(found.blocks.iter().map(|name| (name, true))) {
            match names.find(&name.text) {
                Some(other) if is_first => _ = edges[other].insert(at),
                Some(other) => _ = edges[at].insert(other),
                None if name.said == RelationCertainty::InPassing => {}
                None => problems.push((names.unknown(found, name), name.span)),
            }
        }
    }
    let edges: Vec<Vec<usize>> = edges.into_iter().map(Vec::from_iter).collect();
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

/// Where a task is called by the word before another's title (`- [ ] A: x`, `(depends: A)`), these words are the ids of
/// the list. One that several tasks have in common is no id, and must not be called.
fn take_labels(source: &Source, gathered: &mut Gathered) {
    let lowered = |id: &TaskId| id.as_str().to_lowercase();
    let known = Names::collect(&gathered.tasks);
    let mut labels: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, found) in gathered.tasks.iter().enumerate() {
        if let Some((label, _)) = &found.label {
            labels.entry(lowered(label)).or_default().push(at);
        }
    }
    let all = gathered.tasks.iter().flat_map(|found| found.waits_for.iter().chain(&found.blocks));
    let unknown = all.filter(|name| known.find(&name.text).is_none());
    let forms = unknown.flat_map(|name| Names::forms(&name.text));
    let called: BTreeSet<String> = forms.filter(|form| labels.contains_key(form)).collect();
    if called.is_empty() {
        return;
    }
    let mut doubled = Vec::new();
    for (label, places) in &labels {
        match places.as_slice() {
            [at] => {
                let found = &mut gathered.tasks[*at];
                let Some((id, title)) = found.label.take() else { continue };
                found.task.marks.made_id = Some(std::mem::replace(&mut found.task.id, id));
                found.task.title = title;
                found.is_named = true;
            }
            [_, second, ..] if called.contains(label) => doubled.push(*second),
            _ => {}
        }
    }
    for at in doubled {
        let found = &gathered.tasks[at];
        let Some((id, _)) = found.label.clone() else { continue };
        let span = found.task.span;
        gathered.problem(source, TaskProblem::DuplicateId { id }, span);
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
    fn collect(tasks: &[Found]) -> Self {
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
        Self::forms(name).iter().find_map(|form| self.places.get(form)).copied()
    }

    fn forms(name: &str) -> [String; 2] {
        let name = name.to_lowercase();
        let first = name.split_whitespace().next().unwrap_or_default().trim_end_matches([':', '.']);
        let first = first.to_owned();
        [name, first]
    }

    fn unknown(&self, found: &Found, name: &WrittenName) -> TaskProblem {
        let (id, name) = (&found.task.id, name.text.clone());
        // No task waits for itself.
        let others = self.ids.iter().filter(|other| *other != id).map(TaskId::as_str);
        let suggestion = nearest(&name, others).map(TaskId::new);
        // As its person calls it, whether anybody else does or not.
        let task = found.label.as_ref().map_or(id, |(label, _)| label).clone();
        TaskProblem::UnknownDependency { task, name, suggestion }
    }
}

/// The first circle, from the task of it that stands first in the list.
fn first_cycle(edges: &[Vec<usize>]) -> Option<Vec<usize>> {
    let can_begin = can_begin_in_time(edges);
    let mut seen = vec![false; edges.len()];
    let mut path = Vec::new();
    let mut at = (0..edges.len()).find(|at| !can_begin[*at])?;
    while !std::mem::replace(&mut seen[at], true) {
        path.push(at);
        // What never can begin waits for something that never can.
        at = *edges[at].iter().find(|other| !can_begin[**other])?;
    }
    let mut cycle = path.split_off(path.iter().position(|one| *one == at)?);
    let first = cycle.iter().enumerate().min_by_key(|(_, at)| **at).map_or(0, |(index, _)| index);
    cycle.rotate_left(first);
    Some(cycle)
}
