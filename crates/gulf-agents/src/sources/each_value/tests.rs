//! Which values tests have, which other ones may stand there, and what two products say then.

use super::*;

#[track_caller]
fn check(path: &str, source: &str, ids: &[&str], wanted: &[&str]) {
    let ids: Vec<TestId> = ids.iter().map(|id| TestId::new(*id)).collect();
    let found = values_of(path, source.as_bytes(), &ids);
    let values: Vec<&str> = found.at.iter().map(|at| &source[at.clone()]).collect();
    assert_eq!(values, wanted, "{source}");
}

#[test]
fn values_are_those_that_tests_give_in_any_form() {
    let helper = "use span::Span;\n\nfn check(seconds: u32, wanted: &str) {}\n\n#[test]\nfn minutes() {\n    check(90, \"1m 30s\");\n    check(600, \"10m\");\n}\n";
    check("tests/shown.rs", helper, &["shown::minutes"], &["90", "1m 30s", "600", "10m"]);
    let program =
        "def test_two():\n    assert table(\"name,age\\nAnn,31\\n\") == \"name  age\\nAnn   31\\n\"\n";
    check("test_t.py", program, &["test_t.py::test_two"], &["name,age\\nAnn,31\\n"]);
    // What is compared, the name of the test, of parameters and of files are none.
    let go = "func TestA(t *testing.T) {\n\tif code, body := get(t, \"/greet/Ann\"); code != 200 || body != `hello` {\n\t\tt.Error(body)\n\t}\n}\n";
    check("a_test.go", go, &["a::TestA"], &["/greet/Ann"]);
    let named = "test('by kind', () => {\n  const all = read('kinds.json');\n  assert.deepEqual(groupBy(all, 'fruit'), { a: 2 });\n});\n";
    check("a.test.js", named, &["by kind"], &["fruit"]);
    let rows = "@pytest.mark.parametrize('n, text', [\n    (4, 'IV'),\n    (58, 'LVIII'),\n])\ndef test_rows(n, text):\n    assert roman(n) == text\n";
    check("test_a.py", rows, &["test_a.py::test_rows[4-IV]"], &["4", "58"]);
    let shared = "@pytest.mark.parametrize('n, text', [\n    (4, 'IV'), (58, 'LVIII'),\n])\ndef test_rows(n, text):\n    assert roman(n) == text\n";
    check("test_a.py", shared, &["test_a.py::test_rows[4-IV]"], &["4", "58"]);
    // What one row gives and another one expects may stand for either.
    let both = "@pytest.mark.parametrize('n, text', [\n    ('ab', 'cd'), ('cd', 'ef'),\n])\ndef test_rows(n, text):\n    assert follow(n) == text\n";
    check("test_a.py", both, &["test_a.py::test_rows[ab-cd]"], &["ab"]);
}

#[test]
fn questions_that_are_answered_by_yes_or_no_have_none() {
    let yes = "@pytest.mark.parametrize('text', ['0306406152', '080442957X'])\ndef test_valid(text):\n    assert is_isbn(text)\n";
    check("test_a.py", yes, &["test_a.py::test_valid[080442957X]"], &[]);
    let other = "def test_one():\n    assert is_odd(7) == True\n";
    check("test_a.py", other, &["test_a.py::test_one", "test_a.py::test_two"], &[]);
}

#[test]
fn other_values_keep_what_is_escaped() {
    assert_eq!(others("90"), ["91", "142", "190", "900"]);
    assert_eq!(others("a\\nb"), ["b\\nb", "a\\nbb"]);
    assert_eq!(others("coffee 3.20")[2], "coffee 4.20");
    assert_eq!(others("${new Money(1999)}"), ["${new Money(2999)}", "${new Money(19999)}"]);
    assert_eq!(others("--"), [""; 0]);
}

/// The work shows the first, the base the second, where 90 became 91.
#[track_caller]
fn said(now: &str, then: &str, wanted: &ValueDifference) {
    let usual = ["ok 1 - minutes\n", "not ok 1 - minutes\n  got: 90s\n  wanted: 1m 30s\n"];
    assert_eq!(said_of_value([now, then], usual, &["check(90, \"1m 30s\")"], ["90", "91"]), *wanted, "{now}");
}

#[test]
fn what_is_said_of_another_value_is_old_new_or_known() {
    let then = "not ok 1 - minutes\n  got: 91s\n  wanted: 1m 30s\n2 failed\n";
    said(
        "not ok 1 - minutes\n  got: 91s\n  wanted: 1m 30s\n1 failed in 0.02s\n",
        then,
        &ValueDifference::Same,
    );
    let new = ValueDifference::New(BTreeSet::from(["31s".to_owned()]));
    said("not ok 1 - minutes\n  got: 1m 31s\n  wanted: 1m 30s\n", then, &new);
    let known = ["not ok 1 - minutes", "got: 1m", "wanted: 1m 30s"].map(str::to_owned);
    said("not ok 1 - minutes\n  got: 1m\n  wanted: 1m 30s\n", then, &ValueDifference::Known(known.into()));
    said("ok 1 - minutes\n", then, &ValueDifference::Nothing);
    // Neither where a test was broken by it.
    let broken = "E  ImportError: no span91\n";
    said(broken, broken, &ValueDifference::Nothing);
    said("sh: check91: not found\n", "sh: check91: not found\n", &ValueDifference::Nothing);
}
