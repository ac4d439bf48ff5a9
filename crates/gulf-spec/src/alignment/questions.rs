//! A question as it is read, line by line, until what became of it is known.
//!
//! Apart from the pass over the lines because only the last of its lines says whether it is answered.

use super::words::{answer_line, is_answer, is_nothing, split_answer};
use super::{AlignmentQuestion, QuestionState};
use crate::text::Span;

/// A question whose lines are still coming.
#[derive(Debug)]
pub(super) struct QuestionDraft {
    text: String,
    span: Span,
    line: usize,
    /// What stands deeper belongs to it.
    pub(super) depth: usize,
    ticked: bool,
    answer: Option<String>,
    /// The line before gave the answer, and this one may go on with it.
    answering: bool,
}

/// Where a piece of a question stands.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) span: Span,
    pub(super) line: usize,
    pub(super) depth: usize,
}

impl QuestionDraft {
    /// The question that a line asks; none where it says that there is nothing to ask.
    pub(super) fn begin(text: &str, at: At) -> Option<Self> {
        let (ticked, text) = match text.get(..3) {
            Some("[ ]") => (false, text[3..].trim()),
            Some("[x]" | "[X]") => (true, text[3..].trim()),
            Some(_) | None => (false, text.trim()),
        };
        let At { span, line, depth } = at;
        let text = text.to_owned();
        (!is_nothing(&text)).then_some(Self {
            text,
            span,
            line,
            depth,
            ticked,
            answer: None,
            answering: false,
        })
    }

    /// Takes a further line: an answer, or more of the question.
    pub(super) fn take(&mut self, text: &str, span: Span) {
        self.span.end = self.span.end.max(span.end);
        if let Some(answer) = answer_line(text, &self.text) {
            self.answer = Some(answer.to_owned());
            self.answering = true;
        } else if let (true, Some(answer)) = (self.answering, self.answer.as_mut()) {
            answer.push(' ');
            answer.push_str(text);
        } else {
            self.text.push(' ');
            self.text.push_str(text);
        }
    }

    /// What it comes to.
    pub(super) fn end(self) -> AlignmentQuestion {
        let Self { text, span, line, ticked, mut answer, .. } = self;
        let mut asked = text.trim().to_owned();
        if answer.is_none()
            && let Some((before, after)) = split_answer(&text)
            && !before.is_empty()
        {
            answer = Some(after.to_owned());
            asked = before.to_owned();
        }
        let answer = answer.map(|answer| answer.trim().to_owned()).filter(|answer| is_answer(answer));
        let struck = asked.strip_prefix("~~").and_then(|text| text.strip_suffix("~~")).map(str::to_owned);
        let (text, standing) = match (ticked, struck, answer) {
            (true, _, _) => (asked, QuestionState::Ticked),
            (false, Some(struck), _) => (struck, QuestionState::Withdrawn),
            (false, None, Some(answer)) => (asked, QuestionState::Answered { answer }),
            (false, None, None) => (text.trim().to_owned(), QuestionState::Open),
        };
        AlignmentQuestion { text, standing, span, line }
    }
}
