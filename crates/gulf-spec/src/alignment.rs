//! `.claude/gulf-align.md`: what person and worker agreed on before a loop, and what earlier loops hand on (SPEC G12,
//! G13).
//!
//! Apart because it has two authors. The sections are what was agreed on, and a question left open there stops a
//! start; a handoff is a worker's text, in which nothing counts but that it is there.

mod reading;
mod words;

use words::{answer_line, is_answer, is_nothing, split_answer};

use crate::problem::{Located, Mistake, Problem, Weight};
use crate::progress::{self, even};
use crate::rubric::Item;
use crate::text::{Line, Source, Span, first_lines};

/// Where it stands, relative to the project.
pub const ALIGNMENT_PATH: &str = ".claude/gulf-align.md";

/// What a gulf-align.md says, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alignment {
    /// The sections that say something, in the order of the text.
    pub sections: Vec<Section>,
    /// The questions under *Blocking questions* because of which nothing should be started.
    pub open_questions: Vec<Item>,
    /// Commands named under *Machine checks*: offered, never run because they stand here.
    pub checks: Vec<Item>,
    /// What earlier loops left, the oldest first.
    pub handoffs: Vec<Handoff>,
    /// In the order of the text, the first [`PROBLEMS_MAX`].
    pub problems: Vec<Located<AlignmentProblem>>,
}

/// What a loop handed on when it completed. Its text is the worker's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handoff {
    /// The time as it was written down.
    pub at: String,
    pub iteration: u32,
    pub text: String,
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum AlignmentProblem {
    #[error("the section `{}` is missing", section.heading())]
    #[diagnostic(help("write `{}` and what you agreed on", section.heading()))]
    MissingSection { section: Section },
    #[error("the section `{}` is empty", section.heading())]
    #[diagnostic(help("fill it in; what stands in a comment does not count"))]
    EmptySection { section: Section },
    #[error("only what earlier loops handed on stands here, and no alignment")]
    #[diagnostic(help("`gulf align --init` writes the four sections above it"))]
    OnlyHandoffs,
    #[error("the heading `{found}` is not `{}`, so its section does not count", expected.heading())]
    #[diagnostic(help("write `{}`", expected.heading()))]
    NearMissHeading { found: String, expected: Section },
    #[error("it does not say whether questions are open")]
    #[diagnostic(help("write `- **Blocking questions**: none`, or one question a line below it"))]
    NoQuestions,
    #[error("it names no command that checks the work")]
    #[diagnostic(help("name each command in backticks below `- **Machine checks**:`"))]
    NoChecks,
    #[error("no command is recognised here")]
    #[diagnostic(help("put the command into backticks"))]
    CheckWithoutCommand,
    #[error("a check is one line, so this one is not offered")]
    #[diagnostic(help("join the lines with `&&`, or put them into a script"))]
    CheckContinued,
    #[error("rows of a table count as open questions, whatever stands in them")]
    #[diagnostic(help("write one question a line: `- question`, and below it `- Answer: …`"))]
    QuestionTable,
    #[error("`{label}` still says what the template says")]
    #[diagnostic(help("replace it by what you agreed on"))]
    Placeholder { label: String },
    #[error("this is not the heading of a handoff, so what follows is none")]
    #[diagnostic(help("write `## Loop completed — 2026-02-28 14:22:11 | iteration 23`"))]
    HandoffHeading,
    #[error(transparent)]
    #[diagnostic(transparent)]
    Unclosed(Mistake),
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
    /// The problems because of which something that may have been meant, also a question, is not in force.
    pub fn errors(&self) -> impl Iterator<Item = &Located<AlignmentProblem>> {
        self.problems.iter().filter(|located| located.problem.weight() == Weight::Error)
    }

    /// All four sections say something, nothing in them is lost, and no question is open.
    pub fn is_aligned(&self) -> bool {
        self.open_questions.is_empty()
            && !self.problems.iter().any(|located| located.problem.leaves_unaligned())
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
    fn weight(&self) -> Weight {
        let is_wrong = matches!(self, Self::NearMissHeading { .. } | Self::Unclosed(_));
        if is_wrong { Weight::Error } else { Weight::Warning }
    }
}

// What a completed loop hands on to the next one: written here, and its heading read here (SPEC G13).

/// How much of progress.txt one loop hands on; the file grows by so much with each, and is read at every start.
pub const HANDOFF_BYTES_MAX: usize = 8 * 1024;

/// A handoff to be appended to gulf-align.md: its heading, then ORIGINAL_GOAL, DECISIONS, REMAINING_GAP and
/// CONFIDENCE of a progress.txt, in the order of that file. `at_text` is the time, `2026-02-28 14:22:11`.
pub fn handoff(progress: &str, at_text: &str, iteration: u32) -> String {
    let mut body = String::new();
    for progress::Section { key, lines } in progress::parse(progress).sections {
        match key {
            "ORIGINAL_GOAL" | "CONFIDENCE" => body.push_str(&format!("{key}: {}\n", even(&lines.join(" ")))),
            "DECISIONS" | "REMAINING_GAP" => {
                let first = lines.first().copied().unwrap_or_default();
                body.push_str(format!("{key}:{first}").trim_end());
                body.push('\n');
                for line in lines.iter().skip(1).filter(|line| !line.trim().is_empty()) {
                    body.push_str(&(harmless(line) + "\n"));
                }
            }
            _ => {}
        }
    }
    let (kept, left_out) = first_lines(&body, HANDOFF_BYTES_MAX);
    let note = match left_out {
        0 => String::new(),
        1 => "… 1 line is left out\n".to_owned(),
        more => format!("… {more} lines are left out\n"),
    };
    format!("\n## Loop completed — {} | iteration {iteration}\n\n{kept}{note}", even(at_text))
}

/// Time and iteration of a handoff's heading, from what stands behind its first words.
fn headline(rest: &str) -> Option<(String, u32)> {
    let (at, iteration) = rest.rsplit_once('|')?;
    let iteration = iteration.trim().strip_prefix("iteration ")?.trim().parse().ok()?;
    let at = at.trim().strip_prefix(['—', '–', '-'])?.trim();
    Some((at.to_owned(), iteration))
}

/// The line such that nobody takes it for a heading.
fn harmless(line: &str) -> String {
    let line = line.trim_end();
    let text = line.trim_start();
    let blanks = &line[..line.len() - text.len()];
    if text.starts_with('#') { format!("{blanks}\\{text}") } else { line.to_owned() }
}

// A question as it is read, line by line, until what became of it is known.

/// A question whose lines are still coming.
#[derive(Debug)]
struct QuestionDraft {
    asked: Item,
    /// What stands deeper belongs to it.
    depth: usize,
    ticked: bool,
    answer: Option<String>,
    /// The line before gave the answer, and this one may go on with it.
    answering: bool,
}

impl QuestionDraft {
    /// The question that a line asks; none where it says that there is nothing to ask.
    fn begin(text: &str, line: Line<'_>, depth: usize) -> Option<Self> {
        let (ticked, text) = match text.get(..3) {
            Some("[ ]") => (false, text[3..].trim()),
            Some("[x]" | "[X]") => (true, text[3..].trim()),
            Some(_) | None => (false, text.trim()),
        };
        let asked = Item { text: text.to_owned(), span: line.span, line: line.number };
        (!is_nothing(text)).then_some(Self { asked, depth, ticked, answer: None, answering: false })
    }

    /// Takes a further line: an answer, or more of the question.
    fn take(&mut self, text: &str, span: Span) {
        let asked = &mut self.asked;
        asked.span.end = asked.span.end.max(span.end);
        if let Some(answer) = answer_line(text, &asked.text) {
            self.answer = Some(answer.to_owned());
            self.answering = true;
        } else if let (true, Some(answer)) = (self.answering, self.answer.as_mut()) {
            answer.push(' ');
            answer.push_str(text);
        } else {
            asked.text.push(' ');
            asked.text.push_str(text);
        }
    }

    /// The question, unless it was ticked, withdrawn (`~~question~~`) or answered.
    fn end(self) -> Option<Item> {
        let Self { asked: Item { text, span, line }, ticked, answer, .. } = self;
        let split = split_answer(&text).filter(|(before, _)| answer.is_none() && !before.is_empty());
        let (asked, answer) = match split {
            Some((before, after)) => (before, Some(after)),
            None => (text.trim(), answer.as_deref()),
        };
        let is_withdrawn = asked.strip_prefix("~~").is_some_and(|text| text.ends_with("~~"));
        let is_answered = answer.is_some_and(|answer| is_answer(answer.trim()));
        let is_open = !ticked && !is_withdrawn && !is_answered;
        is_open.then(|| Item { text: text.trim().to_owned(), span, line })
    }
}

#[cfg(test)]
mod tests;
