//! `.claude/gulf-align.md`: what person and worker agreed on before a loop, and what earlier loops hand on (SPEC G12,
//! G13).
//!
//! Apart because it has two authors. The sections are what was agreed on, and a question left open there stops a
//! start; a handoff is a worker's text, in which nothing counts but that it is there.

mod handoff;
mod questions;
mod reading;
mod words;

pub use handoff::{HANDOFF_BYTES_MAX, handoff};

use crate::problem::{Located, PROBLEMS_MAX, Problem, Weight};
use crate::rubric::Item;
use crate::text::{Source, Span};

/// Where it stands, relative to the project.
pub const ALIGNMENT_PATH: &str = ".claude/gulf-align.md";

/// What a gulf-align.md says, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alignment {
    /// The sections that say something, in the order of the text.
    pub sections: Vec<Section>,
    /// What stands under *Blocking questions*, answered or not.
    pub questions: Vec<AlignmentQuestion>,
    /// Commands named under *Machine checks*: offered, never run because they stand here.
    pub checks: Vec<Item>,
    /// What earlier loops left, the oldest first.
    pub handoffs: Vec<Handoff>,
    /// In the order of the text, the first [`PROBLEMS_MAX`].
    pub problems: Vec<Located<AlignmentProblem>>,
}

/// A question that should be settled before a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlignmentQuestion {
    pub text: String,
    pub standing: QuestionState,
    pub span: Span,
    /// Counts from one.
    pub line: usize,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionState {
    Open,
    /// `[x]`
    Ticked,
    /// `~~question~~`
    Withdrawn,
    /// `Answer: …`
    Answered {
        answer: String,
    },
}

/// What a loop handed on when it completed. Its text is the worker's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handoff {
    /// The time as it was written down.
    pub at: String,
    pub iteration: u32,
    pub text: String,
    /// Of its heading; counts from one.
    pub line: usize,
}

/// The four sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    Specification,
    Process,
    Evaluation,
    Gaps,
}

/// What is wrong in a gulf-align.md.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AlignmentProblem {
    #[error("the section `{}` is missing", section.heading())]
    MissingSection { section: Section },
    #[error("the section `{}` is empty", section.heading())]
    EmptySection { section: Section },
    #[error("only what earlier loops handed on stands here, and no alignment")]
    OnlyHandoffs,
    #[error("the heading `{found}` is not `{}`, so its section does not count", expected.heading())]
    NearMissHeading { found: String, expected: Section },
    #[error("it does not say whether questions are open")]
    NoQuestions,
    #[error("it names no command that checks the work")]
    NoChecks,
    #[error("no command is recognised here")]
    CheckWithoutCommand,
    #[error("a check is one line, so this one is not offered")]
    CheckContinued,
    #[error("rows of a table count as open questions, whatever stands in them")]
    QuestionTable,
    #[error("`{label}` still says what the template says")]
    Placeholder { label: String },
    #[error("this is not the heading of a handoff, so what follows is none")]
    HandoffHeading,
    #[error("the comment is not closed, so nothing after it counts")]
    CommentOpen,
    #[error("the code block is not closed, so nothing after it counts")]
    CodeBlockOpen,
}

/// The gulf-align.md that `gulf align --init` writes: four sections, explained in comments. As it stands it says nothing.
pub fn skeleton() -> String {
    include_str!("../templates/alignment-skeleton.md").to_owned()
}

/// Reads a gulf-align.md; whatever the text, there is an alignment, and problems where something does not count.
pub fn parse(source: &Source) -> Alignment {
    let mut alignment = Alignment::default();
    reading::read(source, &mut alignment);
    alignment.problems.sort_by_key(|located| located.span);
    alignment
}

impl Alignment {
    /// The questions because of which nothing should be started.
    pub fn open_questions(&self) -> impl Iterator<Item = &AlignmentQuestion> {
        self.questions.iter().filter(|question| question.standing == QuestionState::Open)
    }

    /// The problems because of which something that may have been meant, also a question, is not in force.
    pub fn errors(&self) -> impl Iterator<Item = &Located<AlignmentProblem>> {
        self.problems.iter().filter(|located| located.problem.weight() == Weight::Error)
    }

    /// All four sections say something, nothing in them is lost, and no question is open.
    pub fn is_aligned(&self) -> bool {
        self.open_questions().next().is_none()
            && !self.problems.iter().any(|located| located.problem.leaves_unaligned())
    }

    fn problem(&mut self, problem: AlignmentProblem, source: &Source, span: Span) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(Located { problem, source: source.clone(), span });
        }
    }
}

impl Section {
    /// In the order in which they are written.
    pub const ALL: [Self; 4] = [Self::Specification, Self::Process, Self::Evaluation, Self::Gaps];

    /// The heading as the skeleton has it.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Specification => "## Specification alignment",
            Self::Process => "## Process alignment",
            Self::Evaluation => "## Evaluation alignment",
            Self::Gaps => "## Gap check",
        }
    }
}

impl AlignmentProblem {
    /// Whether nobody can say that person and worker mean the same, as long as it stands so.
    pub fn leaves_unaligned(&self) -> bool {
        let of_checks = matches!(self, Self::NoChecks | Self::CheckWithoutCommand | Self::CheckContinued);
        !of_checks && !matches!(self, Self::Placeholder { .. } | Self::HandoffHeading)
    }
}

impl Problem for AlignmentProblem {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::MissingSection { section } => {
                return Some(format!("write `{}` and what you agreed on", section.heading()));
            }
            Self::EmptySection { .. } => "fill it in; what stands in a comment does not count",
            Self::OnlyHandoffs => "`gulf align --init` writes the four sections above it",
            Self::NearMissHeading { expected, .. } => {
                return Some(format!("write `{}`", expected.heading()));
            }
            Self::NoQuestions => "write `- **Blocking questions**: none`, or one question a line below it",
            Self::NoChecks => "name each command in backticks below `- **Machine checks**:`",
            Self::CheckWithoutCommand => "put the command into backticks",
            Self::CheckContinued => "join the lines with `&&`, or put them into a script",
            Self::QuestionTable => "write one question a line: `- question`, and below it `- Answer: …`",
            Self::Placeholder { .. } => "replace it by what you agreed on",
            Self::HandoffHeading => "write `## Loop completed — 2026-02-28 14:22:11 | iteration 23`",
            Self::CommentOpen => "close it with `-->`",
            Self::CodeBlockOpen => "close it with the same fence",
        };
        Some(hint.to_owned())
    }

    fn weight(&self) -> Weight {
        let is_wrong = matches!(self, Self::NearMissHeading { .. } | Self::CommentOpen | Self::CodeBlockOpen);
        if is_wrong { Weight::Error } else { Weight::Warning }
    }
}

#[cfg(test)]
mod tests;
