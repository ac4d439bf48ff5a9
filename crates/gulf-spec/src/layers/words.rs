//! The words by which a text has to do with a piece of work.
//!
//! Apart from the choice because no model is asked: two words are the same, or one begins with the other, and everybody
//! can see which.

use std::collections::BTreeSet;

use crate::markdown::{MarkdownBlock, fence, heading};
use crate::text::lines;

/// Words that say nothing about what a text is about.
const COMMON: [&str; 60] = [
    "the", "and", "for", "with", "from", "into", "onto", "that", "this", "these", "those", "when", "where",
    "which", "what", "then", "than", "not", "are", "was", "has", "have", "can", "must", "should", "will",
    "all", "any", "each", "every", "new", "add", "make", "use", "used", "using", "get", "set", "let", "its",
    "out", "also", "only", "task", "tasks", "file", "files", "spec", "specs", "implement", "create",
    "update", "write", "project", "code", "work", "done", "you", "your", "overview",
];

/// Words of building and testing.
const BUILDING: [&str; 18] = [
    "build", "builds", "building", "compile", "compiles", "test", "tests", "testing", "deploy", "install",
    "setup", "release", "package", "lint", "빌드", "테스트", "설치", "배포",
];

/// Shorter words only fit as a whole; letters of other scripts say more.
const STEM_ASCII_MIN: usize = 4;
const STEM_OTHER_MIN: usize = 2;

/// The words of the work in hand.
pub(super) struct Heard(BTreeSet<String>);

impl Heard {
    pub(super) fn new(work: &str) -> Self {
        Self(words_of(work))
    }

    /// The word by which the work is about building or testing.
    pub(super) fn building(&self) -> Option<&str> {
        let is_building = |word: &&String| BUILDING.iter().any(|one| is_stem(one, word) || one == word);
        self.0.iter().find(is_building).map(String::as_str)
    }

    /// Those that it has in common with these, as they stand there.
    pub(super) fn common(&self, words: &BTreeSet<String>) -> Vec<String> {
        let is_common = |word: &&String| {
            self.0.iter().any(|own| own == *word || is_stem(own, word) || is_stem(word, own))
        };
        words.iter().filter(is_common).cloned().collect()
    }
}

/// Is this the beginning of that: `auth` of `authentication`, `로그인` of `로그인을`?
fn is_stem(stem: &str, word: &str) -> bool {
    let min = if stem.is_ascii() { STEM_ASCII_MIN } else { STEM_OTHER_MIN };
    stem.chars().count() >= min && word.starts_with(stem)
}

/// The telling words of a text, in small letters.
pub(super) fn words_of(text: &str) -> BTreeSet<String> {
    let split = text.split(|character: char| !character.is_alphanumeric());
    let words = split.map(str::to_lowercase);
    let is_telling = |word: &String| {
        let min = if word.is_ascii() { 3 } else { 2 };
        word.chars().count() >= min && !COMMON.contains(&word.as_str())
    };
    words.filter(is_telling).collect()
}

/// The telling words of a text's headings.
pub(super) fn headings(text: &str) -> BTreeSet<String> {
    let mut block = MarkdownBlock::Plain;
    let mut words = BTreeSet::new();
    for line in lines(text) {
        match block {
            MarkdownBlock::Comment { .. } | MarkdownBlock::Code { .. } => block = block.after(line.text),
            MarkdownBlock::Plain => {
                if let Some((fence, length)) = fence(line.text.trim()) {
                    block = MarkdownBlock::Code { opened: line.span, fence, length };
                } else if let Some(heading) = heading(line.text) {
                    words.extend(words_of(heading.title));
                }
            }
        }
    }
    words
}

/// Does a text name this path, as a word of its own?
pub(super) fn names(text: &str, path: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "/._-".contains(character);
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let after = text[at + path.len()..].trim_start_matches('.').starts_with(is_part);
        !before && !after
    })
}
