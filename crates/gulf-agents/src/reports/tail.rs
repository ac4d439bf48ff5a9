//! The last part of an output, for a worker to read.
//!
//! It stands apart because it is the one thing an output is shortened for: what is cut is said, and the cut never
//! falls within a line unless the line alone is too long.

use std::borrow::Cow;

use super::{go, lines};

/// The last lines of an output that say something, as a person would see them; each cut to so many characters.
pub fn last_lines(output: &[u8], lines_max: usize, chars_max: usize) -> Vec<String> {
    let said = lines(output).map(|line| line.trim().chars().take(chars_max).collect::<String>());
    let mut said: Vec<String> = said.filter(|line| !line.is_empty()).collect();
    said.split_off(said.len().saturating_sub(lines_max))
}

/// The last part of an output, at most `chars_max` characters with the line that says what was cut.
///
/// Colours and control characters are removed. A limit too small for that line yields the last characters alone.
pub fn tail_for_worker(output: &[u8], chars_max: usize) -> String {
    let mut text = String::new();
    for line in lines(output) {
        // Nobody reads events; what they quote is what Go's tests print.
        let line = go::printed(&line).map_or(line, Cow::Owned);
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let text = text.trim_end_matches('\n');
    let total = text.chars().count();
    if total <= chars_max {
        return text.to_owned();
    }
    let longest_notice = notice(total).chars().count();
    let Some(room) = chars_max.checked_sub(longest_notice).filter(|room| *room > 0) else {
        return last_characters(text, total, chars_max).to_owned();
    };
    let tail = last_characters(text, total, room);
    let begins_a_line = text[..text.len() - tail.len()].ends_with('\n');
    let tail = match tail.find('\n') {
        Some(end) if !begins_a_line && end + 1 < tail.len() => &tail[end + 1..],
        Some(_) | None => tail,
    };
    let cut = total - tail.chars().count();
    format!("{}{tail}", notice(cut))
}

fn notice(characters: usize) -> String {
    format!("[the first {characters} characters are cut]\n")
}

fn last_characters(text: &str, total: usize, wanted: usize) -> &str {
    let skipped = total.saturating_sub(wanted);
    text.char_indices().nth(skipped).map_or("", |(place, _)| &text[place..])
}
