//! Added files that reach the base's tests although nobody asks for them.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

fn found(files: &[(&str, Option<&str>, &str)]) -> Vec<String> {
    let bytes = |text: &str| text.as_bytes().to_vec();
    let change = |(path, base, candidate): &(&str, Option<&str>, &str)| {
        ((*path).to_owned(), Changed { base: base.map(bytes), candidate: Some(bytes(candidate)) })
    };
    let changed: BTreeMap<String, Changed> = files.iter().map(change).collect();
    let base = ["shop/human.go", "src/trim.c", "tests/test_a.py"];
    strays(&changed, &base, &|path| path.starts_with("mk/")).into_iter().collect()
}

// proves: B3
#[test]
fn what_is_added_beside_tests_or_changes_what_names_lead_to_is_a_stray() {
    for path in [
        "tests/tolerance.txt",
        "tests/lib/tidy.sh",
        "src/__snapshots__/a.test.js.snap",
        "shop/__mocks__/yaml.js",
        "pkg/pyvenv.cfg",
        "shop/go.mod",
        "src/trim.o",
        "tests/same.abi3.so",
        "mk/shell.mk",
    ] {
        assert_eq!(found(&[(path, None, "x")]), [path], "{path}");
    }
}

#[test]
fn products_their_documents_and_tests_are_none() {
    for path in [
        "shop/colour.py", "docs/colour.md", "migrations/0002_colour.py", "locale/de.po", "go.mod",
        "new/go.mod", "lib/fast.so", "tests/test_b.py", "templates/colour.html", "conftest.py",
    ] {
        assert_eq!(found(&[(path, None, "x")]), <[&str; 0]>::default(), "{path}");
    }
    assert_eq!(found(&[("tests/tolerance.txt", Some("0"), "1")]), <[&str; 0]>::default(), "it was there");
}

#[test]
fn what_a_new_test_or_a_changed_product_names_is_asked_for() {
    let data = ("tests/data.json", None, "{}");
    assert!(found(&[data, ("tests/test_b.py", None, "open('tests/data.json')")]).is_empty());
    assert!(found(&[data, ("shop/load.py", Some(""), "load(\"data\")")]).is_empty());
    let named = "open('tests/data.json')";
    let more = format!("{named}\n# more");
    assert_eq!(found(&[data, ("tests/test_a.py", Some(named), &more)]), [data.0], "it was named before");
    assert_eq!(found(&[data, ("tests/more.txt", None, named), ("README.md", None, named)]).len(), 2);
    let mock = ("__mocks__/yaml.js", None, "");
    assert_eq!(found(&[mock, ("src/a.js", Some(""), "require('yaml')")]), [mock.0], "a name leads elsewhere");
}

#[test]
fn attributes_count_where_they_decide_on_bytes() {
    for (base, candidate, is_stray) in [
        (None, "a.txt text eol=crlf\n", true),
        (None, "*.sh -text\n", true),
        (Some("*.txt text\n"), "", true),
        (None, "docs/* linguist-documentation\n", false),
        (Some("*.txt text\n"), "*.txt text\n*.pb.go linguist-generated\n", false),
    ] {
        let path = "data/.gitattributes";
        let expected: BTreeSet<String> = is_stray.then(|| path.to_owned()).into_iter().collect();
        assert_eq!(BTreeSet::from_iter(found(&[(path, base, candidate)])), expected, "{candidate}");
    }
}
