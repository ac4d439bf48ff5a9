//! JSON as hosts write it, which is a little more than JSON allows.
//!
//! Both an event and each line of a session's file are read this way. Programs on Node write half of a surrogate pair
//! as `\ud83d` when a text was cut within an emoji; a strict reader refuses the whole event, and then a session would
//! end because of a smile.

use regex::Captures;
use serde_json::Value;

use crate::patterns::form;

/// A replacement character, as long as the escape it stands for.
const REPLACEMENT: &str = "\\ufffd";

/// The value, with halves of surrogate pairs replaced.
pub(super) fn value(text: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(text).or_else(|error| {
        let Ok(text) = str::from_utf8(text) else { return Err(error) };
        // A surrogate pair, a half of one alone, or any other escape.
        const HEX: &str = "[0-9a-fA-F]{2}";
        let escape = form!(&format!(
            r"(?s)\\(?:u[dD][89abAB]{HEX}\\u[dD][c-fC-F]{HEX}|(?<half>u[dD][89a-fA-F]{HEX})|.)"
        ));
        serde_json::from_str(&escape.replace_all(text, |escape: &Captures<'_>| {
            escape.name("half").map_or_else(|| escape[0].to_owned(), |_| REPLACEMENT.to_owned())
        }))
    })
}
