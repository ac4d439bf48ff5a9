//! Takes a Rust source apart into items by its tokens, and finds the tests among them.
//!
//! Rust tests stand within products. Tokens are enough: an item ends with its braces or its semicolon. A full parser
//! would only add a recursion that hostile input can exhaust.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::blocks::{Block, BlockKind, Part};

/// Brackets within brackets; a deeper source is not taken apart.
const DEPTH_MAX: usize = 128;

/// An item of a module.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    /// Attributes, doc comments and body included.
    pub(super) bytes: Range<usize>,
    /// Does it exist in tests only: `#[cfg(test)]`, or a test itself?
    pub(super) is_test: bool,
    /// Its tokens without doc comments; for a module with a body only what stands before it.
    pub(super) text: String,
    /// The inside of a module.
    pub(super) inside: Option<Inside>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    TestFunction(String),
    Use,
    /// With the value of `#[path = "…"]`.
    Module {
        name: String,
        path: Option<String>,
    },
    /// A macro whose body holds test functions.
    TestMacro,
    Statement,
    Other(String),
}

#[derive(Clone, Debug)]
pub(super) struct Inside {
    /// Between the braces.
    pub(super) bytes: Range<usize>,
    pub(super) items: Vec<Item>,
}

/// The items of a file; none if it has no tokens of Rust.
pub(super) fn items(text: &str) -> Option<Vec<Item>> {
    let skipped = prelude(text);
    let tokens: Option<TokenStream> = text[skipped..].parse().ok();
    let found = tokens.filter(|tokens| depth_of(tokens) <= DEPTH_MAX).map(|tokens| items_of(tokens, skipped));
    // The thread's table of places would otherwise grow with every file read.
    proc_macro2::extra::invalidate_current_thread_spans();
    found
}

/// The tests of a file.
pub(super) fn blocks(text: &str, part: Part) -> Option<Vec<Block>> {
    let mut blocks = Vec::new();
    items(text)?.iter().for_each(|item| push_blocks(item, part, "", &mut blocks));
    Some(blocks)
}

fn push_blocks(item: &Item, part: Part, path: &str, blocks: &mut Vec<Block>) {
    let part = if item.is_test { Part::Whole } else { part };
    if let (ItemKind::Module { name, .. }, Some(inside)) = (&item.kind, &item.inside) {
        if part == Part::Whole {
            let kind = BlockKind::Definition(format!("mod {path}{name}"));
            let head = item.bytes.start..inside.bytes.start;
            blocks.push(Block { kind, text: item.text.clone(), bytes: head });
        }
        let path = format!("{path}{name}::");
        inside.items.iter().for_each(|inner| push_blocks(inner, part, &path, blocks));
        return;
    }
    if part == Part::InlineTests {
        return;
    }
    if let (ItemKind::TestMacro, Some(inside)) = (&item.kind, &item.inside) {
        return inside.items.iter().for_each(|inner| push_blocks(inner, part, path, blocks));
    }
    let kind = match &item.kind {
        ItemKind::TestFunction(name) => BlockKind::Test(format!("{path}{name}")),
        ItemKind::Use => BlockKind::Import,
        ItemKind::Module { name, .. } => BlockKind::Definition(format!("mod {path}{name}")),
        ItemKind::Other(name) => BlockKind::Definition(format!("{path}{name}")),
        ItemKind::TestMacro | ItemKind::Statement => BlockKind::Statement,
    };
    blocks.push(Block { kind, text: item.text.clone(), bytes: item.bytes.clone() });
}

/// Macros under which tests assert, as a product defines or imports them: there they take the place of the standard ones.
pub(super) fn assertions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = items(text).unwrap_or_default();
    while let Some(item) = open.pop() {
        let words = || item.text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
        let replaced = |word: &&str| ASSERTIONS.contains(word);
        match &item.kind {
            ItemKind::Use if words().any(|word| word == "macro_use") => found.push("#[macro_use]".to_owned()),
            // `use std::panic::{self, catch_unwind}`: the standard ones take nobody's place.
            ItemKind::Use if words().skip_while(|word| *word != "use").nth(1) == Some("std") => {}
            ItemKind::Use => found.extend(words().filter(replaced).map(str::to_owned)),
            ItemKind::Statement => {
                let mut after =
                    words().filter(|word| !word.is_empty()).skip_while(|word| *word != "macro_rules");
                found.extend(after.nth(1).filter(replaced).map(str::to_owned));
            }
            ItemKind::TestFunction(_)
            | ItemKind::Module { .. }
            | ItemKind::TestMacro
            | ItemKind::Other(_) => {}
        }
        open.extend(item.inside.filter(|_| !item.is_test).map(|inside| inside.items).unwrap_or_default());
    }
    found.sort();
    found
}

const ASSERTIONS: [&str; 8] = [
    "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "panic",
    "matches",
];

/// The length of a byte order mark and of a line `#!/…`, which are no tokens.
pub(super) fn prelude(text: &str) -> usize {
    let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_program = rest.strip_prefix("#!").is_some_and(|rest| !rest.trim_start().starts_with('['));
    let line = if is_program { rest.find('\n').unwrap_or(rest.len()) } else { 0 };
    text.len() - rest.len() + line
}

fn depth_of(tokens: &TokenStream) -> usize {
    let mut depth = 0;
    let mut level = vec![tokens.clone()];
    while !level.is_empty() {
        depth += 1;
        let trees = level.into_iter().flatten();
        level = trees.filter_map(|tree| group_of(&tree).map(Group::stream)).collect();
    }
    depth
}

fn items_of(tokens: TokenStream, offset: usize) -> Vec<Item> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut items = Vec::new();
    let mut rest = trees.as_slice();
    while !rest.is_empty() {
        let length = item_length(rest);
        items.push(item_of(&rest[..length], offset));
        rest = &rest[length..];
    }
    items
}

/// The number of tokens of the first item.
fn item_length(trees: &[TokenTree]) -> usize {
    let attributes = attributes_length(trees);
    if attributes == 0 && is_inner_attribute(trees) {
        return 3;
    }
    let head = &trees[attributes..];
    let needs_semicolon = ends_with_semicolon(head);
    for (index, tree) in head.iter().enumerate() {
        match tree {
            TokenTree::Punct(mark) if mark.as_char() == ';' => return attributes + index + 1,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && !needs_semicolon => {
                // `macro! {…};` takes its semicolon along.
                let next = head.get(index + 1);
                return attributes + index + 1 + usize::from(next.is_some_and(|next| is_mark(next, ';')));
            }
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    trees.len()
}

fn attributes_length(trees: &[TokenTree]) -> usize {
    let mut length = 0;
    while let [mark, TokenTree::Group(group), ..] = &trees[length..]
        && is_mark(mark, '#')
        && group.delimiter() == Delimiter::Bracket
    {
        length += 2;
    }
    length
}

fn is_inner_attribute(trees: &[TokenTree]) -> bool {
    matches!(trees, [mark, bang, TokenTree::Group(_), ..] if is_mark(mark, '#') && is_mark(bang, '!'))
}

fn is_mark(tree: &TokenTree, wanted: char) -> bool {
    matches!(tree, TokenTree::Punct(mark) if mark.as_char() == wanted)
}

fn identifiers(trees: &[TokenTree]) -> Vec<String> {
    let word = |tree: &TokenTree| match tree {
        TokenTree::Ident(word) => Some(word.to_string()),
        TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    };
    trees.iter().filter_map(word).collect()
}

/// `use a::{b};`, `static A: T = T {};` hold braces before their end.
fn ends_with_semicolon(head: &[TokenTree]) -> bool {
    let words = identifiers(&head[..head.len().min(8)]);
    let is_visibility = |word: &&str| ["pub", "crate", "super", "in", "self"].contains(word);
    let mut words = words.iter().map(String::as_str).skip_while(is_visibility);
    match (words.next(), words.next()) {
        (Some("use" | "static" | "type" | "let"), _) | (Some("extern"), Some("crate")) => true,
        (Some("const"), next) => !matches!(next, Some("fn" | "unsafe" | "async" | "extern")),
        _ => false,
    }
}

fn item_of(trees: &[TokenTree], offset: usize) -> Item {
    let attributes = attributes_length(trees);
    let (attributes, head) = trees.split_at(attributes.min(trees.len()));
    let bytes = span(trees, offset);
    let attribute_groups: Vec<&Group> = attributes.iter().filter_map(group_of).collect();
    let is_test_function = attribute_groups.iter().any(|group| names_test(group));
    let kind = kind_of(head, &attribute_groups, is_test_function);
    let body = head.iter().rev().filter_map(group_of).find(|group| group.delimiter() == Delimiter::Brace);
    let holds_items = matches!(kind, ItemKind::Module { .. } | ItemKind::TestMacro);
    let inside = body.filter(|_| holds_items).map(|body| Inside {
        bytes: body.span_open().byte_range().end + offset..body.span_close().byte_range().start + offset,
        items: items_of(body.stream(), offset),
    });
    let shown = if inside.is_some() { &trees[..trees.len() - 1] } else { trees };
    let mut text = String::new();
    push_text(shown, &mut text);
    let is_test = is_test_function || attribute_groups.iter().any(|group| is_cfg_test(group));
    Item { kind, bytes, is_test, text, inside }
}

fn kind_of(head: &[TokenTree], attributes: &[&Group], is_test_function: bool) -> ItemKind {
    let words = identifiers(head);
    let after =
        |keyword: &str| words.iter().skip_while(|word| *word != keyword).nth(1).cloned().unwrap_or_default();
    let is_macro = matches!(head, [TokenTree::Ident(_), bang, ..] if is_mark(bang, '!'));
    let tells = |word: &&str| !["pub", "crate", "super", "in", "unsafe"].contains(word);
    match words.iter().map(String::as_str).find(tells) {
        _ if is_macro && words[0] == "proptest" => ItemKind::TestMacro,
        _ if is_macro && words[0] == "macro_rules" => match words.get(1) {
            // A macro of this name takes the place of the one that old tests assert with.
            Some(name) if name.contains("assert") || name == "panic" => ItemKind::Statement,
            Some(name) => ItemKind::Other(format!("macro {name}")),
            None => ItemKind::Statement,
        },
        _ if is_macro => ItemKind::Statement,
        Some("use" | "extern") if words.iter().all(|word| word != "fn") => ItemKind::Use,
        Some("mod") => {
            let path = attributes.iter().find_map(|group| path_of(group));
            ItemKind::Module { name: after("mod"), path }
        }
        Some("fn" | "async" | "const") if is_test_function => ItemKind::TestFunction(after("fn")),
        Some("fn" | "async") => ItemKind::Other(format!("fn {}", after("fn"))),
        Some(word @ ("struct" | "enum" | "trait" | "type" | "static" | "const" | "union")) => {
            ItemKind::Other(format!("{word} {}", after(word)))
        }
        Some("impl") => ItemKind::Other(words.join(" ")),
        Some(_) | None => ItemKind::Statement,
    }
}

fn group_of(tree: &TokenTree) -> Option<&Group> {
    if let TokenTree::Group(group) = tree { Some(group) } else { None }
}

/// `#[test]`, `#[tokio::test(flavor = "…")]`, `#[rstest]`, `#[test_case(1)]`
fn names_test(attribute: &Group) -> bool {
    let trees: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let path: Vec<_> =
        trees.iter().take_while(|tree| group_of(tree).is_none() && !is_mark(tree, '=')).cloned().collect();
    let last = identifiers(&path).pop().unwrap_or_default();
    ["test", "rstest", "test_case", "bench", "wasm_bindgen_test", "quickcheck"].contains(&last.as_str())
}

/// `#[cfg(test)]`, `#[cfg(all(test, …))]`; `any(test, …)` is a part of products too.
fn is_cfg_test(attribute: &Group) -> bool {
    let mut compact = String::new();
    push_text(&attribute.stream().into_iter().collect::<Vec<_>>(), &mut compact);
    let compact: String = compact.split_whitespace().collect();
    compact == "cfg(test)" || compact.starts_with("cfg(all(test,") || compact.starts_with("cfg(all(test)")
}

fn path_of(attribute: &Group) -> Option<String> {
    let trees: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let [TokenTree::Ident(word), equals, TokenTree::Literal(value)] = trees.as_slice() else { return None };
    let is_path = word == "path" && is_mark(equals, '=');
    is_path.then(|| value.to_string().trim_matches('"').to_owned())
}

fn span(trees: &[TokenTree], offset: usize) -> Range<usize> {
    let start = trees.first().map_or(0, |tree| tree.span().byte_range().start);
    let end = trees.last().map_or(start, |tree| tree.span().byte_range().end);
    start + offset..end + offset
}

/// Tokens with one blank between them, without doc comments.
fn push_text(trees: &[TokenTree], text: &mut String) {
    let mut index = 0;
    while let Some(tree) = trees.get(index) {
        if let Some(length) = doc_length(&trees[index..]) {
            index += length;
            continue;
        }
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                push_text(&group.stream().into_iter().collect::<Vec<_>>(), text);
                text.push_str(close);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {
                text.push_str(&tree.to_string());
                text.push(' ');
            }
        }
        index += 1;
    }
}

fn doc_length(trees: &[TokenTree]) -> Option<usize> {
    let inner = usize::from(is_inner_attribute(trees));
    let [mark, rest @ ..] = trees else { return None };
    let first = group_of(rest.get(inner)?)?.stream().into_iter().next()?;
    let is_doc = is_mark(mark, '#') && matches!(&first, TokenTree::Ident(word) if word == "doc");
    is_doc.then_some(inner + 2)
}
