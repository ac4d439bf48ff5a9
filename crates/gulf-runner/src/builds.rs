//! Folders that builds and package managers fill, where the project's git does not ignore them.
//!
//! What a worker built is no work: it would be compared, land, and be taken for up to date by the next build, so that
//! a check would try what the worker's machine made of it.

use camino::Utf8Path;
use gulf_host::git::{self, GitError, Repository};

/// Files at the top, and the folders that their tools fill.
const FILLED: [(&[&str], &[&str]); 9] = [
    (&["Cargo.toml", "pom.xml"], &["target"]),
    (&["package.json"], &["node_modules"]),
    (&["build.gradle", "build.gradle.kts"], &["build", ".gradle"]),
    (&["CMakeLists.txt"], &["build"]),
    (&["mix.exs"], &["_build", "deps"]),
    (&["Package.swift"], &[".build"]),
    (&["composer.json"], &["vendor"]),
    (&["Gemfile"], &[".bundle", "vendor/bundle"]),
    (
        &["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "pytest.ini"],
        &[".venv", "venv", "__pycache__"],
    ),
];

/// Has git ignore them, but those that the project keeps itself; which ones, as a note.
pub(crate) fn leave_out(project: &Utf8Path, repository: &Repository) -> Result<Option<String>, GitError> {
    let is_there = |names: &[&str]| names.iter().any(|name| project.join(name).is_file());
    let folders = FILLED.iter().filter(|(files, _)| is_there(files)).flat_map(|(_, folders)| *folders);
    let folders: Vec<String> = folders.map(|folder| (*folder).to_owned()).collect();
    // A rule for a folder names it before it is there.
    let asked: Vec<String> = folders.iter().map(|folder| format!("{folder}/")).collect();
    let ignored = git::ignored_paths(project, &asked)?;
    let tracked = git::tracked_paths(project, &folders)?;
    let is_theirs = |folder: &String| tracked.iter().any(|path| Utf8Path::new(path).starts_with(folder));
    let is_left_in = |(folder, line): &(&String, &String)| !ignored.contains(*line) && !is_theirs(folder);
    let lines: Vec<&str> =
        folders.iter().zip(&asked).filter(is_left_in).map(|(_, line)| line.as_str()).collect();
    if lines.is_empty() {
        return Ok(None);
    }
    repository.exclude(&lines)?;
    let named = lines.join(", ");
    Ok(Some(format!(
        "what builds leave behind is no part of the work; git ignores these folders from now on, if there are any (.git/info/exclude): {named}"
    )))
}
