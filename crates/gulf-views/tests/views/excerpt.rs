//! Others' words under a line of the log.

use gulf_views::{Look, Palette, excerpt};
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
