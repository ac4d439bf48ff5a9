//! Which modules of a crate import which, read from paths that begin with `crate` or `super`, in macros too.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::super::source::Source;

/// Folders whose files are modules of their own, since they share nothing but their place.
const SHELVES: [&str; 1] = ["crates/gulf/src/commands/"];

type Edges = BTreeMap<String, BTreeSet<String>>;

/// The modules of the largest circle, by name; one that imports nobody back is a circle of one, and not told.
pub(super) fn largest_circle(folder: &str, sources: &[&Source<'_>]) -> Vec<String> {
    let names: BTreeSet<String> = sources.iter().filter_map(|source| module(folder, source)).collect();
    let mut edges = Edges::new();
    for source in sources {
        let Some(from) = module(folder, source) else { continue };
        let own = segments(folder, &source.file.path);
        let mut paths = Vec::new();
        paths_in(source.tokens.clone(), &mut paths);
        let to = paths.iter().filter_map(|path| target(folder, &own, path));
        let to = to.filter(|to| *to != from && names.contains(to));
        edges.entry(from.clone()).or_default().extend(to);
    }
    let reached: BTreeMap<&String, BTreeSet<String>> =
        names.iter().map(|name| (name, reachable(name, &edges))).collect();
    let circle = |name: &String| -> Vec<String> {
        let back = reached[name].iter().filter(|other| reached[*other].contains(name));
        back.cloned().collect()
    };
    names.iter().map(circle).max_by_key(Vec::len).unwrap_or_default()
}

fn reachable(from: &str, edges: &Edges) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(name) = open.pop() {
        for next in edges.get(&name).into_iter().flatten() {
            if reached.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    reached
}

/// The module that a file belongs to; none for the crate's root, which only gathers.
fn module(folder: &str, source: &Source<'_>) -> Option<String> {
    named(folder, &segments(folder, &source.file.path))
}

/// `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn segments(folder: &str, path: &str) -> Vec<String> {
    let within = path.trim_start_matches(folder).trim_start_matches("/src/").trim_end_matches(".rs");
    let mut segments: Vec<String> = within.split('/').map(str::to_owned).collect();
    if matches!(segments.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        segments.pop();
    }
    segments
}

/// A module is what stands below the root, or on a shelf.
fn named(folder: &str, segments: &[String]) -> Option<String> {
    let first = segments.first()?;
    let shelf = format!("{folder}/src/{first}/");
    match segments.get(1) {
        Some(second) if SHELVES.contains(&shelf.as_str()) => Some(format!("{first}::{second}")),
        Some(_) | None => Some(first.clone()),
    }
}

/// Where a path leads, seen from a module.
fn target(folder: &str, own: &[String], path: &[String]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let mut place = if first == "crate" { Vec::new() } else { own.to_vec() };
    let up = path.iter().take_while(|segment| *segment == "super").count();
    place.truncate(place.len().saturating_sub(up));
    place.extend(rest.iter().filter(|segment| *segment != "super").cloned());
    named(folder, &place)
}

/// All paths that begin with `crate` or `super`; a group in braces is a path for each of its entries.
fn paths_in(tokens: TokenStream, paths: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(name) if name == "crate" || name == "super" => {
                at = follow(&tokens, at + 1, vec![name.to_string()], paths);
            }
            TokenTree::Group(group) => {
                paths_in(group.stream(), paths);
                at += 1;
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => at += 1,
        }
    }
}

/// Reads on behind the beginning of a path; says where it ends.
fn follow(tokens: &[TokenTree], mut at: usize, mut path: Vec<String>, paths: &mut Vec<Vec<String>>) -> usize {
    while is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1)) {
        match tokens.get(at + 2) {
            Some(TokenTree::Ident(name)) => path.push(name.to_string()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for entry in inner.split(is_comma) {
                    let Some(TokenTree::Ident(name)) = entry.first() else { continue };
                    let mut longer = path.clone();
                    longer.push(name.to_string());
                    follow(entry, 1, longer, paths);
                }
                return at + 3;
            }
            Some(_) | None => break,
        }
        at += 3;
    }
    paths.push(path);
    at
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}
