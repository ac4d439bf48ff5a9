//! Files on Windows, with what it cannot do said at each function.

use std::fs::{DirBuilder, File, Metadata, Permissions};
use std::io;
use std::path::Path;

/// Opens for reading. Named pipes live outside the file system here, so nothing under a folder can block.
pub(crate) fn open_without_blocking(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// What a path is when it is neither a file nor a directory.
pub(crate) fn special_kind(_metadata: &Metadata) -> &'static str {
    "something else"
}

/// Makes one directory. It inherits the access list of its parent: under `%LOCALAPPDATA%` that is the owner's alone,
/// elsewhere gulf does not narrow it.
pub(crate) fn create_private_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().create(path)
}

/// Access lists are the parent's, as they are of every directory there.
pub(crate) fn is_open_to_others(_metadata: &Metadata) -> bool {
    false
}

/// Does nothing: see [`is_open_to_others`].
pub(crate) fn close_to_others(_path: &Path, _metadata: &Metadata) -> io::Result<()> {
    Ok(())
}

/// None: a program ends with a code here.
pub(crate) fn signal_of(_status: std::process::ExitStatus) -> Option<i32> {
    None
}

/// Does nothing: a file inherits the access list of its folder.
pub(crate) fn born_private(_options: &mut std::fs::OpenOptions) {}

/// Does nothing: Windows offers no sync of a directory; NTFS journals its own names.
pub(crate) fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Does nothing: a temporary file inherits the access list of its folder like any other.
pub(crate) fn born_ordinary(_builder: &mut tempfile::Builder<'_, '_>) {}

/// The permissions that a file's replacement takes over: the read-only mark.
pub(crate) fn inherited_permissions(metadata: &Metadata) -> Permissions {
    metadata.permissions()
}

/// Always says yes: the standard library does not show a file's identity here.
pub(crate) fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Says nothing: the standard library does not show a file's number here.
pub(crate) fn device_and_number(_metadata: &Metadata) -> Option<(u64, u64)> {
    None
}

/// Always says no: the standard library does not show a file's link count here.
pub(crate) fn is_unlinked(_metadata: &Metadata) -> bool {
    false
}

/// Whether it is a file: what can be executed is not in its metadata here.
pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    metadata.is_file()
}

/// A second name for a file: a copy, since links need a privilege here.
pub(crate) fn link_program(original: &Path, link: &Path) -> io::Result<()> {
    std::fs::copy(original, link.with_extension("exe")).map(drop)
}

/// Not asked here: the standard library does not tell.
pub(crate) fn free_bytes(_path: &Path) -> Option<u64> {
    None
}

/// Does nothing: what can be executed is not in a file's permissions here.
pub(crate) fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}
