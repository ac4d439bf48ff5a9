//! What the worker reads of the task in hand: the task, what earlier ones taught, and how its last attempt went.
//!
//! It is read from the sealed list and the journal; only the log is a text of the project.

use gulf_engine::{EffectKey, TaskFate, TreeId, UnitId};
use gulf_spec::lessons::without_attempts;
use gulf_spec::prompts::TaskBrief;

use super::closing::LOG;
use super::{ListTerms, TaskTerms};
use crate::agreement::{Agreement, Tool};
use crate::book::Fold;
use crate::checks::RunRecord;
use crate::error::Result;
use crate::resources::Resources;
use crate::texts::text;

/// Of what one check said in one line.
const CAUSE_CHARS_MAX: usize = 300;

/// What the first prompt of a list says.
pub(crate) fn first(sealed: &Agreement, learnt: &str) -> Option<TaskBrief> {
    let list = sealed.list.as_ref()?;
    let task = list.tasks.first()?;
    Some(TaskBrief {
        id: task.id.clone(),
        title: task.title.clone(),
        details: task.details.clone(),
        criteria: task.criteria.clone(),
        number: 1,
        count: list.tasks.len(),
        path: list.path.clone(),
        learnt: without_attempts(learnt),
        previous: None,
    })
}

impl Agreement {
    /// Who does this unit of work: the task's specialist, or the loop's own agent.
    pub fn tool_of(&self, unit: UnitId) -> &Tool {
        let task = self.list.as_ref().and_then(|list| list.task(unit));
        task.and_then(|task| task.tool.as_ref()).unwrap_or(&self.agent.tool)
    }

    /// What a judge is told that the worker was to do, in words of the person's alone: a task that a worker put before
    /// another has its title of the worker.
    pub(crate) fn goal_of(&self, unit: UnitId, fold: &Fold) -> String {
        let Some(list) = &self.list else { return self.goal.clone() };
        let named = |task: &TaskTerms| format!("{} - {}", task.id, task.title);
        if let Some(task) = list.task(unit) {
            let (name, details) = (named(task), &task.details);
            return format!("{}\n\nOf the list only this task is in hand: {name}\n{details}", self.goal);
        }
        let waits = fold.state.plan.iter().find(|one| one.task.after.contains(&unit));
        let waits = waits.and_then(|one| list.task(one.id)).map(named).unwrap_or_default();
        format!(
            "{}\n\nOf the list only a task is in hand that the worker itself put before this one, since it has to come \
             first: {waits}\nWhat it is stands in what the worker says.",
            self.goal
        )
    }

    /// What a worker called the task in hand, where it put that before another.
    pub(crate) fn own_task<'fold>(&self, unit: UnitId, fold: &'fold Fold) -> Option<&'fold str> {
        self.list.as_ref().filter(|list| list.task(unit).is_none())?;
        Some(&fold.state.plan.iter().find(|one| one.id == unit)?.task.title)
    }

    /// What a judge looks for: the rubric's criteria, and the task's own.
    pub fn criteria_of(&self, unit: UnitId) -> Vec<String> {
        let task = self.list.as_ref().and_then(|list| list.task(unit));
        self.criteria.iter().chain(task.into_iter().flat_map(|task| &task.criteria)).cloned().collect()
    }
}

pub(crate) fn task_brief(resources: &Resources, fold: &Fold, key: &EffectKey) -> Result<Option<TaskBrief>> {
    let Some(list) = &resources.agreement.list else { return Ok(None) };
    let plan = &fold.state.plan;
    let Some(planned) = plan.iter().find(|one| one.id == key.unit) else { return Ok(None) };
    let sealed = list.task(key.unit);
    let over = plan.iter().filter(|one| one.standing != TaskFate::Pending).count();
    let waits = plan.iter().find(|one| sealed.is_none() && one.task.after.contains(&key.unit));
    let details = match (sealed, waits) {
        (Some(task), _) => with_what_came_first(task.details.clone(), list, fold, key.unit),
        (None, Some(blocked)) => format!(
            "It was put before {} ({}), which cannot go on without it.",
            blocked.task.name, blocked.task.title
        ),
        (None, None) => String::new(),
    };
    Ok(Some(TaskBrief {
        id: planned.task.name.clone(),
        title: planned.task.title.clone(),
        details,
        criteria: sealed.map(|task| task.criteria.clone()).unwrap_or_default(),
        number: over + 1,
        count: plan.len(),
        path: list.path.clone(),
        learnt: without_attempts(&resources.project_text(LOG).unwrap_or_default()),
        previous: previous(resources, fold, key),
    }))
}

/// What the last attempt at this task said at its end.
fn previous(resources: &Resources, fold: &Fold, key: &EffectKey) -> Option<(u32, String)> {
    let earlier = |turn: &&(u32, u32)| **turn < (key.iteration, key.attempt);
    let (iteration, attempt) = *fold.last_turn.get(&key.unit).filter(earlier)?;
    let turn = EffectKey { iteration, attempt, ..key.clone() };
    let said = |name: &str| text(&resources.folder.log(&turn, name)).ok().flatten().unwrap_or_default();
    let (message, failure) = (said("message.txt"), said("failure.txt"));
    // A program without a protocol may have said why as its last words.
    let failure = if message.trim().ends_with(failure.trim()) { "" } else { failure.trim() };
    let parts = [message.trim(), failure];
    Some((iteration, parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")))
}

/// The first check that said no to a tree, in one line: what its report names, or else its last words.
pub(super) fn failure_on(resources: &Resources, fold: &Fold, tree: &TreeId) -> Option<String> {
    let (name, run) = fold.state.unit.words.get(tree)?.checks.iter().find(|(_, run)| !run.is_green())?;
    let last_words = || {
        let record = RunRecord::find(&resources.folder.run(tree.as_str(), name.as_str()))?;
        record.tail.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    };
    let said = Some(run.summary.clone()).filter(|summary| !summary.is_empty()).or_else(last_words);
    let exit = || run.exit.map_or_else(|| "it did not end".to_owned(), |code| format!("exit code {code}"));
    let line = format!("{name}: {}", said.unwrap_or_else(exit));
    Some(line.chars().take(CAUSE_CHARS_MAX).collect())
}

/// A task that was put back is told what was done meanwhile.
fn with_what_came_first(details: String, list: &ListTerms, fold: &Fold, unit: UnitId) -> String {
    let planned = fold.state.plan.iter().find(|one| one.id == unit);
    let added = planned.into_iter().flat_map(|one| &one.task.after).filter(|id| list.task(**id).is_none());
    let names = added.filter_map(|id| fold.state.plan.iter().find(|one| one.id == *id));
    let names: Vec<_> = names.map(|one| format!("{} ({})", one.task.name, one.task.title)).collect();
    if names.is_empty() {
        return details;
    }
    format!("{details}\n\nDone meanwhile, since this task was blocked: {}.", names.join(", "))
        .trim_start()
        .to_owned()
}
