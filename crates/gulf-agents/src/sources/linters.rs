//! Which settings of linters and type checkers a candidate changed.
//!
//! It counts only where somebody looks at findings, be it a check or the number that steers a loop: there the
//! shortest way to fewer of them is to look for fewer.

use super::configuration::{FieldChange, Form, begins_with_any, changes, is_called};
use super::support::file_of;

/// Is this file made of settings of linters?
pub fn is_linter_configuration(path: &str) -> bool {
    form_of(path).is_some()
}

/// Every field of a file that decides what a linter looks for, where base and candidate differ.
///
/// `None` is a file that is not there. A file that cannot be read as what it is counts as a whole.
pub fn linter_configuration(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Vec<FieldChange> {
    let Some(form) = form_of(path) else { return Vec::new() };
    changes(path, form, (old, new), |name, _, _| is_watched(path, name))
}

/// Does this field of the file decide what a linter looks for?
pub(super) fn is_watched(path: &str, name: &str) -> bool {
    let begins = |prefixes| begins_with_any(name, prefixes);
    form_of(path).is_some_and(|form| match form {
        Form::Whole => true,
        Form::PackageJson => begins(&["eslintConfig", "eslintIgnore", "stylelint", "biome", "xo"]),
        Form::Cargo => begins(&["lints", "workspace.lints"]),
        Form::PyProject => begins(&[
            "tool.ruff", "tool.mypy", "tool.pyright", "tool.basedpyright", "tool.pylint", "tool.flake8",
        ]),
        Form::GoMod | Form::CMake => false,
        Form::Ini(sections) => sections.iter().any(|section| name.starts_with(section)),
    })
}

/// Who reads the settings in this file.
pub fn linter_programs(path: &str) -> &'static [&'static str] {
    let file = file_of(path);
    READERS.iter().find(|(names, _)| is_called(file, names)).map_or(PYTHON, |(_, programs)| programs)
}

/// Other files are Python's.
const READERS: [(&[&str], &[&str]); 9] = [
    (
        &["tsconfig.*", "jsconfig.*"],
        &["tsc", "tsgo", "vue-tsc", "svelte-check", "tsd", "ts-jest", "astro", "next"],
    ),
    (
        &["eslint*", ".eslint*", ".oxlint*", "biome*", "package.json"],
        &["eslint", "eslint_d", "oxlint", "biome", "xo", "standard", "stylelint", "next"],
    ),
    (&["stylelint*", ".stylelint*"], &["stylelint"]),
    (&["clippy*", ".clippy*"], &["clippy", "cargo-clippy"]),
    (&["rustfmt*", ".rustfmt*"], &["rustfmt", "cargo-fmt", "fmt"]),
    (&[".prettier*"], &["prettier"]),
    // What `[lints]` denies, every build refuses.
    (&["Cargo.toml"], &["clippy", "cargo-clippy", "cargo", "rustdoc"]),
    (&[".golangci.*"], &["golangci-lint"]),
    (&[".shellcheckrc"], &["shellcheck"]),
];
const PYTHON: &[&str] = &[
    "ruff", "flake8", "pycodestyle", "pylint", "mypy", "dmypy", "pyright", "basedpyright", "prospector",
    "pylama",
];

pub(super) fn form_of(path: &str) -> Option<Form> {
    const WHOLE: &[&str] = &[
        "ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", ".flake8", "pylintrc", ".pylintrc",
        "pyrightconfig.json", "clippy.toml", ".clippy.toml", "biome.json", "biome.jsonc", ".eslintignore",
        ".oxlintrc.json", ".shellcheckrc", "rustfmt.toml", ".rustfmt.toml", "eslint.config.*", ".eslintrc*",
        "tsconfig.*", "jsconfig.*", ".golangci.*", ".stylelintrc*", "stylelint.config.*", ".prettier*",
    ];
    let file = file_of(path);
    match file {
        "package.json" => Some(Form::PackageJson),
        "Cargo.toml" => Some(Form::Cargo),
        "pyproject.toml" => Some(Form::PyProject),
        "setup.cfg" | "tox.ini" => Some(Form::Ini(&["flake8", "mypy", "pylint", "pycodestyle"])),
        _ => is_called(file, WHOLE).then_some(Form::Whole),
    }
}
