//! A named text, the places in it, and its lines.
//!
//! Apart from the parsers because all of them must agree on what a line is (CRLF or LF), where column one is
//! (after a byte order mark) and how a place is written (`gulf.toml:3:1`).

use std::fmt;
use std::sync::Arc;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// The most that the host should hand to a parser of this crate; people write less.
pub const TEXT_BYTES_MAX: usize = 1024 * 1024;

/// A text with the name that people know it by: a path, a variable or a flag.
///
/// Cheap to clone: every value that was read from it keeps one.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    form: Form,
}

/// What kind of text it is: a place in a file has a line, one in a variable has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    File,
    Word,
}

/// Bytes of a [`Source`]'s text, `start..end`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

/// Where a byte stands for a person: both count from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// One line without its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    /// Counts from one.
    pub number: usize,
    pub text: &'t str,
    pub span: Span,
}

impl Source {
    /// Names a text; a byte order mark at its head is not part of it.
    pub fn new(name: impl Into<Arc<str>>, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { name: name.into(), text: Arc::from(text), form: Form::File }
    }

    /// Names the value of a variable or a flag.
    pub fn word(name: impl Into<Arc<str>>, text: &str) -> Self {
        Self { name: name.into(), text: Arc::from(text), form: Form::Word }
    }

    /// The same with stars where the span was: what stands there may be a secret, and places stay places.
    pub(crate) fn masked(&self, span: Span) -> Self {
        let (start, end) =
            (self.text.floor_char_boundary(span.start), self.text.floor_char_boundary(span.end));
        let text = format!("{}{}{}", &self.text[..start], "*".repeat(end - start), &self.text[end..]);
        Self { text: Arc::from(text), ..self.clone() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte; a byte beyond the end counts as the end.
    pub fn position(&self, byte: usize) -> Position {
        let before = &self.text[..self.text.floor_char_boundary(byte)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }

    /// `name:line:column`, as editors and terminals understand it; of a variable or flag the name alone.
    pub fn place(&self, span: Span) -> String {
        match self.form {
            Form::File => {
                let Position { line, column } = self.position(span.start);
                format!("{}:{line}:{column}", self.name)
            }
            Form::Word => self.name.to_string(),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Source({:?}, {} bytes)", self.name, self.text.len())
    }
}

impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_lines_before: usize,
        context_lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = (*self.text).read_span(span, context_lines_before, context_lines_after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.to_string(),
            inner.data(),
            *inner.span(),
            inner.line(),
            inner.column(),
            inner.line_count(),
        )))
    }
}

impl From<Span> for SourceSpan {
    fn from(span: Span) -> Self {
        (span.start, span.end.saturating_sub(span.start)).into()
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// The first ones by name, the others by their number.
pub fn listed<T: ToString>(names: &[T], most: usize) -> String {
    let named = names.iter().take(most).map(T::to_string).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// The lines of a text; `\n` and `\r\n` end one, and a final ending opens no further line.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').enumerate().map(move |(index, whole)| {
        let content = whole.strip_suffix('\n').unwrap_or(whole);
        let content = content.strip_suffix('\r').unwrap_or(content);
        let line = Line { number: index + 1, text: content, span: (start..start + content.len()).into() };
        start += whole.len();
        line
    })
}

impl<'t> Line<'t> {
    /// The span of a part of this line; the whole line when `part` is no slice of it.
    pub fn span_of(&self, part: &'t str) -> Span {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if offset > self.text.len() || offset + part.len() > self.text.len() {
            return self.span;
        }
        (self.span.start + offset..self.span.start + offset + part.len()).into()
    }
}

/// The first whole lines of a text, at most so many bytes, and how many lines are left out.
pub(crate) fn first_lines(text: &str, bytes_max: usize) -> (&str, usize) {
    if text.len() <= bytes_max {
        return (text, 0);
    }
    let end = text[..text.floor_char_boundary(bytes_max)].rfind('\n').map_or(0, |newline| newline + 1);
    (&text[..end], lines(&text[end..]).count())
}

#[cfg(test)]
mod tests;
