//! A git directory of gulf's own through which the person's objects are read and written.
//!
//! It is the answer to a worker that edits `.git/config`: git reads local configuration (filters, hooks, fsmonitor,
//! includes, `core.worktree`) from its git directory, and this one is outside the worker's reach.
//! `GIT_OBJECT_DIRECTORY` sends new objects straight into the person's store, where references under `refs/gulf/`
//! keep them. Of the local configuration, only plain values that decide on bytes are taken over, once, when the directory is
//! made. The person's global configuration, ignore rules and attributes count as they are; for a loop, as they were at its
//! start (`sealed`): a worker may write them.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::{NamedTempFile, TempDir};

use super::error::{GitError, Result};
use super::names::ObjectFormat;
use super::program::Call;
use super::{Repository, temporary_folder};
use crate::crash;
use crate::files::{self, ReadError};

/// Local settings that decide on bytes and run nothing.
const SEALED_SETTINGS: [&str; 9] = [
    "core.autocrlf", "core.eol", "core.filemode", "core.ignorecase", "core.symlinks",
    "core.precomposeunicode", "core.longpaths", "core.excludesfile", "core.attributesfile",
];
/// Beside gulf's configuration: the person's global one as it was at a loop's start.
pub(super) const GLOBAL: &str = "global";
/// The largest file of ignore rules or attributes that is taken over.
const INFO_BYTES_MAX: u64 = 4 << 20;

/// Objects, and the neutral git directory to reach them through.
#[derive(Debug, Clone)]
pub(super) struct Store {
    pub(super) directory: Utf8PathBuf,
    pub(super) objects: Utf8PathBuf,
    pub(super) format: ObjectFormat,
    /// The directory that holds the settings of the loop's start; none where those of now count.
    pub(super) sealed: Option<Utf8PathBuf>,
}

/// Whether attributes, which turn the same objects into other bytes, differ from those that counted last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attributes {
    Same,
    Changed,
}

impl Store {
    /// Makes the directory; `local` lists settings of the person's own repository.
    pub(super) fn create(&self, common: &Utf8Path, local: &[(String, String)]) -> Result<()> {
        write_skeleton(&self.directory, "ref: refs/heads/gulf\n", &[])?;
        let mut text = config_head(self.format);
        for name in SEALED_SETTINGS {
            let last = local.iter().rfind(|(local_name, _)| local_name == name);
            if let Some((_, value)) = last {
                let key = name.trim_start_matches("core.");
                text.push_str(&format!("[core]\n\t{key} = {}\n", quoted(value)));
            }
        }
        text.push_str(&format!("[lfs]\n\tstorage = {}\n", quoted(common.join("lfs").as_str())));
        // The configuration is written last: a directory with one is whole.
        replace_file(&self.directory.join("config"), text.as_bytes())
    }

    /// A call that sees gulf's configuration, the person's objects, and no worktree.
    pub(super) fn call(&self, verb: &'static str) -> Call {
        self.call_with(&[], verb)
    }

    /// The same with settings for this call alone.
    pub(super) fn call_with(&self, settings: &[String], verb: &'static str) -> Call {
        self.settled(Call::new(self.directory.as_std_path(), settings, verb))
            .variable("GIT_DIR", &self.directory)
            .variable("GIT_OBJECT_DIRECTORY", &self.objects)
    }

    /// With the global settings that count.
    pub(super) fn settled(&self, call: Call) -> Call {
        match &self.sealed {
            Some(sealed) => call.variable("GIT_CONFIG_GLOBAL", sealed.join(GLOBAL)),
            None => call,
        }
    }

    /// A call that works on `work_tree` with a private index.
    pub(super) fn call_in(&self, work_tree: &Utf8Path, index: &Utf8Path, verb: &'static str) -> Call {
        // Entries that are left out of a sparse worktree count as there, until a file stands in their place.
        self.settled(Call::new(work_tree.as_std_path(), &["core.sparseCheckout=true".to_owned()], verb))
            .variable("GIT_DIR", &self.directory)
            .variable("GIT_OBJECT_DIRECTORY", &self.objects)
            .variable("GIT_WORK_TREE", work_tree)
            .variable("GIT_INDEX_FILE", index)
    }

    /// A file that git is to read, gone when it is dropped.
    pub(super) fn temporary_file(&self, bytes: &[u8]) -> Result<NamedTempFile> {
        let write = || -> io::Result<NamedTempFile> {
            let mut file = NamedTempFile::new_in(&self.directory)?;
            file.write_all(bytes)?;
            Ok(file)
        };
        write().map_err(GitError::file("write in", &self.directory))
    }

    /// Takes over the ignore rules and attributes that stand beside the person's repository.
    pub(super) fn refresh_info(&self, common: &Utf8Path) -> Result<Attributes> {
        let from = self.sealed.as_deref().unwrap_or(common);
        if from == self.directory {
            return Ok(Attributes::Same);
        }
        self.take_over(from, "exclude")?;
        self.take_over(from, "attributes")
    }

    fn take_over(&self, from: &Utf8Path, name: &str) -> Result<Attributes> {
        let path = from.join("info").join(name);
        // A link that somebody put there would bring what else the person can read.
        let theirs = if path.is_symlink() { Vec::new() } else { read_info(&path)? };
        let path = self.directory.join("info").join(name);
        if read_info(&path)? == theirs {
            return Ok(Attributes::Same);
        }
        replace_file(&path, &theirs)?;
        Ok(Attributes::Changed)
    }
}

/// The directories and the HEAD that make a folder a git directory, and these files in it.
pub(super) fn write_skeleton(directory: &Utf8Path, head: &str, files: &[(&str, &str)]) -> Result<()> {
    for part in ["objects/info", "refs/heads", "info"] {
        let path = directory.join(part);
        fs::create_dir_all(&path).map_err(GitError::file("create", &path))?;
    }
    for (name, text) in [("HEAD", head)].iter().chain(files) {
        let path = directory.join(name);
        fs::write(&path, text).map_err(GitError::file("write", &path))?;
    }
    Ok(())
}

/// The settings every git directory starts with.
pub(super) fn config_head(format: ObjectFormat) -> String {
    let (version, extensions) = match format {
        ObjectFormat::Sha1 => (0, ""),
        ObjectFormat::Sha256 => (1, "[extensions]\n\tobjectFormat = sha256\n"),
    };
    format!("[core]\n\trepositoryformatversion = {version}\n\tbare = false\n{extensions}")
}

/// Replaces a file of gulf's own in one step: nobody else may read it.
pub(super) fn replace_file(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    replace_by(path, bytes, || NamedTempFile::new_in(files::folder_of(path)))
}

/// Replaces a file of the person's in one step. Others may work in the repository, too: it stays as readable as it was, and
/// a new one is as readable as any that git makes.
pub(super) fn replace_persons_file(path: &Utf8Path, bytes: &[u8]) -> Result<()> {
    replace_by(path, bytes, || {
        let file = files::temporary_beside(path)?;
        if let Ok(existing) = fs::metadata(path) {
            file.as_file().set_permissions(fs::Permissions::from_mode(existing.mode() & 0o777))?;
        }
        Ok(file)
    })
}

fn replace_by(path: &Utf8Path, bytes: &[u8], made: impl FnOnce() -> io::Result<NamedTempFile>) -> Result<()> {
    let write = || -> io::Result<()> {
        fs::create_dir_all(files::folder_of(path))?;
        let mut file = made()?;
        file.write_all(bytes)?;
        crash::point("git.replace-file");
        file.persist(path)?;
        Ok(())
    };
    write().map_err(GitError::file("write", path))
}

/// Reads a small file; one that is not there is empty.
pub(super) fn read_info(path: &Utf8Path) -> Result<Vec<u8>> {
    match files::read_bytes(path, INFO_BYTES_MAX) {
        Err(ReadError::TooLarge { bytes_max, .. }) => {
            Err(GitError::BlobTooLarge { path: path.to_string(), bytes_max })
        }
        Err(ReadError::Failed { source, .. }) => Err(GitError::file("read", path)(source)),
        // A pipe put in its place would block for ever.
        read => Ok(read.unwrap_or_default()),
    }
}

/// A value in a file of settings, or a path in one of alternates: git undoes it in both.
pub(super) fn quoted(value: &str) -> String {
    let mut text = String::from("\"");
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

// A git directory that lives for one call: gulf's configuration, the person's objects and references.

/// A git directory for one call.
pub(super) struct Scratch {
    pub(super) store: Store,
    _folder: TempDir,
}

impl Scratch {
    /// With every reference of the person's: what is here need not be fetched, and what is there not be sent.
    pub(super) fn with_all_refs(repository: &Repository) -> Result<Self> {
        let answer =
            repository.person_call("for-each-ref")?.arg("--format=%(objectname) %(refname)").run()?;
        let refs = format!("{}\n", answer.text());
        let (folder, directory) = temporary_folder()?;
        let config = config_head(repository.layout.object_format);
        let files = [("config", config.as_str()), ("packed-refs", refs.as_str())];
        write_skeleton(&directory, "ref: refs/heads/gulf\n", &files)?;
        let shallow = repository.layout.common_dir.join("shallow");
        if shallow.is_file() {
            fs::copy(&shallow, directory.join("shallow")).map_err(GitError::file("copy", &shallow))?;
        }
        Ok(Self { store: Store { directory, ..repository.store.clone() }, _folder: folder })
    }

    /// Takes over the person's global configuration with what it has for this repository alone (`includeIf`): which key,
    /// which helper.
    /// Tests name another global file.
    pub(super) fn take_settings(&mut self, repository: &Repository, global: Option<&Utf8Path>) -> Result<()> {
        if self.store.sealed.is_some() {
            return Ok(());
        }
        let (text, _) = repository.global_settings(global)?;
        replace_file(&self.store.directory.join(GLOBAL), text.as_bytes())?;
        self.store.sealed = Some(self.store.directory.clone());
        Ok(())
    }
}
