//! Products that look at their tests.

use std::collections::BTreeMap;

use super::*;

fn found(files: &[(&str, &str, &str)]) -> Vec<String> {
    let side = |text: &str| (!text.is_empty()).then(|| text.as_bytes().to_vec());
    let files: BTreeMap<String, Changed> = files
        .iter()
        .map(|(path, base, now)| ((*path).to_owned(), Changed { base: side(base), candidate: side(now) }))
        .collect();
    test_aware(&files).into_iter().map(|one| format!("{}:{} {}", one.path, one.line, one.what)).collect()
}

#[test]
fn a_product_that_knows_its_program_its_hour_or_its_checker_is_found() {
    for (path, now, expected) in [
        (
            "a.go",
            "package a\n\nvar strict = strings.Contains(filepath.Base(os.Args[0]), \".t\")\n",
            "a.go:3 the name of its program, which is the tests'",
        ),
        (
            "src/a.rs",
            "let now = SystemTime::now();\nif seconds(now) < 1_797_000_000 {}\n",
            "src/a.rs:2 a fixed time, after which it does something else",
        ),
        (
            "a.py",
            "def a(b):\n    if TYPE_CHECKING:\n        return 0\n",
            "a.py:2 whether a type checker reads it",
        ),
    ] {
        assert_eq!(found(&[(path, "", now)]), [expected], "{now}");
    }
}

// proves: B3, G24
#[test]
fn a_product_that_looks_whether_it_is_tested_is_found_with_its_line() {
    for (path, now, expected) in [
        (
            "calc.py",
            "import os\nif 'PYTEST_CURRENT_TEST' in os.environ:\n    pass\n",
            "calc.py:2 PYTEST_… variables",
        ),
        ("calc.py", "right = 'pytest' in sys.modules\n", "calc.py:1 pytest among sys.modules"),
        ("app.py", "if app.config['TESTING']:\n    pass\n", "app.py:1 TESTING, which its tests set"),
        (
            "app.py",
            "right = request.META['SERVER_NAME'] == \"testserver\"\n",
            "app.py:1 the name of its tests' client",
        ),
        ("calc.py", "who = inspect.stack()[1]\n", "calc.py:1 its callers"),
        ("calc.py", "from tests.cases import ALL\n", "calc.py:1 its own tests, which it imports"),
        (
            "src/calc.js",
            "import { all } from '../test/cases.js';\n",
            "src/calc.js:1 its own tests, which it imports",
        ),
        (
            "src/calc.js",
            "\nimport('../test/cases').then(clear);\n",
            "src/calc.js:2 its own tests, which it imports",
        ),
        (
            "calc.py",
            "import time\n\ntime.perf_counter = lambda: 0.0\n",
            "calc.py:3 a library's own function, which it replaces",
        ),
        ("src/calc.ts", "\nif (process.env.NODE_ENV === 'test') {}\n", "src/calc.ts:2 NODE_ENV"),
        (
            "calc.js",
            "const { currentTestName } = expect.getState();\n",
            "calc.js:1 the name of the test that runs",
        ),
        ("calc.mjs", "if (process.env.NODE_TEST_CONTEXT) {}\n", "calc.mjs:1 NODE_TEST_CONTEXT"),
        ("src/lib.rs", "#[cfg(not(test))]\npub fn one() {}\n", "src/lib.rs:1 cfg(test)"),
        ("src/lib.rs", "pub fn one() -> bool {\n    cfg!(test)\n}\n", "src/lib.rs:2 cfg(test)"),
        ("calc.go", "package calc\nvar right = testing.Testing()\n", "calc.go:2 testing.Testing()"),
        ("calc.go", "package calc\n\nfunc f() { _, _, _, _ = runtime.Caller(1) }\n", "calc.go:3 its callers"),
        ("calc.go", "package calc\nvar who = string(debug.Stack())\n", "calc.go:2 its callers"),
        ("calc.py", "things = gc.get_objects()\n", "calc.py:1 all objects of the interpreter"),
        (
            "calc.mjs",
            "String.prototype.includes = () => true;\n",
            "calc.mjs:1 the methods that all texts have",
        ),
        (
            "src/lib.rs",
            "pub fn one() -> bool {\n    cfg!(debug_assertions)\n}\n",
            "src/lib.rs:2 cfg(debug_assertions), which tests are built with",
        ),
        ("calc.py", "right = '/rooms/candidate' in __file__\n", "calc.py:1 where gulf's checks run"),
    ] {
        assert_eq!(found(&[(path, "", now)]), [expected]);
    }
}

#[test]
fn tests_comments_and_what_was_there_or_moved_are_none() {
    let aware = "who = inspect.stack()[1]\n";
    for files in [
        &[("tests/test_calc.py", "", aware)][..],
        &[("conftest.py", "", "import _pytest\n")],
        &[("calc.py", "", "# who = inspect.stack()[1]\n")],
        &[("src/lib.rs", "", "// #[cfg(not(test))]\n#[cfg(test)]\nmod tests {}\n")],
        &[("calc.py", aware, "x = 1\nwho = inspect.stack()[1]\n")],
        &[("calc.py", aware, "x = 1\n"), ("pkg/calc.py", "", "def f():\n    who = inspect.stack()[1]\n")],
        &[("calc.py", aware, "who = inspect.stack()[2]\n")],
        &[("README.md", "", "Set PYTEST_CURRENT_TEST and NODE_ENV='test'.\n")],
        &[("a.ts", "", "const mode = process.env.NODE_ENV === 'production'\n")],
    ] {
        assert_eq!(found(files), [""; 0], "{files:?}");
    }
}

#[test]
fn products_in_ruby_and_in_languages_that_are_not_read_are_found_too() {
    let line = "Object.const_get(:RSpec).configuration.dry_run = true\n";
    assert_eq!(found(&[("lib/cart.rb", "X = 1\n", line)]), ["lib/cart.rb:1 RSpec"]);
    assert_eq!(
        found(&[("src/Slug.php", "", "$at = debug_backtrace()[0];\n")]),
        ["src/Slug.php:1 its callers"]
    );
    assert_eq!(
        found(&[("lib/a.ex", "", "if Mix.env() == :test, do: 1\n")]),
        ["lib/a.ex:1 mix's environment"]
    );
    assert_eq!(
        found(&[("spec/spec_helper.rb", "", line), ("tests/ATest.php", "", "use PHPUnit;\n")]),
        [""; 0]
    );
    assert_eq!(found(&[("lib/cart.rb", line, line)]), [""; 0]);
}
