//! Small readings of JSON values that all protocols need: one line of a text, a name, a number, money.
//!
//! It stands apart because no field of a tool may be trusted to have the type it had yesterday: a value of
//! another type is the same as none.

use serde_json::Value;

use super::Cost;

/// Characters of the line that tells what a tool was called with.
pub const WHAT_CHARS_MAX: usize = 200;

/// Microdollars in a dollar.
const MICRODOLLARS: f64 = 1_000_000.0;

/// Where the calls of tools say what they are about, the most telling first.
const TELLING: [&str; 13] = [
    "command",
    "cmd",
    "file_path",
    "filePath",
    "dir_path",
    "notebook_path",
    "path",
    "pattern",
    "url",
    "query",
    "skill",
    "description",
    "prompt",
];

/// A text, if it is one and not empty.
pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A text, or nothing of it.
pub(super) fn text_or_empty(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What a call's input is about, as one line.
pub(super) fn what_of(input: &Value) -> String {
    let telling = TELLING.iter().find_map(|key| input[*key].as_str());
    one_line(telling.unwrap_or_default())
}

/// The first line with something on it, without control characters, cut to [`WHAT_CHARS_MAX`].
pub(super) fn one_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut characters = line.chars().map(|character| if character.is_control() { ' ' } else { character });
    let head: String = characters.by_ref().take(WHAT_CHARS_MAX).collect();
    if characters.next().is_none() {
        return head;
    }
    let cut: String = head.chars().take(WHAT_CHARS_MAX - 1).collect();
    format!("{cut}…")
}

/// A number of something that fits where it is kept; a fraction or a negative one is none.
pub(super) fn count(value: &Value) -> Option<u64> {
    value.as_u64()
}

/// An HTTP status.
pub(super) fn status(value: &Value) -> Option<u16> {
    value.as_u64().and_then(|status| u16::try_from(status).ok())
}

/// Tools add up fractions of dollars; to the nearest, or 0.0024000000000000002 would be one more than it is.
pub(super) fn microdollars(dollars: &Value) -> Cost {
    let micro = dollars.as_f64().map(|dollars| (dollars * MICRODOLLARS).round());
    match micro {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "finite and not negative; a cast saturates"
        )]
        Some(micro) if micro.is_finite() && micro >= 0.0 => Cost::Told { microdollars: micro as u64 },
        Some(_) | None => Cost::Unknown,
    }
}
