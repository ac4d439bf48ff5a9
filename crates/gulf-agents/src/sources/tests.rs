//! What counts as a test, as a change of one, and as a proof.

use proptest::prelude::*;

use super::*;

mod aware;
mod changed;
mod configured;
mod java;
mod probed;
mod restored;
mod ruby;
mod shadows;
mod strays;
mod suppressed;
mod tables;
mod unittests;
mod unnamed;

#[test]
fn tests_are_told_by_the_conventions_of_their_language() {
    for path in [
        "tests/it.rs", "crates/a/tests/common/mod.rs", "src/foo/tests.rs", "src/a_test.rs", "test_a.py",
        "pkg/a_test.py", "tests/helpers.py", "conftest.py", "test.py", "src/a.test.ts", "src/a.spec.jsx",
        "index.test-d.ts", "test/a.js", "src/__tests__/a.tsx", "calc_test.go", "한글/tests/새.py",
        "src/test/java/a/BTest.java", "spec/a_spec.rb", "src/a-test.js", "src/a_test.mjs", "src/test-a.cjs",
        "pkg/a_tests.py",
    ] {
        assert!(is_test_path(path), "{path}");
    }
    for path in [
        "src/lib.rs", "crates/test/src/lib.rs", "src/testing.py", "a/commands/test.py", "latest.py",
        "src/contest.ts", "calc.go", "tests/data.json", "run_tests.py", "src/latest-a.js", "",
    ] {
        assert!(!is_test_path(path), "{path}");
    }
    assert!(is_test_support_path("tests/data.json"));
    assert!(is_test_support_path("src/snapshots/a.snap"));
    assert!(!is_test_support_path("src/data.json"));
    for path in [
        "Tests/AppTests/CalcTests.swift",
        "src/androidTest/kotlin/Calc.kt",
        "Calc.Tests/Calc.cs",
        "src/CalcTest.java",
        "lib/calc_spec.rb",
        "app/calc_test.dart",
        "test_calc.cpp",
        "src/calc_test.c",
        "t/lib/Same.pm",
        "test.sh",
        "bin/test_conf.bash",
    ] {
        assert!(is_test_support_path(path), "{path}");
    }
    for path in
        ["src/latest/a.rs", "src/Contest.java", "src/attest.rb", "contests/a.kt", "src/Test.java/../a"]
    {
        assert!(!is_test_support_path(path), "{path}");
    }
}

const SOURCES: &[(&str, &str)] = &[
    ("src/lib.rs", include_str!("../reports/section.rs")),
    ("tests/a.rs", include_str!("tests/changed.rs")),
    (
        "tests/test_a.py",
        "import a\n\n@mark\ndef test_a():\n    '''x\ny'''\n    assert a.b(1,\n2)\n\nclass TestB:\n    def test_c(self): pass\n",
    ),
    (
        "test/a.test.js",
        "import { a } from 'a';\ndescribe('g', () => {\n  it('x', () => { a(`${1}`, /[/]/); });\n});\n",
    ),
    ("src/test/java/a/BTest.java", include_str!("../../tests/fixtures/CalcTest.java")),
    ("spec/calc_spec.rb", include_str!("../../tests/fixtures/calc_spec.rb")),
    ("a_test.go", "package a\nimport \"testing\"\nfunc TestA(t *testing.T) {\n\tt.Log(`x`)\n}\n"),
];

proptest! {
    #[test]
    fn any_cut_of_a_source_is_tolerated(index in 0..SOURCES.len(), share in 0.0..1.0_f64, garbage in any::<Vec<u8>>()) {
        let (path, source) = SOURCES[index];
        let cut = &source.as_bytes()[..(source.len() as f64 * share) as usize];
        let mixed = [cut, &garbage].concat();
        prop_assert!(test_changes(path, Some(source.as_bytes()), Some(source.as_bytes())).is_empty());
        for (old, new) in [(source.as_bytes(), cut), (cut, &mixed), (&mixed, source.as_bytes())] {
            let _ = test_changes(path, Some(old), Some(new));
            let _ = new_tests(path, Some(old), new);
            let changed = Changed { base: Some(old.to_vec()), candidate: Some(new.to_vec()) };
            let _ = graft(&[(path.to_owned(), changed)].into());
            let _ = compile_errors(new);
        }
    }

    #[test]
    fn deep_brackets_are_tolerated(depth in 0..3000_usize, index in 0..SOURCES.len()) {
        let source = format!("{}{}", "(".repeat(depth), ")".repeat(depth));
        let _ = new_tests(SOURCES[index].0, None, source.as_bytes());
    }

    #[test]
    fn any_configuration_is_read_or_counts_as_a_whole(old in any::<Vec<u8>>(), new in any::<Vec<u8>>()) {
        for path in ["package.json", "Cargo.toml", "pyproject.toml", "tox.ini", "conftest.py"] {
            let changes = runner_configuration(path, Some(&old), Some(&new), &[]);
            prop_assert!(path != "conftest.py" || old == new || changes.len() == 1);
        }
    }
}
