//! `.claude/memory/`, what workers of several loops keep for each other (SPEC G22): the texts it begins with, and what
//! becomes of them when a loop completes.
//!
//! Apart because it is worker's text from end to end: gulf only lays it out and files it, and decides nothing on it.

use crate::progress::even;
use crate::text::{first_lines, lines};

/// Where it lies, relative to the project.
pub const MEMORY_FOLDER: &str = ".claude/memory";

/// Its folders, relative to it.
pub const MEMORY_FOLDERS: [&str; 2] = ["decisions", "loops"];

/// The loop's own page, relative to the memory.
pub const CURRENT_PATH: &str = "loops/current.md";

/// The table of contents, relative to the memory.
pub const INDEX_PATH: &str = "INDEX.md";

/// How much of each text is filed.
pub const ARCHIVED_BYTES_MAX: usize = 64 * 1024;

/// Before this line of INDEX.md each completed loop is entered.
const ARCHIVE_END: &str = "<!-- loop-archive-end -->";

/// What stands in the memory when a loop completes.
#[derive(Debug, Clone, Copy)]
pub struct Completed<'t> {
    /// `2026-02-28 14:22:11`
    pub at_text: &'t str,
    pub iteration: u32,
    pub current: &'t str,
    pub progress: Option<&'t str>,
    pub index: &'t str,
    /// The names in `loops/`.
    pub names: &'t [String],
    /// The text of the highest-numbered archive there.
    pub newest: Option<&'t str>,
}

/// What is to be written, in this order: after a crash in between, the same call gives the same archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// Relative to the memory: `loops/loop-003.md`.
    pub path: String,
    pub text: String,
    pub index: String,
    /// The current page, empty again.
    pub current: String,
}

/// Files what a completed loop wrote.
pub fn archive(completed: &Completed<'_>) -> Archive {
    let at = even(completed.at_text);
    let newest = number_of_newest(completed.names);
    let written = |number: u32| headline(number, &at, completed.iteration);
    // A crash may have come between this file and the index.
    let is_there = completed.newest.is_some_and(|text| text.lines().next() == Some(&written(newest)));
    let number = if is_there { newest } else { newest.saturating_add(1) };
    let text = match completed.newest.filter(|_| is_there) {
        Some(text) => text.to_owned(),
        None => page(&written(number), completed),
    };
    let index = indexed(completed.index, number, &at, completed.iteration);
    Archive { path: format!("loops/{}", name(number)), text, index, current: CURRENT.to_owned() }
}

/// The highest number of an archive, and at least how many there are: a person may have removed some.
fn number_of_newest(names: &[String]) -> u32 {
    let numbers = names.iter().filter_map(|name| {
        name.strip_prefix("loop-")?.strip_suffix(".md").map(|number| number.parse().unwrap_or(0))
    });
    let (count, highest) = numbers
        .fold((0_u32, 0_u32), |(count, highest), number| (count.saturating_add(1), highest.max(number)));
    count.max(highest)
}

fn name(number: u32) -> String {
    format!("loop-{number:03}.md")
}

fn headline(number: u32, at: &str, iteration: u32) -> String {
    format!("# Loop {number:03} — completed {at} (iteration {iteration})")
}

fn page(headline: &str, completed: &Completed<'_>) -> String {
    let mut text = format!("{headline}\n\n{}", filed(completed.current));
    if let Some(progress) = completed.progress {
        text.push_str(&format!("\n## progress.txt snapshot\n\n{}", filed(progress)));
    }
    text
}

/// A text as it is filed: not longer than the limit, and with an end of its last line.
fn filed(text: &str) -> String {
    let (kept, left_out) = first_lines(text.trim_end(), ARCHIVED_BYTES_MAX);
    match left_out {
        0 => format!("{kept}\n"),
        lines => format!("{kept}… lines left out: {lines}\n"),
    }
}

/// INDEX.md with an entry for this loop, once.
fn indexed(index: &str, number: u32, at: &str, iteration: u32) -> String {
    let link = format!("[Loop {number:03}](loops/{})", name(number));
    if index.contains(&link) {
        return index.to_owned();
    }
    let day = at.split(' ').next().unwrap_or_default();
    let entry = format!("- {link} — {day} (iter {iteration})\n");
    if let Some(end) = lines(index).filter(|line| line.text.trim() == ARCHIVE_END).last() {
        let (before, after) = index.split_at(end.span.start);
        return format!("{before}{entry}{after}");
    }
    // Whoever took the mark away still wants to find the loop.
    let gap = if index.is_empty() || index.ends_with('\n') { "" } else { "\n" };
    format!("{index}{gap}\n## Loop archive\n\n{entry}{ARCHIVE_END}\n")
}

// The texts a memory begins with.

const CURRENT: &str = include_str!("../templates/memory/current.md");

/// All texts of a new memory, by their paths in it; one that is there already is left as it is.
pub const SCAFFOLD: [(&str, &str); 5] = [
    (INDEX_PATH, include_str!("../templates/memory/index.md")),
    ("spec.md", include_str!("../templates/memory/spec.md")),
    ("map.md", include_str!("../templates/memory/map.md")),
    ("constraints.md", include_str!("../templates/memory/constraints.md")),
    (CURRENT_PATH, CURRENT),
];

/// Whether a `loops/current.md` still says nothing: a loop that ends so leaves no memory.
pub fn is_untouched(current: &str) -> bool {
    let current = even(current.trim_start_matches('\u{feff}'));
    current.is_empty() || current == even(CURRENT)
}

#[cfg(test)]
mod tests;
