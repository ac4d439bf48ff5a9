//! What a judge is shown, as values: the person's words, and everything that the worker and the tools left.
//!
//! Apart from how it is printed because evidence is looked up here: what was never an exhibit can prove nothing.

use crate::sources::LineRange;

/// All that is known about one candidate when it is judged (SPEC G7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exhibits {
    /// The person's; an instruction.
    pub goal: String,
    /// The person's, one a line; instructions, counted from 1.
    pub criteria: Vec<String>,
    /// The sealed checks, as they ran on the candidate.
    pub checks: Vec<CheckExhibit>,
    /// Everything that the candidate changed, the loop's own texts left out.
    pub files: Vec<FileExhibit>,
    /// `.claude/gulf-align.md`, handoffs of earlier loops included; blank if there is none.
    pub alignment: String,
    /// Earlier rejections of this loop, as JUDGE_FEEDBACK.md has them; blank if there is none.
    pub rejections: String,
    /// Principles that earlier judges noted (SPEC G23), oldest first.
    pub notes: Vec<String>,
    /// Messages of the candidate's commits, oldest first.
    pub commits: Vec<String>,
    /// What the worker says of its work; blank if it says nothing.
    pub claim: String,
}

/// A sealed check and its word about the candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckExhibit {
    pub name: String,
    pub command: String,
    pub passed: bool,
    /// The last part of its output, for people.
    pub tail: String,
}

/// A path that differs between base and candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileExhibit {
    pub path: String,
    pub fate: Fate,
}

/// What became of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    Deleted,
    Written { change: Change, content: Content },
}

/// How a file came to be as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Added,
    Changed,
    Renamed { from: String },
}

/// A file as it is in the candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Text {
        text: String,
        /// Added and changed lines.
        inside: Vec<LineRange>,
    },
    /// No text: a judge sees only that it is there.
    Binary { bytes: u64 },
    /// More than the host reads: a judge sees only that it is there.
    TooLarge { bytes: u64 },
}

impl Exhibits {
    /// Changed files whose content no judge sees, in the order of the exhibits.
    pub fn unseen(&self) -> Vec<&str> {
        self.files.iter().filter(|file| file.is_unseen()).map(|file| file.path.as_str()).collect()
    }

    /// Every text in it, the person's included.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let checks = self.checks.iter().flat_map(|check| [&check.name, &check.command, &check.tail]);
        let files = self.files.iter().flat_map(FileExhibit::texts);
        let alone = [&self.goal, &self.alignment, &self.rejections, &self.claim];
        let lists = self.criteria.iter().chain(&self.notes).chain(&self.commits);
        alone.into_iter().chain(lists).chain(checks).map(String::as_str).chain(files)
    }
}

impl FileExhibit {
    /// Its text and the lines inside the change, where it has a text.
    pub(super) fn text(&self) -> Option<(&str, &[LineRange])> {
        let Fate::Written { content: Content::Text { text, inside }, .. } = &self.fate else { return None };
        Some((text, inside))
    }

    pub(super) fn is_unseen(&self) -> bool {
        self.fate != Fate::Deleted && self.text().is_none()
    }

    fn texts(&self) -> Vec<&str> {
        let mut texts = vec![self.path.as_str()];
        if let Fate::Written { change: Change::Renamed { from }, .. } = &self.fate {
            texts.push(from);
        }
        texts.extend(self.text().map(|(text, _)| text));
        texts
    }
}
