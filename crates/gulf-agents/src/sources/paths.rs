//! Which paths hold tests, by the conventions of their languages.
//!
//! It stands apart because paths alone decide it: a Rust source file with inline tests is not a test path.

use super::Language;

const SUPPORT_FOLDERS: &[&str] = &[
    "tests",
    "test",
    "__tests__",
    "spec",
    "e2e",
    "testdata",
    "test_data",
    "fixtures",
    "__fixtures__",
    "snapshots",
    "__snapshots__",
    "__mocks__",
];

/// Is this a source file of tests: by its name, or as a source file in a folder for tests?
pub fn is_test_path(path: &str) -> bool {
    let Some(language) = Language::of(path) else { return false };
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let in_folder = |names: &[&str]| folder.split('/').any(|name| names.contains(&name));
    match language {
        Language::Rust => {
            in_folder(&["tests"])
                || ["tests", "test"].contains(&stem)
                || stem.ends_with("_test")
                || stem.ends_with("_tests")
        }
        Language::Python => {
            in_folder(&["tests", "test"])
                || stem.starts_with("test_")
                || stem.ends_with("_test")
                || stem == "tests"
                || stem == "conftest"
        }
        Language::Script => {
            in_folder(&["tests", "test", "__tests__", "spec", "e2e"])
                || stem.ends_with(".test")
                || stem.ends_with(".spec")
                || stem == "test"
        }
        Language::Go => stem.ends_with("_test"),
    }
}

/// Is this something tests use and products do not: data, snapshots, helpers in a folder for tests?
pub fn is_test_support_path(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let mut names = folders.split('/');
    names.any(|name| SUPPORT_FOLDERS.contains(&name)) || path.ends_with(".snap")
}
