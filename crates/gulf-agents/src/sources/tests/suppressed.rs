//! Which marks a candidate adds, and which only look so.

use std::collections::BTreeMap;

use crate::sources::*;

/// Files as `(path, base, candidate)`; an empty text is a file that is not there.
fn added(files: &[(&str, &str, &str)]) -> Vec<String> {
    let side = |text: &str| (!text.is_empty()).then(|| text.as_bytes().to_vec());
    let files: BTreeMap<String, Changed> = files
        .iter()
        .map(|(path, base, candidate)| {
            ((*path).to_owned(), Changed { base: side(base), candidate: side(candidate) })
        })
        .collect();
    added_suppressions(&files, &|_| true)
        .into_iter()
        .map(|one| {
            format!("{}:{} {}{}", one.path, one.line, one.mark, if one.count > 1 { " more" } else { "" })
        })
        .collect()
}

#[track_caller]
fn check(files: &[(&str, &str, &str)], expected: &[&str]) {
    assert_eq!(added(files), expected, "{files:#?}");
}

// proves: G24
#[test]
fn a_mark_that_the_base_has_not_is_found_with_its_line() {
    for (path, base, now, expected) in [
        ("a.py", "import os\n", "import os  # noqa: F401\n", "a.py:1 # noqa"),
        ("a.py", "x = f()\n", "x = f()  #type:ignore[attr]\n", "a.py:1 # type: ignore"),
        ("a.py", "", "# mypy: ignore-errors\nx = 1\n", "a.py:1 # mypy:"),
        ("a.py", "", "def f():  # Pragma: No Cover\n    pass\n", "a.py:1 # pragma: no cover"),
        ("a.ts", "f(x);\n", "// @ts-ignore because\nf(x);\n", "a.ts:1 @ts-ignore"),
        ("a.tsx", "f(x);\n", "f(x);\n/* eslint-disable */\n", "a.tsx:2 eslint-disable"),
        ("a.js", "f(x);\n", "/* eslint no-unused-vars: 0 */\nf(x);\n", "a.js:1 /* eslint … */"),
        ("a.js", "f(x);\n", "/* c8 ignore next */\nf(x);\n", "a.js:1 c8 ignore"),
        ("a.js", "f(x);\n", "/* istanbul ignore file */\nf(x);\n", "a.js:1 istanbul ignore"),
        ("a.rs", "fn a() {}\n", "#[allow(dead_code)]\nfn a() {}\n", "a.rs:1 #[allow]"),
        ("a.rs", "fn a() {}\n", "#![cfg_attr(test, allow(unused))]\nfn a() {}\n", "a.rs:1 #[allow]"),
        ("a.rs", "fn a() {}\n", "fn a() { #[expect(unused)] let x = 1; }\n", "a.rs:1 #[expect]"),
        ("a.rs", "fn a() {}\n", "#[cfg(not(clippy))]\nfn a() {}\n", "a.rs:1 cfg(clippy)"),
        ("a.rs", "fn a() {}\n", "#[coverage(off)]\nfn a() {}\n", "a.rs:1 #[coverage(off)]"),
        ("a.rs", "fn a() {}\n", "#[allow(dead_code)]\nfn a( {}\n", "a.rs:1 #[allow]"),
        ("a.go", "package a\n", "package a //nolint:all\n", "a.go:1 //nolint"),
        ("a.c", "int a;\n", "int a; // NOLINT\n", "a.c:1 NOLINT"),
        (
            "a.py",
            "import warnings\n",
            "import warnings\n\nwarnings.simplefilter('ignore')\n",
            "a.py:3 warnings.filterwarnings()",
        ),
        ("a.py", "x = f()\n", "x = cast(int, f())\n", "a.py:1 cast()"),
        ("a.py", "def f(): pass\n", "@no_type_check\ndef f(): pass\n", "a.py:1 @no_type_check"),
        ("a.ts", "let x: T;\n", "let x: any;\n", "a.ts:1 any"),
        ("a.ts", "f(x);\n", "f(x as unknown as T);\n", "a.ts:1 as unknown as"),
        ("a.h", "int a;\n", "#pragma GCC system_header\nint a;\n", "a.h:1 #pragma … ignored"),
        ("A.java", "class A {}\n", "@SuppressWarnings(\"all\")\nclass A {}\n", "A.java:1 @SuppressWarnings"),
        ("a.sh", "echo $a\n", "# shellcheck disable=SC2086\necho $a\n", "a.sh:1 # shellcheck disable"),
    ] {
        check(&[(path, base, now)], &[expected]);
    }
    let many = "import a  # noqa\nimport b  # noqa\n";
    check(&[("a.py", "import a\n", many)], &["a.py:1 # noqa more"]);
}

// proves: G24
#[test]
fn what_moved_or_was_there_was_not_added() {
    let marked = "import os  # noqa: F401\nx = 1\n";
    check(&[("a.py", marked, "x = 1\nimport os  # noqa: F401\n")], &[]);
    check(&[("a.py", marked, ""), ("b/c.py", "", marked)], &[]);
    check(&[("a.py", marked, "")], &[]);
    check(&[("a.py", "f(a, b, c)  # noqa\n", "f(a, b, c, d)  # noqa\n")], &[]);
    let alike = "x = get()  # type: ignore\n";
    let edited = alike.replace("get()", "get(1)");
    check(&[("a.py", alike, &format!("y = 1\n{alike}")), ("b.py", alike, &edited)], &[]);
    check(&[("a.py", alike, &edited), ("b.py", alike, &format!("y = 1\n{alike}"))], &[]);
    check(&[("a.rs", "#[allow(x)]\nfn a(b: u8) {}\n", "fn c() {}\n#[allow(x)]\nfn a(b: u16) {}\n")], &[]);
}

// proves: G24
#[test]
fn a_mark_for_something_else_is_not_the_old_one() {
    check(&[("a.py", "import os  # noqa\nx = 1\n", "import os\nx = 1  # noqa\n")], &["a.py:2 # noqa"]);
    check(&[("a.py", "import os  # noqa: F401\n", "import os  # noqa\n")], &["a.py:1 # noqa"]);
    check(
        &[("a.rs", "#[allow(x)]\nfn a() {}\nfn b() {}\n", "fn a() {}\n#[allow(x)]\nfn b(c: D) {}\n")],
        &["a.rs:2 #[allow]"],
    );
    check(&[("a.py", "import os  # noqa\n", "import os  # noqa\nimport os  # noqa\n")], &["a.py:2 # noqa"]);
}

// proves: G24
#[test]
fn a_mark_in_a_string_or_a_document_is_none() {
    check(
        &[("a.py", "", "x = broadcast(a)\ny = 'cast(x)'\n"), ("a.ts", "", "let x: anything = many;\n")],
        &[],
    );
    check(&[("tests/test_a.py", "", "assert lint('x = 1  # noqa') == []\n")], &[]);
    check(&[("a.py", "", "'''\n# type: ignore\n'''\n")], &[]);
    check(&[("a.ts", "", "const a = `// @ts-ignore`;\n")], &[]);
    check(&[("a.rs", "", "/// `#[allow(dead_code)]`\nfn a() -> &'static str { \"#[allow(x)]\" }\n")], &[]);
    check(&[("a.go", "", "package a\nvar a = \"//nolint\"\n")], &[]);
    check(&[("README.md", "", "Write `# noqa` or `// eslint-disable-line`.\n")], &[]);
    check(&[("data.json", "", "{\"a\":\"# noqa\"}\n")], &[]);
}

#[test]
fn what_nobody_looks_at_nobody_is_kept_from_seeing() {
    let files = BTreeMap::from([(
        "a.py".to_owned(),
        Changed { base: None, candidate: Some(b"x = f()  # type: ignore  # noqa\n".to_vec()) },
    )]);
    let marks = |program: &'static str| -> Vec<&str> {
        let found = added_suppressions(&files, &|programs| programs.contains(&program));
        found.into_iter().map(|one| one.mark).collect()
    };
    assert_eq!(marks("mypy"), ["# type: ignore"]);
    assert_eq!(marks("ruff"), ["# noqa"]);
    assert_eq!(marks("pytest"), [""; 0]);
}

#[test]
fn a_large_change_is_looked_through_once() {
    let line = "value = compute(1, 2, 3)\n".repeat(150_000);
    let files = [("a.py", "", line.as_str())];
    check(&files, &[]);
}
