//! The front matter of RUBRIC.md: `key: value` between two lines `---`, with `#` comments.
//!
//! Apart from the sections because it follows YAML's rules and not Markdown's, of which it needs two keys.

use super::{Item, Rubric, RubricProblem};
use crate::problem::nearest;
use crate::text::{Line, Source, lines};

const KEYS: [&str; 2] = ["model", "hitl_threshold"];

/// Reads the front matter and says at which line (counted from one) the body begins.
pub(super) fn read(source: &Source, rubric: &mut Rubric) -> usize {
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
        return rubric.problem(
            RubricProblem::DuplicateKey { key: key.to_owned() },
            source,
            line.span_of(key),
        );
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
