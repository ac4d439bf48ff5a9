//! What can be wrong in a list of tasks.
//!
//! Apart because both forms of list, and the graph of both, report the same problems.

use super::TaskId;
use crate::problem::{Problem, Weight};

/// What is wrong in a list of tasks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskProblem {
    #[error("it contains no task")]
    NoTask,
    #[error("`{found}` is not a checkbox, so this line is not a task")]
    NearMissBox { found: String },
    #[error("`[{found}]` is neither open nor done; the task counts as open")]
    OddMark { found: char },
    #[error("a checkbox without text is not a task")]
    EmptyTask,
    #[error("the comment is not closed, so nothing after it counts")]
    CommentOpen,
    #[error("the code block is not closed, so nothing after it counts")]
    CodeBlockOpen,
    #[error("two tasks are called `{id}`")]
    DuplicateId { id: TaskId },
    #[error("`{task}` depends on `{name}`, which is not in the list")]
    UnknownDependency { task: TaskId, name: String, suggestion: Option<TaskId> },
    #[error("these tasks depend on each other: {}", chain(cycle))]
    Cycle { cycle: Vec<TaskId> },
    #[error("this is not JSON: {why}")]
    NotJson { why: String },
    #[error("it contains no list of tasks")]
    NoList,
    #[error("`{key}` must be {expected}")]
    WrongValue { key: String, expected: &'static str },
    #[error("a task without a title")]
    NoTitle,
}

impl Problem for TaskProblem {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoTask => "write each task as a line `- [ ] what to do`",
            Self::NearMissBox { .. } => "write `- [ ] what to do`, or `- [x] …` where it is done",
            Self::OddMark { .. } => "write `[ ]` or `[x]`",
            Self::EmptyTask => "remove it, or write what is to be done",
            Self::CommentOpen => "close it with `-->`",
            Self::CodeBlockOpen => "close it with the same fence",
            Self::DuplicateId { .. } => "give one of them another id",
            Self::UnknownDependency { suggestion: Some(id), .. } => {
                return Some(format!("did you mean `{id}`?"));
            }
            Self::UnknownDependency { suggestion: None, .. } => {
                "name tasks by their ids, separated by commas; what is no task has no place here"
            }
            Self::Cycle { .. } => "remove one of these dependencies",
            Self::NotJson { .. } => "correct it there; `jq . FILE` shows the same",
            Self::NoList => {
                "expected is `{\"userStories\": [ … ]}`, or an array, of objects with `title` and `passes`"
            }
            Self::WrongValue { .. } => "correct it there",
            Self::NoTitle => "give it a `title`",
        };
        Some(hint.to_owned())
    }

    fn weight(&self) -> Weight {
        let warns = matches!(self, Self::OddMark { .. } | Self::EmptyTask);
        if warns { Weight::Warning } else { Weight::Error }
    }
}

/// `T1 → T2 → T1`
fn chain(cycle: &[TaskId]) -> String {
    let names: Vec<_> = cycle.iter().chain(cycle.first()).map(TaskId::as_str).collect();
    names.join(" → ")
}
