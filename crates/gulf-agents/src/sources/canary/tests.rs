//! What is an expectation, and what it becomes.

use super::*;

#[track_caller]
fn check(path: &str, source: &str, flipped: &[(&str, &str, &str)]) {
    let found = flips(path, source.as_bytes());
    let told: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|flip| (flip.test_name(), flip.literals[0].as_str(), flip.literals[1].as_str()))
        .collect();
    assert_eq!(told, flipped, "{source}");
    for flip in &found {
        let [was, is] = &flip.literals;
        let bytes = String::from_utf8(flip.bytes.clone()).unwrap();
        assert_eq!(bytes.len() + was.len(), source.len() + is.len(), "{bytes}");
        assert_ne!(bytes.len(), source.len(), "{bytes}");
    }
}

#[test]
fn of_each_test_the_first_literal_that_something_must_equal_is_another_one() {
    check(
        "tests/test_calc.py",
        "def test_adds():\n    assert add(1, 2) == 3\n    assert add(2, 2) == 4\n\n\ndef test_says():\n    assert say() == 'hi'\n",
        &[("test_adds", "3", "13"), ("test_says", "'hi'", "'hii'")],
    );
    check(
        "test_calc.py",
        "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 9)\n",
        &[("T::test_add", "9", "19")],
    );
    check(
        "tests/sum.rs",
        "#[test]\nfn adds() {\n    assert_eq!(sample::add(1, 2), -3);\n}\n",
        &[("adds", "-3", "-13")],
    );
    check(
        "tests/sum.rs",
        "#[test]\nfn lists() {\n    assert_eq!(sample::names(), vec![\"x\", \"y\"]);\n}\n",
        &[("lists", "\"y\"", "\"yy\"")],
    );
    let go = |body: &str| format!("package a\n\nfunc TestA(t *testing.T) {{\n{body}}}\n");
    let condition = "\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n";
    check("a_test.go", &go(condition), &[("TestA", "3", "13")]);
    let field = "\tfor _, c := range []struct{ in, want string }{{in: \"abc\", want: \"cba\"}} {\n\t\tcheck(t, c)\n\t}\n";
    check("a_test.go", &go(field), &[("TestA", "\"cba\"", "\"cbaa\"")]);
    check(
        "a_test.go",
        &go("\tif err := do(); err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif n != 3 {\n\t\tn = 4\n\t}\n"),
        &[],
    );
    let script = |assertion: &str| format!("test('adds', () => {{\n  {assertion};\n}});\n");
    for (assertion, was, is) in [
        ("assert.strictEqual(add(1, 2), 3)", "3", "13"),
        ("expect(add(1, 2)).toBe(3.5)", "3.5", "13.5"),
        ("expect(isRight()).toEqual(true)", "true", "false"),
        ("expect(parse('a')).toEqual({ name: 'Ann', town: 'Bath' })", "'Bath'", "'Bathh'"),
        ("assert.deepEqual(names(), ['x', 'y'])", "'y'", "'yy'"),
    ] {
        check("calc.test.js", &script(assertion), &[("adds", was, is)]);
    }
}

#[test]
fn what_could_hold_all_the_same_is_left_alone() {
    let body = |line: &str| format!("def test_a():\n    {line}\n");
    for line in [
        "assert add(1, 2) == 3, 'a message'",
        "assert a == 1 or b == 2",
        "assert abs(a - 3) < 1",
        "self.assertAlmostEqual(a, 3.0, 7)",
        "self.assertNotEqual(a, 3)",
        "self.assertEqual(a, 3, 'a message')",
        "self.assertEqual(a, b)",
        "self.assertEqual(a, f'{b}')",
        "assert a == 'it\\'s'",
    ] {
        check("tests/test_a.py", &body(line), &[]);
    }
    check("a.test.js", "test('a', () => {\n  expect(a).not.toBe(3);\n});\n", &[]);
    check("a.test.js", "test('a', () => {\n  expect(a).toBeCloseTo(3, 5);\n});\n", &[]);
}
