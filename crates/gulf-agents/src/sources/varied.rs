//! Tests that are asked something else than they ask: a product that does the work has an answer of its own there, one that
//! has its answers built in has none (SPEC B3).
//!
//! Nobody knows what is right there, so nothing is said about right and wrong. What the product gives is read where the
//! runner shows it, in the form that the runner was seen to use.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;

use super::answers::{ListsWithin, asked_in, is_trivial};
use super::blocks::{Part, blocks_with_loops, tables_of};
use super::changes::part_of;
use super::scan::runs;
use super::tokens::{Lexeme, tokens};
use super::{NewTest, TestAnswer, lines_of, spliced};
use crate::reports::TestId;

mod shown;

pub use shown::ShownForms;

/// How far from the tests' own inputs the others lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// The next number; another letter in the middle of a word.
    Near,
    /// A larger number; another letter at the beginning.
    Far,
}

/// A source of tests with other inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Each test that has other inputs.
    pub tests: Vec<VariedTest>,
}

/// A test that is given something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariedTest {
    pub test: NewTest,
    /// What stood there, and what stands there now, for each of its inputs.
    pub inputs: Vec<[String; 2]>,
    /// What it expects for what stood there.
    pub expected: Vec<String>,
}

impl VariedTest {
    /// Each expects a text that is long enough not to stand somewhere by chance, and no part of what is given.
    pub fn expects_texts(&self) -> bool {
        const LETTERS_MIN: usize = 3;
        let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count();
        let is_given = |text: &str| self.inputs.iter().any(|[was, _]| was.contains(text.trim_matches('"')));
        let is_long = |value: &String| value.starts_with('"') && letters(value) >= LETTERS_MIN;
        self.expected.iter().all(|value| is_long(value) && !is_given(value))
    }
}

/// The tests of a file whose results these are, each with other inputs where it has literal ones. Of several assertions that
/// follow on each other only one fails: that whose line `failed` names, and else nobody knows which one shows the work. What is
/// `known` shows none, and a name that the base's products know, or by which one of the work's reads a field, is no input.
pub fn varied(
    path: &str,
    source: &[u8],
    (results, known): (&[TestId], &[TestAnswer]),
    failed: &[usize],
    distance: Distance,
    [base, products]: [&[(&str, String)]; 2],
) -> Option<Varied> {
    let names = LazyCell::new(|| &names_in(base, false) | &names_in(products, true));
    let text = std::str::from_utf8(source).ok()?;
    let part = part_of(path).unwrap_or(Part::Whole);
    let tokens = tokens(path, text);
    let mut answers = asked_in(path, &tokens, ListsWithin::Values);
    answers.retain(|answer| !known.iter().any(|other| other.asks_the_same(answer)));
    let (mut edits, mut found) = (Vec::new(), Vec::new());
    let blocks = blocks_with_loops(path, source, part)?;
    for block in &blocks {
        let is_asked = |test: &NewTest| results.iter().any(|id| test.has_result(id));
        let Some(test) = NewTest::from_block(path, text, block).filter(is_asked) else { continue };
        let mut varied = VariedTest { test, inputs: Vec::new(), expected: Vec::new() };
        let of_range = |range: &Range<usize>| -> Vec<&TestAnswer> {
            let lines = lines_of(text, range);
            answers.iter().filter(|answer| lines.contains(answer.line)).collect()
        };
        let mut tables = tables_of(&blocks, block).into_iter().map(|range| (of_range(&range), range));
        let Some((own, range)) = tables.find(|(own, _)| !own.is_empty()) else { continue };
        let has_names =
            own.iter().any(|answer| answer.given.len() > 1 && is_name_of_row(&answer.given[0], results));
        let inside = tokens.iter().filter(|token| range.contains(&token.bytes.start));
        // Two tests may read one table.
        let is_free =
            |token: &&Lexeme| !edits.iter().any(|(at, _): &(Range<usize>, String)| *at == token.bytes);
        let mut inside: Vec<&Lexeme> = inside.filter(is_free).collect();
        let lines: Vec<&str> = text.lines().collect();
        // Else it is a row of a table.
        let asserts = |answer: &TestAnswer| {
            let line = lines.get(answer.line - 1).copied().unwrap_or_default();
            ["assert", "expect(", "if "].iter().any(|word| line.contains(word))
        };
        let is_one = own.iter().filter(|answer| asserts(answer)).count() <= 1;
        let is_meant = |answer: &&TestAnswer| is_one || !asserts(answer) || failed.contains(&answer.line);
        for answer in own.iter().copied().filter(is_meant) {
            let given = answer.given.iter().skip(usize::from(has_names && answer.given.len() > 1));
            let given = given.filter(|value| !answer.expected.contains(value) && !names.contains(*value));
            let input = other_input(text, &mut inside, (answer, given.collect()), distance);
            let Some((at, other)) = input else { continue };
            varied.inputs.push([text[at.clone()].to_owned(), other.clone()]);
            varied.expected.extend(answer.expected.iter().cloned());
            edits.push((at, other));
        }
        if !varied.inputs.is_empty() {
            found.push(varied);
        }
    }
    edits.sort_by_key(|(at, _)| at.start);
    (!found.is_empty()).then(|| Varied { bytes: spliced(text, edits).into_bytes(), tests: found })
}

/// `{"two words", …}`, where Go says `TestA/two_words`, node `two words`
fn is_name_of_row(value: &str, results: &[TestId]) -> bool {
    let name = value.trim_matches('"');
    let is_named = |id: &str| {
        let before = id.strip_suffix(name).or_else(|| id.strip_suffix(&name.replace(' ', "_")));
        before
            .is_some_and(|before| before.is_empty() || before.ends_with(['/', ':']) || before.ends_with("> "))
    };
    value.starts_with('"') && results.iter().any(|id| is_named(id.as_str()))
}

/// Where what this answer gives stands, and what may stand there instead. A yes or a no for an answer says too little.
fn other_input(
    text: &str,
    tokens: &mut Vec<&Lexeme>,
    (answer, mut given): (&TestAnswer, Vec<&String>),
    distance: Distance,
) -> Option<(Range<usize>, String)> {
    /// A call may have a line for each argument.
    const LINES_MAX: usize = 3;
    if answer.expected.iter().all(|value| is_trivial(value)) {
        return None;
    }
    // A text says more than a number.
    given.sort_by_key(|value| (!value.starts_with('"'), std::cmp::Reverse(value.len())));
    given.into_iter().find_map(|value| {
        let is_it = |token: &&&Lexeme| {
            token.literal() == Some(value) && (answer.line..=answer.line + LINES_MAX).contains(&token.line)
        };
        let token = tokens.iter().find(is_it).copied()?;
        let at = token.bytes.clone();
        let other = other(&text[at.clone()], distance)?;
        // Each place is somebody's input once.
        tokens.retain(|one| one.bytes != at);
        Some((at, other))
    })
}

/// Another literal of the same kind.
pub(super) fn other(literal: &str, distance: Distance) -> Option<String> {
    const DIGITS_MAX: usize = 15;
    if let Some(quote) = literal.chars().next().filter(|first| "\"'`".contains(*first)) {
        let inner = literal.strip_prefix(quote)?.strip_suffix(quote)?;
        let is_plain = !inner.contains(['\\', '{', '%', '$']);
        let text = other_text(inner, distance).filter(|_| is_plain);
        return text.map(|text| format!("{quote}{text}{quote}"));
    }
    let is_whole =
        literal.len() <= DIGITS_MAX && literal.chars().all(|letter| letter.is_ascii_digit() || letter == '_');
    let number: u64 = literal.replace('_', "").parse().ok().filter(|_| is_whole)?;
    let other = match distance {
        Distance::Near => number + 1,
        Distance::Far => number + number / 2 + 7,
    };
    Some(other.to_string())
}

/// With another first digit.
pub(super) fn with_next_digit(text: &str) -> Option<String> {
    let at = text.find(|letter: char| letter.is_ascii_digit())?;
    let next = match &text[at..=at] {
        "9" => 7,
        digit => digit.parse::<u8>().ok()? + 1,
    };
    Some(format!("{}{next}{}", &text[..at], &text[at + 1..]))
}

/// Of `/greet/Ann?lang=de` what follows the route: `Ann`.
fn last_of_address(text: &str) -> Option<Range<usize>> {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    let start = text[..end].rfind('/')? + 1;
    (text.starts_with('/') && start > 1 && start < end && !text[start..end].contains('.'))
        .then_some(start..end)
}

/// Does what follows on this stand for a value, as `done` does in `/tasks?status=done`? Another name asks for nothing.
fn is_value_of_query(before: &str) -> bool {
    let is_value = |query: &str| query.rfind(['&', '=']).is_some_and(|at| query[at..].starts_with('='));
    before.split_once('?').is_some_and(|(_, query)| is_value(query))
}

/// The same text with another digit in a number, or letter in its longest word; or at the beginning of its first. Of a
/// number with units it is the first digit, or the last: `2h30m`.
pub(super) fn other_text(text: &str, distance: Distance) -> Option<String> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let digit = match distance {
        Distance::Near => text.find(is_digit),
        Distance::Far => text.rfind(is_digit),
    };
    let has_unit = text.contains(|letter: char| letter.is_ascii_alphabetic());
    if let Some(at) = digit.filter(|_| has_unit && text.starts_with(is_digit)) {
        let next = match (&text[at..=at], distance) {
            ("9", _) => 8,
            (digit, Distance::Near) => digit.parse::<u8>().ok()? + 1,
            (digit, Distance::Far) => digit.parse::<u8>().ok()?.checked_sub(1).unwrap_or(5),
        };
        return Some(format!("{}{next}{}", &text[..at], &text[at + 1..]));
    }
    let mut words = runs(text, |_, letter| letter.is_ascii_alphanumeric());
    let is_number = |word: &Range<usize>| text[word.clone()].bytes().all(|byte| byte.is_ascii_digit());
    let last = last_of_address(text).filter(|_| !words.iter().any(is_number));
    let is_value = |word: &Range<usize>| match &last {
        Some(last) => last.contains(&word.start),
        None => is_value_of_query(&text[..word.start]),
    };
    if words.iter().any(is_value) {
        words.retain(is_value);
    }
    let place = match distance {
        // What many words begin with may be known, and a number seldom is: `/users/7`.
        Distance::Near => {
            let longest = |words: &[Range<usize>]| words.iter().rev().max_by_key(|word| word.len()).cloned();
            let numbers: Vec<Range<usize>> = words.iter().filter(|word| is_number(word)).cloned().collect();
            let word = longest(&numbers).or_else(|| longest(&words[usize::from(words.len() > 2)..]))?;
            word.start + word.len() / 2
        }
        Distance::Far => words.first()?.start,
    };
    let letter = text[place..].chars().next()?;
    let next = match letter {
        'z' => 'a',
        'Z' => 'A',
        '9' => '1',
        _ => char::from(u8::try_from(letter).ok()? + 1),
    };
    Some(format!("{}{next}{}", &text[..place], &text[place + 1..]))
}

/// The names in these products, as texts: all of them, or those of fields that are read (`task.due`).
fn names_in(products: &[(&str, String)], are_fields: bool) -> BTreeSet<String> {
    let of_product = |(path, text): &(&str, String)| {
        let tokens = tokens(path, text);
        let is_it =
            |at: &usize| !are_fields || *at > 0 && tokens[at - 1].is(".") && tokens[*at].word().is_some();
        let name = |at: usize| {
            let word = tokens[at].word().map(|name| format!("\"{name}\""));
            word.or_else(|| tokens[at].literal().filter(|value| value.starts_with('"')).map(str::to_owned))
        };
        (0..tokens.len()).filter(is_it).filter_map(name).collect::<Vec<_>>()
    };
    products.iter().flat_map(of_product).collect()
}

/// The values that stand in these products as they are, and the words of texts among them.
pub fn values_in(products: &[(&str, String)]) -> BTreeSet<String> {
    let mut values = BTreeSet::new();
    for (path, text) in products {
        for token in tokens(path, text) {
            let Some(value) = token.literal() else { continue };
            let words =
                value.trim_matches('"').split(|letter: char| !letter.is_alphanumeric() && letter != '-');
            values.extend(words.filter(|word| !word.is_empty()).map(|word| format!("\"{word}\"")));
            values.insert(value.to_owned());
        }
    }
    values
}

#[cfg(test)]
mod tests;
