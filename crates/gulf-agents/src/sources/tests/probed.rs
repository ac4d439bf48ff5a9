//! Grafts, and what a run on them proves.

use std::collections::BTreeMap;

use crate::reports::{TestId, read, take_root_out};
use crate::sources::*;

fn without_root(output: &[u8], root: &str) -> Vec<u8> {
    let mut shortened = output.to_vec();
    take_root_out(&mut shortened, root);
    shortened
}

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/", $name)).as_slice()
    };
}

pub(super) fn tree(files: &[(&str, Option<&str>, Option<&str>)]) -> BTreeMap<String, Changed> {
    let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
    let changed = files.iter().map(|(path, base, candidate)| {
        ((*path).to_owned(), Changed { base: bytes(*base), candidate: bytes(*candidate) })
    });
    changed.collect()
}

fn edit(graft: &Graft, path: &str) -> Option<String> {
    let edit = graft.edits.iter().find(|edit| edit.path == path)?;
    Some(String::from_utf8(edit.bytes.clone()?).unwrap())
}

const BASE: &str = "//! Lib.\r\npub fn add() {}\r\n\r\n#[cfg(test)]\r\nmod tests {\r\n    #[test]\r\n    fn old() {}\r\n}\r\n\r\npub fn last() {}\r\n";
const CANDIDATE: &str = "//! Lib, better.\nmod new;\nmod plain;\npub fn add() { more() }\nfn more() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn old() {}\n    #[test]\n    fn adds() { more(); }\n}\n";

#[test]
fn a_rust_source_keeps_the_bases_code_and_gets_the_candidates_tests() {
    let new =
        "use std::fmt;\npub fn n() {}\n#[cfg(test)]\nmod tests { #[test] fn n_works() { super::n(); } }\n";
    let graft = graft(&tree(&[
        ("src/lib.rs", Some(BASE), Some(CANDIDATE)),
        ("src/new.rs", None, Some(new)),
        ("src/plain.rs", None, Some("pub fn p() {}")),
    ]));
    let lib = "//! Lib.\r\npub fn add() {}\r\n\r\n\r\n\r\npub fn last() {}\r\nmod new;\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn old() {}\n    #[test]\n    fn adds() { more(); }\n}\n";
    assert_eq!(edit(&graft, "src/lib.rs").unwrap(), lib);
    assert_eq!(
        edit(&graft, "src/new.rs").unwrap(),
        "#[cfg(test)]\nmod tests { #[test] fn n_works() { super::n(); } }\n"
    );
    assert_eq!(edit(&graft, "src/plain.rs"), None);
    let names: Vec<_> = graft.new_tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["tests::adds", "tests::n_works"]);
    assert_eq!(
        graft.grafted[0].new_lines,
        [LineRange { first: 10, last: 10 }, LineRange { first: 13, last: 14 }]
    );
}

#[test]
fn tests_in_nested_and_in_new_modules_are_found() {
    let base = "mod a {\n    pub fn x() {}\n}\n";
    let candidate = "mod a {\n    pub fn x() { 1; }\n    #[test]\n    fn works() {}\n}\npub mod b {\n    fn y() {}\n    #[cfg(test)]\n    mod tests {}\n}\n";
    let graft = graft(&tree(&[("src/main.rs", Some(base), Some(candidate))]));
    let main = "mod a {\n    pub fn x() {}\n#[test]\n    fn works() {}\n}\npub mod b {\n#[cfg(test)]\n    mod tests {}\n}\n";
    assert_eq!(edit(&graft, "src/main.rs").unwrap(), main);
}

#[test]
fn declarations_of_new_files_are_followed_to_their_tests() {
    let graft = graft(&tree(&[
        ("src/lib.rs", Some("pub fn a() {}\n"), Some("pub mod deep;\npub fn a() {}\n")),
        ("src/deep/mod.rs", None, Some("pub mod inner;\npub mod empty;\n")),
        ("src/deep/inner.rs", None, Some("fn f() {}\n#[test]\nfn t() { f(); }\n")),
        ("src/deep/empty.rs", None, Some("fn f() {}\n")),
        ("src/bin/tool.rs", None, Some("fn main() {}\n#[test]\nfn t() {}\n")),
    ]));
    assert_eq!(edit(&graft, "src/lib.rs").unwrap(), "pub fn a() {}\npub mod deep;\n");
    assert_eq!(edit(&graft, "src/deep/mod.rs").unwrap(), "pub mod inner;\n");
    assert_eq!(edit(&graft, "src/deep/inner.rs").unwrap(), "#[test]\nfn t() { f(); }\n");
    assert_eq!(edit(&graft, "src/deep/empty.rs"), None);
    assert_eq!(edit(&graft, "src/bin/tool.rs").unwrap(), "#[test]\nfn t() {}\n\nfn main() {}\n");
}

#[test]
fn what_is_no_test_stays_the_bases() {
    let graft = graft(&tree(&[
        ("src/calc.py", Some("a"), Some("b")),
        ("conftest.py", Some("a"), Some("b")),
        ("tests/test_a.py", Some("def test_a(): pass\n"), Some("def test_a(): pass\ndef test_b(): pass\n")),
        ("tests/data.json", None, Some("1")),
        ("tests/test_gone.py", Some("def test_c(): pass\n"), None),
        ("package.json", Some(r#"{"scripts":{"test":"a"}}"#), Some(r#"{"scripts":{"test":"true"}}"#)),
        (
            "Cargo.toml",
            Some("[package]\nname='a'\n"),
            Some("[package]\nname='a'\n[dev-dependencies]\nproptest='1'\n"),
        ),
        ("jest.config.js", None, Some("x")),
    ]));
    let paths: Vec<_> = graft.edits.iter().map(|edit| edit.path.as_str()).collect();
    assert_eq!(
        paths,
        ["Cargo.toml", "jest.config.js", "tests/data.json", "tests/test_a.py", "tests/test_gone.py"]
    );
    assert_eq!(edit(&graft, "tests/test_gone.py"), None);
}

pub(super) fn judge(
    files: &[(&str, Option<&str>, Option<&str>)],
    output: &[u8],
    candidate: &[u8],
) -> ProbeVerdict {
    judge_beside(files, output, candidate, None)
}

/// What a run says whose base had this to say with its own tests.
pub(super) fn judge_beside(
    files: &[(&str, Option<&str>, Option<&str>)],
    output: &[u8],
    candidate: &[u8],
    base: Option<&[u8]>,
) -> ProbeVerdict {
    let (report, candidate, base) = (&read(output), &read(candidate), base.map(read));
    let run = ProbeRun { directory: "", output, report, candidate, base: base.as_ref() };
    judge_probe(&graft(&tree(files)), &run)
}

fn libtest(binary: &str, lines: &str) -> Vec<u8> {
    let passed = lines.matches(" ok").count();
    let failed = lines.matches(" FAILED").count();
    format!("     Running {binary} (target/debug/deps/sample-e6daf73c296d6df0)\n\nrunning {} tests\n{lines}\n\ntest result: x. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", passed + failed).into_bytes()
}

#[test]
fn a_new_test_that_fails_on_the_base_and_passes_on_the_candidate_is_red() {
    let files = [("src/lib.rs", Some(BASE), Some(CANDIDATE))];
    let lib = "unittests src/lib.rs";
    let probe = libtest(lib, "test tests::old ... ok\ntest tests::adds ... FAILED");
    let candidate = libtest(lib, "test tests::old ... ok\ntest tests::adds ... ok");
    let red = ProbeVerdict::Red { by: vec![Proof::Test(TestId::new("sample::tests::adds"))] };
    assert_eq!(judge(&files, &probe, &candidate), red);
    let passes = ProbeVerdict::Passes { tests: vec![TestId::new("sample::tests::adds")] };
    assert_eq!(judge(&files, &candidate, &candidate), passes);
    let why = Unclear::NotPassedOnCandidate;
    assert_eq!(judge(&files, &probe, &probe), ProbeVerdict::Inconclusive { why });
    let old_fails = libtest(lib, "test tests::old ... FAILED\ntest tests::adds ... ok");
    assert_eq!(judge(&files, &old_fails, &candidate), passes);
    assert_eq!(judge(&files, b"", &candidate), ProbeVerdict::Inconclusive { why: Unclear::NotSeen });
    let none = ProbeVerdict::Inconclusive { why: Unclear::NoNewTest };
    assert_eq!(judge(&[("src/lib.rs", Some(BASE), Some(BASE))], &probe, &candidate), none);
}

const NEW_RUST: &str = "use sample::missing;\n#[test]\nfn new() { assert_eq!(sample::mul(2, 2), 4); let x: String = sample::add(1, 2); }\n";

#[test]
fn a_compile_error_within_a_new_rust_test_is_red_and_one_elsewhere_is_not() {
    let candidate = libtest("tests/new.rs", "test new ... ok");
    let candidate = String::from_utf8(candidate).unwrap().replace("sample-", "new-").into_bytes();
    let files = [("tests/new.rs", None, Some(NEW_RUST))];
    let output = fixture!("rustc_errors_it.txt");
    let ProbeVerdict::Red { by } = judge(&files, output, &candidate) else { panic!("not red") };
    assert_eq!(by.len(), 2);
    let other = [output, b"error[E0425]: no\n --> src/lib.rs:3:1\n"].concat();
    let at = Location { path: "src/lib.rs".to_owned(), line: Some(3), missing: None };
    let elsewhere = ProbeVerdict::Inconclusive { why: Unclear::ErrorElsewhere { at } };
    assert_eq!(judge(&files, &other, &candidate), elsewhere);
    let unlocated = [output, b"error: linking with `cc` failed: exit status: 1\n"].concat();
    assert!(matches!(
        judge(&files, &unlocated, &candidate),
        ProbeVerdict::Inconclusive { why: Unclear::ErrorWithoutPlace { .. } }
    ));
    let changed = [("tests/new.rs", Some(NEW_RUST), Some(&*format!("{NEW_RUST}#[test]\nfn more() {{}}\n")))];
    assert!(matches!(
        judge(&changed, output, &candidate),
        ProbeVerdict::Inconclusive { why: Unclear::ErrorElsewhere { .. } }
    ));
}

#[test]
fn a_module_that_python_cannot_import_for_its_new_test_is_red() {
    let output = without_root(fixture!("pytest_import_error.txt"), "/tmp/gulf-agents-lab/py 한글");
    let new = "from calc import mul\ndef test_mul(): assert mul(2, 2) == 4\n";
    let green = b"1 passed in 0.01s\n";
    assert!(matches!(
        judge(&[("tests/test_import.py", None, Some(new))], &output, green),
        ProbeVerdict::Red { .. }
    ));
    let skipping = b"1 passed, 1 skipped in 0.01s\n";
    let why = Unclear::NotPassedOnCandidate;
    assert_eq!(
        judge(&[("tests/test_import.py", None, Some(new))], &output, skipping),
        ProbeVerdict::Inconclusive { why }
    );
    let old_import = "from calc import mul\n";
    assert!(!matches!(
        judge(&[("tests/test_import.py", Some(old_import), Some(new))], &output, green),
        ProbeVerdict::Red { .. }
    ));
}

#[test]
fn a_module_that_node_cannot_load_for_its_new_test_is_red() {
    let new = "import { test } from 'node:test';\nimport { mul } from '../nope.js';\ntest('mul', () => { mul(); });\n";
    let files = [("test/c.test.js", None, Some(new))];
    let green = b"TAP version 13\nok 1 - mul\n1..1\n";
    for output in [fixture!("node_missing_export.txt"), fixture!("node_missing_module.txt")] {
        let output = without_root(output, "/tmp/gulf-agents-lab/js");
        assert!(matches!(judge(&files, &output, green), ProbeVerdict::Red { .. }));
        let red = b"TAP version 13\nnot ok 1 - mul\n1..1\n";
        assert!(!matches!(judge(&files, &output, red), ProbeVerdict::Red { .. }));
    }
}

#[test]
fn a_new_test_is_known_in_the_words_of_each_runner_of_javascript() {
    let new = "import { mul } from '../calc.js';\ntest('mul', () => { mul(); });\n";
    let files = [("test/c.test.js", None, Some(new))];
    let red = |output: &str, green: &str| {
        matches!(judge(&files, output.as_bytes(), green.as_bytes()), ProbeVerdict::Red { .. })
    };
    let missing = "SyntaxError: The requested module '../calc.js' does not provide an export named 'mul'";
    let ava = format!(
        "  Uncaught exception in test/c.test.js\n\n  test/c.test.js:1\n  ^^^\n  {missing}\n\n  \u{2718} x\n  \u{2500}\n\n  1 uncaught exception\n"
    );
    let ava_green =
        "  \u{2714} old \u{203a} adds\n  \u{2714} c \u{203a} mul\n  \u{2500}\n\n  2 tests passed\n";
    assert!(red(&ava, ava_green));
    let mocha_green = "  \u{2714} mul\n\n  1 passing (2ms)\n";
    assert!(red(&format!(" Exception during run: {missing}\n"), mocha_green));
    let of_the_base = missing.replace("'mul'", "'sub'");
    assert!(!red(&format!(" Exception during run: {of_the_base}\n"), mocha_green), "no new test imports it");
    let tap = |sign: &str| {
        format!(
            "TAP version 14\n# Subtest: test/c.test.js\n    # Subtest: mul\n        {sign} 1 - should be equal\n        1..1\n    {sign} 1 - mul\n    1..1\n{sign} 1 - test/c.test.js\n1..1\n"
        )
    };
    assert!(red(&tap("not ok"), &tap("ok")));
}

#[test]
fn a_new_module_that_jest_or_mocha_cannot_require_for_its_new_test_is_red() {
    let files = [(
        "test/mul.test.js",
        None,
        Some("const {mul} = require('../mul.js');\ntest('mul', () => mul());\n"),
    )];
    let red = |output: &str, green: &str| {
        matches!(judge(&files, output.as_bytes(), green.as_bytes()), ProbeVerdict::Red { .. })
    };
    let jest = |from: &str| {
        format!(
            "PASS test/old.test.js\nFAIL test/mul.test.js\n  \u{25cf} Test suite failed to run\n\n    Cannot find module '../mul.js' from '{from}'\n\n    > 1 | const\n\nTest Suites: 1 failed, 1 passed, 2 total\nTests:       2 passed, 2 total\nTime:        6.5 s\n"
        )
    };
    let jest_green = "PASS test/old.test.js\nPASS test/mul.test.js\n\nTests:       3 passed, 3 total\nTime:        6.5 s\n";
    assert!(red(&jest("test/mul.test.js"), jest_green));
    assert!(!red(&jest("src/index.js"), jest_green), "the product needs what is not there");
    let mocha = |head: &str, by: &str| {
        format!(
            "{head}Error: Cannot find module '../mul.js'\nRequire stack:\n- {by}\n    at Module._load (node:internal)\n"
        )
    };
    let mocha_green = "\n  \u{2714} old\n  \u{2714} mul\n\n  2 passing (2ms)\n";
    for head in ["\n Exception during run: ", "\n"] {
        assert!(red(&mocha(head, "test/mul.test.js"), mocha_green), "{head}");
        assert!(!red(&mocha(head, "src/index.js"), mocha_green), "{head}");
    }
}

#[test]
fn where_only_failures_have_names_no_more_may_be_skipped_with_the_change_than_without_it() {
    let files = [("test/c.test.js", None, Some("test('mul', () => { mul(); });\n"))];
    let vitest = |failed: &str, counts: &str| {
        format!(" RUN  v3.2.7 /srv/x\n{failed}\n      Tests  {counts}\n   Duration  96ms\n").into_bytes()
    };
    let probe = vitest(" FAIL  test/c.test.js > mul", "1 failed | 1 passed | 1 skipped (3)");
    let candidate = vitest("", "2 passed | 1 skipped (3)");
    assert!(matches!(judge(&files, &probe, &candidate), ProbeVerdict::Red { .. }));
    let skipping = vitest("", "1 passed | 2 skipped (3)");
    assert!(!matches!(judge(&files, &probe, &skipping), ProbeVerdict::Red { .. }));
}

pub(super) fn located(output: &[u8], root: &str) -> Vec<(String, Option<usize>)> {
    let errors = compile_errors(&without_root(output, root));
    assert_eq!(errors.unlocated, Vec::<String>::new());
    errors.located.into_iter().map(|location| (location.path, location.line)).collect()
}

#[test]
fn compile_errors_are_located_for_every_tool() {
    let at = |path: &str, line: usize| (path.to_owned(), Some(line));
    let (python, node) = ("/tmp/gulf-agents-lab/py 한글", "/tmp/gulf-agents-lab/js");
    assert_eq!(located(fixture!("rustc_errors_inline.txt"), ""), [at("src/lib.rs", 30)]);
    assert_eq!(located(fixture!("pytest_import_error.txt"), python), [at("tests/test_import.py", 1)]);
    assert_eq!(located(fixture!("pytest_syntax.txt"), python), [at("tests/test_syntax.py", 1)]);
    assert_eq!(located(fixture!("pytest_conftest.txt"), python), [at("conftest.py", 1)]);
    assert_eq!(located(fixture!("node_syntax.txt"), node), [at("test/c.test.js", 1)]);
    assert_eq!(located(fixture!("node_missing_export.txt"), node), [at("test/c.test.js", 2)]);
    assert_eq!(located(fixture!("node_missing_module.txt"), node), [("test/c.test.js".to_owned(), None)]);
    assert_eq!(located(fixture!("go_vet.txt"), ""), [at("calc_test.go", 22), at("calc_test.go", 23)]);
    assert_eq!(located(fixture!("go_failing.jsonl"), ""), [at("broken/broken_test.go", 6)]);
    for (said, line) in [
        ("Error: Cannot find module './mul.js' imported from 'test/mul.test.ts'", None),
        ("Error: Failed to resolve import \"./mul\" from \"test/mul.test.ts\". Does the file exist?", None),
        ("test/mul.test.ts(3,5): error TS2305: Module '\"./mul\"' has no exported member 'mul'.", Some(3)),
        (
            "    test/mul.test.ts:3:5 - error TS2305: Module '\"./mul\"' has no exported member 'mul'.",
            Some(3),
        ),
    ] {
        assert_eq!(located(format!("{said}\n").as_bytes(), ""), [("test/mul.test.ts".to_owned(), line)]);
    }
    for output in [
        fixture!("libtest_failing.txt"),
        fixture!("pytest_default.txt"),
        fixture!("node_tap.txt"),
        fixture!("node_spec.txt"),
    ] {
        assert!(compile_errors(output).is_empty());
    }
}

#[test]
fn what_a_product_says_of_errors_is_no_error_of_a_build() {
    let files = [("test/c.test.js", None, Some("test('mul', () => {\n  mul();\n});\n"))];
    let candidate = b"Tests:       2 passed, 2 total\n";
    let failed = "  \u{25cf} mul\n\nTests:       1 failed, 1 passed, 2 total\n";
    let says = format!("FAIL test/c.test.js\nerror: unknown option '-1'\n{failed}");
    assert_eq!(compile_errors(says.as_bytes()), CompileErrors::default());
    assert!(matches!(judge(&files, says.as_bytes(), candidate), ProbeVerdict::Red { .. }));
    let exit = |place: &str| {
        let head =
            "PASS test/a.test.js\nerror: unknown option '-1'\n  \u{25cf}  process.exit called with \"1\"";
        format!(
            "{head}\n\n    > 9 |  exit(1)\n\n      at exit (lib/a.js:9:3)\n      at Object.<anonymous> ({place})\n      at run (node_modules/jest/run.js:7:1)\n"
        )
    };
    assert!(matches!(
        judge(&files, exit("test/c.test.js:2:3").as_bytes(), candidate),
        ProbeVerdict::Red { .. }
    ));
    assert!(matches!(
        judge(&files, exit("test/old.test.js:2:3").as_bytes(), candidate),
        ProbeVerdict::Inconclusive { why: Unclear::ErrorElsewhere { .. } }
    ));
}

#[test]
fn a_new_test_in_a_language_that_is_not_read_is_red_where_all_was_green_before() {
    let old = "class CalcTest {\n  function testAdds() {}\n}\n";
    let new = "class CalcTest {\n  function testAdds() {}\n\n  function testMultiplies() {}\n}\n";
    let product = ("src/calc.php", Some("add"), Some("add multiply"));
    let red = b"There was 1 error:\n\n1) CalcTest::testMultiplies\nError: no\n\nERRORS!\nTests: 2, Assertions: 1, Errors: 1.\n";
    let (was, is) = (b"OK (1 test, 1 assertion)\n", b"OK (2 tests, 2 assertions)\n");
    let by = vec![Proof::Test(TestId::new("CalcTest::testMultiplies"))];
    let proven = ProbeVerdict::Red { by };
    let grown = [("tests/CalcTest.php", Some(old), Some(new)), product];
    assert_eq!(judge_beside(&grown, red, is, Some(was)), proven);
    assert_eq!(judge_beside(&[("tests/CalcTest.php", None, Some(new)), product], red, is, Some(was)), proven);
    let unproven = |verdict| assert!(matches!(verdict, ProbeVerdict::Inconclusive { .. }), "{verdict:?}");
    unproven(judge_beside(&grown, red, is, Some(red)));
    unproven(judge_beside(&grown, red, red, Some(was)));
    let shorter = [("tests/CalcTest.php", Some(new), Some(old)), product];
    unproven(judge_beside(&shorter, red, is, Some(was)));
    let with_settings = [grown[0], product, ("phpunit.xml", None, Some("<phpunit/>"))];
    unproven(judge_beside(&with_settings, red, is, Some(was)));
}

#[test]
fn what_a_new_test_of_cpp_asks_for_does_not_compile_without_it() {
    let old = "#include \"stats.h\"\n\nint main() {\n    return failures;\n}\n";
    let new = old.replace(
        "int main",
        "static void test_variance() {\n    CHECK_EQ(variance({1, 3}), 1.0);\n}\n\nint main",
    );
    let files =
        [("tests/test_stats.cpp", Some(old), Some(&*new)), ("src/stats.cpp", Some("mean"), Some("variance"))];
    let said = |line: usize| {
        format!(
            "tests/test_stats.cpp: In function 'void test_variance()':\ntests/test_stats.cpp:{line}:14: error: 'variance' was not declared in this scope\n"
        )
    };
    let green = b"1/1 Test #1: test_stats .......................   Passed    0.00 sec\n\n100% tests passed, 0 tests failed out of 1\n";
    assert!(matches!(judge_beside(&files, said(4).as_bytes(), green, Some(green)), ProbeVerdict::Red { .. }));
    assert!(!matches!(
        judge_beside(&files, said(8).as_bytes(), green, Some(green)),
        ProbeVerdict::Red { .. }
    ));
    let nothing = b"No tests were found!!!\n";
    assert!(!matches!(
        judge_beside(&files, said(4).as_bytes(), nothing, Some(green)),
        ProbeVerdict::Red { .. }
    ));
}

#[test]
fn exunit_names_what_fails_in_a_new_file() {
    let text =
        "defmodule Money.SplitTest do\n  test \"splits\" do\n    assert Split.even(900, 3)\n  end\nend\n";
    let files =
        [("test/money/split_test.exs", None, Some(text)), ("lib/money/split.ex", None, Some("def even"))];
    let red = b"Generated money app\nwarning: Money.Split.even/2 is undefined (module Money.Split is not available)\nInvalid call found at 1 location:\n  test/money/split_test.exs:8: Money.SplitTest\n\n\n  1) test even/2 splits evenly (Money.SplitTest)\n     test/money/split_test.exs:7\n     ** (UndefinedFunctionError) function Money.Split.even/2 is undefined\n     code: assert Split.even(900, 3) == [300, 300, 300]\n     stacktrace:\n       Money.Split.even(900, 3)\n\n\n\n..\nFinished in 0.07 seconds (0.07s async, 0.00s sync)\n3 tests, 1 failure\n\nRandomized with seed 1\n";
    let (was, is) = (b"..\n2 tests, 0 failures\n", b"...\n3 tests, 0 failures\n");
    let by = vec![Proof::Test(TestId::new("test even/2 splits evenly (Money.SplitTest)"))];
    assert_eq!(read(red).tests.len(), 1);
    assert_eq!(judge_beside(&files, red, is, Some(was)), ProbeVerdict::Red { by });
}

#[test]
fn a_package_of_go_that_has_tests_alone_fails_for_the_new_test_that_imports_it() {
    let test = "package slug_test\n\nimport (\n\t\"testing\"\n\n\t\"example.org/kit/slug\"\n)\n\nfunc TestMake(t *testing.T) {\n\tslug.Make(\"\")\n}\n";
    let files = [("slug/slug_test.go", None, Some(test))];
    let green = b"=== RUN   TestMake\n--- PASS: TestMake (0.00s)\nPASS\nok  \texample.org/kit/slug\t0.002s\n";
    let says = |package: &str| {
        [
            format!(
                "go build {package}: no non-test Go files in slug\nFAIL\t{package} [build failed]\nFAIL\n"
            ),
            format!(
                "# {package}\npackage {package}_test\n\timports {package}: no non-test Go files in slug\nFAIL\t{package} [setup failed]\nFAIL\n"
            ),
        ]
    };
    for output in says("example.org/kit/slug") {
        let ProbeVerdict::Red { by } = judge(&files, output.as_bytes(), green) else { panic!("{output}") };
        assert!(matches!(&by[..], [Proof::Place(place)] if place.path == "slug/slug_test.go"), "{by:?}");
    }
    for output in says("example.org/kit/other") {
        assert!(matches!(
            judge(&files, output.as_bytes(), green),
            ProbeVerdict::Inconclusive { why: Unclear::ErrorWithoutPlace { .. } }
        ));
    }
}
