//! Every target's body over its seeds, whole and cut anywhere; apart from the fuzzer, which these tests do not need.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use gulf_fuzz::{Outcome, TARGETS};

/// The fuzzer's own finds are named by 40 digits, and there can be thousands of them.
const FIND_NAME_CHARS: usize = 40;

/// Far deeper than anything that people write; a recursion without a limit overflows the stack of a test with it.
const DEPTH: usize = 20_000;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The names of what stands in a folder of `fuzz/`.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(fuzz().join(folder)).expect("the folder is there");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
    entries.map(|entry| name(entry).expect("a name in UTF-8")).collect()
}

fn text(file: &str) -> String {
    fs::read_to_string(fuzz().join(file)).expect("the file is there")
}

fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = fuzz().join("corpus").join(target);
    let names = names(&format!("corpus/{target}")).into_iter().filter(|name| name.len() != FIND_NAME_CHARS);
    let seed = |name: String| {
        let bytes = fs::read(folder.join(&name)).expect("a seed is a file");
        (name, bytes)
    };
    names.map(seed).collect()
}

#[test]
fn every_body_survives_its_seeds_whole_and_cut_anywhere() {
    for (target, body) in TARGETS {
        for (name, seed) in seeds(target) {
            for length in 0..=seed.len() {
                // Shown where a panic stops the test.
                println!("{target}/{name}, cut to {length} bytes");
                body(&seed[..length]);
            }
        }
    }
}

#[test]
fn every_target_has_a_seed_that_is_understood() {
    let refused =
        |target, body: gulf_fuzz::Body| !seeds(target).iter().any(|(_, seed)| body(seed) == Outcome::Read);
    let refusing: Vec<&str> = TARGETS
        .into_iter()
        .filter(|(target, body)| refused(target, *body))
        .map(|(target, _)| target)
        .collect();
    assert_eq!(refusing, [""; 0]);
}

#[test]
fn every_body_is_a_target_and_every_target_a_body() {
    let bodies: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let sources = bodies.iter().map(|name| format!("{name}.rs")).collect::<BTreeSet<_>>();
    assert_eq!(names("targets"), sources);
    assert_eq!(names("corpus"), bodies);
    let manifest = text("Cargo.toml");
    for name in &bodies {
        assert!(manifest.contains(&format!("path = \"targets/{name}.rs\"")), "{name} is in fuzz/Cargo.toml");
        let source = text(&format!("targets/{name}.rs"));
        assert!(source.contains(&format!("gulf_fuzz::{name}(")), "targets/{name}.rs calls its body");
    }
}

#[test]
fn no_depth_of_nesting_overflows_the_stack() {
    let heads = ["", "a = ", "{{ goal }}{{ ", "{% if a %}"];
    let openings = ["[", "{", "(", "<a>", "{\"a\":", "> ", "not ", "{% if a %}", "{% elif a %}"];
    for (target, body) in TARGETS {
        for (head, opening) in heads.iter().flat_map(|head| openings.map(|opening| (head, opening))) {
            println!("{target}, {head:?} and many of {opening:?}");
            body(format!("{head}{}", opening.repeat(DEPTH)).as_bytes());
        }
    }
}

#[test]
fn no_depth_of_nesting_in_a_test_source_overflows_the_stack() {
    for path in ["a.rs", "tests/a.rs", "test_a.py", "a.test.ts", "a_test.go", "package.json", "Cargo.toml"] {
        for opening in
            ["(", "[", "{", "mod a{", "!", "a = [", "describe('a', () => {", "`${", "/*", "{\"a\":"]
        {
            println!("{path}, many of {opening:?}");
            let source = opening.repeat(DEPTH);
            gulf_fuzz::sources(["", "", path, "", &source].join("\n-----\n").as_bytes());
        }
    }
}
