//! A git directory that lives for one call: gulf's configuration, the person's objects and references.
//!
//! Fetches and pushes need references that git itself looks up, and the person's own
//! git directory would bring along local configuration, which a worker can write: commands for ssh, other addresses,
//! helpers for credentials.

use std::collections::HashSet;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use super::error::GitError;
use super::program::Call;
use super::store::{config_head, write_skeleton};
use super::{Repository, temporary_folder};

/// A git directory for one call.
pub(super) struct Scratch {
    directory: Utf8PathBuf,
    objects: Utf8PathBuf,
    _folder: TempDir,
}

impl Scratch {
    /// With every reference of the person's: what is here need not be fetched, and what is there not be sent.
    pub(super) fn with_all_refs(repository: &Repository) -> Result<Self, GitError> {
        let answer =
            repository.person_call("for-each-ref")?.arg("--format=%(objectname) %(refname)").run()?;
        let refs = format!("{}\n", answer.text());
        let (folder, directory) = temporary_folder()?;
        write_skeleton(&directory, "ref: refs/heads/gulf\n")?;
        let config = config_head(repository.layout.object_format, "");
        for (name, text) in [("config", config.as_str()), ("packed-refs", refs.as_str())] {
            let path = directory.join(name);
            fs::write(&path, text).map_err(GitError::file("write", &path))?;
        }
        let shallow = repository.layout.common_dir.join("shallow");
        if shallow.is_file() {
            fs::copy(&shallow, directory.join("shallow")).map_err(GitError::file("copy", &shallow))?;
        }
        Ok(Self { directory, objects: repository.store.objects.clone(), _folder: folder })
    }

    /// Takes over what the person's global configuration adds for this repository alone (`includeIf`): which key, which
    /// helper. Read with the repository in view, but from the global files only.
    pub(super) fn take_conditional_settings(&self, repository: &Repository) -> Result<(), GitError> {
        self.take_settings_of(repository, None)
    }

    /// As `take_conditional_settings`, with another global file for tests.
    pub(super) fn take_settings_of(
        &self,
        repository: &Repository,
        global: Option<&Utf8Path>,
    ) -> Result<(), GitError> {
        let list = |call: Call| -> Result<Vec<u8>, GitError> {
            let call = match global {
                Some(global) => call.variable("GIT_CONFIG_GLOBAL", global),
                None => call,
            };
            // Who has no such file has no such settings.
            let call = call.args(["--global", "--includes", "--list", "-z"]).accept(&[0, 1, 128]);
            Ok(call.run()?.stdout)
        };
        let (here, anywhere) = (list(repository.person_call("config")?)?, list(self.call(&[], "config"))?);
        let anywhere: HashSet<&[u8]> = anywhere.split(|byte| *byte == 0).collect();
        for entry in here.split(|byte| *byte == 0).filter(|entry| !anywhere.contains(entry)) {
            let text = String::from_utf8_lossy(entry).into_owned();
            let Some((name, value)) = text.split_once('\n') else { continue };
            if ["credential.", "http.", "url.", "ssh.", "core.sshcommand"]
                .iter()
                .any(|wanted| name.starts_with(wanted))
            {
                let file = self.directory.join("config");
                self.call(&[], "config").args(["--file", file.as_str(), "--add", name, value]).run()?;
            }
        }
        Ok(())
    }

    pub(super) fn call(&self, settings: &[String], verb: &'static str) -> Call {
        Call::new(self.directory.as_std_path(), settings, verb)
            .variable("GIT_DIR", &self.directory)
            .variable("GIT_OBJECT_DIRECTORY", &self.objects)
    }
}
