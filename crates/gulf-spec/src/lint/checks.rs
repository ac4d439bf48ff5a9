//! Checks that are not there, cannot say no, or swallow the no of another.
//!
//! Apart because this looks at shell commands as text.

use super::{Finding, LintMaterial, Rule, quoted};
use crate::config::Config;
use crate::progress::even;
use crate::rubric::Rubric;

/// Programs that end well whatever they are fed.
const SWALLOWING: [&str; 14] =
    ["awk", "cat", "column", "cut", "head", "less", "more", "nl", "sed", "sort", "tail", "tee", "tr", "uniq"];
/// Commands that end well.
const ALWAYS_GREEN: [&str; 4] = ["true", ":", "exit 0", "/bin/true"];
/// Programs that only print.
const PRINTING: [&str; 2] = ["echo", "printf"];

/// The commands that somebody wrote down.
pub(super) fn commands<'c>(config: Option<&'c Config>, rubric: &'c Rubric) -> Vec<&'c str> {
    let settings = config.into_iter().flat_map(|config| &config.checks).map(|check| check.command.as_str());
    rubric.checks.iter().map(|check| check.text.as_str()).chain(settings).collect()
}

pub(super) fn findings(material: &LintMaterial<'_>, rubric: &Rubric) -> Vec<Finding> {
    let mut findings: Vec<Finding> = missing(material, rubric).into_iter().collect();
    if let Some(source) = material.rubric {
        for check in &rubric.checks {
            findings.extend(weakness(&check.text, source.place(check.span)));
        }
    }
    for check in material.config.into_iter().flat_map(|config| &config.checks) {
        findings.extend(weakness(&check.command, check.origin.to_string()));
    }
    findings
}

fn missing(material: &LintMaterial<'_>, rubric: &Rubric) -> Option<Finding> {
    if material.further_checks > 0 || !commands(material.config, rubric).is_empty() {
        return None;
    }
    let hint = "`gulf init` looks for checks and writes them down";
    Some(if !material.detected.is_empty() {
        let found = quoted(&material.detected.join(", "));
        let message = format!("no check is named; a start would take what it finds: {found}");
        Finding::warning(Rule::NoCheck, None, message, hint)
    } else if !rubric.criteria.is_empty() {
        Finding::warning(Rule::NoCheck, None, "no command checks the work, only a judge".to_owned(), hint)
    } else if !material.proposed.is_empty() {
        let found = material.proposed.join("; ");
        let hint = "`gulf run --detected` takes that, `gulf init --detected` tries it and writes it down";
        let message = format!("no check is named; found, but used only if you agree: {found}");
        Finding::error(Rule::NoCheck, None, message, hint)
    } else {
        let message = "no check: nothing can tell whether the work is done".to_owned();
        Finding::error(Rule::NoCheck, None, message, hint)
    })
}

fn weakness(command: &str, place: String) -> Option<Finding> {
    let command = even(command);
    if cannot_fail(&command) {
        let message = format!("`{}` cannot fail, so it checks nothing", quoted(&command));
        let hint = "let the exit code tell success from failure";
        return Some(Finding::error(Rule::CheckCannotFail, Some(place), message, hint));
    }
    let last = swallowing(&command)?;
    let message = format!("`{}` exits as `{last}` does, whatever comes before it", quoted(&command));
    let hint = format!("remove `| {last}`; the log is kept anyway");
    Some(Finding::warning(Rule::CheckHidesFailure, Some(place), message, &hint))
}

/// Whether a command ends with 0 whatever happens, as far as its text shows.
fn cannot_fail(command: &str) -> bool {
    let parts = operators(command);
    let is_green = |text: &str| ALWAYS_GREEN.contains(&text.trim());
    match parts.last() {
        Some((ListOperator::Or | ListOperator::Then, last)) => is_green(last),
        Some((ListOperator::Background, last)) => last.trim().is_empty(),
        Some((ListOperator::And | ListOperator::Pipe, _)) => false,
        None => {
            let program = command.split(' ').next().unwrap_or_default();
            is_green(command) || (PRINTING.contains(&program) && !command.contains(['$', '`']))
        }
    }
}

/// The last program of a pipe, where it swallows what the others say.
fn swallowing(command: &str) -> Option<&str> {
    let (ListOperator::Pipe, last) = *operators(command).last()? else { return None };
    let program = last.split_whitespace().next()?;
    (SWALLOWING.contains(&program) && !command.contains("pipefail")).then_some(program)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListOperator {
    Or,
    And,
    Then,
    Pipe,
    Background,
}

/// The operators of a command outside quotes, brackets and escapes, each with what stands behind it up to the next.
fn operators(command: &str) -> Vec<(ListOperator, &str)> {
    let mut found: Vec<(ListOperator, usize, usize)> = Vec::new();
    let mut quote = None;
    let mut depth = 0_usize;
    let mut characters = command.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some('"') | None, '\\') => {
                characters.next();
            }
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(character),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => depth = depth.saturating_sub(1),
            (None, '|' | '&' | ';') if depth == 0 => {
                let doubled = characters.next_if(|(_, next)| *next == character).is_some();
                // `2>&1` and `&>log` are no operators.
                let redirects = character == '&'
                    && !doubled
                    && (command[..at].ends_with('>') || command[at + 1..].starts_with('>'));
                let operator = match (character, doubled) {
                    ('|', true) => ListOperator::Or,
                    ('|', false) => ListOperator::Pipe,
                    ('&', true) => ListOperator::And,
                    ('&', false) => ListOperator::Background,
                    _ => ListOperator::Then,
                };
                if !redirects {
                    found.push((operator, at, at + if doubled { 2 } else { 1 }));
                }
            }
            (None, _) => {}
        }
    }
    let ends = found.iter().skip(1).map(|(_, start, _)| *start).chain([command.len()]);
    found.iter().zip(ends).map(|((operator, _, from), to)| (*operator, &command[*from..to])).collect()
}
