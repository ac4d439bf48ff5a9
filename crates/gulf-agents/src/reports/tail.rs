//! The last part of an output, for a worker to read.
//!
//! It is the one thing an output is shortened for: what is cut is said, and the cut never falls within a line unless
//! the line alone is too long.

use std::borrow::Cow;

use super::{go, lines};
use crate::masking::Mask;

/// So much more than is wanted is looked at: a secret, a key included, may begin before the cut.
const WINDOW_BYTES_MIN: usize = 64 * 1024;

/// An output's lines. Nobody reads events; what they quote is what Go's tests print.
fn texts(output: &[u8]) -> impl Iterator<Item = Cow<'_, str>> {
    lines(output).map(|line| go::printed(&line).map_or(line, Cow::Owned))
}

/// The last lines of an output that say something, as a person would see them; each cut to so many characters.
pub fn last_lines(output: &[u8], lines_max: usize, chars_max: usize) -> Vec<String> {
    let said = texts(output).map(|line| line.trim().chars().take(chars_max).collect::<String>());
    let mut said: Vec<String> = said.filter(|line| !line.is_empty()).collect();
    said.split_off(said.len().saturating_sub(lines_max))
}

/// The first error of an output with what stands below it, where there is one: what comes last is often advice. Else its
/// last lines.
pub fn telling_lines(output: &[u8], lines_max: usize, chars_max: usize) -> Vec<String> {
    let said = texts(output).map(|line| line.trim_end().chars().take(chars_max).collect::<String>());
    let is_error = |line: &String| {
        let line = line.trim_start().to_lowercase();
        line.starts_with("error:") || line.starts_with("error[") || line.starts_with("fatal error:")
    };
    let from_error = said.skip_while(|line| !is_error(line)).filter(|line| !line.trim().is_empty());
    let found: Vec<String> = from_error.take(lines_max).map(|line| line.trim().to_owned()).collect();
    if found.is_empty() { last_lines(output, lines_max, chars_max) } else { found }
}

/// The line with which a tool says that it broke down itself, where no test was counted: what it was to look at had no say.
pub fn breakdown(output: &[u8]) -> Option<String> {
    let is_panic = |line: &str| line.starts_with("thread 'main'") && line.contains("panicked at");
    let traced = ["stack backtrace:", "backtrace:"];
    let is_trace = |line: &str| traced.contains(&line.trim().to_lowercase().as_str());
    let told = lines(output).find(|line| is_panic(line.trim()) || is_trace(line.trim()))?;
    let first = lines(output).find(|line| !line.trim().is_empty())?;
    let line = if is_panic(told.trim()) { told } else { first };
    Some(line.trim().to_owned())
}

/// The last part of an output, at most `chars_max` characters with the line that says what was cut.
///
/// Colours and control characters are removed. A limit too small for that line yields the last characters alone.
pub fn tail_for_worker(output: &[u8], chars_max: usize) -> String {
    let window = Window::over(output, chars_max);
    tail(&window.text, window.skipped, chars_max)
}

/// The same without secrets; they are masked before anything is cut, since half of one is not known again.
pub fn masked_tail(output: &[u8], chars_max: usize, mask: &Mask) -> String {
    let window = Window::over(output, chars_max);
    tail(&mask.text(&window.text), window.skipped, chars_max)
}

/// The end of an output's text, however long the output is.
struct Window {
    text: String,
    /// Characters before it.
    skipped: usize,
}

impl Window {
    fn over(output: &[u8], chars_max: usize) -> Self {
        let bytes_max = chars_max.saturating_mul(4).saturating_add(WINDOW_BYTES_MIN);
        let mut window = Self { text: String::new(), skipped: 0 };
        let mut blank_lines = 0;
        for line in texts(output) {
            let line = line.trim_end();
            if line.is_empty() {
                blank_lines += 1;
                continue;
            }
            let is_first = window.text.is_empty() && window.skipped == 0;
            let line_ends = std::mem::take(&mut blank_lines) + usize::from(!is_first);
            window.text.extend(std::iter::repeat_n('\n', line_ends.min(bytes_max)));
            window.text.push_str(line);
            window.forget(bytes_max);
        }
        window
    }

    /// Forgets whole lines of the beginning, once there is twice as much as is wanted.
    fn forget(&mut self, bytes_max: usize) {
        if self.text.len() <= bytes_max.saturating_mul(2) {
            return;
        }
        let from = self.text.floor_char_boundary(self.text.len() - bytes_max);
        let from = self.text[from..].find('\n').map_or(from, |end| from + end + 1);
        self.skipped += self.text[..from].chars().count();
        self.text.drain(..from);
    }
}

fn tail(text: &str, skipped: usize, chars_max: usize) -> String {
    let within = text.chars().count();
    let total = skipped + within;
    if total <= chars_max {
        return text.to_owned();
    }
    let longest_notice = notice(total).chars().count();
    let Some(room) = chars_max.checked_sub(longest_notice).filter(|room| *room > 0) else {
        return last_characters(text, within, chars_max).to_owned();
    };
    let tail = last_characters(text, within, room);
    let begins_a_line = text[..text.len() - tail.len()].ends_with('\n');
    let cut_line = tail.find('\n').filter(|end| !begins_a_line && end + 1 < tail.len());
    let tail = cut_line.map_or(tail, |end| &tail[end + 1..]);
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
