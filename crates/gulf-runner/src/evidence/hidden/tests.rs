//! Which links lead out.

use super::leads_out;

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
