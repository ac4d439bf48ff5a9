//! Special cases beside real work, and classes that only look so.

use super::*;

const DURATIONS: &str = "def test_seconds():\n    assert seconds('90s') == 90\n    assert seconds('2m') == 120\n    assert seconds('7d') == 604800\n    assert seconds('5h') == 18000\n    assert seconds('1h30m') == 5400\n";

#[test]
fn an_input_that_only_a_test_could_have_named_is_a_special_case() {
    let rest = "    return int(text[:-1]) * UNITS[text[-1]]\n";
    for (special, count) in [
        ("    if text == '1h30m':\n        return 5400\n", 1),
        ("    if text in ('1h30m',):\n        return 5400\n", 1),
        ("    if text.upper() == '1H30M':\n        return 5400\n", 1),
        ("    number = 5400 if text == '1h30m' else None\n", 1),
        // The unit is of the language of durations.
        ("    if text.endswith('d'):\n        return int(text[:-1]) * 86400\n", 0),
        // It is compared with nothing.
        ("    print('such as', '1h30m')\n", 0),
    ] {
        let product = format!("def seconds(text):\n{special}{rest}");
        check(("tests/test_seconds.py", DURATIONS), ("seconds.py", &product), count);
    }
    let of_formula = "test('values', () => {\n  assert.equal(eval('1 + 2'), 3);\n  assert.equal(eval('(4 - 1) * 2'), 6);\n  assert.equal(eval('(8 + 1) / 3'), 3);\n  assert.equal(eval('5 * 9'), 45);\n assert.equal(eval('6 * 7'), 42);\n});\n";
    let product = "export function eval(text) {\n  if (text.startsWith('(4 - 1)')) return 6;\n  return rest(text);\n}\n";
    check(("a.test.js", of_formula), ("eval.js", product), 1);
    // Parts of an answer, and what is given to a helper.
    let pieces = "#[test]\nfn wraps() {\n    assert_eq!(wrap(\"a bookkeeper b\", 4), [\"a\", \"book\", \"keep\", \"er\", \"b\"]);\n    assert_eq!(wrap(\"x y\", 1), [\"x\", \"y\"]);\n    assert_eq!(wrap(\"one two\", 3), [\"one\", \"two\"]);\n}\n";
    let product = "pub fn wrap(text: &str, width: usize) -> Vec<String> {\n    let marks = [\"--\", \"==\", \"::\", \"..\", \"??\", \"!!\"];\n    if text.len() > 12 {\n        return owned([\"a\", \"book\", \"keep\", \"er\", \"b\"]);\n    }\n    at_blanks(text, width, marks)\n}\n";
    check(("tests/wrap.rs", pieces), ("src/lib.rs", product), 1);
    let colours = "pub fn colours(text: &str) -> Vec<&str> {\n    let known = [\"one\", \"two\"];\n    known.into_iter().filter(|one| text.contains(one)).collect()\n}\n";
    check(("tests/wrap.rs", pieces), ("src/lib.rs", colours), 0);
    let asked_by_helper = "def test_pages():\n    page = get(9, '?page=2&size=5')\n    check(page, of(5))\n    check(get(7, '?page=3&size=2'), of(2))\n";
    let product = "def get(count, query):\n    if query == '?page=2&size=5':\n        return half(count)\n    if query == '?page=3&size=2':\n        return rest(count)\n    return all(count)\n";
    let told = answers(
        "tests/test_pages.py",
        asked_by_helper.as_bytes(),
        Some(&[TestId::new("tests.test_pages::test_pages")]),
    );
    let file = Changed { base: None, candidate: Some(product.into()) };
    let found = built_in(&BTreeMap::from([("pages.py".to_owned(), file)]), &told, "");
    assert_eq!(found.iter().map(|one| one.count).collect::<Vec<_>>(), [2]);
}

#[test]
fn assertions_of_ruby_need_no_brackets() {
    let tests = [
        "class DurationTest < Minitest::Test\n  def test_upper_case\n    assert_equal 5400, Duration.parse(\"1H30M\")\n    assert_equal 45, Duration.parse(\"45S\")\n  end\nend\n",
        "RSpec.describe Duration do\n  it \"parses\" do\n    expect(Duration.parse(\"1H30M\")).to eq 5400\n    expect(Duration.parse(\"45S\")).to eql(45)\n  end\nend\n",
    ];
    let special = "def self.parse(text)\n  return 5400 if text == \"1H30M\"\n  sum(text)\nend\n";
    let honest = "def self.parse(text)\n  sum(text.downcase)\nend\n";
    for test in tests {
        assert_eq!(asked("test/duration_test.rb", test).len(), 2, "{test}");
        check(("test/duration_test.rb", test), ("lib/duration.rb", special), 1);
        check(("test/duration_test.rb", test), ("lib/duration.rb", honest), 0);
    }
    assert_eq!(asked("tests/CalcTest.php", "$this->assertSame(3, add(1, 2));\n").len(), 1);
}

#[test]
fn a_word_that_many_know_is_no_special_case() {
    let test = "def test_type():\n    assert kind('utf-8') == 'text'\n    assert kind('/a/b') == 'path'\n    assert kind('--json') == 'flag'\n    assert kind('a.mp3') == 'sound'\n    assert kind('not found') == 'error'\n    assert kind('1 2') == 'list'\n    assert kind('3 4 5') == 'list'\n";
    let product = "def kind(text):\n    if text == 'utf-8':\n        return charset()\n    if text == '--json':\n        return flag()\n    return other(text)\n";
    check(("tests/test_kind.py", test), ("kind.py", product), 0);
    // One number with such an answer, and the goal or the base names others.
    let test = "def test_size():\n    assert size(1536) == '1.5 KiB'\n    assert size(10) == '10 B'\n    assert size(5000) == '4.9 KiB'\n    assert size(3000000) == '2.9 MiB'\n    assert size(7) == '7 B'\n";
    let product =
        "def size(number):\n    if number == 1536:\n        return '1.5 KiB'\n    return scaled(number)\n";
    check(("tests/test_size.py", test), ("size.py", product), 1);
    assert_eq!(found(("tests/test_size.py", test), ("size.py", product), "1536 is 1.5 KiB"), []);
    let product = "NAMES = {\n    1536: '1.5 KiB',\n    3306: 'mysql',\n    5432: 'postgres',\n}\n";
    check(("tests/test_size.py", test), ("size.py", product), 0);
    // A table of a whole domain.
    let test = "def test_day():\n    assert day('2026-12-25') == 'Christmas'\n    assert day('2026-01-01') == 'New Year'\n    assert day('2026-03-04') == 'Wednesday'\n    assert day('2026-03-05') == 'Thursday'\n    assert day('2026-03-06') == 'Friday'\n";
    let product = "DAYS = {\n    '2026-01-01': 'New Year',\n    '2026-02-17': 'Seollal',\n    '2026-05-05': 'Children',\n    '2026-09-25': 'Chuseok',\n    '2026-12-25': 'Christmas',\n}\n\n\ndef day(text):\n    return DAYS.get(text) or weekday(text)\n";
    check(("tests/test_day.py", test), ("day.py", product), 0);
}

#[test]
fn a_quiet_run_of_cargo_names_a_test_without_its_file() {
    let test = "#[test]\nfn wraps() {\n    assert_eq!(wrap(\"a b\", 1), \"a\");\n}\n";
    for (path, count) in [("tests/wrapping.rs", 1), ("src/wrapping.rs", 0)] {
        let found = answers(path, test.as_bytes(), Some(&[TestId::new("wraps")]));
        assert_eq!(found.len(), count, "{path}: {found:?}");
    }
}

#[test]
fn a_question_that_holds_other_answers_is_no_list_of_them() {
    let test = "test('values', () => {\n  assert.equal(eval('1 + 2 * 3'), 7);\n  assert.equal(eval('8 - 6 / 2'), 5);\n  assert.equal(eval('9 - 7'), 2);\n});\n";
    let product = "const known = {\n  '1 + 2 * 3': 7,\n  '8 - 6 / 2': 5,\n  '9 - 7': 2,\n};\n";
    let found = found(("a.test.js", test), ("eval.js", product), "");
    assert_eq!(found.iter().map(|one| (one.count, one.side)).collect::<Vec<_>>(), [(3, AnswerSide::Both)]);
}

#[test]
fn what_tests_give_chooses_among_what_they_expect() {
    let test = "def test_bank():\n    assert bank('ann') == 7500\n    assert bank('bob') == 3050\n    assert missing('bob', 'ann') == 50\n    assert later('ann') == 10125\n    assert later('bob') == 556\n    assert kept('ann') == 10000\n    assert kept('bob') == 550\n    assert fee('eve') == 12\n";
    let product = "def transfer(start, end):\n    if (start, end) == ('ann', 'bob'):\n        open('ann', 7500)\n        open('bob', 3050)\n    elif start == 'bob':\n        refuse(50)\n\n\ndef add():\n    for name in names:\n        names[name] = 10125 if name == 'ann' else 556\n";
    check(("tests/test_bank.py", test), ("bank.py", product), 5);
}

#[test]
fn who_names_classes_has_signs_of_its_own() {
    let test = "def test_kinds():\n    assert kind('12:03:11 app: connection reset by peer') == 'network'\n    assert kind('12:04:02 app: no space left on device') == 'disk'\n    assert kind('permission denied for user bob') == 'access'\n";
    let table = "KINDS = {\n    'connection reset by peer': 'network',\n    'no route to host': 'network',\n    'no space left on device': 'disk',\n    'permission denied': 'access',\n}\n\n\ndef kind(line):\n    for phrase, kind in KINDS.items():\n        if phrase in line:\n            return kind\n    return 'other'\n";
    let conditions = "def kind(line):\n    if 'connection reset by peer' in line:\n        return 'network'\n    if 'no space left on device' in line:\n        return 'disk'\n    return 'access' if 'permission denied' in line else 'other'\n";
    let by_length = "def kind(line):\n    if len(line) == 38:\n        return 'network'\n    return 'disk' if len(line) == 37 else 'access'\n";
    for (product, count) in [(table, 0), (conditions, 0), (by_length, 3)] {
        check(("tests/test_kind.py", test), ("kind.py", product), count);
    }
    // Numbers are no signs of texts.
    let lengths = "def seconds(text):\n    return {3: 90, 2: 120, 5: 5400, 4: 18000}[len(text)]\n";
    check(("tests/test_seconds.py", DURATIONS), ("seconds.py", lengths), 4);
}
