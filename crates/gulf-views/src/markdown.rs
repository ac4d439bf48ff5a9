//! Markdown that reads well as it stands, at 80 columns, and renders as what it says.
//!
//! Most of what a report quotes was written by workers and judges: their words must not become headings, links or markup, and
//! a line break of theirs must not end an item.

#[cfg(test)]
mod tests;

use crate::text;

/// Lines get no wider, except for a word, path or command that cannot be broken.
const COLUMNS_MAX: usize = 80;

/// A longer quotation is cut.
const QUOTED_LINES_MAX: usize = 40;

/// Stands for a blank at which a line must not be broken; no quoted text can hold it.
const GLUE: char = '\u{1}';

/// Others' words in one line, without any markup of theirs.
pub(crate) fn prose(words: &str) -> String {
    let line = text::one_line(&text::cut_bytes(words, text::TEXT_BYTES_MAX));
    let mut prose = String::new();
    for character in line.chars() {
        if matches!(character, '\\' | '`' | '*' | '<' | '[' | ']') {
            prose.push('\\');
        }
        prose.push(character);
    }
    prose
}

/// A line that is not wrapped, with its blanks.
pub(crate) fn unbroken(line: &str) -> String {
    line.replace(GLUE, " ")
}

/// Only at the start of a line these would begin a heading, a quotation, a list, a rule or a block of code.
fn guarded(word: &str) -> String {
    let is_all = |wanted: &[char]| word.chars().all(|character| wanted.contains(&character));
    if word.starts_with(['#', '>', '|']) || word.starts_with("~~~") || is_all(&['-', '+']) || is_all(&['=']) {
        return format!("\\{word}");
    }
    let digits = word.trim_end_matches(['.', ')']);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && digits.len() + 1 == word.len() {
        return format!("{digits}\\{}", &word[digits.len()..]);
    }
    word.to_owned()
}

/// As code: never broken, whatever stands in it.
pub(crate) fn code(words: &str) -> String {
    let line = text::one_line(&text::cut_bytes(words, text::TEXT_BYTES_MAX));
    let fence = "`".repeat(longest_run(&line, '`') + 1);
    let needs_blanks = line.starts_with('`') || line.ends_with('`') || line.is_empty();
    let blank = if needs_blanks { " " } else { "" };
    format!("{fence}{blank}{line}{blank}{fence}").replace(' ', &GLUE.to_string())
}

fn longest_run(text: &str, wanted: char) -> usize {
    let runs = text.split(|character| character != wanted);
    runs.map(|run| run.chars().count()).max().unwrap_or(0)
}

pub(crate) fn heading(words: &str) -> String {
    format!("\n## {words}\n\n")
}

pub(crate) fn paragraph(line: &str) -> String {
    wrapped(line, "", "", guarded)
}

pub(crate) fn item(line: &str) -> String {
    wrapped(line, "- ", "  ", guarded)
}

pub(crate) fn sub_item(line: &str) -> String {
    wrapped(line, "  - ", "    ", guarded)
}

/// The person's own words, with the line breaks and the markup that they gave them.
pub(crate) fn quoted(words: &str) -> String {
    let mut lines = words.trim().lines();
    let mut quoted: String = lines
        .by_ref()
        .take(QUOTED_LINES_MAX)
        .map(|line| text::one_line(&text::cut_bytes(line, text::TEXT_BYTES_MAX)))
        .map(
            |line| if line.is_empty() { ">\n".to_owned() } else { wrapped(&line, "> ", "> ", str::to_owned) },
        )
        .collect();
    let more = lines.count();
    if more > 0 {
        quoted.push_str(&format!("> … {}\n", text::count(more, "more line", "more lines")));
    }
    quoted
}

/// Each command on a line of its own, to be copied.
pub(crate) fn block(commands: &[String]) -> String {
    if commands.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = commands.iter().map(|command| text::one_line(command)).collect();
    let longest = lines.iter().map(|line| longest_run(line, '`')).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}sh\n{}\n{fence}\n", lines.join("\n"))
}

/// A name and its secret are masked together, or not at all.
fn names_a_secret(word: &str) -> bool {
    let names = ["bearer", "basic", "token", "secret", "password", "passwd", "passphrase", "key"];
    let name = word.trim_end_matches([':', '=', '`']).to_lowercase();
    name.is_empty() || names.iter().any(|end| name.ends_with(end))
}

/// `start` is asked about each word that a line begins with.
fn wrapped(line: &str, first: &str, rest: &str, start: fn(&str) -> String) -> String {
    let mut wrapped = first.to_owned();
    let mut used = first.len();
    let mut is_at_start = true;
    let mut before = "";
    for word in line.split_whitespace() {
        let columns = text::columns(&word.replace(GLUE, " "));
        let clings = names_a_secret(std::mem::replace(&mut before, word));
        if !is_at_start && !clings && used + 1 + columns > COLUMNS_MAX {
            wrapped.push('\n');
            wrapped.push_str(rest);
            used = rest.len();
            is_at_start = true;
        }
        if is_at_start {
            wrapped.push_str(&start(word));
        } else {
            wrapped.push(' ');
            wrapped.push_str(word);
            used += 1;
        }
        used += columns;
        is_at_start = false;
    }
    wrapped.push('\n');
    wrapped.replace(GLUE, " ")
}
