//! The little of Markdown that decides whether a line counts: code blocks, comments, headings, bullets, code spans.
//!
//! Apart because RUBRIC.md and gulf-align.md are read by the same eyes: what is commented out in the one must be
//! commented out in the other.

use crate::problem::Mistake;
use crate::text::{Line, Span, lines};

/// What a line stands in.
#[derive(Clone, Copy)]
pub(crate) enum MarkdownBlock {
    Plain,
    Comment { opened: Span },
    Code { opened: Span, fence: char, length: usize },
}

/// A heading: its level, and its words.
pub(crate) struct Heading<'t> {
    pub(crate) level: usize,
    pub(crate) title: &'t str,
}

/// A list item: how far its mark is indented, and what follows the mark.
pub(crate) struct Bullet<'t> {
    pub(crate) indent: usize,
    pub(crate) text: &'t str,
}

/// A text in backticks, and what stands before it since the span before.
pub(crate) struct CodeSpan<'t> {
    pub(crate) before: &'t str,
    pub(crate) text: &'t str,
}

/// A tab's columns in an indentation.
const TAB_COLUMNS: usize = 4;
/// A line that is indented further is no heading.
const HEADING_INDENT_MAX: usize = 3;
const HEADING_LEVEL_MAX: usize = 6;

impl MarkdownBlock {
    /// The block behind a plain line that opens a fence or a comment; a comment may end on its line.
    pub(crate) fn opened_by(line: Line<'_>) -> Option<Self> {
        let (text, opened) = (line.text.trim(), line.span);
        if let Some(comment) = text.strip_prefix("<!--") {
            return Some(if comment.contains("-->") { Self::Plain } else { Self::Comment { opened } });
        }
        fence(text).map(|(fence, length)| Self::Code { opened, fence, length })
    }

    /// The block behind a line that stands in this one.
    pub(crate) fn after(self, line: &str) -> Self {
        let ends = match self {
            Self::Plain => false,
            Self::Comment { .. } => line.contains("-->"),
            Self::Code { fence, length, .. } => {
                let text = line.trim();
                let fences = text.chars().take_while(|character| *character == fence).count();
                fences >= length && fences == text.chars().count()
            }
        };
        if ends { Self::Plain } else { self }
    }

    /// What is wrong, and where, if the text ends in it.
    pub(crate) fn unclosed(self) -> Option<(Mistake, Span)> {
        let (what, close, opened) = match self {
            Self::Plain => return None,
            Self::Comment { opened } => ("comment", "`-->`", opened),
            Self::Code { opened, .. } => ("code block", "the same fence", opened),
        };
        let what = format!("the {what} is not closed, so nothing after it counts");
        Some((Mistake::error(what, format!("close it with {close}")), opened))
    }
}

/// The lines of a text; those of code blocks are blank.
pub(crate) fn lines_without_code(text: &str) -> impl Iterator<Item = &str> {
    let mut block = MarkdownBlock::Plain;
    lines(text).map(move |line| {
        let (was_plain, fence) = (matches!(block, MarkdownBlock::Plain), fence(line.text.trim()));
        block = match fence.filter(|_| was_plain) {
            Some((fence, length)) => MarkdownBlock::Code { opened: line.span, fence, length },
            None => block.after(line.text),
        };
        if was_plain && fence.is_none() { line.text } else { "" }
    })
}

/// The fence that a line opens.
pub(crate) fn fence(text: &str) -> Option<(char, usize)> {
    let fence = text.chars().next().filter(|first| ['`', '~'].contains(first))?;
    let length = text.chars().take_while(|character| *character == fence).count();
    let rest = &text[length..];
    (length >= 3 && !(fence == '`' && rest.contains('`'))).then_some((fence, length))
}

/// The text without `<!-- … -->`, and whether a comment is still open at its end.
pub(crate) fn without_comments(text: &str) -> (String, bool) {
    let mut visible = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        visible.push_str(before);
        match comment.split_once("-->") {
            Some((_, after)) => rest = after,
            None => return (visible, true),
        }
    }
    visible.push_str(rest);
    (visible, false)
}

/// The heading that a line is, also where the blank after the marks was forgotten.
pub(crate) fn heading(line: &str) -> Option<Heading<'_>> {
    let text = line.trim_start_matches(' ');
    let marks = text.chars().take_while(|character| *character == '#').count();
    if line.len() - text.len() > HEADING_INDENT_MAX || !(1..=HEADING_LEVEL_MAX).contains(&marks) {
        return None;
    }
    let title = text[marks..].trim();
    Some(Heading { level: marks, title: title.trim_end_matches('#').trim_end() })
}

/// The columns that a line is indented by.
pub(crate) fn indent(line: &str) -> usize {
    let blanks = line.chars().take_while(|character| [' ', '\t'].contains(character));
    blanks.map(|blank| if blank == '\t' { TAB_COLUMNS } else { 1 }).sum()
}

/// The list item that a line begins: `- x`, `* x`, `+ x`, `1. x` or `1) x`.
pub(crate) fn bullet(line: &str) -> Option<Bullet<'_>> {
    let text = line.trim_start();
    let after_digits = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let rest = if after_digits.len() < text.len() {
        after_digits.strip_prefix(['.', ')'])?
    } else {
        text.strip_prefix(['-', '*', '+'])?
    };
    let follows = rest.is_empty() || rest.starts_with([' ', '\t']);
    follows.then(|| Bullet { indent: indent(line), text: rest.trim() })
}

/// What a list item says; none where it says nothing.
pub(crate) fn item(line: &str) -> Option<&str> {
    bullet(line).map(|item| item.text).filter(|text| !text.is_empty())
}

/// The code spans of a line, in order.
pub(crate) fn code_spans(text: &str) -> Vec<CodeSpan<'_>> {
    let mut spans = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let length = rest[start..].chars().take_while(|character| *character == '`').count();
        let inside = &rest[start + length..];
        let Some(end) = closing(inside, length) else { break };
        spans.push(CodeSpan { before: &rest[..start], text: inside[..end].trim() });
        rest = &inside[end + length..];
    }
    spans
}

/// Where a run of exactly so many backticks begins.
fn closing(text: &str, length: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('`') {
        let start = from + at;
        let run = text[start..].chars().take_while(|character| *character == '`').count();
        if run == length {
            return Some(start);
        }
        from = start + run;
    }
    None
}

#[cfg(test)]
mod tests;
