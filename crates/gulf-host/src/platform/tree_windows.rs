//! What Windows knows about the files of a tree.
//!
//! It stands apart from the process half of this module because git and provision need it, the shim does not.

use std::fs::{self, FileTimes, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// The path these bytes name; git for Windows writes UTF-8, other bytes name nothing.
pub(crate) fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The bytes of a path as git would write them: UTF-8 with forward slashes.
pub(crate) fn path_to_bytes(path: &Path) -> Option<Vec<u8>> {
    path.to_str().map(|text| text.replace('\\', "/").into_bytes())
}

/// Makes `link` point at `target`; needs developer mode or an administrator.
pub(crate) fn make_symlink(target: &Path, link: &Path) -> io::Result<()> {
    if target.is_dir() {
        std::os::windows::fs::symlink_dir(target, link)
    } else {
        std::os::windows::fs::symlink_file(target, link)
    }
}

/// The time stamps of a link itself cannot be set here; nothing gulf does depends on them.
pub(crate) fn set_link_times(_link: &Path, _metadata: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Gives an existing file the time stamps of `metadata`; those of directories stay.
pub(crate) fn set_times(path: &Path, metadata: &Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Ok(());
    }
    let times = FileTimes::new().set_accessed(metadata.accessed()?).set_modified(metadata.modified()?);
    fs::OpenOptions::new().write(true).open(path)?.set_times(times)
}

/// Access lists are not touched.
pub(crate) fn unlock_directory(_directory: &Path, _metadata: &Metadata) -> io::Result<()> {
    Ok(())
}

/// There is no cheap file number; the time stamps and the length must do.
pub(crate) fn file_number(_metadata: &Metadata) -> u64 {
    0
}

/// Groups are jobs here, which the shim makes; git programs get none.
pub(crate) fn own_process_group(_command: &mut Command) {}

/// Kills the child alone.
pub(crate) fn kill_own_process_group(child: &mut Child) {
    let _ = child.kill();
}
