//! A plan divided into parts that several workers can do, some of them side by side (SPEC A1, A4).
//!
//! Apart from lists of tasks, whose form it has, because a plan is a model's answer: where it cannot be divided, one
//! worker does all of it, and this says why.

use crate::tasks::{self, Task};
use crate::text::Source;

/// A plan with more steps is no plan for one turn.
pub const PARTS_MAX: usize = 32;

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The plan's own: `S1`.
    pub id: String,
    /// One line.
    pub title: String,
    /// What stands below it; may be empty.
    pub details: String,
    /// The places of the parts that come before it, in the plan's order.
    pub waits_for: Vec<usize>,
}

/// Why there is no plan: what was answered never had the form of one.
pub const UNPLANNED: &str = "the planner never answered with a list of steps, so the whole goal is one step";

/// What stands in the place of a plan that never came in its form. Whoever answered in prose may have thought all the same.
pub fn stand_in(goal: &str, answer: &str) -> String {
    let answer = Some(answer.trim()).filter(|answer| !answer.is_empty());
    let answer =
        answer.map_or_else(String::new, |answer| format!("\nWhat was answered instead:\n\n{answer}\n"));
    format!("{}{answer}", of_one_step(goal))
}

/// Is it such a stand-in?
pub fn is_stand_in(plan: &str, goal: &str) -> bool {
    plan.starts_with(&of_one_step(goal))
}

fn of_one_step(goal: &str) -> String {
    format!("There is no plan: {UNPLANNED} for one worker.\n\n- [ ] S1: {goal}\n")
}

/// The steps of a plan that are to be done, in its order, where at least two of them wait for nothing that the other brings;
/// else why one worker does it.
pub fn divide(plan: &str) -> Result<Vec<Part>, String> {
    let list = tasks::parse(&Source::new("the plan", plan));
    let open: Vec<&Task> = list.tasks.iter().filter(|task| !task.is_ticked).collect();
    match open.len() {
        // No step is written as a box of a checklist.
        0 => return Err("the plan has no list of steps `- [ ] S1: …`".to_owned()),
        1 => return Err("the plan has one step".to_owned()),
        count if count > PARTS_MAX => return Err(format!("the plan has more than {PARTS_MAX} steps")),
        _ => {}
    }
    if let Some(wrong) = list.errors().next() {
        return Err(format!("in the plan, {}", wrong.problem));
    }
    // What is ticked is done, whoever waits for it.
    let place = |id: &tasks::TaskId| open.iter().position(|task| task.id == *id);
    let part = |task: &&Task| {
        let waits_for = task.depends_on.iter().filter_map(place).collect();
        Part { id: task.id.to_string(), title: task.title.clone(), details: details(task), waits_for }
    };
    let parts: Vec<Part> = open.iter().map(part).collect();
    if is_in_a_row(&parts) { Err("no two steps of the plan are independent".to_owned()) } else { Ok(parts) }
}

/// What stands below it, its own steps among it.
fn details(task: &Task) -> String {
    let steps = task.criteria.iter().map(|step| format!("- {step}"));
    let below = Some(task.details.clone()).filter(|text| !text.is_empty());
    below.into_iter().chain(steps).collect::<Vec<_>>().join("\n")
}

/// Is there never a moment at which two of them can begin?
fn is_in_a_row(parts: &[Part]) -> bool {
    let mut done = vec![false; parts.len()];
    loop {
        let is_ready = |at: &usize| !done[*at] && parts[*at].waits_for.iter().all(|other| done[*other]);
        let ready: Vec<usize> = (0..parts.len()).filter(is_ready).collect();
        match ready.as_slice() {
            [] => return true,
            [one] => done[*one] = true,
            [_, _, ..] => return false,
        }
    }
}

#[cfg(test)]
mod tests;
