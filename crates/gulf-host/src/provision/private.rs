//! Files that are in no commit and stand in a checkout all the same, such as `.env`; and links to what is shared.
//!
//! These hold secrets: they are read only from within the checkout they are named in, written only within the other
//! one, keep who may read them, and are never printed.

use std::fmt;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use walkdir::WalkDir;

use super::{DEPENDENCY_FOLDERS, remove_tree};
use crate::crash;
use crate::files::{self, Durability, ReadError, TEMPORARY_PREFIX, WriteError};

/// More entries than any checkout has besides its dependencies.
const ENTRIES_MAX: usize = 2_000_000;

/// A file with its bytes and who may read it.
pub struct PrivateFile {
    bytes: Vec<u8>,
    permissions: Permissions,
}

/// Why a file was not read or not written; none of these texts holds a byte of it.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum PrivateError {
    #[error("{path} is a link that leads out of {root}")]
    LeadsOut { root: Utf8PathBuf, path: String },
    #[error("{root} has more than {ENTRIES_MAX} files and folders")]
    TooMany { root: Utf8PathBuf },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Write(#[from] WriteError),
    #[error("cannot {action} {path}")]
    #[diagnostic(help("{}", files::system_hint(source).unwrap_or_default()))]
    Failed { action: &'static str, path: Utf8PathBuf, source: io::Error },
}

/// What became of one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    There,
    /// The commit has something else there, or a link above it; that stands.
    InTheWay,
}

impl fmt::Debug for PrivateFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PrivateFile({} bytes)", self.bytes.len())
    }
}

impl PrivateFile {
    /// Reads the file at `path` below `root`. A link is read as what it points at, if that lies below `root`, too.
    pub fn read(root: &Utf8Path, path: &str, bytes_max: u64) -> Result<Self, PrivateError> {
        let whole = root.join(path);
        let failed = |source| PrivateError::Failed { action: "look at", path: whole.clone(), source };
        let inside = root.canonicalize_utf8().map_err(failed)?;
        let meant = whole.canonicalize().map_err(failed)?;
        if !meant.starts_with(&inside) {
            return Err(PrivateError::LeadsOut { root: root.to_owned(), path: path.to_owned() });
        }
        let bytes = files::read_bytes(&whole, bytes_max)?;
        let permissions = fs::metadata(&meant).map_err(failed)?.permissions();
        Ok(Self { bytes, permissions })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Writes it at `path` below `root`, in one step, readable for whom it was readable before. Folders that are
    /// missing are made for their owner alone; what is there already stays.
    pub fn place(&self, root: &Utf8Path, path: &str) -> Result<Placed, PrivateError> {
        let goal = root.join(path);
        let failed = |source| PrivateError::Failed { action: "write", path: goal.clone(), source };
        let Some(parent) = own_parent(root, path)? else { return Ok(Placed::InTheWay) };
        if fs::symlink_metadata(&goal).is_ok() {
            return Ok(Placed::InTheWay);
        }
        crash::point("provision.private");
        // Temporary files are born for their owner alone.
        let builder = tempfile::Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(&parent);
        let mut staged = builder.map_err(failed)?;
        staged.write_all(&self.bytes).map_err(failed)?;
        staged.as_file().set_permissions(self.permissions.clone()).map_err(failed)?;
        match staged.persist_noclobber(&goal) {
            Ok(_) => Ok(Placed::There),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(Placed::InTheWay),
            Err(error) => Err(failed(error.error)),
        }
    }
}

/// The files and links below `root` that are selected, by their paths with `/`, in order. Dependency folders, other
/// repositories and git's own folder are not looked into; a name that is no UTF-8 cannot be selected.
pub fn find(root: &Utf8Path, selects: impl Fn(&str) -> bool) -> Result<Vec<String>, PrivateError> {
    let walk = WalkDir::new(root).min_depth(1).follow_links(false).sort_by_file_name().into_iter();
    let looked_into = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_str().unwrap_or_default();
        !entry.file_type().is_dir()
            || !(name == ".git" || DEPENDENCY_FOLDERS.contains(&name) || is_repository(entry.path()))
    };
    let mut found = Vec::new();
    for (number, entry) in walk.filter_entry(looked_into).enumerate() {
        if number == ENTRIES_MAX {
            return Err(PrivateError::TooMany { root: root.to_owned() });
        }
        // A directory that cannot be read holds nothing that could be copied.
        let Ok(entry) = entry else { continue };
        if entry.file_type().is_dir() {
            continue;
        }
        let Some(path) = relative(root, entry.path()).filter(|path| selects(path)) else { continue };
        found.push(path);
    }
    Ok(found)
}

/// Makes `path` below `root` a link to `target`, unless something is there.
pub fn place_link(root: &Utf8Path, path: &str, target: &Utf8Path) -> Result<Placed, PrivateError> {
    let goal = root.join(path);
    let Some(_parent) = own_parent(root, path)? else { return Ok(Placed::InTheWay) };
    if let Ok(there) = fs::symlink_metadata(&goal) {
        let is_ours = there.is_symlink() && fs::read_link(&goal).is_ok_and(|now| now == target.as_std_path());
        return Ok(if is_ours { Placed::There } else { Placed::InTheWay });
    }
    crash::point("provision.link");
    match symlink(target, &goal) {
        Ok(()) => Ok(Placed::There),
        Err(source) => Err(PrivateError::Failed { action: "make the link", path: goal, source }),
    }
}

/// Removes whatever lies at `path` below `root`, a folder of gulf's own, and nothing behind a link.
pub fn clear(root: &Utf8Path, path: &str) -> Result<(), PrivateError> {
    let goal = root.join(path);
    let failed = |source| PrivateError::Failed { action: "remove", path: goal.clone(), source };
    if !above_is_own(root, path) {
        return Ok(());
    }
    match fs::symlink_metadata(&goal) {
        Err(_) => Ok(()),
        Ok(there) if there.is_dir() => remove_tree(goal.as_std_path()).map_err(failed),
        // A link to a folder is a folder's entry on Windows.
        Ok(_) => fs::remove_file(&goal).or_else(|_| fs::remove_dir(&goal)).map_err(failed),
    }
}

/// The folder in which `path` lies, made where it is missing; none where the way leads through a link or a file.
fn own_parent(root: &Utf8Path, path: &str) -> Result<Option<Utf8PathBuf>, PrivateError> {
    if !above_is_own(root, path) {
        return Ok(None);
    }
    let goal = root.join(path);
    let parent = goal.parent().unwrap_or(root).to_owned();
    files::create_private_directories(&parent, Durability::Buffered)?;
    Ok(Some(parent))
}

/// Is everything between `root` and `path` a folder, as far as it is there?
fn above_is_own(root: &Utf8Path, path: &str) -> bool {
    let mut above = Utf8Path::new(path).ancestors().skip(1).filter(|above| !above.as_str().is_empty());
    above.all(|above| match fs::symlink_metadata(root.join(above)) {
        Ok(there) => there.is_dir(),
        Err(_) => true,
    })
}

fn is_repository(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(".git")).is_ok()
}

fn relative(root: &Utf8Path, path: &Path) -> Option<String> {
    let relative = Utf8Path::from_path(path)?.strip_prefix(root).ok()?;
    Some(relative.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests;
