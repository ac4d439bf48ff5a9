//! One look at a worktree that is a person's, or was a worker's, which leaves not even a time stamp behind.
//!
//! Such a worktree has an index of its own that must keep its bytes: a copy is refreshed and read instead, through
//! gulf's git directory, so that no filter of the project runs.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::error::{GitError, Result};
use super::listing::Listing;
use super::names::{TreeId, TreePath};
use super::program::Call;
use super::{Repository, temporary_folder};

/// A worktree, seen through a copy of its index.
pub(super) struct WorktreeView<'a> {
    repository: &'a Repository,
    pub(super) directory: Utf8PathBuf,
    /// The copy: other copies may lie beside it.
    pub(super) index: Utf8PathBuf,
    pub(super) listing: Listing,
    _folder: TempDir,
}

impl<'a> WorktreeView<'a> {
    pub(super) fn read(repository: &'a Repository, directory: &Utf8Path, git_dir: &Utf8Path) -> Result<Self> {
        repository.store.refresh_info(&repository.layout.common_dir)?;
        Self::unlisted(repository, directory, git_dir)?.listed()
    }

    /// The same before anything was looked at: the listing is empty.
    pub(super) fn unlisted(
        repository: &'a Repository,
        directory: &Utf8Path,
        git_dir: &Utf8Path,
    ) -> Result<Self> {
        let standing = Self::with_index(repository, directory)?;
        copy_index(&git_dir.join("index"), &standing.index)?;
        // A split index names another file beside it.
        for entry in git_dir.read_dir_utf8().into_iter().flatten().flatten() {
            if entry.file_name().starts_with("sharedindex.") {
                let to = standing.index.with_file_name(entry.file_name());
                fs::copy(entry.path(), &to).map_err(GitError::file("copy", entry.path()))?;
            }
        }
        Ok(standing)
    }

    /// The same files, seen as if this tree were in the index.
    pub(super) fn compared_with(&self, tree: &TreeId) -> Result<Self> {
        let standing = Self::with_index(self.repository, &self.directory)?;
        standing.call("read-tree").arg(tree.as_str()).run()?;
        standing.listed()
    }

    /// Files of which nothing is in the index yet.
    pub(super) fn with_index(repository: &'a Repository, directory: &Utf8Path) -> Result<Self> {
        let (folder, path) = temporary_folder()?;
        let (directory, index) = (directory.to_owned(), path.join("index"));
        Ok(Self { repository, directory, index, listing: Listing::default(), _folder: folder })
    }

    fn listed(mut self) -> Result<Self> {
        // Files that the index bids to take for unchanged are looked at, too.
        self.call("update-index").args(["-q", "--really-refresh"]).accept(&[0, 1]).run()?;
        self.listing = Listing::read(&self.repository.store, &self.directory, &self.index)?;
        Ok(self)
    }

    /// Has git look which files are as the index says.
    pub(super) fn refresh(&self) -> Result<()> {
        // It ends with 1 where something has changed.
        self.call("update-index").args(["-q", "--refresh"]).accept(&[0, 1]).run().map(drop)
    }

    /// What git ignores there; a folder of which the index knows nothing as one.
    pub(super) fn ignored(&self) -> Result<Vec<TreePath>> {
        let call = self.call("ls-files").args(["-z", "-o", "-i", "--exclude-standard", "--directory"]);
        call.run()?.paths()
    }

    /// A call on the worktree with the copy of its index.
    pub(super) fn call(&self, verb: &'static str) -> Call {
        self.repository.store.call_in(&self.directory, &self.index, verb)
    }

    /// The paths that the index has otherwise than `tree`.
    pub(super) fn staged_beside(&self, tree: &TreeId) -> Result<Vec<TreePath>> {
        let call = self.call("diff-index").args(["--cached", "-z", "--name-only", "--no-renames"]);
        call.args(["--ignore-submodules=none", tree.as_str()]).run()?.paths()
    }
}

/// Copies an index with its time: an entry that is as young as its index is compared by bytes (git's documentation,
/// "racy git"), and a younger copy would hide such a change. One that is not there stays so: it is empty.
pub(super) fn copy_index(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    let modified = match fs::metadata(from).and_then(|metadata| metadata.modified()) {
        Ok(modified) => modified,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(GitError::file("read", from)(source)),
    };
    let copy = |from: &Path, to: &Path| {
        fs::copy(from, to)?;
        fs::File::options().write(true).open(to)?.set_modified(modified)
    };
    copy(from.as_std_path(), to.as_std_path()).map_err(GitError::file("copy", from))
}

// What tells whether a file was written since somebody looked at it.

/// Which file this is and when it was last written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileStamp {
    modified: SystemTime,
    bytes: u64,
    number: u64,
}

impl FileStamp {
    pub(super) fn read(path: &Utf8Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self { modified: metadata.modified().ok()?, bytes: metadata.len(), number: metadata.ino() })
    }
}
