//! Takes a Python source of tests apart by indentation: pytest functions, classes with their methods.
//!
//! In Python a statement ends where the next one begins at the same indent.

use std::ops::Range;

use super::Language;
use super::blocks::{Block, BlockKind, trimmed};
use super::scan::{Matter, Place, Scanned, first_word, indent_of, lines_within};

/// The blocks of a file.
pub(super) fn blocks(text: &str) -> Option<Vec<Block>> {
    Some(within(&Scanned::read(text, Language::Python)?, 0..text.len(), 0, ""))
}

/// Those of the statements that begin at this indent.
fn within(source: &Scanned<'_>, range: Range<usize>, indent: usize, class: &str) -> Vec<Block> {
    let statements = statements(source, range, indent).into_iter();
    statements.flat_map(|statement| of_statement(source, statement, class)).collect()
}

/// The statements that begin at this indent, with decorators, `else` branches and everything deeper.
fn statements(source: &Scanned<'_>, range: Range<usize>, indent: usize) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let mut decorated = false;
    for (start, line) in lines_within(source.text, range.clone()) {
        let content = line.trim();
        let continues = start > 0 && source.text[..start].trim_end_matches(['\n', '\r']).ends_with('\\');
        let is_code = begins_here(source, start + indent_of(line)) && !is_within_text(source, start);
        let word = first_word(content);
        let is_branch = ["else", "elif", "except", "finally"].contains(&word)
            && content[word.len()..].starts_with([':', ' ', '(']);
        if indent_of(line) == indent && !content.is_empty() && is_code && !continues && !is_branch {
            if !decorated {
                starts.push(start);
            }
            decorated = content.starts_with('@');
        }
    }
    super::spans(source.text, &starts, range.end)
}

/// Can a statement begin at this byte? None does within brackets, or with the one that closes them.
fn begins_here(source: &Scanned<'_>, first: usize) -> bool {
    let closes = |place: &Place| [b')', b']', b'}'].iter().any(|bracket| place.is_code(*bracket));
    let may = |place: &Place| place.depth == 0 && place.matter != Matter::Comment && !closes(place);
    source.places.get(first).is_some_and(may)
}

/// Does a long string reach over the beginning of this line?
fn is_within_text(source: &Scanned<'_>, line_start: usize) -> bool {
    line_start > 0
        && source.places[line_start - 1].matter == Matter::Text
        && source.places.get(line_start).is_some_and(|place| place.matter == Matter::Text)
}

fn of_statement(source: &Scanned<'_>, range: Range<usize>, class: &str) -> Vec<Block> {
    let text = &source.text[range.clone()];
    let Some(head) = head(source, &range) else { return Vec::new() };
    if let Some(name) = word_after(head, "class ") {
        return of_class(source, range, name, class);
    }
    let function = word_after(head, "def ").or_else(|| word_after(head, "async def "));
    let kind = match function {
        Some(name) if name.starts_with("test") => BlockKind::Test(format!("{class}{name}")),
        Some(name) if is_hook(name) || text.contains("autouse") => BlockKind::Statement,
        Some(name) => BlockKind::Definition(format!("{class}{name}")),
        None if head.starts_with("import ") || head.starts_with("from ") => BlockKind::Import,
        None if head.starts_with(['"', '\'']) => return Vec::new(),
        None => match head.split_once(['=', ':']) {
            Some((name, _)) if is_plain_name(name.trim()) && !name.starts_with("pytest") => {
                BlockKind::Definition(format!("{class}{}", name.trim()))
            }
            Some(_) | None => BlockKind::Statement,
        },
    };
    vec![Block { kind, text: trimmed(&source.code(range.clone())), bytes: range }]
}

/// The first line that is no decorator; one may go over several lines.
fn head<'text>(source: &Scanned<'text>, range: &Range<usize>) -> Option<&'text str> {
    let is_head = |(start, line): &(usize, &str)| {
        let first = start + (line.len() - line.trim_start().len());
        begins_here(source, first) && !line.trim().is_empty() && !line.trim().starts_with('@')
    };
    lines_within(source.text, range.clone()).find(is_head).map(|(_, line)| line.trim())
}

/// A class with tests is its head and its methods; one without is a definition.
fn of_class(source: &Scanned<'_>, range: Range<usize>, name: &str, outer: &str) -> Vec<Block> {
    let path = format!("{outer}{name}::");
    let inner = body(source, &range).map(|(start, indent)| within(source, start..range.end, indent, &path));
    let inner = inner.unwrap_or_default();
    let has_tests = inner.iter().any(|block| block.test_name().is_some());
    let (word, inner) = if has_tests { ("class ", inner) } else { ("", Vec::new()) };
    let bytes = range.start..inner.first().map_or(range.end, |block| block.bytes.start);
    let text = trimmed(&source.code(bytes.clone()));
    let head = Block { kind: BlockKind::Definition(format!("{word}{outer}{name}")), text, bytes };
    std::iter::once(head).chain(inner).collect()
}

/// Where a class's body begins, and its indent.
fn body(source: &Scanned<'_>, range: &Range<usize>) -> Option<(usize, usize)> {
    let own = indent_of(&source.text[range.start..]);
    let is_deeper = |(start, line): &(usize, &str)| {
        indent_of(line) > own && begins_here(source, start + indent_of(line)) && !line.trim().is_empty()
    };
    lines_within(source.text, range.clone()).find(is_deeper).map(|(start, line)| (start, indent_of(line)))
}

fn word_after<'text>(head: &'text str, keyword: &str) -> Option<&'text str> {
    Some(first_word(head.strip_prefix(keyword)?.trim_start())).filter(|word| !word.is_empty())
}

fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|character| character.is_alphanumeric() || character == '_')
}

/// Functions that pytest and unittest call without being asked.
fn is_hook(name: &str) -> bool {
    let prefixes = ["setup", "teardown", "setUp", "tearDown", "pytest_", "load_tests", "__"];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}
