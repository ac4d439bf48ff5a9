//! The form in which a runner shows what a product gave, learnt from one value that is known.

use super::super::{has_word, places_of, spliced};

/// What was expected, where it stands before the value: something else stands there another time.
const EXPECTED: &str = "\u{1}";

/// What stands before a value in a line, each run of digits as `#`, and what ends it: all that stands between it and what
/// was expected, else a letter; nothing where it ends the line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ValueForm {
    before: String,
    end: String,
}

/// The forms of one runner and one suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownForms {
    forms: Vec<ValueForm>,
    /// So many lines of an output show one value: some runners show it again in their summary, or twice where nobody watches
    /// (`CI=true`).
    pub lines_each: usize,
}

impl ShownForms {
    /// Learnt from the output of tests that got the first of such literals and expected the second.
    pub fn learnt(output: &str, pairs: &[[String; 2]]) -> Self {
        let mut forms: Vec<(ValueForm, usize)> = Vec::new();
        for [got, expected] in pairs {
            for form in forms_in(output, [unquoted(got), unquoted(expected)]) {
                match forms.iter_mut().find(|(known, _)| *known == form) {
                    Some((_, times)) => *times += 1,
                    None => forms.push((form, 1)),
                }
            }
        }
        // An answer may be shown as a question, too, but not each of them.
        forms.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        let learnt = Self { forms: forms.into_iter().map(|(form, _)| form).collect(), lines_each: 1 };
        let shown = pairs.iter().filter(|[_, expected]| has_word(output, unquoted(expected))).count().max(1);
        Self { lines_each: (learnt.values(output).len() / shown).max(1), ..learnt }
    }

    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The values that this output shows, in the first form that fits a line.
    pub fn values(&self, output: &str) -> Vec<String> {
        output.lines().filter_map(|line| self.value(line)).collect()
    }

    /// The values that it shows beside this expectation, those in its own line first. A loop over rows ends at the first
    /// that fails, whichever that is.
    pub fn values_beside(&self, output: &str, expected: &str) -> Vec<String> {
        let (lines, expected): (Vec<&str>, &str) = (output.lines().collect(), unquoted(expected));
        let mut beside: Vec<_> = (0..lines.len()).filter(|at| is_near(&lines, *at, expected)).collect();
        beside.sort_by_key(|index| !has_word(lines[*index], expected));
        beside.into_iter().filter_map(|index| self.value(lines[index])).collect()
    }

    fn value(&self, line: &str) -> Option<String> {
        self.forms.iter().find_map(|form| {
            let rest = after(line, &form.before)?;
            let Some(first) = form.end.chars().next() else { return Some(rest.to_owned()) };
            let end = rest.find(&form.end).or_else(|| rest.find(first))?;
            Some(rest[..end].to_owned())
        })
    }
}

/// Does the word stand by itself around that line?
fn is_near(lines: &[&str], index: usize, word: &str) -> bool {
    /// So many lines apart a runner shows both.
    const LINES_MAX: usize = 3;
    let near = &lines[index.saturating_sub(LINES_MAX)..lines.len().min(index + LINES_MAX + 1)];
    near.iter().any(|line| has_word(line, word))
}

fn forms_in(output: &str, [got, expected]: [&str; 2]) -> Vec<ValueForm> {
    const LETTERS_MIN: usize = 3;
    let lines: Vec<&str> = output.lines().collect();
    let form = |(index, line): (usize, &&str)| {
        // A long text stands nowhere by chance.
        if !is_near(&lines, index, expected) && got.chars().count() < LETTERS_MIN {
            return None;
        }
        let at = places_of(line, got).next()?;
        let before = &line[..at];
        let wanted = places_of(before, expected).map(|at| (at..at + expected.len(), EXPECTED));
        let before = masked(&spliced(before, wanted));
        let behind = &line[at + got.len()..];
        let letter = behind.chars().next().map_or(0, char::len_utf8);
        let end = &behind[..places_of(behind, expected).next().unwrap_or(letter)];
        let end = end.split(|letter: char| letter.is_ascii_digit()).next().unwrap_or_default().to_owned();
        Some(ValueForm { before, end })
    };
    lines.iter().enumerate().filter_map(form).collect()
}

/// Without quotes.
fn unquoted(literal: &str) -> &str {
    literal.trim_matches(['"', '\'', '`'])
}

fn masked(text: &str) -> String {
    let mut masked = String::new();
    for letter in text.chars() {
        if !letter.is_ascii_digit() {
            masked.push(letter);
        } else if !masked.ends_with('#') {
            masked.push('#');
        }
    }
    masked
}

/// What follows in this line on what was masked so.
fn after<'line>(line: &'line str, masked: &str) -> Option<&'line str> {
    let (mut rest, is_digit) = (line, |letter: char| letter.is_ascii_digit());
    let mut letters = masked.chars().peekable();
    while let Some(letter) = letters.next() {
        if EXPECTED.contains(letter) {
            rest = &rest[rest.find(*letters.peek()?)?..];
            continue;
        }
        rest = match rest.strip_prefix(letter) {
            Some(after) => after,
            None if letter == '#' && rest.starts_with(is_digit) => rest.trim_start_matches(is_digit),
            None => return None,
        };
    }
    Some(rest)
}
