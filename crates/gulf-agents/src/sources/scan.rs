//! How deep in brackets each byte of a source stands, and which bytes are strings or comments.
//!
//! Python, JavaScript, TypeScript, Go and Java differ in strings and comments only; what is built on it needs no
//! grammar. Where it could be wrong (a regular expression after a bracket) brackets stop matching, the file cannot be
//! taken apart, and any change of it counts.

use std::ops::Range;

use regex::Regex;

use super::Language;
use crate::patterns::form;

/// Do brackets and quotes alone tell anything in this language?
pub(super) fn is_scanned(language: Language) -> bool {
    !matches!(language, Language::Rust | Language::Ruby)
}

/// Brackets within brackets; a deeper source is not taken apart.
const DEPTH_MAX: u16 = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Open brackets before this byte; an opening bracket stands outside itself, a closing one too.
    pub(super) depth: u16,
    pub(super) matter: Matter,
    byte: u8,
}

impl Place {
    /// Does this byte stand here, and in no string or comment?
    pub(super) fn is_code(self, byte: u8) -> bool {
        self.byte == byte && self.matter == Matter::Code
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matter {
    Code,
    Text,
    Comment,
}

/// A source, and where each of its bytes stands.
pub(super) struct Scanned<'text> {
    pub(super) text: &'text str,
    /// One for each byte.
    pub(super) places: Vec<Place>,
    pub(super) language: Language,
}

impl<'text> Scanned<'text> {
    /// None if brackets or strings do not match, or tell nothing.
    pub(super) fn read(text: &'text str, language: Language) -> Option<Self> {
        if !is_scanned(language) {
            return None;
        }
        let places = Vec::with_capacity(text.len());
        let mut scanner = Scanner { text, language, places, open: Vec::new() };
        while scanner.places.len() < text.len() {
            scanner.step()?;
        }
        scanner.open.is_empty().then_some(Self { text, places: scanner.places, language })
    }

    /// What stands there without its comments.
    pub(super) fn code(&self, range: Range<usize>) -> String {
        let kept = self.text[range.clone()].char_indices();
        let kept = kept.filter(|(index, _)| self.places[range.start + index].matter != Matter::Comment);
        kept.map(|(_, character)| character).collect()
    }

    /// How deep in brackets this byte stands; none behind the end.
    pub(super) fn depth(&self, at: usize) -> Option<u16> {
        self.places.get(at).map(|place| place.depth)
    }

    /// The first of these signs of code there that stands so deep in brackets.
    pub(super) fn find(&self, mut range: Range<usize>, sign: u8, depth: u16) -> Option<usize> {
        range.find(|at| self.places[*at].is_code(sign) && self.places[*at].depth == depth)
    }

    /// The inside of the first braces so deep for which `opens` says that they are the ones.
    pub(super) fn braces(
        &self,
        range: &Range<usize>,
        depth: u16,
        opens: impl Fn(usize) -> bool,
    ) -> Option<Range<usize>> {
        let is_open = |at: &usize| self.find(*at..at + 1, b'{', depth).is_some() && opens(*at);
        let open = range.clone().find(is_open)?;
        Some(open + 1..self.find(open + 1..range.end, b'}', depth)?)
    }
}

/// The lines of this part of a text, with their ends, and where each begins.
pub(super) fn lines_within(text: &str, range: Range<usize>) -> impl Iterator<Item = (usize, &str)> {
    let mut start = range.start;
    text[range].split_inclusive('\n').map(move |line| {
        start += line.len();
        (start - line.len(), line)
    })
}

/// A letter of a name.
pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// The name with which a text begins; empty where it begins with something else.
pub(super) fn first_word(text: &str) -> &str {
    text.split(|letter| !is_word(letter)).next().unwrap_or_default()
}

/// The blanks and tabs before a line's first word.
pub(super) fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The name with which a text ends; empty where it ends with something else.
pub(super) fn last_word(text: &str) -> &str {
    text.rsplit(|letter| !is_word(letter)).next().unwrap_or_default()
}

/// What stands together of the letters that fit.
pub(super) fn runs(text: &str, fits: impl Fn(usize, char) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, letter) in text.char_indices().filter(|(at, letter)| fits(*at, *letter)) {
        let end = at + letter.len_utf8();
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = end,
            _ => runs.push(at..end),
        }
    }
    runs
}

/// Where the bracket closes that opens here.
pub(super) fn close_of(text: &str, open: usize, [opens, closes]: [char; 2]) -> Option<usize> {
    let mut depth = 0_usize;
    text[open..].char_indices().find_map(|(at, letter)| {
        depth += usize::from(letter == opens);
        depth = depth.saturating_sub(usize::from(letter == closes));
        (depth == 0).then_some(open + at)
    })
}

/// The lines without their comments, of a source that was read: of another one, nothing is left of those that begin with two
/// slashes.
pub(super) fn code_lines(text: &str, source: Option<&Scanned<'_>>) -> impl Iterator<Item = String> {
    lines_within(text, 0..text.len()).map(move |(start, line)| match source {
        Some(source) => source.code(start..start + line.len()),
        None if line.trim_start().starts_with("//") => String::new(),
        None => line.to_owned(),
    })
}

struct Scanner<'source> {
    text: &'source str,
    language: Language,
    places: Vec<Place>,
    /// The closing bracket that each open one waits for; `$` for a part of a template.
    open: Vec<u8>,
}

impl Scanner<'_> {
    fn at(&self) -> usize {
        self.places.len()
    }

    /// Goes on behind these bytes: with them nothing is wrong.
    fn take(&mut self, length: usize, matter: Matter) -> Option<()> {
        let length = length.min(self.text.len() - self.at());
        let depth = u16::try_from(self.open.len()).unwrap_or(DEPTH_MAX);
        let bytes = &self.text.as_bytes()[self.at()..self.at() + length];
        self.places.extend(bytes.iter().map(|byte| Place { depth, matter, byte: *byte }));
        Some(())
    }

    fn step(&mut self) -> Option<()> {
        if let Some(length) = self.comment() {
            return self.take(length, Matter::Comment);
        }
        match self.text.as_bytes()[self.at()] {
            b'`' if self.language == Language::Script => self.template(),
            b'`' if self.language == Language::Go => self.text(form!("^`[^`]*`")),
            quote @ (b'"' | b'\'') => {
                let has_long =
                    self.language == Language::Python || (self.language == Language::Java && quote == b'"');
                let is_long = has_long && self.text.as_bytes()[self.at()..].starts_with(&[quote; 3]);
                self.text(if is_long {
                    form!(r#"(?s)^(?:"""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?''')"#)
                } else {
                    form!(r#"(?s)^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"#)
                })
            }
            b'/' if self.language == Language::Script && self.begins_expression() => {
                // In classes of a regular expression a slash means itself.
                self.text(form!(r"(?s)^/(?:[^/\[\\\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])*/"))
            }
            bracket @ (b'(' | b'[' | b'{') => self.opened(bracket),
            bracket @ (b')' | b']' | b'}') => self.closed(bracket),
            _ => self.take(1, Matter::Code),
        }
    }

    /// Goes on behind a text of this form; none where it has no end.
    fn text(&mut self, form: &Regex) -> Option<()> {
        let text = form.find(&self.text[self.at()..])?;
        self.take(text.len(), Matter::Text)
    }

    fn comment(&self) -> Option<usize> {
        let rest = &self.text.as_bytes()[self.at()..];
        let sign = if self.language == Language::Python { "#" } else { "//" };
        if rest.starts_with(sign.as_bytes()) {
            return Some(rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()));
        }
        (sign == "//" && rest.starts_with(b"/*")).then(|| {
            let end = rest[2..].windows(2).position(|pair| pair == b"*/");
            end.map_or(rest.len(), |end| end + 4)
        })
    }

    fn template(&mut self) -> Option<()> {
        // What stands before its end, or before the next `${`.
        self.text(form!(r"(?s)^.(?:[^\\]|\\.)*?(?:`|\$\{)"))?;
        self.open.extend(self.text[..self.at()].ends_with("${").then_some(b'$'));
        Some(())
    }

    fn opened(&mut self, bracket: u8) -> Option<()> {
        self.take(1, Matter::Code)?;
        self.open.push(match bracket {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        });
        (self.open.len() < usize::from(DEPTH_MAX)).then_some(())
    }

    fn closed(&mut self, bracket: u8) -> Option<()> {
        match self.open.pop()? {
            b'$' if bracket == b'}' => self.template(),
            wanted if wanted == bracket => self.take(1, Matter::Code),
            _ => None,
        }
    }

    /// Is a slash here the beginning of a regular expression? Yes where no value stands before it.
    fn begins_expression(&self) -> bool {
        let bytes = self.text.as_bytes();
        let before = (0..self.at()).rev().find(|place| {
            self.places[*place].matter != Matter::Comment && !bytes[*place].is_ascii_whitespace()
        });
        let Some(last) = before else { return true };
        if self.places[last].matter == Matter::Text {
            return false;
        }
        let byte = bytes[last];
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' {
            let word = bytes[..=last].rsplit(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
            return [b"return".as_slice(), b"typeof", b"case", b"of", b"in", b"await"].contains(&word);
        }
        !matches!(byte, b')' | b']' | b'}')
    }
}
