//! Each ratchet is seen to hold, to be too wide, and to fit.

use super::super::tree::Tree;
use super::*;

const FOLDER: &str = "crates/gulf";

fn circle(texts: &[(&str, &str)]) -> Vec<String> {
    let tree = Tree::of_texts(texts);
    let sources: Vec<Source<'_>> = tree.rust_files().map(|file| Source::parse(file).unwrap()).collect();
    imports::largest_circle(FOLDER, &sources.iter().collect::<Vec<_>>())
}

#[test]
fn modules_that_import_each_other_by_way_of_a_third_are_a_circle() {
    let texts = [
        ("crates/gulf/src/lib.rs", "use crate::a::A;"),
        ("crates/gulf/src/a.rs", "use crate::{b::B, e::{E, F}};"),
        ("crates/gulf/src/b.rs", "fn b() { write!(f, \"{}\", crate::c::word()) }"),
        ("crates/gulf/src/c/inner.rs", "use super::super::a::A;"),
        ("crates/gulf/src/d.rs", "use crate::a::A;"),
        ("crates/gulf/src/e.rs", "use std::fmt;"),
    ];
    assert_eq!(circle(&texts), ["a", "b", "c"]);
}

#[test]
fn a_module_and_what_lies_below_it_are_one() {
    let texts = [
        ("crates/gulf/src/a.rs", "use crate::a::inner::B;"),
        ("crates/gulf/src/a/inner.rs", "use super::A; use crate::b::B;"),
        ("crates/gulf/src/b.rs", ""),
    ];
    assert_eq!(circle(&texts), [""; 0]);
}

#[test]
fn each_command_is_a_module_of_its_own() {
    let texts = [
        ("crates/gulf/src/commands/run.rs", "use super::start::begin;"),
        ("crates/gulf/src/commands/start.rs", "use crate::commands::run::{Run, told};"),
        ("crates/gulf/src/commands/list.rs", "use super::run::Run;"),
    ];
    assert_eq!(circle(&texts), ["commands::run", "commands::start"]);
}

#[test]
fn a_number_holds_and_follows_what_was_saved() {
    let room = Room { folder: FOLDER, lines_max: 1_000, circle_max: 2 };
    let says = |lines| room.judge_lines(lines).map(|found| found.message);
    assert_eq!(says(1_000), None);
    assert_eq!(says(700), None);
    assert!(says(1_001).unwrap().contains("at most 1000"));
    assert!(says(699).unwrap().contains("lower the 1000"));
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(room.judge_circle(&names(&["a", "b"])), None);
    assert!(room.judge_circle(&names(&["a", "b", "c"])).unwrap().message.contains("a, b, c"));
    assert!(room.judge_circle(&[]).unwrap().message.contains("lower the 2"));
}

#[test]
fn a_type_name_is_shared_where_the_product_defines_it_twice() {
    let tree = Tree::of_texts(&[
        ("crates/gulf/src/a.rs", "struct Standing; enum Kind {} type Word = u8;"),
        ("crates/gulf-views/src/b.rs", "trait Standing {} #[cfg(test)] struct Kind;"),
        ("crates/gulf-views/src/b/tests.rs", "struct Word;"),
        ("xtask/src/c.rs", "struct Word;"),
    ]);
    let sources: Vec<Source<'_>> = tree.rust_files().map(|file| Source::parse(file).unwrap()).collect();
    let shared = shared_names(&sources);
    assert_eq!(shared.keys().collect::<Vec<_>>(), [&"Standing"]);
    assert_eq!(judge_names(&shared, 1), None);
    assert!(judge_names(&shared, 0).unwrap().message.contains("crates/gulf-views/src/b.rs"));
    assert!(judge_names(&shared, 2).unwrap().message.contains("lower the 2"));
}

#[test]
fn a_function_of_the_product_says_what_it_gives() {
    let texts = [
        (
            "crates/gulf/src/a.rs",
            "impl A {\n    fn of(text: &str) -> A { A }\n}\nfn title() {}\n#[cfg(test)]\nmod tests {\n    fn told() {}\n}\n",
        ),
        (PATH, ""),
    ];
    let tree = Tree::of_texts(&texts);
    let sources: Vec<Source<'_>> = tree.rust_files().map(|file| Source::parse(file).unwrap()).collect();
    let vague = check(&sources).into_iter().filter(|found| found.rule == Rule::VagueName);
    let places: Vec<String> = vague.map(|found| format!("{}:{}", found.path, found.line)).collect();
    assert_eq!(places, ["crates/gulf/src/a.rs:2"]);
}
