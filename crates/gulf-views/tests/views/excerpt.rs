//! Others' words under a line of the log.

use gulf_views::{Look, Palette, excerpt, up_to_cause};
use unicode_width::UnicodeWidthStr;

fn check(words: &str, expected: &[&str]) {
    assert_eq!(excerpt(words, Look::piped()), expected);
}

#[test]
fn every_line_that_says_something_is_shown_under_the_clock() {
    check("first\n\n  second  \r\n\tthird\n", &["    │ first", "    │   second", "    │     third"]);
    check("\n \n", &[]);
}

#[test]
fn of_a_long_text_the_end_is_shown_and_how_much_came_before() {
    let words: String = (1..=9).map(|number| format!("line {number}\n")).collect();
    let last = [
        "    │ … 4 lines before", "    │ line 5", "    │ line 6", "    │ line 7", "    │ line 8",
        "    │ line 9",
    ];
    check(&words, &last);
    check("1\n2\n3\n4\n5\n6\n", &["    │ 1", "    │ 2", "    │ 3", "    │ 4", "    │ 5", "    │ 6"]);
}

#[test]
fn a_check_is_quoted_where_it_says_what_is_wrong_and_not_its_totals() {
    let totals = "1..3\n# tests 4\n# suites 0\n# pass 1\n# fail 3\n# skipped 0\n# todo 0\n";
    let tap = format!(
        "TAP version 13\nnot ok 1 - adds\n  ---\n  error: '2 == 3'\n  code: 'ERR_ASSERTION'\n  expected: 3\n  \
         actual: 2\n  ...\nok 2 - fits\n{totals}"
    );
    let expected = [
        "    │ … 3 lines before",
        "    │   error: '2 == 3'",
        "    │   code: 'ERR_ASSERTION'",
        "    │   expected: 3",
        "    │   actual: 2",
        "    │   ...",
    ];
    check(&up_to_cause(&tap), &expected);
    // What names no cause is quoted to its end, as is one that ends with it.
    assert_eq!(up_to_cause(totals), totals.trim_end());
    check(
        &up_to_cause("FAILED test_a.py::test_a - AssertionError: 2\n1 failed\n"),
        &["    │ FAILED test_a.py::test_a - AssertionError: 2", "    │ 1 failed"],
    );
}

#[test]
fn nothing_in_it_moves_the_cursor_or_leaves_the_terminal() {
    let look = Look::terminal(Palette::Plain, 20);
    let shown = excerpt("\u{1b}[2Jgone\rback\n한국어가 아주 길게 이어지는 줄입니다", look);
    assert_eq!(shown.len(), 2);
    for line in shown {
        assert!(!line.chars().any(char::is_control), "{line:?}");
        assert!(line.width() <= 20, "{line:?}");
    }
}

#[test]
fn a_line_that_is_data_is_cut_even_where_nothing_limits_its_width() {
    let shown = excerpt(&format!("{{\"reason\":\"{}\"}}", "가".repeat(100_000)), Look::piped());
    assert_eq!(shown.len(), 1);
    assert!(shown[0].len() < 600 && shown[0].ends_with('…'), "{}", shown[0].len());
}
