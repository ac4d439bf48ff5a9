//! The files that git would commit, in memory: rules read this and nothing else, so tests need no disk.

#[cfg(test)]
mod tests;

use crate::failure::Failure;
use crate::program;
use std::path::Path;
use std::process::Command;

/// Larger files are not text we wrote; only their size is looked at.
const TEXT_BYTES_MAX: u64 = 2_000_000;

/// Folders with inputs of tests and demos: code in them is data, and need not follow our style.
const DATA_FOLDERS: [&str; 5] = ["fixtures", "samples", "snapshots", "corpus", "golden"];

#[derive(Debug)]
pub(super) struct TreeFile {
    /// From the root, with `/`.
    pub(super) path: String,
    pub(super) bytes: u64,
    /// Empty for what is not UTF-8.
    pub(super) text: String,
}

impl TreeFile {
    fn has_folder(&self, wanted: &[&str]) -> bool {
        self.path
            .rsplit_once('/')
            .is_some_and(|(folders, _)| folders.split('/').any(|name| wanted.contains(&name)))
    }

    /// Input of tests or demos, not code of ours.
    pub(super) fn is_data(&self) -> bool {
        self.has_folder(&DATA_FOLDERS)
    }

    /// Holds nothing but tests.
    pub(super) fn is_test(&self) -> bool {
        self.path.starts_with("e2e/") || self.has_folder(&["tests"]) || self.path.ends_with("/tests.rs")
    }
}

#[derive(Debug)]
pub(super) struct Tree {
    files: Vec<TreeFile>,
}

impl Tree {
    /// Tracked files and those not ignored: what is not yet added must be tidy too.
    pub(super) fn of_repository(root: &Path) -> Result<Self, Failure> {
        let mut git = Command::new("git");
        git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
        let listing = program::stdout(git)?;
        let mut files = Vec::new();
        for path in listing.split('\0').filter(|path| !path.is_empty()) {
            files.extend(read(root, path)?);
        }
        files.sort_by(|left, right| left.path.cmp(&right.path));
        files.dedup_by(|left, right| left.path == right.path);
        Ok(Self { files })
    }

    #[cfg(test)]
    pub(super) fn of_texts(texts: &[(&str, &str)]) -> Self {
        let file = |(path, text): &(&str, &str)| TreeFile {
            path: (*path).to_owned(),
            bytes: text.len() as u64,
            text: (*text).to_owned(),
        };
        Self { files: texts.iter().map(file).collect() }
    }

    pub(super) fn files(&self) -> &[TreeFile] {
        &self.files
    }

    pub(super) fn find(&self, path: &str) -> Option<&TreeFile> {
        self.files.iter().find(|file| file.path == path)
    }

    pub(super) fn rust_files(&self) -> impl Iterator<Item = &TreeFile> {
        self.files.iter().filter(|file| file.path.ends_with(".rs") && !file.is_data())
    }

    /// Each crate's manifest; the root's is not among them.
    pub(super) fn manifests(&self) -> impl Iterator<Item = &TreeFile> {
        self.files.iter().filter(|file| file.path.ends_with("/Cargo.toml") && !file.is_data())
    }
}

/// Nothing for a link, a submodule, or a file that is deleted but not yet staged as such.
fn read(root: &Path, path: &str) -> Result<Option<TreeFile>, Failure> {
    let full = root.join(path);
    let Some(metadata) = std::fs::symlink_metadata(&full).ok().filter(std::fs::Metadata::is_file) else {
        return Ok(None);
    };
    let bytes = metadata.len();
    let content = if bytes > TEXT_BYTES_MAX {
        Vec::new()
    } else {
        std::fs::read(&full).map_err(Failure::file(&full))?
    };
    Ok(Some(TreeFile { path: path.to_owned(), bytes, text: String::from_utf8(content).unwrap_or_default() }))
}
