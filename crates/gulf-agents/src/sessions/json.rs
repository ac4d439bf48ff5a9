//! JSON as hosts write it, which is a little more than JSON allows.
//!
//! Both an event and each line of a session's file are read this way. Programs on Node write half of a surrogate pair
//! as `\ud83d` when a text was cut within an emoji; a strict reader refuses the whole event, and then a session would
//! end because of a smile.

use serde_json::Value;

/// A replacement character, as long as the escape it stands for.
const REPLACEMENT: &[u8] = b"\\ufffd";

/// `\uXXXX`
const ESCAPE_BYTES: usize = 6;

/// The value, with halves of surrogate pairs replaced.
pub(super) fn value(text: &[u8]) -> Result<Value, serde_json::Error> {
    match serde_json::from_slice(text) {
        Ok(value) => Ok(value),
        Err(error) => match whole_surrogates(text) {
            Some(mended) => serde_json::from_slice(&mended),
            None => Err(error),
        },
    }
}

/// The text with every lone half replaced; nothing if there is none.
fn whole_surrogates(text: &[u8]) -> Option<Vec<u8>> {
    let mut mended: Option<Vec<u8>> = None;
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'\\' {
            at += 1;
            continue;
        }
        match (escape(text, at), escape(text, at + ESCAPE_BYTES)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => at += 2 * ESCAPE_BYTES,
            (Some(0xd800..0xe000), _) => {
                let mended = mended.get_or_insert_with(|| text.to_vec());
                mended[at..at + ESCAPE_BYTES].copy_from_slice(REPLACEMENT);
                at += ESCAPE_BYTES;
            }
            (Some(_), _) => at += ESCAPE_BYTES,
            // Any other escape is two bytes; the second may be a backslash.
            (None, _) => at += 2,
        }
    }
    mended
}

/// What `\uXXXX` at this place stands for.
fn escape(text: &[u8], at: usize) -> Option<u16> {
    let digits = text.get(at..at + ESCAPE_BYTES)?.strip_prefix(b"\\u")?;
    let is_hexadecimal = digits.iter().all(u8::is_ascii_hexdigit);
    is_hexadecimal.then(|| u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()).flatten()
}
