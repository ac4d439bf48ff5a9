//! What becomes of a word: braces and variables replaced, each choice an argument of its own.
//!
//! It stands apart because a word may be many: `{a,b}`, a list, a loop's variable, a text that falls apart at its
//! blanks. All of them are tried, up to a limit.

use std::collections::HashMap;

use super::tree::{Part, Word};
use crate::guard::value::Value;

/// Arguments that one word may become.
const CHOICES_MAX: usize = 64;

/// Longer words are no paths, and what a path may become is what matters.
const BYTES_MAX: usize = 4096;

/// Variables that are remembered; what is set beyond that is unknown.
const VARIABLES_MAX: usize = 512;

/// What variables stand for. Nothing for one whose value is unknown.
#[derive(Debug, Default)]
pub(super) struct Variables {
    values: HashMap<String, Option<Vec<Value>>>,
    /// What was there before each change, so that a subshell can be left.
    past: Vec<(String, Option<Option<Vec<Value>>>)>,
}

impl Variables {
    pub(super) fn set(&mut self, name: &str, values: Option<Vec<Value>>) {
        if self.values.len() >= VARIABLES_MAX && !self.values.contains_key(name) {
            return;
        }
        let before = self.values.insert(name.to_owned(), values);
        self.past.push((name.to_owned(), before));
    }

    pub(super) fn get(&self, name: &str) -> Option<&[Value]> {
        self.values.get(name)?.as_deref()
    }

    pub(super) fn mark(&self) -> usize {
        self.past.len()
    }

    /// Undoes every change since the mark was made.
    pub(super) fn return_to(&mut self, mark: usize) {
        while self.past.len() > mark {
            match self.past.pop() {
                Some((name, Some(value))) => self.values.insert(name, value),
                Some((name, None)) => self.values.remove(&name).flatten().map(Some),
                None => return,
            };
        }
    }
}

/// All that a word may become. `value_of` knows what stands for a part that is replaced; nothing is unknown.
///
/// `skipped` bytes of the first part are left out: the name and the sign of an assignment.
pub(super) fn expand(
    word: &Word<'_>,
    skipped: usize,
    mut value_of: impl FnMut(&Part<'_>) -> Option<Vec<Value>>,
) -> Vec<Value> {
    let mut choices = vec![Value::default()];
    for (index, part) in word.parts.iter().enumerate() {
        match part {
            Part::Bare(text) => {
                let text = if index == 0 { text.get(skipped..).unwrap_or_default() } else { text };
                if text.len() < BYTES_MAX && text.contains('{') && text.contains(',') {
                    choices = product(&choices, &braces(text), |value, text| value.push_bare(text));
                } else {
                    choices.iter_mut().for_each(|value| value.push_bare(text));
                }
            }
            Part::Quoted(text) => choices.iter_mut().for_each(|value| value.push_literal(text)),
            Part::Variable { .. } | Part::Output(_) | Part::Backticks(_) | Part::List(_) | Part::Unknown => {
                match value_of(part) {
                    Some(values) => choices = product(&choices, &values, Value::push_value),
                    None => choices.iter_mut().for_each(|value| value.is_unknown = true),
                }
            }
        }
    }
    choices
}

/// Text without quotes falls apart at its blanks.
pub(super) fn split(values: &[Value]) -> Vec<Value> {
    let mut pieces = Vec::new();
    for value in values {
        if value.pattern().is_none() && value.text.contains(char::is_whitespace) {
            let words = value.text.split_whitespace().take(CHOICES_MAX);
            pieces.extend(words.map(|word| {
                let mut piece = Value::literal(word);
                piece.is_unknown = value.is_unknown;
                piece
            }));
        } else {
            pieces.push(value.clone());
        }
    }
    pieces.truncate(CHOICES_MAX);
    pieces
}

fn product<T>(choices: &[Value], added: &[T], push: impl Fn(&mut Value, &T)) -> Vec<Value> {
    let pairs = choices.iter().flat_map(|choice| added.iter().map(move |added| (choice, added)));
    let is_long = choices.iter().any(|choice| choice.text.len() > BYTES_MAX);
    pairs
        .take(if is_long { 1 } else { CHOICES_MAX })
        .map(|(choice, added)| {
            let mut value = choice.clone();
            push(&mut value, added);
            value
        })
        .collect()
}

/// `a{b,c}d` is `abd` and `acd`, from the left to the right and with braces in braces.
fn braces(text: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(text) = open.pop() {
        match first_brace(&text) {
            Some((start, end, commas)) if done.len() + open.len() < CHOICES_MAX => {
                let (before, after) = (&text[..start], &text[end + 1..]);
                let mut starts = vec![start + 1];
                starts.extend(commas.iter().map(|comma| comma + 1));
                let ends = commas.iter().copied().chain([end]);
                let choices: Vec<&str> = starts.iter().zip(ends).map(|(from, to)| &text[*from..to]).collect();
                open.extend(choices.iter().rev().map(|choice| format!("{before}{choice}{after}")));
            }
            Some(_) | None => done.push(text),
        }
    }
    done
}

/// The first pair of braces with commas of its own: where it opens and closes, and where these commas are.
fn first_brace(text: &str) -> Option<(usize, usize, Vec<usize>)> {
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open.push((at, Vec::new())),
            b',' => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            b'}' => {
                if let Some((start, commas)) = open.pop()
                    && !commas.is_empty()
                {
                    return Some((start, at, commas));
                }
            }
            _ => {}
        }
    }
    None
}
