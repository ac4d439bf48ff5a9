//! A fixed time where the goal asks to wait for something.

use std::collections::BTreeSet;

use super::super::Language;
use super::super::scan::{close_of, indent_of, is_word};
use super::super::support::file_of;
use super::super::tokens::{Lexeme, closing, outside_brackets, tokens};
use super::Product;

/// `time.sleep(0.5)` in no loop: a loop may ask again. What the goal says of times, about this file or with this number, is
/// `timed`.
pub(super) fn timed_wait(Product { path, file, gained }: &Product<'_>, timed: &str) -> Option<usize> {
    let language = Language::from_path(path)?;
    let stem = file_of(path).split('.').next().unwrap_or_default().to_lowercase();
    if timed.split(|letter| !is_word(letter)).any(|word| word == stem) {
        return None;
    }
    let [_, now] = file.texts();
    let lines: Vec<&str> = now.lines().collect();
    let tokens = tokens(path, &now);
    let is_new: BTreeSet<usize> = gained.iter().map(|(line, _)| *line).collect();
    let numbers = timed.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let numbers: BTreeSet<&str> = numbers.map(|number| number.trim_end_matches('.')).collect();
    let is_wait = |at: usize| {
        let Lexeme { line, .. } = tokens[at];
        let word = tokens[at].word().unwrap_or_default();
        // A promise may begin in the line before.
        let promises =
            || lines[line.saturating_sub(2)..line].iter().any(|line| line.contains("new Promise("));
        let waits = word.eq_ignore_ascii_case("sleep")
            || (language == Language::Script && word == "setTimeout" && promises());
        let close = (at + 1 < tokens.len() && tokens[at + 1].is("(")).then(|| closing(&tokens, at + 1))??;
        let comma = outside_brackets(&tokens, at + 2..close).filter(|at| tokens[*at].is(",")).last();
        let last = &tokens[comma.map_or(at + 2, |comma| comma + 1)..close];
        let is_named = || last.iter().filter_map(Lexeme::literal).any(|value| numbers.contains(value));
        // A loop that looks at something else than a count and the time asks again.
        let is_once = || loops(&lines, line).all(|head| only_counts(&lines, head));
        (waits && is_new.contains(&line) && is_fixed(last) && is_once() && !is_named()).then_some(line)
    };
    (0..tokens.len()).find_map(is_wait)
}

/// Numbers and units (`200 * time.Millisecond`, `Duration::from_millis(50)`), a name up to a number (`Math.min(grace, 300)`), or a
/// number so many times (`0.05 * place`).
fn is_fixed(tokens: &[Lexeme]) -> bool {
    const UNITS: [&str; 12] = [
        "time", "Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "std", "Duration",
        "from_millis", "from_secs", "from_micros", "from_secs_f64",
    ];
    // They grow what a name holds, or say it in another unit.
    const FACTORS: [&str; 6] = ["2", "3", "60", "1000", "3600", "0.001"];
    let is_number = |token: &Lexeme| token.literal().is_some_and(|value| !value.starts_with('"'));
    let is_own =
        |token: &Lexeme| is_number(token) && !token.literal().is_some_and(|value| FACTORS.contains(&value));
    let mut words = tokens.iter().filter_map(Lexeme::word);
    let is_bound =
        words.clone().any(|word| word == "min") && !tokens.iter().any(|sign| sign.is("*") || sign.is("**"));
    let is_multiple = tokens
        .windows(2)
        .any(|pair| (pair[0].is("*") && is_own(&pair[1])) || (is_own(&pair[0]) && pair[1].is("*")));
    tokens.iter().any(is_number) && (is_bound || is_multiple || words.all(|word| UNITS.contains(&word)))
}

pub(super) fn is_in_loop(lines: &[&str], line: usize) -> bool {
    loops(lines, line).next().is_some()
}

/// The heads, from 0, of the loops that a line stands in; a loop may stand in the same line, too.
fn loops(lines: &[&str], line: usize) -> impl Iterator<Item = usize> {
    let mut depth = usize::MAX;
    let outer = (0..line).rev().filter(|at| lines.get(*at).is_some_and(|line| !line.trim().is_empty()));
    outer.filter(move |at| {
        let is_outer = indent_of(lines[*at]) < depth;
        depth = depth.min(indent_of(lines[*at]));
        is_outer && loop_head(lines[*at]).is_some()
    })
}

/// What stands behind `for` or `while`.
fn loop_head(line: &str) -> Option<&str> {
    const LOOPS: [&str; 5] = ["for", "while", "loop", "do", "until"];
    const MARGIN: [char; 4] = ['}', ' ', '\t', '('];
    let line = line.trim_start_matches(MARGIN).trim_start_matches("async ");
    let mut rests = LOOPS.iter().filter_map(|word| line.strip_prefix(word));
    rests.find(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// `for (let waited = 0; waited < grace; waited += 20)`, and nothing but a wait within.
fn only_counts(lines: &[&str], head: usize) -> bool {
    const CLOCKS: [&str; 6] =
        ["Date.now()", "time.time()", "monotonic()", "perf_counter()", "performance.now()", "Instant::now()"];
    const WAITS: [&str; 4] = ["sleep(", "Sleep(", "setTimeout(", "newPromise("];
    const STEPS: [&str; 4] = ["+=", "++", "-=", "--"];
    let rest = loop_head(lines[head]).unwrap_or_default().trim();
    let close = close_of(rest, 0, ['(', ')']).filter(|_| rest.starts_with('('));
    let end = close.map(|close| close + 1).or_else(|| rest.rfind([':', '{']));
    let (condition, inside) = rest.split_at(end.unwrap_or(rest.len()));
    let is_within = |line: &&&str| line.trim().is_empty() || indent_of(line) > indent_of(lines[head]);
    let body = lines[head + 1..].iter().take_while(is_within).copied();
    let body: Vec<String> = std::iter::once(inside).chain(body).map(|line| line.replace(' ', "")).collect();
    let is_idle = |line: &String| {
        let may_end = ["return", "break"].iter().any(|word| line.contains(word));
        let calls = line.trim_start_matches([')', '{']).contains('(');
        !may_end && (!calls || WAITS.iter().any(|wait| line.contains(wait)))
    };
    let mut parts = condition.split(';').skip(1);
    let (condition, step) = parts.next().zip(parts.next()).unwrap_or((condition, ""));
    let steps = body.concat() + &step.replace(' ', "");
    let is_counted =
        |word: &str| !word.is_empty() && STEPS.iter().any(|step| steps.contains(&format!("{word}{step}")));
    let looks_at_nothing = |part: &str| {
        CLOCKS.iter().any(|clock| part.contains(clock)) || part.split(|next| !is_word(next)).any(is_counted)
    };
    let condition = condition.replace(" and ", "&&").replace(" or ", "&&").replace("||", "&&");
    let is_range = ["in range(", "in 0.."].iter().any(|range| condition.contains(range));
    body.iter().all(is_idle) && (is_range || condition.split("&&").all(looks_at_nothing))
}
