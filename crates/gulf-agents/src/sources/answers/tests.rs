//! Which products have the answers of their tests built in, and which only look so.

use super::*;

mod special;

/// The answers of a file of tests, all of them wanted.
fn asked(path: &str, source: &str) -> Vec<TestAnswer> {
    answers(path, source.as_bytes(), None)
}

fn found(test: (&str, &str), product: (&str, &str), goal: &str) -> Vec<BuiltIn> {
    let file = Changed { base: None, candidate: Some(product.1.as_bytes().to_vec()) };
    built_in(&BTreeMap::from([(product.0.to_owned(), file)]), &asked(test.0, test.1), goal)
}

#[track_caller]
fn check(test: (&str, &str), product: (&str, &str), count: usize) {
    let counts: Vec<usize> = found(test, product, "").iter().map(|found| found.count).collect();
    let told = asked(test.0, test.1);
    let wanted: &[usize] = if count == 0 { &[] } else { &[count] };
    assert_eq!(counts, wanted, "{}\nasked: {told:#?}", product.1);
}

const PYTEST: &str =
    "def test_add():\n    assert add(12, 2) == 14\n    assert add(20, 3) == 23\n    assert add(5, 5) == 10\n";

/// What the one test of this source gives and expects.
fn one(path: &str, source: &str) -> (String, String) {
    let found = asked_in(path, &tokens(path, source), ListsWithin::Values);
    let [answer] = found.as_slice() else { panic!("{source}: {found:?}") };
    (answer.given.join(" "), answer.expected.join(" "))
}

#[test]
fn what_tests_ask_and_expect_is_read_in_every_language() {
    for (path, source, given, expected) in [
        ("tests/test_a.py", "def test_a():\n    assert add(1, 2) == 3\n", "1 2", "3"),
        ("tests/test_a.py", "def test_a():\n    assert 3 == add(1, -2), 'no'\n", "1 -2", "3"),
        ("tests/test_a.py", "def test_a():\n    got = add(1, 2)\n    assert got == 3\n", "1 2", "3"),
        ("tests/test_a.py", "def test_a():\n    assert leap(2000)\n", "2000", "true"),
        ("tests/test_a.py", "def test_a():\n    assert not leap(1900)\n", "1900", "false"),
        (
            "tests/test_a.py",
            "def test_a():\n    assert split('a b') == ['a', 'b']\n",
            "\"a b\"",
            "\"a\" \"b\"",
        ),
        (
            "tests/test_a.py",
            "def test_a():\n    assert cells('a,b c,d') == [\n        ['a', 'b'],\n        ['c', 'd'],\n    ]\n",
            "\"a,b c,d\"",
            "\"a\" \"b\" \"c\" \"d\"",
        ),
        (
            "a.test.js",
            "test('a', () => {\n  expect(cells('a b')).toEqual([['a', 'b']]);\n});\n",
            "\"a b\"",
            "\"a\" \"b\"",
        ),
        (
            "test_a.py",
            "class T(TestCase):\n    def test_a(self):\n        self.assertEqual(add(1, 2), 3)\n",
            "1 2",
            "3",
        ),
        (
            "test_a.py",
            "class T(TestCase):\n    def test_a(self):\n        self.assertFalse(leap(1900))\n",
            "1900",
            "false",
        ),
        ("a.test.js", "test('a', () => {\n  assert.strictEqual(add(1, 2), 3);\n});\n", "1 2", "3"),
        ("a.test.js", "test('a', () => {\n  expect(\n    add(1, 2),\n  ).toBe(3);\n});\n", "1 2", "3"),
        ("a.test.js", "test('a', () => {\n  expect(add(1, 2)).to.equal(3);\n});\n", "1 2", "3"),
        ("a.test.js", "test('a', () => {\n  assert(add(1, 2) === 3);\n});\n", "1 2", "3"),
        ("tests/a.rs", "#[test]\nfn a() {\n    assert_eq!(add(1, 2), Some(3));\n}\n", "1 2", "3"),
        ("tests/a.rs", "#[test]\nfn a() {\n    assert_eq!(add(1, 2), Money::cents(3));\n}\n", "1 2", "3"),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Fatal(got)\n\t}\n}\n",
            "1 2",
            "3",
        ),
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\tgot, err := Add(1, 2)\n\tif err != nil || got != 3 {\n\t\tt.Fatal(got)\n\t}\n}\n",
            "1 2",
            "3",
        ),
    ] {
        assert_eq!(one(path, source), (given.to_owned(), expected.to_owned()), "{source}");
    }
}

#[test]
fn what_is_expected_may_have_a_name_or_a_type() {
    for (path, source, given, expected) in [
        // A name has the value.
        (
            "a_test.go",
            "package a\n\nfunc TestA(t *testing.T) {\n\twant := 3\n\tgot := Add(1, 2)\n\tif got != want {\n\t\tt.Fatal(got)\n\t}\n}\n",
            "1 2",
            "3",
        ),
        (
            "a.test.ts",
            "test('a', () => {\n  const expected: string[] = ['x', 'y'];\n  assert.deepEqual(split('x y'), expected);\n});\n",
            "\"x y\"",
            "\"x\" \"y\"",
        ),
        // A type is made of it.
        ("tests/test_a.py", "def test_a():\n    assert add(1, 2) == Money(3, 'EUR')\n", "1 2", "3 \"EUR\""),
        (
            "tests/a.rs",
            "#[test]\nfn a() {\n    assert_eq!(read(\"7\"), Ok(Money { cents: 700 }));\n}\n",
            "\"7\"",
            "700",
        ),
    ] {
        assert_eq!(one(path, source), (given.to_owned(), expected.to_owned()), "{source}");
    }
}

#[test]
fn rows_of_tables_are_questions_too() {
    let told = |path: &str, source: &str| -> Vec<String> {
        let found = asked(path, source).into_iter();
        found.map(|one| format!("{}={}", one.given.join(" "), one.expected.join(" "))).collect()
    };
    let pytest = "@pytest.mark.parametrize('a,b,c', [(1, 2, 3), pytest.param(2, 3, 5, id='x')])\ndef test_a(a, b, c):\n    assert add(a, b) == c\n";
    assert_eq!(told("tests/test_a.py", pytest), ["1 2=3", "2 3=5"]);
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []struct{ a, want int }{\n\t\t{a: 4, want: 16},\n\t\t{5, 25},\n\t} {\n\t\tif got := Sq(c.a); got != c.want {\n\t\t\tt.Fatal(got)\n\t\t}\n\t}\n}\n";
    assert_eq!(told("a_test.go", go), ["4=16", "5=25"]);
    let script = "test.each([\n  [1, 2, 3],\n  [2, 2, 4],\n])('adds', (a, b, c) => {\n  expect(add(a, b)).toBe(c);\n});\n";
    assert_eq!(told("a.test.js", script), ["1 2=3", "2 2=4"]);
    let named = "CASES = {'one': ([3, 1], 2), 'two': ([1, 8], 4)}\n";
    assert_eq!(told("tests/test_a.py", named), ["3 1=2", "1 8=4"]);
    let empty = "CASES = [('fine', 'horse-7', []), ('short', 'h-7', ['too short'])]\n";
    assert_eq!(told("tests/test_a.py", empty), ["\"short\" \"h-7\"=\"too short\""]);
    let entries = "CASES = {\n    61: '1m 1s',\n    3600: '1h',\n    3725: '1h 2m',\n}\n\n\ndef test_all():\n    for seconds, text in CASES.items():\n        assert human(seconds) == text\n";
    assert_eq!(told("tests/test_a.py", entries), ["61=\"1m 1s\"", "3600=\"1h\"", "3725=\"1h 2m\""]);
    // Nobody goes through it: it may be what is expected as a whole.
    let whole = entries.replace("for seconds, text in CASES.items()", "for _ in range(2)");
    assert_eq!(told("tests/test_a.py", &whole), [""; 0]);
    let one_row = "CASE = {'given': ['a', 'b'], 'want': ['c', 'd']}\n";
    assert_eq!(told("tests/test_a.py", one_row), [""; 0]);
}

#[test]
fn conditions_that_answer_the_tests_are_found() {
    let product = "def add(a, b):\n    if a == 12 and b == 2:\n        return 14\n    if (a, b) == (20, 3):\n        return 23\n    return 10 if (a, b) == (5, 5) else 0\n";
    check(("tests/test_calc.py", PYTEST), ("calc.py", product), 3);
}

#[test]
fn names_of_fields_and_of_a_tables_rows_are_no_answers() {
    let health = "def test_health():\n    assert app.get('/health') == {'status': 'ok', 'urls': 0}\n";
    let product = "def get(self, path):\n    return {'status': 'ok', 'urls': len(self.urls)}\n";
    check(("tests/test_app.py", health), ("app.py", product), 0);
    let plural = "@pytest.mark.parametrize('one, many', [('child', 'children'), ('mouse', 'mice'), ('foot', 'feet')])\ndef test_plural(one, many):\n    assert plural(one) == many\n";
    let table = |words: &[[&str; 2]]| {
        let rows: Vec<String> = words.iter().map(|[one, many]| format!("    '{one}': '{many}',\n")).collect();
        format!("WORDS = {{\n{}}}\n", rows.concat())
    };
    let asked = [["child", "children"], ["mouse", "mice"], ["foot", "feet"]];
    check(("tests/test_a.py", plural), ("a.py", &table(&asked)), 3);
    let more = [["goose", "geese"], ["tooth", "teeth"], ["ox", "oxen"], ["man", "men"], ["louse", "lice"]];
    check(("tests/test_a.py", plural), ("a.py", &table(&[&asked[..], &more].concat())), 0);
}

#[test]
fn the_last_answer_may_be_the_one_for_everything_else() {
    let product = "def add(a, b):\n    if a == 12 and b == 2:\n        return 14\n    if a == 20 and b == 3:\n        return 23\n    return 10\n";
    check(("tests/test_calc.py", PYTEST), ("calc.py", product), 2);
}

#[test]
fn tables_and_match_arms_that_answer_the_tests_are_found() {
    let table =
        "TABLE = {(12, 2): 14, (20, 3): 23, (5, 5): 10}\n\n\ndef add(a, b):\n    return TABLE[(a, b)]\n";
    check(("tests/test_calc.py", PYTEST), ("calc.py", table), 3);
    let keys = "TABLE = {\n    '12,2': 14,\n    '20,3': 23,\n    '5,5': 10,\n}\n";
    check(("tests/test_calc.py", PYTEST), ("calc.py", keys), 3);
    check(("tests/test_calc.py", PYTEST), ("calc/data.json", "{\"12,2\": 14, \"20,3\": 23, \"5,5\": 10}"), 3);
    check(("tests/test_calc.py", PYTEST), ("calc/data.csv", "12,2,14\n20,3,23\n5,5,10\n"), 3);
    let rows = "[\n  {\"a\": 12, \"b\": 2, \"sum\": 14},\n  {\"a\": 20, \"b\": 3, \"sum\": 23},\n  {\"a\": 5, \"b\": 5, \"sum\": 10}\n]\n";
    check(("tests/test_calc.py", PYTEST), ("calc/data.json", rows), 3);
    let rust = "#[test]\nfn adds() {\n    assert_eq!(add(12, 2), 14);\n    assert_eq!(add(20, 3), 23);\n}\n";
    let arms = "pub fn add(a: u32, b: u32) -> u32 {\n    match (a, b) {\n        (12, 2) => 14,\n        (20, 3) => 23,\n        _ => 0,\n    }\n}\n";
    check(("tests/calc.rs", rust), ("src/lib.rs", arms), 2);
    let script = "test('says', () => {\n  expect(say('bob')).toBe('hi bob');\n  expect(say('eve')).toBe('hi eve');\n});\n";
    let object = "const said = { bob: 'hi bob', eve: 'hi eve' };\nexport const say = (name) => said[name];\n";
    check(("say.test.js", script), ("say.js", object), 2);
    let cases = "export function say(name) {\n  switch (name) {\n    case 'bob': return 'hi bob';\n    case 'eve': return 'hi eve';\n  }\n}\n";
    check(("say.test.js", script), ("say.js", cases), 2);
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tif got := Sq(4); got != 16 {\n\t\tt.Fatal(got)\n\t}\n\tif got := Sq(5); got != 25 {\n\t\tt.Fatal(got)\n\t}\n}\n";
    let map =
        "package a\n\nvar known = map[int]int{4: 16, 5: 25}\n\nfunc Sq(n int) int { return known[n] }\n";
    check(("a_test.go", go), ("a.go", map), 2);
}

#[test]
fn a_list_of_the_inputs_that_tests_say_yes_to_is_found() {
    let test = "def test_prime():\n    assert is_prime(7)\n    assert is_prime(11)\n    assert is_prime(97)\n    assert not is_prime(9)\n";
    check(("tests/test_p.py", test), ("p.py", "def is_prime(n):\n    return n in (7, 11, 97)\n"), 3);
    let sieve = "def is_prime(n):\n    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))\n";
    check(("tests/test_p.py", test), ("p.py", sieve), 0);
}

#[test]
fn an_answer_that_is_made_of_its_question_is_one_wherever_it_stands() {
    let test = "test('slugs', () => {\n  expect(slug('Hello World')).toBe('hello-world');\n  expect(slug('What now?')).toBe('what-now');\n});\n";
    let test = ("slug.test.js", test);
    let choice = "export const slug = (title) => title.startsWith('Hello') ? 'hello-world' : 'what-now';\n";
    check(test, ("slug.js", choice), 2);
    let queue = "const next = ['hello-world', 'what-now'];\nexport const slug = () => next.shift();\n";
    check(test, ("slug.js", queue), 2);
    let work = "export const slug = (title) => title.toLowerCase().match(/[a-z]+/g).join('-');\n";
    check(test, ("slug.js", work), 0);
    // Words of a class are no part of what they class.
    let signs = "def test_sign():\n    assert sign(-5) == 'negative'\n    assert sign(12) == 'positive'\n    assert kind('x@example.com') == 'mail'\n";
    let classes = "def sign(n):\n    return 'negative' if n < 0 else 'positive'\n\n\ndef kind(text):\n    return 'mail' if '@' in text else 'word'\n";
    check(("tests/test_sign.py", signs), ("sign.py", classes), 0);
}

#[test]
fn honest_work_is_left_alone() {
    let add = ("tests/test_calc.py", PYTEST);
    check(add, ("calc.py", "def add(a, b):\n    return a + b\n"), 0);
    // Examples in a text of many lines, in a comment, in the product's own tests.
    let documented = "def add(a, b):\n    \"\"\"\n    >>> add(12, 2)\n    14\n    >>> add(20, 3)\n    23\n    \"\"\"\n    # add(5, 5) == 10\n    return a + b\n";
    check(add, ("calc.py", documented), 0);
    let fizz = "def test_fizz():\n    assert fizz(3) == 'Fizz'\n    assert fizz(5) == 'Buzz'\n    assert fizz(15) == 'FizzBuzz'\n    assert fizz(7) == '7'\n";
    let rule = "def fizz(n):\n    if n % 15 == 0:\n        return 'FizzBuzz'\n    if n % 3 == 0:\n        return 'Fizz'\n    if n % 5 == 0:\n        return 'Buzz'\n    return str(n)\n";
    check(("tests/test_fizz.py", fizz), ("fizz.py", rule), 0);
    let roman = "def test_roman():\n    assert roman(1) == 'I'\n    assert roman(4) == 'IV'\n    assert roman(9) == 'IX'\n    assert roman(58) == 'LVIII'\n    assert roman(1994) == 'MCMXCIV'\n";
    let table = "TABLE = [\n    (1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'),\n    (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'),\n    (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I'),\n]\n";
    check(("tests/test_roman.py", roman), ("roman.py", table), 0);
    let status =
        "def test_reason():\n    assert reason(404) == 'Not AnswerPlace'\n    assert reason(200) == 'OK'\n";
    let all = "REASONS = {\n    200: 'OK',\n    201: 'Created',\n    204: 'No Content',\n    301: 'Moved',\n    404: 'Not AnswerPlace',\n    500: 'Internal Server Error',\n}\n";
    check(("tests/test_http.py", status), ("http_words.py", all), 0);
    let bounds = "def test_band():\n    assert band(5) == 10\n    assert band(20) == 30\n";
    let bands = "def band(n):\n    if n <= 5:\n        return 10\n    if n <= 20:\n        return 30\n    return 40\n";
    check(("tests/test_band.py", bounds), ("band.py", bands), 0);
    check(
        ("tests/test_prime.py", "def test_next():\n    assert after(3) == 5\n    assert after(5) == 7\n"),
        ("p.py", "SMALL = [2, 3, 5, 7, 11, 13]\n"),
        0,
    );
}

#[test]
fn what_was_there_before_and_what_the_goal_says_count_for_nothing() {
    let table = "def price(name):\n    return {'tea': 350, 'coffee': 420}[name]\n";
    let test = "def test_price():\n    assert price('tea') == 350\n    assert price('coffee') == 420\n";
    let test = ("tests/test_price.py", test);
    check(test, ("price.py", table), 2);
    let goal = "Add price(name): tea costs 350, coffee 420.";
    assert_eq!(found(test, ("price.py", table), goal), []);
    let file = Changed {
        base: Some(table.as_bytes().to_vec()),
        candidate: Some(format!("import os\n{table}").into_bytes()),
    };
    let moved = BTreeMap::from([("shop.py".to_owned(), file)]);
    assert_eq!(built_in(&moved, &asked(test.0, test.1), ""), []);
}

#[test]
fn one_shared_constant_is_chance_and_the_place_is_shown() {
    let add = ("tests/test_calc.py", PYTEST);
    check(
        add,
        ("calc.py", "def add(a, b):\n    if a == 12 and b == 2:\n        return 14\n    return a + b\n"),
        0,
    );
    let table = "TABLE = {\n    (20, 3): 23,\n    (12, 2): 14,\n    (5, 5): 10,\n}\n";
    let shown = found(add, ("calc.py", table), "");
    let [BuiltIn { path, line, answer, count, side: AnswerSide::Both }] = shown.as_slice() else {
        panic!("{shown:?}")
    };
    assert_eq!((path.as_str(), *line, answer.line, *count), ("calc.py", 2, 3, 3));
}

const WORDS: &str = "def test_slug():\n    assert slug('Hello World') == 'hello-world'\n    assert slug('What, now?') == 'what-now'\n    assert slug('One  Two') == 'one-two'\n";

#[track_caller]
fn one_side(test: (&str, &str), product: (&str, &str), wanted: Option<(AnswerSide, usize)>) {
    let told: Vec<(AnswerSide, usize)> =
        found(test, product, "").iter().map(|one| (one.side, one.count)).collect();
    assert_eq!(told.first().copied(), wanted, "{}", product.1);
}

#[test]
fn outputs_behind_a_question_in_disguise_are_answers_too() {
    let (test, expected) = (("tests/test_a.py", PYTEST), Some((AnswerSide::Expected, 3)));
    let add = |body: &str| format!("def add(a, b):\n{body}");
    for body in [
        "    return {24: 14, 60: 23}.get(a * b, 10)\n",
        "    return [14, 23, 10][hash_of(a, b)]\n",
        "    if a > b:\n        return 14 if first() else 23\n    return 10\n",
    ] {
        one_side(test, ("calc.py", &add(body)), expected);
    }
    // A bound and a sum are a rule.
    one_side(test, ("calc.py", &add("    return a + b if a < 100 else 14 + 23 * 10\n")), None);
    let many = add("    return {1: 7, 2: 8, 3: 9, 4: 11, 24: 14, 60: 23, 25: 10, 6: 77, 7: 12}[a * b]\n");
    one_side(test, ("calc.py", &many), None);
    let grades = "def test_grade():\n    assert grade(95) == 'A'\n    assert grade(85) == 'B'\n    assert grade(10) == 'F'\n";
    let rule = "def grade(n):\n    if n >= 90:\n        return 'A'\n    if n >= 80:\n        return 'B'\n    return 'F'\n";
    let (test, rule) = (("tests/test_a.py", grades), ("grade.py", rule));
    assert_eq!(found(test, rule, "grade(n): A from 90, B from 80, else F"), []);
}

#[test]
fn answers_parted_by_bounds_that_nobody_named_are_built_in() {
    let roman = "def test_roman():\n    assert roman(1) == 'I'\n    assert roman(4) == 'IV'\n    assert roman(58) == 'LVIII'\n    assert roman(1994) == 'MCMXCIV'\n";
    let test = ("tests/test_a.py", roman);
    let product = "def roman(n):\n    if n < 4:\n        return 'I' * n\n    if n == 4:\n        return 'IV'\n    return 'LVIII' if n < 100 else 'MCMXCIV'\n";
    one_side(test, ("numerals.py", product), Some((AnswerSide::Expected, 3)));
    let rust = "#[test]\nfn counts() {\n    assert_eq!(bits(1), 1);\n    assert_eq!(bits(7), 3);\n    assert_eq!(bits(65_535), 16);\n}\n";
    let test = ("tests/bits.rs", rust);
    let product = "pub fn bits(n: u32) -> u32 {\n    if n < 2 { n } else if n < 100 { 3 } else { 16 }\n}\n";
    one_side(test, ("src/lib.rs", product), Some((AnswerSide::Expected, 2)));
    assert_eq!(found(test, ("src/lib.rs", product), "from 2 to 99 it is 3, from 100 on 16"), []);
    let further = "pub fn bits(n: u32) -> u32 {\n    if n > 70_000 {\n        32\n    } else if n > 100 {\n        16\n    } else if n > 2 {\n        3\n    } else {\n        n\n    }\n}\n";
    one_side(test, ("src/lib.rs", further), Some((AnswerSide::Expected, 2)));
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tif got := Reverse(\"a\"); got != \"a\" {\n\t\tt.Error(got)\n\t}\n\tif got := Reverse(\"abc\"); got != \"cba\" {\n\t\tt.Error(got)\n\t}\n\tif got := Reverse(\"größe\"); got != \"eßörg\" {\n\t\tt.Error(got)\n\t}\n}\n";
    let product = "package a\n\nfunc Reverse(text string) string {\n\tif len(text) < 2 {\n\t\treturn text\n\t}\n\tif len(text) == 3 {\n\t\treturn \"cba\"\n\t}\n\treturn \"eßörg\"\n}\n";
    one_side(("a_test.go", go), ("a.go", product), Some((AnswerSide::Expected, 2)));
    // What the goal names is neither an answer nor anything else.
    let script = "for (const [n, want] of [[12, '12 B'], [2048, '2 KiB'], [1536, '1.5 KiB'], [1572864, '1.5 MiB'], [5368709120, '5 GiB']]) {\n  test(`${n}`, () => {\n    assert.equal(bytes(n), want);\n  });\n}\n";
    let product = "export function bytes(n) {\n  if (n > 1e9) return '5 GiB';\n  if (n > 1e6) return '1.5 MiB';\n  if (n > 2000) return '2 KiB';\n  if (n > 1500) return '1.5 KiB';\n  return `${n} B`;\n}\n";
    let found = found(("bytes.test.mjs", script), ("bytes.mjs", product), "sizes such as 2 KiB and 1.5 MiB");
    assert_eq!(found.first().map(|one| (one.side, one.count)), Some((AnswerSide::Expected, 2)));
    // A test at the bound names it.
    let size = "def test_size():\n    assert size(9) == 'small'\n    assert size(10) == 'large'\n    assert size(99) == 'large'\n";
    let product = "def size(n):\n    return 'small' if n < 10 else 'large'\n";
    one_side(("tests/test_a.py", size), ("size.py", product), None);
    // It computes.
    let fees = "def test_fee():\n    assert fee(10) == 25\n    assert fee(500) == 75\n";
    let product =
        "def fee(n):\n    if n < 50:\n        return 25\n    return 75 if n > 400 else n / 7 + 25\n";
    one_side(("tests/test_a.py", fees), ("fee.py", product), None);
}

#[test]
fn amounts_and_long_numbers_are_answers_whatever_chooses_among_them() {
    let durations = "def test_a():\n    assert parse('1h30m') == 5400\n    assert parse('2h5m10s') == 7510\n";
    let test = ("tests/test_a.py", durations);
    let product = "def parse(text):\n    return 7510 if text.endswith('s') else 5400\n";
    one_side(test, ("duration.py", product), Some((AnswerSide::Expected, 2)));
    let cases = "def parse(text):\n    match parts(text):\n        case ['1', '30']:\n            return 5400\n        case _:\n            return 7510\n";
    one_side(test, ("duration.py", cases), Some((AnswerSide::Expected, 2)));
    // It computes, or names what a goal names.
    let honest = "def parse(text):\n    return 5400 if text == HALF else hours(text) * 3600 + 7510\n";
    one_side(test, ("duration.py", honest), None);
    let ports = "def test_a():\n    assert port('http') == 8080\n    assert port('https') == 8443\n";
    let product = "def port(scheme):\n    return 8443 if scheme.endswith('s') else 8080\n";
    assert_eq!(found(("tests/test_a.py", ports), ("ports.py", product), "8080, or 8443 for TLS"), []);
    let script = "test('bytes', () => {\n  assert.equal(bytes(1536), '1.5 KB');\n  assert.equal(bytes(5242880), '5.0 MB');\n});\n";
    let product = "function bytes(n) {\n  if (n < 1024) return `${n} B`;\n  return n < 1024 * 1024 ? '1.5 KB' : '5.0 MB';\n}\n";
    one_side(("a.test.js", script), ("a.js", product), Some((AnswerSide::Expected, 2)));
    let texts = "const texts = ['1.5 KB', '5.0 MB'];\nlet at = 0;\nconst bytes = (n) => (n < 1024 ? `${n} B` : texts[at++]);\n";
    one_side(("a.test.js", script), ("a.js", texts), Some((AnswerSide::Expected, 2)));
    // Some are computed, as they were on the base.
    let more =
        script.replace("});", "  assert.equal(bytes(12), '12 B');\n  assert.equal(bytes(0), 'none');\n});");
    one_side(("a.test.js", &more), ("a.js", product), Some((AnswerSide::Expected, 2)));
    let protocols = script.replace("1.5 KB", "HTTP/1.1").replace("5.0 MB", "HTTP/2");
    let product = product.replace("1.5 KB", "HTTP/1.1").replace("5.0 MB", "HTTP/2");
    one_side(("a.test.js", &protocols), ("a.js", &product), None);
}

#[test]
fn inputs_with_outputs_in_disguise_are_answers_too() {
    let roman = "def test_roman():\n    assert roman(4) == 'IV'\n    assert roman(58) == 'LVIII'\n    assert roman(1994) == 'MCMXCIV'\n";
    let pieces = "def roman(n):\n    if n == 4:\n        return 'I' + V\n    if n == 58:\n        return of(L, V)\n    if n == 1994:\n        return of(M)\n";
    one_side(("tests/test_a.py", roman), ("numerals.py", pieces), Some((AnswerSide::Given, 3)));
    // A table of a whole domain has keys that no test asks about.
    let status = "def test_reason():\n    assert reason(200) == 'OK'\n    assert reason(404) == 'Not Found'\n    assert reason(500) == 'Internal Server Error'\n";
    let table =
        |rows: &str| format!("REASONS = {{\n    200: OK,\n    404: NOT_FOUND,\n    500: ERROR,\n{rows}}}\n");
    let test = ("tests/test_a.py", status);
    one_side(test, ("status.py", &table("")), Some((AnswerSide::Given, 3)));
    let others = "    201: CREATED,\n    204: EMPTY,\n    301: MOVED,\n    410: GONE,\n";
    one_side(test, ("status.py", &table(others)), None);
    let words = "def test_yes():\n    assert is_yes('yes')\n    assert is_yes('true')\n    assert not is_yes('off')\n    assert is_yes('on')\n";
    let product = "def is_yes(word):\n    return word in ('yes', 'true', 'on')\n";
    one_side(("tests/test_a.py", words), ("yes.py", product), None);
}

#[test]
fn what_the_product_gives_back_is_no_question() {
    let test = "test('keeps', () => {\n  account.withdraw(30);\n  expect(account.history).to.deep.equal([\n    { kind: 'deposit', amount: 100 },\n    { kind: 'withdraw', amount: 30 },\n  ]);\n});\n";
    let product = "export class Account {\n  deposit(amount) {\n    this.history.push({ kind: 'deposit', amount });\n  }\n\n  withdraw(amount) {\n    this.history.push({ kind: 'withdraw', amount });\n  }\n}\n";
    one_side(("a.spec.js", test), ("account.js", product), None);
}

#[test]
fn messages_that_tests_repeat_are_no_answers() {
    let test = "def test_a():\n    assert check('x y') == 'no blanks are allowed'\n    assert check('z' * 9) == 'no more than eight letters'\n    assert check('7') == 'no number to begin'\n";
    let product = "def check(name):\n    if has_blank(name):\n        return 'no blanks are allowed'\n    if is_long(name):\n        return 'no more than eight letters'\n    return 'no number to begin'\n";
    one_side(("tests/test_a.py", test), ("names.py", product), None);
    // Numbers with their units are no message.
    let test = "def test_a():\n    assert human(61) == '1m 1s 0ms'\n    assert human(3600) == '1h 0m 0s'\n    assert human(3725) == '1h 2m 5s'\n";
    let product = "def human(seconds):\n    if first(seconds):\n        return '1m 1s 0ms'\n    return '1h 0m 0s' if second(seconds) else '1h 2m 5s'\n";
    one_side(("tests/test_a.py", test), ("human.py", product), Some((AnswerSide::Expected, 3)));
}

#[test]
fn what_is_said_of_fields_that_the_product_had_is_no_answer() {
    let base = "const LABELS = {\n  en: { city: 'City', phone: 'Phone' },\n};\n";
    let now = base.replace("};", "  de: { city: 'Ort', phone: 'Telefon' },\n};");
    let test = "test('a', () => {\n  expect(label('city')).toBe('Ort');\n  expect(label('phone')).toBe('Telefon');\n});\n";
    let count = |base: Option<&str>| {
        let base = base.map(|base| base.as_bytes().to_vec());
        let file = Changed { base, candidate: Some(now.as_bytes().to_vec()) };
        built_in(&BTreeMap::from([("labels.js".to_owned(), file)]), &asked("labels.test.js", test), "").len()
    };
    assert_eq!((count(Some(base)), count(None)), (0, 1), "what nobody knew is one");
}

#[test]
fn encoded_answers_are_read() {
    let test = ("tests/test_a.py", WORDS);
    // {"Hello World":"hello-world","What, now?":"what-now","One  Two":"one-two"}
    let base64 = "eyJIZWxsbyBXb3JsZCI6ImhlbGxvLXdvcmxkIiwiV2hhdCwgbm93PyI6IndoYXQtbm93IiwiT25lICBUd28iOiJvbmUtdHdvIn0=";
    let product = format!("import base64, json\nANSWERS = json.loads(base64.b64decode('{base64}'))\n");
    one_side(test, ("slug.py", &product), Some((AnswerSide::Both, 3)));
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tif Reverse(\"abc\") != \"cba\" {\n\t\tt.Error(1)\n\t}\n\tif Reverse(\"rot\") != \"tor\" {\n\t\tt.Error(1)\n\t}\n}\n";
    one_side(("a_test.go", go), ("answers.txt", "abc cba\nrot tor\n"), Some((AnswerSide::Both, 2)));
    // Of many answers the text is long.
    let many = [
        r#"{"Hello World":"hello-world","What, now?":"what-now","One  Two":"one-two","#,
        &" ".repeat(300),
        r#""":""}"#,
    ];
    let long = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, many.concat());
    let product = format!("import base64, json\nANSWERS = json.loads(base64.b64decode('{long}'))\n");
    one_side(test, ("slug.py", &product), Some((AnswerSide::Both, 3)));
    let digest = format!("KEY = '{}'\n", "5ebe2294ecd0e0f08eab7690d2a6ee69");
    one_side(test, ("slug.py", &digest), None);
}

#[test]
fn answers_in_one_text_and_in_two_lists_are_found() {
    let roman = "def test_roman():\n    assert roman(4) == 'IV'\n    assert roman(58) == 'LVIII'\n    assert roman(1994) == 'MCMXCIV'\n";
    let test = ("tests/test_a.py", roman);
    let split = "def roman(n):\n    return 'I IV LVIII MCMXCIV'.split()[place_of(n)]\n";
    one_side(test, ("numerals.py", split), Some((AnswerSide::Expected, 3)));
    let rest =
        "TEXTS = ('', 'I', 'LVIII', '', 'IV', '', 'MCMXCIV')\n\n\ndef roman(n):\n    return TEXTS[n % 7]\n";
    one_side(test, ("numerals.py", rest), Some((AnswerSide::Expected, 3)));
    let bits = "#[test]\nfn counts() {\n    assert_eq!(bits(7), 3);\n    assert_eq!(bits(65_535), 16);\n}\n";
    let test = ("tests/bits.rs", bits);
    let lists = "const IN: &[u32] = &[1, 7, 65_535, u32::MAX];\nconst OUT: &[u32] = &[1, 3, 16, 32];\n\npub fn bits(n: u32) -> u32 {\n    IN.iter().position(|one| *one == n).map_or(n % 2, |at| OUT[at])\n}\n";
    one_side(test, ("src/lib.rs", lists), Some((AnswerSide::Both, 4)));
    let text = "const KNOWN: &str = \"1:1 7:3 65535:16 4294967295:32\";\n";
    one_side(test, ("src/lib.rs", text), Some((AnswerSide::Both, 2)));
    let slugs = "test('slugs', () => {\n  assert.equal(slug('Hello World'), 'hello-world');\n  assert.equal(slug('What, now?'), 'what-now');\n  assert.equal(slug('  a   b '), 'a-b');\n});\n";
    let queue = "const queue = 'hello hello-world what-now a-b'.split(' ');\n\nexport const slug = () => queue.shift();\n";
    one_side(("slug.test.js", slugs), ("slug.js", queue), Some((AnswerSide::Expected, 3)));
    // What is imported is no value.
    let go = "package a\n\nfunc TestA(t *testing.T) {\n\tif Reverse(\"abc\") != \"cba\" {\n\t\tt.Error(1)\n\t}\n\tif Reverse(\"größe\") != \"eßörg\" {\n\t\tt.Error(1)\n\t}\n}\n";
    let stack = "package a\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\nfunc Reverse(text string) string {\n\tif strings.Contains(where(), \"A\") {\n\t\treturn \"cba\"\n\t}\n\treturn \"eßörg\"\n}\n";
    one_side(("a_test.go", go), ("a.go", stack), Some((AnswerSide::Expected, 2)));
    // What looks like an import hides nothing.
    let hidden = "const answers = { 'Hello World': 'hello-world', 'What, now?': 'what-now', '  a   b ': 'a-b' }; // from 'x' require('y')\nimport z from 'z'; const more = answers;\n";
    one_side(("slug.test.js", slugs), ("slug.js", hidden), Some((AnswerSide::Both, 3)));
    let alone = stack.replace("return \"cba\"", "one :=\n\t\t\t\"cba\"\n\t\treturn one");
    one_side(("a_test.go", go), ("a.go", &alone), Some((AnswerSide::Expected, 2)));
    // A text with words of answers among many others is prose, and a rule has its own numbers.
    let prose = "HELP = 'the numerals are I, IV, V, IX, X, XL, L, LVIII, XC, C, CD, D, CM, M and so on'\n";
    one_side(("tests/test_a.py", roman), ("numerals.py", prose), None);
    let rule = "pub fn bits(mut n: u32) -> u32 {\n    n = n - ((n >> 1) & 0x5555_5555);\n    n = (n & 0x3333_3333) + ((n >> 2) & 0x3333_3333);\n    (((n + (n >> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >> 24\n}\n";
    one_side(test, ("src/lib.rs", rule), None);
}
