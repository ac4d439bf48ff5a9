//! Commands that tox and nox run in environments of their own.
//!
//! Those tools install things first: where they do, the tool itself is proposed, and its command, as it runs in the
//! environment that is there, where the tool is not installed.

use super::super::{CheckKind, DetectedCheck, ProjectFiles};
use super::{place, steps};

/// `commands` of `[testenv]`, in tox.ini, tox.toml or pyproject.toml.
pub(super) fn tox(project: &ProjectFiles<'_>) -> Vec<DetectedCheck> {
    let files: [(&str, CommandReader); 4] = [
        ("tox.ini", |text| Some(of_ini(text))),
        ("setup.cfg", |text| Some(of_ini(text))),
        ("tox.toml", |text| of_toml(text, &[])),
        ("pyproject.toml", |text| of_toml(text, &["tool", "tox"])),
    ];
    let found = files.iter().find_map(|(file, read)| {
        let text = project.text(file)?;
        let (commands, installs) = read(&text)?;
        let found = kept(commands, file, &text);
        (!found.is_empty()).then(|| if installs { within(TOX, found) } else { found })
    });
    found.unwrap_or_default()
}

/// Commands, and whether something is installed before they run.
type Commands = (Vec<String>, bool);
type CommandReader = fn(&str) -> Option<Commands>;

fn of_ini(text: &str) -> Commands {
    (ini_commands(text, "commands"), !ini_commands(text, "deps").is_empty())
}

/// Of the table at this path.
fn of_toml(text: &str, path: &[&str]) -> Option<Commands> {
    let table: toml::Table = text.parse().unwrap_or_default();
    let settings = path.iter().try_fold(&table, |table, key| table.get(*key)?.as_table())?;
    let base = settings.get("env_run_base");
    Some(match settings.get("legacy_tox_ini").and_then(toml::Value::as_str) {
        Some(legacy) => of_ini(legacy),
        None => (toml_commands(base), base.is_some_and(|base| base.get("deps").is_some())),
    })
}

/// `session.run("pytest", "-q")` in noxfile.py, where every word stands there.
pub(super) fn nox(project: &ProjectFiles<'_>) -> Vec<DetectedCheck> {
    let Some(text) = project.text("noxfile.py") else { return Vec::new() };
    // Each session is a function, and calls what it is given.
    let sessions = text.split("\ndef ").skip(1).filter_map(|function| function.split_once('('));
    let steps = sessions.flat_map(|(name, body)| {
        let calls = body.split("session.run(").skip(1).filter_map(|rest| rest.split_once(')'));
        let commands = calls.filter_map(|(arguments, _)| {
            let words =
                arguments.split(',').map(str::trim).filter(|word| !word.is_empty() && !word.contains('='));
            words.map(string).collect::<Option<Vec<_>>>().map(|words| words.join(" "))
        });
        let found = kept(commands.collect(), "noxfile.py", &text);
        if body.contains("session.install(") { within(&format!("nox -s {name}"), found) } else { found }
    });
    steps.collect()
}

/// The environment of the Python that is there.
const TOX: &str = "tox -e py";

/// Tests whose environment has to be installed run within it, all at once.
fn within(tool: &str, found: Vec<DetectedCheck>) -> Vec<DetectedCheck> {
    let (tests, mut others): (Vec<DetectedCheck>, Vec<DetectedCheck>) =
        found.into_iter().partition(|step| step.kind == CheckKind::Test);
    let commands: Vec<&str> = tests.iter().map(|step| step.command.as_str()).collect();
    let otherwise = Some(commands.join(" && "));
    if let Some(first) = tests.into_iter().next() {
        others.insert(0, DetectedCheck { command: tool.to_owned(), otherwise, ..first });
    }
    others
}

/// A literal of Python's without anything that a shell would take apart.
fn string(word: &str) -> Option<&str> {
    let inner = ['"', '\''].into_iter().find_map(|quote| word.strip_prefix(quote)?.strip_suffix(quote))?;
    (!inner.contains([' ', '"', '\'', '\\', '{'])).then_some(inner)
}

fn kept(commands: Vec<String>, file: &str, text: &str) -> Vec<DetectedCheck> {
    let step = |command: String| {
        let kind = steps::kind(&command)?;
        let first = command.split_whitespace().next().unwrap_or_default();
        let why = place(file, text, first);
        Some(DetectedCheck::new(kind, command, why))
    };
    commands.into_iter().filter_map(step).collect()
}

/// Below `commands =` or another key of `[testenv]`, without what a caller may add.
fn ini_commands(text: &str, wanted: &str) -> Vec<String> {
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
            is_in_commands = is_in_section && key.trim() == wanted;
            if is_in_commands && !value.trim().is_empty() {
                commands.push(value.trim().to_owned());
            }
        }
    }
    commands.iter().map(|command| without_additions(command)).collect()
}

/// `commands = [["pytest", "-q"]]` of `env_run_base`.
fn toml_commands(base: Option<&toml::Value>) -> Vec<String> {
    let commands = base.and_then(|base| base.get("commands"));
    let Some(commands) = commands.and_then(toml::Value::as_array) else { return Vec::new() };
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
