//! What a tool says in JSON: one value for all of it, or one a line.
//!
//! Apart from words because a value may go over many lines, and is read whole or not at all.

use serde_json::{Deserializer, Value};

use super::{Said, Tool};

/// What the value at the head of these bytes says, and how long it is; none where no tool is recognised in it.
pub(super) fn said(bytes: &[u8]) -> Option<(Vec<(Tool, Said)>, usize)> {
    let mut values = Deserializer::from_slice(bytes).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let said = of_value(&value)?;
    Some((said, values.byte_offset()))
}

fn of_value(value: &Value) -> Option<Vec<(Tool, Said)>> {
    if let Some(items) = value.as_array() {
        return of_items(items).map(|said| vec![said]);
    }
    if let Some(runs) = value.get("runs").and_then(Value::as_array) {
        return sarif(runs).map(|said| vec![(Tool::Sarif, said)]);
    }
    if let Some(reason) = value.get("reason").and_then(Value::as_str) {
        return match reason {
            "compiler-message" => Some(rustc(value.get("message")?).into_iter().collect()),
            "build-finished" => Some(vec![(Tool::Rustc, Said::Ended)]),
            "compiler-artifact" | "build-script-executed" => Some(Vec::new()),
            _ => None,
        };
    }
    if value.get("$message_type").is_some() {
        return Some(rustc(value).into_iter().collect());
    }
    one_of_python(value).map(|said| vec![said])
}

/// All that eslint or ruff found; an empty list says nobody's name.
fn of_items(items: &[Value]) -> Option<(Tool, Said)> {
    let first = items.first()?;
    if first.get("errorCount").is_some() {
        // A number that is none, or below zero, is no zero: then nobody was understood.
        let sum = |key: &str| {
            let counts: Option<Vec<u64>> = items.iter().map(|file| file.get(key)?.as_u64()).collect();
            counts.map(|counts| counts.into_iter().fold(0, u64::saturating_add))
        };
        let (errors, warnings) = (sum("errorCount")?, sum("warningCount")?);
        return Some((Tool::Eslint, Said::Stated { errors, warnings }));
    }
    let levels: Option<Vec<_>> = items.iter().map(|item| one_of_python(item).map(|(_, said)| said)).collect();
    let levels = levels?;
    let of = |level| levels.iter().filter(|said| **said == level).count() as u64;
    Some((Tool::Ruff, Said::Stated { errors: of(Said::Error), warnings: of(Said::Warning) }))
}

/// One finding of ruff's or mypy's.
fn one_of_python(value: &Value) -> Option<(Tool, Said)> {
    value.get("message")?.as_str()?;
    let tool = match (value.get("filename"), value.get("file"), value.get("line")) {
        (Some(_), _, _) if value.get("location").is_some() => Tool::Ruff,
        (_, Some(_), Some(_)) => Tool::Mypy,
        (_, _, _) => return None,
    };
    let said = match value.get("severity").and_then(Value::as_str) {
        Some("warning") => Said::Warning,
        // An older ruff says nothing of it: each of its findings fails the check.
        Some("error") | None => Said::Error,
        Some(_) => return None,
    };
    Some((tool, said))
}

/// One diagnostic of rustc's; what it sums up ("aborting due to …") has no place in the code.
fn rustc(message: &Value) -> Option<(Tool, Said)> {
    let has_place = message.get("spans").and_then(Value::as_array).is_some_and(|spans| !spans.is_empty());
    let has_code = message.get("code").is_some_and(|code| !code.is_null());
    let sums_up = message
        .get("message")
        .and_then(Value::as_str)
        .is_none_or(|text| text.starts_with("aborting due to") || text.ends_with(" emitted"));
    if sums_up && !has_place && !has_code {
        return None;
    }
    let said = match message.get("level")?.as_str()? {
        "error" | "error: internal compiler error" => Said::Error,
        "warning" => Said::Warning,
        _ => return None,
    };
    Some((Tool::Rustc, said))
}

/// All runs of a log. A result has its own level, else its rule's, else it is a warning (SARIF 2.1.0 §3.27.10). A run
/// without a list of results did not come to an end (§3.14.23), and a log without a run is nobody's.
fn sarif(runs: &[Value]) -> Option<Said> {
    let (mut errors, mut warnings) = (0_u64, 0_u64);
    runs.first()?;
    for run in runs {
        for result in run.get("results")?.as_array()? {
            let is_suppressed =
                result.get("suppressions").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
            let fails = result.get("kind").and_then(Value::as_str).is_none_or(|kind| kind == "fail");
            if is_suppressed || !fails {
                continue;
            }
            match result.get("level").and_then(Value::as_str).or_else(|| level_of_rule(run, result)) {
                Some("error") => errors += 1,
                Some("warning") | None => warnings += 1,
                Some(_) => {}
            }
        }
    }
    Some(Said::Stated { errors, warnings })
}

fn level_of_rule<'v>(run: &'v Value, result: &Value) -> Option<&'v str> {
    let id = result.get("ruleId").and_then(Value::as_str)?;
    let rules = run.pointer("/tool/driver/rules").and_then(Value::as_array)?;
    let rule = rules.iter().find(|rule| rule.get("id").and_then(Value::as_str) == Some(id))?;
    rule.pointer("/defaultConfiguration/level").and_then(Value::as_str)
}
