//! What a change calls equal: tests that compare by it pass by its word (SPEC B3).
//!
//! Nothing is read of what such a function does: the plainest one takes its place, for which only what has the same
//! parts is equal, and values that tests may expect become others.

use std::collections::BTreeMap;
use std::ops::Range;

use super::graft::{Changed, Edit};
use super::scan::first_word;
use super::stubs::ProductChange;
use super::tokens::{Lexeme, closing, outside_brackets};
use super::{Language, places_of};

/// What languages and their libraries call the question whether two values are equal.
const NAMES: [&str; 6] = ["__eq__", "eq", "equals", "Equals", "Equal", "isEqual"];

/// The change with the plainest equality in place of each that it says of its own; empty where it says none.
pub fn plain_equality(files: &BTreeMap<String, Changed>) -> Vec<Edit> {
    ProductChange::all(files).filter_map(|change| change.with(statement)).collect()
}

/// What a function with this head does where only the same parts are equal; none where it asks something else.
fn statement(language: Language, head: &str) -> Option<String> {
    let (name, start) = NAMES.iter().find_map(|name| {
        let mut ends = places_of(head, name).map(|at| at + name.len());
        Some((*name, ends.find(|end| head[*end..].starts_with('('))? + 1))
    })?;
    let inputs: Vec<&str> = head[start..].split(')').next()?.split(',').filter_map(first_name).collect();
    match (language, inputs.as_slice()) {
        (Language::Python, [one, other]) if name == "__eq__" || *one == "self" => Some(format!(
            "return type({one}) is type({other}) and {one}.__reduce_ex__(2)[1:3] == {other}.__reduce_ex__(2)[1:3]"
        )),
        (Language::Rust, ["self", other]) => Some(format!(
            "if true {{ return ::std::format!(\"{{:?}}\", self) == ::std::format!(\"{{:?}}\", {other}); }}"
        )),
        (Language::Script, [other]) if !head.contains("function") => {
            Some(format!("if (true) return JSON.stringify(this) === JSON.stringify({other});"))
        }
        (Language::Go, [other]) => {
            let receiver = head.strip_prefix("func (")?.split(')').next()?;
            let star = if receiver.contains('*') { "*" } else { "" };
            let one = first_name(receiver)?;
            Some(format!("if true {{ return interface{{}}({star}{one}) == interface{{}}({star}{other}) }};"))
        }
        _ => None,
    }
}

/// `&self`, `other: &Money`, `t *Time`
fn first_name(input: &str) -> Option<&str> {
    Some(first_word(input.trim().trim_start_matches('&'))).filter(|name| !["", "_"].contains(name))
}

/// May something have to equal this value? It stands behind a sign of equality, or last among what stands side by side.
pub(super) fn may_be_expected(text: &str, tokens: &[Lexeme], at: &Range<usize>) -> bool {
    let Some(index) = tokens.iter().position(|token| token.bytes.start == at.start) else { return false };
    let is_here = |token: &&Lexeme| token.line == tokens[index].line;
    let start = index - tokens[..index].iter().rev().take_while(is_here).count();
    let line = &tokens[start..index + tokens[index..].iter().take_while(is_here).count()];
    let index = index - start;
    // `assert CI("a") != "b"`, `expect(a).not.toBe(3)`
    let words = || line.iter().filter_map(Lexeme::word);
    let asserts = words().any(|word| word.starts_with("assert") || word == "expect");
    const NEGATIONS: [&str; 7] =
        ["NotEqual", "notEqual", "notStrictEqual", "not_equal", "assert_ne", "notDeep", "NotDeep"];
    let says_not = words().any(|word| word == "not" || NEGATIONS.iter().any(|part| word.contains(part)));
    let is_unequal = line.iter().any(|token| token.is("!=") || token.is("!=="));
    if asserts && (says_not || is_unequal) {
        return false;
    }
    let signs = ["==", "!=", "===", "!=="];
    let is_sign = |token: &Lexeme| signs.iter().any(|sign| token.is(sign));
    if let Some(sign) = line.iter().rposition(is_sign) {
        return index > sign;
    }
    // A sentence says what was tested.
    let is_prose = text[at.clone()].contains([' ', '%']);
    let is_around =
        |place: &usize| line[*place].opens() && closing(line, *place).is_none_or(|close| close >= index);
    let open: Vec<usize> = (0..index).filter(is_around).collect();
    let callee = |place: usize| place.checked_sub(1).and_then(|before| line[before].word());
    let is_of_runner = |place: &usize| {
        callee(*place).is_some_and(|word| ["test", "it", "describe", "Run", "param"].contains(&word))
    };
    let lasts = open.iter().filter(|place| !is_of_runner(place));
    let last = lasts.map(|place| last_comma(line, *place)).find(Option::is_some);
    let is_asked = || open.iter().any(|place| callee(*place).is_some_and(|word| NAMES.contains(&word)));
    !is_prose && last.flatten().map_or_else(is_asked, |comma| index > comma)
}

/// The last comma directly within the bracket that opens here, but for one that nothing follows.
fn last_comma(line: &[Lexeme], open: usize) -> Option<usize> {
    let close = closing(line, open).unwrap_or(line.len());
    outside_brackets(line, open + 1..close).filter(|at| line[*at].is(",") && at + 1 < line.len()).last()
}

#[cfg(test)]
mod tests;
