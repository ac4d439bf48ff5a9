//! A source file of tests as a list of blocks: tests, imports, definitions and statements.
//!
//! Comparing two versions needs nothing else about a language: a new test, a new import and a new definition leave
//! the old tests what they were, anything else may not.

use std::ops::Range;

use super::{Language, SOURCE_BYTES_MAX, has_word, java, python, ruby, rust, script};

/// A part of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// What is compared: the source, for Rust without comments and blanks.
    pub(super) text: String,
    /// Where it stands.
    pub(super) bytes: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A test under the name its runner gives it, without the file.
    Test(String),
    Import,
    /// Something under a name, without effect until it is used.
    Definition(String),
    /// Anything that works by standing there.
    Statement,
}

impl Block {
    pub(super) fn test_name(&self) -> Option<&str> {
        match &self.kind {
            BlockKind::Test(name) => Some(name),
            BlockKind::Import | BlockKind::Definition(_) | BlockKind::Statement => None,
        }
    }
}

/// Which part of a file is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it: a file of tests.
    Whole,
    /// The tests within a product's source.
    InlineTests,
}

/// The blocks of a file; none if it cannot be taken apart.
pub(super) fn blocks(path: &str, source: &[u8], part: Part) -> Option<Vec<Block>> {
    if source.len() > SOURCE_BYTES_MAX {
        return None;
    }
    let text = std::str::from_utf8(source).ok()?;
    let language = Language::from_path(path)?;
    if part == Part::InlineTests && language != Language::Rust {
        return Some(Vec::new());
    }
    match language {
        Language::Rust => rust::blocks(text, part),
        Language::Python => python::blocks(text),
        Language::Script | Language::Go => script::blocks(text, language),
        Language::Java => java::blocks(text),
        Language::Ruby => ruby::blocks(text),
    }
}

/// As [`blocks`], and each loop that calls for tests as one of them: its name has `${…}` for what a row puts there.
pub(super) fn blocks_with_loops(path: &str, source: &[u8], part: Part) -> Option<Vec<Block>> {
    let mut blocks = blocks(path, source, part)?;
    let is_script = Language::from_path(path) == Some(Language::Script);
    for block in blocks.iter_mut().filter(|block| is_script && block.test_name().is_none()) {
        if let Some(title) = script::title_in_loop(&block.text) {
            block.kind = BlockKind::Test(title);
        }
    }
    Some(blocks)
}

/// The tables that a test reads: itself, or else what it names in its file.
pub(super) fn tables_of(blocks: &[Block], test: &Block) -> Vec<Range<usize>> {
    let is_named = |name: &str| {
        let name = name.rsplit("::").next().and_then(|name| name.rsplit(" > ").next()).unwrap_or(name);
        let name = name.trim_start_matches("mod ").split(' ').next().unwrap_or(name);
        !name.is_empty() && has_word(&test.text, name)
    };
    let is_table = |block: &&Block| matches!(&block.kind, BlockKind::Definition(name) if is_named(name));
    let beside = blocks.iter().filter(is_table).map(|block| block.bytes.clone());
    std::iter::once(test.bytes.clone()).chain(beside).collect()
}

/// The text of a block without what says nothing: blanks at line ends, empty lines.
pub(super) fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Does a new import take over everything an old one brought in?
pub(super) fn takes_over(new: &str, old: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words =
            text.split(|character: char| !(character.is_alphanumeric() || "_$./@*-'\"".contains(character)));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let new = words(new);
    words(old).iter().all(|word| new.contains(word))
}
