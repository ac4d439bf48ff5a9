//! Which inputs become others, and what runners show of what a product gives for them.

use super::*;

fn asked_otherwise(
    path: &str,
    source: &str,
    ids: &[&str],
    distance: Distance,
) -> Option<(String, Vec<[String; 2]>)> {
    let ids: Vec<TestId> = ids.iter().map(|id| TestId::new(*id)).collect();
    let [base, products] =
        ["known = { JPY: { digits: 0 } }", "task.due"].map(|text| [("a.mjs", text.to_owned())]);
    let varied = varied(path, source.as_bytes(), (&ids, &[]), &[3], distance, [&base, &products])?;
    let inputs = varied.tests.into_iter().flat_map(|test| test.inputs).collect();
    Some((String::from_utf8(varied.bytes).unwrap(), inputs))
}

#[test]
fn tests_that_prove_the_work_are_given_something_else() {
    let source = "def test_one():\n    assert roman(1) == 'I'\n\n\ndef test_fifty():\n    assert roman(58) == 'LVIII'\n";
    let ids = ["tests/test_a.py::test_fifty"];
    let (near, inputs) = asked_otherwise("tests/test_a.py", source, &ids, Distance::Near).unwrap();
    assert_eq!(near, source.replace("58", "59"));
    assert_eq!(inputs, [["58".to_owned(), "59".to_owned()]]);
    let (far, _) = asked_otherwise("tests/test_a.py", source, &ids, Distance::Far).unwrap();
    assert_eq!(far, source.replace("58", "94"));
    assert_eq!(
        asked_otherwise("tests/test_a.py", source, &["tests/test_b.py::test_x"], Distance::Near),
        None
    );
}

#[test]
fn a_table_beside_its_test_is_asked_and_names_of_rows_are_none_of_its_questions() {
    let beside = "CASES = [(4, 'IV'), (58, 'LVIII')]\n\n\n@pytest.mark.parametrize('n, want', CASES)\ndef test_roman(n, want):\n    assert roman(n) == want\n";
    let ids = ["tests/test_a.py::test_roman[58-LVIII]"];
    let (near, _) = asked_otherwise("tests/test_a.py", beside, &ids, Distance::Near).unwrap();
    assert_eq!(near, beside.replace("(4,", "(5,").replace("(58,", "(59,"));
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, tt := range []row{{\"two words\", 4, \"IV\"}, {\"more\", 58, \"LVIII\"}} {\n\t\tt.Run(tt.name, run)\n\t}\n}\n";
    let (near, _) = asked_otherwise("a_test.go", go, &["a::TestA/two_words"], Distance::Near).unwrap();
    assert_eq!(near, go.replace(", 4,", ", 5,").replace(", 58,", ", 59,"));
    let script = "for (const [name, source, html] of [['list', '- ab', '<li>ab</li>'], ['title', '# cde', '<h1>cde</h1>']]) {\n  test(name, () => {\n    assert.equal(render(source), html);\n  });\n}\n";
    let (near, _) = asked_otherwise("a.test.js", script, &["list", "title"], Distance::Near).unwrap();
    assert_eq!(near, script.replace("- ab", "- ac").replace("# cde", "# cee"));
}

#[test]
fn a_name_that_the_base_knows_is_no_input() {
    let source = "test('yen', () => {\n  assert.equal(format(1500, 'JPY'), '¥1,500');\n});\n";
    let (near, _) = asked_otherwise("a.test.js", source, &["yen"], Distance::Near).unwrap();
    assert_eq!(near, source.replace("format(1500", "format(1501"));
    let (other, _) =
        asked_otherwise("a.test.js", &source.replace("JPY", "CHF"), &["yen"], Distance::Near).unwrap();
    assert_eq!(other, source.replace("JPY", "CIF"), "the base does not know it");
}

#[test]
fn the_form_is_the_one_that_most_answers_have() {
    let output = "a_test.go:26: Roman(58) = \"58\", want \"588\"\na_test.go:26: Roman(4) = \"IV\", want \"IVV\"\na_test.go:26: Roman(9) = \"IX\", want \"IXX\"\n";
    let pairs = [["58", "588"], ["IV", "IVV"], ["IX", "IXX"]].map(|pair| pair.map(str::to_owned));
    let forms = ShownForms::learnt(output, &pairs);
    assert_eq!(forms.values("a_test.go:26: Roman(59) = \"LIX\", want \"588\"\n"), ["LIX"]);
    assert_eq!(forms.lines_each, 1);
}

#[test]
fn what_an_expectation_got_stands_in_its_own_line_before_those_around_it() {
    let learnt = "t.c:13: got 3, want 13\n";
    let forms = ShownForms::learnt(learnt, &[["3", "13"].map(str::to_owned)]);
    let base = "t.c:8: got \"   \", want \"\"\nt.c:13: got 1, want 3\n";
    assert_eq!(forms.values(base), ["\"   \"", "1"]);
    assert_eq!(forms.values_beside(base, "3"), ["1", "\"   \""]);
    assert_eq!(forms.values_beside(base, "4"), [""; 0]);
    let trace = "+ test hello-world = hello-worldd\n";
    let forms = ShownForms::learnt(trace, &[["hello-world", "hello-worldd"].map(str::to_owned)]);
    let others = "+ test Big Blue Sky = big-blue-sky\n+ test  = big-blue-sky\n";
    assert_eq!(forms.values(others), ["Big Blue Sky", ""], "a value may be many words, or none");
}

#[test]
fn texts_stay_of_their_kind() {
    for (literal, near, far) in [
        ("'Hello World'", Some("'Hemlo World'"), Some("'Iello World'")),
        // What words begin with may be known.
        ("'/users/7'", Some("'/users/8'"), Some("'/vsers/7'")),
        ("'/files/docs/a.txt'", Some("'/files/dods/a.txt'"), Some("'/giles/docs/a.txt'")),
        ("\"2020-01-31\"", Some("\"2030-01-31\""), Some("\"3020-01-31\"")),
        ("'zZ9'", Some("'zA9'"), Some("'aZ9'")),
        ("\"größe\"", Some("\"gsöße\""), Some("\"hröße\"")),
        ("'1h30m'", Some("'2h30m'"), Some("'1h35m'")),
        ("\"/greet/Ann?lang=de\"", Some("\"/greet/Aon?lang=de\""), Some("\"/greet/Bnn?lang=de\"")),
        ("'/tasks?status=done'", Some("'/tasks?status=dooe'"), Some("'/tasks?status=eone'")),
        ("'/tasks?limit=2&offset=1'", Some("'/tasks?limit=3&offset=1'"), Some("'/tasks?limit=3&offset=1'")),
        ("'what is a=b?'", Some("'what it a=b?'"), Some("'xhat is a=b?'")),
        ("'%d'", None, None),
        ("'--'", None, None),
        ("65_535", Some("65536"), Some("98309")),
        ("1.5", None, None),
        ("0x10", None, None),
    ] {
        assert_eq!(other(literal, Distance::Near).as_deref(), near, "{literal}");
        assert_eq!(other(literal, Distance::Far).as_deref(), far, "{literal}");
    }
}

#[test]
fn a_yes_or_a_no_and_what_is_expected_are_left_as_they_are() {
    let source = "test('says', () => {\n  assert.equal(same('abc'), 'abc');\n  assert.equal(add(3, 4), 7);\n  assert.equal(isOdd(7), true);\n});\n";
    let (near, _) = asked_otherwise("a.test.js", source, &["says"], Distance::Near).unwrap();
    assert_eq!(near, source.replace("add(3, 4)", "add(4, 4)"));
}

#[test]
fn the_name_of_a_field_that_a_product_reads_is_no_input() {
    let source = "for (const [field, value] of [['due', '2026-02-30'], ['priority', 'urgent']]) {\n  test(`${field} cannot be ${value}`, () => {\n    assert.equal(check({ [field]: value }), 422);\n  });\n}\n";
    let (near, _) =
        asked_otherwise("a.test.js", source, &["due cannot be 2026-02-30"], Distance::Near).unwrap();
    assert_eq!(near, source.replace("'priority'", "'priosity'"));
}

/// The values that a runner shows, learnt from the first output.
#[track_caller]
fn shows(learnt: &str, literals: [&str; 2], output: &str, wanted: &[&str]) {
    let forms = ShownForms::learnt(learnt, &[literals.map(str::to_owned)]);
    assert_eq!(forms.values(output), wanted, "{forms:?}");
}

#[test]
fn one_value_that_a_runner_shows_again_is_one_value() {
    let brief = "E       assert 'IV' == 'IVV'\n1 failed in 0.03s\n";
    // As pytest does where `CI` is set.
    let again = "E       assert 'IV' == 'IVV'\nE         - IVV\nE         + IV\nFAILED t.py::test_four - AssertionError: assert 'IV' == 'IVV'\n";
    let lines_each =
        |output: &str| ShownForms::learnt(output, &[["'IV'", "'IVV'"].map(str::to_owned)]).lines_each;
    assert_eq!((lines_each(brief), lines_each(again), lines_each("")), (1, 3, 1));
}

#[test]
fn what_runners_show_is_read_in_their_own_form() {
    shows(
        "E       AssertionError: assert 'IV' == 'IVV'\nE         - IVV\nE         + IV\n1 failed in 0.03s\n",
        ["'IV'", "'IVV'"],
        "E       AssertionError: assert 'LIX' == 'LVIII'\nE         - LVIII\nE         + LIX\n1 failed in 0.07s\n",
        &["LIX", "LIX"],
    );
    shows(
        "  error: |-\n  code: 'ERR_ASSERTION'\n  expected: 'a-bb'\n  actual: 'a-b'\n",
        ["'a-b'", "'a-bb'"],
        "  expected: 'hello-world'\n  actual: 'hemlo-world'\n",
        &["hemlo-world"],
    );
    shows(
        "thread 'seven' panicked at tests/bits.rs:10:5:\nassertion `left == right` failed\n  left: 3\n right: 13\n",
        ["3", "13"],
        "thread 'large' panicked at tests/bits.rs:15:5:\nassertion `left == right` failed\n  left: 1\n right: 16\n",
        &["1"],
    );
    shows(
        "    reverse_test.go:13: got \"cba\"\n",
        ["\"cba\"", "\"cbaa\""],
        "    reverse_test.go:9: got \"dba\"\n--- FAIL: TestWord (0.00s)\n",
        &["dba"],
    );
    // A number that stands anywhere is not what was given.
    shows("3 failed in 0.03s\n", ["3", "13"], "4 failed in 0.05s\n", &[]);
}

#[test]
fn words_of_texts_are_values_too() {
    let product = ("a.py", "TEXTS = 'I IV LVIII'.split()  # MCM\nSIZE = 58\n".to_owned());
    let values = values_in(&[product]);
    for value in ["\"LVIII\"", "\"I IV LVIII\"", "58"] {
        assert!(values.contains(value), "{value}: {values:?}");
    }
    assert!(!values.contains("\"MCM\""));
}

#[test]
fn of_several_assertions_only_the_one_that_failed_is_asked_otherwise() {
    let source = "def test_joins():\n    assert join('aa', 'bb') == 'aa bb'\n    assert join('cc', 'dd', '|') == 'cc|dd'\n";
    let ids = ["tests/test_a.py::test_joins"];
    let (near, _) = asked_otherwise("tests/test_a.py", source, &ids, Distance::Near).unwrap();
    assert_eq!(near, source.replace("'cc',", "'cd',"));
    // Nobody knows which of them failed.
    let source = format!("\n\n\n{source}");
    assert_eq!(asked_otherwise("tests/test_a.py", &source, &ids, Distance::Near), None);
    // What is given above may belong to another assertion.
    let above = "def test_day():\n    at = day(2023)\n    assert name(at) == 'today'\n";
    assert_eq!(
        asked_otherwise("tests/test_a.py", above, &["tests/test_a.py::test_day"], Distance::Near),
        None
    );
    // Of a table every row shows.
    let rows = "@pytest.mark.parametrize('n,text', [\n    (4, 'IV'),\n    (58, 'LVIII'),\n])\ndef test_rows(n, text):\n    assert roman(n) == text\n";
    let (near, _) =
        asked_otherwise("tests/test_a.py", rows, &["tests/test_a.py::test_rows[4-IV]"], Distance::Near)
            .unwrap();
    assert_eq!(near, rows.replace("(4,", "(5,").replace("(58,", "(59,"));
}

#[test]
fn what_was_expected_may_stand_before_what_came() {
    let learnt = " FAIL two: expected {\"town\":\"Bathh\"}, received {\"town\":\"Bath\"}\n";
    let other = " FAIL two: expected {\"town\":\"Bath\"}, received {\"town\":\"Bbth\"}\n";
    shows(learnt, ["'Bath'", "'Bathh'"], other, &["Bbth"]);
}
