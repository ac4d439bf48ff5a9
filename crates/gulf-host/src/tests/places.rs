//! Places where tests write: folders with awkward names, full disks, disks that cannot be written.
//!
//! Files, locks and journals must all survive the same places.

use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

/// A folder whose path has spaces and Korean in it; gone when dropped.
#[derive(Debug)]
pub(crate) struct Folder {
    path: Utf8PathBuf,
    _temporary: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        let temporary = tempfile::Builder::new().prefix("gulf 시험 폴더 ").tempdir().unwrap();
        // Canonical, because a temporary folder may be named by way of a link.
        let path = Utf8PathBuf::from_path_buf(temporary.path().canonicalize().unwrap()).unwrap();
        Folder { path, _temporary: temporary }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    pub(crate) fn join(&self, name: &str) -> Utf8PathBuf {
        self.path.join(name)
    }

    /// The names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// A file system of its own in a folder; unmounted when dropped.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: Folder,
}

impl Disk {
    /// A disk of 64 KiB, or, said aloud, none: only root may mount.
    pub(crate) fn tiny() -> Option<Disk> {
        let folder = Folder::new();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        if mounted {
            Some(Disk { folder })
        } else {
            eprintln!("SKIPPED: no tmpfs can be mounted here, so a full disk was not tried");
            None
        }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        self.folder.path()
    }

    /// From now on it can only be read.
    pub(crate) fn make_read_only(&self) {
        let status = Command::new("mount").args(["-o", "remount,ro"]).arg(self.path()).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

/// Makes a FIFO that nobody writes to.
pub(crate) fn make_fifo(path: &Utf8Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}
