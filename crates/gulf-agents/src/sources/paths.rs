//! Which paths hold tests, by the conventions of their languages.
//!
//! Paths alone decide it: a Rust source file with inline tests is not a test path.

use super::Language;
use super::support::file_of;

const SUPPORT_FOLDERS: &[&str] = &[
    "tests", "test", "__tests__", "spec", "e2e", "testdata", "test_data", "fixtures", "__fixtures__",
    "snapshots", "__snapshots__", "__mocks__",
];

/// Is this a source file of tests: by its name, or as a source file in a folder for tests?
pub fn is_test_path(path: &str) -> bool {
    let Some(language) = Language::from_path(path) else { return false };
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_called = |folders: &[&str], starts: &[&str], ends: &[&str], names: &[&str]| {
        folder.split('/').any(|name| folders.contains(&name))
            || starts.iter().any(|start| stem.starts_with(start))
            || ends.iter().any(|end| stem.ends_with(end))
            || names.contains(&stem)
    };
    match language {
        Language::Rust => is_called(&["tests"], &[], &["_test", "_tests"], &["tests", "test"]),
        Language::Python => {
            is_called(&["tests", "test"], &["test_"], &["_test"], &["tests", "conftest"])
                // `run_tests.py` is a program that runs them.
                || (stem.ends_with("_tests") && !stem.starts_with("run"))
                // Deeper it may be a product's command.
                || path == "test.py"
        }
        Language::Script => {
            // Tests of types, and what node looks for.
            let ends = [".test", ".spec", ".test-d", ".spec-d", "-test", "_test"];
            is_called(&["tests", "test", "__tests__", "spec", "e2e"], &["test-"], &ends, &["test"])
        }
        Language::Go => is_called(&[], &[], &["_test"], &[]),
        Language::Java | Language::Ruby => {
            is_called(&["test", "tests", "spec"], &[], &[], &[]) || is_named_as_test(path)
        }
    }
}

/// Is this something tests use and products do not: data, snapshots, helpers in a folder for tests?
pub fn is_test_support_path(path: &str) -> bool {
    let mut names = path.rsplit_once('/').map_or("", |(folders, _)| folders).split('/');
    // `.t` are Perl's tests, and `t` is their folder.
    let is_of_perl = |name: &str| name == "t" && [".pm", ".pl"].iter().any(|end| path.ends_with(end));
    names.any(|name| is_support_folder(name) || is_of_perl(name))
        || [".snap", ".t"].iter().any(|ending| path.ends_with(ending))
        || is_named_as_test(path)
}

/// `tests`, `Tests`, `Calc.Tests`, `androidTest`, `integration-tests`
fn is_support_folder(name: &str) -> bool {
    SUPPORT_FOLDERS.contains(&name.to_ascii_lowercase().as_str()) || ends_as_test(name)
}

/// A source in a language that is not taken apart, by the names that its runners look for: `CalcTest.java`.
fn is_named_as_test(path: &str) -> bool {
    let Some((stem, ending)) = file_of(path).rsplit_once('.') else { return false };
    let is_test = ends_as_test(stem)
        || stem.ends_with("Spec")
        || stem.ends_with("_spec")
        || ["test", "tests"].contains(&stem)
        || ["test_", "test-"].iter().any(|start| stem.starts_with(start));
    (UNREAD_SOURCES.contains(&ending) || ["sh", "bash"].contains(&ending)) && is_test
}

/// Sources in languages that are not taken apart, but for Java and Ruby.
const UNREAD_SOURCES: [&str; 39] = [
    "java", "kt", "kts", "scala", "groovy", "cs", "fs", "vb", "swift", "php", "rb", "ex", "exs", "dart",
    "cpp", "cc", "cxx", "c", "lua", "bats", "hs", "ml", "mli", "jl", "r", "nim", "zig", "cr", "clj", "cljs",
    "erl", "hrl", "elm", "pl", "pm", "t", "h", "hpp", "hh",
];

/// Is this a source, also one in a language that is not taken apart?
pub(super) fn is_program_text(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    Language::from_path(path).is_some() || UNREAD_SOURCES.contains(&ending)
}

/// The last word is the one: neither `latest` nor `Contest`.
fn ends_as_test(name: &str) -> bool {
    let is_before = |rest: &str, joins: bool| {
        joins || rest.ends_with(|last: char| last.is_lowercase() || last.is_ascii_digit())
    };
    let ends = ["Test", "Tests", "_test", "_tests", "-test", "-tests", ".Test", ".Tests", ".test", ".tests"];
    let mut rests = ends.iter().filter_map(|end| Some((name.strip_suffix(end)?, end)));
    rests.any(|(rest, end)| is_before(rest, end.starts_with(['_', '-', '.'])))
}
