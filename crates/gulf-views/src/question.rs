//! What the worker asks a person (SPEC B5): at a pause, in the inbox and in the report.

use crate::history::History;
use crate::look::{Look, Tone};
use crate::phrase::Phrase;
use crate::screen::item;
use crate::wording::sender;
use gulf_engine::{By, Claim, Concern, OpenQuestion, State};
use serde::Serialize;

/// A question with everything that is needed to answer it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionReport {
    /// Counted from 1 within the loop.
    pub number: u32,
    /// In which it was asked.
    pub iteration: u32,
    #[serde(flatten)]
    pub kind: QuestionKind,
    pub text: String,
    /// What the worker saw that makes it ask.
    pub evidence: Option<String>,
    /// Answers to choose from; another one is allowed.
    pub options: Vec<String>,
    /// None as long as it is open.
    pub answer: Option<String>,
    /// Who gave it, where a channel brought it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<By>,
}

/// What makes the worker ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionKind {
    #[serde(rename = "kind")]
    pub word: &'static str,
    /// What the worker does by asking.
    #[serde(skip)]
    pub present: &'static str,
    /// What it did, in an iteration that is over.
    #[serde(skip)]
    pub(crate) past: &'static str,
}

impl QuestionKind {
    /// None for a claim to be done. Of what only a person decides, the concern says more (SPEC A5).
    pub(crate) fn from_claim(claim: &Claim) -> Option<QuestionKind> {
        let concern = claim.question().and_then(|question| question.concern);
        let (word, present, past) = match (claim, concern) {
            (Claim::Done { .. } | Claim::Blocked { .. }, _) => return None,
            (Claim::Cannot(_), _) => ("cannot", "says that it cannot be done", "said that it cannot be done"),
            (Claim::Conflict(_), _) => {
                ("conflict", "says that the task contradicts itself", "found a conflict")
            }
            (Claim::NeedDecision(_), None) => ("need-decision", "needs a decision", "needed a decision"),
            (Claim::NeedDecision(_), Some(Concern::Destructive)) => {
                ("destructive", "asks before a destructive change", "asked before a destructive change")
            }
            (Claim::NeedDecision(_), Some(Concern::Architecture)) => (
                "architecture",
                "asks before a change of the architecture",
                "asked before a change of the architecture",
            ),
            (Claim::NeedDecision(_), Some(Concern::Security)) => {
                ("security", "asks for a decision about security", "asked for a decision about security")
            }
            (Claim::NeedDecision(_), Some(Concern::Unclear)) => {
                ("unclear", "asks what is meant", "asked what is meant")
            }
        };
        Some(QuestionKind { word, present, past })
    }
}

impl QuestionReport {
    /// Everything that was ever asked, the oldest first, with the name of whoever answered it.
    pub fn all(history: &History, state: &State) -> Vec<QuestionReport> {
        let signed = |one: QuestionReport| QuestionReport {
            answered_by: history.answered_by.get(&one.number).cloned(),
            ..one
        };
        state.questions.iter().filter_map(QuestionReport::new).map(signed).collect()
    }

    /// What nobody has answered.
    pub fn open(state: &State) -> Vec<QuestionReport> {
        state.open_questions().filter_map(QuestionReport::new).collect()
    }

    fn new(asked: &OpenQuestion) -> Option<QuestionReport> {
        let question = asked.claim.question()?;
        Some(QuestionReport {
            number: asked.number,
            iteration: asked.iteration,
            kind: QuestionKind::from_claim(&asked.claim)?,
            text: question.text.clone(),
            evidence: question.evidence.clone(),
            options: question.options.clone(),
            answer: asked.answer.clone(),
            answered_by: None,
        })
    }

    /// The answer, and who gave it.
    pub(crate) fn signed_answer(&self) -> Option<String> {
        self.answer.as_ref().map(|answer| format!("{answer}{}", sender(&self.answered_by)))
    }

    pub(crate) fn is_open(&self) -> bool {
        self.answer.is_none()
    }

    /// What the person types; the answer is theirs.
    pub fn command(&self) -> String {
        format!("gulf answer {} \"…\"", self.number)
    }
}

/// Number, question, evidence, options and answer, each line that follows the first indented.
pub(crate) fn block(question: &QuestionReport, look: Look) -> String {
    let tone = if question.is_open() { Tone::Attention } else { Tone::Plain };
    let mut block = Phrase::new()
        .tone(tone, format!("question {}", question.number))
        .say(format!(": in iteration {} the worker {}", question.iteration, question.kind.present))
        .paragraph(look, 2);
    for line in non_empty_lines(&question.text) {
        block.push_str(&item(Phrase::new().quote(Tone::Plain, line), look));
    }
    block.push_str(&labelled(Tone::Secondary, "it saw: ", question.evidence.as_deref(), look));
    for (index, option) in question.options.iter().enumerate() {
        block.push_str(&item(Phrase::new().quote(Tone::Plain, format!("{}. {option}", index + 1)), look));
    }
    block.push_str(&labelled(Tone::Plain, "answer: ", question.signed_answer().as_deref(), look));
    block
}

/// The lines that say something.
fn non_empty_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

fn labelled(tone: Tone, label: &str, text: Option<&str>, look: Look) -> String {
    let labels = [label].into_iter().chain(std::iter::repeat(""));
    let lines = text.into_iter().flat_map(non_empty_lines).zip(labels);
    lines.map(|(line, label)| item(Phrase::new().tone(tone, label).quote(tone, line), look)).collect()
}
