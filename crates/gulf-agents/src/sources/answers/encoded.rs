//! Answers that are no value as they stand: in Base64 or hexadecimal, several in one text, and the words of a file without
//! quotes.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use super::super::tokens::{Lexeme, LexemeKind, tokens};

/// A shorter text is a word, not an encoded one.
const LETTERS_MIN: usize = 16;
/// Files in which a value needs no quotes.
const PLAIN: [&str; 3] = [".txt", ".csv", ".tsv"];

/// The tokens of a file, and in place of each text that is encoded, or lists values of answers, those of what it says.
pub(super) fn with_encoded(path: &str, found: Vec<Lexeme>, values: &BTreeSet<&String>) -> Vec<Lexeme> {
    let is_plain = PLAIN.iter().any(|ending| path.ends_with(ending));
    found.into_iter().flat_map(|token| expanded(token, is_plain, values)).collect()
}

fn expanded(token: Lexeme, is_plain: bool, values: &BTreeSet<&String>) -> Vec<Lexeme> {
    if is_plain {
        return vec![valued(token)];
    }
    let inner = token.literal().and_then(|value| value.strip_prefix('"')?.strip_suffix('"'));
    // What is asked for, or a part of it, lists nothing: `"1 + 2 * 3"`.
    if inner.is_some_and(|inner| values.iter().any(|value| value.contains(inner))) {
        return vec![token];
    }
    let read = |text: &str| tokens("inside.txt", text).into_iter().map(valued).collect::<Vec<_>>();
    let encoded = inner.and_then(decoded).map(|text| read(&text));
    let is_list = |list: &Vec<Lexeme>| is_list_of(list, values);
    let listed = || inner.map(read).filter(is_list).or_else(|| inner.map(split_words).filter(is_list));
    let Some(inner) = encoded.or_else(listed) else { return vec![token] };
    let here = |inner: Lexeme| Lexeme { line: token.line, bytes: token.bytes.clone(), ..inner };
    inner.into_iter().map(here).collect()
}

/// `"hello-world what-now"`
fn split_words(text: &str) -> Vec<Lexeme> {
    let words = text.split(|letter: char| letter.is_whitespace() || ",;|".contains(letter));
    let words = words.filter(|word| !word.is_empty());
    let literal = |word| LexemeKind::Literal(format!("\"{word}\""));
    words.map(|word| Lexeme { kind: literal(word), line: 0, bytes: 0..0 }).collect()
}

/// `"I IV LVIII"`, `"7:3 12:2"`: half of it and more are values of answers.
fn is_list_of(words: &[Lexeme], values: &BTreeSet<&String>) -> bool {
    const VALUES_MIN: usize = 2;
    let literals: BTreeSet<&str> = words.iter().filter_map(Lexeme::literal).collect();
    let known = literals.iter().filter(|value| values.contains(&(**value).to_owned())).count();
    known >= VALUES_MIN && 2 * known >= literals.len()
}

/// A word is a value where nothing else could be one.
pub(super) fn valued(token: Lexeme) -> Lexeme {
    match token.kind {
        LexemeKind::Word(word) => Lexeme { kind: LexemeKind::Literal(format!("\"{word}\"")), ..token },
        LexemeKind::Literal(_) | LexemeKind::Sign(_) => token,
    }
}

/// What the text says, if it is the encoded form of another that a person could read.
fn decoded(text: &str) -> Option<String> {
    if text.len() < LETTERS_MIN || text.contains(char::is_whitespace) {
        return None;
    }
    let of_base64 = [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD];
    let of_base64 = of_base64.iter().filter_map(|engine| engine.decode(text).ok());
    let readable = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).ok()?;
        text.chars().all(|letter| !letter.is_control() || letter.is_whitespace()).then_some(text)
    };
    of_hexadecimal(text).into_iter().chain(of_base64).find_map(readable)
}

fn of_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
