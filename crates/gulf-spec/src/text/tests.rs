//! Places and lines.

use proptest::prelude::*;

use super::{Position, Source, lines};

#[test]
fn a_byte_order_mark_does_not_move_the_first_column() {
    let source = Source::new("a", "\u{feff}key = 1\n");
    assert_eq!(source.text(), "key = 1\n");
    assert_eq!(source.place((0..3).into()), "a:1:1");
}

#[test]
fn columns_count_characters_and_not_bytes() {
    let source = Source::new("a", "한글 = 1");
    assert_eq!(source.position(7), Position { line: 1, column: 4 });
    assert_eq!(source.position(1), Position { line: 1, column: 1 });
    assert_eq!(source.position(9999), Position { line: 1, column: 7 });
}

#[test]
fn both_line_endings_end_a_line_and_a_final_one_opens_none() {
    let read: Vec<_> = lines("a\r\nbc\n\n").map(|line| (line.number, line.text, line.span.start)).collect();
    assert_eq!(read, [(1, "a", 0), (2, "bc", 3), (3, "", 6)]);
    assert_eq!(lines("").count(), 0);
}

#[test]
fn a_part_of_a_line_has_its_own_span() {
    let text = "x\n- cargo test\n";
    let line = lines(text).nth(1).unwrap();
    assert_eq!(line.span_of(&line.text[2..]), (4..14).into());
    assert_eq!(line.span_of("from elsewhere"), line.span);
}

proptest! {
    #[test]
    fn every_byte_of_any_text_has_a_position(text in any::<String>(), byte in 0usize..64) {
        let position = Source::new("a", &text).position(byte);
        prop_assert!(position.line >= 1 && position.column >= 1);
    }

    #[test]
    fn every_line_is_the_text_at_its_span(text in "[a\r\né]{0,40}") {
        for line in lines(&text) {
            prop_assert_eq!(&text[line.span.start..line.span.end], line.text);
        }
    }
}
