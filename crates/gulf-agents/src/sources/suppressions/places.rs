//! A source line by line: what of each line is comment and what is code, strings being neither.
//!
//! Three ways lead there: the scanner of brackets, tokens for Rust, and, where neither can take a source apart, the
//! line as a whole: there a word in a string counts as one in a comment.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use super::super::rust::prelude;
use super::super::scan::{Matter, Scanned, lines_within};
use super::super::{Language, SOURCE_BYTES_MAX};

/// What stands in a line.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Comments, in small letters and without blanks; for Rust, whose marks are attributes, those.
    pub(super) comment: String,
    /// All else but strings, as it is.
    pub(super) code: String,
}

impl Line {
    /// Is there nothing in it that a mark could be about?
    pub(super) fn is_alone(&self) -> bool {
        !self.code.contains(|character: char| character.is_alphanumeric())
    }
}

/// The lines of a file.
pub(super) fn lines(path: &str, text: &str) -> Vec<Line> {
    let comments = if text.len() > SOURCE_BYTES_MAX { None } else { comments(path, text) };
    let read = |(start, line): (usize, &str)| {
        comments.as_ref().map_or_else(|| whole(line), |matters| divided(line, &matters[start..]))
    };
    lines_within(text, 0..text.len()).map(read).collect()
}

/// What each byte is.
fn comments(path: &str, text: &str) -> Option<Vec<Matter>> {
    let language = Language::from_path(path)?;
    match language {
        Language::Rust => attributes(text),
        // Marks are no comments.
        Language::Java => None,
        Language::Python | Language::Script | Language::Go | Language::Ruby => {
            Some(Scanned::read(text, language)?.places.into_iter().map(|place| place.matter).collect())
        }
    }
}

fn divided(line: &str, matters: &[Matter]) -> Line {
    let mut divided = Line::default();
    for (at, character) in line.char_indices() {
        match matters[at] {
            Matter::Comment if !character.is_whitespace() => {
                divided.comment.push(character.to_ascii_lowercase());
            }
            Matter::Code => divided.code.push(character),
            Matter::Comment | Matter::Text => {}
        }
    }
    divided.code = divided.code.trim().to_owned();
    divided
}

/// Both at once: what cannot be told apart counts.
fn whole(line: &str) -> Line {
    let compact = line.chars().filter(|character| !character.is_whitespace());
    let comment = compact.map(|character| character.to_ascii_lowercase()).collect();
    // Nothing but signs of comments before the first word: it stands alone.
    let alone =
        ["//", "#", "/*", "*", "--", "<!--", "{/*", "@"].iter().any(|sign| line.trim().starts_with(sign));
    Line { comment, code: if alone { String::new() } else { line.trim().to_owned() } }
}

/// Attributes of a Rust source; none if it has no tokens of Rust.
fn attributes(text: &str) -> Option<Vec<Matter>> {
    let offset = prelude(text);
    let mut matters = vec![Matter::Code; text.len()];
    let marked = text[offset..].parse().map(|tokens| mark(tokens, offset, &mut matters));
    proc_macro2::extra::invalidate_current_thread_spans();
    marked.is_ok().then_some(matters)
}

/// Walks through all groups without recursion: a source may be as deep as it likes.
fn mark(tokens: TokenStream, offset: usize, matters: &mut [Matter]) {
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        let mut after_hash = false;
        for tree in tokens {
            let was_after_hash = std::mem::take(&mut after_hash);
            match tree {
                TokenTree::Punct(sign) => {
                    after_hash = sign.as_char() == '#' || (was_after_hash && sign.as_char() == '!');
                }
                TokenTree::Group(group) => {
                    let first = group.stream().into_iter().next();
                    let is_doc = matches!(first, Some(TokenTree::Ident(word)) if word == "doc");
                    if was_after_hash && group.delimiter() == Delimiter::Bracket && !is_doc {
                        place_of(group.span(), offset, matters).fill(Matter::Comment);
                    }
                    open.push(group.stream());
                }
                TokenTree::Literal(literal) => {
                    let place = place_of(literal.span(), offset, matters);
                    if place.first() == Some(&Matter::Code) {
                        place.fill(Matter::Text);
                    }
                }
                TokenTree::Ident(_) => {}
            }
        }
    }
}

fn place_of(span: Span, offset: usize, matters: &mut [Matter]) -> &mut [Matter] {
    let range = span.byte_range();
    let end = (range.end + offset).min(matters.len());
    &mut matters[(range.start + offset).min(end)..end]
}
