//! Cutting, wrapping and colouring do not get into each other's way.

use super::{Phrase, say};
use crate::look::{Look, Palette, Tone};

fn wrapped(phrase: Phrase, columns_max: usize, indent: usize) -> Vec<String> {
    phrase.wrap(columns_max, indent).iter().map(|line| line.render(Palette::Plain)).collect()
}

#[test]
fn lines_break_at_blanks_and_the_rest_is_indented() {
    let phrase = Phrase::new().say("one two ").tone(Tone::Failed, "three four");
    assert_eq!(wrapped(phrase, 10, 2), ["one two", "  three", "  four"]);
}

#[test]
fn a_word_longer_than_a_line_is_broken_and_nothing_of_it_is_lost() {
    assert_eq!(wrapped(Phrase::new().say("abcdefghij"), 4, 0), ["abcd", "efgh", "ij"]);
    assert_eq!(wrapped(Phrase::new().say("로그인추가"), 5, 2), ["로그", "  인", "  추", "  가"]);
}

#[test]
fn a_secret_is_taken_out_before_a_line_ends_between_its_name_and_itself() {
    let mask = |text: &str| text.replace("password: hunter2", "password: ***").into();
    let look = Look { mask, ..Look::terminal(Palette::Plain, 12) };
    assert_eq!(say("a password: hunter2").paragraph(look, 0), "a password:\n***\n");
    assert_eq!(say("password: hunter2").shown_in(look).fit(14).render(Palette::Plain), "password: ***");
}

#[test]
fn a_terminal_of_one_column_is_no_reason_to_hang() {
    assert_eq!(wrapped(Phrase::new().say("로 a"), 1, 8), ["로", "a"]);
}

#[test]
fn a_cut_falls_into_the_right_span_and_keeps_its_colour() {
    let phrase = Phrase::new().say("check ").tone(Tone::Failed, "FAILED").say(" exit 101");
    let fitted = phrase.clone().fit(9);
    assert_eq!(fitted.render(Palette::Plain), "check FA…");
    assert_eq!(fitted.render(Palette::Colour), "check \u{1b}[31mFA…\u{1b}[0m");
    assert_eq!(phrase.clone().fit(12).render(Palette::Plain), "check FAILE…");
    assert_eq!(phrase.clone().fit(21).render(Palette::Plain), "check FAILED exit 101");
    for columns_max in 0..25 {
        assert!(phrase.clone().fit(columns_max).columns() <= columns_max, "in {columns_max} columns");
    }
}
