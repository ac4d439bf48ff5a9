//! The files of a tree: sources, and what stands behind checks, such as makefiles, package.json, scripts.
//!
//! It is asked for many names that are none, and git is started for none of those.

use std::cell::RefCell;
use std::collections::BTreeMap;

use camino::Utf8Path;
use gulf_agents::sources::{file_of, is_source, is_word_of, names_file};
use gulf_host::git::{BlobId, Entry, FileMode, Repository, TreeId};

use super::recipes;
use crate::agreement::SealedCheck;
use crate::error::Result;

/// A longer text is no script.
const TEXT_BYTES_MAX: u64 = 1 << 20;

/// The files of a tree by path, and the texts of those that somebody asked for.
pub(super) struct Texts<'repository> {
    repository: &'repository Repository,
    files: BTreeMap<String, Entry>,
    known: RefCell<BTreeMap<String, Option<String>>>,
}

impl<'repository> Texts<'repository> {
    pub(super) fn load(repository: &'repository Repository, tree: &TreeId) -> Result<Self> {
        let files = repository.list(tree)?.into_iter().filter(|entry| entry.mode != FileMode::Submodule);
        let files = files.filter_map(|entry| Some((entry.path.as_utf8()?.to_string(), entry))).collect();
        Ok(Self { repository, files, known: RefCell::default() })
    }

    /// The files at such paths.
    pub(super) fn wanted(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<&Entry> {
        self.files.iter().filter(|(path, _)| is_wanted(path)).map(|(_, entry)| entry).collect()
    }

    pub(super) fn mode(&self, path: &str) -> Option<FileMode> {
        self.files.get(path).map(|entry| entry.mode)
    }

    /// What these hold, as far as they are not larger.
    pub(super) fn bytes(&self, entries: &[&Entry], bytes_max: u64) -> Result<Vec<(String, Vec<u8>)>> {
        let blobs: Vec<BlobId> = entries.iter().map(|entry| entry.blob.clone()).collect();
        let read = self.repository.read_small_blobs(&blobs, bytes_max)?;
        let held =
            entries.iter().filter_map(|entry| Some((entry.path.to_string(), read.get(&entry.blob)?.clone())));
        Ok(held.collect())
    }

    /// What a check runs: its command, and the commands of the base that stand behind it.
    pub(super) fn commands(&self, check: &SealedCheck) -> Vec<String> {
        let read = |name: &str| self.read(&check.directory, name);
        let mut commands = recipes::behind(&check.command, &read);
        commands.push(check.command.clone());
        commands.extend(recipes::further(&commands, &read));
        commands
    }

    /// The base's files that these commands run or name, with their texts.
    pub(super) fn decided_by(&self, commands: &[String]) -> Vec<(&str, String)> {
        let is_decided = |path: &str| commands.iter().any(|command| super::commands::decides(command, path));
        let paths = self.files.keys().filter(|path| is_decided(path));
        paths.filter_map(|path| Some((path.as_str(), self.read(Utf8Path::new(""), path)?))).collect()
    }

    /// These commands, and the scripts behind them, but for the file at this path.
    pub(super) fn scripts_but(&self, commands: &[String], path: &str) -> Vec<String> {
        let own = format!("sh ./{path}");
        let scripts = self.decided_by(commands).into_iter().filter(|(one, _)| *one != path);
        scripts.map(|(_, text)| text).chain(commands.iter().filter(|one| **one != own).cloned()).collect()
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Is there a file of the base at this path, or below it?
    pub(super) fn has(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.files.contains_key(path) || self.files.keys().any(|one| one.starts_with(&below))
    }

    /// The base's sources that name the file at this path; none where they are too many to be read.
    pub(super) fn naming(&self, path: &str) -> Option<Vec<&str>> {
        const FILES_MAX: usize = 5_000;
        let sources = self.wanted(is_source);
        let held: BTreeMap<String, Vec<u8>> =
            self.bytes(&sources, TEXT_BYTES_MAX).ok()?.into_iter().collect();
        let names = |bytes: &Vec<u8>| names_file(&String::from_utf8_lossy(bytes), path);
        let naming = sources.iter().filter(|entry| held.get(&entry.path.to_string()).is_none_or(names));
        let naming = naming.filter_map(|entry| entry.path.as_utf8());
        (sources.len() <= FILES_MAX).then(|| naming.map(|path| path.as_str()).collect())
    }

    /// Does this text of the file at a path name or import another file of the base?
    pub(super) fn names_another(&self, text: &str, own: &str) -> bool {
        let imports = || text.lines().filter(|line| line.contains("import") || line.contains("require"));
        self.files.keys().filter(|path| *path != own).any(|path| {
            let name = file_of(path);
            let stem = name.split('.').next().filter(|stem| !stem.is_empty());
            text.contains(name) || stem.is_some_and(|stem| is_word_of(stem, imports()))
        })
    }

    /// A small file, as somebody in this folder names it.
    pub(super) fn read(&self, folder: &Utf8Path, name: &str) -> Option<String> {
        let path = folder.join(name.trim_start_matches("./")).to_string();
        let entry = self.files.get(&path)?;
        let read = || String::from_utf8(self.bytes(&[entry], TEXT_BYTES_MAX).ok()?.pop()?.1).ok();
        self.known.borrow_mut().entry(path).or_insert_with(read).clone()
    }
}
