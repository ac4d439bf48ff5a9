//! What is left of a list, counted against the list as it was sealed (SPEC K2, K5).
//!
//! Apart from choosing because the worker owns this list: it may tick and add, and what stood there at the start may not
//! shrink.

use serde::{Deserialize, Serialize};

use super::{Task, TaskList, TaskProblem};

/// A task as it was sealed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedTask {
    pub title: String,
    /// What stands below it; further lines may be added.
    pub lines: Vec<String>,
}

/// A list as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Titles, in the order of the file; what may be a task and cannot be read is one of them.
    pub open: Vec<String>,
    pub ticked: u32,
    /// Titles of those that were sealed, and are gone or say something else.
    pub missing: Vec<String>,
}

impl Task {
    /// As it is sealed: whether it is ticked does not matter.
    pub fn sealed(&self) -> SealedTask {
        let below = self.details.lines().map(str::to_owned).chain(self.criteria.iter().cloned());
        let lines = below.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty());
        SealedTask { title: self.title.clone(), lines: lines.collect() }
    }
}

impl SealedTask {
    /// A remark stands behind the title: `say hello ✅ (a1b2c3)`.
    fn stands_as(&self, now: &Self, may_have_remark: bool) -> bool {
        let is_remark = |rest: &str| !rest.trim_start().starts_with(char::is_alphanumeric);
        let rest = now.title.strip_prefix(&self.title);
        rest.is_some_and(|rest| rest.is_empty() || (may_have_remark && is_remark(rest)))
            && self.lines.iter().all(|line| now.lines.contains(line))
    }
}

impl TaskList {
    /// Why nothing of it can be read, with the place.
    pub fn unreadable(&self) -> Option<String> {
        let whole =
            |problem: &TaskProblem| matches!(problem, TaskProblem::NotJson { .. } | TaskProblem::NoList);
        let located = self.problems.iter().find(|located| whole(&located.problem))?;
        Some(format!("{}: {}", located.place(), located.problem))
    }

    /// Counts what is left; none where no task can be found at all.
    pub fn tally(&self, sealed: &[SealedTask]) -> Option<Tally> {
        let mut unread: Vec<String> =
            self.problems.iter().filter_map(|located| hidden(&located.problem)).collect();
        if self.unreadable().is_some() || (self.tasks.is_empty() && unread.is_empty()) {
            return None;
        }
        let mut now: Vec<SealedTask> = self.tasks.iter().map(Task::sealed).collect();
        let mut missing: Vec<&SealedTask> = sealed.iter().collect();
        // Those in the same words first: the beginning of one title may be another.
        for may_have_remark in [false, true] {
            missing.retain(|task| {
                let place = now.iter().position(|one| task.stands_as(one, may_have_remark));
                place.map(|place| now.swap_remove(place)).is_none()
            });
        }
        let missing = missing.into_iter().map(|task| task.title.clone()).collect();
        let ticked = self.tasks.iter().filter(|task| task.is_ticked).count();
        let open = self.tasks.iter().filter(|task| !task.is_ticked).map(|task| task.title.clone());
        let mut open: Vec<String> = open.collect();
        open.append(&mut unread);
        Some(Tally { open, ticked: u32::try_from(ticked).unwrap_or(u32::MAX), missing })
    }
}

/// What may hold a task that nobody reads.
fn hidden(problem: &TaskProblem) -> Option<String> {
    match problem {
        TaskProblem::NearMissBox { .. }
        | TaskProblem::Unclosed(_)
        | TaskProblem::WrongValue { .. }
        | TaskProblem::NoTitle => Some(problem.to_string()),
        TaskProblem::NotJson { .. }
        | TaskProblem::NoList
        | TaskProblem::NoTask
        | TaskProblem::OddMark { .. }
        | TaskProblem::EmptyTask
        | TaskProblem::DuplicateId { .. }
        | TaskProblem::UnknownDependency { .. }
        | TaskProblem::Cycle { .. } => None,
    }
}
