//! Which fields decide what a test runner runs, and which of them a candidate changed.
//!
//! It is the list of SPEC B3, in one place. Decided here:
//!
//! - files that are programs or lists of commands (conftest.py, jest.config.js, Makefile …) count as a whole;
//! - `build.rs` does not count: it is a product's source like any other, and what it does to the checkout is
//!   undone before the next check;
//! - `[profile.dev]` counts where `[profile.test]` inherits from it (debug assertions, overflow checks);
//! - a workspace that loses a member loses its tests, so `exclude`, `default-members` and lost members count.

use std::collections::BTreeSet;

use super::fields::{self, Fields};
use super::support::file_of;
use crate::shortening::shortened;

/// The name of the field where a file counts as a whole.
pub const WHOLE_FILE: &str = "the whole file";

/// What package.json calls the settings of those that run its tests.
pub(super) const SCRIPT_RUNNERS: [&str; 7] = ["jest", "vitest", "mocha", "ava", "nyc", "c8", "tap"];

/// Where pyproject.toml says what its tasks run.
const PYTHON_TASKS: [&str; 5] =
    ["tool.poe", "tool.taskipy", "tool.pdm.scripts", "tool.hatch.envs", "tool.rye.scripts"];

/// Characters of a value that a report shows.
pub(super) const VALUE_CHARS_MAX: usize = 2000;

/// A field that decides what a test runner runs, and that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The file.
    pub path: String,
    /// The field, or [`WHOLE_FILE`].
    pub field: String,
    /// Its value in the base; none where it is absent.
    pub old: Option<String>,
    /// Its value in the candidate; none where it is absent.
    pub new: Option<String>,
}

/// Does this file hold anything that [`runner_configuration`] looks at?
pub fn is_runner_configuration(path: &str) -> bool {
    form_of(path).is_some()
}

/// Every field of a file that decides what a runner runs, where base and candidate differ.
///
/// `None` is a file that is not there: fields that come or go count. `script_names` are the scripts of
/// package.json that a check names (`npm run NAME`). A file that cannot be read as what it is counts as a whole.
pub fn runner_configuration(
    path: &str,
    old: Option<&[u8]>,
    new: Option<&[u8]>,
    script_names: &[&str],
) -> Vec<FieldChange> {
    let Some(form) = form_of(path) else { return Vec::new() };
    changes(path, form, (old, new), |name, before, after| match form {
        Form::Whole => true,
        Form::PackageJson => {
            is_watched_in_package(name, &watched_scripts(before, script_names))
                || is_replaced_package(name, before, after)
                || is_without_workspace(name, before, after)
                // What a name of the tests leads to. A further one leads nowhere else than before.
                || (begins_with_any(name, &["imports", "exports", "main"]) && before.contains_key(name))
        }
        Form::Cargo => is_watched_in_cargo(name, before, after),
        Form::PyProject => {
            begins_with_any(name, &["tool.pytest", "tool.tox", "tool.coverage"])
                || (begins_with_any(name, &PYTHON_TASKS) && before.contains_key(name))
        }
        // A test of the base that goes or is another one, and what is said of tests.
        Form::CMake => before.contains_key(name) || !name.starts_with("add_test "),
        // A module of the base that comes from somewhere else, and of a new one nothing.
        Form::GoMod => {
            let module = name.strip_prefix("replace.");
            let is_of_base =
                |module| before.contains_key(name) || before.contains_key(&format!("require.{module}"));
            module.is_some_and(is_of_base)
        }
        Form::Ini(sections) => sections.iter().any(|section| name.starts_with(section)),
    })
}

/// Who alone reads such a setting; empty where that cannot be told, or anybody's runner may.
pub fn setting_programs(path: &str, field: &str) -> &'static [&'static str] {
    const SCRIPTS: &[&str] = &[
        "npm", "pnpm", "yarn", "bun", "corepack", "lerna", "ni", "nr", "run-s", "run-p", "npm-run-all",
        "--run", "wireit", "concurrently",
    ];
    match file_of(path) {
        "Makefile" | "makefile" | "GNUmakefile" => &["make", "gmake", "MAKE"],
        "justfile" | "Justfile" | ".justfile" => &["just"],
        "Taskfile.yml" | "Taskfile.yaml" => &["task", "go-task"],
        "noxfile.py" => &["nox"],
        "package.json" if field.starts_with("scripts") => SCRIPTS,
        "tox.ini" | "setup.cfg" if ["tox", "testenv"].iter().any(|section| field.starts_with(section)) => {
            &["tox"]
        }
        "pyproject.toml" if field.starts_with("tool.tox") => &["tox"],
        _ => &[],
    }
}

/// The fields that differ, of those that somebody watches.
pub(super) fn changes(
    path: &str,
    form: Form,
    (old, new): (Option<&[u8]>, Option<&[u8]>),
    is_watched: impl Fn(&str, &Fields, &Fields) -> bool,
) -> Vec<FieldChange> {
    if old == new {
        return Vec::new();
    }
    let read = |source: Option<&[u8]>| match (source, form) {
        (None, _) => Some(Fields::new()),
        (Some(_), Form::Whole) => None,
        (Some(source), Form::PackageJson) => fields::json(source),
        (Some(source), Form::Cargo | Form::PyProject) => fields::toml(source),
        (Some(source), Form::GoMod) => fields::go_mod(source),
        (Some(source), Form::CMake) => fields::cmake(source),
        (Some(source), Form::Ini(_)) => fields::ini(source),
    };
    let (Some(before), Some(after)) = (read(old), read(new)) else { return vec![whole_file(path, old, new)] };
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differing = names.into_iter().filter(|name| before.get(*name) != after.get(*name));
    let watched = differing.filter(|name| is_watched(name, &before, &after));
    let change = |name: &String| FieldChange {
        path: path.to_owned(),
        field: name.clone(),
        old: before.get(name).map(|value| shortened(value, VALUE_CHARS_MAX, " …")),
        new: after.get(name).map(|value| shortened(value, VALUE_CHARS_MAX, " …")),
    };
    watched.map(change).collect()
}

/// How a file is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Whole,
    PackageJson,
    Cargo,
    PyProject,
    GoMod,
    CMake,
    /// Sections by how they begin.
    Ini(&'static [&'static str]),
}

pub(super) fn form_of(path: &str) -> Option<Form> {
    const WHOLE: &[&str] = &[
        "conftest.py", "sitecustomize.py", "usercustomize.py", "noxfile.py", "pytest.toml", ".pytest.toml",
        ".coveragerc", ".proverc", ".npmrc", "nextest.toml", "Makefile", "makefile", "GNUmakefile",
        "justfile", "Justfile", ".justfile", "Taskfile.yml", "Taskfile.yaml", "bunfig.toml", "deno.json",
        "deno.jsonc", "go.work", "rust-toolchain", "rust-toolchain.toml", ".tool-versions", "mise.toml",
        "phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml", ".rspec", ".rspec-local", "CTestCustom.cmake",
        ".mise.toml", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".babelrc", ".swcrc", "vitest.workspace.*",
        "vite.config.*", "ava.config.*", "karma.conf.*", ".mocharc*", ".nycrc*", ".c8rc*", "jest.setup.*",
        "vitest.setup.*", "setupTests.*", ".babelrc.*", "babel.config.*",
    ];
    let file = file_of(path);
    match file {
        "package.json" => return Some(Form::PackageJson),
        "Cargo.toml" => return Some(Form::Cargo),
        "pyproject.toml" => return Some(Form::PyProject),
        "go.mod" => return Some(Form::GoMod),
        "CMakeLists.txt" => return Some(Form::CMake),
        "setup.cfg" => return Some(Form::Ini(&["tool:pytest", "coverage", "tox", "testenv"])),
        "tox.ini" => return Some(Form::Ini(&["pytest", "coverage", "tox", "testenv"])),
        "pytest.ini" | ".pytest.ini" => return Some(Form::Ini(&["pytest"])),
        _ => {}
    }
    // `jest.unit.config.js`
    const RUNNERS: [&str; 4] = ["jest.*", "vitest.*", "playwright.*", "cypress.*"];
    let is_of_runner = is_called(file, &RUNNERS) && file.contains(".config.");
    let in_cargo = path.ends_with(".cargo/config.toml") || path.ends_with(".cargo/config");
    (in_cargo || is_of_runner || is_called(file, WHOLE)).then_some(Form::Whole)
}

/// Is a file called like one of these? What ends with a star is how a name begins.
pub(super) fn is_called(file: &str, names: &[&str]) -> bool {
    names.iter().any(|name| name.strip_suffix('*').map_or(file == *name, |start| file.starts_with(start)))
}

/// A file that counts as a whole.
pub fn whole_file(path: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> FieldChange {
    let text = |source: Option<&[u8]>| {
        source.map(|source| shortened(&String::from_utf8_lossy(source), VALUE_CHARS_MAX, " …"))
    };
    FieldChange { path: path.to_owned(), field: WHOLE_FILE.to_owned(), old: text(old), new: text(new) }
}

pub(super) fn begins_with_any(name: &str, prefixes: &[&str]) -> bool {
    let mut rests = prefixes.iter().filter_map(|prefix| name.strip_prefix(prefix));
    rests.any(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The scripts that a check runs: `test`, those it names, what npm runs around them, and those they call.
fn watched_scripts(fields: &Fields, named: &[&str]) -> Vec<String> {
    let mut watched: Vec<String> = ["test"].iter().chain(named).map(|name| (*name).to_owned()).collect();
    let mut next = 0;
    while let Some(name) = watched.get(next).cloned() {
        next += 1;
        for around in [format!("pre{name}"), format!("post{name}")] {
            if next <= named.len() + 1 && !watched.contains(&around) {
                watched.push(around);
            }
        }
        let Some(command) = fields.get(&format!("scripts.{name}")) else { continue };
        for word in command.split_whitespace() {
            let is_script = fields.contains_key(&format!("scripts.{word}"));
            if is_script && !watched.iter().any(|other| other == word) {
                watched.push(word.to_owned());
            }
        }
    }
    watched
}

fn is_watched_in_package(name: &str, scripts: &[String]) -> bool {
    match name.strip_prefix("scripts.") {
        Some(script) => scripts.iter().any(|watched| watched == script),
        None => name == "scripts" || begins_with_any(name, &SCRIPT_RUNNERS),
    }
}

/// Does `npm test --workspaces` go to fewer than on the base?
fn is_without_workspace(name: &str, before: &Fields, after: &Fields) -> bool {
    let words = |fields: &Fields| -> Vec<String> {
        let value = fields.get(name).map(String::as_str).unwrap_or_default();
        value.split([',', '[', ']', '"']).map(|word| word.trim().to_owned()).collect()
    };
    let now = words(after);
    begins_with_any(name, &["workspaces"]) && words(before).iter().any(|word| !now.contains(word))
}

/// A package of the base that comes from somewhere else now: the one that tests assert with, perhaps.
fn is_replaced_package(name: &str, before: &Fields, after: &Fields) -> bool {
    const ELSEWHERE: [&str; 6] = ["file:", "link:", "portal:", "workspace:", "./", "../"];
    let is_elsewhere = |fields: &Fields| {
        fields.get(name).is_some_and(|value| ELSEWHERE.iter().any(|place| value.starts_with(place)))
    };
    let lists = ["dependencies", "devDependencies", "overrides", "resolutions", "pnpm.overrides"];
    let was_there = before.contains_key(name) || !name.to_ascii_lowercase().contains("dependencies");
    begins_with_any(name, &lists) && was_there && is_elsewhere(after) && !is_elsewhere(before)
}

/// The same of a crate.
fn is_replaced_crate(name: &str, before: &Fields) -> bool {
    let Some((dependency, "path" | "git")) = name.rsplit_once('.') else { return false };
    let is_list =
        begins_with_any(dependency, &["dependencies", "dev-dependencies", "workspace.dependencies"]);
    let inside = format!("{dependency}.");
    is_list && before.keys().any(|key| key == dependency || key.starts_with(&inside))
}

fn is_watched_in_cargo(name: &str, before: &Fields, after: &Fields) -> bool {
    if name == "workspace.members" {
        let members = |fields: &Fields| -> Vec<String> {
            let list = fields.get(name).map_or("[]", String::as_str);
            serde_json::from_str(list).unwrap_or_default()
        };
        let after = members(after);
        return members(before).iter().any(|member| !after.contains(member));
    }
    let whole = [
        "test", "profile.test", "workspace.exclude", "workspace.default-members", "package.autotests",
        "patch", "replace",
    ];
    let switches = ["test", "doctest", "harness"];
    let last = name.rsplit('.').next().unwrap_or(name);
    let inherited = ["profile.dev.debug-assertions", "profile.dev.overflow-checks"];
    begins_with_any(name, &whole)
        || inherited.contains(&name)
        || is_replaced_crate(name, before)
        || name == "lib.path"
        || (begins_with_any(name, &["lib", "bin", "example"]) && switches.contains(&last))
}
