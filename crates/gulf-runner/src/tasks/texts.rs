//! The texts that say of a task that it is done: the list, and the lessons in CLAUDE.md or AGENTS.md.
//!
//! Each is written twice, in the commit and in the worktree, and the two may differ by what a person is about to
//! change there: an edit is made of whatever text it meets.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use gulf_engine::{PlannedTask, TaskFate, UnitId};
use gulf_host::files::{self, ByteOrderMark, FileText as Lying, ReadError};
use gulf_spec::lessons::with_lessons;
use gulf_spec::tasks::{Boxes, Task, TaskId, Tick, parse, with_blocker, with_ticks};
use gulf_spec::text::Source;

use super::closing::TaskBooks;
use super::{ListTerms, TaskTerms};
use crate::error::{RunError, in_full};
use crate::own_text;
use crate::texts::TEXT_BYTES_MAX;

/// Where lasting lessons stand; the first that is there.
const LESSON_FILES: [&str; 2] = ["CLAUDE.md", "AGENTS.md"];

/// What is to be written besides the work.
#[derive(Debug)]
pub(super) struct Bookkeeping {
    list: ListTerms,
    account: Vec<Account>,
    lessons: Vec<String>,
    pub(super) texts: Vec<EditedText>,
}

/// A text that is edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EditedText {
    /// Relative to the project.
    pub(super) path: String,
    /// Else it is the list. They are made where they are not there.
    pub(super) is_lessons: bool,
}

/// What the journal says of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Account {
    id: TaskId,
    is_finished: bool,
    /// What becomes of the boxes of its criteria; one that is not named stays as it is.
    steps: BTreeMap<String, Tick>,
    /// The task that waits for it, and its title, where a worker added it.
    before: Option<(TaskId, String)>,
}

impl Bookkeeping {
    /// Edits the text; none where it says all of that already.
    pub(super) fn edited(&self, text: &EditedText, before: &str) -> Option<String> {
        if text.is_lessons { with_lessons(before, &self.lessons) } else { self.in_step(before) }
    }

    /// The texts whose edit is more than a tick.
    pub(super) fn lessons(&self) -> Option<&EditedText> {
        self.texts.iter().find(|text| text.is_lessons)
    }

    /// What workers put before other tasks, by name.
    pub(super) fn blockers(&self) -> Vec<&str> {
        self.account.iter().filter(|one| one.before.is_some()).map(|one| one.id.as_str()).collect()
    }

    /// The list with a line for each of them; none where it has all that it can have.
    pub(super) fn with_blockers(&self, before: &str) -> Option<String> {
        let name = self.list.path.as_str();
        let mut text = before.to_owned();
        for Account { id, before, .. } in &self.account {
            if let Some((blocked, title)) = before
                && parse(&Source::new(name, &text)).task(id.as_str()).is_none()
                && let Some(longer) = with_blocker(name, &text, blocked, id, title)
            {
                text = longer;
            }
        }
        (text != before).then_some(text)
    }

    /// The list as the journal has it: finished tasks are ticked, no other task of the loop is, criteria are where a judge
    /// found them met, and what a worker put before another stands there. Whatever else somebody wrote stays.
    fn in_step(&self, before: &str) -> Option<String> {
        let name = self.list.path.as_str();
        let text = self.with_blockers(before).unwrap_or_else(|| before.to_owned());
        let own = |one: &Account| if one.is_finished { Tick::Set } else { Tick::Taken };
        let boxes = |one: &Account| Boxes { own: own(one), steps: one.steps.clone() };
        let ticks = self.account.iter().map(|one| (&one.id, boxes(one))).collect();
        let text = with_ticks(name, &text, &ticks).unwrap_or(text);
        (text != before).then_some(text)
    }
}

impl TaskBooks<'_> {
    /// What is to be written, where the task in hand is finished or nothing is.
    pub(super) fn bookkeeping(
        &self,
        list: &ListTerms,
        finished: Option<UnitId>,
        lessons: Vec<String>,
    ) -> Result<Bookkeeping, RunError> {
        let mut texts = vec![EditedText { path: list.path.clone(), is_lessons: false }];
        if !lessons.is_empty() {
            texts.push(EditedText { path: self.lesson_file(), is_lessons: true });
        }
        let sealed = parse(&Source::new(list.path.as_str(), &list.text));
        let account = self.fold.state.plan.iter().map(|one| {
            let is_finished = one.standing == TaskFate::Finished || Some(one.id) == finished;
            let id = TaskId::new(&one.task.name);
            let steps = self.steps_of(list.task(one.id), sealed.task(id.as_str()), (one.id, is_finished))?;
            Ok(Account { id, is_finished, steps, before: waiting(list, &self.fold.state.plan, one) })
        });
        let account = account.collect::<Result<_, RunError>>()?;
        Ok(Bookkeeping { list: list.clone(), account, lessons, texts })
    }

    /// What becomes of the boxes of a task's criteria. Those that a person had ticked before the start stay ticked.
    fn steps_of(
        &self,
        terms: Option<&TaskTerms>,
        sealed: Option<&Task>,
        (unit, is_finished): (UnitId, bool),
    ) -> Result<BTreeMap<String, Tick>, RunError> {
        let Some(terms) = terms else { return Ok(BTreeMap::new()) };
        let note = if is_finished { self.kept_note(unit)? } else { None };
        // An earlier gulf ticked them all.
        let is_by_an_earlier = note.as_ref().is_some_and(|note| note.met.is_none());
        let met = note.and_then(|note| note.met).unwrap_or_default();
        let before = sealed.map_or(&[][..], |task| &task.ticked_steps);
        let open = terms.criteria.iter().filter(|step| !is_by_an_earlier && !before.contains(step));
        let tick = |step: &String| if met.contains(step) { Tick::Set } else { Tick::Taken };
        Ok(open.map(|step| (step.clone(), tick(step))).collect())
    }

    /// Brings the list in the worktree in step with the journal, and says which ticks were taken back.
    pub(crate) fn keep_list(&self) -> Vec<String> {
        let Some(list) = &self.resources.agreement.list else { return Vec::new() };
        let texts = match self.bookkeeping(list, None, Vec::new()) {
            Ok(texts) => texts,
            Err(error) => return vec![in_full(&error)],
        };
        let before = self.resources.project_text(&list.path).unwrap_or_default();
        let mut notes = self.write_texts(&texts);
        let listed = parse(&Source::new(list.path.as_str(), &before));
        let unearned = texts.account.iter().filter(|one| !one.is_finished);
        let unearned = unearned.filter(|one| listed.task(one.id.as_str()).is_some_and(|task| task.is_closed));
        notes.extend(unearned.map(|one| {
            format!("{}: the tick of {} was removed: the gates have not passed", list.path, one.id)
        }));
        let is_unseen = |one: &&Account| {
            let ticked = listed.task(one.id.as_str()).map(|task| &task.ticked_steps[..]).unwrap_or_default();
            ticked.iter().any(|step| one.steps.get(step) == Some(&Tick::Taken))
        };
        notes.extend(texts.account.iter().filter(is_unseen).map(|one| {
            format!("{}: ticks below {} were removed: no judge found these criteria met", list.path, one.id)
        }));
        notes
    }

    fn lesson_file(&self) -> String {
        let is_there = |name: &&&str| self.resources.project().join(**name).is_file();
        let agent = self.resources.agreement.agent.tool.descriptor();
        let usual = agent.map_or(LESSON_FILES[0], |agent| agent.instructions);
        (*LESSON_FILES.iter().find(is_there).unwrap_or(&usual)).to_owned()
    }

    /// Writes them where they lie. One that cannot be read or written is named, and no reason to stop.
    pub(super) fn write_texts(&self, texts: &Bookkeeping) -> Vec<String> {
        texts.texts.iter().filter_map(|text| self.write_text(texts, text).err()).collect()
    }

    fn write_text(&self, texts: &Bookkeeping, text: &EditedText) -> Result<(), String> {
        let path = self.resources.project().join(&text.path);
        let before = match files::read_text(&path, TEXT_BYTES_MAX) {
            Ok(Lying { content, byte_order_mark: ByteOrderMark::Absent }) => content,
            // It is a byte of theirs as well.
            Ok(Lying { content, byte_order_mark: ByteOrderMark::Stripped }) => format!("\u{feff}{content}"),
            Err(ReadError::Missing { .. }) if text.is_lessons => String::new(),
            Err(ReadError::Missing { .. }) => return Err(format!("{} is gone from the checkout", text.path)),
            Err(error) => return Err(format!("{} cannot be updated: {error}", text.path)),
        };
        let Some(after) = texts.edited(text, &before) else { return Ok(()) };
        // Where it is a link, the file that it means is changed; one outside of the project is not.
        let target = if path.is_symlink() { self.linked(&path) } else { Some(path) };
        let target =
            target.ok_or_else(|| format!("{} is a link that leads out of the project", text.path))?;
        own_text::write(self.resources.project(), &target, &after)
            .map_err(|error| format!("{} cannot be updated: {error}", text.path))
    }

    fn linked(&self, path: &camino::Utf8Path) -> Option<Utf8PathBuf> {
        let target = path.canonicalize_utf8().ok()?;
        target.starts_with(self.resources.project().canonicalize_utf8().ok()?).then_some(target)
    }
}

/// The task that waits for one which a worker added, and what the latter is.
fn waiting(list: &ListTerms, plan: &[PlannedTask], one: &PlannedTask) -> Option<(TaskId, String)> {
    if list.task(one.id).is_some() {
        return None;
    }
    let blocked = plan.iter().find(|other| other.task.after.contains(&one.id))?;
    Some((TaskId::new(&blocked.task.name), one.task.title.clone()))
}
