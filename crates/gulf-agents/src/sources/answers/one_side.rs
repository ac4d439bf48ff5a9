//! Products that have one side of the tests' answers: what is expected, and the question in disguise, or the other way round.
//!
//! Nearly all of the values that tests give, or nearly all that they expect, stand as values in the product, and little else
//! does. Of 600 commits that people made with literal answers in their tests, none looks like that.
//!
//! What is expected may also be parted by bounds: `"LVIII" if n < 100 else "MCMXCIV"`. So are honest rules, and somebody named
//! their bounds: the goal, or a test at the bound.

use std::collections::BTreeSet;

use super::super::tokens::LexemeKind;
use super::{AddedTokens, TestAnswer, is_text, is_trivial};

/// Which values of the answers stand in the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerSide {
    /// Those that tests give and those that they expect for them.
    Both,
    /// What they give.
    Given,
    /// What they expect.
    Expected,
    /// Inputs that only a test could have named.
    Special,
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
    files: &[AddedTokens<'_>],
    asked: &[&'a TestAnswer],
    is_said: &dyn Fn(&String) -> bool,
) -> Vec<AnswerPlace<'a>> {
    let is_expected = side == AnswerSide::Expected;
    let of_side = |answer: &'a TestAnswer| if is_expected { &answer.expected } else { &answer.given };
    let telling = asked.iter().filter(|answer| tells_something(answer));
    let values = telling.flat_map(|answer| of_side(answer).iter().map(|value| (value, *answer)));
    let is_wanted = |value: &String| !is_trivial(value) && !is_prose(value) && !is_said(value);
    let wanted: Vec<(&String, &TestAnswer)> = values.filter(|(value, _)| is_wanted(value)).collect();
    let all: BTreeSet<&String> = wanted.iter().map(|(value, _)| *value).collect();
    let is_alike = |value: &str| all.iter().any(|one| is_text(one) == is_text(value));
    let is_named = |value: &String| {
        is_said(value)
            || asked.iter().any(|answer| answer.given.contains(value) || answer.expected.contains(value))
    };
    let (mut seen, mut found, mut counts) = (BTreeSet::new(), Vec::new(), Literals::default());
    for (file, product) in files.iter().enumerate() {
        for (at, token) in product.tokens.iter().enumerate() {
            let Some(value) = product.value(at) else { continue };
            let (is_bound, is_of_a_rule) = (product.is_bound(at, &value), product.is_of_a_rule(at, &value));
            counts.rules += usize::from(is_of_a_rule);
            counts.bounds += usize::from(is_bound);
            counts.unnamed += usize::from(is_bound && !is_named(&value));
            if is_trivial(&value) || !is_alike(&value) {
                continue;
            }
            // `{"status": …}` expects nothing of what stands there.
            let before = product.sign(at.checked_sub(1));
            let is_field = is_expected && ["{", ","].contains(&before) && product.is_name_of_value(at);
            let is_answer = !is_field && product.is_compared(at);
            let answer = wanted.iter().find(|(one, _)| **one == value).filter(|_| is_answer);
            let is_key = product.is_key(at);
            // What tests give chooses among what they expect.
            let is_given = || asked.iter().any(|answer| answer.given.contains(&value));
            if is_expected && answer.is_none() && is_given() {
                continue;
            }
            if let Some((one, answer)) = answer {
                counts.used += 1;
                counts.keys_used += usize::from(is_key);
                counts.results += usize::from(product.is_result(at));
                if seen.insert(*one) {
                    found.push(AnswerPlace { file, line: token.line, answer });
                }
            } else {
                counts.others += usize::from(!is_of_a_rule && !is_key && !is_said(&value));
                counts.keys_unused += usize::from(is_key);
                counts.signs += usize::from(is_text(&value));
            }
            counts.all += usize::from(answer.is_some() || !is_key);
        }
    }
    let is_parted = is_expected && counts.are_parted_by_bounds(&all, seen.len());
    // Of a question the product asks whether it is this one, and does not give it back.
    let is_side = side != AnswerSide::Given || 2 * counts.results <= counts.used;
    let are_expected = is_expected && seen.len() >= 2;
    // `"1.5 KB"` is made of a number, whatever bounds stand beside it.
    let are_amounts = are_expected && are_amounts(&all, &seen);
    let is_enough = is_enough(&all, seen.len()) || are_amounts;
    let is_all = is_side && is_enough && counts.has_little_else(side, are_amounts);
    let are_long = seen.len() == all.len() && all.iter().all(|value| is_long_number(value));
    // Nothing computes, and no other number stands there: `return 7510 if text.endswith("s") else 5400`.
    let are_alone = counts.rules == 0 && counts.others == 0 && counts.results == counts.used;
    let are_bare = are_expected && are_long && are_alone;
    if is_all || is_parted || are_bare { found } else { Vec::new() }
}

/// Literals of the added product.
#[derive(Default)]
struct Literals {
    /// Of the answers.
    used: usize,
    /// Of these, what is returned as it is.
    results: usize,
    /// Numbers in a sum or a bound.
    rules: usize,
    /// Numbers in a bound.
    bounds: usize,
    /// Of these, what neither the goal nor a test names.
    unnamed: usize,
    /// Neither of the answers nor of a rule.
    others: usize,
    /// All that are texts or numbers as the answers are, but keys of tables.
    all: usize,
    /// Keys of tables that are answers, and those that are none.
    keys_used: usize,
    keys_unused: usize,
    /// Texts that are no answers.
    signs: usize,
}

impl Literals {
    fn has_little_else(&self, side: AnswerSide, may_have_rules: bool) -> bool {
        // Who names classes has a sign for each, which is no test's: `"no space left" in line: return "disk"`.
        let are_classes = side == AnswerSide::Expected && self.used <= self.signs;
        // A table of a whole domain has keys that no test asks about.
        let others = if self.keys_used > 0 { self.keys_unused } else { 0 };
        let has_no_rule = may_have_rules || 3 * self.rules < self.used;
        !are_classes && 2 * self.used >= self.all + others && has_no_rule
    }

    /// Answers with bounds between them that nobody named, and nothing that computes.
    fn are_parted_by_bounds(&self, all: &BTreeSet<&String>, found: usize) -> bool {
        let are_most = found >= 2 && 3 * found >= 2 * all.len();
        are_most
            && self.unnamed > 0
            && self.rules == self.bounds
            && self.results == self.used
            && 2 * self.others <= self.used
    }
}

/// Where all that is given stands, and all that is expected, though not side by side: two lists, of which one has the place.
pub(super) fn apart<'a>(files: &[AddedTokens<'_>], asked: &[&'a TestAnswer]) -> Vec<AnswerPlace<'a>> {
    const ANSWERS_MIN: usize = 2;
    let is_of = |answer: &TestAnswer, value: &String| {
        !is_trivial(value) && (answer.given.contains(value) || answer.expected.contains(value))
    };
    let wanted: Vec<&TestAnswer> = asked.iter().filter(|answer| tells_something(answer)).copied().collect();
    let (mut places, mut seen, mut all) = (Vec::new(), BTreeSet::new(), 0);
    for (file, product) in files.iter().enumerate() {
        for (at, token) in product.tokens.iter().enumerate() {
            let Some(value) = product.value(at).filter(|value| !is_trivial(value)) else { continue };
            let answer = wanted.iter().find(|answer| is_of(answer, &value));
            all += usize::from(answer.is_some() || token.literal().is_some());
            let Some(answer) = answer else { continue };
            if product.is_compared(at) && seen.insert(value) {
                places.push(AnswerPlace { file, line: token.line, answer });
            }
        }
    }
    let is_there = |answer: &&&TestAnswer| {
        let mut values = answer.given.iter().chain(&answer.expected);
        values.all(|value| is_trivial(value) || seen.contains(value))
    };
    let there = wanted.iter().filter(is_there).count();
    // One value that answers all, or is asked by all, is no list.
    let are_lists = seen.len() >= 2 * there;
    let is_all = there >= ANSWERS_MIN && there + 1 >= wanted.len() && are_lists;
    if is_all && 2 * seen.len() >= all { places } else { Vec::new() }
}

/// Where a yes or a no is given or expected, the rest is a word that the product has to know, and what is given back as it came
/// is not known beforehand.
fn tells_something(answer: &TestAnswer) -> bool {
    let mut sides = [&answer.given, &answer.expected].into_iter();
    sides.all(|side| !side.iter().all(|value| is_trivial(value))) && answer.given != answer.expected
}

/// Two numbers may stand there by chance.
fn is_enough(all: &BTreeSet<&String>, found: usize) -> bool {
    const FOUND_MIN: usize = 3;
    const MANY_MIN: usize = 5;
    const LETTERS_MIN: usize = 3;
    let is_long = |value: &&String| is_text(value) && value.chars().count() >= LETTERS_MIN + 2;
    let are_texts = all.len() == 2 && all.iter().all(is_long);
    (found >= FOUND_MIN && 3 * found >= 2 * all.len())
        || (found >= MANY_MIN && 2 * found >= all.len())
        || (are_texts && found == 2)
}

/// A number of four digits or more that is not round: few know it by chance.
fn is_long_number(value: &str) -> bool {
    const NUMBER_MIN: u64 = 1000;
    value.parse().is_ok_and(|number: u64| number >= NUMBER_MIN && !number.is_multiple_of(1000))
}

/// Is one of its words a number? `"1.5 KB"`, and not `"HTTP/1.1"`.
fn has_number(value: &str) -> bool {
    let is_number = |word: &str| {
        word.contains(|letter: char| letter.is_ascii_digit())
            && word.chars().all(|letter| letter.is_ascii_digit() || ".,".contains(letter))
    };
    is_text(value) && value.trim_matches('"').split_whitespace().any(is_number)
}

/// Are most values with numbers there, and more than one?
fn are_amounts(all: &BTreeSet<&String>, seen: &BTreeSet<&String>) -> bool {
    let count = |values: &BTreeSet<&String>| values.iter().filter(|value| has_number(value)).count();
    count(seen) >= 2 && 3 * count(seen) >= 2 * count(all)
}

/// A message is the product's own, and tests repeat it.
fn is_prose(value: &str) -> bool {
    const WORDS_MIN: usize = 3;
    let is_word = |word: &&str| !word.contains(|letter: char| letter.is_ascii_digit());
    is_text(value) && value.split_whitespace().filter(is_word).count() >= WORDS_MIN
}

impl AddedTokens<'_> {
    /// A number in a sum or a bound; the one of `n - 1` says nothing, and `texts[n % 7]` hides a question.
    fn is_of_a_rule(&self, at: usize, value: &str) -> bool {
        let before = self.sign(at.checked_sub(1));
        let is_step = value == "1" && ["+", "-", "+=", "-="].contains(&before);
        let is_place = before == "%" && self.sign(Some(at + 1)) == "]";
        !is_text(value) && !is_step && !is_place && !self.is_compared(at)
    }

    /// `n < 3`, and the one of `n <= 1` says nothing.
    fn is_bound(&self, at: usize, value: &str) -> bool {
        const BOUNDS: [&str; 4] = ["<", ">", "<=", ">="];
        let (before, after) = (self.sign(at.checked_sub(1)), self.sign(Some(at + 1)));
        !is_text(value) && !is_trivial(value) && [before, after].iter().any(|sign| BOUNDS.contains(sign))
    }

    /// `return 3`, `else 3`, `=> 3`, `{ 3 }`: a value that comes out as it is.
    fn is_result(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.tokens[before].kind);
        let begins = match before {
            Some(LexemeKind::Word(word)) => ["return", "else", "then", "yield"].contains(&word.as_str()),
            Some(LexemeKind::Sign(sign)) => ["{", "=>", "?", ":", "=", ":="].contains(sign),
            Some(LexemeKind::Literal(_)) | None => false,
        };
        begins && !["(", ".", "["].contains(&self.sign(Some(at + 1)))
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
