//! Patterns for short forms in texts. All of them are ours, so that one which is none is a bug.

use regex::Regex;

/// The pattern of this text.
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}
