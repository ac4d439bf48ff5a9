//! Files that differ between two candidates, and how much of them does.

use crate::look::{Look, Tone};
use crate::phrase::{Phrase, say};
use crate::screen::item;
use crate::text;
use serde::Serialize;

/// A file that differs from the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedFile {
    pub path: String,
    pub lines: LineChange,
    pub kind: FileKind,
}

/// How much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LineChange {
    Counted {
        added: u32,
        removed: u32,
    },
    /// It has no lines.
    Binary,
}

/// A place where a file changed: its head as git writes it, and its lines with their signs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PatchPlace {
    pub head: String,
    pub lines: Vec<String>,
}

/// What a reader expects of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// To be tested.
    Code,
    /// It tests, also where only a part of it does.
    Test,
    /// Texts, data, settings.
    Other,
}

impl ChangedFile {
    fn added_and_removed(&self) -> (u64, u64) {
        match self.lines {
            LineChange::Counted { added, removed } => (added.into(), removed.into()),
            LineChange::Binary => (0, 0),
        }
    }

    /// How many lines a person has to read.
    pub fn size(&self) -> u64 {
        let (added, removed) = self.added_and_removed();
        added + removed
    }

    /// `+120 −4`.
    pub(crate) fn counts(&self) -> String {
        match self.lines {
            LineChange::Counted { .. } => total(std::slice::from_ref(self)),
            LineChange::Binary => "binary".to_owned(),
        }
    }
}

/// `+120 −4`, of all that have lines.
pub(crate) fn total(files: &[ChangedFile]) -> String {
    let each = files.iter().map(ChangedFile::added_and_removed);
    let (added, removed) = each.fold((0, 0), |sum, file| (sum.0 + file.0, sum.1 + file.1));
    format!("+{added} −{removed}")
}

pub(crate) fn sort_by_size(files: &mut [ChangedFile]) {
    files.sort_by_key(|file| std::cmp::Reverse(file.size()));
}

/// `1 file`, `2 files`.
pub(crate) fn number(files: &[ChangedFile]) -> String {
    text::count(files.len(), "file", "files")
}

/// The first of them as lines, and how many more there are.
pub(crate) fn listed(files: &[ChangedFile], most: usize, look: Look) -> String {
    let shown = files
        .iter()
        .take(most)
        .map(|file| Phrase::new().quote(Tone::Plain, &file.path).secondary(format!("  {}", file.counts())));
    let more = files.len().checked_sub(most).filter(|more| *more > 0);
    let more = more.map(|more| say(format!("and {more} more")));
    shown.chain(more).map(|line| item(line, look)).collect()
}
