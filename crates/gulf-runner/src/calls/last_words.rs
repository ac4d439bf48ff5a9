//! What a program said before it failed: a few lines for a person, without what is secret.
//!
//! These lines leave the logs: they are quoted on the last screen, in the receipt and to the next turn, and a program
//! that is refused likes to print the key that was refused.

use gulf_agents::masking::Mask;
use gulf_agents::reports::last_lines;

#[cfg(test)]
mod tests;

/// So many lines of one output are kept.
const LINES_MAX: usize = 5;
/// So much of each.
const LINE_CHARS_MAX: usize = 300;

/// What is known of the failure in one line, and the last lines of the first output that says anything.
pub(super) fn describe_failure(detail: &str, printed: &[&[u8]], mask: &Mask) -> Vec<String> {
    // Masked before it is cut: half a secret is not known again.
    let printed = printed.iter().map(|output| mask.owned(String::from_utf8_lossy(output).into_owned()));
    let lines = printed.map(|output| last_lines(output.as_bytes(), LINES_MAX, LINE_CHARS_MAX));
    let lines = lines.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default();
    // It may be one of them, or longer than they may be.
    let is_among = |detail: &str| lines.iter().any(|line| detail.starts_with(line.as_str()));
    let first = Some(detail.to_owned()).filter(|detail| !detail.is_empty() && !is_among(detail));
    first.into_iter().chain(lines).collect()
}
