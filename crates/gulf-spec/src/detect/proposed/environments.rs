//! Commands that tox and nox run in environments of their own.
//!
//! It stands apart because those tools install things first: only their commands are proposed, as they run in the
//! environment that is there.

use super::super::Project;
use super::{Step, place, steps};

/// `commands` of `[testenv]`, in tox.ini, tox.toml or pyproject.toml.
pub(super) fn tox(project: &Project<'_>) -> Vec<Step> {
    for file in ["tox.ini", "setup.cfg"] {
        let Some(text) = project.text(file) else { continue };
        let found = kept(ini_commands(&text), file, &text);
        if !found.is_empty() {
            return found;
        }
    }
    for (file, path) in [("tox.toml", &[][..]), ("pyproject.toml", &["tool", "tox"][..])] {
        let Some(text) = project.text(file) else { continue };
        let table: toml::Table = text.parse().unwrap_or_default();
        let mut at = Some(&table);
        for key in path {
            at = at.and_then(|table| table.get(*key)).and_then(toml::Value::as_table);
        }
        let Some(settings) = at else { continue };
        let legacy = settings.get("legacy_tox_ini").and_then(toml::Value::as_str).map(ini_commands);
        let found = kept(legacy.unwrap_or_else(|| toml_commands(settings)), file, &text);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// `session.run("pytest", "-q")` in noxfile.py, where every word stands there.
pub(super) fn nox(project: &Project<'_>) -> Vec<Step> {
    let Some(text) = project.text("noxfile.py") else { return Vec::new() };
    let calls = text.split("session.run(").skip(1).filter_map(|rest| rest.split_once(')'));
    let commands = calls.filter_map(|(arguments, _)| {
        let words =
            arguments.split(',').map(str::trim).filter(|word| !word.is_empty() && !word.contains('='));
        words.map(string).collect::<Option<Vec<_>>>().map(|words| words.join(" "))
    });
    kept(commands.collect(), "noxfile.py", &text)
}

/// A literal of Python's without anything that a shell would take apart.
fn string(word: &str) -> Option<&str> {
    let inner = ['"', '\''].into_iter().find_map(|quote| word.strip_prefix(quote)?.strip_suffix(quote))?;
    (!inner.contains([' ', '"', '\'', '\\', '{'])).then_some(inner)
}

fn kept(commands: Vec<String>, file: &str, text: &str) -> Vec<Step> {
    let step = |command: String| {
        let kind = steps::kind(&command)?;
        let first = command.split_whitespace().next().unwrap_or_default();
        let why = place(file, text, first);
        Some(Step { kind, command, why })
    };
    commands.into_iter().filter_map(step).collect()
}

/// Below `commands =` of `[testenv]`, without what a caller may add.
fn ini_commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let (mut is_in_section, mut is_in_commands) = (false, false);
    for line in text.lines() {
        if line.starts_with('[') {
            is_in_section = ["[testenv]", "[tox:testenv]"].contains(&line.trim());
            is_in_commands = false;
        } else if line.starts_with([' ', '\t']) {
            if is_in_commands {
                commands.push(line.trim().to_owned());
            }
        } else {
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            is_in_commands = is_in_section && key.trim() == "commands";
            if is_in_commands && !value.trim().is_empty() {
                commands.push(value.trim().to_owned());
            }
        }
    }
    commands.iter().map(|command| without_additions(command)).collect()
}

/// `commands = [["pytest", "-q"]]` of `env_run_base`.
fn toml_commands(settings: &toml::Table) -> Vec<String> {
    let base = settings.get("env_run_base").and_then(|base| base.get("commands"));
    let Some(commands) = base.and_then(toml::Value::as_array) else { return Vec::new() };
    let words = |command: &toml::Value| {
        let words = command.as_array()?.iter().filter(|word| !word.is_table());
        let words: Option<Vec<&str>> = words.map(toml::Value::as_str).collect();
        Some(without_additions(&words?.join(" ")))
    };
    commands.iter().filter_map(words).collect()
}

/// `{posargs}` is what a caller adds; a leading `-` forgives a failure.
fn without_additions(command: &str) -> String {
    let mut plain = command.trim_start_matches("- ").to_owned();
    while let Some(start) = plain.find("{posargs") {
        let Some(length) = plain[start..].find('}') else { break };
        plain.replace_range(start..=start + length, "");
    }
    plain.trim().to_owned()
}
