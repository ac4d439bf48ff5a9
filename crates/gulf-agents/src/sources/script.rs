//! Takes a JavaScript, TypeScript or Go source of tests apart by brackets and line ends.
//!
//! In these languages a statement ends where brackets are closed and a line ends.

use std::ops::Range;

use super::Language;
use super::blocks::{Block, BlockKind, trimmed};
use super::scan::{Matter, Scanned, lines_within};
use crate::patterns::form;

const NAME_CHARS_MAX: usize = 200;

/// The blocks of a file.
pub(super) fn blocks(text: &str, language: Language) -> Option<Vec<Block>> {
    let source = &Scanned::read(text, language)?;
    Some(constraints(source).into_iter().chain(within(source, 0..text.len(), "")).collect())
}

/// Comments that decide whether Go builds a file at all.
fn constraints(source: &Scanned<'_>) -> Vec<Block> {
    let is_constraint = |(start, line): &(usize, &str)| {
        source.language == Language::Go
            && ["//go:build", "// +build", "//+build"].iter().any(|sign| line.starts_with(sign))
            && source.places[*start].matter == Matter::Comment
    };
    let lines = lines_within(source.text, 0..source.text.len()).filter(is_constraint);
    let block = |(start, line): (usize, &str)| {
        let bytes = start..start + line.trim_end().len();
        Block { kind: BlockKind::Statement, text: trimmed(line), bytes }
    };
    lines.map(block).collect()
}

fn within(source: &Scanned<'_>, range: Range<usize>, path: &str) -> Vec<Block> {
    let statements = statements(source, range).into_iter();
    statements.flat_map(|statement| of_statement(source, statement, path)).collect()
}

/// The statements directly within a range; comments before one belong to none.
fn statements(source: &Scanned<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let Some(depth) = source.depth(range.start) else { return Vec::new() };
    let mut starts: Vec<usize> = Vec::new();
    let mut at_line_start = true;
    for (index, character) in source.text[range.clone()].char_indices() {
        let byte = range.start + index;
        let place = source.places[byte];
        if character == '\n' {
            at_line_start = place.depth == depth && place.matter != Matter::Text;
            continue;
        }
        if character.is_whitespace() || place.matter == Matter::Comment {
            continue;
        }
        // A line that begins like this goes on with the statement before it.
        let goes_on = ".,?:=+*/&|)]}<>".contains(character) && !starts.is_empty();
        if at_line_start && place.depth == depth && !goes_on {
            starts.push(byte);
        }
        at_line_start = character == ';' && place.depth == depth && place.matter == Matter::Code;
    }
    super::spans(source.text, &starts, range.end)
}

fn of_statement(source: &Scanned<'_>, range: Range<usize>, path: &str) -> Vec<Block> {
    let text = source.code(range.clone());
    let head = text.trim_start();
    if source.language == Language::Script
        && let Some(call) = called(head, &["describe", "suite", "context"])
        && let Some(body) = callback(source, &range)
    {
        let name = joined(path, &name(source, &range));
        // A marker or an option around a group's body changes every test within.
        let around = [range.start..body.start, body.end..range.end].map(|part| trimmed(&source.code(part)));
        let kind = BlockKind::Definition(format!("describe {name}"));
        let text = format!("{call} {name} {}", around.concat());
        let head = Block { kind, text, bytes: range.start..body.start };
        return std::iter::once(head).chain(within(source, body, &name)).collect();
    }
    let kind = if source.language == Language::Go {
        go_kind(head)
    } else if called(head, &["test", "it", "specify"]).is_some() {
        BlockKind::Test(joined(path, &name(source, &range)))
    } else {
        script_kind(head, path)
    };
    vec![Block { kind, text: trimmed(&text), bytes: range }]
}

/// The inside of the function given to a call: the first braces after `=>` or `)` one bracket deep.
fn callback(source: &Scanned<'_>, range: &Range<usize>) -> Option<Range<usize>> {
    source.braces(range, source.depth(range.start)? + 1, |open| {
        source.text[range.start..open].trim_end().ends_with(['>', ')'])
    })
}

/// The first string of a statement: a test's name in every runner. Of `it.each(rows)('name', …)` it is the last call's.
fn name(source: &Scanned<'_>, range: &Range<usize>) -> String {
    let depth = source.places[range.start].depth;
    let is_last_call = |byte: &usize| {
        let place = source.places[*byte];
        place.is_code(b'(') && place.depth == depth && source.text[..*byte].trim_end().ends_with([')', '`'])
    };
    let from = range.clone().find(is_last_call).unwrap_or(range.start);
    let start = (from..range.end).find(|byte| source.places[*byte].matter == Matter::Text);
    let Some(start) = start else {
        return source.text[range.clone()].chars().take(NAME_CHARS_MAX).collect();
    };
    let bytes = source.text.as_bytes();
    let mut end = start + 1;
    while end < range.end && bytes[end] != bytes[start] {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    let inner = source.text.get(start + 1..end.min(range.end)).unwrap_or_default();
    inner.replace('\\', "").chars().take(NAME_CHARS_MAX).collect()
}

/// What a loop calls its tests, where it calls for any: ``test(`adds ${n}`, …)``, `it(name, …)`
pub(super) fn title_in_loop(text: &str) -> Option<String> {
    let form =
        form!(r#"(?:^|[^A-Za-z0-9_.$])(?:test|it|specify)\([ \t\n]*(?:'([^']*)|"([^"]*)|`([^`]*)|[^ \t\n])"#);
    let is_loop = text.starts_with("for ") || text.contains(".forEach(") || text.contains(".map(");
    let call = form.captures(text).filter(|_| is_loop)?;
    let title = (1..4).find_map(|quote| call.get(quote));
    Some(title.map_or_else(|| "${}".to_owned(), |title| title.as_str().to_owned()))
}

/// What of a title is the same for all rows: it stands around `${…}`, `%s` and its like, and `$name`.
pub(crate) fn fixed_parts(title: &str) -> Vec<&str> {
    let placeholder =
        form!(r"\$\{[^}]*\}|\$#|\$[A-Za-z\u{80}-\u{10FFFF}][A-Za-z0-9_$.\u{80}-\u{10FFFF}]*|%[sdifjoOpc#%$]");
    placeholder.split(title).collect()
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path} > {name}") }
}

/// The called function with its members (`it.skip`, `test.each`), if it is one of these.
fn called<'text>(head: &'text str, names: &[&str]) -> Option<&'text str> {
    let head = head.strip_prefix("await ").unwrap_or(head).trim_start();
    // tap's tests are methods of its only export.
    let method = ["t.", "tap."].iter().find_map(|object| head.strip_prefix(object));
    let head = method.filter(|method| method.starts_with("test")).unwrap_or(head);
    let end = head.find(|character: char| !(character.is_alphanumeric() || "_$.".contains(character)))?;
    let (call, rest) = head.split_at(end);
    let first = call.split('.').next()?;
    let first = first.strip_prefix(['x', 'f']).filter(|first| names.contains(first)).unwrap_or(first);
    (names.contains(&first) && rest.trim_start().starts_with(['(', '`', '<'])).then_some(call)
}

fn script_kind(head: &str, path: &str) -> BlockKind {
    let is_import = head.strip_prefix("import ").is_some_and(|rest| !rest.starts_with(['\'', '"']));
    let begins = |words: &[&str]| words.iter().any(|word| head.starts_with(word));
    if is_import || (head.contains("require(") && begins(&["const ", "let ", "var "])) {
        return BlockKind::Import;
    }
    const WORDS: &str = "const|let|var|(?:async )?function|function\\*|class|type|interface|enum";
    let defined = form!(&format!("^(?:export )?(?:default )?(?:{WORDS}) ([^=(:<;]*)"));
    match defined.captures(head) {
        Some(found) => BlockKind::Definition(joined(path, found[1].trim())),
        None => BlockKind::Statement,
    }
}

fn go_kind(head: &str) -> BlockKind {
    if head.starts_with("import") || head.starts_with("package ") {
        return BlockKind::Import;
    }
    if let Some(rest) = head.strip_prefix("func ") {
        let name = rest.split(['(', '[']).next().unwrap_or_default().trim();
        let is_test = ["Test", "Benchmark", "Fuzz", "Example"].iter().any(|prefix| name.starts_with(prefix));
        return match name {
            "TestMain" | "init" => BlockKind::Statement,
            "" => BlockKind::Definition(rest.lines().next().unwrap_or_default().to_owned()),
            _ if is_test => BlockKind::Test(name.to_owned()),
            _ => BlockKind::Definition(name.to_owned()),
        };
    }
    let defined = ["var ", "const ", "type "].iter().find_map(|word| head.strip_prefix(word));
    match defined {
        // A variable without a name runs when the package is loaded.
        Some(rest) if !rest.starts_with('_') => {
            BlockKind::Definition(rest.split(['=', '\n', '{']).next().unwrap_or_default().trim().to_owned())
        }
        Some(_) | None => BlockKind::Statement,
    }
}
