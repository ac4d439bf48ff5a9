//! A stale page is named with the line where it parts.

use super::first_difference;

#[test]
fn the_same_text_is_fresh() {
    assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
}

#[test]
fn a_changed_line_is_named_with_both_texts() {
    let difference = first_difference("a\nold\n", "a\nnew\n").unwrap();
    assert_eq!(difference, "2: is stale: has `old`, the binary says `new`");
}

#[test]
fn a_missing_page_is_stale_from_its_first_line() {
    let difference = first_difference("", "title\n").unwrap();
    assert_eq!(difference, "1: is stale: has `(end of file)`, the binary says `title`");
}

#[test]
fn a_missing_line_end_is_stale_too() {
    assert!(first_difference("a", "a\n").is_some());
}
