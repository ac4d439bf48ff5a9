//! Writes a finished task down: commit, tick, log, lessons (SPEC R4).
//!
//! It must come to the same after a crash anywhere: when and as what it was committed is noted first, and every other
//! text is only written where it does not say so yet.

use camino::Utf8PathBuf;
use gulf_agents::judge::{JudgeRecord, Word};
use gulf_engine::{Base, Closing, CommitId, End, Gate, JudgeWord, PlannedTask, SetAside, Settlement, UnitId};
use gulf_host::clock::{Clock, local_second};
use gulf_host::files::{self, Durability};
use gulf_host::{crash, git};
use gulf_spec::lessons::{LogEntry, NamedLessons, read_lessons, with_entry};
use serde::{Deserialize, Serialize};

use super::prompt::failure_on;
use super::recording::Finished;
use crate::book::Fold;
use crate::edits::note_what_lies;
use crate::error::{Failure, Result, RunError};
use crate::held_out::shown_checks;
use crate::memory::keep_decisions;
use crate::project_folder::put_own;
use crate::resources::Resources;
use crate::snapshot::stamp;
use crate::texts::TEXT_BYTES_MAX;
use crate::why::final_message;
use crate::{FORMAT_VERSION, judge, records};

pub(super) const WHAT: &str = "what is noted of a task";

/// What is known of a task that is being written down.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Note {
    version: u32,
    /// The time that all of its texts speak of.
    pub(super) at_ms: u64,
    /// Made, and perhaps on the branch already.
    pub(super) commit: Option<CommitId>,
    /// What is not in it.
    pub(super) left: Vec<String>,
    /// Those of its criteria that a judge found met; none where an earlier gulf noted it, which ticked all of them.
    pub(super) met: Option<Vec<String>>,
}

/// How tasks of a list are written down: finished, given up, or still open.
#[derive(Clone, Copy, Debug)]
pub struct TaskBooks<'effect> {
    pub resources: &'effect Resources,
    pub fold: &'effect Fold,
}

impl TaskBooks<'_> {
    /// Writes the task in hand down, once.
    pub(crate) fn close(&self, in_hand: UnitId) -> Result<Closing> {
        let refused = || Failure::Refused("no finished task is in hand".to_owned());
        let list = self.resources.agreement.list.as_ref().ok_or_else(refused)?;
        let planned = self.fold.state.plan.iter().find(|one| one.id == in_hand).ok_or_else(refused)?;
        let candidate = self.fold.state.candidate().ok_or_else(refused)?;
        let mut note = self.task_note(in_hand)?;
        crash::point("tasks.begun");
        let named = read_lessons(&final_message(self.resources, self.fold));
        let texts = self.bookkeeping(list, Some(in_hand), named.lessons.clone())?;
        let finished = Finished { planned, candidate, texts: &texts };
        let (commit, left) = match &list.branch {
            None => (None, Vec::new()),
            Some(branch) => match self.commit_task(branch, finished, &mut note)? {
                Ok(committed) => committed,
                Err(why) => return Ok(Closing::NotReady { why }),
            },
        };
        let mut unwritten = self.write_texts(&texts);
        // No settlement follows: what was decided on the way is kept here (SPEC G11).
        unwritten.extend(keep_decisions(self.resources, self.fold.state.unit.iteration)?);
        crash::point("tasks.ticked");
        self.log_completed(&note, &planned.task.name, named);
        crash::point("tasks.logged");
        let base = self.base_with_lessons(finished, &note)?;
        Ok(Closing::Done { commit, base, left: left.into_iter().chain(unwritten).collect() })
    }

    /// What the next task begins with, where a lesson was written beside the work.
    fn base_with_lessons(&self, task: Finished<'_>, note: &Note) -> Result<Option<Base>> {
        let Finished { candidate, texts, .. } = task;
        let Some(text) = texts.lessons() else { return Ok(None) };
        let repository = &self.resources.repository;
        let edited = |before: &str| texts.edited(text, before);
        let Some(edit) = self.edit_of(&candidate.tree, text, edited)? else { return Ok(None) };
        let tree = repository.write_tree_with(&candidate.tree, &[edit])?;
        let message = format!("gulf: lessons of {}\n", self.resources.agreement.loop_id);
        let commit = repository.commit(&tree, &[&candidate.commit], &message, stamp(note.at_ms))?;
        let name = git::RefName::parse(&format!("refs/gulf/{}/lessons", self.resources.agreement.loop_id))?;
        repository.update_ref(&name, &commit, &git::Expected::Anything)?;
        Ok(Some(Base { commit, tree }))
    }

    /// What was noted of the task, or a first note.
    fn task_note(&self, unit: UnitId) -> Result<Note, RunError> {
        if let Some(note) = self.kept_note(unit)? {
            return Ok(note);
        }
        let at_ms = Clock::new().wall_ms();
        let met = Some(self.met_criteria(unit)?);
        let note = Note { version: FORMAT_VERSION, at_ms, commit: None, left: Vec::new(), met };
        self.keep_task_note(unit, &note)?;
        Ok(note)
    }

    pub(super) fn kept_note(&self, unit: UnitId) -> Result<Option<Note>, RunError> {
        let note: Option<Note> = records::read(&self.note_file(unit), WHAT)?;
        Ok(note.filter(|note| note.version == FORMAT_VERSION))
    }

    /// Those of the task's own criteria that a judge found met. Where a person overruled the judge, each that no judge
    /// doubted.
    fn met_criteria(&self, unit: UnitId) -> Result<Vec<String>, RunError> {
        let own = self.resources.agreement.list.as_ref().and_then(|list| list.task(unit));
        let own = own.map(|task| task.criteria.clone()).unwrap_or_default();
        let (state, is_judged) = (&self.fold.state, self.resources.agreement.judge.is_some());
        let words = state.candidate().and_then(|candidate| state.unit.words.get(&candidate.tree));
        let word = words.and_then(|words| words.judge.as_ref()).filter(|_| is_judged);
        let Some(word) = word else { return Ok(Vec::new()) };
        if matches!(word, JudgeWord::Approved { .. }) {
            return Ok(own);
        }
        let record = judge::read_last(&self.resources.folder, state.unit.iteration, judge::JUDGE)?;
        let is_met = |criterion: &String| record.as_ref().is_some_and(|one| is_met(one, criterion));
        Ok(own.into_iter().filter(is_met).collect())
    }

    /// On disk before anything is done that it speaks of.
    pub(super) fn keep_task_note(&self, unit: UnitId, note: &Note) -> Result<(), RunError> {
        records::keep(&self.note_file(unit), WHAT, note, Durability::Synced)
    }

    fn note_file(&self, unit: UnitId) -> Utf8PathBuf {
        self.resources.folder.root().join(format!("task-{}.json", unit.0 + 1))
    }
}

/// Every judge who spoke of it found it met.
fn is_met(record: &JudgeRecord, criterion: &str) -> bool {
    let Some(at) = record.criteria.iter().position(|one| one == criterion) else { return false };
    let said = record.judgements.iter().flat_map(|judgement| &judgement.criteria);
    let mut said =
        said.filter(|word| usize::try_from(word.number).is_ok_and(|number| number == at + 1)).peekable();
    said.peek().is_some() && said.all(|word| word.word == Word::Met)
}

// The dated log of a list, `.claude/progress.txt`: what worked, and what a task that was given up still needs.

/// Relative to the project.
pub(crate) const LOG: &str = ".claude/progress.txt";
/// `2026-01-18 10:30`
const MINUTE_CHARS: usize = 16;
/// Of a commit's id: enough for any repository.
const SHORT_CHARS: usize = 12;

impl TaskBooks<'_> {
    pub(super) fn log_completed(&self, note: &Note, task: &str, named: NamedLessons) {
        let attempts = self.fold.state.unit.iterations;
        let mut pattern = named.learnt;
        pattern.extend(named.lessons);
        if pattern.is_empty() {
            let checks = shown_checks(&self.resources.agreement.checks);
            let tries =
                if attempts == 1 { "1 iteration".to_owned() } else { format!("{attempts} iterations") };
            pattern.push(format!("{tries}; passes: {}", checks.join(", ")));
        }
        self.log(note.at_ms, task, &LogEntry::Completed { pattern });
    }

    /// A task is given up: its cause, what is needed, and what it left is set aside. Gives that with what a person should
    /// know of it.
    pub fn give_task_up(&self, why: &End, because: Option<&str>) -> (Option<SetAside>, Option<String>) {
        let (set_aside, note) = match self.resources.agreement.list.as_ref().map(|_| self.set_aside()) {
            None => (None, None),
            Some(Ok(set_aside)) => (Some(set_aside), None),
            Some(Err(why)) => (None, Some(format!("what it left could not be set aside: {why}"))),
        };
        note_what_lies(self.resources, self.fold);
        let kept = set_aside.as_ref().and_then(|aside| aside.commit.as_ref());
        let kept = kept.map(|commit| commit.as_str().chars().take(SHORT_CHARS).collect());
        self.log_given_up(why, because, kept);
        (set_aside, note)
    }

    fn log_given_up(&self, why: &End, because: Option<&str>, kept: Option<String>) {
        let (unit, Some(planned)) = (&self.fold.state.unit, self.in_hand()) else { return };
        let last = unit.trees.last().and_then(|tree| failure_on(self.resources, self.fold, tree));
        let cause = because.map(str::to_owned).or(last.clone()).unwrap_or_else(|| why.word().to_owned());
        let needed = match last {
            Some(_) => format!("look at it; then `- [ ] {}` again in a new loop", planned.task.name),
            None => "a person's look at it".to_owned(),
        };
        let at_ms = Clock::new().wall_ms();
        let trees = self.fold.begun.get(&unit.id).zip(unit.trees.last());
        let changed = trees.and_then(|(begun, last)| self.resources.repository.differing(begun, last).ok());
        let left = changed.into_iter().flatten().map(|path| path.to_string()).collect();
        let attempts = unit.iterations;
        self.log(at_ms, &planned.task.name, &LogEntry::Failed { attempts, cause, needed, left, kept });
    }

    pub(super) fn in_hand(&self) -> Option<&PlannedTask> {
        self.fold.state.plan.iter().find(|one| one.id == self.fold.state.unit.id)
    }

    /// What went wrong in an iteration of a task, before it is settled; none where nothing did.
    pub(crate) fn error_of_attempt(&self, settlement: Settlement) -> Option<String> {
        self.resources.agreement.list.as_ref()?;
        let otherwise = match settlement {
            Settlement::Refused { gate: Gate::Judge } => "the judge refused it",
            Settlement::Refused { .. } => "a gate refused it",
            Settlement::Rejected => "a person refused it",
            Settlement::Unclaimed => "it did not say that it is done",
            Settlement::AgentFailed => "the agent failed",
            Settlement::Research | Settlement::Asked | Settlement::Approved => return None,
            Settlement::Questioned | Settlement::RateLimited | Settlement::NeedsPerson => return None,
            Settlement::Unjudged | Settlement::Declined => return None,
            Settlement::Steered | Settlement::Blocked => return None,
        };
        let candidate = self.fold.state.candidate();
        let failure = candidate.and_then(|candidate| failure_on(self.resources, self.fold, &candidate.tree));
        Some(failure.unwrap_or_else(|| otherwise.to_owned()))
    }

    /// A line for an attempt that was not accepted (the seed: an error is written down, and it goes on).
    pub(crate) fn log_attempt(&self, error: String) {
        let Some(planned) = self.in_hand() else { return };
        let entry = LogEntry::Attempt { number: self.fold.state.unit.iterations, error };
        self.log(Clock::new().wall_ms(), &planned.task.name, &entry);
    }

    fn log(&self, at_ms: u64, task: &str, entry: &LogEntry) {
        let at: String = local_second(at_ms).chars().take(MINUTE_CHARS).collect();
        let path = self.resources.project().join(LOG);
        let before = self.resources.project_text(LOG).unwrap_or_default();
        // What is there and cannot be read is not written over.
        if before.is_empty() && files::read_bytes(&path, TEXT_BYTES_MAX).is_ok_and(|bytes| !bytes.is_empty())
        {
            return;
        }
        if let Some(text) = with_entry(&before, &at, task, entry) {
            // The journal knows it all.
            let _ = put_own(self.resources.project(), LOG, &text);
        }
    }
}
