//! The `git` program behind one typed module: snapshots, commits, references, checkouts, reads.
//!
//! It stands apart so that nothing else in gulf starts git. Three rules hold here: the person's branch, index and
//! worktree are never moved, but forward with nothing in the way (`moving`); what a verdict is about is a tree id; and
//! nothing a worker can write — local configuration, attributes, hooks, ignore files — makes git run a program (see
//! `store`).

mod beginning;
mod branches;
mod checkout;
mod counts;
mod discovery;
mod error;
mod exact;
mod history;
mod kept;
mod listing;
mod merging;
mod moving;
mod named_references;
mod names;
mod notes;
mod objects;
mod overlay;
mod person;
mod program;
mod refs;
mod remotes;
mod restore;
mod settings;
mod snapshot;
mod store;
#[cfg(test)]
mod tests;
mod version;
mod worktree_view;
mod worktrees;

use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use error::Result;
use kept::{KeptPrograms, Remembered};
use program::Call;
use store::Store;
use tempfile::TempDir;

pub use beginning::begin_repository;
pub use branches::{BranchName, Deletion, Holders};
pub use checkout::{CheckoutRequest, Keep};
pub use counts::{DiffForm, LineCounts};
pub use discovery::{Layout, ignored_paths, tracked_paths, tracks};
pub use error::GitError;
pub use history::{Step, Trailer};
pub use listing::{SubmoduleFinding, SubmoduleState};
pub use merging::{Conflict, MergeMessage, Merged};
pub use moving::{
    Advance, BranchShift, FastForward, InTheWay, Obstacle, Recorded, Recording, RecoveredMove, Return,
    Returned, Shift, Shifted,
};
pub use named_references::NamedReferences;
pub use names::{BlobId, CommitId, FileMode, ObjectFormat, RefName, TreeId, TreePath};
pub use objects::{Change, CommitStamp, Committer, Entry, TreeChangeKind};
pub use overlay::TreeEdit;
pub use person::{Configured, LeftOutOfCommit, own_setting};
pub use refs::{CommitWithTree, Expected, Head};
pub use remotes::{Fetch, PushOutcome, PushTargets, Remote, RemoteBranch};
pub use settings::exclude_line;
pub use snapshot::{LeftOutFile, SnapshotRequest, WorktreeSnapshot, forget_index};
pub use version::GitVersion;
pub use worktrees::{AddWorktree, Elsewhere, KeptWorktree, Operation, RecoveredWorktree, Worktree};

/// A repository with a worktree, and gulf's private git directory beside it.
#[derive(Debug, Clone)]
pub struct Repository {
    layout: Layout,
    store: Store,
    remembered: Arc<Remembered>,
    kept: KeptPrograms,
}

impl Repository {
    /// Opens what `discover` found. `private` is a folder of gulf's own, outside the worktree, one per loop: made
    /// when it is not there, and from then on what decides how bytes become objects.
    pub fn open(layout: Layout, private: &Utf8Path) -> Result<Self> {
        let store = Store {
            directory: private.to_owned(),
            objects: layout.common_dir.join("objects"),
            format: layout.object_format,
            sealed: private.join(store::GLOBAL).is_file().then(|| private.to_owned()),
        };
        let repository = Self { layout, store, remembered: Arc::default(), kept: KeptPrograms::default() };
        if !private.join("config").is_file() {
            let local = repository.local_settings()?;
            repository.store.create(&repository.layout.common_dir, &local)?;
        }
        Ok(repository)
    }

    /// The person's worktree, absolute.
    pub fn work_tree(&self) -> &Utf8Path {
        &self.layout.work_tree
    }

    /// Where its objects lie: its own folder, and those that it borrows from.
    pub fn object_folders(&self) -> Vec<Utf8PathBuf> {
        let own = &self.store.objects;
        let borrowed = std::fs::read_to_string(own.join("info/alternates")).unwrap_or_default();
        let borrowed = borrowed.lines().map(Utf8PathBuf::from).filter(|path| path.is_absolute());
        std::iter::once(own.clone()).chain(borrowed).collect()
    }

    /// Where worktree, git directory and common directory lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The id of the tree without entries in this repository's hash.
    pub fn empty_tree(&self) -> TreeId {
        self.layout.object_format.empty_tree()
    }

    fn person_call(&self, verb: &'static str) -> Result<Call> {
        Ok(self.store.settled(self.layout.person_call(verb)?))
    }

    /// A kept git stands elsewhere, where no worktree's end is in its way, and would not notice it.
    fn require_work_tree(&self, verb: &str) -> Result<()> {
        let work_tree = self.work_tree();
        let gone = || GitError::FolderGone { verb: verb.to_owned(), folder: work_tree.to_string() };
        if work_tree.is_dir() { Ok(()) } else { Err(gone()) }
    }
}

impl Layout {
    /// A call on the person's own git directory: only for references, HEAD, settings and listings of their index.
    fn person_call(&self, verb: &'static str) -> Result<Call> {
        let call = Call::new(self.work_tree.as_std_path(), &self.hook_switches()?, verb);
        Ok(call.variable("GIT_DIR", &self.git_dir).variable("GIT_WORK_TREE", &self.work_tree))
    }
}

/// A folder that is gone when the first part is dropped.
fn temporary_folder() -> Result<(TempDir, Utf8PathBuf)> {
    let folder = tempfile::tempdir().map_err(GitError::file("create", "a temporary folder"))?;
    let path = utf8(folder.path())?.to_owned();
    Ok((folder, path))
}

fn utf8(path: &Path) -> Result<&Utf8Path> {
    let invalid = || GitError::Invalid { wanted: "a path in UTF-8", text: path.display().to_string() };
    Utf8Path::from_path(path).ok_or_else(invalid)
}

/// A file beside another one: the same name and `suffix`.
fn beside(path: &Utf8Path, suffix: &str) -> Utf8PathBuf {
    Utf8PathBuf::from(format!("{path}{suffix}"))
}
