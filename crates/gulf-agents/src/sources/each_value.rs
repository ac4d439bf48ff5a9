//! The values that tests have, whatever form the tests have, and what two products say where one of them is another.
//!
//! Nothing is read of an assertion here: which values are given and which are expected is seen from what runs say.

use std::collections::BTreeSet;
use std::ops::Range;

use super::answers::{ListsWithin, asked_in, is_trivial};
use super::blocks::{Block, Part, blocks_with_loops, tables_of};
use super::changes::part_of;
use super::equality::may_be_expected;
use super::tokens::{Lexeme, tokens};
use super::varied::{Distance, other_text, with_next_digit};
use super::{NewTest, TestAnswer};
use crate::patterns::form;
use crate::reports::TestId;

/// The values of these tests that may be given to the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestValues {
    /// The tests that have them.
    pub names: Vec<String>,
    /// Where they stand, without quotes.
    pub at: Vec<Range<usize>>,
}

/// What one product says where a value is another, beside what another one says there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueDifference {
    /// Word for word the same.
    Same,
    /// With words that stand nowhere else.
    New(BTreeSet<String>),
    /// Something else, in words that are known, with the value as it was.
    Known(BTreeSet<String>),
    /// It shows nothing.
    Nothing,
}

/// The values of those tests of a file that have such results, apart from what is plainly expected, and from questions that are
/// answered by yes or no: most others get the same answer.
pub fn values_of(path: &str, source: &[u8], results: &[TestId]) -> TestValues {
    values_where(path, source, results, |text, tokens, answers, (block, token)| {
        let name = block.test_name().unwrap_or_default();
        !asks_for_yes(block)
            && is_given(token, answers, text, name)
            // `"count, buttons"` are names, and so is a file's.
            && !is_of_names(&text[unquoted(text, &token.bytes)], tokens)
    })
}

/// The values of such tests that something may have to equal, whatever the tests call that.
pub fn compared_values_of(path: &str, source: &[u8], results: &[TestId]) -> TestValues {
    values_where(path, source, results, |text, tokens, _, (_, token)| {
        token.literal().is_some() && may_be_expected(text, tokens, &token.bytes)
    })
}

/// Those that are wanted, by the file's text, its tokens and answers, and the test.
fn values_where(
    path: &str,
    source: &[u8],
    results: &[TestId],
    is_wanted: impl Fn(&str, &[Lexeme], &[TestAnswer], (&Block, &Lexeme)) -> bool,
) -> TestValues {
    let mut found = TestValues::default();
    let part = part_of(path).unwrap_or(Part::InlineTests);
    let read = std::str::from_utf8(source).ok().zip(blocks_with_loops(path, source, part));
    let Some((text, blocks)) = read else { return found };
    let tokens = tokens(path, text);
    let answers = asked_in(path, &tokens, ListsWithin::Values);
    for block in &blocks {
        let test = NewTest::from_block(path, text, block);
        let is_asked = |test: &NewTest| results.iter().any(|id| test.has_result(id));
        let Some(NewTest { name, .. }) = test.filter(is_asked) else { continue };
        let of_block = found.at.len();
        for range in tables_of(&blocks, block) {
            let inside = tokens.iter().filter(|token| range.contains(&token.bytes.start));
            let wanted = inside.filter(|token| is_wanted(text, &tokens, &answers, (block, token)));
            for at in wanted.map(|token| unquoted(text, &token.bytes)) {
                if !found.at.contains(&at) {
                    found.at.push(at);
                }
            }
        }
        found.names.extend((!asks_for_yes(block) || found.at.len() > of_block).then_some(name));
    }
    found.names.dedup();
    found
}

/// Without a comparison it says that something holds.
fn asks_for_yes(test: &Block) -> bool {
    const COMPARING: [&str; 7] = ["==", "!=", "qual", "_eq", "toBe", ".is(", "raises"];
    test.text.contains("assert") && !COMPARING.iter().any(|sign| test.text.contains(sign))
}

fn is_given(token: &Lexeme, answers: &[TestAnswer], text: &str, test: &str) -> bool {
    let Some(value) = token.literal().filter(|value| !is_trivial(value)) else { return false };
    let own = answers.iter().filter(|answer| answer.line == token.line);
    let is_name = test.contains(&text[unquoted(text, &token.bytes)]) && value.starts_with('"');
    // Rows may share a line: one of them gives it, and none of the others expects it.
    let (giving, others): (Vec<_>, Vec<_>) =
        own.partition(|answer| answer.given.iter().any(|given| given == value));
    !is_name
        && (others.is_empty() || !giving.is_empty())
        && !others.iter().any(|answer| answer.expected.iter().any(|expected| expected == value))
        && giving.iter().all(|answer| !answer.expected.iter().all(|value| is_trivial(value)))
}

fn is_of_names(value: &str, tokens: &[Lexeme]) -> bool {
    let is_name = |word: &str| tokens.iter().any(|token| token.word() == Some(word));
    let is_file = value.rsplit_once('.').is_some_and(|(name, ending)| {
        !name.contains([' ', '.'])
            && ending.len() <= 4
            && ending.starts_with(|first: char| first.is_alphabetic())
    });
    is_file || words_of(value).all(is_name)
}

/// A literal without its quotes.
pub(super) fn unquoted(text: &str, at: &Range<usize>) -> Range<usize> {
    let literal = &text[at.clone()];
    let inner = literal.trim_matches(['"', '\'', '`']);
    let start = at.start + literal.find(inner).unwrap_or(0);
    start..start + inner.len()
}

/// Other values in the place of this one: another letter, another digit, one letter more.
pub fn others(value: &str) -> Vec<String> {
    const DIGITS_MAX: usize = 12;
    let mut found: Vec<String> = match value.parse::<u64>() {
        Ok(number) if value.len() <= DIGITS_MAX => {
            let others = [number + 1, number + number / 2 + 7, number + 100, number * 10];
            others.map(|other| other.to_string()).to_vec()
        }
        Ok(_) => Vec::new(),
        Err(_) => {
            let plain = without_escapes(value);
            let near = [Distance::Near, Distance::Far].map(|distance| other_text(&plain, distance));
            let near = if value.contains("${") { [None, None] } else { near };
            let last = plain.rfind(|letter: char| letter.is_ascii_alphanumeric());
            let longer = last.map(|at| format!("{}{}", &plain[..=at], &plain[at..]));
            let all = near.into_iter().chain([with_next_digit(&plain), longer]).flatten();
            all.map(|other| with_escapes(&other, value)).collect()
        }
    };
    found.dedup();
    found.retain(|other| other != value);
    found
}

/// What stands for a letter of an escape while letters are changed.
const ESCAPED: char = '\u{1}';

fn without_escapes(value: &str) -> String {
    let mut is_escaped = false;
    let hidden = |letter| {
        let begins = !is_escaped && letter == '\\';
        if std::mem::replace(&mut is_escaped, begins) { ESCAPED } else { letter }
    };
    value.chars().map(hidden).collect()
}

fn with_escapes(plain: &str, value: &str) -> String {
    let mut escaped = value.split('\\').skip(1).filter_map(|rest| rest.chars().next());
    let shown = |letter| if letter == ESCAPED { escaped.next().unwrap_or('n') } else { letter };
    plain.chars().map(shown).collect()
}

/// What is said where a value was none, but a name that a check needs.
const BROKEN: [&str; 6] = ["not found", "No such", "yntax", "cannot find", "undefined", "sage:"];

/// What a product says (`now`) beside what another one says, where one value is another; `usual` is what both say where it is
/// not, `known` are texts whose words are nothing new.
pub fn said_of_value(
    [now, then]: [&str; 2],
    usual: [&str; 2],
    known: &[&str],
    [was, is]: [&str; 2],
) -> ValueDifference {
    let [usual_now, usual_then] = usual;
    let quiet = telling_lines(usual_now);
    let fresh: BTreeSet<String> = telling_lines(now).difference(&quiet).cloned().collect();
    // What nobody raised before: the test itself may be broken.
    let is_error = |word: &&str| word.ends_with("Error") || word.ends_with("Exception");
    let usual_words: BTreeSet<&str> = usual.iter().flat_map(|text| words_of(text)).collect();
    let mut errors = fresh.iter().flat_map(|line| words_of(line)).filter(is_error);
    let is_broken = fresh.iter().any(|line| BROKEN.iter().any(|word| line.contains(word)))
        || errors.any(|word| !usual_words.contains(word));
    if fresh.is_empty() || (is_broken && fresh.is_subset(&telling_lines(then))) {
        return ValueDifference::Nothing;
    }
    if fresh.is_subset(&telling_lines(then)) {
        return ValueDifference::Same;
    }
    let texts = known.iter().chain([&usual_now, &usual_then, &then]);
    let words: BTreeSet<&str> = texts.flat_map(|text| words_of(text)).chain(words_of(is)).collect();
    let new = fresh.iter().flat_map(|line| words_of(line)).filter(|word| !words.contains(word));
    let new: BTreeSet<String> = new.map(str::to_owned).collect();
    if new.is_empty() {
        ValueDifference::Known(fresh.iter().map(|line| line.replace(is, was)).collect())
    } else {
        ValueDifference::New(new)
    }
}

/// The lines of an output without what differs each time: durations, addresses, places, counts, marks below a text.
fn telling_lines(output: &str) -> BTreeSet<String> {
    const COUNTED: &str = "(?:pass(?:ed|ing)?|fail(?:ed|ing|ures)?|errors?|tests?|suites|ignored|skipped)";
    let count = form!(&format!(
        "(?:^|[^A-Za-z0-9])(?:[0-9]+[^A-Za-z0-9]+{COUNTED}|{COUNTED}[^A-Za-z0-9]+[0-9]+)(?:[^A-Za-z0-9]|$)"
    ));
    let is_progress = |line: &str| line.chars().all(|letter| ".FEsxX+-^?~ []%0123456789_=".contains(letter));
    let is_count = |line: &str| {
        (count.is_match(line) && !line.contains(['\'', '"', '(', '[']))
            || ["FAILED (", "test result:", "Ran "].iter().any(|start| line.starts_with(start))
    };
    let word = |word: &str| -> String {
        let bare = word.trim_matches(['(', ')', ',']);
        let number = bare.trim_end_matches("ms").trim_end_matches('s');
        let is_duration = number.contains('.') && number.parse::<f64>().is_ok() && number.len() < bare.len();
        if is_duration || bare.contains("0x") || bare == "duration_ms" {
            return String::new();
        }
        // `src/lib.rs:12:5`
        let place = word.split_once(':').filter(|(file, place)| {
            file.contains('.') && place.starts_with(|first: char| first.is_ascii_digit())
        });
        place.map_or(word, |(file, _)| file).to_owned()
    };
    let lines = output.lines().map(str::trim).filter(|line| !is_progress(line) && !is_count(line));
    let lines = lines.filter(|line| !line.contains("duration_ms") && !line.starts_with("warning"));
    lines.map(|line| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")).collect()
}

/// Does this output say such a word, as a product says something new?
pub fn says(output: &str, word: &str) -> bool {
    words_of(output).any(|one| one == word)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
