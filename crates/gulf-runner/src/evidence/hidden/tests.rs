//! Which links lead out, and which sources are left out.

use super::{Changed, declared_modules, leads_out, left_out, places_of_module};

#[test]
fn a_source_that_gets_a_tag_of_the_projects_own_is_left_out() {
    let found = |path: &str, base: &str, now: &str| {
        let side = |text: &str| (!text.is_empty()).then(|| text.as_bytes().to_vec());
        left_out(path, &Changed { base: side(base), candidate: side(now) }).is_some()
    };
    let plain = "package a\n";
    assert!(found("a.go", plain, "//go:build debug\n\npackage a\n"));
    assert!(found("a.go", plain, "// A.\n//go:build linux && ignore\n\npackage a\n"));
    assert!(!found("a.go", plain, "//go:build !windows && go1.20\n\npackage a\n"));
    assert!(!found("a.go", "", "//go:build debug\n\npackage a\n"));
    assert!(!found("a.go", plain, "package a\n//go:build debug\n"));
    assert!(!found("a.rs", plain, "//go:build debug\n\npackage a\n"));
}

// proves: B2
#[test]
fn a_link_that_leaves_the_project_is_told_from_one_within() {
    for (path, target) in [
        ("value.txt", "/tmp/right"),
        ("value.txt", "../right"),
        ("a/b", "../../right"),
        ("a/b", "c/../../../x"),
        ("a", ".git/right"),
        ("a/b", "../.git/x"),
        ("a", "C:/right"),
    ] {
        assert!(leads_out(path, target.as_bytes()), "{path} -> {target}");
    }
    for (path, target) in [
        ("value.txt", "other.txt"),
        ("a/b", "../c"),
        ("a/b/c", "../../d/e"),
        ("a", "./b/../c"),
        ("a", "b/.git"),
    ] {
        assert!(!leads_out(path, target.as_bytes()), "{path} -> {target}");
    }
    assert!(leads_out("a", b"\xff"));
}

#[test]
fn a_module_is_declared_by_code_and_not_by_a_comment() {
    assert_eq!(declared_modules("mod a;\npub(crate) mod b;\n// mod c;\nuse d;\n"), ["a", "b"]);
    assert_eq!(places_of_module("src/lib.rs", "a"), ["src/a.rs", "src/a/mod.rs"]);
    assert_eq!(places_of_module("src/a.rs", "b"), ["src/a/b.rs", "src/a/b/mod.rs"]);
}
