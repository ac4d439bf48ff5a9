//! Sorts what differs in the worktree into what enters the tree, what leaves it, and what must be told.
//!
//! It decides and does not act: it only looks at files, the snapshot changes the index.

use std::collections::{BTreeSet, HashMap};
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
    /// What was ignored at the start and would be taken.
    pub(super) ignored: Vec<TreePath>,
    pub(super) person_index: Option<FileStamp>,
}

enum Found {
    Takes,
    Leaves,
    TooLarge(String),
    Unreadable(String),
}

impl Plan {
    /// `forced` are files that are tracked though ignored; those that are not there never were in the index. What the index
    /// does not know stays out where it was `ignored` at the start, whatever became of the rules.
    pub(super) fn new(
        work_tree: &Utf8Path,
        request: &SnapshotRequest,
        listing: Listing,
        forced: &[TreePath],
        ignored: &[TreePath],
    ) -> Self {
        let gitlinks = listing.gitlinks.into_iter().map(|gitlink| gitlink.path).collect();
        let is_loop_text = |path: &TreePath| path.is_within(request.loop_texts);
        let known: HashMap<&[u8], &TreePath> = ignored.iter().map(|path| (path.as_bytes(), path)).collect();
        let mut kept_out = BTreeSet::new();
        let mut is_new = |path: &TreePath| {
            let bytes = path.as_bytes();
            let mut ends = (0..bytes.len()).filter(|at| bytes[*at] == b'/').chain([bytes.len()]);
            let found = ends.find_map(|end| known.get(&bytes[..end]).copied());
            kept_out.extend(found);
            found.is_none()
        };
        let nested = listing.nested.into_iter().filter(|path| !is_loop_text(path) && is_new(path)).collect();
        let mut plan = Plan { gitlinks, nested, ..Plan::default() };
        let is_there = |path: &&TreePath| fs::symlink_metadata(path.below(work_tree)).is_ok();
        let untracked = listing.untracked.iter().chain(forced.iter().filter(is_there));
        for path in untracked.filter(|path| !is_loop_text(path) && is_new(path)) {
            plan.sort(work_tree, request.file_bytes_max, path);
        }
        for path in listing.changed.into_iter().filter(|path| !is_loop_text(path)) {
            if plan.sort(work_tree, request.file_bytes_max, &path) {
                plan.removals.push(path);
            }
        }
        plan.ignored = kept_out.into_iter().cloned().collect();
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
        let (path, found) = (path.clone(), find(work_tree, path, bytes_max));
        let leaves = matches!(found, Found::Leaves | Found::TooLarge(_));
        match found {
            Found::Takes => self.staged.push(path),
            Found::Leaves => {}
            Found::TooLarge(why) | Found::Unreadable(why) => self.left_out.push(LeftOutFile { path, why }),
        }
        leaves
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
        return Found::TooLarge(format!("{} bytes, over the limit", metadata.len()));
    }
    File::open(full).map_or_else(|error| Found::Unreadable(error.to_string()), |_| Found::Takes)
}

fn lies_behind_link(work_tree: &Path, full: &Path) -> bool {
    let mut above = full.ancestors().skip(1).take_while(|above| *above != work_tree);
    above.any(|above| fs::symlink_metadata(above).is_ok_and(|metadata| metadata.is_symlink()))
}
