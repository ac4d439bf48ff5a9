//! Files on Unix: opening without blocking, modes, links, and the sync of a directory.
//!
//! It stands apart from `linux.rs` because Linux, macOS and the BSDs share all of it.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Opens for reading; a FIFO without a writer or a terminal line does not make it wait.
pub(crate) fn open_without_blocking(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

/// What a path is when it is neither a file nor a directory.
pub(crate) fn special_kind(metadata: &Metadata) -> &'static str {
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_block_device() || kind.is_char_device() {
        "a device"
    } else {
        "something else"
    }
}

/// Makes one directory that only its owner may enter.
pub(crate) fn create_private_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// May others than its owner look into it?
pub(crate) fn is_open_to_others(metadata: &Metadata) -> bool {
    metadata.mode() & 0o077 != 0
}

/// Leaves a directory to its owner alone.
pub(crate) fn close_to_others(path: &Path, metadata: &Metadata) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(metadata.mode() & 0o700))
}

/// Puts the names in a directory on disk: without it a new or renamed file may be gone after a power cut.
pub(crate) fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Lets a temporary file be born with the mode of any other new file: 0666 less the umask.
pub(crate) fn born_ordinary(builder: &mut tempfile::Builder<'_, '_>) {
    builder.permissions(Permissions::from_mode(0o666));
}

/// The permissions that a file's replacement takes over; set-user-id and its like are not handed on.
pub(crate) fn inherited_permissions(metadata: &Metadata) -> Permissions {
    Permissions::from_mode(metadata.mode() & 0o777)
}

/// Whether the open file is still the one that the path names.
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (open.dev(), open.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// What the file system itself calls a file, on a device of this number.
pub(crate) fn device_and_number(metadata: &Metadata) -> Option<(u64, u64)> {
    Some((metadata.dev(), metadata.ino()))
}

/// Whether an open file has lost its last name: what is written to it is lost.
/// When the file, its name or its mode last changed; a program can set the other times, not this one.
pub(crate) fn changed_at(metadata: &Metadata) -> Option<SystemTime> {
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    let fraction = u64::try_from(metadata.ctime_nsec()).ok()?;
    SystemTime::UNIX_EPOCH
        .checked_add(Duration::from_secs(seconds))?
        .checked_add(Duration::from_nanos(fraction))
}

pub(crate) fn is_unlinked(metadata: &Metadata) -> bool {
    metadata.nlink() == 0
}

/// Whether somebody may execute the file.
pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file() && metadata.mode() & 0o111 != 0
}

/// The signal that ended a program.
pub(crate) fn signal_of(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Lets a file be born for its owner alone.
pub(crate) fn born_private(options: &mut OpenOptions) {
    options.mode(0o600);
}

/// What an ordinary user may still write where a path lies.
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    let system = rustix::fs::statvfs(path).ok()?;
    Some(system.f_bavail.saturating_mul(system.f_frsize))
}

/// Lets the file be executed by whoever may read it.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    let mode = std::fs::metadata(path)?.mode();
    std::fs::set_permissions(path, Permissions::from_mode(mode | (mode & 0o444) >> 2))
}
