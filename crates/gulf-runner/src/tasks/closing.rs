//! Writes a finished task down: commit, tick, log, lessons (SPEC R4).
//!
//! It stands apart because it must come to the same after a crash anywhere: when and as what it was committed is noted
//! first, and every other text is only written where it does not say so yet.

use camino::Utf8PathBuf;
use gulf_agents::judge::{JudgeRecord, Word};
use gulf_engine::{Base, Closing, JudgeWord, TreeId, UnitId};
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::files::Durability;
use gulf_host::git::{self, FileMode, TreeEdit, TreePath};
use gulf_spec::lessons::{Named, named};
use serde::{Deserialize, Serialize};

use super::recording::{Committed, Finished};
use super::texts::Bookkeeping;
use crate::FORMAT_VERSION;
use crate::book::Fold;
use crate::error::{Failure, RunError};
use crate::judge;
use crate::records;
use crate::snapshot::stamp;
use crate::texts::TEXT_BYTES_MAX;
use crate::workshop::{Errand, Workshop};

pub(super) const WHAT: &str = "what is noted of a task";

/// What is known of a task that is being written down.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Note {
    version: u32,
    /// The time that all of its texts speak of.
    pub(super) at_ms: u64,
    /// Made, and perhaps on the branch already.
    pub(super) commit: Option<String>,
    /// What is not in it.
    pub(super) left: Vec<String>,
    /// Those of its criteria that a judge found met; none where an earlier gulf noted it, which ticked all of them.
    #[serde(default)]
    pub(super) met: Option<Vec<String>>,
}

impl Workshop {
    /// Writes the task in hand down, once.
    pub(crate) fn close(&self, errand: Errand<'_>) -> Result<Closing, Failure> {
        let Errand { key, fold, .. } = errand;
        let refused = || Failure::Refused("no finished task is in hand".to_owned());
        let list = self.agreement.list.as_ref().ok_or_else(refused)?;
        let planned = fold.state.plan().iter().find(|one| one.id == key.unit).ok_or_else(refused)?;
        let candidate = fold.state.candidate().ok_or_else(refused)?;
        let mut note = self.task_note(key.unit, fold)?;
        crash::point("tasks.begun");
        let named = self.named(fold);
        let texts = self.bookkeeping(list, &fold.state, Some(key.unit), named.lessons.clone())?;
        let (name, title) = (planned.task.name.as_str(), planned.task.title.as_str());
        let finished = Finished { key, fold, candidate, name, title, texts: &texts };
        let (commit, left) = match &list.branch {
            None => (None, Vec::new()),
            Some(branch) => match self.commit_task(branch, finished, &mut note)? {
                Committed::Done { commit, left } => (commit, left),
                Committed::NotReady { why } => return Ok(Closing::NotReady { why }),
            },
        };
        let mut unwritten = self.write_texts(&texts);
        // No settlement follows: what was decided on the way is kept here (SPEC G11).
        unwritten.extend(self.keep_decisions(fold.state.unit().iteration)?);
        crash::point("tasks.ticked");
        self.log_completed(&note, name, named, fold);
        crash::point("tasks.logged");
        let base = self.base_with_lessons(candidate, &texts, &note)?;
        let commit = commit.map(|commit| gulf_engine::CommitId::new(commit.as_str()));
        Ok(Closing::Done { commit, base, left: left.into_iter().chain(unwritten).collect() })
    }

    /// What the worker's last message names.
    fn named(&self, fold: &Fold) -> Named {
        named(&self.final_message(fold))
    }

    /// What the next task begins with, where a lesson was written beside the work.
    fn base_with_lessons(
        &self,
        candidate: &gulf_engine::Candidate,
        texts: &Bookkeeping,
        note: &Note,
    ) -> Result<Option<Base>, Failure> {
        let Some(text) = texts.lessons() else { return Ok(None) };
        let tree = git::TreeId::parse(candidate.tree.as_str())?;
        let path = TreePath::try_from(text.path.as_str())?;
        let entries = self.repository.list(&tree)?;
        let (before, mode) = match entries.iter().find(|entry| entry.path == path) {
            Some(entry) => (self.repository.read_blob(&entry.blob, TEXT_BYTES_MAX)?, entry.mode),
            None => (Vec::new(), FileMode::File),
        };
        let Some(after) = String::from_utf8(before).ok().and_then(|before| texts.edited(text, &before))
        else {
            return Ok(None);
        };
        let tree =
            self.repository.write_tree_with(&tree, &[(path, TreeEdit::Put(after.into_bytes(), mode))])?;
        let parent = git::CommitId::parse(candidate.commit.as_str())?;
        let message = format!("gulf: lessons of {}\n", self.agreement.loop_id);
        let commit = self.repository.commit(&tree, &[&parent], &message, stamp(note.at_ms))?;
        let name = git::RefName::parse(&format!("refs/gulf/{}/lessons", self.agreement.loop_id))?;
        self.repository.update_ref(&name, &commit, &git::Expected::Anything)?;
        let commit = gulf_engine::CommitId::new(commit.as_str());
        Ok(Some(Base { commit, tree: TreeId::new(tree.as_str()) }))
    }

    /// What was noted of the task, or a first note.
    fn task_note(&self, unit: UnitId, fold: &Fold) -> Result<Note, RunError> {
        if let Some(note) = self.kept_note(unit)? {
            return Ok(note);
        }
        let at_ms = Clock::new().wall_ms();
        let met = Some(self.met_criteria(unit, fold)?);
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
    fn met_criteria(&self, unit: UnitId, fold: &Fold) -> Result<Vec<String>, RunError> {
        let own = self.agreement.list.as_ref().and_then(|list| list.task(unit));
        let own = own.map(|task| task.criteria.clone()).unwrap_or_default();
        let (state, is_judged) = (&fold.state, self.agreement.judge.is_some());
        let words = state.candidate().and_then(|candidate| state.unit().words.get(&candidate.tree));
        Ok(match words.and_then(|words| words.judge.as_ref()).filter(|_| is_judged) {
            None => Vec::new(),
            Some(JudgeWord::Approved { .. }) => own,
            Some(
                JudgeWord::Rejected { .. }
                | JudgeWord::NoVerdict
                | JudgeWord::Unreachable { .. }
                | JudgeWord::NeedsPerson { .. }
                | JudgeWord::RateLimited { .. },
            ) => {
                let record = judge::read_last(&self.folder, state.unit().iteration, judge::JUDGE)?;
                own.into_iter()
                    .filter(|criterion| record.as_ref().is_some_and(|one| is_met(one, criterion)))
                    .collect()
            }
        })
    }

    /// On disk before anything is done that it speaks of.
    pub(super) fn keep_task_note(&self, unit: UnitId, note: &Note) -> Result<(), RunError> {
        records::write(&self.note_file(unit), WHAT, note, Durability::Synced)
    }

    fn note_file(&self, unit: UnitId) -> Utf8PathBuf {
        self.folder.root().join(format!("task-{}.json", unit.0 + 1))
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
