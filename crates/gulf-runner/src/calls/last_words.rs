//! What a program said before it failed: a few lines for a person, without what is secret.
//!
//! It stands apart because these lines leave the logs: they are quoted on the last screen, in the receipt and to the next
//! turn, and a program that is refused likes to print the key that was refused.

use gulf_agents::reports::last_lines;
use gulf_host::secret::Secret;

#[cfg(test)]
mod tests;

/// So many lines of one output are kept.
const LINES_MAX: usize = 5;
/// So much of each.
const LINE_CHARS_MAX: usize = 300;
/// What names of variables are made of whose values nobody else should know.
const SECRET_WORDS: [&str; 9] =
    ["KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASS", "CREDENTIALS", "PAT"];
/// A shorter value is a number or a switch.
const SECRET_BYTES_MIN: usize = 8;

/// What is known of the failure in one line, and the last lines of the first output that says anything.
pub(super) fn of(detail: &str, printed: &[&[u8]], environment: &[(String, String)]) -> Vec<String> {
    let lines = printed.iter().map(|output| last_lines(output, LINES_MAX, LINE_CHARS_MAX));
    let lines = lines.into_iter().find(|lines| !lines.is_empty()).unwrap_or_default();
    let lines: Vec<String> = lines.iter().map(|line| without_secrets(line, environment)).collect();
    // It may be one of them, or longer than they may be.
    let is_among = |detail: &str| lines.iter().any(|line| detail.starts_with(line.as_str()));
    let first = Some(detail.to_owned()).filter(|detail| !detail.is_empty() && !is_among(detail));
    first.into_iter().chain(lines).collect()
}

/// The text with stars for the values of variables that hold a secret, as their names say.
pub(super) fn without_secrets(text: &str, environment: &[(String, String)]) -> String {
    let is_secret = |name: &str| {
        name.split('_').any(|word| SECRET_WORDS.iter().any(|secret| word.eq_ignore_ascii_case(secret)))
    };
    let secrets = environment.iter().filter(|(name, _)| is_secret(name)).map(|(_, value)| value.trim());
    let mut secrets: Vec<&str> = secrets.filter(|value| value.len() >= SECRET_BYTES_MIN).collect();
    // One may be the beginning of another.
    secrets.sort_by_key(|value| std::cmp::Reverse(value.len()));
    secrets.into_iter().fold(text.to_owned(), |text, secret| Secret::new(secret).redact(&text))
}
