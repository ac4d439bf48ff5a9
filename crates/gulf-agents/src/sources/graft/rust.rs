//! Grafts inline Rust tests: the base's items, the candidate's tests.
//!
//! In Rust a file of products is a file of tests too, and a new file is unknown to the compiler until another file
//! declares it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::is_test_path;
use super::super::rust::{Inside, Item, ItemKind, items};
use super::Changed;

/// New files that hold tests, and new files that only declare such files.
pub(super) fn modules_with_tests(changed: &BTreeMap<String, Changed>) -> BTreeSet<String> {
    let new = changed.iter().filter(|(path, file)| file.base.is_none() && path.ends_with(".rs"));
    let new = new.filter_map(|(path, file)| Some((path, items(text(file.candidate.as_ref()?)?)?)));
    let new: BTreeMap<&String, Vec<Item>> = new.collect();
    let with_tests = new.iter().filter(|(path, items)| is_test_path(path) || holds_tests(items));
    let mut found: BTreeSet<String> = with_tests.map(|(path, _)| (*path).clone()).collect();
    loop {
        let declares = |path: &str, items: &[Item]| items.iter().any(|item| declared(path, item, &found));
        let declaring = new.iter().filter(|(path, items)| !found.contains(**path) && declares(path, items));
        let more: Vec<String> = declaring.map(|(path, _)| (*path).clone()).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// What a source is to hold; none where it stays the base's.
pub(super) fn grafted(path: &str, file: &Changed, modules: &BTreeSet<String>) -> Option<Vec<u8>> {
    // A source that the candidate deletes is the base's code, tests and all.
    let candidate = text(file.candidate.as_ref()?)?;
    let candidate_items = items(candidate)?;
    let base = match &file.base {
        Some(base) => text(base)?,
        None if modules.contains(path) => "",
        None => return None,
    };
    let base_items = items(base)?;
    let grafter = Grafter { path, modules, base, candidate };
    let kept = grafter.level(0..base.len(), &base_items, &candidate_items);
    let mut kept = kept.trim_start_matches('\n').to_owned();
    let is_program = path.ends_with("/main.rs") || path == "main.rs" || path.contains("src/bin/");
    if file.base.is_none() && is_program {
        kept.push_str("\nfn main() {}\n");
    }
    (kept != base).then(|| kept.into_bytes())
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

fn holds_tests(items: &[Item]) -> bool {
    let has_inside = |item: &Item| item.inside.as_ref().is_some_and(|inside| holds_tests(&inside.items));
    items.iter().any(|item| item.is_test || has_inside(item))
}

/// Does this item of the file declare one of these files as its module?
fn declared(path: &str, item: &Item, modules: &BTreeSet<String>) -> bool {
    let ItemKind::Module { name, path: given } = &item.kind else { return false };
    item.inside.is_none() && files_of(path, name, given.as_deref()).iter().any(|file| modules.contains(file))
}

/// Where the compiler looks for a module.
fn files_of(path: &str, name: &str, given: Option<&str>) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let within =
        |folder: &str, rest: String| if folder.is_empty() { rest } else { format!("{folder}/{rest}") };
    if let Some(given) = given {
        return vec![within(folder, given.trim_start_matches("./").to_owned())];
    }
    let is_root = ["lib.rs", "main.rs", "mod.rs"].contains(&file);
    let folder =
        if is_root { folder.to_owned() } else { within(folder, file.trim_end_matches(".rs").to_owned()) };
    vec![within(&folder, format!("{name}.rs")), within(&folder, format!("{name}/mod.rs"))]
}

struct Grafter<'graft> {
    path: &'graft str,
    modules: &'graft BTreeSet<String>,
    base: &'graft str,
    candidate: &'graft str,
}

impl Grafter<'_> {
    /// One module: the base's text without its tests, with the candidate's at its end.
    fn level(&self, range: Range<usize>, base_items: &[Item], new: &[Item]) -> String {
        let mut text = String::new();
        let mut place = range.start;
        for item in base_items {
            if item.is_test {
                text.push_str(&self.base[place..item.bytes.start]);
                place = item.bytes.end;
            } else if let Some((inside, other)) = matching(item, new) {
                text.push_str(&self.base[place..inside.bytes.start]);
                text.push_str(&self.level(inside.bytes.clone(), &inside.items, &other.items));
                place = inside.bytes.end;
            }
        }
        text.push_str(&self.base[place..range.end]);
        for item in new {
            self.push(&mut text, item, base_items);
        }
        text
    }

    /// Adds what is a test, what declares tests, and a module of the base's lack with its tests.
    fn push(&self, text: &mut String, item: &Item, base_items: &[Item]) {
        let is_there = || base_items.iter().any(|other| other.kind == item.kind && !other.is_test);
        if item.is_test || (declared(self.path, item, self.modules) && !is_there()) {
            push_line(text, &self.candidate[item.bytes.clone()]);
        } else if let (ItemKind::Module { .. }, Some(inside)) = (&item.kind, &item.inside)
            && holds_tests(&inside.items)
            && matching(item, base_items).is_none()
        {
            push_line(text, &self.candidate[item.bytes.start..inside.bytes.start]);
            for inner in &inside.items {
                self.push(text, inner, &[]);
            }
            text.push_str("}\n");
        }
    }
}

/// The same inline module on the other side.
fn matching<'items>(item: &'items Item, others: &'items [Item]) -> Option<(&'items Inside, &'items Inside)> {
    let ItemKind::Module { name, .. } = &item.kind else { return None };
    let inside = item.inside.as_ref()?;
    let is_same = |other: &Item| matches!(&other.kind, ItemKind::Module { name: other, .. } if other == name);
    let mut others = others.iter().filter(|other| !other.is_test && is_same(other));
    others.find_map(|other| Some((inside, other.inside.as_ref()?)))
}

fn push_line(text: &mut String, added: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(added);
    text.push('\n');
}
