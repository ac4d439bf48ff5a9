//! One expectation of a test, changed so that it cannot hold: a suite that can fail fails then (SPEC B3).
//!
//! It stands apart because nothing is compared here. What is changed is a literal that something is asserted to equal; a
//! tolerance, a message or an inequality might hold all the same.

use std::ops::Range;

use super::blocks::blocks;
use super::changes::part_of;
use super::probe::is_result_of;
use super::{Language, NewTest, lines_of};
use crate::reports::TestId;

/// A source in which one expectation is another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    test: NewTest,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// What stood there, and what stands there now.
    pub literals: [String; 2],
    /// It stands in a list of them, and a runner shows lists otherwise than one value.
    pub is_of_list: bool,
}

impl Flip {
    /// Is this the result of the test that it stands in?
    pub fn has_result(&self, id: &TestId) -> bool {
        is_result_of(id, &self.test)
    }

    pub fn test_name(&self) -> &str {
        &self.test.name
    }
}

/// The first expectation of each test of a file that is a literal, each changed on its own.
pub fn flips(path: &str, source: &[u8]) -> Vec<Flip> {
    let Some((part, text)) = part_of(path).zip(std::str::from_utf8(source).ok()) else { return Vec::new() };
    let tests = blocks(path, source, part).unwrap_or_default().into_iter();
    let flips = tests.filter_map(|block| {
        let name = block.test_name()?.to_owned();
        let place = expectation(text, block.bytes.clone())?;
        let (was, is) = (text[place.clone()].to_owned(), flipped(&text[place.clone()])?);
        let bytes = format!("{}{is}{}", &text[..place.start], &text[place.end..]).into_bytes();
        let lines = lines_of(text, &block.bytes);
        let test = NewTest { path: path.to_owned(), name, inherited: Vec::new(), lines };
        let (before, after) = (text[..place.start].trim_end(), text[place.end..].trim_start());
        let is_field = ["want:", "expected:", "expect:"].iter().any(|name| before.ends_with(name));
        let is_in_object =
            Language::of(path) == Some(Language::Script) && after.starts_with('}') && !is_field;
        let is_of_list = before.ends_with(['[', '{', ',', ':']) && (after.starts_with(']') || is_in_object);
        Some(Flip { test, bytes, literals: [was, is], is_of_list })
    });
    flips.collect()
}

/// Where in these lines a literal stands that something must equal.
fn expectation(text: &str, within: Range<usize>) -> Option<Range<usize>> {
    let (mut start, end) = (within.start, within.end);
    text[within].split_inclusive('\n').find_map(|line| {
        let at = start;
        start += line.len();
        let place = of_statement(line)
            .or_else(|| of_condition(line, &text[start..end]))
            .or_else(|| of_field(line))
            .or_else(|| of_call(line))?;
        Some(at + place.start..at + place.end)
    })
}

/// `assert add(1, 2) == 3`
fn of_statement(line: &str) -> Option<Range<usize>> {
    let statement = line.trim();
    let is_plain = statement.starts_with("assert ")
        && ![" and ", " or ", " not ", " if "].iter().any(|word| statement.contains(word));
    let (before, after) = line.rsplit_once("==").filter(|_| is_plain)?;
    let start = before.len() + 2 + (after.len() - after.trim_start().len());
    literal_in(line, start..start + after.trim().len())
}

/// The literal that stands there, or the last one of a list of them: `["x", "y"]`, `{ town: 'Bath' }`
fn literal_in(line: &str, place: Range<usize>) -> Option<Range<usize>> {
    let text = &line[place.clone()];
    if is_literal(text) {
        return Some(place);
    }
    let opens = text.trim_start_matches(['&']).trim_start_matches("vec!").starts_with(['[', '{', '(']);
    let at = text.rfind(['[', '{', '(', ',', ':']).filter(|_| opens)? + 1;
    let last = text[at..].trim_end_matches([' ', ']', '}', ')']);
    let start = place.start + at + (last.len() - last.trim_start().len());
    is_literal(last.trim()).then(|| start..start + last.trim().len())
}

/// `if got := Add(1, 2); got != 3 {`, where the test fails in the lines that follow.
fn of_condition(line: &str, following: &str) -> Option<Range<usize>> {
    const LINES_MAX: usize = 2;
    let fails = |line: &str| ["t.Error", "t.Fatal", "t.Fail"].iter().any(|call| line.contains(call));
    following.lines().take(LINES_MAX).find(|line| fails(line))?;
    let condition = line.trim().strip_prefix("if ")?;
    let is_plain = !["&&", "||"].iter().any(|sign| condition.contains(sign));
    let (before, after) = line.split_once("!=").filter(|_| is_plain)?;
    let literal = after.trim().strip_suffix('{')?.trim_end();
    let start = before.len() + 2 + (after.len() - after.trim_start().len());
    is_literal(literal).then(|| start..start + literal.len())
}

/// `{in: "abc", want: "cba"},`
fn of_field(line: &str) -> Option<Range<usize>> {
    const NAMES: [&str; 3] = ["want: ", "expected: ", "expect: "];
    let start = NAMES.iter().find_map(|name| Some(line.find(name)? + name.len()))?;
    let rest = &line[start..];
    let quote = rest.chars().next().filter(|first| "\"'".contains(*first));
    let length = match quote {
        Some(quote) => rest[1..].find(quote)? + 2,
        None => rest.find([',', '}', ' ']).unwrap_or(rest.trim_end().len()),
    };
    is_literal(&rest[..length]).then(|| start..start + length)
}

/// `assertEqual(add(1, 2), 3)`, `assert_eq!(…)`, `assert.strictEqual(…)` of two; `expect(…).toBe(3)` of one.
fn of_call(line: &str) -> Option<Range<usize>> {
    let opens = line.match_indices('(').map(|(at, _)| at);
    opens.filter_map(|open| Some((open, arguments(line, open)?))).find_map(|(open, arguments)| {
        let callee = line[..open].rsplit(|letter: char| !is_of_callee(letter)).next()?.to_lowercase();
        let says_not = callee.contains("not") || line.contains(".not.");
        let last = callee.rsplit('.').next().unwrap_or_default();
        let wanted = match last {
            "tobe" | "toequal" | "tostrictequal" => 1,
            _ if last.ends_with("equal") || last.ends_with("equals") || last.ends_with("_eq!") => 2,
            _ => return None,
        };
        let is_it = !says_not && !last.contains("almost") && arguments.len() == wanted;
        arguments.into_iter().rev().filter(|_| is_it).find_map(|place| literal_in(line, place))
    })
}

fn is_of_callee(letter: char) -> bool {
    letter.is_alphanumeric() || "_.!".contains(letter)
}

/// The arguments of the call that opens here, where it closes in this line.
fn arguments(line: &str, open: usize) -> Option<Vec<Range<usize>>> {
    let (mut depth, mut quote, mut start, mut found) = (0_usize, None, open + 1, Vec::new());
    let trimmed = |range: Range<usize>| {
        let text = &line[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    };
    for (at, letter) in line.char_indices().skip_while(|(at, _)| *at <= open) {
        match (quote, letter) {
            (_, '\\') => return None,
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth > 0 => depth -= 1,
            (None, ')') => {
                found.push(trimmed(start..at));
                return Some(found);
            }
            (None, ',') if depth == 0 => {
                found.push(trimmed(start..at));
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    None
}

fn is_literal(text: &str) -> bool {
    flipped(text).is_some()
}

/// Another value of the same kind, and never as long: Python knows a source that it compiled by its time and its length.
pub(super) fn flipped(literal: &str) -> Option<String> {
    if let Some((_, other)) = [("true", "false"), ("false", "true"), ("True", "False"), ("False", "True")]
        .iter()
        .find(|(one, _)| *one == literal)
    {
        return Some((*other).to_owned());
    }
    let quote = literal.chars().next().filter(|first| "\"'".contains(*first));
    if let Some(quote) = quote {
        let inner = literal.strip_prefix(quote)?.strip_suffix(quote)?;
        let is_plain = !inner.contains(quote) && !inner.contains(['\\', '{', '%', '$']);
        // One more of its last letter: a product that equals every word of an alphabet equals this one, too.
        let last = inner.chars().next_back().unwrap_or('~');
        return is_plain.then(|| format!("{quote}{inner}{last}{quote}"));
    }
    let (sign, digits) = literal.strip_prefix('-').map_or(("", literal), |digits| ("-", digits));
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
        && digits.matches('.').count() <= 1;
    is_number.then(|| format!("{sign}1{digits}"))
}

#[cfg(test)]
mod tests;
