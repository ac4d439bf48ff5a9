//! The dated log of a list, `.claude/progress.txt`: what worked, and what a task that was given up still needs.
//!
//! It stands apart because it is written for the next worker and for a person, and nothing is decided on it.

use std::fs;

use gulf_engine::{End, Gate, SetAside, Settlement};
use gulf_host::clock::{Clock, local_second};
use gulf_host::files;
use gulf_host::git::TreeId;
use gulf_spec::lessons::{LogEntry, Named, with_entry};

use super::closing::Note;
use crate::book::Fold;
use crate::error::Failure;
use crate::held_out::shown_checks;
use crate::own_text;
use crate::texts::TEXT_BYTES_MAX;
use crate::workshop::Workshop;

/// Relative to the project.
pub(crate) const LOG: &str = ".claude/progress.txt";
/// `2026-01-18 10:30`
const MINUTE_CHARS: usize = 16;
/// Of a commit's id: enough for any repository.
const SHORT_CHARS: usize = 12;

impl Workshop {
    pub(super) fn log_completed(&self, note: &Note, task: &str, named: Named, fold: &Fold) {
        let attempts = fold.state.unit().iterations;
        let mut pattern = named.learnt;
        pattern.extend(named.lessons);
        if pattern.is_empty() {
            let checks = shown_checks(&self.agreement.checks);
            let tries =
                if attempts == 1 { "1 iteration".to_owned() } else { format!("{attempts} iterations") };
            pattern.push(format!("{tries}; passes: {}", checks.join(", ")));
        }
        self.log(note.at_ms, task, &LogEntry::Completed { pattern });
    }

    /// A task is given up: its cause, what is needed, and what it left is set aside. Gives that with what a person should
    /// know of it.
    pub fn give_task_up(
        &self,
        fold: &Fold,
        why: &End,
        because: Option<&str>,
    ) -> (Option<SetAside>, Option<String>) {
        let (set_aside, note) = match self.set_aside(fold) {
            Ok(set_aside) => (set_aside, None),
            Err(note) => (None, Some(note)),
        };
        self.note_what_lies(fold);
        let kept = set_aside.as_ref().and_then(|aside| aside.commit.as_ref());
        let kept = kept.map(|commit| commit.as_str().chars().take(SHORT_CHARS).collect());
        self.log_given_up(fold, why, because, kept);
        (set_aside, note)
    }

    fn log_given_up(&self, fold: &Fold, why: &End, because: Option<&str>, kept: Option<String>) {
        let unit = fold.state.unit().id;
        let Some(planned) = fold.state.plan().iter().find(|one| one.id == unit) else { return };
        let attempts = fold.state.unit().iterations;
        let last = fold.state.unit().trees.last().and_then(|tree| self.failure_on(fold, tree));
        let cause = because.map(str::to_owned).or(last.clone()).unwrap_or_else(|| why.word().to_owned());
        let needed = match last {
            Some(_) => format!("look at it; then `- [ ] {}` again in a new loop", planned.task.name),
            None => "a person's look at it".to_owned(),
        };
        let at_ms = Clock::new().wall_ms();
        let left = self.left_behind(fold).unwrap_or_default();
        self.log(at_ms, &planned.task.name, &LogEntry::Failed { attempts, cause, needed, left, kept });
    }

    /// What the task in hand changed.
    fn left_behind(&self, fold: &Fold) -> Result<Vec<String>, Failure> {
        let unit = fold.state.unit();
        let (Some(begun), Some(last)) = (fold.begun.get(&unit.id), unit.trees.last()) else {
            return Ok(Vec::new());
        };
        let tree = |id: &gulf_engine::TreeId| TreeId::parse(id.as_str());
        let changes = self.repository.diff(&tree(begun)?, &tree(last)?)?;
        Ok(changes.iter().map(|change| change.path.to_string()).collect())
    }

    /// What went wrong in an iteration of a task, before it is settled; none where nothing did.
    pub(crate) fn error_of_attempt(&self, fold: &Fold, settlement: Settlement) -> Option<String> {
        self.agreement.list.as_ref()?;
        let otherwise = match settlement {
            Settlement::Refused { gate: Gate::Judge } => "the judge refused it",
            Settlement::Refused { .. } => "a gate refused it",
            Settlement::Rejected => "a person refused it",
            Settlement::Unclaimed => "it did not say that it is done",
            Settlement::AgentFailed => "the agent failed",
            Settlement::Research | Settlement::Asked | Settlement::Approved | Settlement::Questioned => {
                return None;
            }
            Settlement::RateLimited
            | Settlement::NeedsPerson
            | Settlement::Unjudged
            | Settlement::Declined
            | Settlement::Blocked => {
                return None;
            }
        };
        let candidate = fold.state.candidate();
        let failure = candidate.and_then(|candidate| self.failure_on(fold, &candidate.tree));
        Some(failure.unwrap_or_else(|| otherwise.to_owned()))
    }

    /// A line for an attempt that was not accepted (the seed: an error is written down, and it goes on).
    pub(crate) fn log_attempt(&self, fold: &Fold, error: String) {
        let unit = fold.state.unit();
        let Some(planned) = fold.state.plan().iter().find(|one| one.id == unit.id) else { return };
        let entry = LogEntry::Attempt { number: unit.iterations, error };
        self.log(Clock::new().wall_ms(), &planned.task.name, &entry);
    }

    fn log(&self, at_ms: u64, task: &str, entry: &LogEntry) {
        let at: String = local_second(at_ms).chars().take(MINUTE_CHARS).collect();
        let path = self.project().join(LOG);
        let Ok(before) = self.project_text(LOG) else { return };
        let before = before.unwrap_or_default();
        // What is there and cannot be read is not written over.
        if before.is_empty() && files::read_bytes(&path, TEXT_BYTES_MAX).is_ok_and(|bytes| !bytes.is_empty())
        {
            return;
        }
        if let (Some(text), false) = (with_entry(&before, &at, task, entry), path.is_symlink()) {
            let is_folder = path
                .parent()
                .is_some_and(|folder| !folder.is_symlink() && fs::create_dir_all(folder).is_ok());
            if is_folder {
                // The journal knows it all.
                let _ = own_text::write(self.project(), &path, &text);
            }
        }
    }
}
