//! A session's file in pieces, whatever lies in it.

use std::io::Read;

use super::*;

fn line(text: &str) -> String {
    let content = serde_json::json!([{"type": "text", "text": text}]);
    let message = serde_json::json!({"id": text, "model": "m", "content": content, "usage": {"input_tokens": 1, "output_tokens": 2}});
    format!("{}\n", serde_json::json!({"type": "assistant", "message": message}))
}

#[test]
fn a_file_in_pieces_tells_what_it_tells_as_a_whole() {
    let long = format!("{{\"type\":\"user\",\"text\":\"{}\"}}\n", "x".repeat(3 << 20));
    let file = [line("one"), long.clone(), line("two"), long, line("three"), "half a li".to_owned()].concat();
    let whole = hear(Host::Claude, file.as_bytes(), None);
    assert_eq!(hear_in_pieces(Host::Claude, file.as_bytes(), None).unwrap(), whole);
    assert_eq!(whole.final_message.as_deref(), Some("three"));
}

#[test]
fn a_line_longer_than_any_that_is_understood_is_passed_over_and_never_held() {
    let beyond = u64::try_from(LINE_BYTES_MAX).unwrap() + 5;
    let before = line("one");
    let after = line("two");
    let endless = std::io::repeat(b'x').take(beyond * 4);
    let file = before.as_bytes().chain(endless).chain(&b"\n"[..]).chain(after.as_bytes());
    let heard = hear_in_pieces(Host::Claude, file, None).unwrap();
    assert_eq!(heard.final_message.as_deref(), Some("two"));
    let length = before.len() + usize::try_from(beyond * 4).unwrap() + 1 + after.len();
    assert_eq!(heard.complete_bytes, length, "the next reading begins behind it");
}
