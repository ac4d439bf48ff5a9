//! What git said of objects: an object's id is a digest of what it holds, so an answer about ids alone stays true.
//!
//! It stands apart because nothing else may be remembered: references, indexes and worktrees are anybody's to change.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::GitError;
use super::names::{BlobId, CommitId, TreeId};
use super::objects::{Change, Entry};

/// So many answers of a kind are kept, the newest.
const ANSWERS_MAX: usize = 32;
/// A longer answer takes more memory than a call of git takes time.
const LENGTH_MAX: usize = 10_000;

/// Shared by all who look through the same opened repository.
#[derive(Debug, Clone, Default)]
pub(super) struct Remembered {
    pub(super) trees: RememberedAnswers<CommitId, TreeId>,
    pub(super) lists: RememberedAnswers<TreeId, Vec<Entry>>,
    pub(super) differences: RememberedAnswers<(TreeId, TreeId), Vec<Change>>,
    /// What of these blobs is not larger than so many bytes.
    pub(super) contents: RememberedAnswers<(Vec<BlobId>, u64), HashMap<BlobId, Vec<u8>>>,
}

/// Questions of one kind, each with its answer.
#[derive(Debug)]
pub(super) struct RememberedAnswers<Question, Answer>(Arc<Mutex<VecDeque<(Question, Answer)>>>);

impl<Question: PartialEq, Answer: Clone> RememberedAnswers<Question, Answer> {
    /// The answer, asked for where it is not known.
    pub(super) fn or_ask(
        &self,
        question: Question,
        length: impl FnOnce(&Answer) -> usize,
        ask: impl FnOnce() -> Result<Answer, GitError>,
    ) -> Result<Answer, GitError> {
        if let Some(answer) = self.known(&question) {
            return Ok(answer);
        }
        let answer = ask()?;
        if length(&answer) <= LENGTH_MAX {
            self.keep(question, answer.clone());
        }
        Ok(answer)
    }

    pub(super) fn known(&self, question: &Question) -> Option<Answer> {
        let kept = self.kept();
        kept.iter().find(|(asked, _)| asked == question).map(|(_, answer)| answer.clone())
    }

    pub(super) fn keep(&self, question: Question, answer: Answer) {
        let mut kept = self.kept();
        kept.push_back((question, answer));
        if kept.len() > ANSWERS_MAX {
            kept.pop_front();
        }
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(Question, Answer)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Question, Answer> Clone for RememberedAnswers<Question, Answer> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Question, Answer> Default for RememberedAnswers<Question, Answer> {
    fn default() -> Self {
        Self(Arc::default())
    }
}
