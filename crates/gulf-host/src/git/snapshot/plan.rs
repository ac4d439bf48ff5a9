//! Sorts what differs in the worktree into what enters the tree, what leaves it, and what must be told.
//!
//! It decides and does not act: it only looks at files, the snapshot changes the index.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use camino::Utf8Path;

use super::{LeftOutFile, SnapshotRequest};
use crate::git::listing::Listing;
use crate::git::names::TreePath;
use crate::git::worktree_view::FileStamp;

#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Paths to take as they stand in the worktree; one that is gone leaves the tree.
    pub(super) staged: Vec<TreePath>,
    /// Paths that leave the tree whatever stands in the worktree.
    pub(super) removals: Vec<TreePath>,
    pub(super) left_out: Vec<LeftOutFile>,
    /// Repositories inside the worktree that the index does not know yet.
    pub(super) nested: Vec<TreePath>,
    /// Submodules the index knows.
    pub(super) gitlinks: Vec<TreePath>,
    pub(super) person_index: Option<FileStamp>,
}

enum Found {
    Takes,
    Leaves,
    TooLarge(u64),
    Unreadable(String),
}

impl Plan {
    /// `forced` are files that are tracked though ignored; those that are not there never were in the index.
    pub(super) fn new(
        work_tree: &Utf8Path,
        request: &SnapshotRequest,
        listing: Listing,
        forced: &[TreePath],
    ) -> Self {
        let gitlinks = listing.gitlinks.into_iter().map(|gitlink| gitlink.path).collect();
        let is_loop_text = |path: &TreePath| path.is_within(request.loop_texts);
        let nested = listing.nested.into_iter().filter(|path| !is_loop_text(path)).collect();
        let mut plan = Plan { gitlinks, nested, ..Plan::default() };
        for path in listing.untracked.iter().filter(|path| !is_loop_text(path)) {
            plan.sort(work_tree, request.file_bytes_max, path);
        }
        for path in listing.changed.into_iter().filter(|path| !is_loop_text(path)) {
            if plan.sort(work_tree, request.file_bytes_max, &path) {
                plan.removals.push(path);
            }
        }
        for path in forced.iter().filter(|path| !is_loop_text(path)) {
            if fs::symlink_metadata(path.below(work_tree)).is_ok() {
                plan.sort(work_tree, request.file_bytes_max, path);
            }
        }
        plan
    }

    pub(super) fn is_empty(&self) -> bool {
        self.staged.is_empty() && self.removals.is_empty() && self.nested.is_empty()
    }

    pub(super) fn changes_attributes(&self) -> bool {
        self.staged.iter().chain(&self.removals).any(|path| path.file_name() == b".gitattributes")
    }

    /// Says whether what the tree has there leaves it.
    fn sort(&mut self, work_tree: &Utf8Path, bytes_max: u64, path: &TreePath) -> bool {
        match find(work_tree, path, bytes_max) {
            Found::Takes => self.staged.push(path.clone()),
            Found::Leaves => return true,
            Found::TooLarge(bytes) => {
                let why = format!("{bytes} bytes, over the limit");
                self.left_out.push(LeftOutFile { path: path.clone(), why });
                return true;
            }
            Found::Unreadable(why) => self.left_out.push(LeftOutFile { path: path.clone(), why }),
        }
        false
    }
}

/// Looks at what stands at a path, without following a link on the way: git would not either.
fn find(work_tree: &Utf8Path, path: &TreePath, bytes_max: u64) -> Found {
    let full = path.below(work_tree);
    if lies_behind_link(work_tree.as_std_path(), &full) {
        return Found::Leaves;
    }
    match fs::symlink_metadata(&full) {
        Ok(metadata) => judge(&full, &metadata, bytes_max),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Found::Leaves
        }
        Err(error) => Found::Unreadable(error.to_string()),
    }
}

fn judge(full: &Path, metadata: &Metadata, bytes_max: u64) -> Found {
    if metadata.is_dir() {
        // A submodule that moved, or a directory in the place of a file, whose files are listed on their own.
        return if full.join(".git").exists() { Found::Takes } else { Found::Leaves };
    }
    if metadata.is_symlink() {
        return Found::Takes;
    }
    if !metadata.is_file() {
        return Found::Unreadable("neither a file, a directory nor a link".to_owned());
    }
    if metadata.len() > bytes_max {
        return Found::TooLarge(metadata.len());
    }
    match File::open(full) {
        Ok(_) => Found::Takes,
        Err(error) => Found::Unreadable(error.to_string()),
    }
}

fn lies_behind_link(work_tree: &Path, full: &Path) -> bool {
    let mut above = full.ancestors().skip(1).take_while(|above| *above != work_tree);
    above.any(|above| fs::symlink_metadata(above).is_ok_and(|metadata| metadata.is_symlink()))
}
