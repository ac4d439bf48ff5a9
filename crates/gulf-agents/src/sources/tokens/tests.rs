//! What is a value, and which values are the same.

use super::*;

fn literals(path: &str, source: &str) -> Vec<String> {
    tokens(path, source).iter().filter_map(Lexeme::literal).map(str::to_owned).collect()
}

#[test]
fn a_number_is_the_same_however_it_is_written() {
    assert_eq!(
        literals("a.rs", "3 3.0 3_u8 0x03, -3 (-3.5) x - 3 a[0].1"),
        ["3", "3", "3", "3", "-3", "-3.5", "3", "0"]
    );
    assert_eq!(literals("a.py", "1_000 1e3 return -1"), ["1000", "1000", "-1"]);
}

#[test]
fn texts_are_values_and_comments_are_not() {
    assert_eq!(
        literals("a.py", "x = 'a' # 5\ny = \"it's\"\n\"\"\"7\n8\"\"\"\nz = r'b'"),
        ["\"a\"", "\"it's\"", "\"b\""]
    );
    assert_eq!(literals("a.js", "f(`a`) // 5\n/* 6 */ 7"), ["\"a\"", "7"]);
    assert_eq!(literals("a.rs", "fn f<'a>(x: &'a str) -> char { 'x' }"), ["\"x\""]);
    assert_eq!(literals("a.py", "True, False, None"), ["true", "false", "none"]);
}

#[test]
fn every_token_knows_its_line() {
    let found = tokens("a.js", "a\n\n`b\nc`\n12");
    let last = found.last().unwrap();
    assert_eq!((last.literal(), last.line), (Some("12"), 5));
}

#[test]
fn whatever_the_bytes_it_comes_to_an_end() {
    for source in ["'", "\"abc", "'''", "`", "0x", "1.", "한글 '한'", "\\", "/*", "…'…'"] {
        for path in ["a.py", "a.rs", "a.js", ""] {
            tokens(path, source);
        }
    }
}
