//! Files written whole or not at all, and read with every bad case named.
//!
//! A half-written file and a file that blocks, lies about its encoding or never ends look the same to a careless
//! reader; here each is an error of its own.
//!
//! Decisions. A write never follows a symbolic link: the link itself is replaced, because a worker could point one
//! at a file of the person. (Links in the folders above are followed; whoever names the path answers for them.)
//! A read does follow links. The permission bits of a replaced file are kept; one that nobody may write is refused.

mod read;
#[cfg(test)]
mod tests;

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use tempfile::NamedTempFile;

use crate::crash;

pub use read::{
    ByteOrderMark, FileText, ReadError, if_there, open_regular, read_bytes, read_end, read_start, read_text,
};

/// How every temporary file of this module begins. A crash may leave one behind, which in a worktree looks like
/// somebody's work: there, [`replace_through`] a folder that nobody looks into. [`remove_leftovers`] clears a directory.
pub const TEMPORARY_PREFIX: &str = ".gulf-new-";

/// Whether a write waits until the disk has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// On disk when the call returns: survives a power cut.
    Synced,
    /// Handed to the system: survives this process, not a power cut.
    Buffered,
}

/// Whether the file was written, renamed or given another mode after this; no for one that is not there.
pub fn changed_since(path: &Utf8Path, begun: SystemTime) -> bool {
    let changed = fs::symlink_metadata(path).ok().and_then(|metadata| changed_at(&metadata));
    changed.is_some_and(|changed| changed > begun)
}

/// When the file, its name or its mode last changed; a program can set the other times, not this one.
fn changed_at(metadata: &Metadata) -> Option<SystemTime> {
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds))
}

/// Why a file or directory could not be written.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum WriteError {
    #[error("{path} already exists")]
    #[diagnostic(help("move {path} away first; gulf does not overwrite it"))]
    Exists { path: Utf8PathBuf },
    #[error("{path} is read-only")]
    #[diagnostic(help("allow writing to it: `chmod u+w '{path}'`"))]
    ReadOnly { path: Utf8PathBuf },
    #[error("{path} is not a {wanted}")]
    #[diagnostic(help("move {path} away"))]
    Occupied { path: Utf8PathBuf, wanted: &'static str },
    #[error("cannot {action} {path}")]
    #[diagnostic(help("{}", system_hint(source).unwrap_or_default()))]
    Failed { path: Utf8PathBuf, action: &'static str, source: io::Error },
}

/// What the person can do about errors of the system.
const HINTS: [(io::ErrorKind, &str); 5] = [
    (io::ErrorKind::StorageFull, "the disk is full: free some space, then run the same command again"),
    (io::ErrorKind::QuotaExceeded, "your disk quota is used up: free some space, then run it again"),
    (io::ErrorKind::FileTooLarge, "a file size limit is in force here; see `ulimit -f`"),
    (io::ErrorKind::ReadOnlyFilesystem, "the file system is mounted read-only"),
    (io::ErrorKind::PermissionDenied, "check the owner and permissions of the file and its folder"),
];

/// What the person can do about an error of the system, where that is known.
pub fn system_hint(error: &io::Error) -> Option<&'static str> {
    HINTS.iter().find(|(kind, _)| *kind == error.kind()).map(|(_, hint)| *hint)
}

/// Puts `bytes` where `path` is, in one step: a reader sees the old file or the new one, never a mixture.
/// When it fails, the old file is untouched and no temporary file stays.
pub fn replace(path: &Utf8Path, bytes: &[u8], durability: Durability) -> Result<(), WriteError> {
    replace_from(folder_of(path), path, bytes, durability)
}

/// The same in a folder that is made where it is missing.
pub fn keep(path: &Utf8Path, bytes: &[u8], durability: Durability) -> Result<(), WriteError> {
    create_private_directories(folder_of(path), durability)?;
    replace(path, bytes, durability)
}

/// As [`replace`], and what a crash leaves behind lies in `staging`. Where that folder is none, or on another file system, it
/// lies beside `path`.
pub fn replace_through(
    staging: &Utf8Path,
    path: &Utf8Path,
    bytes: &[u8],
    durability: Durability,
) -> Result<(), WriteError> {
    match replace_from(staging, path, bytes, durability) {
        Err(WriteError::Failed { .. }) => replace(path, bytes, durability),
        replaced => replaced,
    }
}

/// Writes where a person said, as `> path` would: through links, into devices and pipes. A file is replaced in one step.
pub fn write_to(path: &Utf8Path, bytes: &[u8]) -> Result<(), WriteError> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    match (fs::metadata(path), path.canonicalize_utf8()) {
        (Ok(metadata), Ok(file)) if metadata.is_file() => replace(&file, bytes, Durability::Buffered),
        (Err(_), _) if !is_link => replace(path, bytes, Durability::Buffered),
        _ => fs::write(path, bytes).map_err(failed(path, "write")),
    }
}

/// Makes a file that was not there, whole; whatever stands at `path`, even a dangling link, is left alone.
pub fn create_new(path: &Utf8Path, bytes: &[u8], durability: Durability) -> Result<(), WriteError> {
    let failed = failed(path, "create");
    let staged = stage(folder_of(path), None, bytes, durability).map_err(failed)?;
    crash::point("files.create.rename");
    staged.persist_noclobber(path).map_err(|error| match error.error {
        taken if taken.kind() == io::ErrorKind::AlreadyExists => WriteError::Exists { path: path.to_owned() },
        error => failed(error),
    })?;
    crash::point("files.create.renamed");
    settle(path, durability).map_err(failed)
}

/// Makes a directory and those above it that are missing, each for its owner alone (0700). One that is there already
/// is left as it is. A synced file in an unsynced directory may be lost with it.
pub fn create_private_directories(path: &Utf8Path, durability: Durability) -> Result<(), WriteError> {
    let missing: Vec<&Utf8Path> =
        path.ancestors().take_while(|above| !above.as_str().is_empty() && !above.exists()).collect();
    for directory in missing.into_iter().rev() {
        create_private_directory(directory, durability)?;
    }
    let occupied = || WriteError::Occupied { path: path.to_owned(), wanted: "directory" };
    if path.is_dir() { Ok(()) } else { Err(occupied()) }
}

/// May others look into a folder that is there? A link is none of gulf's.
pub fn is_open_to_others(path: &Utf8Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir() && metadata.mode() & 0o077 != 0)
}

/// Leaves a folder of gulf's own that is there to its owner alone: what checks print lies below it. A folder of somebody
/// else's cannot be narrowed, and is not.
pub fn close_to_others(path: &Utf8Path) {
    if let Ok(metadata) = fs::symlink_metadata(path)
        && metadata.is_dir()
        && metadata.mode() & 0o077 != 0
    {
        // Nothing depends on it; `gulf doctor` names what stays open.
        let _ = fs::set_permissions(path, Permissions::from_mode(metadata.mode() & 0o700));
    }
}

/// Removes a file, a link or a folder; what is gone already is no error.
pub fn remove_whatever(path: &Path) -> io::Result<()> {
    or_gone(match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    })
}

/// What was not there to be removed is as good as removed.
pub(crate) fn or_gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes a file; one that is not there is as good as removed.
pub fn remove_file(path: &Utf8Path) -> Result<(), WriteError> {
    removed(path, fs::remove_file(path))
}

/// Removes a directory and all in it; one that is not there is as good as removed.
pub fn remove_directory(path: &Utf8Path) -> Result<(), WriteError> {
    removed(path, fs::remove_dir_all(path))
}

fn failed(path: &Utf8Path, action: &'static str) -> impl Fn(io::Error) -> WriteError + Copy {
    move |source| WriteError::Failed { path: path.to_owned(), action, source }
}

fn removed(path: &Utf8Path, removed: io::Result<()>) -> Result<(), WriteError> {
    or_gone(removed).map_err(failed(path, "remove"))
}

/// What lies in a folder, but names that are not UTF-8; nothing where it is not there yet.
pub fn entries(folder: &Utf8Path) -> io::Result<Vec<Utf8DirEntry>> {
    let listed = folder.read_dir_utf8().map(|entries| {
        let is_named = |entry: &io::Result<_>| !has_kind(entry, io::ErrorKind::InvalidData);
        entries.filter(is_named).collect()
    });
    if has_kind(&listed, io::ErrorKind::NotFound) { Ok(Vec::new()) } else { listed? }
}

fn has_kind<T>(result: &io::Result<T>, kind: io::ErrorKind) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == kind)
}

/// Removes the temporary files that a crash left in `directory`. Only for whoever is the only
/// writer there: it cannot tell a leftover from a file that another process is writing.
pub fn remove_leftovers(directory: &Utf8Path) -> Result<(), WriteError> {
    let failed = failed(directory, "clear");
    for entry in fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_leftover = entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX);
        if is_leftover && entry.file_type().map_err(failed)?.is_file() {
            fs::remove_file(entry.path()).map_err(failed)?;
        }
    }
    Ok(())
}

/// Tries whether a file can be made in `directory`; nothing stays there.
pub fn try_writing_in(directory: &Utf8Path) -> Result<(), WriteError> {
    tempfile::tempfile_in(directory).map(drop).map_err(failed(directory, "make a file in"))
}

/// How much an ordinary user can still write where `path` lies, if the system tells.
pub fn free_bytes(path: &Utf8Path) -> Option<u64> {
    let system = rustix::fs::statvfs(path.as_std_path()).ok()?;
    Some(system.f_bavail.saturating_mul(system.f_frsize))
}

/// The directory a path lies in, as something that can be opened.
pub(crate) fn folder_of(path: &Utf8Path) -> &Utf8Path {
    match path.parent() {
        Some(parent) if !parent.as_str().is_empty() => parent,
        Some(_) | None => Utf8Path::new("."),
    }
}

/// An empty temporary file beside `path`, so that a rename within one file system can finish the write.
pub(crate) fn temporary_beside(path: &Utf8Path) -> io::Result<NamedTempFile> {
    temporary_in(folder_of(path))
}

fn temporary_in(folder: &Utf8Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    // With the mode of any other new file: 0666 less the umask.
    builder.prefix(TEMPORARY_PREFIX).suffix(".tmp").permissions(Permissions::from_mode(0o666));
    crash::point("files.stage.create");
    let staged = builder.tempfile_in(folder)?;
    crash::point("files.stage.created");
    Ok(staged)
}

/// Syncs the folder of a path that has just got its name.
pub(crate) fn settle(path: &Utf8Path, durability: Durability) -> io::Result<()> {
    match durability {
        Durability::Synced => {
            // Without it a new or renamed file may be gone after a power cut.
            File::open(folder_of(path))?.sync_all()?;
            crash::point("files.directory.synced");
            Ok(())
        }
        Durability::Buffered => Ok(()),
    }
}

fn replace_from(
    staging: &Utf8Path,
    path: &Utf8Path,
    bytes: &[u8],
    durability: Durability,
) -> Result<(), WriteError> {
    let failed = failed(path, "replace");
    let existing = existing_file(path).map_err(failed)?;
    if existing.as_ref().is_some_and(Metadata::is_dir) {
        return Err(WriteError::Occupied { path: path.to_owned(), wanted: "file" });
    }
    if existing.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return Err(WriteError::ReadOnly { path: path.to_owned() });
    }
    let staged = stage(staging, existing.as_ref(), bytes, durability).map_err(failed)?;
    crash::point("files.replace.rename");
    staged.persist(path).map_err(|error| failed(error.error))?;
    crash::point("files.replace.renamed");
    settle(path, durability).map_err(failed)
}

fn existing_file(path: &Utf8Path) -> io::Result<Option<Metadata>> {
    match fs::symlink_metadata(path) {
        // A link is replaced by a new file, which inherits nothing from it.
        Ok(metadata) if metadata.is_symlink() => Ok(None),
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn stage(
    staging: &Utf8Path,
    existing: Option<&Metadata>,
    bytes: &[u8],
    durability: Durability,
) -> io::Result<NamedTempFile> {
    let mut staged = temporary_in(staging)?;
    staged.write_all(bytes)?;
    crash::point("files.stage.written");
    if let Some(existing) = existing {
        // Set-user-id and its like are not handed on.
        staged.as_file().set_permissions(Permissions::from_mode(existing.mode() & 0o777))?;
    }
    if durability == Durability::Synced {
        staged.as_file().sync_all()?;
        crash::point("files.stage.synced");
    }
    Ok(staged)
}

fn create_private_directory(path: &Utf8Path, durability: Durability) -> Result<(), WriteError> {
    let failed = failed(path, "create the directory");
    crash::point("files.mkdir");
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => {}
        // Another process was faster; the caller checks that it made a directory.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        Err(error) => return Err(failed(error)),
    }
    crash::point("files.mkdir.made");
    settle(path, durability).map_err(failed)
}

// Appends to a file that only grows.

/// Adds to the end of a file, in one write; made where it is not there.
pub fn append(path: &Utf8Path, bytes: &[u8]) -> Result<(), WriteError> {
    let failed = failed(path, "append to");
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    file.write_all(bytes).map_err(failed)
}
