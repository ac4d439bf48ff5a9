//! Small readings of JSON values that all protocols need: one line of a text, a name, a number, money.
//!
//! No field of a tool may be trusted to have the type it had yesterday: a value of another type is the same as none.

use serde_json::Value;

use crate::differing::apart;

/// Characters of the line that tells what a tool was called with.
pub const WHAT_CHARS_MAX: usize = 200;

/// Microdollars in a dollar.
const MICRODOLLARS: f64 = 1_000_000.0;

/// Where the calls of tools say what they are about, the most telling first.
const TELLING: [&str; 13] = [
    "command", "cmd", "file_path", "filePath", "dir_path", "notebook_path", "path", "pattern", "url",
    "query", "skill", "description", "prompt",
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
    one_line(TELLING.iter().find_map(|key| input[*key].as_str()).unwrap_or_default())
}

/// How many lines a call that edits a file changes, as its input tells it: `+12 −3`; of a file written whole, what it gets.
pub(super) fn lines_changed(input: &Value) -> Option<String> {
    let one = [input.clone()];
    let edits = input["edits"].as_array().map_or(&one[..], Vec::as_slice);
    let replaced = edits.iter().filter_map(|edit| {
        let lines = |key: &str| Some(edit[key].as_str()?.lines().collect::<Vec<_>>());
        let (old, new) = (lines("old_string")?, lines("new_string")?);
        // Without what is the same at both ends.
        let (old, new) = apart(&old, &new);
        Some((new.len(), old.len()))
    });
    let sum = replaced.reduce(|(added, removed), (more, fewer)| (added + more, removed + fewer));
    let written = || Some(format!("+{}", input["content"].as_str()?.lines().count()));
    sum.map(|(added, removed)| format!("+{added} −{removed}")).or_else(written)
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

/// An HTTP status.
pub(super) fn status(value: &Value) -> Option<u16> {
    value.as_u64().and_then(|status| u16::try_from(status).ok())
}

/// Tools add up fractions of dollars; to the nearest, or 0.0024000000000000002 would be one more than it is.
pub(super) fn microdollars(dollars: &Value) -> Option<u64> {
    let micro = (dollars.as_f64()? * MICRODOLLARS).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "finite and not negative; a cast saturates"
    )]
    let whole = micro as u64;
    (micro.is_finite() && micro >= 0.0).then_some(whole)
}

#[cfg(test)]
mod tests {
    //! What a call's input tells of the lines that it changes.

    use super::lines_changed;
    use serde_json::json;

    #[test]
    fn an_edit_tells_how_many_lines_it_adds_and_removes() {
        let edit = json!({"file_path": "a", "old_string": "a\nb\nc", "new_string": "a\nx\ny\nc"});
        assert_eq!(lines_changed(&edit).as_deref(), Some("+2 −1"));
        let edits = json!({"edits": [edit, {"old_string": "d", "new_string": ""}]});
        assert_eq!(lines_changed(&edits).as_deref(), Some("+2 −2"));
        let write = json!({"file_path": "a", "content": "a\nb\n"});
        assert_eq!(lines_changed(&write).as_deref(), Some("+2"));
        assert_eq!(lines_changed(&json!({"command": "ls"})), None);
        assert_eq!(lines_changed(&json!({"edits": "x", "content": 3})), None);
    }
}
