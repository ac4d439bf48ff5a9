//! What is a test in a tree, what a candidate did to the tests of its base, and what its new tests prove.
//!
//! It stands apart from whoever owns the trees: it is given bytes of files by path and answers with values
//! (SPEC B3). It errs on one side only: what it cannot tell apart is reported as changed, and what it cannot
//! attribute to a new test proves nothing.

use std::fmt;

mod answers;
mod aware;
mod blocks;
mod canary;
mod changes;
mod check_texts;
mod comments;
mod compile_errors;
mod configuration;
mod each_value;
mod equality;
mod examples;
mod fields;
mod given_up;
mod graft;
mod grown;
mod heirs;
mod java;
mod left_open;
mod linters;
mod merged;
mod mutants;
mod paths;
mod probe;
mod python;
mod refused;
mod ruby;
mod rust;
mod scan;
mod script;
mod shadows;
mod strays;
mod stubs;
mod support;
mod suppressions;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;
mod varied;

pub use answers::{AnswerSide, BuiltIn, TestAnswer, answers, built_in};
pub use aware::{is_product, test_aware};
pub use canary::{Flip, flips};
pub use changes::{ChangeKind, NewTest, TestChange, new_tests, replaced_assertions, test_changes};
pub use check_texts::{
    CheckText, TextWord, are_shown_alike, compared_files, comparisons, inputs_of, is_given, is_of_text,
    is_prose, is_word_of, may_be_expected_word, may_read, recurring_words, roles, shown_words,
    under_other_names, values_in_texts, whole_inputs,
};
pub use comments::lost_comments;
pub use compile_errors::{CompileErrors, Location, compile_errors};
pub use configuration::{
    FieldChange, WHOLE_FILE, is_runner_configuration, runner_configuration, setting_programs, whole_file,
};
pub use each_value::{
    TestValues, ValueDifference, compared_values_of, others, said_of_value, says, values_of,
};
pub use equality::plain_equality;
pub use examples::broken_examples;
pub use given_up::given_up;
pub use graft::{Changed, Edit, Graft, Grafted, graft, reaches_old_tests, restored, with_tests};
pub use grown::{GrownSettings, changed_functions, grown_settings, is_grown_script};
pub use left_open::{left_open, unknown_options};
pub use linters::{is_linter_configuration, linter_configuration, linter_programs};
pub use merged::merged;
pub use mutants::{Mutant, mutants};
pub use paths::{is_test_path, is_test_support_path};
pub use probe::{ProbeRun, ProbeVerdict, Proof, Unclear, judge_probe};
pub use refused::refused_by_name;
pub(crate) use script::fixed_parts;
pub use shadows::{Shadow, shadow};
pub use strays::strays;
pub use stubs::{StubbedChange, heedless, stubs, unread};
pub use support::{SourceTexts, extended, file_of, names_file, only_for_tests};
pub use suppressions::{Suppression, added_suppressions, own_marks};
pub use varied::{Distance, ShownForms, Varied, VariedTest, values_in, varied};

/// A longer source is not taken apart; any change of it counts.
pub const SOURCE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Lines of a file, from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineRange {
    /// The first line.
    pub first: usize,
    /// The last line.
    pub last: usize,
}

impl LineRange {
    /// Does the line stand within?
    pub fn contains(self, line: usize) -> bool {
        (self.first..=self.last).contains(&line)
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.first, self.last)
    }
}

/// Something in a product that somebody has to be told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The file.
    pub path: String,
    /// Where it stands, from 1.
    pub line: usize,
    /// What stands there, or what it does.
    pub what: String,
}

impl Sighting {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into() }
    }
}

/// The languages whose tests are told apart one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    Python,
    /// JavaScript and TypeScript.
    Script,
    Go,
    Java,
    /// As RSpec has it.
    Ruby,
}

impl Language {
    pub(crate) fn from_path(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1 {
            "rs" => Some(Self::Rust),
            "py" => Some(Self::Python),
            "js" | "cjs" | "mjs" | "jsx" | "ts" | "cts" | "mts" | "tsx" => Some(Self::Script),
            "go" => Some(Self::Go),
            "java" => Some(Self::Java),
            "rb" => Some(Self::Ruby),
            _ => None,
        }
    }
}

/// Is this a source in a language that is read here?
pub fn is_source(path: &str) -> bool {
    Language::from_path(path).is_some()
}

/// The line, from 1, in which the byte stands.
pub(crate) fn line_of(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    1 + text.as_bytes()[..byte].iter().filter(|byte| **byte == b'\n').count()
}

/// The lines that a range of bytes touches.
pub(crate) fn lines_of(text: &str, range: &std::ops::Range<usize>) -> LineRange {
    let last = range.end.saturating_sub(1).max(range.start);
    LineRange { first: line_of(text, range.start), last: line_of(text, last) }
}

/// Where the word stands by itself.
fn places_of<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_apart =
        |letter: Option<char>| letter.is_none_or(|letter| !(letter.is_alphanumeric() || letter == '_'));
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        !word.is_empty()
            && is_apart(text[..*at].chars().next_back())
            && is_apart(text[at + word.len()..].chars().next())
    })
}

/// Does the word stand there by itself?
fn has_word(text: &str, word: &str) -> bool {
    places_of(text, word).next().is_some()
}

/// With other texts in these places, which stand one behind the other.
fn spliced<Other: AsRef<str>>(
    text: &str,
    others: impl IntoIterator<Item = (std::ops::Range<usize>, Other)>,
) -> String {
    let (mut spliced, mut end) = (String::with_capacity(text.len()), 0);
    for (at, other) in others {
        spliced += &text[end..at.start];
        spliced += other.as_ref();
        end = at.end;
    }
    spliced + &text[end..]
}

/// From each start to the next one, without the blanks before it.
fn spans(text: &str, starts: &[usize], end: usize) -> Vec<std::ops::Range<usize>> {
    let ends = starts.iter().skip(1).chain([&end]);
    starts.iter().zip(ends).map(|(start, end)| *start..start + text[*start..*end].trim_end().len()).collect()
}
