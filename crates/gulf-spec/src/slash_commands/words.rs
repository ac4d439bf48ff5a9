//! Words, blanks and quotes of what a person typed.
//!
//! Apart from flags because it knows none: quotes are taken off as a shell would, and nothing is ever expanded.

/// A value that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unquotable {
    /// The quote is not closed.
    Open,
    /// Something is in quotes and something right beside it is not.
    Partly,
}

/// What a shell would take for a quote, and what a keyboard makes of one.
const QUOTES: [char; 7] = ['"', '\'', '`', '“', '”', '‘', '’'];

/// The characters up to the next blank.
pub(super) fn first_word(text: &str) -> &str {
    text.split(char::is_whitespace).next().unwrap_or_default()
}

/// The next byte at or after `at` that is no blank.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start().len()
}

/// The text behind the one blank or line ending that ends a `--`.
pub(super) fn after_separator(text: &str) -> &str {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix(char::is_whitespace)).unwrap_or(text)
}

/// Reads a value that begins at `at`: a word, or a text in quotes. Says where it ends, also where it cannot be read.
pub(super) fn value(text: &str, at: usize) -> (Result<String, Unquotable>, usize) {
    let word_end = |at: usize| at + first_word(&text[at..]).len();
    match quoted(&text[at..]) {
        None => {
            let end = word_end(at);
            let word = &text[at..end];
            (if word.contains(QUOTES) { Err(Unquotable::Partly) } else { Ok(word.to_owned()) }, end)
        }
        Some(None) => (Err(Unquotable::Open), text.len()),
        Some(Some((inner, length))) => {
            let end = word_end(at + length);
            (if end == at + length { Ok(inner) } else { Err(Unquotable::Partly) }, end)
        }
    }
}

/// A text that begins with a quote: what is inside, and where the quote ends; none inside where it does not end.
///
/// In double quotes `\"` and `\\` stand for `"` and `\`; in single ones every character stands for itself.
pub(super) fn quoted(text: &str) -> Option<Option<(String, usize)>> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let mut inner = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        let is_escaped = |next: char| quote == '"' && character == '\\' && matches!(next, '"' | '\\');
        let escaped = characters.next_if(|(_, next)| is_escaped(*next)).map(|(_, next)| next);
        if escaped.is_none() && character == quote {
            return Some(Some((inner, at + 1)));
        }
        inner.push(escaped.unwrap_or(character));
    }
    Some(None)
}
