//! The base's tests on the candidate's code, file by file.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

fn changed(base: Option<&str>, candidate: Option<&str>) -> Changed {
    let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    Changed { base: bytes(base), candidate: bytes(candidate) }
}

/// What a file holds in the end, where it is not the candidate's.
fn given_back(path: &str, base: Option<&str>, candidate: Option<&str>) -> Option<Option<String>> {
    let edits = restored(&BTreeMap::from([(path.to_owned(), changed(base, candidate))]), &BTreeSet::new());
    let edit = edits.into_iter().next()?;
    Some(edit.bytes.map(|bytes| String::from_utf8(bytes).unwrap()))
}

#[test]
fn tests_their_support_and_their_settings_are_the_bases_again() {
    for path in
        ["tests/test_a.py", "test/data/a.json", "conftest.py", "pytest.ini", "a.test.ts", "jest.config.js"]
    {
        assert_eq!(given_back(path, Some("old"), Some("new")), Some(Some("old".to_owned())), "{path}");
        assert_eq!(given_back(path, Some("old"), None), Some(Some("old".to_owned())), "{path} was removed");
        assert_eq!(given_back(path, None, Some("new")), Some(None), "{path} was added");
    }
    for path in ["calc.py", "src/index.ts", "README.md", "package.json", "Cargo.toml", "go.mod"] {
        assert_eq!(given_back(path, Some("old"), Some("new")), None, "{path} is the candidate's");
    }
}

#[test]
fn what_a_manifest_builds_stays_and_a_hundred_thousand_new_files_are_not_each_held_against_all() {
    let source = "tests/support/one.c";
    let mut files: BTreeMap<String, Changed> =
        (0..100_000).map(|number| (format!("n/{number}.c"), changed(None, Some("")))).collect();
    files.insert(source.to_owned(), changed(None, Some("")));
    let given_back = |files: &_| restored(files, &BTreeSet::new()).into_iter().map(|edit| edit.path);
    assert_eq!(given_back(&files).collect::<Vec<_>>(), [source]);
    let manifest = changed(Some(""), Some("add_library(one tests/support/one.c)\n"));
    files.insert("CMakeLists.txt".to_owned(), manifest);
    assert_eq!(given_back(&files).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn a_rust_source_keeps_the_candidates_code_and_gets_the_bases_tests() {
    let tests = |assertion: &str| {
        format!("\n#[cfg(test)]\nmod tests {{\n    #[test]\n    fn a() {{\n        {assertion}\n    }}\n}}\n")
    };
    let base = format!("pub fn one() -> u8 {{ 1 }}\n{}", tests("assert_eq!(super::one(), 1);"));
    let candidate = format!("pub fn one() -> u8 {{ 2 }}\n{}", tests(""));
    let given = given_back("src/lib.rs", Some(&base), Some(&candidate)).unwrap().unwrap();
    assert!(given.contains("{ 2 }") && given.contains("assert_eq!(super::one(), 1);"), "{given}");
    assert_eq!(given.matches("fn a()").count(), 1, "{given}");
}

#[test]
fn new_tests_alone_reach_no_old_ones_and_whatever_works_by_standing_there_does() {
    let reaches = |path: &str, base: Option<&str>, candidate: &str| {
        reaches_old_tests(path, &changed(base, Some(candidate)))
    };
    let old = "from calc import add\n\n\ndef test_a():\n    assert add(1, 1) == 2\n";
    let more = format!("{old}\n\ndef test_b():\n    assert add(1, 2) == 3\n");
    let helped = "def two():\n    return 2\n\n\ndef test_b():\n    assert two() == 2\n";
    assert!(!reaches("tests/test_a.py", Some(old), &more));
    assert!(!reaches("tests/test_b.py", None, helped), "a helper of its own");
    assert!(!reaches("tests/test_a.py", Some(old), &format!("{old}\n\n{helped}")), "a name that is new");
    assert!(!reaches("tests/data/b.json", None, "{}"));
    assert!(!reaches("src/lib.rs", Some(""), "#[cfg(test)]\nmod tests {}\n"));
    assert!(reaches("tests/test_a.py", Some(old), &format!("{old}\n\ndef add(a, b):\n    return 2\n")));
    assert!(reaches("tests/test_b.py", None, &format!("import calc\n\ncalc.add = max\n\n\n{helped}")));
    assert!(reaches("tests/calc.py", None, "def add(a, b):\n    return 2\n"), "it has no test");
    assert!(reaches("tests/test_b.py", None, "def ("), "nobody can tell");
}

#[test]
fn what_only_tests_use_is_the_bases_again_whatever_its_language() {
    for path in ["helpers/src/lib.rs", "same/same.go", "golden/out.txt", "tools/same.js"] {
        let files = BTreeMap::from([(path.to_owned(), changed(Some("fn old() {}"), Some("fn new() {}")))]);
        let edits = restored(&files, &BTreeSet::from([path.to_owned()]));
        let [Edit { bytes: Some(bytes), .. }] = edits.as_slice() else { panic!("{path}: {edits:?}") };
        assert_eq!(bytes, b"fn old() {}", "{path}");
        assert!(restored(&files, &BTreeSet::new()).is_empty(), "{path}");
    }
}

#[test]
fn on_the_base_tests_stand_beside_the_bases_own_code() {
    let source = |code: &str, test: &str| {
        format!("pub fn one() -> u8 {{ {code} }}\n\n#[cfg(test)]\nmod tests {{\n    {test}\n}}\n")
    };
    let base = source("0", "#[test]\n    fn is_one() { assert_eq!(super::one(), 1); }");
    let other = "#[test]\n    fn is_one() { assert_eq!(super::one(), 2); }";
    let put = |path: &str, base: Option<&str>, tests: &str| {
        let bytes = with_tests(path, base.map(str::as_bytes), tests.as_bytes());
        bytes.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let given = put("src/lib.rs", Some(&base), &source("1", other)).unwrap();
    assert!(given.contains("{ 0 }") && given.contains("one(), 2)"), "{given}");
    assert!(!given.contains("{ 1 }") && !given.contains("one(), 1)"), "{given}");
    // What the base does not have is in no module there.
    assert_eq!(put("src/one.rs", None, &source("1", other)), None);
    assert_eq!(put("tests/one.rs", Some("old"), "new"), Some("new".to_owned()));
}

#[test]
fn a_text_names_a_file_by_its_whole_name() {
    for text in ["print out", "see tests/out.", "`out`", "out을 고친다", "mend (out)"] {
        assert!(names_file(text, "tests/out"), "{text}");
    }
    for text in ["print the output", "without", "out.txt", "log.out", "out-of-date", "out_2"] {
        assert!(!names_file(text, "tests/out"), "{text}");
    }
    assert!(names_file("Add EUR to rates.json.", "data/rates.json"));
}
