//! Tests within a product's source that are no items of its language: examples in comments, a block that only a runner sees, a
//! class of tests beside the code.
//!
//! Whether a check runs them at all, nobody can tell from the source: the base's are put back, and the check says it.

use std::ops::Range;

use super::{Changed, spliced};

/// How the test text ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `>>> add(1, 2)`: with an empty line, or the text that it stands in.
    Session,
    /// With the next fence.
    Fence,
    /// With what stands at the margin again.
    Definition,
    /// With its own brace.
    Braces,
}

/// A product's source with the examples of another version in place of its own; none where it has them. One that is gone
/// altogether is left out where it belongs to what it explains.
pub(super) fn put_back(path: &str, product: &[u8], tests: &[u8]) -> Option<Vec<u8>> {
    let (product, tests) = (std::str::from_utf8(product).ok()?, std::str::from_utf8(tests).ok()?);
    let (own, wanted) = (examples(path, product), examples(path, tests));
    let is_in = |text: &str, others: &[Range<usize>], other: &str| {
        others.iter().any(|bytes| other[bytes.clone()].trim() == text.trim())
    };
    let mut open = own.clone();
    open.retain(|bytes| !is_in(&product[bytes.clone()], &wanted, tests));
    let mut edits = Vec::new();
    for text in wanted.iter().map(|bytes| &tests[bytes.clone()]).filter(|text| !is_in(text, &own, product)) {
        let first = text.lines().next().unwrap_or_default();
        let is_same = |bytes: &Range<usize>| product[bytes.clone()].lines().next() == Some(first);
        let place = open.iter().position(is_same).or_else(|| (!open.is_empty()).then_some(0));
        if let Some(place) = place {
            edits.push((open.remove(place), text.to_owned()));
        } else if matches!(form_at(path, first), Some(Form::Definition | Form::Braces)) {
            edits.push((product.len()..product.len(), format!("\n\n{text}\n")));
        }
    }
    edits.sort_by_key(|(bytes, _)| bytes.start);
    (!edits.is_empty()).then(|| spliced(product, edits).into_bytes())
}

/// The program with one of the base's examples after the other expecting something else, where a docstring has each of them
/// still, word for word, and its code does not hold all that they expect.
pub fn broken_examples(path: &str, file: &Changed) -> Option<Vec<Vec<u8>>> {
    let [base, now] = file.whole_texts()?;
    let own = examples(path, now);
    let code = spliced(now, own.iter().map(|bytes| (bytes.clone(), "")));
    let is_asked = |line: &str| [">>>", "..."].iter().any(|sign| line.trim_start().starts_with(sign));
    let (mut broken, mut is_given) = (Vec::new(), false);
    for example in examples(path, base).into_iter().map(|bytes| base[bytes].trim()) {
        let bytes = own.iter().find(|bytes| now[(*bytes).clone()].trim() == example)?;
        let (mut end, mut was_asked) = (bytes.start, false);
        for line in now[bytes.clone()].split_inclusive('\n') {
            let answer = line.trim();
            end += line.trim_end().len();
            if was_asked && !is_asked(line) {
                is_given |= !code.contains(answer.trim_matches(['\'', '"']));
                broken.push(format!("{} no{}", &now[..end], &now[end..]).into_bytes());
            }
            end += line.len() - line.trim_end().len();
            was_asked = is_asked(line);
        }
    }
    (is_given && path.ends_with(".py")).then_some(broken)
}

fn examples(path: &str, text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open, mut at) = (Vec::new(), None, 0);
    for line in text.split_inclusive('\n').chain([""]) {
        let end = at + line.len();
        if let Some((start, form)) = open
            && let Some(more) = end_in(form, &text[start..], line)
        {
            found.push(start..start + text[start..at + more].trim_end().len());
            (open, at) = (None, at + more);
        }
        if at < end {
            open = open.or_else(|| form_at(path, line).map(|form| (at, form)));
        }
        at = end;
    }
    found
}

/// The form of an example that begins with this line.
fn form_at(path: &str, line: &str) -> Option<Form> {
    let code = line.trim_start();
    let is_class = line.starts_with("class ") && line.contains("TestCase");
    let is_function = line.starts_with("def test_") && line.contains("():");
    match path.rsplit_once('.')?.1 {
        "py" | "md" | "rst" | "txt" if code.starts_with(">>> ") => Some(Form::Session),
        "py" if is_class || is_function => Some(Form::Definition),
        "rs" if code.starts_with("/// ```") || code.starts_with("//! ```") => Some(Form::Fence),
        _ if code.starts_with("if (import.meta.vitest") => Some(Form::Braces),
        _ => None,
    }
}

/// How much of this line an example has that ends there.
fn end_in(form: Form, text: &str, line: &str) -> Option<usize> {
    let indent = &text[..text.len() - text.trim_start().len()];
    let is_quoted = || ["\"\"\"", "'''", "```"].iter().any(|quote| line.contains(quote));
    let (is_end, bytes) = match form {
        Form::Session => (line.trim().is_empty() || is_quoted(), 0),
        Form::Definition => (!line.starts_with([' ', '\t', '\n', '\r', ')']), 0),
        Form::Fence => (line.trim().trim_start_matches(['/', '!']).trim() == "```", line.len()),
        Form::Braces => (line.trim_end().strip_prefix(indent) == Some("}"), line.len()),
    };
    is_end.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, base: &str, now: &str, restored: Option<&str>) {
        let found = put_back(path, now.as_bytes(), base.as_bytes());
        assert_eq!(found.map(|bytes| String::from_utf8(bytes).unwrap()).as_deref(), restored);
    }

    #[test]
    fn examples_of_the_base_take_the_place_of_those_that_say_something_else() {
        let python = "def a():\n    \"\"\"\n    >>> a()\n    1\n    \"\"\"\n    return 0\n";
        let now = python.replace("    1\n", "    0\n").replace("return 0", "return 7");
        check("a.py", python, &now, Some(&python.replace("return 0", "return 7")));
        check("a.md", ">>> a()\n1\n\nMore.\n", ">>> a()\n0\n\nOther.\n", Some(">>> a()\n1\n\nOther.\n"));
        let rust = "/// ```\n/// assert!(a());\n/// ```\nfn a() {}\n";
        let now = rust.replace("assert!(a())", "a()").replace("{}", "{ b() }");
        check("src/a.rs", rust, &now, Some(&rust.replace("{}", "{ b() }")));
        let script =
            "let a = 0;\nif (import.meta.vitest) {\n  test(() => {\n    expect(a);\n  });\n}\nlet b = 1;\n";
        let now = script.replace("expect(a)", "a").replace("a = 0", "a = 1");
        check("a.ts", script, &now, Some(&script.replace("a = 0", "a = 1")));
    }

    #[test]
    fn a_class_of_tests_beside_the_code_comes_back_where_it_is_gone() {
        let python = "class A(TestCase):\n    def test_a(self):\n        self.b()\n\n\nX = 1\n";
        check("a.py", python, &python.replace("b()", "c()"), Some(python));
        check(
            "a.py",
            python,
            "X = 2\n",
            Some(&format!("X = 2\n\n\n{}\n", python.trim_end_matches("\n\n\nX = 1\n"))),
        );
        check(
            "a.py",
            "def test_a():\n    b()\n",
            "def test_a():\n    c()\n",
            Some("def test_a():\n    b()\n"),
        );
    }

    #[test]
    fn examples_that_stay_are_broken_one_by_one() {
        let broken = |now: &str| {
            let base = "def a():\n    \"\"\"\n    >>> a()\n    'xy'\n    \"\"\"\n    return 0\n";
            let side = |text: &str| Some(text.as_bytes().to_vec());
            broken_examples("a.py", &Changed { base: side(base), candidate: side(now) })
        };
        let now = "def a():\n    \"\"\"\n    >>> a()\n    'xy'\n\n    >>> a() + 'z'\n    'xyz'\n    \"\"\"\n    return b('x')\n";
        assert_eq!(broken(now), Some(vec![now.replacen("'xy'", "'xy' no", 1).into_bytes()]));
        for now in [
            "def a():\n    return b('x')\n".to_owned(),
            now.replace("b('x')", "'xy'"),
            now.replace("a()\n", "a()  # doctest: +SKIP\n"),
            now.replacen("'xy'", "'x'", 1),
        ] {
            assert_eq!(broken(&now), None, "{now}");
        }
    }

    #[test]
    fn examples_that_stay_and_further_ones_change_nothing() {
        let python = "def a():\n    '''\n    >>> a()\n    1\n    '''\n";
        check("a.py", python, &format!("def b():\n    '''\n    >>> b()\n    2\n    '''\n\n\n{python}"), None);
        check("a.py", python, "def a():\n    pass\n", None);
        check("a.py", "def test_connection(host):\n    a()\n", "def test_connection(host):\n    b()\n", None);
    }
}
