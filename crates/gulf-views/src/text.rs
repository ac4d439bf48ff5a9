//! Text as a terminal counts it: columns instead of characters, and nothing in it that moves the cursor.
//!
//! Workers write some of what is shown (names of tests, reasons), and a name with an escape sequence or a right-to-left
//! override must not be able to repaint a line.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;

/// Longer texts are cut before anything else is done with them.
pub(crate) const TEXT_BYTES_MAX: usize = 4096;

/// A longer line is data rather than words; in a pipe nothing else would cut it.
pub(crate) const LINE_BYTES_MAX: usize = 500;

/// How many characters of a commit, tree or digest are shown.
const ID_CHARACTERS_SHOWN: usize = 7;

/// How many columns the text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// One line without control characters, and without marks that reorder it.
pub fn one_line(text: &str) -> String {
    let shown = |character: char| match character {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\u{2028}' | '\u{2029}' => ' ',
        character if character.is_control() => ' ',
        character => character,
    };
    text.chars().map(shown).collect::<String>().trim().to_owned()
}

/// Any bytes as a terminal may show them: line ends and tabs stay, and what would move the cursor is spelt out, as
/// `less` does it.
pub fn tame(bytes: &[u8]) -> Vec<u8> {
    let mut tame = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\t' => tame.push(character as u8),
                '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                    tame.extend_from_slice(format!("<U+{:04X}>", u32::from(character)).as_bytes());
                }
                '\0'..='\u{1f}' => tame.extend_from_slice(&[b'^', character as u8 + 0x40]),
                character if character.is_control() => {
                    tame.extend_from_slice(format!("<{:02X}>", u32::from(character)).as_bytes());
                }
                character => tame.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        for byte in chunk.invalid() {
            tame.extend_from_slice(format!("<{byte:02X}>").as_bytes());
        }
    }
    tame
}

/// The same of a text, whichever system its line ends are of.
pub fn tame_text(text: &str) -> String {
    String::from_utf8_lossy(&tame(text.replace("\r\n", "\n").as_bytes())).into_owned()
}

/// The first line that says something.
pub(crate) fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("")
}

/// The lines that say something, without what stands behind their words.
pub(crate) fn spoken_lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

/// How the lines begin, or what stands in them, in which runners and compilers say first what is wrong.
const CAUSES: [&str; 6] = ["panicked at", "AssertionError", "Error:", "error:", "error[", "● "];
/// The line and what stands right below it.
const CAUSE_LINES_MAX: usize = 5;

/// What a check printed, up to where it has said what is wrong first: many runners end in totals, which say less.
pub fn up_to_cause(printed: &str) -> String {
    let lines = spoken_lines(printed);
    let says = |line: &&str| CAUSES.iter().any(|cause| line.contains(cause));
    let end = lines.iter().position(says).map_or(lines.len(), |cause| cause + CAUSE_LINES_MAX);
    lines[..end.min(lines.len())].join("\n")
}

/// Somebody else's line: a tab is as wide as it looks, and what is too long for words is cut.
pub(crate) fn quoted_line(line: &str) -> String {
    cut_bytes(&line.replace('\t', "    "), LINE_BYTES_MAX).into_owned()
}

/// At most so many bytes, cut at a character, with `…` where something is missing.
pub(crate) fn cut_bytes(text: &str, bytes_max: usize) -> Cow<'_, str> {
    if text.len() <= bytes_max {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(bytes_max.saturating_sub('…'.len_utf8()));
    Cow::Owned(format!("{}…", &text[..end]))
}

/// At most so many columns, with `…` where something is missing.
pub fn cut_columns(text: &str, columns_max: usize) -> Cow<'_, str> {
    if columns(text) <= columns_max {
        return Cow::Borrowed(text);
    }
    if columns_max == 0 {
        return Cow::Borrowed("");
    }
    Cow::Owned(format!("{}…", prefix(text, columns_max - 1).trim_end()))
}

/// The longest beginning that takes at most so many columns.
pub(crate) fn prefix(text: &str, columns_max: usize) -> &str {
    let ends = text.char_indices().map(|(start, character)| start + character.len_utf8());
    let fitting = ends.take_while(|end| columns(&text[..*end]) <= columns_max);
    &text[..fitting.last().unwrap_or(0)]
}

/// Filled with blanks up to so many columns.
pub fn padded(text: &str, columns_min: usize) -> String {
    let blanks = columns_min.saturating_sub(columns(text));
    format!("{text}{}", " ".repeat(blanks))
}

/// A commit, tree or digest as people quote it.
pub(crate) fn short(id: &str) -> &str {
    id.char_indices().nth(ID_CHARACTERS_SHOWN).map_or(id, |(end, _)| &id[..end])
}

/// `00:12`, and `1:02:03` from one hour on.
pub(crate) fn clock(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours == 0 {
        format!("{minutes:02}:{seconds:02}")
    } else {
        format!("{hours}:{minutes:02}:{seconds:02}")
    }
}

/// `3.1s`, `12s`, `2m 10s`, `1h 2m`.
pub fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0..10 => format!("{seconds}.{}s", milliseconds % 1000 / 100),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3600.. => format!("{}h {}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// How long ago: `just now`, `5 min ago`, `3 h ago`, `2 days ago`; a clock that went back is `just now` too, and `never`
/// what no clock saw.
pub(crate) fn age(then_ms: u64, now_ms: u64) -> String {
    if then_ms == 0 {
        return "never".to_owned();
    }
    let minutes = now_ms.saturating_sub(then_ms) / 60_000;
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..1440 => format!("{} h ago", minutes / 60),
        1440.. => format!("{} ago", count(minutes / 1440, "day", "days")),
    }
}

/// `1 iteration`, `2 iterations`.
pub fn iterations(number: u32) -> String {
    count(number, "iteration", "iterations")
}

/// Each row in a line, every column as wide as its widest cell.
pub(crate) fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let wide = |place: usize| rows.iter().filter_map(|row| row.get(place)).map(|cell| columns(cell)).max();
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(place, cell)| padded(cell, wide(place).unwrap_or(0)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// `a.txt`, `a.txt and 3 more`.
pub(crate) fn first_of(paths: &[String]) -> Option<String> {
    let more = paths.len().saturating_sub(1);
    paths.first().map(|first| if more == 0 { first.clone() } else { format!("{first} and {more} more") })
}

/// `1 test`, `2 tests`.
pub fn count(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    let noun = if number == 1 { one } else { many };
    format!("{number} {noun}")
}
