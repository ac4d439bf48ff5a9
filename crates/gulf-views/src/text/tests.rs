//! Columns, cuts and times, each with the case that a naive version gets wrong.

use super::{
    TEXT_BYTES_MAX, age, clock, columns, count, cut_bytes, cut_columns, duration, one_line, short, tame_text,
};

#[test]
fn a_korean_syllable_takes_two_columns_and_is_never_cut_in_half() {
    assert_eq!(columns("로그인"), 6);
    assert_eq!(cut_columns("로그인 추가", 11), "로그인 추가");
    assert_eq!(cut_columns("로그인 추가", 10), "로그인 추…");
    assert_eq!(cut_columns("로그인 추가", 9), "로그인…");
    assert_eq!(cut_columns("로그인", 1), "…");
    assert_eq!(cut_columns("로그인", 0), "");
}

#[test]
fn no_cut_is_wider_than_asked_for() {
    for text in ["plain words", "로그인 기능", "e\u{301}a\u{301}x", "☁️☁️☁️", "👩‍👩‍👧 family", ""]
    {
        for columns_max in 0..12 {
            assert!(columns(&cut_columns(text, columns_max)) <= columns_max, "{text:?} in {columns_max}");
        }
    }
}

#[test]
fn what_moves_the_cursor_or_reorders_a_line_does_not_get_through() {
    assert_eq!(one_line("\u{1b}[31mred\r\nnext\u{8}"), "[31mred  next");
    assert_eq!(one_line("a\u{202e}b\u{2028}c"), "a\u{fffd}b c");
}

#[test]
fn a_long_text_is_cut_at_a_character() {
    let text = "가".repeat(TEXT_BYTES_MAX);
    let cut = cut_bytes(&text, TEXT_BYTES_MAX);
    assert!(cut.len() <= TEXT_BYTES_MAX && cut.ends_with("가…"), "{} bytes", cut.len());
    assert_eq!(cut_bytes("short", TEXT_BYTES_MAX), "short");
}

#[test]
fn times_are_told_in_the_unit_that_matters() {
    assert_eq!(
        [clock(0), clock(12_999), clock(3_599_000), clock(3_723_000)],
        ["00:00", "00:12", "59:59", "1:02:03"]
    );
    let told = [0, 3_149, 12_900, 130_000, 3_720_000].map(duration);
    assert_eq!(told, ["0.0s", "3.1s", "12s", "2m 10s", "1h 2m"]);
    let minute = 60_000;
    let told = [0, 5, 60, 1440, 2880].map(|minutes| age(minute, minute + minutes * minute));
    assert_eq!(told, ["just now", "5 min ago", "1 h ago", "1 day ago", "2 days ago"]);
    assert_eq!(age(5 * minute, minute), "just now", "the clock went back");
    assert_eq!(age(0, minute), "never", "nobody wrote down when");
}

#[test]
fn ids_are_short_and_counts_agree_with_their_noun() {
    assert_eq!([short("0123456789"), short("abc"), short("")], ["0123456", "abc", ""]);
    assert_eq!([count(0u32, "test", "tests"), count(1u32, "test", "tests")], ["0 tests", "1 test"]);
}

#[test]
fn a_text_keeps_its_lines_and_spells_out_what_would_move_the_cursor() {
    assert_eq!(tame_text("길\tb\r\nc\u{1b}[31m\u{202e}d\re\u{9b}"), "길\tb\nc^[[31m<U+202E>d^Me<9B>");
}
