//! A disk of a few kilobytes, to see what happens when it is full.

use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};

use crate::programs::skip;
use crate::sandbox::Sandbox;

/// A file system of its own; unmounted when dropped.
#[derive(Debug)]
pub struct Disk {
    path: Utf8PathBuf,
}

impl Disk {
    /// Mounts one in the sandbox, or says aloud that there is none: only root may mount.
    pub fn of_kibibytes(sandbox: &Sandbox, name: &str, kibibytes: u32) -> Option<Disk> {
        let path = sandbox.path(name);
        std::fs::create_dir_all(&path).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={kibibytes}k"), "tmpfs"])
            .arg(&path)
            .output()
            .is_ok_and(|output| output.status.success());
        if !mounted {
            skip("no tmpfs can be mounted here, so a full disk was not tried");
            return None;
        }
        Some(Disk { path })
    }

    pub fn path(&self) -> &Utf8Path {
        &self.path
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg(&self.path).status());
    }
}
