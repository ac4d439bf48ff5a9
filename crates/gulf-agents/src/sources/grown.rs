//! Settings and scripts that a candidate only added to: all that they said still stands there.

mod functions;
mod scripts;

pub use functions::changed_functions;
pub use scripts::is_grown_script;

use super::Changed;
use super::configuration::{
    self, FieldChange, Form, SCRIPT_RUNNERS, VALUE_CHARS_MAX, begins_with_any, changes, is_called,
};
use super::linters;
use super::support::file_of;

/// Who reads what was added to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GrownSettings {
    /// Linters and type checkers alone.
    OfLinters,
    /// Test runners, too.
    OfRunners,
}

/// Who reads what was added to this file, where nothing else of it changed; none where anybody else does.
pub fn grown_settings(path: &str, file: &Changed) -> Option<GrownSettings> {
    let form = configuration::form_of(path).or_else(|| linters::form_of(path))?;
    let sides = (file.base.as_deref(), file.candidate.as_deref());
    let differing = changes(path, form, sides, |_, _, _| true);
    let reader = |change: &FieldChange| {
        if linters::is_watched(path, &change.field) {
            Some(GrownSettings::OfLinters)
        } else {
            is_of_runners(path, form, &change.field).then_some(GrownSettings::OfRunners)
        }
        .filter(|_| has_grown(change))
    };
    differing.iter().map(reader).collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// What is more than settings of a runner, such as commands and plugins that every program loads, is none of it.
fn is_of_runners(path: &str, form: Form, field: &str) -> bool {
    const FILES: [&str; 13] = [
        "jest.config.*", "vitest.config.*", "vitest.workspace.*", "vite.config.*", "ava.config.*",
        "playwright.config.*", ".mocharc*", ".nycrc*", ".c8rc*", ".coveragerc", "pytest.toml",
        ".pytest.toml", "nextest.toml",
    ];
    match form {
        Form::Whole => is_called(file_of(path), &FILES),
        Form::PackageJson => begins_with_any(field, &SCRIPT_RUNNERS),
        Form::Cargo | Form::GoMod | Form::CMake => false,
        Form::PyProject => begins_with_any(field, &["tool.pytest", "tool.coverage"]),
        Form::Ini(_) => {
            ["pytest", "tool:pytest", "coverage"].iter().any(|section| field.starts_with(section))
        }
    }
}

/// Do the words and signs that were there all stand in the new value, in their order?
fn has_grown(change: &FieldChange) -> bool {
    let is_whole = |value: &str| value.chars().count() < VALUE_CHARS_MAX;
    let (Some(new), old) = (&change.new, change.old.as_deref().unwrap_or_default()) else { return false };
    let mut new_parts = parts(new);
    is_whole(new) && is_whole(old) && parts(old).all(|part| new_parts.any(|other| other == part))
}

/// Words, and each sign by itself.
fn parts(value: &str) -> impl Iterator<Item = &str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let runs = value.split_inclusive(move |letter: char| !is_word(letter));
    let parts = runs.flat_map(move |run| {
        let sign = run.chars().next_back().filter(|last| !is_word(*last)).map_or(0, char::len_utf8);
        <[&str; 2]>::from(run.split_at(run.len() - sign))
    });
    parts.filter(|part| !part.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(path: &str, old: Option<&str>, new: &str) -> Option<GrownSettings> {
        let bytes = |text: &str| text.as_bytes().to_vec();
        grown_settings(path, &Changed { base: old.map(bytes), candidate: Some(bytes(new)) })
    }

    #[test]
    fn settings_of_runners_grow() {
        const RUNNERS: Option<GrownSettings> = Some(GrownSettings::OfRunners);
        assert_eq!(grown("pytest.ini", None, "[pytest]\ntestpaths = tests\naddopts = -ra\n"), RUNNERS);
        let old = "[project]\nname = 'a'\n[tool.pytest.ini_options]\naddopts = '-q'\nmarkers = ['slow']\n";
        let with = |from: &str, to: &str| grown("pyproject.toml", Some(old), &old.replace(from, to));
        assert_eq!(with("-q", "-q --strict-markers"), RUNNERS);
        assert_eq!(with("'slow'", "'slow', 'net: uses it'"), RUNNERS);
        assert_eq!(with("-q", "-x"), None, "another value");
        assert_eq!(with("addopts = '-q'\n", ""), None, "a value less");
        assert_eq!(with("'a'", "'b'"), None, "something of others");
        assert_eq!(with("-q", "-q"), None, "nothing");
        let old = "export default { test: { include: ['a'] } }\n";
        let more = old.replace("['a']", "['a', 'b'], globals: false");
        assert_eq!(grown("vitest.config.ts", Some(old), &more), RUNNERS);
        assert_eq!(grown("vitest.config.ts", Some(old), &old.replace("['a']", "['b']")), None);
        let package = r#"{"name":"a","scripts":{"test":"jest"},"jest":{"bail":1}}"#;
        let with = |from: &str, to: &str| grown("package.json", Some(package), &package.replace(from, to));
        assert_eq!(with("1}", r#"1,"verbose":true}"#), RUNNERS);
        assert_eq!(with("\"jest\"}", "\"jest --bail\"}"), None, "a command");
    }

    #[test]
    fn settings_of_linters_grow() {
        const LINTERS: Option<GrownSettings> = Some(GrownSettings::OfLinters);
        let manifest = "[package]\nname = 'a'\n";
        let with = |more: &str| grown("Cargo.toml", Some(manifest), &format!("{manifest}{more}"));
        assert_eq!(with("[lints.rust]\nunused = 'warn'\n"), LINTERS);
        assert_eq!(with("[lib]\ntest = false\n"), None);
        assert_eq!(grown("ruff.toml", None, "line-length = 100\n"), LINTERS);
        let both = "[tool.ruff]\nfix = true\n[tool.pytest.ini_options]\nminversion = '8'\n";
        assert_eq!(grown("pyproject.toml", None, both), Some(GrownSettings::OfRunners));
    }

    #[test]
    fn commands_are_no_settings() {
        assert_eq!(grown("Makefile", Some("test:\n\tpytest\n"), "test:\n\ttrue || pytest\n"), None);
        assert_eq!(grown("setup.cfg", None, "[testenv]\ncommands = true\n"), None);
    }
}
