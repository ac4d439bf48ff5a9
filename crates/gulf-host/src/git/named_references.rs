//! HEAD and every reference as they stand, read from git's files where those say it.
//!
//! It is asked after every turn, to name what a worker did to them: a call of git each time would cost as much as the
//! rest of a snapshot.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;

use camino::{Utf8Path, Utf8PathBuf};
use walkdir::WalkDir;

use super::error::Result;
use super::{Layout, Repository};
use crate::files;

/// Far more than an id, or the name of a branch.
pub(super) const REF_BYTES_MAX: u64 = 4 << 10;
/// Far more than any repository's packed references take.
const PACKED_BYTES_MAX: u64 = 256 << 20;
/// So many references are compared; a repository with more is not looked at so closely.
const REFERENCES_MAX: usize = 100_000;
/// How deep references are looked for that are no files.
const FOLDERS_DEEP: usize = 16;
/// What gulf's own loops move.
const OTHERS: [&str; 2] = ["refs/gulf/", "refs/notes/gulf"];
/// A name that only references in another form have.
const OTHER_FORM: &str = "refs/heads/.invalid";

/// What stands where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedReferences {
    /// `refs/heads/main`, or a commit where no branch is checked out.
    pub head: String,
    /// The id at which each of them stands, by its full name.
    pub references: BTreeMap<String, String>,
}

impl Repository {
    /// Everything that has a name in this repository; none where it is not there, or in a form that files do not tell.
    pub fn named_references(&self) -> Result<Option<NamedReferences>> {
        let Some(head) = text(&self.layout.git_dir.join("HEAD"), REF_BYTES_MAX) else { return Ok(None) };
        let head = head.trim_end();
        let head = head.strip_prefix("ref: ").unwrap_or(head).to_owned();
        if head == OTHER_FORM {
            return self.listed_references().map(Some);
        }
        let mut references = BTreeMap::new();
        let packed = text(&self.layout.common_dir.join("packed-refs"), PACKED_BYTES_MAX).unwrap_or_default();
        for line in packed.lines().filter(|line| !line.starts_with(['#', '^'])) {
            if let Some((id, name)) = line.split_once(' ') {
                references.insert(name.to_owned(), id.to_owned());
            }
        }
        loose(&self.layout.common_dir, Utf8Path::new("refs"), &mut references);
        references.retain(|name, _| is_persons(name));
        Ok(Some(NamedReferences { head, references }))
    }

    fn listed_references(&self) -> Result<NamedReferences> {
        let head = self.person_call("symbolic-ref")?.args(["-q", "HEAD"]).accept(&[0, 1]).run()?;
        let head = if head.code == 0 {
            head.text()
        } else {
            self.head_commit()?.map(|commit| commit.as_str().to_owned()).unwrap_or_default()
        };
        let answer = self.person_call("for-each-ref")?.arg("--format=%(objectname) %(refname)").run()?;
        let text = answer.text();
        let named = text.lines().filter_map(|line| line.split_once(' ')).filter(|(_, name)| is_persons(name));
        let references = named.map(|(id, name)| (name.to_owned(), id.to_owned())).collect();
        Ok(NamedReferences { head, references })
    }

    /// What git would read and wait for: a pipe in the place of a file.
    pub fn no_file(&self) -> Option<Utf8PathBuf> {
        let Layout { git_dir, common_dir, .. } = &self.layout;
        [git_dir, common_dir].into_iter().find_map(|folder| no_file_in(folder, FOLDERS_DEEP))
    }

    /// Is there still a repository where this one lay?
    pub fn is_there(&self) -> bool {
        self.layout.git_dir.join("HEAD").is_file() && self.layout.common_dir.join("objects").is_dir()
    }
}

/// The first pipe among a git directory's own files; objects are not looked at. A socket is git's own (fsmonitor).
pub(super) fn no_file_in(folder: &Utf8Path, deep: usize) -> Option<Utf8PathBuf> {
    let is_own = |entry: &walkdir::DirEntry| {
        let name = entry.file_name();
        entry.depth() != 1 || !["objects", "modules", "lfs", "worktrees"].iter().any(|other| name == *other)
    };
    let entries =
        WalkDir::new(folder).max_depth(deep).into_iter().filter_entry(is_own).filter_map(Result::ok);
    let mut files = entries.filter(|entry| !entry.file_type().is_dir() && !entry.file_type().is_file());
    let found =
        files.find(|entry| fs::metadata(entry.path()).is_ok_and(|target| target.file_type().is_fifo()))?;
    Utf8PathBuf::from_path_buf(found.into_path()).ok()
}

fn is_persons(name: &str) -> bool {
    !OTHERS.iter().any(|others| name.starts_with(others))
}

/// Files below `refs` count before what is packed.
fn loose(root: &Utf8Path, folder: &Utf8Path, references: &mut BTreeMap<String, String>) {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return };
    for entry in entries.filter_map(Result::ok) {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path: Utf8PathBuf = folder.join(name);
        let Ok(kind) = entry.file_type() else { continue };
        if !is_persons(&format!("{path}/")) || references.len() > REFERENCES_MAX {
            continue;
        }
        if kind.is_dir() {
            loose(root, &path, references);
        } else if let Some(id) = text(&root.join(&path), REF_BYTES_MAX) {
            references.insert(path.into_string(), id.trim_end().to_owned());
        }
    }
}

/// A small file of git's, as far as it is one.
pub(super) fn text(path: &Utf8Path, bytes_max: u64) -> Option<String> {
    String::from_utf8(files::read_bytes(path, bytes_max).ok()?).ok()
}
