//! The literals, words and signs of a source, whatever its language.
//!
//! Comments, and texts of more than one line, are left out. What it reads wrong costs a comparison and nothing else.

use std::ops::Range;

use super::scan::is_word;
use crate::patterns::form;

/// What stands in a source, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) kind: LexemeKind,
    /// From 1.
    pub(super) line: usize,
    /// Where it stands.
    pub(super) bytes: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LexemeKind {
    /// A value, the same text for the same value: `3`, `3.0` and `3_u8` are one.
    Literal(String),
    Word(String),
    /// An operator or a bracket.
    Sign(&'static str),
}

impl Lexeme {
    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.kind, LexemeKind::Sign(one) if one == sign)
    }

    /// Does a bracket open here?
    pub(super) fn opens(&self) -> bool {
        matches!(self.kind, LexemeKind::Sign("(" | "[" | "{"))
    }

    pub(super) fn closes(&self) -> bool {
        matches!(self.kind, LexemeKind::Sign(")" | "]" | "}"))
    }

    pub(super) fn literal(&self) -> Option<&str> {
        match &self.kind {
            LexemeKind::Literal(value) => Some(value),
            LexemeKind::Word(_) | LexemeKind::Sign(_) => None,
        }
    }

    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            LexemeKind::Word(word) => Some(word),
            LexemeKind::Literal(_) | LexemeKind::Sign(_) => None,
        }
    }
}

/// Where the bracket closes that opens at this place.
pub(super) fn closing(tokens: &[Lexeme], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (open..tokens.len()).find(|place| {
        depth += usize::from(tokens[*place].opens());
        depth -= usize::from(depth > 0 && tokens[*place].closes());
        depth == 0
    })
}

/// The places there that stand in no bracket which opens there, up to one that does not close; a bracket that opens is one of
/// them.
pub(super) fn outside_brackets(tokens: &[Lexeme], range: Range<usize>) -> impl Iterator<Item = usize> {
    // What opens nothing closes where it stands.
    let next = |at: &usize| closing(tokens, *at).map(|close| close + 1);
    std::iter::successors(Some(range.start), next).take_while(move |at| *at < range.end)
}

/// The first that fits is taken, so the longer ones come first. `?` stands for every other sign.
const SIGNS: [&str; 41] = [
    "===", "!==", "**", "==", "!=", "<=", ">=", "=>", "->", ":=", "&&", "||", "::", "..", "<<", ">>", "+=",
    "-=", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "+", "-", "*", "/", "%", "<", ">", "!", "&",
    "|", "^", "?",
];

/// A text longer than this is prose, not an answer.
const TEXT_CHARS_MAX: usize = 200;
/// Without a blank it may be encoded, and hold many.
const WORD_BYTES_MAX: usize = 64 << 10;

pub(super) fn tokens(path: &str, source: &str) -> Vec<Lexeme> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let has_hashes = matches!(ending, "py" | "rb" | "sh" | "bash" | "yaml" | "yml" | "toml" | "");
    let is_char = matches!(ending, "rs" | "go" | "java");
    let mut lexer =
        Lexer { rest: source, line: 1, at: 0, has_hashes, quotes_letters: is_char, found: Vec::new() };
    while !lexer.rest.is_empty() {
        lexer.step();
    }
    lexer.found
}

struct Lexer<'source> {
    rest: &'source str,
    line: usize,
    at: usize,
    /// Comments begin with `#`, and else with `//` or `/*`.
    has_hashes: bool,
    /// `'` holds one letter, or begins a lifetime.
    quotes_letters: bool,
    found: Vec<Lexeme>,
}

impl Lexer<'_> {
    fn step(&mut self) {
        let first = self.rest.chars().next().unwrap_or_default();
        // `pair.0` names a part and is no value.
        let follows_dot = self.found.last().is_some_and(|last| last.is("."));
        let length = if let Some(length) = self.comment() {
            length
        } else if first == '"' || first == '`' || first == '\'' {
            self.text(first)
        } else if first.is_ascii_digit() && !follows_dot {
            self.number()
        } else if first.is_alphabetic() || first == '_' {
            self.name()
        } else {
            self.sign(first)
        };
        let (taken, rest) = self.rest.split_at(length.clamp(first.len_utf8(), self.rest.len()));
        self.at += taken.len();
        self.line += taken.matches('\n').count();
        self.rest = rest;
    }

    fn push(&mut self, kind: LexemeKind, length: usize) {
        self.found.push(Lexeme { kind, line: self.line, bytes: self.at..self.at + length });
    }

    fn comment(&self) -> Option<usize> {
        let with_slashes = form!(r"(?s)^(?://[^\n]*|/\*.*?(?:\*/|$))");
        let form = if self.has_hashes { form!("^#[^\n]*") } else { with_slashes };
        form.find(self.rest).map(|comment| comment.len())
    }

    fn text(&mut self, quote: char) -> usize {
        let long = form!(r#"(?s)^(?:""".*?(?:"""|$)|'''.*?(?:'''|$)|```.*?(?:```|$))"#);
        if let Some(long) = long.find(self.rest) {
            return long.len();
        }
        let quoted = form!(r#"(?s)^(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\\n])*`)"#);
        let letter = form!(r"(?s)^'(?:\\.|[^'\\\n])?'");
        let form = if quote == '\'' && self.quotes_letters { letter } else { quoted };
        let Some(text) = form.find(self.rest) else { return 1 };
        let inner = &text.as_str()[1..text.len() - 1];
        let is_word = inner.len() <= WORD_BYTES_MAX && !inner.contains(char::is_whitespace);
        if is_word || inner.chars().count() <= TEXT_CHARS_MAX {
            self.push(LexemeKind::Literal(format!("\"{inner}\"")), text.len());
        }
        text.len()
    }

    fn number(&mut self) -> usize {
        let form = form!(r"^(?:0x(?:[0-9A-Za-z_]|\.[0-9])*|(?:[eE][+-][0-9]|[0-9A-Za-z_]|\.[0-9])*)");
        let digits = form.find(self.rest).map_or("", |digits| digits.as_str());
        let mut value = value_of(digits);
        if self.is_negative() {
            self.found.pop();
            value.insert(0, '-');
        }
        self.push(LexemeKind::Literal(value), digits.len());
        digits.len()
    }

    /// Is the minus before it its own, and no operator?
    fn is_negative(&self) -> bool {
        let [.., before, minus] = self.found.as_slice() else { return false };
        let is_operand = match &before.kind {
            LexemeKind::Literal(_) => true,
            LexemeKind::Word(word) => {
                !matches!(word.as_str(), "return" | "case" | "in" | "is" | "and" | "or")
            }
            LexemeKind::Sign(sign) => matches!(*sign, ")" | "]" | "}"),
        };
        minus.is("-") && !is_operand
    }

    fn name(&mut self) -> usize {
        let length = self.rest.find(|letter| !is_word(letter)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(length);
        let is_prefix = length <= 2 && rest.starts_with(['"', '\'']);
        match name {
            "True" | "true" => self.push(LexemeKind::Literal("true".to_owned()), length),
            "False" | "false" => self.push(LexemeKind::Literal("false".to_owned()), length),
            "None" | "null" | "nil" | "undefined" => {
                self.push(LexemeKind::Literal("none".to_owned()), length);
            }
            // `r"…"`, `f'…'`
            _ if is_prefix => {}
            _ => self.push(LexemeKind::Word(name.to_owned()), length),
        }
        length
    }

    fn sign(&mut self, first: char) -> usize {
        if first.is_whitespace() {
            return first.len_utf8();
        }
        let sign = SIGNS.iter().find(|sign| self.rest.starts_with(**sign)).copied();
        let length = sign.map_or(first.len_utf8(), str::len);
        self.push(LexemeKind::Sign(sign.unwrap_or("?")), length);
        length
    }
}

/// The same text for the same number, without the marks of its type.
pub(super) fn value_of(digits: &str) -> String {
    let plain = digits.replace('_', "").to_lowercase();
    if let Some(hex) = plain.strip_prefix("0x") {
        return i64::from_str_radix(hex, 16).map_or(plain, |value| value.to_string());
    }
    let is_of_number = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | '+' | '-');
    let end = plain.find(|letter| !is_of_number(letter)).unwrap_or(plain.len());
    plain[..end].parse::<f64>().map_or(plain, |value| value.to_string())
}

#[cfg(test)]
mod tests;
