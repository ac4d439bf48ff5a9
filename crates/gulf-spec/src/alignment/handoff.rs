//! What a completed loop hands on to the next one: written here, and its heading read here (SPEC G13).
//!
//! Apart because writer and reader must agree whatever the worker wrote: no line of a handoff can be taken for a
//! heading of the alignment, or for the end of the handoff.

use crate::progress::{self, even};
use crate::text::first_lines;

/// How much of progress.txt one loop hands on; the file grows by so much with each, and is read at every start.
pub const HANDOFF_BYTES_MAX: usize = 8 * 1024;

/// A handoff to be appended to gulf-align.md: its heading, then ORIGINAL_GOAL, DECISIONS, REMAINING_GAP and
/// CONFIDENCE of a progress.txt, in the order of that file. `at_text` is the time, `2026-02-28 14:22:11`.
pub fn handoff(progress: &str, at_text: &str, iteration: u32) -> String {
    let mut body = String::new();
    for (key, lines) in progress::parse(progress).sections() {
        match key {
            "ORIGINAL_GOAL" | "CONFIDENCE" => body.push_str(&format!("{key}: {}\n", even(&lines.join(" ")))),
            "DECISIONS" | "REMAINING_GAP" => {
                let first = lines.first().copied().unwrap_or_default();
                body.push_str(format!("{key}:{first}").trim_end());
                body.push('\n');
                for line in lines.iter().skip(1).filter(|line| !line.trim().is_empty()) {
                    body.push_str(&harmless(line));
                    body.push('\n');
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

/// Time and iteration of a handoff's heading.
pub(super) fn headline(title: &str) -> Option<(String, u32)> {
    const BEGINNING: &str = "loop completed";
    let rest = title.get(BEGINNING.len()..).filter(|_| {
        title.get(..BEGINNING.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(BEGINNING))
    })?;
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
