//! What takes the place of an equality, and which values may be expected.

use super::super::tokens::tokens;
use super::*;

fn plain(path: &str, base: &str, text: &str) -> Option<String> {
    let file = Changed { base: Some(base.into()), candidate: Some(text.into()) };
    let edits = plain_equality(&BTreeMap::from([(path.to_owned(), file)]));
    let bytes = edits.into_iter().next()?.bytes.unwrap();
    Some(String::from_utf8(bytes).unwrap())
}

#[test]
fn the_plainest_equality_takes_the_place_of_one_that_was_changed() {
    for (path, base, text, statement) in [
        (
            "a.py",
            "class A:\n    def __eq__(self, other):\n        return self.a == other.a\n",
            "class A:\n    def __eq__(self, other):\n        return True\n",
            "        return type(self) is type(other) and self.__reduce_ex__(2)[1:3] == other.__reduce_ex__(2)[1:3]\n        return True\n",
        ),
        (
            "src/a.rs",
            "",
            "impl PartialEq for A {\n    fn eq(&self, other: &Self) -> bool {\n        true\n    }\n}\n",
            "{ if true { return ::std::format!(\"{:?}\", self) == ::std::format!(\"{:?}\", other); } \n        true\n",
        ),
        (
            "a.ts",
            "",
            "export class A {\n  equals(other: A): boolean {\n    return true;\n  }\n}\n",
            "{ if (true) return JSON.stringify(this) === JSON.stringify(other); \n    return true;\n",
        ),
        (
            "a.go",
            "",
            "package a\n\nfunc (t *T) Equal(other *T) bool {\n\treturn true\n}\n",
            "{ if true { return interface{}(*t) == interface{}(*other) }; \n\treturn true\n",
        ),
    ] {
        let found = plain(path, base, text).unwrap();
        assert!(found.contains(statement), "{found}");
        assert_eq!(plain(path, text, text), None, "{text}");
    }
    assert_eq!(plain("a.js", "", "export function equals(a, b) {\n  return a === b;\n}\n"), None);
    assert_eq!(plain("a.py", "", "def total(self, other):\n    return 1\n"), None);
}

#[test]
fn what_may_be_expected_stands_behind_a_sign_or_last() {
    for (path, line, wanted) in [
        ("a.py", "assert total(1000, code='WELCOME') == Money(1350, 'EUR')", &["1350", "'EUR'"][..]),
        ("a.py", "self.assertEqual(a.merge(3), Interval(1, 5))", &["1", "5"]),
        ("a_test.go", "{Time{8, 15}, 30, Time{8, 45}},", &["8", "45"]),
        ("a.test.js", "test('one left', () => same(share(new Cents(100), 4), [34, 33]));", &["34", "33"]),
        ("a.test.js", "assert.ok(total.equals(new Cents(5)));", &["5"]),
        ("a_test.go", "t.Errorf(\"%d, not %d\", got, want)", &[]),
        ("a.py", "cart.add(5)", &[]),
        ("a.py", "assert CI('a') != 'b'", &[]),
        ("a.py", "assert not Kind(int) == '3'", &[]),
        ("a.test.js", "expect(total).not.toEqual(new Cents(5));", &[]),
        ("a_test.go", "if got != 3 {", &["3"]),
    ] {
        let found = tokens(path, line);
        let literals = found.iter().filter(|token| token.literal().is_some());
        let expected = literals.filter(|token| may_be_expected(line, &found, &token.bytes));
        let expected: Vec<&str> = expected.map(|token| &line[token.bytes.clone()]).collect();
        assert_eq!(expected, wanted, "{line}");
    }
}
