//! Sizes of the whole: lock file, engine, map, weight of files; apart from lengths, because no exception is possible.

use super::rule::{Rule, Violation};
use super::source::{Source, lines_of_code};
use super::tree::Tree;

const LOCK_PACKAGES_MAX: usize = 400;
const MAP_LINES_MAX: usize = 200;
const FILE_BYTES_MAX: u64 = 500_000;

/// What decides, and how many lines it may have.
struct Machine {
    sources: &'static str,
    root: &'static str,
    lines_max: usize,
}

const MACHINES: [Machine; 2] = [
    // Over a quarter of them are the vocabulary of the journal.
    Machine { sources: "crates/gulf-engine/src/", root: "crates/gulf-engine/src/lib.rs", lines_max: 4_040 },
    Machine { sources: "crates/gulf-queue/src/", root: "crates/gulf-queue/src/lib.rs", lines_max: 1_000 },
];

/// Tests may use std; the product may not.
const NO_STD: [&str; 2] = ["#![no_std]", "#![cfg_attr(not(test), no_std)]"];
const MAP: &str = "ARCHITECTURE.md";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    found.extend(check_lock(tree));
    for machine in &MACHINES {
        found.extend(check_engine_size(tree, machine));
        found.extend(check_engine_no_std(tree, machine));
    }
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

fn check_engine_size(tree: &Tree, machine: &Machine) -> Option<Violation> {
    let Machine { sources, root, lines_max } = machine;
    let sources = tree.rust_files().filter(|file| file.path.starts_with(sources));
    let lines: usize =
        sources.filter_map(|file| Source::parse(file).ok()).map(|source| lines_of_code(&source)).sum();
    let message = format!("{lines} lines of code without tests, fewer than {lines_max} wanted");
    (lines >= *lines_max).then(|| Violation::new(root, 1, Rule::EngineSize, message))
}

fn check_engine_no_std(tree: &Tree, machine: &Machine) -> Option<Violation> {
    let root = tree.find(machine.root)?;
    let declared = root.text.lines().any(|line| NO_STD.contains(&line.trim()));
    (!declared).then(|| Violation::new(machine.root, 1, Rule::EngineNoStd, "`#![no_std]` is missing"))
}

fn check_map(tree: &Tree) -> Option<Violation> {
    let map = tree.find(MAP)?;
    let lines = map.text.lines().count();
    let message = format!("{lines} lines, at most {MAP_LINES_MAX}");
    (lines > MAP_LINES_MAX).then(|| Violation::new(MAP, 1, Rule::MapLength, message))
}
