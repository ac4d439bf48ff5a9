//! What a person typed, out of the forms in which some hosts hand it on.
//!
//! Apart from the commands because these forms are other programs' and change with them. A form counts only where it
//! is the whole prompt: a text that shows or mentions one is what somebody wrote about.

use std::borrow::Cow;

use super::PREFIX;
use super::words::first_word;

/// The prompt as it was typed.
pub(super) fn typed(prompt: &str) -> Cow<'_, str> {
    if let Some(pasted) = pasted(prompt) {
        return Cow::Borrowed(pasted);
    }
    match invoked(prompt) {
        Some((command, Some(arguments))) => Cow::Owned(format!("/{PREFIX}{command} {arguments}")),
        Some((command, None)) => Cow::Owned(format!("/{PREFIX}{command}")),
        None => Cow::Borrowed(prompt),
    }
}

/// Claude Code's terminal puts a paste of several lines between two tags where it begins the prompt.
fn pasted(prompt: &str) -> Option<&str> {
    let (id, rest) = prompt.trim().strip_prefix("<pasted_content id=\"")?.split_once("\">\n")?;
    let close = format!("\n</pasted_content id=\"{id}\">");
    rest.strip_suffix(close.as_str()).filter(|inside| !inside.contains(&close))
}

/// Copilot CLI's terminal puts the command's own text in its place, and the person's words behind that. No text of a
/// command has such a line itself.
fn invoked(prompt: &str) -> Option<(&str, Option<&str>)> {
    let rest =
        prompt.trim_start().strip_prefix("The user explicitly invoked the \"/")?.strip_prefix(PREFIX)?;
    let (command, rest) =
        rest.split_once("\" skill. Follow its instructions now.\n\n<skill-context name=\"")?;
    let (name, rest) = rest.split_once("\">\n")?;
    let inside = rest.trim_end().strip_suffix("\n</skill-context>")?;
    let is_same = name.strip_prefix(PREFIX).unwrap_or(name) == command;
    let arguments = inside.split_once("\n\nARGUMENTS: ").map(|(_, arguments)| arguments);
    (is_same && first_word(command) == command).then_some((command, arguments))
}
