//! What lies under the ids and names that a kept git is asked for.
//!
//! It stands apart because of the form of the answers: a line for each object, and its bytes after it where those were
//! asked for.

use super::Repository;
use super::error::GitError;
use super::program::Call;
use super::verified::is_named;

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
    pub(super) fn headers(&self, ids: &[String]) -> Result<Vec<Option<ObjectHeader>>, GitError> {
        let begin = || Ok(reader(self.store.call(VERB)));
        let question = asked("info", ids);
        let answer =
            self.kept.objects.ask(&self.layout, begin, |git| git.ask(question.clone(), lines(ids)))?;
        headers_in(&answer)
    }

    /// The same of names, as the person's repository knows them.
    pub(super) fn headers_by_name(&self, names: &[String]) -> Result<Vec<Option<ObjectHeader>>, GitError> {
        self.require_work_tree(VERB)?;
        let begin = || Ok(reader(self.person_call(VERB)?.in_directory(&self.store.directory)));
        let question = asked("info", names);
        let answer =
            self.kept.names.ask(&self.layout, begin, |git| git.ask(question.clone(), lines(names)))?;
        headers_in(&answer)
    }

    /// The objects with these ids, whole.
    pub(super) fn contents(&self, ids: &[String]) -> Result<Vec<(ObjectHeader, Vec<u8>)>, GitError> {
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
pub(super) fn headers_in(answer: &[u8]) -> Result<Vec<Option<ObjectHeader>>, GitError> {
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
fn header(line: &[u8]) -> Result<Option<ObjectHeader>, GitError> {
    let text = String::from_utf8_lossy(line);
    if [" missing", " ambiguous"].iter().any(|nothing| text.ends_with(nothing)) {
        return Ok(None);
    }
    let mut columns = text.split(' ');
    match (columns.next(), columns.next(), columns.next().and_then(|bytes| bytes.parse().ok())) {
        (Some(id), Some(kind), Some(bytes)) => {
            Ok(Some(ObjectHeader { id: id.to_owned(), kind: kind.to_owned(), bytes }))
        }
        _ => Err(GitError::Answer { verb: VERB.to_owned(), answer: text.into_owned() }),
    }
}

fn name_in(line: &[u8]) -> String {
    String::from_utf8_lossy(line).split(' ').next().unwrap_or_default().to_owned()
}
