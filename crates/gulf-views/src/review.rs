//! What a person reviews at a milestone: what changed since they last did, and what the worker wrote down.
//!
//! The journal knows the two candidates only; whoever shows it looks up what lies between.

use crate::changed_files::{ChangedFile, listed, number, sort_by_size, total};
use crate::look::{Look, Tone};
use crate::phrase::{say, secondary};
use crate::screen::{heading, section};
use crate::text;
use serde::Serialize;

/// The smaller ones are counted.
const FILES_LISTED_MAX: usize = 10;
/// A longer entry is read in its file.
const ENTRY_LINES_MAX: usize = 10;

/// What lies between two reviews.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReviewFacts {
    /// After which iteration a person last reviewed; null where they never did, and the base is compared.
    pub since_iteration: Option<u32>,
    /// The largest change first.
    pub files: Vec<ChangedFile>,
    /// The last entry of .claude/progress.txt, a line each.
    pub last_entry: Vec<String>,
}

impl ReviewFacts {
    pub fn new(since_iteration: Option<u32>, mut files: Vec<ChangedFile>, progress: &str) -> ReviewFacts {
        sort_by_size(&mut files);
        ReviewFacts { since_iteration, files, last_entry: last_entry(progress) }
    }

    /// `+12 −3 in 4 files`
    pub(crate) fn counts(&self) -> String {
        match self.files.as_slice() {
            [] => "no file changed".to_owned(),
            files => format!("{} in {}", total(files), number(files)),
        }
    }

    fn since(&self) -> String {
        self.since_iteration.map_or_else(
            || "since the base".to_owned(),
            |iteration| format!("since your last review, after iteration {iteration}"),
        )
    }
}

/// From the last heading on, else the last paragraph.
fn last_entry(progress: &str) -> Vec<String> {
    let lines: Vec<&str> = progress.trim_end().lines().collect();
    let heads = |line: &&str| line.starts_with("## ");
    let start = lines.iter().rposition(heads).or_else(|| {
        let blank = lines.iter().rposition(|line| line.trim().is_empty());
        blank.map(|blank| blank + 1)
    });
    let entry = lines[start.unwrap_or(0)..].iter().map(|line| line.trim_end());
    entry.filter(|line| !line.is_empty()).take(ENTRY_LINES_MAX).map(text::quoted_line).collect()
}

/// Below why it rests: what changed, and what the worker wrote down.
pub(crate) fn block(review: Option<&ReviewFacts>, look: Look) -> String {
    let Some(review) = review else { return String::new() };
    let head = heading(say(review.since()).say(": ").say(review.counts()), look);
    let files = listed(&review.files, FILES_LISTED_MAX, look);
    let entry = review.last_entry.iter().map(|line| secondary("│ ").quote(Tone::Plain, line));
    head + &files + &section(say("progress.txt, its last entry"), entry, look)
}
