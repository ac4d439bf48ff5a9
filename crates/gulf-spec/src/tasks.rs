//! Task lists: TASKS.md, fix_plan.md, any checklist, prd.json (SPEC R1, R7, K2, K5).
//!
//! Apart because one reading serves all of them: which tasks there are, which comes next, and where the mark of each
//! stands, so that ticking it disturbs no other byte.

mod checklist;
mod choice;
mod draft;
mod edit;
mod graph;
mod stories;
mod tally;
mod words;

use std::fmt;

use crate::problem::{Located, Mistake, Problem, Weight, did_you_mean, keep};
use crate::text::{Source, Span};

pub use edit::{Boxes, Tick, with_blocker, with_ticks};
pub use tally::{SealedTask, Tally};

/// The names under which a project keeps its list of tasks; the first that is there counts (SPEC R1, K2).
pub const LIST_NAMES: [&str; 7] = [
    "docs/planning/TASKS.md", "TASKS.md", ".ralph/fix_plan.md", ".ralph/@fix_plan.md", "fix_plan.md",
    "@fix_plan.md", "prd.json",
];

/// What a task is called by people, limits and other tasks: its own id (`T0.1`), else the words of its title.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(String);

/// A list as it was read, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskList {
    /// In the order of the file.
    pub tasks: Vec<Task>,
    /// In the order of the text. A start should be refused where one of them weighs as an error.
    pub problems: Vec<Located<TaskProblem>>,
}

/// One piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub id: TaskId,
    /// One line, without the id.
    pub title: String,
    /// What stands below it, without its indentation; may be empty.
    pub details: String,
    /// Steps with a box of their own, or a story's acceptance criteria.
    pub criteria: Vec<String>,
    pub priority: Priority,
    /// What must be finished before it.
    pub depends_on: Vec<TaskId>,
    /// Who should do it, in the list's own words.
    pub specialist: Option<String>,
    /// Its box and those of all its steps are ticked.
    pub is_ticked: bool,
    /// Its own box is ticked, whatever those of its steps say.
    pub is_closed: bool,
    /// Those of its steps that are ticked.
    pub ticked_steps: Vec<String>,
    /// Its first line.
    pub span: Span,
    /// Counts from one.
    pub line: usize,
    marks: Marks,
}

impl Task {
    /// Its title without what is said in it of urgency, order and persons.
    pub fn subject(&self) -> &str {
        words::without_brackets(&self.title)
    }
}

/// How urgent a task is: the smaller, the sooner. `P0` and `critical` are the same, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u32);

impl Priority {
    pub const CRITICAL: Self = Self(0);
    pub const HIGH: Self = Self(1);
    /// What nobody said anything about.
    pub const MEDIUM: Self = Self(2);
    pub const LOW: Self = Self(3);
}

impl TaskId {
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// People write `t1` where the list says `T1`.
    fn is(&self, name: &str) -> bool {
        self.0.to_lowercase() == name.to_lowercase()
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Reads a list, by its name as JSON or as Markdown; whatever the text, there is a list, and problems where something
/// that may have been meant is not in force.
pub fn parse(source: &Source) -> TaskList {
    let is_json = source.name().to_lowercase().ends_with(".json");
    let mut gathered = if is_json { stories::read(source) } else { checklist::read(source) };
    graph::link(source, &mut gathered);
    let Gathered { tasks, mut problems } = gathered;
    problems.sort_by_key(|located| located.span);
    TaskList { tasks: tasks.into_iter().map(|found| found.task).collect(), problems }
}

impl TaskList {
    /// The problems because of which a task may be missed or come too early.
    pub fn errors(&self) -> impl Iterator<Item = &Located<TaskProblem>> {
        self.problems.iter().filter(|located| located.problem.weight() == Weight::Error)
    }

    /// The task of that name, whatever the case: its id, else the word that stands before its title, where only one has
    /// that.
    pub fn task(&self, name: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id.is(name)).or_else(|| {
            let is_label = |task: &&Task| {
                words::split_label(&task.title).is_some_and(|(label, _)| TaskId::new(label).is(name))
            };
            let mut labelled = self.tasks.iter().filter(is_label);
            labelled.next().filter(|_| labelled.next().is_none())
        })
    }
}

/// How a task is ticked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Marks {
    /// What must be replaced, and by what, so that the task's own box is ticked, or is no longer.
    other: (Span, String),
    /// The marks of its steps, in the order of its criteria; none where they have no boxes.
    steps: Vec<Step>,
    /// What it was called before the word that stands before its title counted as its id.
    made_id: Option<TaskId>,
    /// Where a task that comes before it is put in.
    before: usize,
    /// What such a task begins with: indentation and bullet, or a heading's marks.
    beginning: String,
}

/// The box of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    text: String,
    mark: Span,
    is_ticked: bool,
}

/// What one pass over the text has found, before names are looked up.
#[derive(Debug, Default)]
struct Gathered {
    tasks: Vec<Found>,
    problems: Vec<Located<TaskProblem>>,
}

/// A task whose relations are still words.
#[derive(Debug)]
struct Found {
    task: Task,
    /// The list gives it an id of its own.
    is_named: bool,
    /// The word before its title, which is its id where others call it so, and the title without it.
    label: Option<(TaskId, String)>,
    /// Names of tasks that come before it, and where each stands.
    waits_for: Vec<WrittenName>,
    /// Names of tasks that it comes before.
    blocks: Vec<WrittenName>,
}

/// A task's name as somebody wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WrittenName {
    text: String,
    span: Span,
    said: RelationCertainty,
}

/// How plainly somebody said that one task waits for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RelationCertainty {
    /// `deps: T1`, `(depends on T1)`: what is named must be a task.
    Plainly,
    /// `(needs a database)`: what is named may be no task at all.
    InPassing,
}

impl Gathered {
    fn problem(&mut self, source: &Source, problem: TaskProblem, span: Span) {
        keep(&mut self.problems, problem, source, span);
    }
}

// What can be wrong in a list of tasks.

/// What is wrong in a list of tasks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum TaskProblem {
    #[error("it contains no task")]
    #[diagnostic(help("write each task as a line `- [ ] what to do`"))]
    NoTask,
    #[error("`{found}` is not a checkbox, so this line is not a task")]
    #[diagnostic(help("write `- [ ] what to do`, or `- [x] …` where it is done"))]
    NearMissBox { found: String },
    #[error("`[{found}]` is neither open nor done; the task counts as open")]
    #[diagnostic(severity(warning), help("write `[ ]` or `[x]`"))]
    OddMark { found: char },
    #[error("a checkbox without text is not a task")]
    #[diagnostic(severity(warning), help("remove it, or write what is to be done"))]
    EmptyTask,
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unclosed(Mistake),
    #[error("two tasks are called `{id}`")]
    #[diagnostic(help("give one of them another id"))]
    DuplicateId { id: TaskId },
    #[error("`{task}` depends on `{name}`, which is not in the list")]
    #[diagnostic(help("{}", hint_for(suggestion.as_ref())))]
    UnknownDependency { task: TaskId, name: String, suggestion: Option<TaskId> },
    #[error("these tasks depend on each other: {}", chain(cycle))]
    #[diagnostic(help("remove one of these dependencies"))]
    Cycle { cycle: Vec<TaskId> },
    #[error("this is not JSON: {why}")]
    #[diagnostic(help("correct it there; `jq . FILE` shows the same"))]
    NotJson { why: String },
    #[error("it contains no list of tasks")]
    #[diagnostic(help(
        "expected is `{{\"userStories\": [ … ]}}`, or an array, of objects with `title` and `passes`"
    ))]
    NoList,
    #[error("`{key}` must be {expected}")]
    #[diagnostic(help("correct it there"))]
    WrongValue { key: String, expected: &'static str },
    #[error("a task without a title")]
    #[diagnostic(help("give it a `title`"))]
    NoTitle,
}

impl Problem for TaskProblem {}

fn hint_for(suggestion: Option<&TaskId>) -> String {
    match suggestion {
        Some(id) => did_you_mean(Some(id.as_str())),
        None => "name tasks by their ids, separated by commas; what is no task has no place here".to_owned(),
    }
}

/// `T1 → T2 → T1`
fn chain(cycle: &[TaskId]) -> String {
    let names: Vec<_> = cycle.iter().chain(cycle.first()).map(TaskId::as_str).collect();
    names.join(" → ")
}

#[cfg(test)]
mod tests;
