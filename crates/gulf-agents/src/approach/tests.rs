//! What counts as the same approach.

use super::Fingerprint;
use proptest::prelude::*;

fn diff(path: &str, at: u32, hunk: &str) -> Vec<u8> {
    let count = |sign: char| hunk.lines().filter(|line| !line.starts_with(sign)).count();
    let (old, new) = (count('+'), count('-'));
    format!(
        "diff --git a/{path} b/{path}\nindex 1..2 100644\n--- a/{path}\n+++ b/{path}\n@@ -{at},{old} +{at},{new} @@\n{hunk}"
    )
    .into_bytes()
}

fn common(one: &[u8], other: &[u8]) -> u32 {
    Fingerprint::from_diff(one).common_bp(&Fingerprint::from_diff(other))
}

const CHANGE: &str = " fn main() {\n-    old_call();\n+    cache.get(key)\n+    cache.put(key, value)\n }\n";

#[test]
fn the_same_lines_elsewhere_are_the_same_approach() {
    let moved = CHANGE.replace("    ", "\t");
    assert_eq!(common(&diff("a.rs", 3, CHANGE), &diff("b.rs", 900, &moved)), 10_000);
}

#[test]
fn other_lines_are_another_approach() {
    let other = " fn main() {\n-    old_call();\n+    queue.push(job)\n+    worker.wake()\n }\n";
    // The line that both take out, of five in all.
    assert_eq!(common(&diff("a.rs", 3, CHANGE), &diff("a.rs", 3, other)), 2_000);
}

#[test]
fn a_variation_has_most_in_common() {
    let varied = CHANGE.replace("value)", "other)");
    assert_eq!(common(&diff("a.rs", 3, CHANGE), &diff("a.rs", 3, &varied)), 5_000);
}

#[test]
fn nothing_resembles_nothing() {
    assert_eq!(common(b"", b""), 0);
    assert_eq!(common(b"Binary files a/x and b/x differ\n", b"Binary files a/x and b/x differ\n"), 0);
    let brackets = diff("a.rs", 1, "+{\n+}\n+\n");
    assert_eq!(common(&brackets, &brackets), 0, "brackets say nothing of an approach");
}

#[test]
fn what_looks_like_a_header_within_a_hunk_is_a_line() {
    let sql = diff("a.sql", 1, "--- drop table users\n+++ x\n+@@ -1 +1 @@\n");
    let other = diff("a.sql", 1, "--- drop table users\n+++ y\n");
    assert_eq!(common(&sql, &sql), 10_000);
    assert_eq!(common(&sql, &other), 2_500);
}

#[test]
fn a_missing_end_of_line_is_not_counted() {
    let cut = b"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
    assert_eq!(common(cut, b"@@ -1 +1 @@\n-a\n+b\n"), 10_000);
}

proptest! {
    #[test]
    fn it_is_a_measure_and_never_panics(one in any::<Vec<u8>>(), other in ".{0,200}") {
        let hunk: String = other.lines().map(|line| format!("+{line}\n")).collect();
        let other = diff("x", 1, &hunk);
        let (there, back) = (common(&one, &other), common(&other, &one));
        prop_assert_eq!(there, back);
        prop_assert!(there <= 10_000);
        prop_assert!([0, 10_000].contains(&common(&other, &other)));
    }
}
