//! RUBRIC.md: front matter, `## Checks` (commands) and `## Judge criteria` (SPEC G6).
//!
//! Apart because what it takes for a command will be run: only a line `- command` at the left margin of the
//! section is one. Code blocks, comments, prose and near-miss headings are never run and never dropped in
//! silence; each is a problem with its place.

mod sections;

use std::num::NonZeroU32;

use crate::problem::{Located, Problem, Weight, did_you_mean, keep, nearest};
use crate::text::{Line, Source, Span, lines};

/// What a RUBRIC.md says, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rubric {
    /// The judge's model.
    pub model: Option<Item>,
    pub hitl_threshold: Option<NonZeroU32>,
    /// Shell commands, one a line.
    pub checks: Vec<Item>,
    /// Natural-language requirements; those in comments do not count.
    pub criteria: Vec<Item>,
    /// In the order of the text, the first [`PROBLEMS_MAX`] of each weight. A start should be refused where one of them weighs as an error.
    pub problems: Vec<Located<RubricProblem>>,
}

/// One text of the file and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub text: String,
    pub span: Span,
    /// Counts from one.
    pub line: usize,
}

/// The two sections that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Checks,
    Criteria,
}

/// What is wrong in a RUBRIC.md.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum RubricProblem {
    #[error("the front matter is not closed")]
    #[diagnostic(help("close it with a line `---`"))]
    FrontMatterOpen,
    #[error("unknown key `{key}` in the front matter")]
    #[diagnostic(help("{}", suggestion.map_or("known are `model` and `hitl_threshold`".to_owned(), |key| did_you_mean(Some(key)))))]
    UnknownKey { key: String, suggestion: Option<&'static str> },
    #[error("the front matter says `{key}` twice")]
    #[diagnostic(help("keep one of them"))]
    DuplicateKey { key: String },
    #[error("not a line `key: value`")]
    #[diagnostic(help("write `key: value`, or `# …` for a comment"))]
    NoKey,
    #[error("`hitl_threshold` must be a whole number from 1, not `{found}`")]
    #[diagnostic(help("write for example `hitl_threshold: 5`"))]
    WrongThreshold { found: String },
    #[error("the heading `{found}` is not `{}`, so its section does not count", expected.heading())]
    #[diagnostic(help("write `{}`", expected.heading()))]
    NearMissHeading { found: String, expected: Section },
    #[error("the comment is not closed, so nothing after it counts")]
    #[diagnostic(help("close it with `-->`"))]
    CommentOpen,
    #[error("the code block is not closed, so nothing after it counts")]
    #[diagnostic(help("close it with the same fence"))]
    CodeBlockOpen,
    #[error("a code block in `{}` does not count", section.heading())]
    #[diagnostic(help("write each {} as a line `- {}`", section.item_noun(), section.item_noun()))]
    CodeBlock { section: Section },
    #[error("this does not count: {} begins with `- ` at the left margin", section.item())]
    #[diagnostic(help("begin the line with `- `"))]
    OtherBullet { section: Section },
    #[error("a checkbox is not a command")]
    #[diagnostic(help("write `- command` without the box"))]
    TaskBox,
    #[error("a check is one line, so this line does not count")]
    #[diagnostic(help("join the lines with `&&`, or put them into a script"))]
    CheckContinued,
    #[error("an empty item")]
    #[diagnostic(help("remove it, or write what it should say"))]
    EmptyItem,
    #[error("this looks like a sentence, and will be run as a command")]
    #[diagnostic(help("move it to `## Judge criteria`, or write the command alone"))]
    ProseCheck,
}

/// Reads a RUBRIC.md; whatever the text, there is a rubric, and problems where something does not count.
pub fn parse(source: &Source) -> Rubric {
    let mut rubric = Rubric::default();
    let body = read(source, &mut rubric);
    sections::read(source, body, &mut rubric);
    rubric.problems.sort_by_key(|located| located.span);
    rubric
}

impl Section {
    /// The heading as it must be written, whatever the case.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Checks => "## Checks",
            Self::Criteria => "## Judge criteria",
        }
    }

    /// What stands on one line of it.
    fn item_noun(self) -> &'static str {
        match self {
            Self::Checks => "command",
            Self::Criteria => "criterion",
        }
    }

    fn item(self) -> &'static str {
        match self {
            Self::Checks => "a check",
            Self::Criteria => "a criterion",
        }
    }
}

impl Rubric {
    /// The problems because of which something that may have been meant is not in force.
    pub fn errors(&self) -> impl Iterator<Item = &Located<RubricProblem>> {
        self.problems.iter().filter(|located| located.problem.weight() == Weight::Error)
    }

    fn problem(&mut self, problem: RubricProblem, source: &Source, span: Span) {
        keep(&mut self.problems, problem, source, span);
    }
}

impl Problem for RubricProblem {
    fn weight(&self) -> Weight {
        let is_criteria = matches!(self, Self::CodeBlock { section: Section::Criteria });
        let warns = is_criteria || matches!(self, Self::EmptyItem | Self::ProseCheck);
        if warns { Weight::Warning } else { Weight::Error }
    }
}

// The front matter of RUBRIC.md: `key: value` between two lines `---`, with `#` comments.

const KEYS: [&str; 2] = ["model", "hitl_threshold"];

/// Reads the front matter and says at which line (counted from one) the body begins.
fn read(source: &Source, rubric: &mut Rubric) -> usize {
    let mut lines = lines(source.text());
    let Some(first) = lines.next().filter(|line| line.text.trim_end() == "---") else {
        return 1;
    };
    let inside: Vec<_> = lines.by_ref().take_while(|line| line.text.trim_end() != "---").collect();
    let closed_at = inside.len() + 2;
    if source.text().lines().count() < closed_at {
        rubric.problem(RubricProblem::FrontMatterOpen, source, first.span);
        return 2;
    }
    let mut seen = Vec::new();
    for line in inside {
        entry(source, line, &mut seen, rubric);
    }
    closed_at + 1
}

fn entry<'t>(source: &Source, line: Line<'t>, seen: &mut Vec<&'t str>, rubric: &mut Rubric) {
    let text = line.text.trim();
    if text.is_empty() || text.starts_with('#') {
        return;
    }
    let Some((key, value)) = text.split_once(':') else {
        return rubric.problem(RubricProblem::NoKey, source, line.span_of(text));
    };
    let key = key.trim_end();
    if seen.contains(&key) {
        let problem = RubricProblem::DuplicateKey { key: key.to_owned() };
        return rubric.problem(problem, source, line.span_of(key));
    }
    if KEYS.contains(&key) {
        seen.push(key);
    }
    let value = unquoted(value);
    match key {
        "model" if value.is_empty() => {}
        "model" => {
            let item = Item { text: value.to_owned(), span: line.span_of(value), line: line.number };
            rubric.model = Some(item);
        }
        "hitl_threshold" => match value.parse() {
            Ok(threshold) => rubric.hitl_threshold = Some(threshold),
            Err(_) => {
                let problem = RubricProblem::WrongThreshold { found: value.to_owned() };
                rubric.problem(problem, source, line.span_of(value));
            }
        },
        _ => {
            let problem = RubricProblem::UnknownKey { key: key.to_owned(), suggestion: nearest(key, KEYS) };
            rubric.problem(problem, source, line.span_of(key));
        }
    }
}

/// The value without quotes, or without its ` # comment`.
pub(crate) fn unquoted(value: &str) -> &str {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some((inner, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inner;
        }
    }
    if value.starts_with('#') {
        return "";
    }
    value.split_once(" #").map_or(value, |(before, _)| before.trim_end())
}

#[cfg(test)]
mod tests;
