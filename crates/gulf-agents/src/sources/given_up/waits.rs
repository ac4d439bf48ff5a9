//! A fixed time where the goal asks to wait for something.

use std::collections::BTreeSet;

use super::super::Language;
use super::super::scan::indent_of;
use super::super::tokens::{Lexeme, closing, tokens};
use super::Product;

/// `time.sleep(0.5)` in no loop: a loop may ask again.
pub(super) fn timed_wait(Product { path, file, gained }: &Product<'_>) -> Option<usize> {
    let language = Language::from_path(path)?;
    let [_, now] = file.texts();
    let lines: Vec<&str> = now.lines().collect();
    let tokens = tokens(path, &now);
    let is_new: BTreeSet<usize> = gained.iter().map(|(line, _)| *line).collect();
    let is_wait = |at: usize| {
        let word = tokens[at].word().unwrap_or_default();
        let promises = || lines.get(tokens[at].line - 1).is_some_and(|line| line.contains("new Promise("));
        let waits = word.eq_ignore_ascii_case("sleep")
            || (language == Language::Script && word == "setTimeout" && promises());
        let close = (at + 1 < tokens.len() && tokens[at + 1].is("(")).then(|| closing(&tokens, at + 1))??;
        let inside = &tokens[at + 2..close];
        let last = inside.rsplit(|token| token.is(",")).next()?;
        (waits && is_new.contains(&tokens[at].line) && is_fixed(last) && !is_in_loop(&lines, tokens[at].line))
            .then_some(tokens[at].line)
    };
    (0..tokens.len()).find_map(is_wait)
}

/// Nothing but numbers and units: `200 * time.Millisecond`, `Duration::from_millis(50)`.
fn is_fixed(tokens: &[Lexeme]) -> bool {
    const UNITS: [&str; 12] = [
        "time", "Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "std", "Duration",
        "from_millis", "from_secs", "from_micros", "from_secs_f64",
    ];
    let has_number = tokens.iter().any(|token| token.literal().is_some_and(|value| !value.starts_with('"')));
    has_number && tokens.iter().filter_map(Lexeme::word).all(|word| UNITS.contains(&word))
}

pub(super) fn is_in_loop(lines: &[&str], line: usize) -> bool {
    const LOOPS: [&str; 5] = ["for", "while", "loop", "do", "until"];
    let mut depth = lines.get(line - 1).map_or(0, |line| indent_of(line));
    let outer = lines[..line - 1].iter().rev().filter(|line| !line.trim().is_empty()).filter(|line| {
        let is_outer = indent_of(line) < depth;
        depth = depth.min(indent_of(line));
        is_outer
    });
    const MARGIN: [char; 4] = ['}', ' ', '\t', '('];
    let begins = |line: &str| {
        let mut rests = LOOPS.iter().filter_map(|word| line.strip_prefix(word));
        rests.any(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let mut outer = outer.map(|line| line.trim_start_matches(MARGIN).trim_start_matches("async "));
    // A loop may stand in the same line, too.
    lines.get(line - 1).is_some_and(|line| begins(line.trim_start_matches(MARGIN))) || outer.any(begins)
}
