//! One line of a shell file, as far as it is a plain assignment.
//!
//! Apart from the settings because a value is what a shell would make of its quotes, and that is all that is done with it.

use super::unevaluated;
use crate::environment::is_name;
use crate::problem::Mistake;
use crate::text::{Line, Span};

/// `NAME=value`, without quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) span: Span,
}

const AS_ASSIGNED: &str = "write the value itself, as `NAME=\"value\"`";

/// The assignment that a line is; none of a blank one and of a comment.
pub(super) fn read(line: Line<'_>) -> Result<Option<Assignment>, (Mistake, Span)> {
    let text = line.text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let span = line.span_of(text);
    let bare = text.strip_prefix("export ").map_or(text, str::trim_start);
    let Some((name, raw)) = bare.split_once('=').filter(|(name, _)| is_name(name)) else {
        // Whatever else such a file does, its settings can be told without it.
        return Err((
            Mistake::warning("this is not a line `NAME=value`, so it is ignored", AS_ASSIGNED),
            span,
        ));
    };
    let value = value(raw, name).map_err(|problem| (problem, span))?;
    Ok(Some(Assignment { name: name.to_owned(), value, span }))
}

fn needs_shell(name: &str) -> Mistake {
    let what = format!("`{name}` has a value that only a shell could evaluate, so it is ignored");
    unevaluated(name, what, AS_ASSIGNED)
}

/// The text between quotes, or up to a blank; behind it only a comment may stand.
fn value(raw: &str, name: &str) -> Result<String, Mistake> {
    let open =
        || Mistake::error(format!("the quotes of `{name}` are not closed"), "close them on the same line");
    let (text, rest) = match raw.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let (inside, rest) = raw[1..].split_once(quote).ok_or_else(open)?;
            // Nothing has a meaning between single quotes.
            let text = if quote == '"' { expanded(inside, name)? } else { inside.to_owned() };
            (text, rest)
        }
        Some(_) | None => {
            let end = raw.find([' ', '\t']).unwrap_or(raw.len());
            if raw[..end].contains([';', '|', '&', '<', '>', '(', ')', '"', '\'']) {
                return Err(needs_shell(name));
            }
            (expanded(&raw[..end], name)?, &raw[end..])
        }
    };
    let is_comment = rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#');
    if rest.trim().is_empty() || is_comment { Ok(text) } else { Err(needs_shell(name)) }
}

/// `${NAME:-value}` of the very name is its default; everything else that a shell would look up is refused.
fn expanded(text: &str, name: &str) -> Result<String, Mistake> {
    let default = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).and_then(|rest| {
        let rest = rest.strip_prefix(name)?;
        rest.strip_prefix(":-").or_else(|| rest.strip_prefix('-'))
    });
    let text = default.unwrap_or(text);
    if text.contains(['$', '`', '\\']) { Err(needs_shell(name)) } else { Ok(text.to_owned()) }
}

// Which lines of a shell file stand within an `if`, a loop, a function or a text for a program.

const OPENING: [&str; 5] = ["if", "case", "do", "{", "("];
const CLOSING: [&str; 5] = ["fi", "esac", "done", "}", ")"];

/// What is open after the lines read so far.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    depth: usize,
    /// The line that ends a text.
    text_until: Option<String>,
}

impl Blocks {
    pub(super) fn are_open(&self) -> bool {
        self.depth > 0 || self.text_until.is_some()
    }

    pub(super) fn read(&mut self, line: &str) {
        if let Some(end) = &self.text_until {
            if line.trim() == end {
                self.text_until = None;
            }
            return;
        }
        for word in unquoted_words(line) {
            if OPENING.contains(&word) {
                self.depth += 1;
            } else if CLOSING.contains(&word) {
                self.depth = self.depth.saturating_sub(1);
            }
        }
        self.text_until = text_end(line);
    }
}

/// The words outside of quotes, up to a comment; `f(){` has a brace of its own.
fn unquoted_words(line: &str) -> impl Iterator<Item = &str> {
    let separators = |character: char| character.is_whitespace() || ";&|".contains(character);
    let words = line.split(separators).filter(|word| !word.is_empty());
    let code = words.take_while(|word| !word.starts_with('#'));
    code.map(|word| if word.ends_with("){") { "{" } else { word })
}

/// `<<END`, `<<-'END'`; `<<<` is no text.
fn text_end(line: &str) -> Option<String> {
    let (before, rest) = line.split_once("<<")?;
    if rest.starts_with('<') || before.trim_start().starts_with('#') {
        return None;
    }
    let rest = rest.trim_start_matches('-').trim_start();
    let end = rest.split([' ', '\t', ';', '|', '&', '>', ')']).next().unwrap_or_default();
    let end = end.trim_matches(['"', '\'', '\\']);
    (!end.is_empty()).then(|| end.to_owned())
}
