//! What can be wrong in an added line, and what is left alone.

use super::*;

fn of(path: &str, base: Option<&str>, text: &str) -> Vec<(usize, String)> {
    let file = Changed {
        base: base.map(|base| base.as_bytes().to_vec()),
        candidate: Some(text.as_bytes().to_vec()),
    };
    let files = BTreeMap::from([(path.to_owned(), file)]);
    let Ok(found) = mutants(&files, 99) else { panic!("{path} is not read") };
    found.into_iter().map(|one| (one.line, one.texts[1].clone())).collect()
}

#[track_caller]
fn check(path: &str, line: &str, instead: &str) {
    let wanted: &[(usize, String)] = if instead.is_empty() { &[] } else { &[(1, instead.to_owned())] };
    assert_eq!(of(path, None, line), wanted, "{line}");
}

#[test]
fn one_token_of_a_line_is_another() {
    for (line, instead) in [
        ("if a == b:", "if a != b:"),
        ("if a < b and c:", "if a >= b and c:"),
        ("if a and b:", "if a or b:"),
        ("total = a + b", "total = a - b"),
        ("done = False", "done = True"),
        ("limit = 10", "limit = 11"),
        ("word = 'hi'", "word = 'h~i'"),
        ("return self.name", "return None"),
        ("    items.append(one)", "pass"),
        ("return f(", ""),
        ("import os", ""),
        ("# a == b", ""),
        ("def f(a=1):", ""),
        ("else:", ""),
    ] {
        check("calc.py", line, instead);
    }
    let script = of("a.js", None, "let a;\nitems.push(one);\nreturn a.b;\n");
    assert_eq!(script, [(2, String::new()), (3, "return undefined;".to_owned())]);
    check("src/a.rs", "let x: Vec<u32> = y;", "");
    check("src/a.rs", "a.len() > 3", "a.len() <= 3");
    check("src/a.rs", "push(a)", "");
    check("a.go", "if a != nil {", "if a == nil {");
    check("a.go", "defer a.Unlock()", "");
    check("a.ts", "type Length = 'm' | 'km'", "");
}

#[test]
fn a_moved_text_and_the_names_that_a_module_gives_away_stay_as_they_are() {
    let base = "def f(a):\n    if a == 0:\n        raise E('by zero')\n";
    let moved = "raise E('by zero')\nraise E('by none')\n__all__ = [\n    'f',\n    'g',\n]\nword = 'f'\n";
    let found = [(1, "pass"), (2, "raise E('by ~none')"), (7, "word = '~f'")];
    let found = found.map(|(line, is)| (line, is.to_owned()));
    assert_eq!(of("calc.py", Some(base), moved), found, "what is moved may be missed all the same");
}

#[test]
fn only_added_lines_of_the_product_are_changed() {
    assert_eq!(of("calc.py", Some("a = 1\nb = 2\n"), "a = 1\nb = 3\n"), [(2, "b = 4".to_owned())]);
    assert_eq!(of("tests/test_calc.py", None, "a = 1\n"), []);
    let inline = "pub const A: u32 = 1;\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {\n        assert_eq!(super::A, 1);\n    }\n}\n";
    assert_eq!(of("src/lib.rs", None, inline), [(1, "pub const A: u32 = 2;".to_owned())]);
    assert_eq!(of("README.md", None, "a == b\n"), []);
}

#[test]
fn a_file_that_is_no_source_leaves_the_question_open() {
    let file = Changed { base: None, candidate: Some(b"{\"a\": 1}".to_vec()) };
    let files = BTreeMap::from([("data/prices.json".to_owned(), file)]);
    assert_eq!(mutants(&files, 9), Err("data/prices.json"));
}

#[test]
fn no_more_than_are_asked_for_and_from_the_whole_change() {
    let text: String = (0..100).map(|line| format!("a{line} = {line}\n")).collect();
    let file = Changed { base: None, candidate: Some(text.into_bytes()) };
    let files = BTreeMap::from([("a.py".to_owned(), file)]);
    let found = mutants(&files, 4).unwrap();
    assert_eq!(found.iter().map(|one| one.line).collect::<Vec<_>>(), [1, 26, 51, 76]);
    // No two of one file have the same length: that is how Python knows a source again.
    let lengths: BTreeSet<usize> = found.iter().map(|one| one.bytes.len()).collect();
    assert_eq!(lengths.len(), found.len());
}
