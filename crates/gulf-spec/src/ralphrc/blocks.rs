//! Which lines of a shell file stand within an `if`, a loop, a function or a text for a program.
//!
//! Apart from the assignments because a shell's language is read here by its surface only: enough to tell that somebody
//! else than the file's reader decides whether a line counts.

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
        for word in words(line) {
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
fn words(line: &str) -> impl Iterator<Item = &str> {
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
