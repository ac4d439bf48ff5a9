//! Which words of a source are comments, texts, numbers and keywords: line by line, as a change shows them.
//!
//! It colours and decides nothing: what it reads wrong looks odd and is whole. Grammars want whole files where a change has
//! pieces of them; syntect, tried first, adds 2.2 MB and knows no TypeScript.

mod languages;

use languages::SyntaxRules;
use serde::Serialize;

/// A longer line is data.
const LINE_BYTES_MAX: usize = 1_000;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SyntaxClass {
    Plain,
    Keyword,
    Text,
    Number,
    Comment,
}

/// A piece of a line, of one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct SyntaxPiece<'line> {
    pub(crate) class: SyntaxClass,
    pub(crate) text: &'line str,
}

impl SyntaxPiece<'_> {
    pub(crate) fn plain(text: &str) -> SyntaxPiece<'_> {
        SyntaxPiece { class: SyntaxClass::Plain, text }
    }
}

/// Goes through the lines of one file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SyntaxReader {
    rules: Option<&'static SyntaxRules>,
    /// What a line before began, and where it ends.
    open: Option<(SyntaxClass, &'static str)>,
}

impl SyntaxReader {
    pub(crate) fn of_path(path: &str) -> SyntaxReader {
        SyntaxReader { rules: SyntaxRules::of_path(path), open: None }
    }

    /// Something else stands before what comes now.
    pub(crate) fn jump(&mut self) {
        self.open = None;
    }

    /// The line in pieces, one beside the other of another class.
    pub(crate) fn pieces<'line>(&mut self, line: &'line str) -> Vec<SyntaxPiece<'line>> {
        let Some(rules) = self.rules.filter(|_| line.len() <= LINE_BYTES_MAX) else {
            return vec![SyntaxPiece::plain(line)];
        };
        let mut pieces = Vec::new();
        let (mut start, mut at, mut class) = (0, 0, SyntaxClass::Plain);
        while at < line.len() {
            let (next, length) = self.next(rules, &line[at..]);
            if next != class {
                push(&mut pieces, class, &line[start..at]);
                (start, class) = (at, next);
            }
            at += length;
        }
        push(&mut pieces, class, &line[start..]);
        pieces
    }

    /// The class of what comes, and its length.
    fn next(&mut self, rules: &SyntaxRules, rest: &str) -> (SyntaxClass, usize) {
        if let Some((class, end)) = self.open {
            let length = rest.find(end).map(|found| found + end.len());
            if length.is_some() {
                self.open = None;
            }
            return (class, length.unwrap_or(rest.len()));
        }
        if let Some((_, end)) = rules.block_comment.filter(|(begin, _)| rest.starts_with(begin)) {
            return self.begin(SyntaxClass::Comment, 2, end, rest);
        }
        if !rules.line_comment.is_empty() && rest.starts_with(rules.line_comment) {
            return (SyntaxClass::Comment, rest.len());
        }
        if let Some(end) = rules.long_texts.iter().find(|begin| rest.starts_with(**begin)) {
            return self.begin(SyntaxClass::Text, end.len(), end, rest);
        }
        let first = rest.chars().next().unwrap_or_default();
        if rules.quotes.contains(first) {
            // An apostrophe without another one stands in prose.
            return match text_length(rest, first) {
                Some(length) => (SyntaxClass::Text, length),
                None if first == '\'' => (SyntaxClass::Plain, 1),
                None => (SyntaxClass::Text, rest.len()),
            };
        }
        if first == '\'' && rules.has_letters {
            let letter = text_length(rest, first).filter(|length| is_letter(&rest[1..length - 1]));
            return letter.map_or((SyntaxClass::Plain, 1), |length| (SyntaxClass::Text, length));
        }
        let length = rest.find(|one| !is_of_word(one)).unwrap_or(rest.len());
        match first {
            '0'..='9' => (SyntaxClass::Number, number_length(rest)),
            _ if length == 0 => (SyntaxClass::Plain, first.len_utf8()),
            _ if rules.has_keyword(&rest[..length]) => (SyntaxClass::Keyword, length),
            _ => (SyntaxClass::Plain, length),
        }
    }

    fn begin(
        &mut self,
        class: SyntaxClass,
        begun: usize,
        end: &'static str,
        rest: &str,
    ) -> (SyntaxClass, usize) {
        let Some(found) = rest[begun..].find(end) else {
            self.open = Some((class, end));
            return (class, rest.len());
        };
        (class, begun + found + end.len())
    }
}

fn push<'line>(pieces: &mut Vec<SyntaxPiece<'line>>, class: SyntaxClass, text: &'line str) {
    if !text.is_empty() {
        pieces.push(SyntaxPiece { class, text });
    }
}

fn is_of_word(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}

/// With both quotes; none where it does not end on its line.
fn text_length(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (place, one) in rest.char_indices().skip(1) {
        if one == quote && !is_escaped {
            return Some(place + one.len_utf8());
        }
        is_escaped = one == '\\' && !is_escaped;
    }
    None
}

fn is_letter(inner: &str) -> bool {
    inner.starts_with('\\') || inner.chars().count() == 1
}

fn number_length(rest: &str) -> usize {
    let end = rest.char_indices().find(|(place, one)| {
        let is_fraction = *one == '.' && rest[place + 1..].starts_with(|next: char| next.is_ascii_digit());
        !is_of_word(*one) && !is_fraction
    });
    end.map_or(rest.len(), |(place, _)| place)
}
