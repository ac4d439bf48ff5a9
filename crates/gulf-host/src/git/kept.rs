//! Git programs that are asked again and again: kept until the repository is closed, instead of started for each question.
//!
//! What one of them knows grows old. Each reads references and finds new objects whenever it is asked, but its
//! settings, the packs it has open and the objects it borrows are those of its beginning: one that began before any
//! of these changed is not asked again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::error::{GitError, Result};
use super::names::{BlobId, CommitId, TreeId};
use super::objects::{Change, Entry, is_named};
use super::program::{Call, Conversation};
use super::worktree_view::FileStamp;
use super::{Layout, Repository};
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
    fn new(layout: &Layout) -> Self {
        let Layout { common_dir: common, git_dir, .. } = layout;
        let packs_and_settings = [
            common.join("objects/pack"),
            common.join("objects/info/alternates"),
            common.join("config"),
            git_dir.join("config.worktree"),
        ];
        Self {
            objects: Birthmark::read(&common.join("objects")).ok(),
            files: packs_and_settings.map(|path| FileStamp::read(&path)),
        }
    }
}

impl IdlePrograms {
    /// Asks a kept program, or a new one where that has no word: it may have died in between.
    pub(super) fn ask<Answer>(
        &self,
        layout: &Layout,
        begin: impl FnOnce() -> Result<Call>,
        question: impl Fn(&mut Conversation) -> Result<Answer>,
    ) -> Result<Answer> {
        let (answer, lent) = self.lend(layout, begin, question)?;
        self.keep(lent);
        Ok(answer)
    }

    /// A program that answered this question and is to be asked more: kept again by the caller.
    pub(super) fn lend<Answer>(
        &self,
        layout: &Layout,
        begin: impl FnOnce() -> Result<Call>,
        question: impl Fn(&mut Conversation) -> Result<Answer>,
    ) -> Result<(Answer, Lent)> {
        let foundation = Foundation::new(layout);
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

// What lies under the ids and names that a kept git is asked for.

const VERB: &str = "cat-file";

/// One object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ObjectHeader {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) bytes: usize,
}

impl Repository {
    /// What each of these stands for, an id or what is said with one; none where nothing is there.
    pub(super) fn headers(&self, ids: &[String]) -> Result<Vec<Option<ObjectHeader>>> {
        let begin = || Ok(reader(self.store.call(VERB)));
        let question = asked("info", ids);
        let answer =
            self.kept.objects.ask(&self.layout, begin, |git| git.ask(question.clone(), lines(ids)))?;
        headers_in(&answer)
    }

    /// The same of names, as the person's repository knows them.
    pub(super) fn headers_by_name(&self, names: &[String]) -> Result<Vec<Option<ObjectHeader>>> {
        self.require_work_tree(VERB)?;
        let begin = || Ok(reader(self.person_call(VERB)?.in_directory(&self.store.directory)));
        let question = asked("info", names);
        let answer =
            self.kept.names.ask(&self.layout, begin, |git| git.ask(question.clone(), lines(names)))?;
        headers_in(&answer)
    }

    /// The objects with these ids, whole.
    pub(super) fn contents(&self, ids: &[String]) -> Result<Vec<(ObjectHeader, Vec<u8>)>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let begin = || Ok(reader(self.store.call(VERB)));
        let question = asked("contents", ids);
        let answer = self.kept.objects.ask(&self.layout, begin, |git| {
            let (mut at, mut left) = (0, ids.len());
            git.ask(question.clone(), |answer| {
                while let Some(end) = end_of_object(&answer[at..]).filter(|_| left > 0) {
                    (at, left) = (at + end, left - 1);
                }
                left == 0
            })
        })?;
        let (mut objects, mut rest) = (Vec::new(), answer.as_slice());
        while let (Some(end), Some(line)) = (end_of_object(rest), answer_lines(rest).next()) {
            let missing = || GitError::ObjectMissing { id: name_in(line) };
            let header = header(line)?.ok_or_else(missing)?;
            let bytes = &rest[line.len() + 1..end - 1];
            if !is_named(&header.id, &header.kind, bytes, self.layout.object_format) {
                return Err(GitError::ObjectForged { kind: header.kind, id: header.id });
            }
            objects.push((header, bytes.to_vec()));
            rest = &rest[end..];
        }
        Ok(objects)
    }
}

/// One for each line.
pub(super) fn headers_in(answer: &[u8]) -> Result<Vec<Option<ObjectHeader>>> {
    answer_lines(answer).map(header).collect()
}

/// Many objects are written at once, not one by one.
fn reader(call: Call) -> Call {
    call.args(["--batch-command", "--buffer"])
}

fn asked(verb: &str, names: &[String]) -> Vec<u8> {
    // A name of two lines would be two questions; with a blank in it, it is nothing's.
    let each = names.iter().map(|name| format!("{verb} {}\n", name.replace('\n', " ")));
    each.chain(["flush\n".to_owned()]).collect::<String>().into_bytes()
}

/// Are there as many lines as were asked for?
fn lines(names: &[String]) -> impl FnMut(&[u8]) -> bool {
    let (mut at, mut left) = (0, names.len());
    move |answer| {
        left = left.saturating_sub(answer[at..].iter().filter(|byte| **byte == b'\n').count());
        at = answer.len();
        left == 0
    }
}

fn answer_lines(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split_inclusive(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// Behind the first object of an answer; none where that is not whole.
fn end_of_object(answer: &[u8]) -> Option<usize> {
    let line = answer.iter().position(|byte| *byte == b'\n')?;
    let end = match header(&answer[..line]) {
        Ok(Some(header)) => line + 1 + header.bytes + 1,
        Ok(None) | Err(_) => line + 1,
    };
    (end <= answer.len()).then_some(end)
}

/// `<id> <kind> <bytes>`, or `<name> missing`
fn header(line: &[u8]) -> Result<Option<ObjectHeader>> {
    let text = String::from_utf8_lossy(line);
    if [" missing", " ambiguous"].iter().any(|nothing| text.ends_with(nothing)) {
        return Ok(None);
    }
    let mut columns = text.split(' ');
    match (columns.next(), columns.next(), columns.next().and_then(|bytes| bytes.parse().ok())) {
        (Some(id), Some(kind), Some(bytes)) => {
            Ok(Some(ObjectHeader { id: id.to_owned(), kind: kind.to_owned(), bytes }))
        }
        _ => Err(GitError::answer(VERB, text.as_bytes())),
    }
}

fn name_in(line: &[u8]) -> String {
    String::from_utf8_lossy(line).split(' ').next().unwrap_or_default().to_owned()
}

// What git said of objects: an object's id is a digest of what it holds, so an answer about ids alone stays true.

/// So many answers of a kind are kept, the newest.
const ANSWERS_MAX: usize = 32;
/// A longer answer takes more memory than a call of git takes time.
const LENGTH_MAX: usize = 10_000;

/// Shared by all who look through the same opened repository.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    pub(super) trees: RememberedAnswers<CommitId, TreeId>,
    pub(super) lists: RememberedAnswers<TreeId, Vec<Entry>>,
    pub(super) differences: RememberedAnswers<(TreeId, TreeId), Vec<Change>>,
    /// What of these blobs is not larger than so many bytes.
    pub(super) contents: RememberedAnswers<(Vec<BlobId>, u64), HashMap<BlobId, Vec<u8>>>,
}

/// Questions of one kind, each with its answer.
#[derive(Debug)]
pub(super) struct RememberedAnswers<Question, Answer>(Mutex<VecDeque<(Question, Answer)>>);

impl<Question: PartialEq, Answer: Clone> RememberedAnswers<Question, Answer> {
    /// The answer, asked for where it is not known.
    pub(super) fn or_ask(
        &self,
        question: Question,
        length: impl FnOnce(&Answer) -> usize,
        ask: impl FnOnce() -> Result<Answer>,
    ) -> Result<Answer> {
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

impl<Question, Answer> Default for RememberedAnswers<Question, Answer> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}
