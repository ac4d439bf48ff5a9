//! What a candidate did to the tests of its base, and which tests it adds.
//!
//! It knows no language: it compares blocks. A new test, import or definition under a name of its own leaves the old
//! tests alone; everything else in an old test file is listed (SPEC B3).

use std::collections::BTreeSet;

use super::blocks::{Block, BlockKind, Part, blocks, takes_over};
use super::scan::{is_word, last_word};
use super::{
    Language, LineRange, examples, heirs, is_test_path, is_test_support_path, java, lines_of, ruby, rust,
    tables,
};

/// What was done to a test of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestChange {
    /// The file, as in the base.
    pub path: String,
    /// The test; none for what stands around the tests, or for the file as a whole.
    pub name: Option<String>,
    /// What happened.
    pub kind: ChangeKind,
}

/// What happened to a test of the base, or to what it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum ChangeKind {
    /// It says something else.
    Changed,
    /// It is gone.
    Removed,
    /// It has a mark that keeps it, or others, from running or from counting.
    Skipped,
}

/// A test that the base has not, or has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTest {
    /// The file.
    pub path: String,
    /// The name, without the file: `tests::adds`, `TestA::test_b`, `group > works`.
    pub name: String,
    /// The names under which classes of the file run it that inherit it.
    pub inherited: Vec<String>,
    /// Where it stands in the candidate's file.
    pub lines: LineRange,
    /// The base has one of this name.
    pub is_changed: bool,
}

impl NewTest {
    /// The test that a block is, as it stands in its file's text.
    pub(super) fn from_block(path: &str, text: &str, block: &Block) -> Option<Self> {
        let (name, lines) = (block.test_name()?.to_owned(), lines_of(text, &block.bytes));
        Some(Self { path: path.to_owned(), name, inherited: Vec::new(), lines, is_changed: false })
    }
}

/// What the candidate did to the tests in a file of the base; `None` for a file that is not there.
pub fn test_changes(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Vec<TestChange> {
    let (Some(old), new) = (old, new) else { return Vec::new() };
    if new == Some(old) {
        return Vec::new();
    }
    let part = part_of(path);
    // Data of tests, snapshots, tests in a language that is not taken apart.
    if part.is_none() && is_test_support_path(path) {
        return whole_file(path, Part::Whole, old, new);
    }
    let mut changes = part.map(|part| block_changes(path, part, old, new)).unwrap_or_default();
    if part != Some(Part::Whole) && new.is_some_and(|new| examples::put_back(path, new, old).is_some()) {
        changes.extend(whole_file(path, Part::Whole, old, new));
    }
    changes
}

fn block_changes(path: &str, part: Part, old: &[u8], new: Option<&[u8]>) -> Vec<TestChange> {
    let Some(old_blocks) = blocks(path, old, part) else {
        return whole_file(path, part, old, new);
    };
    let Some(new) = new else {
        let tests = old_blocks.iter().filter(|block| block.test_name().is_some());
        let removed: Vec<_> = tests.map(|block| change(path, block, ChangeKind::Removed)).collect();
        let is_whole = removed.is_empty() && part == Part::Whole;
        return if is_whole { whole_file(path, part, old, None) } else { removed };
    };
    match blocks(path, new, part) {
        Some(new_blocks) => compare(path, &old_blocks, &new_blocks),
        None if old_blocks.is_empty() => Vec::new(),
        None => whole_file(path, part, old, Some(new)),
    }
}

/// Assertions that a product's source takes the place of, and did not in the base: every test of it would mean something
/// else by them.
pub fn replaced_assertions(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Vec<String> {
    if Language::from_path(path) != Some(Language::Rust) || is_test_path(path) {
        return Vec::new();
    }
    let names = |source: Option<&[u8]>| {
        let text = String::from_utf8_lossy(source.unwrap_or_default());
        let may_have = ["assert", "panic", "matches", "macro_use"].iter().any(|word| text.contains(word));
        if may_have { rust::assertions(&text) } else { Vec::new() }
    };
    let before = names(old);
    names(new).into_iter().filter(|name| !before.contains(name)).collect()
}

/// The tests that the candidate's version of a file adds or changes.
pub fn new_tests(path: &str, old: Option<&[u8]>, new: &[u8]) -> Vec<NewTest> {
    let Some(part) = part_of(path) else { return Vec::new() };
    let Some(new_blocks) = blocks(path, new, part) else { return Vec::new() };
    let old_blocks = old.and_then(|old| blocks(path, old, part)).unwrap_or_default();
    let text = std::str::from_utf8(new).unwrap_or_default();
    let helpers = changed_helpers(&old_blocks, &new_blocks);
    let is_new = |block: &&Block| !is_in(block, &old_blocks) || uses(block, &helpers);
    let tests = new_blocks.iter().filter(is_new).filter_map(|block| NewTest::from_block(path, text, block));
    let with_heirs = |test: NewTest| {
        let is_python = Language::from_path(path) == Some(Language::Python);
        let inherited = if is_python { heirs::inherited(&test.name, &new_blocks) } else { Vec::new() };
        let is_changed = old_blocks.iter().any(|block| block.test_name() == Some(&test.name));
        NewTest { inherited, is_changed, ..test }
    };
    tests.map(with_heirs).collect()
}

/// Definitions of the base that differ, and those that use them.
fn changed_helpers<'text>(old: &[Block], new: &'text [Block]) -> BTreeSet<&'text str> {
    const STEPS_MAX: usize = 3;
    let mut changed = BTreeSet::new();
    for _ in 0..STEPS_MAX {
        let is_changed = |block: &&Block| (!old.is_empty() && !is_in(block, old)) || uses(block, &changed);
        let names = new.iter().filter(is_changed).filter_map(|block| match &block.kind {
            // A group's title is no name that others use.
            BlockKind::Definition(name) => Some(last_word(name)).filter(|_| !name.starts_with("describe ")),
            BlockKind::Test(_) | BlockKind::Import | BlockKind::Statement => None,
        });
        let more: Vec<&str> = names.collect();
        changed.extend(more);
    }
    changed
}

fn uses(block: &Block, names: &BTreeSet<&str>) -> bool {
    !names.is_empty() && block.text.split(|letter| !is_word(letter)).any(|word| names.contains(word))
}

/// Which part of a file holds tests; none for a file without.
pub(super) fn part_of(path: &str) -> Option<Part> {
    let is_rust = Language::from_path(path) == Some(Language::Rust);
    if is_test_path(path) { Some(Part::Whole) } else { is_rust.then_some(Part::InlineTests) }
}

/// Is this block there, word for word?
pub(super) fn is_in(block: &Block, others: &[Block]) -> bool {
    others.iter().any(|other| other.kind == block.kind && other.text == block.text)
}

fn whole_file(path: &str, part: Part, old: &[u8], new: Option<&[u8]>) -> Vec<TestChange> {
    if part == Part::InlineTests && !String::from_utf8_lossy(old).contains("test") {
        return Vec::new();
    }
    let kind = if new.is_some() { ChangeKind::Changed } else { ChangeKind::Removed };
    vec![TestChange { path: path.to_owned(), name: None, kind }]
}

fn compare(path: &str, old: &[Block], new: &[Block]) -> Vec<TestChange> {
    let mut changes = Vec::new();
    for block in old {
        let same_kind: Vec<_> = new.iter().filter(|other| other.kind == block.kind).collect();
        if same_kind.iter().any(|other| other.text == block.text) {
            let is_unnamed = matches!(block.kind, BlockKind::Import | BlockKind::Statement);
            let before = old.iter().filter(|other| other.kind == block.kind).count();
            // A second one of the same name takes the place of the first.
            if !is_unnamed && same_kind.len() > before {
                changes.push(change(path, block, ChangeKind::Changed));
            }
            continue;
        }
        let is_taken_over = || same_kind.iter().any(|other| takes_over(&other.text, &block.text));
        let kind = match (&block.kind, same_kind.as_slice()) {
            (BlockKind::Import, _) if is_taken_over() => continue,
            (BlockKind::Import | BlockKind::Statement, _) => ChangeKind::Changed,
            (_, [other]) if has_more_cases(path, block, other, new) => continue,
            (_, others) => kind_of(block, others.first().copied()),
        };
        changes.push(change(path, block, kind));
    }
    changes.extend(new.iter().filter(|block| !is_in(block, old)).filter_map(|block| added(path, block, old)));
    changes
}

fn has_more_cases(path: &str, old: &Block, new: &Block, others: &[Block]) -> bool {
    let is_grown = |language| tables::has_grown(language, old, new, others);
    marks(&new.text) <= marks(&old.text) && Language::from_path(path).is_some_and(is_grown)
}

fn kind_of(old: &Block, new: Option<&Block>) -> ChangeKind {
    match new {
        None => ChangeKind::Removed,
        Some(new) if marks(&new.text) > marks(&old.text) => ChangeKind::Skipped,
        Some(_) => ChangeKind::Changed,
    }
}

/// Something new that bears on the old tests: a statement, a name that they use, or a mark that runs this test alone.
fn added(path: &str, block: &Block, old: &[Block]) -> Option<TestChange> {
    let compact: String = block.text.chars().filter(|character| !character.is_whitespace()).collect();
    let runs_alone = [".only(", ".only`", ".only."].iter().any(|mark| compact.contains(mark))
        || ["fit(", "fdescribe("].iter().any(|word| words_in(&block.text, word) > 0);
    let concerns_others = match (&block.kind, Language::from_path(path)) {
        (BlockKind::Statement, _) => true,
        (BlockKind::Definition(_) | BlockKind::Import, Some(Language::Java)) => {
            java::takes_a_name(block, old)
        }
        (BlockKind::Definition(_), Some(Language::Ruby)) => ruby::is_for_old_tests(block, old),
        (BlockKind::Test(_) | BlockKind::Definition(_), language) => {
            runs_alone && language == Some(Language::Script)
        }
        (BlockKind::Import, _) => false,
    };
    let kind = if marks(&block.text) > 0 || runs_alone { ChangeKind::Skipped } else { ChangeKind::Changed };
    concerns_others.then(|| TestChange { path: path.to_owned(), name: None, kind })
}

/// How many marks keep a test from running or from counting.
fn marks(text: &str) -> usize {
    const SIGNS: &[&str] = &[
        "#[ignore", "#[cfg(any())", "#[cfg(not(", "#[cfg(feature", "#[cfg_attr(", "@skip", "@Disabled",
        "@Ignore", "@Enabled", "enabled=false", "Assumptions.", "assumeTrue(", "assumeFalse(", ".skip(",
        ".skip`", ".skip.", ".todo(", ".todo.", ".only(", ".only.", ".skipIf(", ".runIf(", ".failing(",
        ".failing.", ".fails(", ".fails.",
    ];
    const WORDS: &[&str] = &[
        "mark.skip", "mark.xfail", "pytest.skip(", "pytest.xfail(", "pytest.importorskip", "unittest.skip",
        "self.skipTest(", "expectedFailure", "unittest.expectedFailure", "skip:", "todo:", "only:", "xit(",
        "xtest(", "xdescribe(", "fit(", "fdescribe(", "t.Skip", "b.Skip", "testing.Short()", "__test__",
    ];
    let compact: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    let signs: usize = SIGNS.iter().map(|sign| compact.matches(sign).count()).sum();
    let words: usize = WORDS.iter().map(|word| words_in(text, word)).sum();
    signs + words
}

/// How often something stands in a text that is no end of a longer word (`exit(` is no `xit(`).
fn words_in(text: &str, word: &str) -> usize {
    let begins = |place: usize| {
        let before = text[..place].chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric() && before != '_')
    };
    text.match_indices(word).filter(|(place, _)| begins(*place)).count()
}

fn change(path: &str, old: &Block, kind: ChangeKind) -> TestChange {
    TestChange { path: path.to_owned(), name: old.test_name().map(str::to_owned), kind }
}
