//! The `.git` of a checkout: a small repository of its own, so that `git describe`, `git ls-files`, cargo and
//! version tools work in checks.
//!
//! It stands apart because of what it must not be: the person's repository. It has its own references, index and
//! configuration and borrows objects through `alternates`; whatever a check does to it moves nobody's branch. It is
//! made anew at each checkout, so nothing a check left there lasts.

use std::fs;

use camino::Utf8Path;

use crate::files::remove_whatever;
use crate::git::error::GitError;
use crate::git::exact::Exact;
use crate::git::store::{config_head, write_skeleton};

/// Gives the checkout a git directory with a detached HEAD at its commit. `common` is where a shallow clone says so.
pub(super) fn write(checkout: &Exact, common: &Utf8Path) -> Result<(), GitError> {
    let directory = checkout.directory.join(".git");
    let removed = remove_whatever(directory.as_std_path()).or_else(|_| {
        checkout.unlock_directories();
        remove_whatever(directory.as_std_path())
    });
    removed.map_err(GitError::file("remove", &directory))?;
    write_skeleton(&directory, &format!("{}\n", checkout.commit))?;
    let alternates = format!("{}\n", quoted(checkout.store.objects.as_str()));
    let files = [
        ("config", config_head(checkout.store.format, "").into_bytes()),
        ("objects/info/alternates", alternates.into_bytes()),
    ];
    for (name, bytes) in files {
        let path = directory.join(name);
        fs::write(&path, bytes).map_err(GitError::file("write", &path))?;
    }
    for (from, name) in [
        (checkout.index.to_owned(), "index"),
        (checkout.store.directory.join("info/exclude"), "info/exclude"),
        (common.join("shallow"), "shallow"),
    ] {
        if from.is_file() {
            fs::copy(&from, directory.join(name)).map_err(GitError::file("copy", &from))?;
        }
    }
    Ok(())
}

/// A path in an alternates file: quoted, as git unquotes one that starts with a quotation mark.
fn quoted(path: &str) -> String {
    let mut text = String::from("\"");
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' => text.push(char::from(byte)),
            other => text.push_str(&format!("\\{other:03o}")),
        }
    }
    text.push('"');
    text
}
