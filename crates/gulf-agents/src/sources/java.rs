//! Takes a Java source of tests apart by brackets: classes, and in them JUnit's or TestNG's methods.
//!
//! In Java an annotation makes a test, and a class may shadow the assertions of its tests.

use std::ops::Range;

use super::Language;
use super::blocks::{Block, BlockKind, trimmed};
use super::scan::{self, Matter, Scanned, close_of, is_word};

/// What makes a method a test.
const TESTS: [&str; 5] = ["Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"];
/// Annotations that leave other tests alone.
const HARMLESS: [&str; 4] = ["Nested", "SuppressWarnings", "DisplayName", "SafeVarargs"];
/// How methods begin that runners call by name, and those that assert.
const CALLED: [&str; 7] = ["setUp", "tearDown", "assert", "assume", "fail", "verify", "suite"];
const KINDS: [&str; 4] = ["class ", "interface ", "enum ", "record "];

/// The blocks of a file.
pub(super) fn blocks(text: &str) -> Option<Vec<Block>> {
    Some(within(&Scanned::read(text, Language::Java)?, 0..text.len(), ""))
}

fn within(source: &Scanned<'_>, range: Range<usize>, class: &str) -> Vec<Block> {
    members(source, range).into_iter().flat_map(|member| of_member(source, member, class)).collect()
}

/// From one end to the next: a semicolon, or a brace that closes what is no array.
fn members(source: &Scanned<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let Some(depth) = source.depth(range.start) else { return Vec::new() };
    let mut members = Vec::new();
    let mut start = None;
    for byte in range.clone() {
        let place = source.places[byte];
        let letter = source.text.as_bytes()[byte];
        if place.matter == Matter::Comment || letter.is_ascii_whitespace() {
            continue;
        }
        let begin = *start.get_or_insert(byte);
        let is_end = place.matter == Matter::Code && place.depth == depth && b";}".contains(&letter);
        // `int[] a = {1, 2}`, `@Values({1})`: what stands in braces is no body.
        let is_value = letter == b'}' && source.find(begin..byte, b'=', depth).is_some();
        if is_end && !is_value {
            members.push(begin..byte + 1);
            start = None;
        }
    }
    members.extend(start.map(|start| start..range.end));
    members
}

fn of_member(source: &Scanned<'_>, range: Range<usize>, class: &str) -> Vec<Block> {
    let text = source.code(range.clone());
    let head = head(source, &range);
    let words = without_annotations(&head);
    let annotated = annotations(&head);
    let inner = KINDS.iter().find_map(|kind| after_word(&words, kind));
    let body = source.depth(range.start).and_then(|depth| source.braces(&range, depth, |_| true));
    if let (Some(name), Some(body)) = (inner, body) {
        let path = if class.is_empty() { name.to_owned() } else { format!("{class}::{name}") };
        let own = trimmed(&source.code(range.start..body.start));
        let kind = BlockKind::Definition(format!("class {path}"));
        let head = Block { kind, text: own, bytes: range.start..body.start };
        return std::iter::once(head).chain(within(source, body, &path)).collect();
    }
    let name = member(&words);
    let is_test = annotated.iter().any(|name| TESTS.contains(name));
    let may_be_junit3 = annotated.is_empty() && words.contains('(');
    let works = annotated.iter().any(|name| !HARMLESS.contains(name));
    let kind = match name {
        // Among several of the kind, whoever takes the closer types wins.
        _ if words.starts_with("import static ") && words.ends_with('*') => BlockKind::Statement,
        _ if words.starts_with("import ") || words.starts_with("package ") => BlockKind::Import,
        Some(name) if is_test || (may_be_junit3 && name.starts_with("test")) => {
            BlockKind::Test(format!("{class}::{name}"))
        }
        Some(name) if !works && !CALLED.iter().any(|called| name.starts_with(called)) => {
            BlockKind::Definition(format!("{class}::{name}"))
        }
        Some(_) | None => BlockKind::Statement,
    };
    vec![Block { kind, text: trimmed(&text), bytes: range }]
}

/// What stands before a body, a value or the end, in one line.
fn head(source: &Scanned<'_>, range: &Range<usize>) -> String {
    let depth = source.places[range.start].depth;
    let ends = |byte: &usize| {
        source.places[*byte].depth == depth && b"{=;".iter().any(|end| source.places[*byte].is_code(*end))
    };
    let end = range.clone().find(ends).unwrap_or(range.end);
    source.code(range.start..end).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Does something new have a name that the old tests use? Then it may stand before what they meant.
pub(super) fn takes_a_name(block: &Block, old: &[Block]) -> bool {
    let name = match &block.kind {
        BlockKind::Definition(name) => name.rsplit([':', ' ']).next(),
        BlockKind::Import => last_word(block.text.trim_end_matches(';')),
        BlockKind::Test(_) | BlockKind::Statement => None,
    };
    let uses = |other: &Block| other.text.split(|letter| !is_word(letter)).any(|word| Some(word) == name);
    name.is_some()
        && old.iter().all(|other| other.kind != block.kind || block.kind == BlockKind::Import)
        && old.iter().any(|other| other.kind != BlockKind::Import && uses(other))
}

/// `Test`, `ParameterizedTest`: those of a head, without packages and arguments.
fn annotations(head: &str) -> Vec<&str> {
    let names = head.split('@').skip(1);
    let names = names.filter_map(|rest| rest.split(|letter| !is_word(letter) && letter != '.').next());
    names.filter_map(|name| name.rsplit('.').next()).collect()
}

/// A head after its annotations and their arguments.
fn without_annotations(head: &str) -> String {
    let mut rest = head.trim_start();
    while let Some(annotation) = rest.strip_prefix('@').filter(|name| !name.starts_with("interface")) {
        let end =
            annotation.find(|letter: char| !is_word(letter) && letter != '.').unwrap_or(annotation.len());
        rest = annotation[end..].trim_start();
        if rest.starts_with('(') {
            let close = close_of(rest, 0, ['(', ')']);
            rest = close.map_or("", |close| rest[close + 1..].trim_start());
        }
    }
    rest.to_owned()
}

/// `adds` in `public void adds() throws Exception`, `calc` in `private final Calc calc`
fn member(words: &str) -> Option<&str> {
    let before = words.split('(').next().unwrap_or_default();
    last_word(before).filter(|name| before.trim_end().len() > name.len())
}

fn last_word(text: &str) -> Option<&str> {
    Some(scan::last_word(text.trim_end())).filter(|word| !word.is_empty())
}

/// `CalcTest` in `public final class CalcTest extends Base`
fn after_word<'text>(words: &'text str, kind: &str) -> Option<&'text str> {
    let is_begin = |at: usize| at == 0 || words[..at].ends_with(' ');
    let (at, _) = words.match_indices(kind).find(|(at, _)| is_begin(*at) && !words[..*at].contains('('))?;
    Some(scan::first_word(&words[at + kind.len()..])).filter(|name| !name.is_empty())
}
