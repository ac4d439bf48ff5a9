//! The two things gulf writes beside the person's repository: its identity, and lines of `info/exclude`.
//!
//! Here, and in `refs`, gulf touches the person's own git directory.

use std::fs;
use std::io;

use camino::Utf8Path;

use super::error::GitError;
use super::names::TreePath;
use super::snapshot::nul_terminated;
use super::store::replace_file;
use super::{Layout, Repository};
use crate::crash;

const IDENTITY: &str = "gulf.repository";
const EXCLUDE_COMMENT: &str = "# gulf: what loops write beside the person's work";

impl Layout {
    /// What `gulf.repository` in the local git configuration says. Git is asked only where the file speaks of gulf.
    pub fn identity(&self) -> Result<Option<String>, GitError> {
        if !self.speaks_of(&["[gulf"]) {
            return Ok(None);
        }
        let answer = self
            .person_call("config")?
            .args(["--local", "--no-includes", "--get", IDENTITY])
            .accept(&[0, 1])
            .run()?;
        Ok(if answer.code == 0 { Some(answer.text()) } else { None })
    }

    /// Writes `gulf.repository` into the local git configuration.
    pub fn set_identity(&self, identity: &str) -> Result<(), GitError> {
        crash::point("git.config");
        self.person_call("config")?.args(["--local", IDENTITY, identity]).run()?;
        Ok(())
    }

    /// Git 2.54 runs hooks that are named in configuration; each is switched off by name. Reading the names costs a
    /// call, so it is made only where the files speak of hooks or of other files.
    pub(super) fn hook_switches(&self) -> Result<Vec<String>, GitError> {
        if !self.speaks_of(&["[hook", "[include"]) {
            return Ok(Vec::new());
        }
        let answer = super::program::Call::new(self.work_tree.as_std_path(), &[], "config")
            .variable("GIT_DIR", &self.git_dir)
            .args(["--includes", "--list", "--name-only", "-z"])
            .run()?;
        let names = String::from_utf8_lossy(&answer.stdout).into_owned();
        let hook = |name: &str| {
            let (middle, _) = name.strip_prefix("hook.")?.rsplit_once('.')?;
            (!middle.contains('=')).then(|| format!("hook.{middle}.enabled=false"))
        };
        Ok(names.split('\0').filter_map(hook).collect())
    }

    /// Does a file of the repository's configuration have one of these beginnings of sections, in whatever letters?
    fn speaks_of(&self, sections: &[&str]) -> bool {
        let files = [self.common_dir.join("config"), self.git_dir.join("config.worktree")];
        let texts = files.iter().filter_map(|path| fs::read(path).ok());
        let mut texts = texts.map(|bytes| String::from_utf8_lossy(&bytes).to_ascii_lowercase());
        texts.any(|text| sections.iter().any(|section| text.contains(section)))
    }
}

impl Repository {
    /// Adds the missing ones of `patterns` to the repository's `info/exclude`; other lines keep their bytes.
    pub fn exclude(&self, patterns: &[&str]) -> Result<(), GitError> {
        if let Some(bad) = patterns.iter().find(|pattern| pattern.trim().is_empty() || pattern.contains('\n'))
        {
            return Err(GitError::Invalid { wanted: "one line of an ignore file", text: (*bad).to_owned() });
        }
        let path = self.layout.common_dir.join("info/exclude");
        // A linked file is changed where it lies.
        let path = path.canonicalize_utf8().unwrap_or(path);
        let none = |error: io::Error| (error.kind() == io::ErrorKind::NotFound).then(Vec::new).ok_or(error);
        let bytes = fs::read(&path).or_else(none).map_err(GitError::file("read", &path))?;
        match with_patterns(&bytes, patterns) {
            Some(changed) => replace_file(&path, &changed),
            None => Ok(()),
        }
    }

    /// The local configuration without what it includes: names in lower case, in order.
    pub(super) fn local_settings(&self) -> Result<Vec<(String, String)>, GitError> {
        let answer = self.person_call("config")?.args(["--local", "--no-includes", "--list", "-z"]).run()?;
        let pair = |entry: &[u8]| {
            let text = String::from_utf8_lossy(entry).into_owned();
            // A name alone means true.
            let (name, value) = text.split_once('\n').unwrap_or((&text, "true"));
            (name.to_lowercase(), value.to_owned())
        };
        Ok(answer.entries().map(pair).collect())
    }

    /// Those of `paths` that ignore rules name and that `index` does not track.
    pub fn ignored(&self, index: &Utf8Path, paths: &[TreePath]) -> Result<Vec<TreePath>, GitError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self
            .store
            .call_in(self.work_tree(), index, "check-ignore")
            .args(["-z", "--stdin"])
            .input(nul_terminated(paths))
            .accept(&[0, 1])
            .run()?;
        answer.paths()
    }
}

/// A path as a line of an ignore file that means this path and no other.
pub fn exclude_line(path: &str) -> String {
    let mut text = String::from("/");
    for character in path.chars() {
        if "\\*?[]!# ".contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// The first line of what git complained.
pub(super) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// The file with the missing patterns under gulf's comment; `None` when none is missing.
fn with_patterns(bytes: &[u8], patterns: &[&str]) -> Option<Vec<u8>> {
    let has_line = |wanted: &str| {
        bytes
            .split(|byte| *byte == b'\n')
            .any(|line| line.strip_suffix(b"\r").unwrap_or(line) == wanted.as_bytes())
    };
    let missing: Vec<&&str> = patterns.iter().filter(|pattern| !has_line(pattern)).collect();
    if missing.is_empty() {
        return None;
    }
    let mut changed = bytes.to_vec();
    if !changed.is_empty() && !changed.ends_with(b"\n") {
        changed.push(b'\n');
    }
    let comment = (!has_line(EXCLUDE_COMMENT)).then_some(EXCLUDE_COMMENT);
    for line in comment.into_iter().chain(missing.into_iter().copied()) {
        changed.extend_from_slice(line.as_bytes());
        changed.push(b'\n');
    }
    Some(changed)
}
