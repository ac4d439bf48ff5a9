//! Lines as people type them.

use super::{bullet, code_spans, heading, without_comments};

#[track_caller]
fn check_spans(text: &str, expected: &[&str]) {
    let spans: Vec<&str> = code_spans(text).into_iter().map(|span| span.text).collect();
    assert_eq!(spans, expected, "{text}");
}

#[test]
fn a_code_span_ends_with_as_many_backticks_as_it_began() {
    check_spans("run `npm test`, then `tsc`", &["npm test", "tsc"]);
    check_spans("``echo `date` `` and `a`", &["echo `date`", "a"]);
    check_spans("an open ` is none", &[]);
    check_spans("한글 `시험` 뒤", &["시험"]);
}

#[test]
fn a_comment_hides_what_stands_in_it_and_may_stay_open() {
    assert_eq!(without_comments("a <!-- b --> c <!-- d -->"), ("a  c ".to_owned(), false));
    assert_eq!(without_comments("a <!-- b"), ("a ".to_owned(), true));
    assert_eq!(without_comments("b --> c"), ("b --> c".to_owned(), false));
}

#[test]
fn headings_and_bullets_are_known_by_their_marks() {
    let title = |line| heading(line).map(|heading| (heading.level, heading.title));
    assert_eq!(title("## Checks ##"), Some((2, "Checks")));
    assert_eq!(title("   #Checks"), Some((1, "Checks")));
    assert_eq!(title("    # code"), None);
    assert_eq!(title("####### seven"), None);
    let item = |line| bullet(line).map(|bullet| (bullet.indent, bullet.text));
    assert_eq!(item("- a"), Some((0, "a")));
    assert_eq!(item("\t12) b "), Some((4, "b")));
    assert_eq!(item("-"), Some((0, "")));
    assert_eq!(item("**bold**"), None);
    assert_eq!(item("3.5 litres"), None);
}
