//! Words and what stands in them: quotes, escapes, variables, substitutions.
//!
//! It stands apart because here every byte may change what the next one means.

use std::borrow::Cow;

use super::super::tree::{Part, Word};
use super::{Ends, Scanner};

/// What a dollar sign stands between: within quotes, fewer things follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Double,
}

/// How far ahead the end of `${…}` and of `$((…))` is looked for; longer ones are read as plain text.
const AHEAD_MAX: usize = 128;

impl<'text> Scanner<'text> {
    /// The word that begins here; an empty one before an operator. At least one byte is read where there is no
    /// operator.
    pub(super) fn word(&mut self) -> Word<'text> {
        let mut word = Word::default();
        if matches!(self.byte(0), Some(b'<' | b'>')) && self.byte(1) == Some(b'(') {
            self.at += 2;
            word.parts.push(self.nested().unwrap_or(Part::Unknown));
            return word;
        }
        while let Some(byte) = self.begin() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b')' => break,
                b'(' if self.is_list(&word) => self.list(&mut word),
                b'(' => break,
                b'\'' => self.single_quoted(&mut word),
                b'"' => {
                    self.at += 1;
                    self.double_quoted(&mut word, Ends::AtItsMark);
                }
                b'\\' => self.escaped(&mut word),
                b'$' => self.dollar(&mut word, Quotes::None),
                b'`' => self.backticks(&mut word),
                _ => {
                    let text = self.run(|byte| b" \t\r\n;&|<>()'\"\\$`".contains(&byte));
                    word.parts.push(Part::Bare(Cow::Borrowed(text)));
                }
            }
        }
        word
    }

    /// Text up to a byte that ends it, or to the end.
    fn run(&mut self, ends: impl Fn(u8) -> bool) -> &'text str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(ends).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn character(&mut self) -> &'text str {
        let rest = &self.text[self.at..];
        let length = rest.chars().next().map_or(0, char::len_utf8);
        self.at += length;
        &rest[..length]
    }

    fn escaped(&mut self, word: &mut Word<'text>) {
        self.at += 1;
        let text = self.character();
        if text != "\n" {
            word.parts.push(Part::Quoted(Cow::Borrowed(text)));
        }
    }

    fn single_quoted(&mut self, word: &mut Word<'text>) {
        self.at += 1;
        let text = self.run(|byte| byte == b'\'');
        self.at = (self.at + 1).min(self.text.len());
        word.parts.push(Part::Quoted(Cow::Borrowed(text)));
    }

    pub(super) fn double_quoted(&mut self, word: &mut Word<'text>, ends: Ends) {
        // An empty pair of quotes is a word, too.
        word.parts.push(Part::Quoted(Cow::Borrowed("")));
        while let Some(byte) = self.begin() {
            match byte {
                b'"' if ends == Ends::AtItsMark => {
                    self.at += 1;
                    return;
                }
                b'\\' if self.byte(1).is_some_and(|next| b"$`\"\\\n".contains(&next)) => self.escaped(word),
                b'$' => self.dollar(word, Quotes::Double),
                b'`' => self.backticks(word),
                _ => {
                    let start = self.at;
                    self.character();
                    self.run(|byte| b"\"\\$`".contains(&byte));
                    word.parts.push(Part::Quoted(Cow::Borrowed(&self.text[start..self.at])));
                }
            }
        }
    }

    /// `name=(`, which begins a list and no subshell.
    fn is_list(&self, word: &Word<'_>) -> bool {
        self.depth < super::DEPTH_MAX && word.bare().is_some_and(|text| text.ends_with('='))
    }

    fn list(&mut self, word: &mut Word<'text>) {
        self.at += 1;
        self.depth += 1;
        let mut items = Vec::new();
        loop {
            self.skip_blanks();
            match self.begin() {
                None => break,
                Some(b')') => {
                    self.at += 1;
                    break;
                }
                Some(b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(') => self.at += 1,
                Some(_) => items.push(self.word()),
            }
        }
        self.depth -= 1;
        word.parts.push(Part::List(items));
    }

    fn backticks(&mut self, word: &mut Word<'text>) {
        self.at += 1;
        let start = self.at;
        let mut has_escapes = false;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'`' => break,
                b'\\' => {
                    has_escapes = true;
                    self.at += 1;
                    self.character();
                }
                _ => self.at += 1,
            }
        }
        let text = &self.text[start..self.at];
        self.at = (self.at + 1).min(self.text.len());
        let text = if has_escapes { Cow::Owned(without_escapes(text)) } else { Cow::Borrowed(text) };
        word.parts.push(Part::Backticks(text));
    }

    fn dollar(&mut self, word: &mut Word<'text>, quotes: Quotes) {
        let is_quoted = quotes == Quotes::Double;
        let part = match self.byte(1) {
            Some(b'(') => self.output(),
            Some(b'{') => self.braced(is_quoted),
            Some(b'\'') if !is_quoted => {
                self.at += 2;
                Part::Quoted(Cow::Owned(self.ansi_quoted()))
            }
            Some(b'"') if !is_quoted => {
                self.at += 1;
                Part::Quoted(Cow::Borrowed(""))
            }
            Some(b'_' | b'a'..=b'z' | b'A'..=b'Z') => {
                self.at += 1;
                let name = self.run(|byte| byte != b'_' && !byte.is_ascii_alphanumeric());
                Part::Variable { name, is_quoted, otherwise: None }
            }
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-') => {
                self.at += 2;
                Part::Unknown
            }
            _ => {
                self.at += 1;
                Part::Quoted(Cow::Borrowed("$"))
            }
        };
        word.parts.push(part);
    }

    fn output(&mut self) -> Part<'text> {
        if self.starts("$((") && self.skip_arithmetic() {
            return Part::Unknown;
        }
        self.at += 2;
        self.nested().unwrap_or(Part::Unknown)
    }

    /// Over `$((…))`, if that is what stands here.
    fn skip_arithmetic(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let inner = self.at + 3;
        let mut open = 2_usize;
        for (ahead, byte) in bytes[inner..].iter().take(AHEAD_MAX).enumerate() {
            match byte {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                let end = inner + ahead;
                let is_arithmetic = bytes[end - 1] == b')';
                self.at = if is_arithmetic { end + 1 } else { self.at };
                return is_arithmetic;
            }
        }
        false
    }

    /// `${name}`, `${name[@]}`, `${name:-text}`; what else there is comes out as something unknown.
    fn braced(&mut self, is_quoted: bool) -> Part<'text> {
        let rest = &self.text[self.at + 2..];
        let Some(length) = brace_length(rest) else {
            self.at += 2;
            return Part::Unknown;
        };
        self.at += 2 + length + 1;
        let inner = &rest[..length];
        let end = inner.bytes().position(|byte| byte != b'_' && !byte.is_ascii_alphanumeric());
        let (name, operation) = inner.split_at(end.unwrap_or(inner.len()));
        let default = [":-", ":=", "-", "="].iter().find_map(|mark| operation.strip_prefix(mark));
        match operation {
            _ if name.is_empty() => Part::Unknown,
            "" | "[@]" | "[*]" => Part::Variable { name, is_quoted, otherwise: None },
            _ if default.is_some() => Part::Variable { name, is_quoted, otherwise: default },
            _ => Part::Unknown,
        }
    }

    /// `$'…'`, where a backslash means what it means in C.
    fn ansi_quoted(&mut self) -> String {
        let mut text = String::new();
        loop {
            text.push_str(self.run(|byte| byte == b'\'' || byte == b'\\'));
            match self.byte(0) {
                Some(b'\\') => {
                    self.at += 1;
                    self.ansi_escape(&mut text);
                }
                Some(_) => {
                    self.at += 1;
                    return text;
                }
                None => return text,
            }
        }
    }

    fn ansi_escape(&mut self, text: &mut String) {
        let character = self.character();
        match character {
            "n" => text.push('\n'),
            "t" => text.push('\t'),
            "r" => text.push('\r'),
            "x" => self.code(text, 16, 2),
            "u" => self.code(text, 16, 4),
            "U" => self.code(text, 16, 8),
            "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" => {
                self.at -= 1;
                self.code(text, 8, 3);
            }
            _ => text.push_str(character),
        }
    }

    fn code(&mut self, text: &mut String, radix: u32, digits_max: usize) {
        let mut code = 0_u32;
        for _ in 0..digits_max {
            let Some(digit) = self.byte(0).and_then(|byte| char::from(byte).to_digit(radix)) else { break };
            code = code.saturating_mul(radix).saturating_add(digit);
            self.at += 1;
        }
        text.extend(char::from_u32(code));
    }
}

/// Where the brace that is open before this text is closed.
fn brace_length(text: &str) -> Option<usize> {
    let mut open = 1_usize;
    for (at, byte) in text.bytes().take(AHEAD_MAX).enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' => open -= 1,
            b'\n' => return None,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escapes = character == '\\' && matches!(characters.peek(), Some('\\' | '`' | '$'));
        plain.push(if escapes { characters.next().unwrap_or(character) } else { character });
    }
    plain
}
