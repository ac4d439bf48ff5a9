//! Where the front matter of a state file ends and its prompt begins.
//!
//! Apart from the keys because this alone decides which bytes are the prompt, and none of them may be lost.

use super::MarkerProblem;
use crate::text::{Line, lines};

/// A state file, taken apart.
#[derive(Debug)]
pub(super) struct Parts<'t> {
    /// Between the two fences.
    pub(super) lines: Vec<Line<'t>>,
    /// All below the second fence but the line ending that closes the file.
    pub(super) prompt: &'t str,
}

/// Takes a state file apart. Blank lines and a byte order mark may stand before the first fence.
pub(super) fn split(text: &str) -> Result<Parts<'_>, MarkerProblem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = lines(text).skip_while(|line| line.text.trim().is_empty());
    if !lines.next().is_some_and(is_fence) {
        return Err(MarkerProblem::NoFrontMatter);
    }
    let mut inside = Vec::new();
    for line in lines {
        if is_fence(line) {
            let below = &text[line.span.end..];
            let (ending, below) = match below.strip_prefix("\r\n") {
                Some(below) => ("\r\n", below),
                None => ("\n", below.strip_prefix('\n').unwrap_or(below)),
            };
            return Ok(Parts { lines: inside, prompt: below.strip_suffix(ending).unwrap_or(below) });
        }
        inside.push(line);
    }
    Err(MarkerProblem::Unterminated)
}

impl<'t> Parts<'t> {
    /// The prompt without the empty line that ralph-loop writes above it.
    pub(super) fn without_leading_line(&self) -> &'t str {
        let prompt = self.prompt;
        prompt.strip_prefix("\r\n").or_else(|| prompt.strip_prefix('\n')).unwrap_or(prompt)
    }
}

fn is_fence(line: Line<'_>) -> bool {
    line.text.trim_end() == "---"
}
