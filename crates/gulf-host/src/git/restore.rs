//! Writes a commit's files into a folder of the person's, and nothing else: no `.git`, no half of it.
//!
//! It stands apart from gulf's own checkouts, which are kept, made exact again and have a git directory: this one is given
//! away.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use camino::Utf8Path;
use walkdir::WalkDir;

use super::checkout::{CheckoutRequest, Keep};
use super::error::{GitError, Result};
use super::listing::SubmoduleFinding;
use super::names::{CommitId, TreeId};
use super::worktree_view::WorktreeView;
use super::{Repository, temporary_folder, utf8};
use crate::crash;
use crate::files::folder_of;

impl Repository {
    /// Writes the files of `commit` into `folder`, which must not be there, or be empty; its parent must be there. The
    /// folder gets its name when everything is in it. Gives the submodules that the repository does not have.
    pub fn restore(&self, commit: &CommitId, folder: &Utf8Path) -> Result<Vec<SubmoduleFinding>> {
        let (_memory, memory) = temporary_folder()?;
        let prefix = format!(".{}.gulf-", folder.file_name().unwrap_or("restored"));
        // Everybody may see it whom the umask lets, as in any other new folder.
        let mut partial = tempfile::Builder::new();
        partial.prefix(&prefix).permissions(fs::Permissions::from_mode(0o777));
        let partial = partial.tempdir_in(folder_of(folder)).map_err(GitError::file("create", folder))?;
        let directory = utf8(partial.path())?;
        let (index, keep) = (memory.join("index"), Keep::Nothing);
        let request = CheckoutRequest { directory, index: &index, commit, keep, keep_paths: &[] };
        let submodules = self.checkout(&request)?;
        remove_git_directories(directory)?;
        crash::point("git.restore");
        // Only an empty folder can be removed so.
        if folder.exists() {
            fs::remove_dir(folder).map_err(GitError::file("replace", folder))?;
        }
        fs::rename(directory, folder).map_err(GitError::file("write", folder))?;
        Ok(submodules)
    }
}

/// Those of the checkout and of its submodules: no tree can hold a file of this name.
fn remove_git_directories(root: &Utf8Path) -> Result<()> {
    let mut walk = WalkDir::new(root).follow_links(false).into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry.map_err(|error| GitError::file("look at", root)(error.into()))?;
        if entry.file_name() == ".git" && entry.file_type().is_dir() {
            let path = entry.path();
            fs::remove_dir_all(path).map_err(GitError::file("remove", &path.to_string_lossy()))?;
            walk.skip_current_dir();
        }
    }
    Ok(())
}

// Brings files of the checkout back from one tree to another.

impl Repository {
    /// Writes where the trees differ, and nothing else.
    pub fn put_back(&self, from: &TreeId, to: &TreeId) -> Result<()> {
        if from == to {
            return Ok(());
        }
        let view = WorktreeView::with_index(self, self.work_tree())?;
        view.call("read-tree").arg(from.as_str()).run()?;
        view.refresh()?;
        crash::point("git.put-back");
        view.call("read-tree").args(["-m", "-u", from.as_str(), to.as_str()]).run().map(drop)
    }
}
