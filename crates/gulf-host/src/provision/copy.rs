//! Copies a folder as it is: bytes, executable bits, time stamps, links.
//!
//! It knows nothing of dependencies: it asks the relocation about links and does the rest.

use std::fs::{self, FileTimes, Metadata};
use std::io;
use std::num::NonZeroUsize;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use walkdir::{DirEntry, WalkDir};

use super::How;
use super::relocate::Relocation;
use crate::files::or_gone;

/// More entries than any package manager makes; a folder with more is not walked to its end.
const ENTRIES_MAX: usize = 4_000_000;

/// More threads than this wait for the same disk.
const THREADS_MAX: usize = 8;
/// So many files a thread takes at a time.
const FILES_AT_ONCE: usize = 64;

#[derive(Clone, Copy)]
enum Method {
    Reflink,
    Copy,
}

/// Copies `source` to `goal`, which is not there; `place` is where it stands in the worktree.
pub(super) fn copy_tree(
    source: &Path,
    goal: &Path,
    place: &Path,
    relocation: &Relocation,
    bytes_max: u64,
) -> io::Result<How> {
    let entries = WalkDir::new(source).follow_links(false).into_iter().collect::<Result<Vec<_>, _>>()?;
    if entries.len() > ENTRIES_MAX {
        return Err(io::Error::other(format!("more than {ENTRIES_MAX} files and directories")));
    }
    let bytes = total_bytes(&entries)?;
    let method = match entries.iter().find(|entry| entry.file_type().is_file()) {
        Some(file) if can_reflink(file.path(), goal)? => Method::Reflink,
        Some(_) | None if bytes > bytes_max => return Ok(How::NeedsSetUp),
        Some(_) | None => Method::Copy,
    };
    let mut directories: Vec<(PathBuf, Metadata)> = Vec::new();
    for entry in &entries {
        let relative = entry.path().strip_prefix(source).map_err(io::Error::other)?;
        // An empty join would put a slash behind the goal.
        let to = if relative.as_os_str().is_empty() { goal.to_owned() } else { goal.join(relative) };
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            fs::create_dir_all(&to)?;
            directories.push((to, metadata));
        } else if metadata.is_symlink() {
            let target = relocation.link_target(&place.join(relative), &fs::read_link(entry.path())?);
            symlink(&target, &to)?;
            set_link_times(&to, &metadata)?;
        }
        // Sockets and pipes belong to processes of the worktree: nothing of them can be copied.
    }
    copy_files(&entries, source, goal, method)?;
    // Last, and the deepest first: filling a directory changes its time, and a read-only one could not be filled.
    for (directory, metadata) in directories.iter().rev() {
        set_times(directory, metadata)?;
        fs::set_permissions(directory, metadata.permissions())?;
    }
    Ok(How::Provided)
}

/// Side by side: tens of thousands of small files wait for the file system, not for the bytes.
fn copy_files(entries: &[DirEntry], source: &Path, goal: &Path, method: Method) -> io::Result<()> {
    let files: Vec<&DirEntry> = entries.iter().filter(|entry| entry.file_type().is_file()).collect();
    let next = AtomicUsize::new(0);
    let copy_some = || -> io::Result<()> {
        loop {
            let from = next.fetch_add(FILES_AT_ONCE, Ordering::Relaxed);
            let Some(some) = files.get(from..) else { return Ok(()) };
            if some.is_empty() {
                return Ok(());
            }
            for entry in some.iter().take(FILES_AT_ONCE) {
                let relative = entry.path().strip_prefix(source).map_err(io::Error::other)?;
                let to = if relative.as_os_str().is_empty() { goal.to_owned() } else { goal.join(relative) };
                copy_file(entry.path(), &to, &entry.metadata()?, method)?;
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).clamp(1, THREADS_MAX);
    let threads = threads.min(files.len().div_ceil(FILES_AT_ONCE));
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(copy_some)).collect();
        let own = copy_some();
        let died = |_| Err(io::Error::other("a thread that copies died"));
        own.and(others.into_iter().try_for_each(|other| other.join().unwrap_or_else(died)))
    })
}

fn total_bytes(entries: &[DirEntry]) -> io::Result<u64> {
    let mut files = entries.iter().filter(|entry| entry.file_type().is_file());
    files.try_fold(0, |bytes, file| Ok(bytes + file.metadata()?.len()))
}

fn can_reflink(file: &Path, goal: &Path) -> io::Result<bool> {
    let trial = goal.with_extension("trial");
    let reflinked = reflink_copy::reflink(file, &trial).is_ok();
    or_gone(fs::remove_file(&trial)).map(|()| reflinked)
}

fn copy_file(from: &Path, to: &Path, metadata: &Metadata, method: Method) -> io::Result<()> {
    match method {
        Method::Reflink => {
            reflink_copy::reflink(from, to)?;
            fs::set_permissions(to, metadata.permissions())?;
        }
        Method::Copy => {
            fs::copy(from, to)?;
        }
    }
    set_times(to, metadata)
}

/// Gives an existing file or directory the time stamps of `metadata`.
fn set_times(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let times = FileTimes::new().set_accessed(metadata.accessed()?).set_modified(metadata.modified()?);
    fs::File::open(path)?.set_times(times)
}

/// Gives a link itself, not what it points at, the time stamps of `metadata`.
fn set_link_times(link: &Path, metadata: &Metadata) -> io::Result<()> {
    let times = Timestamps {
        last_access: Timespec { tv_sec: metadata.atime(), tv_nsec: metadata.atime_nsec() },
        last_modification: Timespec { tv_sec: metadata.mtime(), tv_nsec: metadata.mtime_nsec() },
    };
    Ok(utimensat(CWD, link, &times, AtFlags::SYMLINK_NOFOLLOW)?)
}
