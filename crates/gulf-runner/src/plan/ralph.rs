//! A Ralph project's part of a plan: its goal is its PROMPT.md, its list of tasks is sealed, its settings are named (SPEC K6).
//!
//! It only adds: with another goal, such a project is one like any other.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Gate, Research, Stage};
use gulf_host::files::{self, ReadError};
use gulf_host::git;
use gulf_spec::config::{Config, Key, SettingLayer};
use gulf_spec::problem::{Problem, Weight};
use gulf_spec::ralph::{RALPHRC, RalphLayout, layout, plans, prompts};
use gulf_spec::ralphrc::{self, Files, Ralphrc};
use gulf_spec::tasks::{self, TaskProblem};
use gulf_spec::text::Source;

use super::{Plan, PlanError, TEXT_BYTES_MAX, source};
use crate::agreement::{ContextTerms, FolderOwner, RalphTerms, SealedList};
use crate::error::RunError;
use crate::known;
use crate::place::PlaceOfWork;

/// Where specifications lie in any project.
const SPECS: &str = "specs";

fn layout_on_disk(read: &Ralphrc, project: &Utf8Path) -> Option<RalphLayout> {
    layout(&read.files, &|path| project.join(path).is_file(), &|path| project.join(path).is_dir())
}

/// A project's `.ralphrc`, if it has one.
pub fn ralphrc(project: &Utf8Path) -> Result<Option<Source>, ReadError> {
    source(&project.join(RALPHRC), RALPHRC)
}

/// Where the texts of a Ralph project lie.
pub fn ralph_layout(project: &Utf8Path) -> Result<Option<RalphLayout>, ReadError> {
    let read = ralphrc(project)?.map(|source| ralphrc::parse(&source)).unwrap_or_default();
    Ok(layout_on_disk(&read, project))
}

/// The plan of a loop in a project with texts of its own: of a Ralph project where the goal is that project's.
pub fn with_texts(place: &PlaceOfWork, config: &Config, mut plan: Plan) -> Result<Plan, PlanError> {
    let project = &place.project;
    let source = ralphrc(project)?;
    let read = source.as_ref().map(ralphrc::parse).unwrap_or_default();
    if source.is_some() {
        plan.notes.extend(notes(&read, config));
    }
    let layout = layout_on_disk(&read, project);
    let own = layout.as_ref().filter(|layout| is_goal(project, &layout.prompt, &plan.terms.goal));
    let found = project.join(SPECS).is_dir().then(|| SPECS.to_owned());
    let terms = ContextTerms {
        list: own.and_then(|layout| layout.plan.clone()),
        specs: own.and_then(|layout| layout.specs.clone()).or(found),
        agent: own.and_then(|layout| layout.agent.clone()),
        tokens_max: config.tokens(Key::PromptContextTokensMax).unwrap_or(u64::MAX),
    };
    if terms.list.is_some() || terms.specs.is_some() || terms.agent.is_some() {
        plan.terms.context = Some(terms);
    }
    if !config.preset.leaves_the_list_to_the_worker() {
        return Ok(plan);
    }
    if own.is_none_or(|layout| layout.plan.is_none()) {
        refuse_lost(place, &read.files, &plan.terms.goal)?;
    }
    let Some(layout) = own else { return Ok(plan) };
    let list = layout.plan.as_deref().map(|path| sealed(project, path, &mut plan.notes)).transpose()?;
    if list.is_some() {
        plan.terms.policy.gates.insert(0, Gate::Tasks);
    }
    if config.origin(Key::Research).is_none_or(|origin| origin.layer == SettingLayer::Default) {
        plan.terms.policy.research = Research::Off;
    }
    let (logs, status) = (layout.logs.clone(), layout.status.clone());
    plan.terms.ralph = Some(RalphTerms { list, logs, status, ground: FolderOwner::Persons });
    Ok(plan)
}

fn is_goal(project: &Utf8Path, prompt: &str, goal: &str) -> bool {
    // In a session it is typed, and comes without the line's end.
    files::read_text(&project.join(prompt), TEXT_BYTES_MAX)
        .is_ok_and(|text| text.content.trim() == goal.trim())
}

/// With the list that a worker deleted its open tasks would be gone, and nothing would ask for them.
fn refuse_lost(place: &PlaceOfWork, files: &Files, goal: &str) -> Result<(), PlanError> {
    let project = &place.project;
    if !prompts(files).any(|prompt| is_goal(project, &prompt, goal)) {
        return Ok(());
    }
    let lists: Vec<String> = plans(files).collect();
    let tracked = git::tracked_paths(project, &lists).map_err(RunError::from)?.into_iter().next();
    let sealed = known::left_here(place, goal)?.and_then(|last| {
        let list = last.agreement().ok()?.ralph?.list.filter(|list| !project.join(&list.path).is_file())?;
        // One whose tasks are all done may go.
        let has_passed = matches!(&last.fold.state.stage, Stage::Ended(end) if end.has_passed());
        (!has_passed).then(|| (list.path, last.handle()))
    });
    let (sealed, id) = sealed.unzip();
    let in_git = tracked.as_ref().map(|path| format!("`git restore '{path}'`"));
    let in_loop = id.map(|id| format!("`gulf restore {id}@0 --to DIR` writes what lay here before {id}"));
    let ways: Vec<String> = in_git.into_iter().chain(in_loop).collect();
    match tracked.or(sealed) {
        Some(path) => Err(PlanError::ListLost { path, ways: ways.join("; or ") }),
        None => Ok(()),
    }
}

/// A list in which a task may be hidden, or can never begin, is refused: nobody could ever tick it.
fn sealed(project: &Utf8Path, path: &str, notes: &mut Vec<String>) -> Result<SealedList, PlanError> {
    let text = files::read_text(&project.join(path), TEXT_BYTES_MAX)?;
    let list = tasks::parse(&Source::new(path, &text.content));
    let is_fatal = |problem: &TaskProblem| {
        // Nothing that counts this list goes by ids.
        problem.weight() == Weight::Error && !matches!(problem, TaskProblem::DuplicateId { .. })
    };
    let (fatal, others): (Vec<_>, Vec<_>) =
        list.problems.iter().cloned().partition(|located| is_fatal(&located.problem));
    if !fatal.is_empty() {
        return Err(PlanError::TaskList { path: Utf8PathBuf::from(path), problems: fatal });
    }
    notes.extend(others.iter().map(|located| format!("{}: {}", located.place(), located.problem)));
    let open = list.tasks.iter().filter(|task| !task.is_ticked).count();
    notes.push(format!(
        "{path}: {open} of {} tasks are open; the loop ends when all are ticked, the checks pass and the worker says \
         that nothing is left",
        list.tasks.len()
    ));
    Ok(SealedList::seal(path, &list))
}

/// What of a `.ralphrc` is in force, what gulf.toml or a flag says otherwise, and what has no counterpart.
fn notes(read: &Ralphrc, config: &Config) -> Vec<String> {
    let mut notes = Vec::new();
    let in_force = |key: Key| config.origin(key).is_some_and(|origin| origin.source.name() == RALPHRC);
    let taken: Vec<String> = (read.settings.iter().filter(|one| in_force(one.key)))
        .map(|one| format!("{} = {} ({})", one.key.row().path, one.value, one.from))
        .collect();
    if !taken.is_empty() {
        notes.push(format!("{RALPHRC}: {}", taken.join(", ")));
    }
    for one in read.settings.iter().filter(|one| !in_force(one.key)) {
        let path = one.key.row().path;
        let by = config.origin(one.key).map_or_else(|| "a flag".to_owned(), ToString::to_string);
        notes.push(format!("{RALPHRC}: {} does not count: {by} says what `{path}` is", one.from));
    }
    let mut whys: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for one in &read.left_out {
        let name = if one.name.contains("TOOLS") { one.value.clone() } else { one.name.clone() };
        whys.entry(one.why).or_default().push(name);
    }
    notes.extend(whys.iter().map(|(why, names)| format!("{RALPHRC}: left out {}: {why}", names.join(", "))));
    let weak = read.problems.iter().filter(|located| located.problem.weight() == Weight::Warning);
    notes.extend(weak.map(|located| format!("{}: {}", located.place(), located.problem)));
    notes
}
