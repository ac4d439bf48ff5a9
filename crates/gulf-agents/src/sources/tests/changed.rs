//! What is listed as done to the tests of a base, and what is not.

use crate::sources::*;

pub(super) fn check(path: &str, old: &str, new: &str, expected: &[(Option<&str>, ChangeKind)]) {
    let changes = test_changes(path, Some(old.as_bytes()), Some(new.as_bytes()));
    let listed: Vec<_> = changes.iter().map(|change| (change.name.as_deref(), change.kind)).collect();
    assert_eq!(listed, expected, "{changes:#?}");
}

pub(super) fn check_new(path: &str, old: &str, new: &str, expected: &[(&str, usize, usize)]) {
    let tests = new_tests(path, Some(old.as_bytes()), new.as_bytes());
    let listed: Vec<_> =
        tests.iter().map(|test| (test.name.as_str(), test.lines.first, test.lines.last)).collect();
    assert_eq!(listed, expected);
}

const RUST: &str = "//! Product.
pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> i32 { 2 }

    /// Adds.
    #[test]
    fn adds() {
        assert_eq!(add(1, 1), two());
    }
}
";

#[test]
fn a_new_rust_test_leaves_the_old_ones_alone() {
    let new = RUST
        .replace("use super::*;", "use super::{*};\n    use std::fmt;\n    use super::*;")
        .replace("a + b }", "b + a }\npub fn sub() {}")
        .replace(
            "    /// Adds.",
            "    // Another comment.\n    fn one() -> i32 { 1 }\n    #[test] fn subs() { sub(); }\n",
        );
    check("src/lib.rs", RUST, &new, &[]);
    check_new("src/lib.rs", RUST, &new, &[("tests::subs", 15, 15)]);
}

#[test]
fn a_rust_test_changed_removed_or_ignored_is_listed() {
    let name = Some("tests::adds");
    check("src/lib.rs", RUST, &RUST.replace("add(1, 1)", "add(1, 2)"), &[(name, ChangeKind::Changed)]);
    check(
        "src/lib.rs",
        RUST,
        &RUST.replace("#[test]", "#[test]\n    #[ignore]"),
        &[(name, ChangeKind::Skipped)],
    );
    check(
        "src/lib.rs",
        RUST,
        &RUST.replace("#[test]", "#[cfg(any())]\n    #[test]"),
        &[(name, ChangeKind::Skipped)],
    );
    check("src/lib.rs", RUST, &RUST.replace("#[test]", ""), &[(name, ChangeKind::Removed)]);
    check("src/lib.rs", RUST, &RUST.replace("{ 2 }", "{ 3 }"), &[(None, ChangeKind::Changed)]);
    let gone = RUST.split("#[cfg(test)]").next().unwrap();
    let all = [
        (None, ChangeKind::Removed),
        (None, ChangeKind::Changed),
        (None, ChangeKind::Removed),
        (name, ChangeKind::Removed),
    ];
    check("src/lib.rs", RUST, gone, &all);
    let hidden = RUST.replace("#[cfg(test)]", "#[cfg(all(test, feature = \"slow\"))]");
    check("src/lib.rs", RUST, &hidden, &[(None, ChangeKind::Changed)]);
    check(
        "src/lib.rs",
        RUST,
        &RUST.replace("mod tests {", "mod tests { macro_rules! assert_eq { ($($x:tt)*) => {} }"),
        &[(None, ChangeKind::Changed)],
    );
}

#[test]
fn a_removed_file_lists_each_of_its_tests() {
    let changes = test_changes("src/lib.rs", Some(RUST.as_bytes()), None);
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].name.as_deref(), Some("tests::adds"));
    assert_eq!(test_changes("tests/data.json", Some(b"1"), None)[0].kind, ChangeKind::Removed);
    assert_eq!(test_changes("src/lib.rs", None, Some(RUST.as_bytes())), []);
}

#[test]
fn a_product_that_cannot_be_read_counts_only_where_tests_may_be() {
    check("src/lib.rs", RUST, "fn broken( {", &[(None, ChangeKind::Changed)]);
    check("src/lib.rs", "pub fn a() {}", "fn broken( {", &[]);
    check("tests/it.rs", "fn a( {", "fn b( {", &[(None, ChangeKind::Changed)]);
}

const PYTHON: &str = "import pytest
from calc import add

LIMIT = 3

@pytest.fixture
def numbers():
    return (1,
2)

@pytest.mark.parametrize('a', [1])
def test_add(a):
    '''A long
text (not closed'''
    assert add(a, 1) == 2

class TestMore:
    limit = 2

    def helper(self):
        return 1

    def test_inner(self):
        if True:
            pass
        else:
            pass
        assert add(1, 1) == self.limit
";

#[test]
fn a_new_python_test_leaves_the_old_ones_alone() {
    let new = PYTHON.replace("import add", "import add, mul").replace(
        "class TestMore",
        "def helper(): pass\n\ndef test_mul():\n    assert mul(2, 2) == 4\n\nclass TestMore",
    ) + "\n    def test_last(self):\n        pass\n";
    check("tests/test_calc.py", PYTHON, &new, &[]);
    check_new("tests/test_calc.py", PYTHON, &new, &[("test_mul", 19, 20), ("TestMore::test_last", 35, 36)]);
}

#[test]
fn a_python_test_changed_removed_or_skipped_is_listed() {
    let path = "tests/test_calc.py";
    let inner = Some("TestMore::test_inner");
    check(
        path,
        PYTHON,
        &PYTHON.replace("assert add(a", "assert add(0 * a"),
        &[(Some("test_add"), ChangeKind::Changed)],
    );
    check(
        path,
        PYTHON,
        &PYTHON.replace("def test_add", "@pytest.mark.skip\ndef test_add"),
        &[(Some("test_add"), ChangeKind::Skipped)],
    );
    check(
        path,
        PYTHON,
        &PYTHON.replace("    def test_inner", "    @pytest.mark.xfail\n    def test_inner"),
        &[(inner, ChangeKind::Skipped)],
    );
    check(
        path,
        PYTHON,
        &PYTHON.replace("test_inner", "inner_test"),
        &[
            (None, ChangeKind::Removed),
            (None, ChangeKind::Removed),
            (None, ChangeKind::Removed),
            (inner, ChangeKind::Removed),
        ],
    );
    check(path, PYTHON, &PYTHON.replace("return (1,", "return (9,"), &[(None, ChangeKind::Changed)]);
    check(path, PYTHON, &PYTHON.replace("from calc", "from fake"), &[(None, ChangeKind::Changed)]);
    check(
        path,
        PYTHON,
        &format!("{PYTHON}\npytestmark = pytest.mark.skip\n"),
        &[(None, ChangeKind::Skipped)],
    );
    check(
        path,
        PYTHON,
        &format!("{PYTHON}\n@pytest.fixture(autouse=True)\ndef f(): pass\n"),
        &[(None, ChangeKind::Changed)],
    );
    check(
        path,
        PYTHON,
        &format!("{PYTHON}\ndef test_add(): pass\n"),
        &[(Some("test_add"), ChangeKind::Changed)],
    );
}

const SCRIPT: &str = "import { test, describe, it } from 'node:test';
import { add } from '../index.js';
// A comment with don't in it.
const two = 2;

test('adds', () => {
  assert.equal(add(1, 1), two); // fine
});

describe('group', () => {
  it('inner', async () => { assert.ok(`${add({ a: 1 }, /[}/]/)}`); });
});
";

#[test]
fn a_new_script_test_leaves_the_old_ones_alone() {
    let new = SCRIPT
        .replace("{ add }", "{ add, mul }")
        .replace(
            "});\n\ndescribe",
            "});\n\nfunction helper() {}\ntest('muls', () => {\n  mul();\n});\n\ndescribe",
        )
        .replace("  it('inner'", "  it('more', () => {});\n  it('inner'");
    check("test/a.test.js", SCRIPT, &new, &[]);
    check_new("test/a.test.js", SCRIPT, &new, &[("muls", 11, 13), ("group > more", 16, 16)]);
    // The last word of a group's title stands in the old tests.
    let titled = format!("{SCRIPT}describe('what equal', () => {{\n  it('is', () => {{}});\n}});\n");
    check_new("test/a.test.js", SCRIPT, &titled, &[("what equal > is", 14, 14)]);
}

#[test]
fn a_script_test_changed_removed_or_skipped_is_listed() {
    let path = "test/a.test.js";
    let inner = Some("group > inner");
    check(
        path,
        SCRIPT,
        &SCRIPT.replace("add(1, 1), two", "two, two"),
        &[(Some("adds"), ChangeKind::Changed)],
    );
    check(path, SCRIPT, &SCRIPT.replace("it('inner'", "it.skip('inner'"), &[(inner, ChangeKind::Skipped)]);
    check(
        path,
        SCRIPT,
        &SCRIPT.replace("'inner', async", "'inner', { todo: true }, async"),
        &[(inner, ChangeKind::Skipped)],
    );
    check(
        path,
        SCRIPT,
        &SCRIPT.replace("describe('group'", "describe.skip('group'"),
        &[(None, ChangeKind::Skipped)],
    );
    check(path, SCRIPT, &format!("{SCRIPT}test.only('mine', () => {{}});\n"), &[(None, ChangeKind::Skipped)]);
    let each = "test.only.each([[1], [2]])('mine %d', () => {});\n";
    check(path, SCRIPT, &format!("{SCRIPT}{each}"), &[(None, ChangeKind::Skipped)]);
    check(path, SCRIPT, &format!("{SCRIPT}{}", each.replace(".only", "")), &[]);
    check(
        path,
        SCRIPT,
        &format!("{SCRIPT}beforeEach(() => process.exit(0));\n"),
        &[(None, ChangeKind::Changed)],
    );
    check(path, SCRIPT, &SCRIPT.replace("'adds'", "'sums'"), &[(Some("adds"), ChangeKind::Removed)]);
    check(path, SCRIPT, &SCRIPT.replace("= 2", "= add(1, 1)"), &[(None, ChangeKind::Changed)]);
}

const GO: &str = "package calc

import \"testing\"

const two = 2

func TestAdd(t *testing.T) {
\tif Add(1, 1) != two {
\t\tt.Fatal('}')
\t}
}
";

#[test]
fn go_tests_are_told_apart() {
    let new = GO.replace("import \"testing\"", "import (\n\t\"fmt\"\n\t\"testing\"\n)")
        + "\nfunc TestMul(t *testing.T) {\n\tMul()\n}\n";
    check("calc_test.go", GO, &new, &[]);
    check_new("calc_test.go", GO, &new, &[("TestMul", 16, 18)]);
    check(
        "calc_test.go",
        GO,
        &GO.replace("\tif Add", "\tt.Skip()\n\tif Add"),
        &[(Some("TestAdd"), ChangeKind::Skipped)],
    );
    check(
        "calc_test.go",
        GO,
        &format!("{GO}func TestMain(m *testing.M) {{}}\n"),
        &[(None, ChangeKind::Changed)],
    );
}

// proves: B3
#[test]
fn a_constraint_that_keeps_go_from_building_a_test_file_is_a_change_of_it() {
    let test = "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n";
    for constraint in ["//go:build never\n\n", "// +build never\n\n"] {
        let now = format!("{constraint}{test}");
        let changes = test_changes("a_test.go", Some(test.as_bytes()), Some(now.as_bytes()));
        assert_eq!(changes.len(), 1, "{constraint}{changes:?}");
        assert!(!test_changes("a_test.go", Some(now.as_bytes()), Some(test.as_bytes())).is_empty());
        assert!(test_changes("a_test.go", Some(now.as_bytes()), Some(now.as_bytes())).is_empty());
    }
    let comment = format!("// a comment\n{test}");
    assert!(test_changes("a_test.go", Some(test.as_bytes()), Some(comment.as_bytes())).is_empty());
}

// proves: B3
#[test]
fn a_product_that_brings_in_its_own_assertions_is_found() {
    let base = "pub fn a() {}\n#[cfg(test)]\nmod tests { use super::*; }\n";
    let of = |now: &str| replaced_assertions("src/lib.rs", Some(base.as_bytes()), Some(now.as_bytes()));
    for (source, name) in [
        ("macro_rules! assert_eq { ($($t:tt)*) => {}; }", "assert_eq"),
        ("#[macro_use]\nmod m { #[macro_export] macro_rules! assert { () => {} } }", "assert"),
        ("pub(crate) use fake::assert_ne;", "assert_ne"),
        ("use fake::{a, quiet as panic};", "panic"),
        ("#[macro_use]\nextern crate fake;", "#[macro_use]"),
    ] {
        assert_eq!(of(&format!("{source}\n{base}")), [name], "{source}");
        assert!(replaced_assertions("src/m.rs", None, Some(source.as_bytes())).contains(&name.to_owned()));
    }
    for source in [
        "macro_rules! assert_valid { () => {} }",
        "fn b() { assert_eq!(1, 1); }",
        "use a::asserted;",
        "use std::panic::{self, catch_unwind};",
        "#[cfg(test)]\nmod more { use pretty_assertions::assert_eq; }",
        "macro_rules! check { ($a:expr) => { assert_eq!($a, 1) }; }",
    ] {
        assert_eq!(of(&format!("{source}\n{base}")), [""; 0], "{source}");
    }
    assert_eq!(replaced_assertions("a.py", None, Some(b"macro_rules! assert { () => {} }")), [""; 0]);
}
