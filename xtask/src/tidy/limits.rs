//! Sizes of the whole: lock file, map, weight of files; apart from lengths, because no exception is possible.

use super::rule::{Rule, Violation};
use super::tree::Tree;

const LOCK_PACKAGES_MAX: usize = 400;
const MAP_LINES_MAX: usize = 200;
const FILE_BYTES_MAX: u64 = 500_000;

/// The roots of what decides, and of the names that it uses.
const MACHINES: [&str; 3] =
    ["crates/gulf-names/src/lib.rs", "crates/gulf-engine/src/lib.rs", "crates/gulf-queue/src/lib.rs"];

/// Tests may use std; the product may not.
const NO_STD: [&str; 2] = ["#![no_std]", "#![cfg_attr(not(test), no_std)]"];
const MAP: &str = "ARCHITECTURE.md";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    found.extend(check_lock(tree));
    found.extend(MACHINES.iter().filter_map(|root| check_engine_no_std(tree, root)));
    found.extend(check_map(tree));
    for file in tree.files().iter().filter(|file| file.bytes > FILE_BYTES_MAX) {
        let message = format!("{} bytes, at most {FILE_BYTES_MAX}", file.bytes);
        found.push(Violation::new(&file.path, 1, Rule::FileWeight, message));
    }
    found
}

fn check_lock(tree: &Tree) -> Option<Violation> {
    let lock = tree.find("Cargo.lock")?;
    let packages = lock.text.lines().filter(|line| *line == "[[package]]").count();
    let message = format!("{packages} packages, at most {LOCK_PACKAGES_MAX}");
    (packages > LOCK_PACKAGES_MAX).then(|| Violation::new(&lock.path, 1, Rule::LockSize, message))
}

fn check_engine_no_std(tree: &Tree, root: &str) -> Option<Violation> {
    let declared = tree.find(root)?.text.lines().any(|line| NO_STD.contains(&line.trim()));
    (!declared).then(|| Violation::new(root, 1, Rule::EngineNoStd, "`#![no_std]` is missing"))
}

fn check_map(tree: &Tree) -> Option<Violation> {
    let map = tree.find(MAP)?;
    let lines = map.text.lines().count();
    let message = format!("{lines} lines, at most {MAP_LINES_MAX}");
    (lines > MAP_LINES_MAX).then(|| Violation::new(MAP, 1, Rule::MapLength, message))
}
