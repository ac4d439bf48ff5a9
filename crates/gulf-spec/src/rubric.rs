//! RUBRIC.md: front matter, `## Checks` (commands) and `## Judge criteria` (SPEC G6).
//!
//! Apart because what it takes for a command will be run: only a line `- command` at the left margin of the
//! section is one. Code blocks, comments, prose and near-miss headings are never run and never dropped in
//! silence; each is a problem with its place.

mod sections;

use std::num::NonZeroU32;

use crate::problem::{Located, Mistake, Problem, Weight, did_you_mean, keep, nearest};
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
    pub problems: Vec<Located<Mistake>>,
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
}

impl Rubric {
    /// The problems because of which something that may have been meant is not in force.
    pub fn errors(&self) -> impl Iterator<Item = &Located<Mistake>> {
        self.problems.iter().filter(|located| located.problem.weight() == Weight::Error)
    }

    fn error(&mut self, source: &Source, span: Span, what: impl Into<String>, help: impl Into<String>) {
        keep(&mut self.problems, Mistake::error(what, help), source, span);
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
        rubric.error(source, first.span, "the front matter is not closed", "close it with a line `---`");
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
        let help = "write `key: value`, or `# …` for a comment";
        return rubric.error(source, line.span_of(text), "not a line `key: value`", help);
    };
    let key = key.trim_end();
    if seen.contains(&key) {
        let what = format!("the front matter says `{key}` twice");
        return rubric.error(source, line.span_of(key), what, "keep one of them");
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
                let what = format!("`hitl_threshold` must be a whole number from 1, not `{value}`");
                rubric.error(source, line.span_of(value), what, "write for example `hitl_threshold: 5`");
            }
        },
        _ => {
            let known = "known are `model` and `hitl_threshold`".to_owned();
            let help = nearest(key, KEYS).map_or(known, |key| did_you_mean(Some(key)));
            rubric.error(source, line.span_of(key), format!("unknown key `{key}` in the front matter"), help);
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
