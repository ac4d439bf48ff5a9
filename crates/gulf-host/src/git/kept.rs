//! Git programs that are asked again and again: kept until the repository is closed, instead of started for each question.
//!
//! They stand apart because what one of them knows grows old. Each reads references and finds new objects whenever it is
//! asked, but its settings, the packs it has open and the objects it borrows are those of its beginning: one that began
//! before any of these changed is not asked again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Layout;
use super::conversation::Conversation;
use super::error::GitError;
use super::file_stamp::FileStamp;
use super::program::Call;
use crate::birthmark::Birthmark;

/// Threads ask at the same time, each another one; more of them are not kept.
const KEPT_MAX: usize = 4;
/// None of them holds anything between two questions.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shared by all who look through the same opened repository.
#[derive(Debug, Clone, Default)]
pub(super) struct KeptPrograms {
    /// Reads objects.
    pub(super) objects: IdlePrograms,
    /// Finds commits by the person's names.
    pub(super) names: IdlePrograms,
    /// Moves gulf's references.
    pub(super) references: IdlePrograms,
    /// Writes commits.
    pub(super) commits: IdlePrograms,
}

/// Programs of one kind.
#[derive(Debug, Clone, Default)]
pub(super) struct IdlePrograms(Arc<Mutex<Vec<Lent>>>);

/// A program, and the foundation on which it began.
#[derive(Debug)]
pub(super) struct Lent {
    foundation: Foundation,
    pub(super) program: Conversation,
}

/// What a running git does not look at again.
#[derive(Debug, PartialEq, Eq)]
struct Foundation {
    objects: Option<Birthmark>,
    files: [Option<FileStamp>; 4],
}

impl Foundation {
    fn of(layout: &Layout) -> Self {
        let Layout { common_dir: common, git_dir, .. } = layout;
        let packs_and_settings = [
            common.join("objects/pack"),
            common.join("objects/info/alternates"),
            common.join("config"),
            git_dir.join("config.worktree"),
        ];
        Self {
            objects: Birthmark::of(&common.join("objects")).ok(),
            files: packs_and_settings.map(|path| FileStamp::of(&path)),
        }
    }
}

impl IdlePrograms {
    /// Asks a kept program, or a new one where that has no word: it may have died in between.
    pub(super) fn ask<Answer>(
        &self,
        layout: &Layout,
        begin: impl FnOnce() -> Result<Call, GitError>,
        question: impl Fn(&mut Conversation) -> Result<Answer, GitError>,
    ) -> Result<Answer, GitError> {
        let (answer, lent) = self.lend(layout, begin, question)?;
        self.keep(lent);
        Ok(answer)
    }

    /// A program that answered this question and is to be asked more: kept again by the caller.
    pub(super) fn lend<Answer>(
        &self,
        layout: &Layout,
        begin: impl FnOnce() -> Result<Call, GitError>,
        question: impl Fn(&mut Conversation) -> Result<Answer, GitError>,
    ) -> Result<(Answer, Lent), GitError> {
        let foundation = Foundation::of(layout);
        if let Some(mut lent) = self.take(&foundation)
            && let Ok(answer) = question(&mut lent.program)
        {
            return Ok((answer, lent));
        }
        let mut program = begin()?.converse(PATIENCE)?;
        let answer = question(&mut program)?;
        Ok((answer, Lent { foundation, program }))
    }

    pub(super) fn keep(&self, lent: Lent) {
        let mut kept = self.kept();
        if kept.len() < KEPT_MAX {
            kept.push(lent);
        }
    }

    #[cfg(test)]
    pub(super) fn ids(&self) -> Vec<u32> {
        self.kept().iter().map(|lent| lent.program.child.id()).collect()
    }

    fn take(&self, foundation: &Foundation) -> Option<Lent> {
        let mut kept = self.kept();
        kept.retain(|lent| lent.foundation == *foundation);
        kept.pop()
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Lent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
