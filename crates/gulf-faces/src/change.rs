//! A change as every face draws it: each line with what became of it, and its words by what they are.

use std::borrow::Cow;

use gulf_views::Tone;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::markup::{PageTerms, render};
use crate::syntax::{SyntaxPiece, SyntaxReader};

const CHANGE: &str = include_str!("../templates/change.html");

/// One line of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ChangeLine<'line> {
    pub(crate) tone: Tone,
    /// `+`, `-` or a blank; nothing where the line is none of a file.
    pub(crate) sign: &'line str,
    pub(crate) pieces: Vec<SyntaxPiece<'line>>,
}

/// Goes through the lines of a change, in git's form. What was there before and what is there now are read apart: a
/// comment that only one of them has is none of the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChangeReader {
    before: SyntaxReader,
    now: SyntaxReader,
    /// How many lines of its place are to come, before and now: within them nothing is a head.
    left: [u32; 2],
}

impl ChangeReader {
    /// Of lines that all belong to this file.
    pub(crate) fn of_path(path: &str) -> ChangeReader {
        let reader = SyntaxReader::of_path(path);
        ChangeReader { before: reader, now: reader, left: [0; 2] }
    }

    pub(crate) fn read<'line>(&mut self, line: &'line str) -> ChangeLine<'line> {
        if self.left == [0, 0] {
            return self.read_head(line);
        }
        let [before, now] = &mut self.left;
        let Some((sign, text)) = line.split_at_checked(1) else {
            (*before, *now) = (before.saturating_sub(1), now.saturating_sub(1));
            return ChangeLine { tone: Tone::Plain, sign: "", pieces: Vec::new() };
        };
        let (tone, pieces) = match sign {
            "+" => {
                *now = now.saturating_sub(1);
                (Tone::Verified, self.now.pieces(text))
            }
            "-" => {
                *before = before.saturating_sub(1);
                (Tone::Failed, self.before.pieces(text))
            }
            " " => {
                (*before, *now) = (before.saturating_sub(1), now.saturating_sub(1));
                self.before.pieces(text);
                (Tone::Plain, self.now.pieces(text))
            }
            // `\ No newline at end of file`
            _ => return ChangeLine { tone: Tone::Secondary, sign: "", pieces: whole(line) },
        };
        ChangeLine { tone, sign, pieces }
    }

    fn read_head<'line>(&mut self, line: &'line str) -> ChangeLine<'line> {
        let tone = if let Some(left) = lines_of_place(line) {
            self.left = left;
            self.before.jump();
            self.now.jump();
            Tone::Literal
        } else if let Some((_, path)) =
            line.strip_prefix("diff --git ").and_then(|head| head.rsplit_once(" b/"))
        {
            *self = ChangeReader::of_path(path.trim_end_matches('"'));
            Tone::Attention
        } else {
            Tone::Secondary
        };
        ChangeLine { tone, sign: "", pieces: whole(line) }
    }
}

/// As markup.
pub(crate) fn drawn(mut reader: ChangeReader, lines: &[String], terms: PageTerms) -> Value {
    // Before it is in pieces, of which none would be the secret.
    let lines: Vec<Cow<'_, str>> = lines.iter().map(|line| (terms.mask)(line)).collect();
    let lines: Vec<ChangeLine<'_>> = lines.iter().map(|line| reader.read(line)).collect();
    Value::from_safe_string(render(CHANGE, context! { lines => Serde(&lines) }, terms))
}

fn whole(line: &str) -> Vec<SyntaxPiece<'_>> {
    vec![SyntaxPiece::plain(line)]
}

/// `@@ -3,4 +3,9 @@ fn name`: four lines before, nine now.
fn lines_of_place(line: &str) -> Option<[u32; 2]> {
    let (before, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (now, _) = rest.split_once(" @@")?;
    let lines = |range: &str| range.split_once(',').map_or(Some(1), |(_, lines)| lines.parse().ok());
    Some([lines(before)?, lines(now)?])
}
