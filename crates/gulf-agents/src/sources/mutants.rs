//! Errors put into the lines that a change added, one at a time: checks that see the change turn red (SPEC B3).
//!
//! A token is another one, so whatever the language the source stays one: an operator, a truth, a number, what is returned, a call
//! that is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Language;
use super::aware::is_product;
use super::blocks::{Part, blocks};
use super::canary::TRUTHS;
use super::graft::Changed;
use super::lines_of;
use super::support::file_of;
use super::tokens::{Lexeme, LexemeKind, tokens};
use crate::differing::hunks;

/// A source in which one of the added lines says something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The file.
    pub path: String,
    /// From 1.
    pub line: usize,
    /// The line as it is, and as it is here.
    pub texts: [String; 2],
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Is the language compiled? Then a source that does not build says nothing of the tests.
    pub is_compiled: bool,
}

/// The errors that can be put into the added lines of the product, no more than `max`, spread over the change. Words for
/// people need none; fails with the file of the change that is no source that is read here.
pub fn mutants(files: &BTreeMap<String, Changed>, max: usize) -> Result<Vec<Mutant>, &str> {
    let mut all = Vec::new();
    let before: String = files.values().map(|file| file.texts()[0].clone()).collect();
    for (path, file) in files.iter().filter(|(path, file)| is_product(path) && file.candidate.is_some()) {
        let now = file.candidate.as_deref().unwrap_or_default();
        match (Language::from_path(path), std::str::from_utf8(now)) {
            (Some(language), Ok(text)) => {
                all.extend(of_file(path, language, [&file.texts()[0], text], &before));
            }
            _ if is_prose(path) => {}
            _ => return Err(path),
        }
    }
    let (count, kept) = (all.len(), all.len().min(max));
    let chosen: BTreeSet<usize> = (0..kept).map(|place| place * count / kept.max(1)).collect();
    let spread = all.into_iter().enumerate().filter(|(place, _)| chosen.contains(place));
    Ok(spread.map(|(_, mutant)| mutant).collect())
}

pub(super) fn is_prose(path: &str) -> bool {
    let name = file_of(path);
    [".md", ".rst", ".txt", ".adoc"].iter().any(|ending| name.ends_with(ending))
        || ["LICENSE", "NOTICE", "AUTHORS", "CODEOWNERS", ".gitignore"].contains(&name)
}

/// One for each added line that has something to change. A text that stood somewhere before is only moved.
fn of_file(path: &str, language: Language, [base, text]: [&str; 2], before: &str) -> Vec<Mutant> {
    let tests = blocks(path, text.as_bytes(), Part::InlineTests).unwrap_or_default();
    let tests: Vec<_> = tests.iter().map(|block| lines_of(text, &block.bytes)).collect();
    let found = tokens(path, text);
    // Those that the old text has not at their place.
    let (old, new): (Vec<&str>, Vec<&str>) = (base.lines().collect(), text.lines().collect());
    let added = hunks(&old, &new).into_iter().flat_map(|[_, added]| added).map(|index| index + 1);
    let of_line = |line: usize| {
        let here: Vec<&Lexeme> = found.iter().filter(|token| token.line == line).collect();
        // Names of what Python's modules give away, over as many lines as there are.
        let mut words = found.iter().rev().skip_while(|token| token.line > line).filter_map(Lexeme::word);
        if words.next() == Some("__all__") {
            return None;
        }
        let (place, instead) = changed(language, [text, before], &here)?;
        // Of two sources of one length Python believes that they are one, within a second.
        let bytes =
            format!("{}{instead}{}{}", &text[..place.start], &text[place.end..], "\n".repeat(line % 97 + 1));
        let was = new.get(line - 1)?.trim().to_owned();
        let is = bytes.split('\n').nth(line - 1)?.trim().to_owned();
        let is_compiled = matches!(language, Language::Rust | Language::Go | Language::Java);
        let (path, bytes) = (path.to_owned(), bytes.into_bytes());
        Some(Mutant { path, line, texts: [was, is], bytes, is_compiled })
    };
    let in_tests = |line: &usize| tests.iter().any(|test| test.contains(*line));
    added.filter(|line| !in_tests(line)).filter_map(of_line).collect()
}

/// Each sign, and what stands in its place; a row counts where none of the rows above it has a sign of the line.
const SIGNS: [&[&str]; 3] = [
    &["== !=", "!= ==", "=== !==", "!== ===", "<= >", ">= <", "< >=", "> <="],
    &["&& ||", "|| &&", "and or", "or and"],
    &["+ -", "- +", "* +", "/ *", "% *", "+= -=", "-= +="],
];

/// Where in a line something can be another, and what.
fn changed(
    language: Language,
    [text, before]: [&str; 2],
    line: &[&Lexeme],
) -> Option<(Range<usize>, String)> {
    let first = line.first()?.word().unwrap_or_default();
    const NAMES_THINGS: [&str; 10] =
        ["import", "from", "use", "package", "require", "mod", "class", "def", "fn", "type"];
    if NAMES_THINGS.contains(&first) {
        return None;
    }
    let is_apart = |token: &&&Lexeme| {
        text[..token.bytes.start].ends_with(' ') && text[token.bytes.end..].starts_with(' ')
    };
    let sign = |pairs: &&[&str]| {
        line.iter().filter(is_apart).find_map(|token| {
            let mut pairs = pairs.iter().filter_map(|pair| pair.split_once(' '));
            let (_, other) = pairs.find(|(one, _)| token.is(one) || token.word() == Some(*one))?;
            Some((token.bytes.clone(), other.to_owned()))
        })
    };
    let other_sign = SIGNS.iter().find_map(sign);
    other_sign
        .or_else(|| line.iter().find_map(|token| literal([text, before], token)))
        .or_else(|| returned(language, text, line))
        .or_else(|| call(language, line))
}

/// `true` is `false`, a number is the next one, a new text has a sign more.
fn literal([text, before]: [&str; 2], token: &Lexeme) -> Option<(Range<usize>, String)> {
    let written = &text[token.bytes.clone()];
    let other = match token.literal()? {
        _ if let Some((_, other)) = TRUTHS.iter().find(|(one, _)| *one == written) => (*other).to_owned(),
        value if value.starts_with('"') => {
            // In the middle: a test may look for a part of it.
            let (start, end) = written.split_at(written.floor_char_boundary(written.len() / 2));
            let is_plain = written.len() > 2 && !written.contains(['\\', '{', '%', '$']);
            (is_plain && !before.contains(written)).then(|| format!("{start}~{end}"))?
        }
        _ => (written.parse::<u64>().ok()?.checked_add(1)?).to_string(),
    };
    Some((token.bytes.clone(), other))
}

/// Nothing is returned, where a language lets that pass.
fn returned(language: Language, text: &str, line: &[&Lexeme]) -> Option<(Range<usize>, String)> {
    let nothing = match language {
        Language::Python => "None",
        Language::Script => "undefined",
        Language::Ruby => "nil",
        Language::Rust | Language::Go | Language::Java => return None,
    };
    let [word, rest @ ..] = line else { return None };
    let (first, last) = (rest.first()?, rest.last()?);
    // What goes on in the next line would be left over.
    let ends = last.is(";") || closes_what_it_opens(rest);
    let end = if last.is(";") { last.bytes.start } else { last.bytes.end };
    let is_whole = word.word() == Some("return") && ends && text[first.bytes.start..end].trim() != nothing;
    is_whole.then(|| (first.bytes.start..end, nothing.to_owned()))
}

fn closes_what_it_opens(tokens: &[&Lexeme]) -> bool {
    let opened = tokens.iter().filter(|token| token.opens()).count();
    opened == tokens.iter().filter(|token| token.closes()).count()
}

/// `self.items.append(one)` does not happen.
fn call(language: Language, line: &[&Lexeme]) -> Option<(Range<usize>, String)> {
    let opens = line.iter().position(|token| token.is("("))?;
    let is_name = |token: &&Lexeme| match &token.kind {
        LexemeKind::Word(word) => {
            !["return", "if", "while", "for", "match", "switch", "await", "else", "defer"]
                .contains(&word.as_str())
        }
        LexemeKind::Sign(sign) => [".", "::"].contains(sign),
        LexemeKind::Literal(_) => false,
    };
    let last = line.last()?;
    let ends = last.is(";") || (last.is(")") && !matches!(language, Language::Rust));
    let is_call = opens > 0 && line[..opens].iter().all(is_name) && ends && closes_what_it_opens(line);
    let nothing = if language == Language::Python { "pass" } else { "" };
    is_call.then(|| (line[0].bytes.start..last.bytes.end, nothing.to_owned()))
}

#[cfg(test)]
mod tests;
