//! Finds and reads the list when a loop starts.
//!
//! Here a start is refused: what cannot be read, circles, or has nothing to do is said before anything is sealed.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use gulf_engine::TaskFate;
use gulf_host::git::{Head, Obstacle};
use gulf_spec::config::{Config, Key};
use gulf_spec::problem::{Located, nearest};
use gulf_spec::tasks::{LIST_NAMES, Task, TaskId, TaskList, parse};
use gulf_spec::text::Source;

use super::{ListTerms, TaskTerms};
use crate::agreement::{RepositoryKind, SealedText};
use crate::error::RunError;
use crate::place::PlaceOfWork;
use crate::plan::{PlanError, Result, specialist};
use crate::texts::text;

/// The list that is meant, its path with `/` and no link in it: the one named, else the first of the usual names that is
/// there. A list outside of the project could be read, and never ticked.
pub fn find(project: &Utf8Path, named: Option<&str>) -> Result<SealedText> {
    let usual = || LIST_NAMES.into_iter().find(|name| project.join(name).exists());
    let name = named.or_else(usual).ok_or_else(|| PlanError::NoList { project: project.to_owned() })?;
    let path = project.join(name);
    let missing = || PlanError::NoListFile { path: path.clone(), project: project.to_owned() };
    let text = text(&path)?.ok_or_else(missing)?;
    let whole = path.canonicalize_utf8().unwrap_or(path);
    let below = project.canonicalize_utf8().ok().and_then(|project| whole.strip_prefix(project).ok());
    let outside = || PlanError::ListOutside { name: name.to_owned(), path: whole.clone() };
    Ok(SealedText { path: below.ok_or_else(outside)?.as_str().replace('\\', "/"), text })
}

/// What of the list is sealed; what a person should know of it is noted.
pub fn terms(place: &PlaceOfWork, config: &Config, notes: &mut Vec<String>) -> Result<ListTerms> {
    let SealedText { path, text } = find(&place.project, config.optional_text(Key::TasksFile))?;
    let list = parse(&Source::new(path.as_str(), &text));
    let problems: Vec<_> = list.errors().cloned().collect();
    if !problems.is_empty() {
        return Err(PlanError::TaskList { path: path.into(), problems });
    }
    notes.extend(list.problems.iter().map(Located::in_one_line));
    let order = order(&list, &path, config.optional_text(Key::TasksOnly))?;
    notes.extend(list.tasks.iter().filter(|task| task.is_closed && !task.is_ticked).map(|task| {
        format!(
            "{path}:{}: {} is ticked, though not all below it is: untick it to have it done again",
            task.line, task.id
        )
    }));
    let open = list.tasks.iter().filter(|task| !task.is_closed).count();
    let of = if order.len() == open { String::new() } else { format!(" of {open}") };
    let tasks = if order.len() == 1 { "task" } else { "tasks" };
    notes.push(format!("the list: {path}, {} {tasks}{of} to do", order.len()));
    let places: BTreeMap<&TaskId, u32> = order.iter().map(|task| &task.id).zip(0..).collect();
    let tasks = order
        .iter()
        .map(|task| {
            let after = task.depends_on.iter().filter_map(|id| places.get(id).copied()).collect();
            Ok(TaskTerms { tool: specialist(place, config, task, notes)?, ..sealed(task, after) })
        })
        .collect::<Result<_>>()?;
    let branch = branch(place)?;
    if branch.is_none() {
        notes.push(
            "this is not a git repository: finished tasks are ticked, but nothing is committed".to_owned(),
        );
    }
    Ok(ListTerms { branch, path, text, tasks })
}

fn sealed(task: &Task, after: Vec<u32>) -> TaskTerms {
    TaskTerms {
        id: task.id.to_string(),
        title: task.subject().to_owned(),
        details: task.details.clone(),
        criteria: task.criteria.clone(),
        priority: task.priority.0,
        after,
        specialist: task.specialist.clone(),
        tool: None,
    }
}

/// What is open, in the order in which it is done: by priority, a dependency first (SPEC R1, R7).
fn order<'a>(list: &'a TaskList, path: &str, only: Option<&str>) -> Result<Vec<&'a Task>> {
    let wanted = only.map(|name| with_dependencies(list, path, name)).transpose()?;
    let is_wanted = |task: &Task| wanted.as_ref().is_none_or(|wanted| wanted.contains(&task.id));
    let order = list.order(|task| match () {
        () if task.is_closed => TaskFate::Finished,
        () if is_wanted(task) => TaskFate::Pending,
        () => TaskFate::Skipped,
    });
    if order.is_empty() { Err(PlanError::NothingToDo { path: path.to_owned() }) } else { Ok(order) }
}

fn with_dependencies<'a>(list: &'a TaskList, path: &str, name: &str) -> Result<BTreeSet<&'a TaskId>> {
    let Some(first) = list.task(name).filter(|task| !task.is_closed) else {
        let open = list.tasks.iter().filter(|task| !task.is_closed).map(|task| task.id.as_str());
        let suggestion = nearest(name, open).map(str::to_owned);
        return Err(PlanError::NoSuchTask { path: path.to_owned(), id: name.to_owned(), suggestion });
    };
    let tasks: BTreeMap<&TaskId, &Task> = list.tasks.iter().map(|task| (&task.id, task)).collect();
    let mut wanted = BTreeSet::new();
    let mut found = vec![first];
    while let Some(task) = found.pop() {
        if wanted.insert(&task.id) {
            found.extend(task.depends_on.iter().filter_map(|id| tasks.get(id)));
        }
    }
    Ok(wanted)
}

/// The branch that is checked out, with or without a commit.
fn branch(place: &PlaceOfWork) -> Result<Option<String>> {
    if place.kind() == RepositoryKind::Shadow {
        return Ok(None);
    }
    let folder =
        tempfile::tempdir().map_err(|source| RunError::Directory { path: place.project.clone(), source })?;
    let repository = place.open(Utf8Path::from_path(folder.path()).unwrap_or(&place.project))?;
    // The first finished task would rest the loop, with nobody there.
    if let Some(Obstacle::Operation(operation)) = repository.in_way_of_commit() {
        return Err(PlanError::InProgress { words: operation.description });
    }
    let standing = repository.head().map_err(RunError::from)?;
    match &standing {
        Head::Branch { name, .. } | Head::Unborn { name } => Ok(Some(name.as_str().to_owned())),
        Head::Detached { .. } => {
            let (why, hint) = repository.lacks_branch(&standing).unwrap_or_default();
            Err(PlanError::NoBranch { why, hint })
        }
    }
}
