//! What unix knows about the files of a tree: names as bytes, links, executable bits, process groups.
//!
//! It stands apart from the process half of this module because git and provision need it, the shim does not.

use std::ffi::OsString;
use std::fs::{self, FileTimes, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use rustix::process::{Pid, Signal, kill_process_group};

/// The path these bytes name; any bytes do.
pub(crate) fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    Some(PathBuf::from(OsString::from_vec(bytes.to_vec())))
}

/// The bytes of a path as git would write them.
pub(crate) fn path_to_bytes(path: &Path) -> Option<Vec<u8>> {
    Some(path.as_os_str().as_bytes().to_vec())
}

/// Makes `link` point at `target`.
pub(crate) fn make_symlink(target: &Path, link: &Path) -> io::Result<()> {
    symlink(target, link)
}

/// Gives a link itself, not what it points at, the time stamps of `metadata`.
pub(crate) fn set_link_times(link: &Path, metadata: &Metadata) -> io::Result<()> {
    let times = Timestamps {
        last_access: Timespec { tv_sec: metadata.atime(), tv_nsec: metadata.atime_nsec() },
        last_modification: Timespec { tv_sec: metadata.mtime(), tv_nsec: metadata.mtime_nsec() },
    };
    Ok(utimensat(CWD, link, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}

/// Gives an existing file or directory the time stamps of `metadata`.
pub(crate) fn set_times(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let times = FileTimes::new().set_accessed(metadata.accessed()?).set_modified(metadata.modified()?);
    fs::File::open(path)?.set_times(times)
}

/// Lets the owner enter, list and change a directory that a program had locked.
pub(crate) fn unlock_directory(directory: &Path, metadata: &Metadata) -> io::Result<()> {
    let mode = metadata.permissions().mode();
    if mode & 0o700 == 0o700 {
        return Ok(());
    }
    fs::set_permissions(directory, Permissions::from_mode(mode | 0o700))
}

/// A number that changes when a file is replaced by another of the same name.
pub(crate) fn file_number(metadata: &Metadata) -> u64 {
    metadata.ino()
}

/// Puts a program, and what it starts, into a process group of its own, out of reach of the terminal's Ctrl-C.
pub(crate) fn own_process_group(command: &mut Command) {
    command.process_group(0);
}

/// Kills a child that was given its own group, with the whole group.
pub(crate) fn kill_own_process_group(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
}
