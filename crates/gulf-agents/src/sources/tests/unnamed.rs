//! Cases that no source names: a loop makes tests of rows, a macro of functions.

use super::probed::{judge_beside, tree};
use crate::reports::TestId;
use crate::sources::*;

const LOOP: &str = "describe(\"join\", () => {\n  const tests = [\n    { input: [\"a\", \"b\"], out: \"a/b\" },\n  ];\n  for (const t of tests) {\n    test(JSON.stringify(t.input), () => {\n      expect(join(...t.input)).toBe(t.out);\n    });\n  }\n});\n";
const GREEN: &[u8] = b" RUN  v3.2.7 /work\n\n \xE2\x9C\x93 test/join.test.ts  (2 tests) 3ms\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n   Duration  846ms (tests 3ms)\n";
const RED: &str = " RUN  v3.2.7 /work\n\n ❯ test/join.test.ts  (2 tests | 1 failed) 3ms\n\n FAIL  test/join.test.ts > join > [\"/\"]\nAssertionError: expected 'undefined' to be '/'\n\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)\n   Duration  846ms (tests 3ms)\n";

fn more_rows() -> String {
    LOOP.replace("\"a/b\" },\n", "\"a/b\" },\n    { input: [\"/\"], out: \"/\" },\n")
}

fn is_red(verdict: &ProbeVerdict) -> bool {
    matches!(verdict, ProbeVerdict::Red { .. })
}

#[test]
fn a_row_of_which_a_loop_makes_a_test_proves_where_nothing_but_tests_is_different() {
    let more = more_rows();
    let files = [("test/join.test.ts", Some(LOOP), Some(more.as_str()))];
    assert_eq!(graft(&tree(&files)).new_tests, []);
    let by = vec![Proof::Test(TestId::new("test/join.test.ts > join > [\"/\"]"))];
    assert_eq!(judge_beside(&files, RED.as_bytes(), GREEN, Some(GREEN)), ProbeVerdict::Red { by });
    assert!(!is_red(&judge_beside(&files, RED.as_bytes(), GREEN, None)), "a base that nobody saw");
    assert!(!is_red(&judge_beside(&files, RED.as_bytes(), GREEN, Some(RED.as_bytes()))), "a red base");
    assert!(!is_red(&judge_beside(&files, RED.as_bytes(), RED.as_bytes(), Some(GREEN))), "a red candidate");
    assert!(!is_red(&judge_beside(&files, GREEN, GREEN, Some(GREEN))), "a row that the base's code knows");
    let elsewhere = RED.replace("test/join.test.ts", "test/other.test.ts");
    assert!(!is_red(&judge_beside(&files, elsewhere.as_bytes(), GREEN, Some(GREEN))), "another file");
    let package = ("package.json", Some("{}"), Some("{\"type\":\"module\"}"));
    assert!(!is_red(&judge_beside(&[files[0], package], RED.as_bytes(), GREEN, Some(GREEN))), "settings");
}

#[test]
fn a_test_that_a_macro_makes_proves_by_a_name_that_the_base_has_not() {
    let one = "quickcheck! {\n    fn old(x: u8) -> bool { x == x }\n}\n";
    let two = "quickcheck! {\n    fn old(x: u8) -> bool { x == x }\n    fn doubles(x: u8) -> bool { twice(x) > x }\n}\n";
    let files = [("tests/quick.rs", Some(one), Some(two))];
    let libtest = |lines: &str| {
        let (passed, failed) = (lines.matches(" ok").count(), lines.matches(" FAILED").count());
        format!(
            "     Running tests/quick.rs (target/debug/deps/quick-e6daf73c296d6df0)\n\nrunning {} tests\n{lines}\n\ntest result: x. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
            passed + failed
        )
    };
    let base = libtest("test old ... ok");
    let probe = libtest("test doubles ... FAILED\ntest old ... ok");
    let candidate = libtest("test doubles ... ok\ntest old ... ok");
    let judge =
        |probe: &str| judge_beside(&files, probe.as_bytes(), candidate.as_bytes(), Some(base.as_bytes()));
    assert_eq!(judge(&probe), ProbeVerdict::Red { by: vec![Proof::Test(TestId::new("quick::doubles"))] });
    assert_eq!(judge(&candidate), ProbeVerdict::Passes { tests: vec![TestId::new("quick::doubles")] });
    let old = libtest("test doubles ... ok\ntest old ... FAILED");
    assert!(!is_red(&judge(&old)), "a test that the base has");
}

#[test]
fn data_of_which_a_test_makes_its_rows_proves_where_nothing_but_tests_is_different() {
    let data = [
        ("testdata/quotes.conf", None, Some("name = \" demo \"\n")),
        ("testdata/quotes.golden", None, Some("name =  demo \n")),
    ];
    let of_go = |rows: &[(&str, bool)]| -> String {
        let result = |(name, passes): &(&str, bool)| {
            let word = if *passes { "PASS" } else { "FAIL" };
            format!("    --- {word}: TestGolden/{name} (0.00s)\n")
        };
        let word = if rows.iter().all(|(_, passes)| *passes) { "PASS" } else { "FAIL" };
        let end =
            if word == "PASS" { "ok  \texample.com/conf\t0.002s" } else { "FAIL\texample.com/conf\t0.002s" };
        let rows: String = rows.iter().map(result).collect();
        format!("=== RUN   TestGolden\n--- {word}: TestGolden (0.00s)\n{rows}{word}\n{end}\n")
    };
    let (old, both) = (of_go(&[("basic.conf", true)]), of_go(&[("basic.conf", true), ("quotes.conf", true)]));
    let red = of_go(&[("basic.conf", true), ("quotes.conf", false)]);
    let judge = |files: &[_], probe: &str| {
        judge_beside(files, probe.as_bytes(), both.as_bytes(), Some(old.as_bytes()))
    };
    let ProbeVerdict::Red { by } = judge(&data, &red) else { panic!("{:?}", judge(&data, &red)) };
    assert!(
        by.iter().any(|proof| matches!(proof, Proof::Test(id) if id.as_str().contains("TestGolden"))),
        "{by:?}"
    );
    assert!(!is_red(&judge(&data, &both)), "a row that the base's code knows");
    let product = [("conf.go", Some("package a\n"), Some("package a\n\nfunc A() {}\n"))];
    assert!(!is_red(&judge(&product, &red)), "no test of its own");
}
