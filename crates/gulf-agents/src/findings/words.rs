//! What one line of a tool's own words says.
//!
//! Apart from the account because each tool has a form, and the account none.

use super::{Tool, ToolLine};
use crate::patterns::form;

/// What cargo says of other things than the code.
const NOT_OF_THE_CODE: [&str; 6] = [
    "error: could not compile",
    "error: aborting due to",
    "error: build failed",
    "error: test failed",
    "error: doctest failed",
    "error: process didn't exit successfully",
];

/// `F401`, `PLR0913`, `UP035`
const RULE: &str = "(?:[A-Z]{1,5}[0-9]{1,5}|invalid-syntax:)(?: |$)";

/// What a line says, after the line before it, within what that tool said.
pub(super) fn read_line(line: &str, before: &str, open: Option<Tool>) -> Option<(Tool, ToolLine)> {
    closing(line, open).or_else(|| rustc(line)).or_else(|| finding(line, before))
}

fn finding(line: &str, before: &str) -> Option<(Tool, ToolLine)> {
    // The head `F401 …` before ` --> bad.py:1:8`
    if line.trim_start().starts_with("--> ") && form!(&format!("^{RULE}")).is_match(before) {
        return Some((Tool::Ruff, ToolLine::Error));
    }
    // A place ends before the first colon with a blank.
    const PLACE: &str = "^(?:[^:]|:+[^ :])*:*";
    // As each tool writes it, with its level where it names one.
    let forms = [
        // `  2:10  error    'y' is not defined  no-undef`
        (Tool::Eslint, form!("^  [ \t]*[0-9]+:[0-9]+[ \t]+(error|warning)(?:[ \t]|$)")),
        // `bad.ts(1,7): error TS2322: …`, `bad.ts:1:7 - error TS2322: …`, `error TS18003: …`
        (Tool::Tsc, form!(r"^(?:.*(?:\): | - ))?error TS[0-9]+:")),
        // `bad.py:1:8: F401 …`
        (Tool::Ruff, form!(&format!("{PLACE}:[0-9]+:[0-9]+: {RULE}"))),
        (Tool::Rustc, form!(&format!(r"{PLACE}:[0-9]+: error\[E0"))),
        // `bad.py:5: error: …`, `main.c:3:9: warning: …`
        (Tool::Compiler, form!(&format!(r"{PLACE}:[0-9]+: (?:fatal )*(error|warning)(?:[:\[]|$)"))),
    ];
    let (tool, found) = forms.into_iter().find_map(|(tool, form)| Some((tool, form.captures(line)?)))?;
    let is_warning = found.get(1).is_some_and(|level| level.as_str() == "warning");
    Some((tool, if is_warning { ToolLine::Warning } else { ToolLine::Error }))
}

/// A tool's last line.
fn closing(line: &str, open: Option<Tool>) -> Option<(Tool, ToolLine)> {
    // What ruff says in the end, tsc says as well.
    let either = open.filter(|tool| *tool == Tool::Tsc).unwrap_or(Tool::Ruff);
    let forms = [
        (Tool::Ruff, form!("^All checks passed!$")),
        (Tool::Mypy, form!("^Success: no issues found in ")),
        (Tool::Mypy, form!(r"^Found ([0-9]+) error.*\((?:checked |errors prevented)")),
        (Tool::Tsc, form!("^Found ([0-9]+) errors? in ")),
        (either, form!(r"^Found [0-9]+ error.* ([0-9]+) remaining\)\.$")),
        (either, form!(r"^Found ([0-9]+) errors?\.$")),
        (Tool::Eslint, form!(r"^[✖×] [0-9]+ problems? \(([0-9]+)[^,]*, [0-9]")),
    ];
    let line = line.trim();
    let (tool, found) = forms.into_iter().find_map(|(tool, form)| Some((tool, form.captures(line)?)))?;
    let errors = found.get(1).map_or(Some(0), |number| number.as_str().parse().ok())?;
    Some((tool, ToolLine::Ended { errors }))
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
