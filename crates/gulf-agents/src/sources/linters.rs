//! Which settings of linters and type checkers a candidate changed.
//!
//! It counts only where somebody looks at findings, be it a check or the number that steers a loop: there the
//! shortest way to fewer of them is to look for fewer.

use super::configuration::{FieldChange, changes};
use super::configuration::{Form, begins_with_any};

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
    form_of(path).is_some_and(|form| match form {
        Form::Whole => true,
        Form::PackageJson => {
            begins_with_any(name, &["eslintConfig", "eslintIgnore", "stylelint", "biome", "xo"])
        }
        Form::Cargo => begins_with_any(name, &["lints", "workspace.lints"]),
        Form::PyProject => begins_with_any(
            name,
            &["tool.ruff", "tool.mypy", "tool.pyright", "tool.basedpyright", "tool.pylint", "tool.flake8"],
        ),
        Form::GoMod | Form::CMake => false,
        Form::Ini(sections) => sections.iter().any(|section| name.starts_with(section)),
    })
}

/// Who reads the settings in this file.
pub fn linter_programs(path: &str) -> &'static [&'static str] {
    let file = path.rsplit('/').next().unwrap_or(path);
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| file.starts_with(prefix));
    if begins(&["tsconfig.", "jsconfig."]) {
        SCRIPT_TYPES
    } else if begins(&["eslint", ".eslint", ".oxlint", "biome", "package.json"]) {
        SCRIPT_LINTERS
    } else if begins(&["stylelint", ".stylelint"]) {
        &["stylelint"]
    } else if begins(&["clippy", ".clippy"]) {
        &["clippy", "cargo-clippy"]
    } else if begins(&["rustfmt", ".rustfmt"]) {
        &["rustfmt", "cargo-fmt", "fmt"]
    } else if begins(&[".prettier"]) {
        &["prettier"]
    } else if file == "Cargo.toml" {
        // What `[lints]` denies, every build refuses.
        &["clippy", "cargo-clippy", "cargo", "rustdoc"]
    } else if begins(&[".golangci."]) {
        &["golangci-lint"]
    } else if file == ".shellcheckrc" {
        &["shellcheck"]
    } else {
        PYTHON
    }
}

const SCRIPT_TYPES: &[&str] = &["tsc", "tsgo", "vue-tsc", "svelte-check", "tsd", "ts-jest", "astro", "next"];
const SCRIPT_LINTERS: &[&str] =
    &["eslint", "eslint_d", "oxlint", "biome", "xo", "standard", "stylelint", "next"];
const PYTHON: &[&str] = &[
    "ruff", "flake8", "pycodestyle", "pylint", "mypy", "dmypy", "pyright", "basedpyright", "prospector",
    "pylama",
];

pub(super) fn form_of(path: &str) -> Option<Form> {
    let file = path.rsplit('/').next().unwrap_or(path);
    match file {
        "package.json" => return Some(Form::PackageJson),
        "Cargo.toml" => return Some(Form::Cargo),
        "pyproject.toml" => return Some(Form::PyProject),
        "setup.cfg" | "tox.ini" => return Some(Form::Ini(&["flake8", "mypy", "pylint", "pycodestyle"])),
        _ => {}
    }
    let whole = [
        "ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", ".flake8", "pylintrc", ".pylintrc",
        "pyrightconfig.json", "clippy.toml", ".clippy.toml", "biome.json", "biome.jsonc", ".eslintignore",
        ".oxlintrc.json", ".shellcheckrc", "rustfmt.toml", ".rustfmt.toml",
    ];
    let prefixes = [
        "eslint.config.", ".eslintrc", "tsconfig.", "jsconfig.", ".golangci.", ".stylelintrc",
        "stylelint.config.", ".prettier",
    ];
    let is_whole = whole.contains(&file) || prefixes.iter().any(|prefix| file.starts_with(prefix));
    is_whole.then_some(Form::Whole)
}
