//! The tasks of a list: what has become of each, for screens, programs and the seed's files (SPEC R6, K5).
//!
//! The seed keeps its state in two files of the project: here they are made, and never read.

use std::collections::{BTreeMap, BTreeSet};

use crate::history::{ClosedTask, History};
use crate::language::ScreenLanguage;
use crate::look::{Look, Tone};
use crate::loop_status::stall_meaning;
use crate::phrase::{Phrase, attention, say, verified};
use crate::screen::{item, titled};
use crate::unproven::Statement;
use crate::{json, text, wording};
use gulf_engine::{
    Cause, Closing, CommitId, ContractTask, EffectKey, End, Exhaustion, LoopId, PlannedTask, SetAside, Stage,
    State, TaskFate, UnitId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum TaskState {
    Pending,
    /// It is in hand.
    Active,
    /// Every gate said yes.
    Complete,
    /// It was given up.
    Skipped,
    /// It waits for a task that a worker put before it, or that was given up.
    Blocked,
}

impl TaskState {
    pub fn word(self) -> &'static str {
        self.into()
    }

    fn tone(self) -> Tone {
        match self {
            Self::Complete => Tone::Verified,
            Self::Skipped | Self::Blocked => Tone::Attention,
            Self::Pending | Self::Active => Tone::Plain,
        }
    }
}

/// One task of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskReport {
    pub id: String,
    pub title: String,
    pub state: TaskState,
    /// Its own, all of them.
    pub iterations: u32,
    /// Null where it left nothing to commit, or is not finished.
    pub commit: Option<CommitId>,
    /// How it ended; null while it has not.
    pub end: Option<End>,
    /// What it must wait for, by id.
    pub after: Vec<String>,
    /// What changed and is not in the commit, each with the reason.
    pub not_committed: Vec<String>,
    /// Where it was given up and its work was taken out of the checkout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<SetAside>,
}

/// All tasks of the list in the order in which they are done; none where the goal is the only unit.
pub fn tasks(history: &History, state: &State) -> Vec<TaskReport> {
    let blocked = blocked(state);
    state.plan.iter().map(|one| report(one, standing(one, state, &blocked), history, state)).collect()
}

fn report(one: &PlannedTask, standing: TaskState, history: &History, state: &State) -> TaskReport {
    let closed = history.closed.get(&one.id);
    let its = || history.iterations.iter().filter(|iteration| iteration.unit == one.id);
    let name =
        |id: &UnitId| state.plan.iter().find(|other| other.id == *id).map(|other| other.task.name.clone());
    let is_over = matches!(standing, TaskState::Complete | TaskState::Skipped);
    // No event tells of the last one what it came to by itself.
    let last = state.end_of_task().filter(|_| state.unit.id == one.id && standing == TaskState::Complete);
    let told = its().rev().find_map(|iteration| iteration.end.clone());
    TaskReport {
        id: one.task.name.clone(),
        title: one.task.title.clone(),
        state: standing,
        iterations: u32::try_from(its().count()).unwrap_or(u32::MAX),
        commit: closed.and_then(|closed| closed.commit.clone()),
        end: last.or(told).filter(|_| is_over),
        after: one.task.after.iter().filter_map(name).collect(),
        not_committed: closed.map(|ClosedTask { left, .. }| left.clone()).unwrap_or_default(),
        set_aside: one.set_aside.clone(),
    }
}

fn standing(one: &PlannedTask, state: &State, blocked: &BTreeSet<UnitId>) -> TaskState {
    let is_in_hand = state.unit.id == one.id && !matches!(&state.stage, Stage::Ended(_));
    match one.standing {
        _ if is_complete(one, state) => TaskState::Complete,
        TaskFate::Skipped => TaskState::Skipped,
        TaskFate::Finished | TaskFate::Pending if is_in_hand => TaskState::Active,
        TaskFate::Finished | TaskFate::Pending if blocked.contains(&one.id) => TaskState::Blocked,
        TaskFate::Finished | TaskFate::Pending => TaskState::Pending,
    }
}

/// No event tells that the last one is finished: the loop's end does.
fn is_complete(one: &PlannedTask, state: &State) -> bool {
    match one.standing {
        TaskFate::Finished => true,
        TaskFate::Skipped => false,
        TaskFate::Pending => {
            let is_closed = matches!(state.unit.closing, Some(Closing::Done { .. }));
            state.unit.id == one.id && is_closed && matches!(&state.stage, Stage::Ended(_))
        }
    }
}

/// Those that were begun and put back, or wait for what is not to be had, and whatever waits for them.
///
/// From the obstacles on, each task once: by way of its dependencies a task can be reached in more ways than anybody can
/// count, where each phase of a list waits for all of the one before.
fn blocked(state: &State) -> BTreeSet<UnitId> {
    let agreed = state.contract().map_or(0, |contract| contract.tasks.len());
    let is_added = |id: UnitId| usize::try_from(id.0).is_ok_and(|id| id >= agreed);
    let standings: BTreeMap<UnitId, TaskFate> = state.plan.iter().map(|one| (one.id, one.standing)).collect();
    let mut waiting: BTreeMap<UnitId, Vec<UnitId>> = BTreeMap::new();
    let mut found = Vec::new();
    for one in &state.plan {
        for id in &one.task.after {
            waiting.entry(*id).or_default().push(one.id);
            match standings.get(id) {
                Some(TaskFate::Skipped) => found.push(one.id),
                Some(TaskFate::Pending) if is_added(*id) => found.push(one.id),
                Some(TaskFate::Pending | TaskFate::Finished) | None => {}
            }
        }
    }
    let mut blocked = BTreeSet::new();
    while let Some(id) = found.pop() {
        if blocked.insert(id) && standings.get(&id) == Some(&TaskFate::Pending) {
            found.extend(waiting.get(&id).into_iter().flatten());
        }
    }
    blocked
}

/// How many are complete, and how many there are; a goal alone is one unit.
pub(crate) fn counted(state: &State) -> (u32, u32) {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    if state.plan.is_empty() {
        let is_done = matches!(&state.stage, Stage::Ended(end) if end.has_passed());
        return (u32::from(is_done), 1);
    }
    let done = state.plan.iter().filter(|one| is_complete(one, state)).count();
    (number(done), number(state.plan.len()))
}

/// `T0.1 (task 2/5), `; nothing where there is no list.
pub(crate) fn prefix(key: &EffectKey, state: &State) -> String {
    let Some(at) = state.plan.iter().position(|one| one.id == key.unit) else { return String::new() };
    format!("{} (task {}/{}), ", state.plan[at].task.name, at + 1, state.plan.len())
}

/// Stuck long before its limit, a task needs a note and no more iterations.
pub(crate) fn why_no_end(state: &State) -> String {
    match state.stall() {
        Some(stall) => format!("Symptom: {}.", stall_meaning(stall)),
        None => "Its iteration limit is reached.".to_owned(),
    }
}

/// The task of the unit in hand.
pub(crate) fn in_hand(state: &State) -> Option<&ContractTask> {
    state.plan.iter().find(|one| one.id == state.unit.id).map(|one| &one.task)
}

/// What came of writing a task down.
pub(crate) fn closed(closing: &Closing, state: &State) -> Phrase {
    let name = in_hand(state).map_or("", |task| task.name.as_str());
    match closing {
        Closing::Done { commit, base, left } => {
            let done = verified(format!("{name} is done"));
            let done = match commit {
                Some(commit) => done.say(": committed as ").literal(text::short(commit.as_str())),
                None => done.say(": nothing committed"),
            };
            let left =
                (!left.is_empty()).then(|| attention(format!("not committed: {}", wording::names(left))));
            done.say(", ticked").and(base.as_ref().map(|_| say("a lesson is kept"))).and(left)
        }
        Closing::NotReady { why } => {
            attention(format!("{name} is done, and cannot be committed")).say(format!(": {why}"))
        }
    }
}

/// What keeps a finished task from being committed.
pub(crate) fn in_the_way(state: &State) -> Option<&str> {
    match &state.unit.closing {
        Some(Closing::NotReady { why }) => Some(why),
        Some(Closing::Done { .. }) | None => None,
    }
}

/// The list on the last screen.
pub(crate) fn block(tasks: &[TaskReport], look: Look) -> String {
    titled(say("tasks"), tasks.iter().map(|task| lines(task, look)).collect(), look)
}

fn lines(task: &TaskReport, look: Look) -> String {
    let further = further(task).map(|line| say("  ").join(line));
    [line(task)].into_iter().chain(further).map(|line| item(line, look)).collect()
}

/// What became of its work besides its commit.
fn further(task: &TaskReport) -> impl Iterator<Item = Phrase> {
    let aside = task.set_aside.iter().flat_map(set_aside_words).map(say);
    aside.chain(task.not_committed.iter().map(|left| attention(format!("not committed: {left}"))))
}

/// Those that nothing proves; others of the list may be proven.
pub(crate) fn unseen(tasks: &[TaskReport]) -> Option<Statement> {
    let each = tasks.iter().flat_map(|TaskReport { id, end, .. }| {
        end.iter().flat_map(End::causes).filter_map(move |cause| {
            let Cause::NothingCouldFail { reason } = cause else { return None };
            let given = |reason| format!("{id}; the reason given: {reason}");
            Some(reason.as_ref().map_or_else(|| id.clone(), given))
        })
    });
    Statement::list("tasks for which nothing was seen to fail", each.collect())
}

/// The list in a report: a line for each, and what belongs below it.
pub(crate) fn describe(tasks: &[TaskReport], language: ScreenLanguage) -> Vec<Statement> {
    let plain = |line: Phrase| line.told_in(language).to_plain_text();
    let told = |task| Statement::new(plain(line(task)), further(task).map(plain));
    tasks.iter().map(told).collect()
}

/// What became of the work of a task that was given up, one line each; nothing where it left none.
pub fn set_aside_words(aside: &SetAside) -> Vec<String> {
    let SetAside { commit, paths, left } = aside;
    let mut words = Vec::new();
    if !paths.is_empty() {
        let files = text::count(paths.len(), "file", "files");
        let back = match commit {
            Some(commit) => {
                format!("`git cherry-pick -n {}` brings it back", text::short(commit.as_str()))
            }
            None => "`gulf restore --to FOLDER` writes an iteration's files out".to_owned(),
        };
        words.push(format!("set aside: {files} ({}); {back}", wording::names(paths)));
    }
    words.extend(left.iter().map(|left| format!("not set aside: {left}")));
    words
}

pub(crate) fn given_up(why: &str, set_aside: Option<&SetAside>) -> Phrase {
    let mut phrase = attention("the task is skipped").say(format!(": {why}"));
    for words in set_aside.into_iter().flat_map(set_aside_words) {
        phrase = phrase.say(format!(" · {words}"));
    }
    phrase
}

fn line(task: &TaskReport) -> Phrase {
    let mut line =
        Phrase::new().tone(task.state.tone(), task.state.word()).quote(Tone::Plain, format!(" {}", task.id));
    if task.title != task.id {
        line = line.quote(Tone::Plain, format!(": {}", task.title));
    }
    if let Some(commit) = &task.commit {
        line = line.say(" · ").literal(text::short(commit.as_str()));
    }
    match (task.state, &task.end) {
        (TaskState::Complete, Some(End::Attested { .. })) => line.say(" · ").attention("attested"),
        (TaskState::Skipped, Some(End::Exhausted { limit: Exhaustion::Iterations })) => {
            line.say(format!(" · used its {}", text::iterations(task.iterations)))
        }
        // The loop was not.
        (TaskState::Skipped, Some(End::Cancelled)) => line.say(" · skipped by a person"),
        (TaskState::Skipped, Some(end)) => line.say(format!(" · {}", end.word())),
        (TaskState::Blocked, _) => line.say(format!(" · waits for {}", task.after.join(", "))),
        (TaskState::Complete | TaskState::Pending | TaskState::Active | TaskState::Skipped, _) => line,
    }
}

/// The seed's `.claude/orchestrate-state.json`: what is completed, what failed, where the loop is.
pub fn orchestrate_state(loop_id: &LoopId, list: &str, tasks: &[TaskReport]) -> Value {
    let ids = |state: TaskState| -> Vec<&str> {
        tasks.iter().filter(|task| task.state == state).map(|task| task.id.as_str()).collect()
    };
    let each = tasks.iter().map(|task| {
        let status = match task.state {
            TaskState::Complete => "completed",
            TaskState::Skipped => "failed",
            TaskState::Active => "in_progress",
            TaskState::Pending => "pending",
            TaskState::Blocked => "blocked",
        };
        let commit = task.commit.as_ref().map(CommitId::as_str);
        json!({ "id": task.id, "name": task.title, "status": status, "iterations": task.iterations, "commit": commit })
    });
    json!({
        "version": json::VERSION,
        "loop": loop_id.as_str(),
        "tasks_file": list,
        "current_task": ids(TaskState::Active).first(),
        "completed": ids(TaskState::Complete),
        "failed": ids(TaskState::Skipped),
        "pending": ids(TaskState::Pending),
        "blocked": ids(TaskState::Blocked),
        "tasks": each.collect::<Vec<_>>(),
    })
}

/// The seed's `.claude/goals/progress.md`.
pub fn goals(goal: &str, tasks: &[TaskReport]) -> String {
    let done = tasks.iter().filter(|task| task.state == TaskState::Complete).count();
    let mut text =
        format!("# Progress\n\nGoal: {}\n\n{done} of {} tasks complete\n\n", goal.trim(), tasks.len());
    for task in tasks {
        let mark = if task.state == TaskState::Complete { 'x' } else { ' ' };
        let title = if task.title == task.id { String::new() } else { format!(": {}", task.title) };
        text.push_str(&format!("- [{mark}] {}{title} ({}", task.id, task.state.word()));
        if task.iterations > 0 {
            text.push_str(&format!(", {}", text::iterations(task.iterations)));
        }
        text.push_str(")\n");
    }
    text
}
