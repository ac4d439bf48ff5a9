//! What is an expectation, and what it becomes.

use super::*;
use crate::reports::TestId;

#[track_caller]
fn check(path: &str, source: &str, flipped: &[(&str, &str, &str)]) {
    let found = flips(path, source.as_bytes());
    let told: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|flip| (flip.test.name.as_str(), flip.literals[0][0].as_str(), flip.literals[0][1].as_str()))
        .collect();
    assert_eq!(told, flipped, "{source}");
    for flip in &found {
        let bytes = String::from_utf8(flip.bytes.clone()).unwrap();
        let grown: usize = flip.literals.iter().map(|[was, is]| is.len() - was.len()).sum();
        assert_eq!(bytes.len(), source.len() + grown, "{bytes}");
        assert_ne!(bytes.len(), source.len(), "{bytes}");
    }
}

#[test]
fn what_the_work_is_given_is_no_expectation() {
    check("tests/test_a.py", "def test_a():\n    assert is_valid(\"a == 1, b\")\n", &[]);
    let ruby =
        "class T < Minitest::Test\n  def test_a\n    assert_equal [1, 2], take([1, 2, 3])\n  end\nend\n";
    let flipped = flips("test/a_test.rb", ruby.as_bytes());
    assert!(flipped.iter().all(|flip| flip.literals[0][0] != "3"), "{flipped:?}");
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
    let one_of_two = condition.replace("got != 3", "err != nil || got != 3").replace("got :=", "got, err :=");
    check("a_test.go", &go(&one_of_two), &[("TestA", "3", "13")]);
    let of_both =
        condition.replace("got != 3", "code != 200 || got != \"no\"").replace("got :=", "code, got :=");
    check("a_test.go", &go(&of_both), &[("TestA", "\"no\"", "\"noo\"")]);
    check("a_test.go", &go(&of_both.replace("\"no\"", "`{\"a\"}`")), &[]);
    let distance = condition.replace("got != 3", "err != nil || math.Abs(got-3.5) > 1e-9");
    check("a_test.go", &go(&distance), &[("TestA", "3.5", "13.5")]);
    // What may differ a little is far from it.
    assert_eq!(alike("1.4142").as_deref(), Some("2.4142"));
    assert_eq!(alike("\"1.4\"").as_deref(), Some("\"1.5\""));
    check("a_test.go", &go(&condition.replace("got != 3", "ok && got != 3")), &[]);
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
        ("expect(add(1, 2)).to.equal(3)", "3", "13"),
        ("expect(names()).to.deep.equal(['x', 'y'])", "'y'", "'yy'"),
        ("add(1, 2).should.eql(3)", "3", "13"),
        ("t.is(add(1, 2), 3)", "3", "13"),
        (
            "expect(screen.getByRole('status')).toHaveTextContent('Total: 8.00')",
            "'Total: 8.00'",
            "'Total: 8.000'",
        ),
        ("expect(isRight()).toEqual(true)", "true", "false"),
        ("expect(parse('a')).toEqual({ name: 'Ann', town: 'Bath' })", "'Bath'", "'Bathh'"),
        ("assert.deepEqual(names(), ['x', 'y'])", "'y'", "'yy'"),
    ] {
        check("calc.test.js", &script(assertion), &[("adds", was, is)]);
    }
}

#[test]
fn a_message_is_no_expectation() {
    for line in ["assert add(1, 2) == 3, 'a message'", "self.assertEqual(add(1, 2), 3, 'a message')"] {
        check("tests/test_a.py", &format!("def test_a():\n    {line}\n"), &[("test_a", "3", "13")]);
    }
    check(
        "a_test.go",
        "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 3, Add(1, 2))\n}\n",
        &[("TestA", "3", "13")],
    );
}

/// The rows of one test, each as it is then, and whether a suite that can fail has to fail there.
#[track_caller]
fn check_rows(path: &str, source: &str, rows: &[&str], is_certain: bool) {
    let found = flips(path, source.as_bytes());
    let told: Vec<(Vec<&str>, bool)> = found
        .iter()
        .map(|flip| (flip.literals.iter().map(|[_, is]| is.as_str()).collect(), flip.is_certain))
        .collect();
    assert_eq!(told, [(rows.to_vec(), is_certain)], "{source}");
}

#[test]
fn where_nothing_literal_is_compared_the_rows_of_the_test_are() {
    let python = "@pytest.mark.parametrize('n, expected', [(1, 'I'), (4, 'IV')])\ndef test_roman(n, expected):\n    assert roman(n) == expected\n";
    check_rows("tests/test_a.py", python, &["'II'", "'IVV'"], true);
    let other = python.replace("roman(n) == expected", "is_valid(n, expected)");
    check_rows("tests/test_a.py", &other, &["'II'", "'IVV'"], false);
    let not_last = python.replace("'n, expected'", "'expected, n'");
    check_rows("tests/test_a.py", &not_last, &["'II'", "'IVV'"], false);
    let given = python.replace("roman(n)", "clamp(n, expected)");
    check_rows("tests/test_a.py", &given, &["'II'", "'IVV'"], false);
    let beside = "CASES = {'one': (1, 'I'), 'four': (4, 'IV')}\n\n\n@pytest.mark.parametrize('n, expected', CASES.values())\ndef test_roman(n, expected):\n    assert roman(n) == expected\n";
    check_rows("tests/test_a.py", beside, &["'II'", "'IVV'"], true);
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\ttests := []struct {\n\t\tname string\n\t\tn int\n\t\twant string\n\t}{\n\t\t{\"one\", 1, \"I\"},\n\t\t{\"four\", 4, \"IV\"},\n\t}\n\tfor _, tt := range tests {\n\t\tif got := Roman(tt.n); got != tt.want {\n\t\t\tt.Errorf(\"got %q, want %q\", got, tt.want)\n\t\t}\n\t}\n}\n";
    check_rows("a_test.go", go, &["\"II\"", "\"IVV\""], true);
    let rust = "#[test]\nfn romans() {\n    for (n, expected) in [(1, \"I\"), (4, \"IV\")] {\n        assert_eq!(roman(n), expected);\n    }\n}\n";
    check_rows("tests/a.rs", rust, &["\"II\"", "\"IVV\""], true);
    let ones = "@pytest.mark.parametrize('n, expected', [(1, 1), (7, 3)])\ndef test_bits(n, expected):\n    assert bits(n) == expected\n";
    check_rows("tests/test_a.py", ones, &["13"], true);
    let script = "for (const [n, expected] of [[1, 'I'], [4, 'IV']]) {\n  test(`roman ${n}`, () => {\n    assert.equal(roman(n), expected);\n  });\n}\n";
    check_rows("a.test.mjs", script, &["'II'", "'IVV'"], true);
    let [loops] = &flips("a.test.mjs", script.as_bytes())[..] else { panic!("{script}") };
    assert!(loops.test.has_result(&TestId::new("roman 4")));
    assert!(!loops.test.has_result(&TestId::new("greek 4")));
    let rust = "#[rstest]\n#[case(1, \"I\")]\n#[case(4, \"IV\")]\nfn romans(#[case] n: u32, #[case] text: &str) {\n    assert_eq!(roman(n), text);\n}\n";
    check_rows("tests/a.rs", rust, &["\"II\"", "\"IVV\""], true);
    let [cases] = &flips("tests/a.rs", rust.as_bytes())[..] else { panic!("{rust}") };
    assert!(cases.test.has_result(&TestId::new("a > romans::case_1")));
}

#[test]
fn a_test_with_rows_is_called_by_its_title_and_known_by_what_stands_around_their_values() {
    let each = "describe('roman', () => {\n  it.each([\n    [1, 'I'],\n    [4, 'IV'],\n  ])('writes %d as %s', (n, expected) => {\n    expect(roman(n)).toBe(expected);\n  });\n});\n";
    let template = "describe('roman', () => {\n  it.each`\n    n | text\n    ${1} | ${'I'}\n    ${4} | ${'IV'}\n  `('writes $n as $text', ({ n, text }) => {\n    expect(roman(n)).toBe(text);\n  });\n});\n";
    for source in [each, template] {
        check_rows("src/a.test.ts", source, &["'II'", "'IVV'"], true);
        let [rows] = &flips("src/a.test.ts", source.as_bytes())[..] else { panic!("{source}") };
        assert!(rows.test.name.starts_with("roman > writes "), "{}", rows.test.name);
        for (id, is_it) in [
            ("src/a.test.ts > roman > writes 4 as IV", true),
            ("roman > writes 4 as IV", true),
            ("src/b.test.ts > roman > writes 4 as IV", false),
            ("src/a.test.ts > roman > reads IV as 4", false),
            // It could not be loaded.
            ("src/a.test.ts [ src/a.test.ts ]", true),
            ("a.test.ts > Test suite failed to run", true),
            ("b.test.ts > Test suite failed to run", false),
        ] {
            assert_eq!(rows.test.has_result(&TestId::new(id)), is_it, "{id}");
        }
    }
}

#[test]
fn what_could_hold_all_the_same_is_left_alone() {
    let body = |line: &str| format!("def test_a():\n    {line}\n");
    for line in [
        "assert a == 1 or b == 2",
        "assert abs(a - 3) < 1",
        "self.assertAlmostEqual(a, 3.0, 7)",
        "self.assertNotEqual(a, 3)",
        "self.assertEqual(a, b)",
        "self.assertEqual(a, f'{b}')",
        "assert a == 'it\\'s'",
    ] {
        check("tests/test_a.py", &body(line), &[]);
    }
    check("a.test.js", "test('a', () => {\n  expect(a).not.toBe(3);\n});\n", &[]);
    check("a.test.js", "test('a', () => {\n  expect(a).toBeCloseTo(3, 5);\n});\n", &[]);
}

#[test]
fn what_a_type_is_made_of_may_not_count_for_what_it_calls_equal() {
    for (path, source, is, is_certain) in [
        ("tests/test_a.py", "def test_a():\n    assert total() == Money(15, 'EUR')\n", "'EURR'", false),
        ("tests/a.rs", "#[test]\nfn a() {\n    assert_eq!(total(), Money { cents: 15 });\n}\n", "115", false),
        ("tests/a.rs", "#[test]\nfn a() {\n    assert_eq!(read(\"x\"), Ok(15));\n}\n", "115", true),
        ("a.test.js", "test('a', () => {\n  assert.deepEqual(total(), new Cents(15));\n});\n", "115", false),
        // What is asked is no such part, and in Go a function that compares has such a name.
        ("tests/test_a.py", "def test_a():\n    assert Money(1).cents == 15\n", "115", true),
        (
            "a_test.go",
            "func TestA(t *testing.T) {\n\tif got := Total(1); got != 15 {\n\t\tt.Error(got)\n\t}\n}\n",
            "115",
            true,
        ),
        ("a_test.go", "func TestA(t *testing.T) {\n\trequire.Equal(t, Total(1), 15)\n}\n", "115", true),
    ] {
        let found = flips(path, source.as_bytes());
        let [flip] = &found[..] else { panic!("{source}: {found:?}") };
        assert_eq!((flip.literals[0][1].as_str(), flip.is_certain), (is, is_certain), "{source}");
    }
}

#[test]
fn what_stands_in_a_comment_is_no_expectation_and_hides_none() {
    check(
        "tests/test_calc.py",
        "def test_adds():\n    # self.assertEqual(add(1, 2), 4)\n    assert add(1, 2) == 3  # 1 + 2 == 3\n",
        &[("test_adds", "3", "13")],
    );
    check(
        "tests/sum.rs",
        "#[test]\nfn adds() {\n    // assert_eq!(add(1, 2), 4);\n    assert_eq!(add(1, 2), 3); // or 4\n}\n",
        &[("adds", "3", "13")],
    );
    check(
        "a.test.js",
        "test('adds', () => {\n  // expect(add(1, 2)).toBe(4)\n  /* 한국어 expect(1).toBe(5) */\n  expect(add(1, 2)).toBe(3) // 3\n})\n",
        &[("adds", "3", "13")],
    );
}

#[test]
fn a_long_text_is_an_expectation_and_no_comment() {
    let long = "word ".repeat(50) + "end";
    let python = format!("def test_a():\n    assert say() == \"{long}\"\n");
    check("tests/test_a.py", &python, &[("test_a", &format!("\"{long}\""), &format!("\"{long}d\""))]);
}

#[test]
fn a_sign_that_is_escaped_within_a_text_hides_no_expectation() {
    let rust = r#"assert_eq!(words("a\n\"b\", c"), 3);"#;
    check("tests/words.rs", &format!("#[test]\nfn counts() {{\n    {rust}\n}}\n"), &[("counts", "3", "13")]);
}
