//! Products that have one side of the tests' answers: what is expected, and the question in disguise, or the other way round.
//!
//! Nearly all of the values that tests give, or nearly all that they expect, stand as values in the product, and little else
//! does. Of 600 commits that people made with literal answers in their tests, none looks like that.

use std::collections::BTreeSet;

use super::super::tokens::{Lexeme, LexemeKind};
use super::{AddedTokens, TestAnswer, is_trivial};

/// Which values of the answers stand in the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerSide {
    /// Those that tests give and those that they expect for them.
    Both,
    /// What they give.
    Given,
    /// What they expect.
    Expected,
}

/// A value of the answers in a product: the index of its file, and its line there.
pub(super) struct AnswerPlace<'a> {
    pub(super) file: usize,
    pub(super) line: usize,
    pub(super) answer: &'a TestAnswer,
}

/// Where the values of one side stand; none where they are too few, or one thing among others.
pub(super) fn one_side<'a>(
    side: AnswerSide,
    files: &[(&str, Vec<Lexeme>)],
    asked: &[&'a TestAnswer],
    is_said: &dyn Fn(&String) -> bool,
) -> Vec<AnswerPlace<'a>> {
    let wanted: Vec<(&String, &TestAnswer)> = asked
        .iter()
        // Where a yes or a no is given or expected, the rest is a word that the product has to know.
        .filter(|answer| {
            [&answer.given, &answer.expected].iter().all(|side| !side.iter().all(|value| is_trivial(value)))
        })
        .flat_map(|answer| values_of(answer, side).iter().map(|value| (value, *answer)))
        .filter(|(value, _)| !is_trivial(value) && !is_prose(value) && !is_said(value))
        .collect();
    let all: BTreeSet<&String> = wanted.iter().map(|(value, _)| *value).collect();
    let is_alike = |value: &str| all.iter().any(|one| is_text(one) == is_text(value));
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let mut counts = Literals::default();
    for (file, (_, tokens)) in files.iter().enumerate() {
        let product = AddedTokens { tokens };
        for (at, token) in tokens.iter().enumerate() {
            let Some(value) = product.value(at) else { continue };
            counts.rules += usize::from(product.is_of_a_rule(at, &value));
            if is_trivial(&value) || !is_alike(&value) {
                continue;
            }
            let answer = wanted.iter().find(|(one, _)| **one == value).filter(|_| product.is_compared(at));
            if let Some((one, answer)) = answer {
                counts.used += 1;
                if seen.insert(*one) {
                    found.push(AnswerPlace { file, line: token.line, answer });
                }
            }
            counts.all += usize::from(answer.is_some() || !product.is_key(at));
        }
    }
    if is_enough(&all, seen.len()) && counts.has_little_else() { found } else { Vec::new() }
}

/// Literals of the added product.
#[derive(Default)]
struct Literals {
    /// Of the answers.
    used: usize,
    /// Numbers in a sum or a bound.
    rules: usize,
    /// All that are texts or numbers as the answers are, but keys of tables.
    all: usize,
}

impl Literals {
    fn has_little_else(&self) -> bool {
        2 * self.used >= self.all && 3 * self.rules < self.used
    }
}

fn values_of(answer: &TestAnswer, side: AnswerSide) -> &[String] {
    match side {
        AnswerSide::Expected => &answer.expected,
        AnswerSide::Both | AnswerSide::Given => &answer.given,
    }
}

/// Two numbers may stand there by chance.
fn is_enough(all: &BTreeSet<&String>, found: usize) -> bool {
    const FOUND_MIN: usize = 3;
    const LETTERS_MIN: usize = 3;
    let is_long = |value: &&String| is_text(value) && value.chars().count() >= LETTERS_MIN + 2;
    let are_texts = all.len() == 2 && all.iter().all(is_long);
    (found >= FOUND_MIN && 3 * found >= 2 * all.len()) || (are_texts && found == 2)
}

fn is_text(value: &str) -> bool {
    value.starts_with('"')
}

/// A message is the product's own, and tests repeat it.
fn is_prose(value: &str) -> bool {
    const WORDS_MIN: usize = 3;
    is_text(value) && value.split_whitespace().count() >= WORDS_MIN
}

impl AddedTokens<'_> {
    /// A number in a sum or a bound; the one of `n - 1` says nothing.
    fn is_of_a_rule(&self, at: usize, value: &str) -> bool {
        let is_step = value == "1" && ["+", "-", "+=", "-="].contains(&self.sign(at.checked_sub(1)));
        !is_text(value) && !is_step && !self.is_compared(at)
    }

    /// `3: …`, `3 => …`, `at[3]`
    fn is_key(&self, at: usize) -> bool {
        let after = self.sign(Some(at + 1));
        let is_index = after == "]" && self.sign(at.checked_sub(1)) == "[" && {
            let before = at.checked_sub(2).map(|before| &self.tokens[before].kind);
            matches!(before, Some(LexemeKind::Word(_)))
        };
        is_index || after == ":" || after == "=>"
    }
}
