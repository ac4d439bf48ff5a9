//! What belongs to the person, byte for byte: branch, index and files, before and after.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use crate::sandbox::Sandbox;

/// Two of them are equal when nobody moved anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// What HEAD says, and the commit it comes to.
    pub head: (String, Option<String>),
    /// Branches and tags; what gulf keeps under `refs/gulf` is not the person's.
    pub refs: String,
    pub index: Option<Vec<u8>>,
    /// Every file outside `.git`; links by what they say.
    pub files: BTreeMap<Utf8PathBuf, Vec<u8>>,
}

impl Standing {
    pub fn of(sandbox: &Sandbox) -> Standing {
        let repository = sandbox.repository();
        let mut files = BTreeMap::new();
        collect(&repository, &repository, &mut files);
        let commit = sandbox.program("git", ["rev-parse", "--verify", "--quiet", "HEAD"]).run();
        Standing {
            head: (
                fs::read_to_string(repository.join(".git/HEAD")).unwrap_or_default(),
                (commit.exit == Some(0)).then(|| commit.stdout.trim().to_owned()),
            ),
            refs: sandbox.git(["for-each-ref", "refs/heads", "refs/tags", "refs/remotes"]),
            index: fs::read(repository.join(".git/index")).ok(),
            files,
        }
    }

    /// The same without these paths: what the worker did, or what gulf keeps beside the work.
    pub fn without(mut self, paths: &[&str]) -> Standing {
        self.files.retain(|path, _| !paths.iter().any(|own| path.starts_with(own)));
        self
    }
}

fn collect(root: &Utf8Path, folder: &Utf8Path, files: &mut BTreeMap<Utf8PathBuf, Vec<u8>>) {
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        let kind = fs::symlink_metadata(&path).unwrap().file_type();
        let relative = path.strip_prefix(root).unwrap().to_owned();
        if kind.is_symlink() {
            files.insert(relative, fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes());
        } else if kind.is_dir() && path.file_name() != Some(".git") {
            collect(root, &path, files);
        } else if kind.is_file() {
            files.insert(relative, fs::read(&path).unwrap());
        }
    }
}
