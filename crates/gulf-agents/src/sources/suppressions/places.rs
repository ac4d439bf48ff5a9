//! A source line by line: what of each line is comment and what is code, strings being neither.
//!
//! Three ways lead there: the scanner of brackets, tokens for Rust, and, where neither can take a source apart, the
//! line as a whole: there a word in a string counts as one in a comment.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::super::scan::{Matter, scan};
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
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        lines.push(match &comments {
            Some(matters) => divided(line, matters.get(start..).unwrap_or_default()),
            None => whole(line),
        });
        start += line.len() + 1;
    }
    lines
}

/// What each byte is.
fn comments(path: &str, text: &str) -> Option<Vec<Matter>> {
    let language = Language::from_path(path)?;
    match language {
        Language::Rust => attributes(text),
        // Marks are no comments.
        Language::Java => None,
        Language::Python | Language::Script | Language::Go | Language::Ruby => {
            Some(scan(text, language)?.into_iter().map(|place| place.matter).collect())
        }
    }
}

fn divided(line: &str, matters: &[Matter]) -> Line {
    let mut divided = Line::default();
    for (character, matter) in
        line.char_indices().zip(0..).map(|((at, character), _)| (character, matters.get(at)))
    {
        match matter {
            Some(Matter::Comment) if !character.is_whitespace() => {
                divided.comment.push(character.to_ascii_lowercase());
            }
            Some(Matter::Code) => divided.code.push(character),
            Some(Matter::Comment | Matter::Text) | None => {}
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
    let rest = text.trim_start_matches('\u{feff}');
    // `#!/usr/bin/env` is no token.
    let is_script = rest.starts_with("#!") && !rest.starts_with("#![");
    let body = if is_script { rest.split_once('\n').map_or("", |(_, body)| body) } else { rest };
    let offset = text.len() - body.len();
    let mut matters = vec![Matter::Code; text.len()];
    let tokens = body.parse::<TokenStream>();
    let marked = tokens.is_ok_and(|tokens| {
        mark(tokens, offset, &mut matters);
        true
    });
    proc_macro2::extra::invalidate_current_thread_spans();
    marked.then_some(matters)
}

/// Walks through all groups without recursion: a source may be as deep as it likes.
fn mark(tokens: TokenStream, offset: usize, matters: &mut [Matter]) {
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        let mut after_hash = false;
        for tree in tokens {
            match tree {
                TokenTree::Punct(sign) => {
                    after_hash = sign.as_char() == '#' || (after_hash && sign.as_char() == '!');
                }
                TokenTree::Group(group) => {
                    let range = group.span().byte_range();
                    let is_attribute = after_hash && group.delimiter() == Delimiter::Bracket;
                    if is_attribute && !is_documentation(&group.stream()) {
                        let end = (range.end + offset).min(matters.len());
                        matters[(range.start + offset).min(end)..end].fill(Matter::Comment);
                    }
                    open.push(group.stream());
                    after_hash = false;
                }
                TokenTree::Literal(literal) => {
                    let range = literal.span().byte_range();
                    let end = (range.end + offset).min(matters.len());
                    let place = &mut matters[(range.start + offset).min(end)..end];
                    if place.first() == Some(&Matter::Code) {
                        place.fill(Matter::Text);
                    }
                    after_hash = false;
                }
                TokenTree::Ident(_) => after_hash = false,
            }
        }
    }
}

fn is_documentation(attribute: &TokenStream) -> bool {
    matches!(attribute.clone().into_iter().next(), Some(TokenTree::Ident(word)) if word == "doc")
}
