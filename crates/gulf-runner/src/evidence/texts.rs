//! The small files of the base that stand behind checks: makefiles, package.json, scripts.
//!
//! It is asked for many names that are none, and git is started for none of those.

use std::cell::RefCell;
use std::collections::BTreeMap;

use camino::Utf8Path;
use gulf_agents::sources::{file_of, is_source, is_word_of, names_file};
use gulf_engine::Base;
use gulf_host::git::{BlobId, FileMode, Repository};

use super::recipes;
use crate::agreement::SealedCheck;
use crate::error::Failure;

/// A longer text is no script.
const TEXT_BYTES_MAX: u64 = 1 << 20;

/// The base's files by path, and the texts of those that somebody asked for.
pub(super) struct Texts<'repository> {
    repository: &'repository Repository,
    blobs: BTreeMap<String, BlobId>,
    known: RefCell<BTreeMap<String, Option<String>>>,
}

impl<'repository> Texts<'repository> {
    pub(super) fn load(repository: &'repository Repository, base: &Base) -> Result<Self, Failure> {
        let entries = repository.list(&base.tree)?;
        let files = entries.into_iter().filter(|entry| entry.mode != FileMode::Submodule);
        let blobs = files.filter_map(|entry| Some((entry.path.as_utf8()?.to_string(), entry.blob))).collect();
        Ok(Self { repository, blobs, known: RefCell::default() })
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
        let paths = self.blobs.keys().filter(|path| is_decided(path));
        paths.filter_map(|path| Some((path.as_str(), self.read(Utf8Path::new(""), path)?))).collect()
    }

    /// These commands, and the scripts behind them, but for the file at this path.
    pub(super) fn scripts_but(&self, commands: &[String], path: &str) -> Vec<String> {
        let own = format!("sh ./{path}");
        let scripts = self.decided_by(commands).into_iter().filter(|(one, _)| *one != path);
        let commands = commands.iter().filter(|one| **one != own).cloned();
        scripts.map(|(_, text)| text).chain(commands).collect()
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.blobs.keys().map(String::as_str)
    }

    /// Is there a file of the base at this path, or below it?
    pub(super) fn has(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.blobs.contains_key(path) || self.blobs.keys().any(|one| one.starts_with(&below))
    }

    /// The base's sources that name the file at this path; none where they are too many to be read.
    pub(super) fn naming(&self, path: &str) -> Option<Vec<&str>> {
        const FILES_MAX: usize = 5_000;
        let sources: Vec<_> = self.blobs.iter().filter(|(path, _)| is_source(path)).collect();
        let blobs: Vec<BlobId> = sources.iter().map(|(_, blob)| (*blob).clone()).collect();
        let read = self.repository.read_small_blobs(&blobs, TEXT_BYTES_MAX).ok()?;
        let names = |blob| {
            let text = read.get(blob).map(|bytes| String::from_utf8_lossy(bytes));
            text.is_none_or(|text| names_file(&text, path))
        };
        let naming = sources.iter().filter(|(_, blob)| names(blob)).map(|(path, _)| path.as_str());
        (sources.len() <= FILES_MAX).then(|| naming.collect())
    }

    /// Does this text of the file at a path name or import another file of the base?
    pub(super) fn names_another(&self, text: &str, own: &str) -> bool {
        let imports = || text.lines().filter(|line| line.contains("import") || line.contains("require"));
        self.blobs.keys().filter(|path| *path != own).any(|path| {
            let name = file_of(path);
            let stem = name.split('.').next().filter(|stem| !stem.is_empty());
            text.contains(name) || stem.is_some_and(|stem| is_word_of(stem, imports()))
        })
    }

    /// A small file, as somebody in this folder names it.
    pub(super) fn read(&self, folder: &Utf8Path, name: &str) -> Option<String> {
        let path = folder.join(name.trim_start_matches("./")).to_string();
        let blob = self.blobs.get(&path)?;
        let mut known = self.known.borrow_mut();
        known.entry(path).or_insert_with(|| self.text(blob)).clone()
    }

    fn text(&self, blob: &BlobId) -> Option<String> {
        let mut read = self.repository.read_small_blobs(std::slice::from_ref(blob), TEXT_BYTES_MAX).ok()?;
        String::from_utf8(read.remove(blob)?).ok()
    }
}
