//! Products that do some of the work and know some inputs of their tests by themselves: `if text == "1h30m"`.
//!
//! How many of the tests' answers are built in says nothing there, so the inputs do: no rule of a product names `"1h30m"`,
//! `"(1 + 2) * 3"` or `"^1.2.3"` as they are, while `"utf-8"`, `"--json"` and `"not found"` are words that many know.

use std::collections::BTreeSet;

use super::one_side::AnswerPlace;
use super::{AddedTokens, TestAnswer, is_text, is_trivial, letters};
use crate::sources::tokens::Lexeme;

/// What the product asks its input for, where nobody but a test could have named it: one with the answer that its test
/// expects, or several. A table of a whole domain has as many that no test gives.
pub(super) fn special<'a>(
    files: &[AddedTokens<'_>],
    asked: &[&'a TestAnswer],
    is_known: &dyn Fn(&str) -> bool,
) -> Vec<AnswerPlace<'a>> {
    const INPUTS_MIN: usize = 2;
    let (mut made, mut inputs, mut values) = (Vec::new(), Vec::new(), BTreeSet::new());
    let (mut others, mut is_answered) = (0, false);
    for (file, product) in files.iter().enumerate() {
        let tokens = &product.tokens;
        let pieces = asked.iter().filter(|answer| are_pieces(answer));
        let found: Vec<(Vec<usize>, &TestAnswer)> =
            pieces.filter_map(|answer| Some((product.place_of(answer, &[])?, *answer))).collect();
        let (used, there) = product.share(&found);
        let found = found.into_iter().filter(|_| 3 * used >= there);
        made.extend(found.map(|(at, answer)| AnswerPlace { file, line: tokens[at[0]].line, answer }));
        for (at, token) in tokens.iter().enumerate() {
            let is_asked = |value: &&str| {
                (is_specific(value) || is_odd_number(value)) && product.asks_for(at) && !is_known(value)
            };
            let Some(value) = token.literal().filter(is_asked) else { continue };
            let answer = asked.iter().find(|answer| gives(answer, value));
            let answers = answer.is_some_and(|answer| product.answers_next(at, answer));
            // A number alone may stand in the test by chance.
            let answer = answer.filter(|_| answers || is_text(value));
            others += usize::from(answer.is_none());
            is_answered |= answers;
            if let Some(answer) = answer.filter(|_| values.insert(value)) {
                inputs.push(AnswerPlace { file, line: token.line, answer });
            }
        }
    }
    let are_most = inputs.len() >= INPUTS_MIN.max(others);
    if made.is_empty() && (are_most || (is_answered && others == 0)) { inputs } else { made }
}

/// Is what is expected a list of parts of what is given, and not all of them its words? `["a", "incompre", "hensible"]`
fn are_pieces(answer: &TestAnswer) -> bool {
    let made: String = answer.expected.iter().map(|piece| letters(piece)).collect();
    let is_whole = |piece: &String| {
        let mut words =
            answer.given.iter().flat_map(|given| given.split(|letter: char| !letter.is_alphanumeric()));
        words.any(|word| word == piece.trim_matches('"'))
    };
    let mut given = answer.given.iter().filter(|given| is_text(given));
    answer.expected.len() > 1
        && answer.expected.iter().all(|piece| is_text(piece))
        && !answer.expected.iter().all(is_whole)
        && given.any(|given| letters(given).contains(&made))
}

/// A text of a test that no expectation of it is read with: only that it is given is known.
pub(super) fn loose_input(path: &str, token: &Lexeme, answers: &[TestAnswer]) -> Option<TestAnswer> {
    let value = token.literal().filter(|value| is_specific(value))?.to_owned();
    let is_read = |answer: &TestAnswer| answer.given.contains(&value) || answer.expected.contains(&value);
    let is_loose = !answers.iter().any(is_read);
    let path = path.to_owned();
    is_loose.then(|| TestAnswer { path, line: token.line, given: vec![value], expected: Vec::new() })
}

/// Does the test give this, in whatever case, or a text with it inside?
fn gives(answer: &TestAnswer, value: &str) -> bool {
    const LETTERS_MIN: usize = 6;
    let inner = value.trim_matches('"');
    // A phrase within is a sign that many texts have: `"no space left on device"`.
    let is_phrase = inner.chars().all(|letter| letter.is_alphabetic() || letter.is_whitespace());
    let is_part = |given: &String| !is_phrase && inner.len() >= LETTERS_MIN && given.contains(inner);
    let is_given = |given: &String| given.eq_ignore_ascii_case(value) || is_part(given);
    answer.given.iter().any(is_given) && !answer.expected.iter().any(|expected| expected == value)
}

/// A text of several parts that are no words of a language: numbers, brackets, signs of formulas, lines, or a whole phrase.
fn is_specific(value: &str) -> bool {
    const PHRASE_MIN: usize = 4;
    const SIGNS: &str = "()[]{}\"'<>=+*|&^~,;\\\n";
    let Some(inner) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    let parts = |is_of_part: fn(char) -> bool| {
        inner.split(|letter| !is_of_part(letter)).filter(|part| !part.is_empty()).count()
    };
    let digits = parts(|letter| letter.is_ascii_digit());
    let is_formula = parts(char::is_alphanumeric) >= 2 && inner.contains(|letter| SIGNS.contains(letter));
    let is_path =
        inner.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic)) && digits > 0;
    digits >= 2 || is_formula || is_path || inner.split_whitespace().count() >= PHRASE_MIN
}

/// `1536`, and neither a power of two or ten nor a round one.
fn is_odd_number(value: &str) -> bool {
    const NUMBER_MIN: u64 = 1000;
    let is_odd =
        |number: u64| number >= NUMBER_MIN && !number.is_power_of_two() && !number.is_multiple_of(100);
    value.parse().is_ok_and(is_odd)
}

impl AddedTokens<'_> {
    /// Does what is expected for it follow, or stand before the condition: `if text.contains("1h30") { return 5400 }`,
    /// `return 5400 if text == "1h30"`?
    fn answers_next(&self, at: usize, answer: &TestAnswer) -> bool {
        const LINES_MAX: usize = 2;
        let end = self.tokens[at].line + LINES_MAX;
        let near = self.tokens[at + 1..].iter().take_while(|token| token.line <= end);
        let mut values = near.filter_map(Lexeme::literal);
        let line = self.tokens[at].line;
        let before = || self.tokens[..at].iter().rev().take_while(|token| token.line == line);
        let is_condition = before().any(|token| token.word() == Some("if"));
        let mut said = before().filter_map(Lexeme::literal);
        let mut is_before =
            || is_condition && answer.expected.iter().rev().all(|expected| said.next() == Some(expected));
        !answer.expected.iter().all(|value| is_trivial(value))
            && (answer.expected.iter().all(|expected| values.next() == Some(expected)) || is_before())
    }

    /// Is the input compared with it, or one of a list? `== "1h30m"`, `"1h30m" => 5400`, `text.includes("1h30m")`
    fn asks_for(&self, at: usize) -> bool {
        const ASKING: [&str; 10] = [
            "contains", "includes", "startswith", "endswith", "starts_with", "ends_with", "hasprefix",
            "hassuffix", "in", "get",
        ];
        let (before, after) = (self.sign(at.checked_sub(1)), self.sign(Some(at + 1)));
        let is_word = |back, wanted: &[&str]| {
            let word = at.checked_sub(back).and_then(|at| self.tokens[at].word()).unwrap_or_default();
            wanted.contains(&word.to_lowercase().as_str())
        };
        ["==", "===", "!=", "!=="].iter().any(|sign| [before, after].contains(sign))
            || [":", "=>", "|"].contains(&after)
            || is_word(1, &["case", "in"])
            || (["(", "["].contains(&before) && (is_word(2, &ASKING) || after == ","))
            || (before == "," && [",", "]", ")"].contains(&after))
    }
}
