//! What one line of a tool's own words says.
//!
//! Apart from the account because each tool has a form, and the account none.

use super::{Tool, ToolLine};

/// What cargo says of other things than the code.
const NOT_OF_THE_CODE: [&str; 6] = [
    "error: could not compile",
    "error: aborting due to",
    "error: build failed",
    "error: test failed",
    "error: doctest failed",
    "error: process didn't exit successfully",
];

/// What a line says, after the line before it, within what that tool said.
pub(super) fn read_line(line: &str, before: &str, open: Option<Tool>) -> Option<(Tool, ToolLine)> {
    closing(line, open)
        .or_else(|| rustc(line))
        .or_else(|| eslint(line))
        .or_else(|| tsc(line))
        .or_else(|| ruff(line, before))
        .or_else(|| compiler(line))
}

/// A tool's last line.
fn closing(line: &str, open: Option<Tool>) -> Option<(Tool, ToolLine)> {
    let text = line.trim();
    let stated = |errors| ToolLine::Ended { errors };
    if text == "All checks passed!" {
        return Some((Tool::Ruff, stated(0)));
    }
    if text.starts_with("Success: no issues found in ") {
        return Some((Tool::Mypy, stated(0)));
    }
    if let Some(rest) = text.strip_prefix("Found ") {
        let errors = number(rest)?;
        let rest = rest.split_once(" error")?.1.trim_start_matches('s');
        if rest.contains("(checked ") || rest.contains("(errors prevented") {
            return Some((Tool::Mypy, stated(errors)));
        }
        if rest.starts_with(" in ") {
            return Some((Tool::Tsc, stated(errors)));
        }
        let left =
            rest.strip_suffix(" remaining).").and_then(|rest| rest.rsplit(' ').next()).and_then(number);
        let is_end = rest == "." || left.is_some();
        let tool = open.filter(|tool| *tool == Tool::Tsc).unwrap_or(Tool::Ruff);
        return is_end.then(|| (tool, stated(left.unwrap_or(errors))));
    }
    let problems = text.strip_prefix("✖ ").or_else(|| text.strip_prefix("× "))?;
    let (errors, warnings) = problems.split_once(" problem")?.1.split_once('(')?.1.split_once(", ")?;
    number(warnings)?;
    Some((Tool::Eslint, stated(number(errors)?)))
}

fn rustc(line: &str) -> Option<(Tool, ToolLine)> {
    let is_summary = line.starts_with("warning: `") && line.contains("` (") && line.contains(" generated ");
    if is_summary || (line.starts_with("warning: ") && line.ends_with(" emitted")) {
        return None;
    }
    if line.starts_with("error: could not compile `") || line.trim_start().starts_with("Finished `") {
        return Some((Tool::Rustc, ToolLine::Ended { errors: 0 }));
    }
    if NOT_OF_THE_CODE.iter().any(|beginning| line.starts_with(beginning)) {
        return None;
    }
    let said = if line.starts_with("error: ") || line.starts_with("error[E") {
        ToolLine::Error
    } else if line.starts_with("warning: ") {
        ToolLine::Warning
    } else {
        return None;
    };
    Some((Tool::Rustc, said))
}

/// `  2:10  error    'y' is not defined  no-undef`
fn eslint(line: &str) -> Option<(Tool, ToolLine)> {
    let text = line.strip_prefix("  ")?.trim_start();
    let mut words = text.split_whitespace();
    let (row, column) = words.next()?.split_once(':')?;
    (is_number(row) && is_number(column)).then_some(())?;
    Some((Tool::Eslint, level(words.next()?)?))
}

/// `bad.ts(1,7): error TS2322: …`, `bad.ts:1:7 - error TS2322: …`, `error TS18003: …`
fn tsc(line: &str) -> Option<(Tool, ToolLine)> {
    let (before, after) = line.split_once("error TS")?;
    let is_code = after.split_once(':').is_some_and(|(code, _)| is_number(code));
    let is_place = before.is_empty() || before.ends_with("): ") || before.ends_with(" - ");
    (is_code && is_place).then_some((Tool::Tsc, ToolLine::Error))
}

/// `bad.py:1:8: F401 …`, or the head `F401 …` before ` --> bad.py:1:8`
fn ruff(line: &str, before: &str) -> Option<(Tool, ToolLine)> {
    if line.trim_start().starts_with("--> ") {
        let head = before.split(' ').next().unwrap_or_default();
        return (is_rule(head) || head == "invalid-syntax:").then_some((Tool::Ruff, ToolLine::Error));
    }
    let (place, message) = line.split_once(": ")?;
    let mut parts = place.rsplit(':');
    let is_place = parts.next().is_some_and(is_number) && parts.next().is_some_and(is_number);
    let rule = message.split(' ').next().unwrap_or_default();
    (is_place && parts.next().is_some() && (is_rule(rule) || rule == "invalid-syntax:"))
        .then_some((Tool::Ruff, ToolLine::Error))
}

/// `bad.py:5: error: …`, `main.c:3:9: warning: …`
fn compiler(line: &str) -> Option<(Tool, ToolLine)> {
    let (place, message) = line.split_once(": ")?;
    let last = place.rsplit(':').next()?;
    (is_number(last) && last.len() < place.len()).then_some(())?;
    let word = message.split([':', '[']).next()?;
    let tool =
        if message.contains("[E0") && message.starts_with("error[E") { Tool::Rustc } else { Tool::Compiler };
    Some((tool, level(word.trim_start_matches("fatal "))?))
}

fn level(word: &str) -> Option<ToolLine> {
    match word {
        "error" => Some(ToolLine::Error),
        "warning" => Some(ToolLine::Warning),
        _ => None,
    }
}

/// `F401`, `PLR0913`, `UP035`
fn is_rule(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let letters = word.len() - digits.len();
    (1..=5).contains(&letters) && (1..=5).contains(&digits.len()) && is_number(digits)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number that a text begins with.
fn number(text: &str) -> Option<u64> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}
