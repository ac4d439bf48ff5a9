//! A list of tasks as it was sealed, and what its loop does with it (SPEC R1–R7, K5).
//!
//! A list is somebody's text: what counts is what was sealed and what the journal says became of it; what the file
//! says later only asks to be kept in step.

mod aside;
mod closing;
mod list;
mod prompt;
mod recording;
mod texts;

use gulf_engine::{ContractTask, UnitId};

pub use crate::agreement::{ListTerms, TaskTerms};
pub use aside::commit_blockers;
pub(crate) use closing::LOG;
pub use closing::TaskBooks;
pub use list::{find, terms};
pub(crate) use prompt::{first, task_brief};

impl ListTerms {
    /// What the rules need of it.
    pub(crate) fn units(&self) -> Vec<ContractTask> {
        let unit = |task: &TaskTerms| ContractTask {
            name: task.id.clone(),
            title: task.title.clone(),
            after: task.after.iter().copied().map(UnitId).collect(),
            criteria: u32::try_from(task.criteria.len()).unwrap_or(u32::MAX),
        };
        self.tasks.iter().map(unit).collect()
    }

    /// What a person should know of a list that was never committed as it lies there.
    pub(crate) fn note_of_uncommitted(&self, dirty_paths: &[String]) -> Option<String> {
        let path = self.path.as_str();
        let is_left = self.branch.is_some() && dirty_paths.iter().any(|dirty| dirty == path);
        is_left.then(|| {
            format!("{path} has uncommitted changes, so no commit will hold its ticks: to have them there, commit it first")
        })
    }

    /// The task of this unit; none where the worker added it.
    pub fn task(&self, unit: UnitId) -> Option<&TaskTerms> {
        self.tasks.get(usize::try_from(unit.0).ok()?)
    }
}
