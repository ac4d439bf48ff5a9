//! Lists as people and tools write them: what is read, what comes next, and what is written back.

mod checklists;
mod choices;
mod edits;
mod json;
mod tallies;

use gulf_engine::TaskFate;

use super::{Task, TaskList, parse};
use crate::problem::Problem;
use crate::text::Source;

fn checklist(text: &str) -> TaskList {
    parse(&Source::new("TASKS.md", text))
}

/// One line a task: tick, id, priority, what it waits for, who, title, steps; then the problems.
fn told(list: &TaskList) -> String {
    let task = |task: &Task| {
        let mut line = format!("{} {} p{}", if task.is_ticked { "x" } else { "-" }, task.id, task.priority.0);
        for other in &task.depends_on {
            line.push_str(&format!(" <{other}"));
        }
        if let Some(specialist) = &task.specialist {
            line.push_str(&format!(" @{specialist}"));
        }
        line.push_str(&format!(" | {}", task.title));
        for step in &task.criteria {
            line.push_str(&format!(" + {step}"));
        }
        if !task.details.is_empty() {
            line.push_str(&format!(" {:?}", task.details));
        }
        line
    };
    let problem = |located: &crate::problem::Located<super::TaskProblem>| {
        format!("! {}: {located} ({})", located.place(), located.problem.hint().unwrap_or_default())
    };
    let lines = list.tasks.iter().map(task).chain(list.problems.iter().map(problem));
    lines.collect::<Vec<_>>().join("\n")
}

/// By the ticks of the file alone.
fn by_ticks(task: &Task) -> TaskFate {
    if task.is_ticked { TaskFate::Finished } else { TaskFate::Pending }
}
