//! Gives a checkout the dependency folders that stood in the worktree at the start, once.
//!
//! These folders are in no tree: they are copied as they are, by reflink where the file system can, and what in them
//! names the worktree is made to name the checkout, so that a check never imports the worktree's code by way of an
//! editable install or a link.

mod copy;
pub mod private;
mod relocate;
#[cfg(test)]
mod tests;

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use walkdir::WalkDir;

use crate::crash;
use crate::files::or_gone;
use crate::git::{GitError, Repository, TreePath};
use relocate::Relocation;

/// Names of folders that package managers and builds fill.
pub const DEPENDENCY_FOLDERS: [&str; 11] = [
    "node_modules", ".venv", "venv", "target", "vendor", ".tox", ".nox", "deps", "_build", ".gradle", "Pods",
];
/// Those of them that a set-up fills, and no build or check.
pub const INSTALLED: [&str; 5] = [".venv", "Pods", "node_modules", "vendor", "venv"];
/// Files that a Python build writes beside the sources for them to import (setuptools-scm, hatch-vcs); git ignores them,
/// so a checkout is broken without them.
const GENERATED_FILES: [&str; 3] = ["_version.py", "version.py", "__version__.py"];
/// How deep in the worktree they are looked for: `packages/web/node_modules` is found.
const DEPTH_MAX: usize = 3;

/// What to provide, and where.
#[derive(Debug)]
pub struct ProvisionRequest<'a> {
    /// The person's worktree.
    pub work_tree: &'a Utf8Path,
    /// The folder checks run in.
    pub checkout: &'a Utf8Path,
    /// A folder of gulf's own on the checkout's file system; what a crash left in it is removed.
    pub staging: &'a Utf8Path,
    /// From `dependency_folders`.
    pub folders: &'a [TreePath],
    /// A folder larger than this is not copied, where it cannot be reflinked.
    pub bytes_max: u64,
}

/// What became of one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provided {
    pub path: TreePath,
    pub how: How,
}

impl Provided {
    /// Does it hold dependencies, and is neither a generated file nor another folder that somebody named?
    pub fn is_dependencies(&self) -> bool {
        let name = self.path.file_name();
        DEPENDENCY_FOLDERS.iter().any(|folder| folder.as_bytes() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It is there now, or an earlier provision, or a check, put it there.
    Provided,
    /// Too large to copy: the project's set-up command must make it.
    NeedsSetUp,
    Skipped,
}

/// The dependency folders, the generated files, and the folders named in `caches`, that stand in the worktree now,
/// ignored by git and not tracked in `index`.
pub fn dependency_folders(
    repository: &Repository,
    index: &Utf8Path,
    caches: &[String],
) -> Result<Vec<TreePath>, GitError> {
    let mut found = find_folders(repository.work_tree(), caches)?;
    let ignored = repository.ignored(repository.work_tree(), index, &found)?;
    found.retain(|path| ignored.contains(path) || ignores_itself(repository.work_tree(), path));
    Ok(found)
}

/// Does a rule in the folder have git ignore all of it, as virtual environments do? git names only what is in it then.
pub fn ignores_itself(root: &Utf8Path, folder: &TreePath) -> bool {
    let folder = folder.below(root);
    let is_all = |rules: String| rules.lines().any(|line| line.trim() == "*");
    !folder.is_symlink() && fs::read_to_string(folder.join(".gitignore")).is_ok_and(is_all)
}

fn tree_path(path: &Path, root: &Utf8Path) -> Result<Option<TreePath>, GitError> {
    let relative = path.strip_prefix(root).ok();
    relative.map(|path| TreePath::parse(path.as_os_str().as_bytes())).transpose()
}

/// The same, whatever git thinks of them.
pub fn find_folders(root: &Utf8Path, caches: &[String]) -> Result<Vec<TreePath>, GitError> {
    let mut found = Vec::new();
    let mut walk = WalkDir::new(root).min_depth(1).max_depth(DEPTH_MAX).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        // A directory that cannot be read holds nothing that could be copied.
        let Ok(entry) = entry else { continue };
        let name = entry.file_name().to_str().unwrap_or_default();
        if entry.file_type().is_file() && is_generated(name.as_bytes()) {
            found.extend(tree_path(entry.path(), root)?);
        }
        if !entry.path().is_dir() {
            continue;
        }
        if name == ".git" {
            walk.skip_current_dir();
        } else if DEPENDENCY_FOLDERS.contains(&name) {
            found.extend(tree_path(entry.path(), root)?);
            if entry.file_type().is_dir() {
                walk.skip_current_dir();
            }
        }
    }
    for cache in caches.iter().filter(|cache| root.join(cache).is_dir()) {
        let path = TreePath::try_from(cache.trim_end_matches('/'))?;
        if !path.is_within(&found) {
            found.push(path);
        }
    }
    Ok(found)
}

/// The folders with installed dependencies.
pub fn installed_folders(root: &Utf8Path) -> Result<Vec<TreePath>, GitError> {
    let mut found = find_folders(root, &[])?;
    found.retain(|folder| INSTALLED.iter().any(|name| name.as_bytes() == folder.file_name()));
    Ok(found)
}

/// Provides each folder that the checkout does not have yet. No folder is ever there in part.
pub fn provision(request: &ProvisionRequest) -> io::Result<Vec<Provided>> {
    remove_tree(request.staging.as_std_path())?;
    fs::create_dir_all(request.staging)?;
    let relocation = Relocation::new(request.work_tree, request.checkout);
    let mut provided = Vec::new();
    for (number, path) in request.folders.iter().enumerate() {
        let staged = request.staging.join(number.to_string());
        let how = provide(request, path, &staged, &relocation).unwrap_or(How::Skipped);
        provided.push(Provided { path: path.clone(), how });
    }
    remove_tree(request.staging.as_std_path())?;
    Ok(provided)
}

fn provide(
    request: &ProvisionRequest,
    path: &TreePath,
    staged: &Utf8Path,
    relocation: &Relocation,
) -> io::Result<How> {
    let goal = path.below(request.checkout);
    if fs::symlink_metadata(&goal).is_ok() {
        return Ok(How::Provided);
    }
    // A linked folder is provided as what it points at: checks must not write into what others share.
    let source = fs::canonicalize(path.below(request.work_tree))?;
    if !source.is_dir() && !is_generated(path.file_name()) {
        return Ok(How::Skipped);
    }
    let place = path.below(Utf8Path::new(""));
    crash::point("provision.copy");
    let how = copy::copy_tree(&source, staged.as_std_path(), &place, relocation, request.bytes_max)?;
    if how != How::Provided {
        return Ok(how);
    }
    if source.is_dir() {
        relocation.rewrite_python(staged.as_std_path())?;
    }
    if let Some(parent) = goal.parent() {
        fs::create_dir_all(parent)?;
    }
    crash::point("provision.rename");
    fs::rename(staged, &goal)?;
    Ok(how)
}

fn is_generated(name: &[u8]) -> bool {
    GENERATED_FILES.iter().any(|generated| generated.as_bytes() == name)
}

/// Removes a folder of gulf's own, also one with directories nobody may write to.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    or_gone(fs::remove_dir_all(path)).or_else(|_| {
        unlock_directories(path);
        or_gone(fs::remove_dir_all(path))
    })
}

/// Removes what Python compiled of a checkout's own sources, but for what lies in these folders: a program that ran there
/// could have left byte code for the next one, which Python believes by length and time.
pub fn remove_byte_code(checkout: &Utf8Path, kept: &[String]) -> io::Result<()> {
    let kept: Vec<Utf8PathBuf> = kept.iter().map(|folder| checkout.join(folder)).collect();
    let mut entries = WalkDir::new(checkout).into_iter();
    while let Some(entry) = entries.next() {
        let Some(entry) = entry.ok().filter(|entry| entry.file_type().is_dir()) else { continue };
        let (path, name) = (entry.path(), entry.file_name());
        if name == "__pycache__" && fs::remove_dir_all(path).is_err() {
            // Whoever left it locked it, too.
            unlock_directories(checkout.as_std_path());
            fs::remove_dir_all(path)?;
        }
        if name == "__pycache__" || name == ".git" || kept.iter().any(|folder| folder == path) {
            entries.skip_current_dir();
        }
    }
    Ok(())
}

/// Lets the owner enter and change every directory below; what cannot be walked, its user will name.
pub(crate) fn unlock_directories(root: &Path) {
    // A directory is opened when it is met, since the walk lists it only afterwards.
    let walk = WalkDir::new(root).follow_links(false).into_iter().filter_entry(|entry| {
        if !entry.file_type().is_dir() {
            return true;
        }
        fs::symlink_metadata(entry.path()).is_ok_and(|metadata| {
            let mode = metadata.mode();
            let opened = Permissions::from_mode(mode | 0o700);
            mode & 0o700 == 0o700 || fs::set_permissions(entry.path(), opened).is_ok()
        })
    });
    walk.for_each(drop);
}

/// The path as UTF-8, for comparing with what files say.
fn canonical(path: &Utf8Path) -> Utf8PathBuf {
    path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned())
}
