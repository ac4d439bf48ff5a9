//! What a program said, under the line of its event: the worker's last words, the end of a failing check's output.
//!
//! These are others' words: marked as such, bounded, and unable to move the cursor.

use crate::look::Look;
use crate::phrase::secondary;
use crate::text;

/// How many lines of one text are shown.
const LINES_MAX: usize = 6;

/// Stands before each line, as wide as the clock of the log's lines.
const MARGIN: &str = "    │ ";

/// The text's last lines that say something, each cut to fit and none with a line end.
pub fn excerpt(words: &str, look: Look) -> Vec<String> {
    let lines = text::spoken_lines(words);
    let unseen = lines.len().saturating_sub(LINES_MAX);
    // A line that says how much is missing takes the place of one that could be shown.
    let first = if unseen > 0 { unseen + 1 } else { 0 };
    let missing = (first > 0).then(|| {
        let told = format!("… {} before", text::count(first, "line", "lines"));
        look.language.tell(&told).into_owned()
    });
    let shown = missing.into_iter().chain(lines[first..].iter().map(|line| text::quoted_line(line)));
    let shown = shown.map(|line| secondary(MARGIN).say(line).fit(look.columns()).render(look.palette));
    shown.collect()
}
