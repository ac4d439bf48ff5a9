//! Of every pair of texts, what differs and what does not are told apart, however hopeless it is.

use super::*;

/// Each text is the other one, but for what the hunks name.
#[track_caller]
fn check(old: &[&str], new: &[&str]) -> usize {
    let hunks = hunks(old, new);
    let mut done = [0, 0];
    for [gone, come] in &hunks {
        assert_eq!(old[done[0]..gone.start], new[done[1]..come.start]);
        done = [gone.end, come.end];
    }
    assert_eq!(old[done[0]..], new[done[1]..]);
    hunks.len()
}

#[test]
fn what_no_hunk_names_is_the_same_in_both() {
    let long: Vec<String> = (0..500).map(|line| format!("line {line}")).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let mut changed = long.clone();
    (changed[7], changed[400]) = ("another", "one more");
    changed.remove(250);
    assert_eq!(check(&long, &changed), 3);
    assert_eq!(check(&long, &long), 0);
    assert_eq!(check(&[], &["a"]), 1);
    assert_eq!(check(&["a", "b", "c"], &["b", "c", "d"]), 2);
}

#[test]
fn two_long_texts_with_the_same_lines_in_another_order_are_compared_to_an_end() {
    const LINES: usize = 400_000;
    let lines: Vec<String> = (0..LINES).map(|line| format!("line {line}")).collect();
    let old: Vec<&str> = lines.iter().map(String::as_str).collect();
    // Each of them once: the factor and the count have no divisor in common.
    let new: Vec<&str> = (0..LINES).map(|line| old[line * 174_763 % LINES]).collect();
    check(&old, &new);
}
