//! What stands in the way of moving a branch where it is checked out, each with words for a person.
//!
//! It only looks: through a copy of the index, with nothing written that the person could find.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Carries, Move};
use crate::git::error::Result;
use crate::git::listing::{ATTRIBUTES, named_attributes};
use crate::git::names::{TreeId, TreePath, first_of};
use crate::git::objects::{Change, TreeChangeKind};
use crate::git::worktree_view::WorktreeView;
use crate::git::worktrees::{Operation, Worktree};

/// How many paths of one kind are told.
const PATHS_MAX: usize = 100;

/// Something in the way, and in which checkout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("in {checkout}: {obstacle}")]
pub struct InTheWay {
    pub checkout: Utf8PathBuf,
    pub obstacle: Obstacle,
}

/// Why a checkout cannot go along; paths are at most a hundred.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// Tracked files with changes that are not staged.
    #[error("uncommitted changes: {}", first_of(.0))]
    Changed(Vec<TreePath>),
    /// Changes that are staged, and in no commit.
    #[error("staged changes: {}", first_of(.0))]
    Staged(Vec<TreePath>),
    /// Files with a conflict that is not resolved.
    #[error("conflicts not resolved: {}", first_of(.0))]
    Unmerged(Vec<TreePath>),
    /// A merge, a rebase or the like that nobody has ended.
    #[error("{} in progress", .0.description)]
    Operation(Operation),
    /// Files that no commit has stand where the new commit has one.
    #[error("untracked files would be overwritten: {}", first_of(.0))]
    Untracked(Vec<TreePath>),
    /// As `Untracked`, and ignored.
    #[error("ignored files would be overwritten: {}", first_of(.0))]
    Ignored(Vec<TreePath>),
    /// Not all files are checked out there.
    #[error("a sparse checkout, without {}", first_of(.0))]
    SparseCheckout(Vec<TreePath>),
    /// Files that would change are marked as `assume-unchanged`.
    #[error("marked as assume-unchanged: {}", first_of(.0))]
    AssumedUnchanged(Vec<TreePath>),
    /// Submodules stand elsewhere, or would have to go along.
    #[error("submodules are at another commit: {}", first_of(.0))]
    Submodules(Vec<TreePath>),
    /// Files that would change go through a program, as large files do (`git lfs`).
    #[error("the filter {filter} would have to run for {}", first_of(.paths))]
    Filtered { paths: Vec<TreePath>, filter: String },
    /// Its folder is not there, and its worktree is locked: it lies on a disk that comes back.
    #[error("its folder is missing and its worktree is locked")]
    OutOfReach,
    /// Another git is at work there, or one was cut off.
    #[error("another git process is running there (index.lock)")]
    IndexLocked,
    /// Another git holds the branch, in its words.
    #[error("the branch cannot be locked: {0}")]
    BranchLocked(String),
    /// The index is kept in two files, of which gulf would rewrite one.
    #[error("its index is split")]
    SplitIndex,
}

impl InTheWay {
    /// Somebody else got there first.
    pub(super) fn index_locked(checkout: &Worktree) -> Vec<Self> {
        vec![Self { checkout: checkout.path.clone(), obstacle: Obstacle::IndexLocked }]
    }

    /// For people: all that is in the way.
    pub fn all(reasons: &[InTheWay]) -> String {
        reasons.iter().map(InTheWay::to_string).collect::<Vec<_>>().join("; ")
    }
}

impl Obstacle {
    /// What a person does about most of them.
    pub const HINT: &'static str = "resolve that, then run the same command again";

    pub fn hint(&self) -> &'static str {
        if *self == Obstacle::IndexLocked {
            "wait for it to finish; if a crashed one left .git/index.lock behind, remove that file"
        } else if let Obstacle::Operation(_) = self {
            "finish it: `git status` says how"
        } else if let Obstacle::Unmerged(_) = self {
            "resolve them first"
        } else if let Obstacle::Filtered { .. } = self {
            "gulf runs no filter: change or remove these files yourself, where git finds its program (of lfs, `git-lfs`); \
             then run the same command again"
        } else {
            Obstacle::HINT
        }
    }
}

impl Move<'_> {
    /// What is in the way in these checkouts.
    pub(super) fn obstacles(&self, checkouts: &[Worktree]) -> Result<Vec<InTheWay>> {
        if checkouts.is_empty() {
            return Ok(Vec::new());
        }
        let changes = self.repository.diff(&self.old_tree, &self.new_tree)?;
        let mut found = Vec::new();
        for checkout in checkouts {
            let obstacles = self.obstacles_in(checkout, &changes)?;
            found.extend(
                obstacles.into_iter().map(|obstacle| InTheWay { checkout: checkout.path.clone(), obstacle }),
            );
        }
        Ok(found)
    }

    fn obstacles_in(&self, checkout: &Worktree, changes: &[Change]) -> Result<Vec<Obstacle>> {
        let Some(git_dir) = checkout.git_dir.as_ref().filter(|_| checkout.path.is_dir()) else {
            return Ok(vec![Obstacle::OutOfReach]);
        };
        let mut found: Vec<Obstacle> =
            checkout.operation.clone().map(Obstacle::Operation).into_iter().collect();
        if is_locked_by_another(git_dir, &self.words) {
            found.push(Obstacle::IndexLocked);
        }
        if has_shared_index(git_dir) {
            found.push(Obstacle::SplitIndex);
            return Ok(found);
        }
        let (assumed, skipped) = self.marks(&checkout.path, git_dir)?;
        let standing = WorktreeView::read(self.repository, &checkout.path, git_dir)?;
        let unmerged = standing.listing.unmerged.clone();
        let (standing, mut staged) = match self.carries {
            Carries::Nothing => {
                let staged = standing.staged_beside(&self.old_tree)?;
                (standing, staged)
            }
            Carries::WhatStays => (standing.compared_with(&self.old_tree)?, Vec::new()),
            Carries::Files { keeps } => {
                let files = standing.compared_with(&self.old_tree)?;
                let staged = self.staged_alone(&standing, &files, keeps)?;
                (files, staged)
            }
        };
        let differing: Vec<TreePath> = changes.iter().map(|change| change.path.clone()).collect();
        let (arriving, ignored) = overwritten(&standing, changes)?;
        let mut add = |mut paths: Vec<TreePath>, obstacle: fn(Vec<TreePath>) -> Obstacle| {
            paths.sort();
            paths.dedup();
            paths.truncate(PATHS_MAX);
            if !paths.is_empty() {
                found.push(obstacle(paths));
            }
        };
        let listing = &standing.listing;
        let gitlinks: HashSet<&TreePath> = listing.gitlinks.iter().map(|gitlink| &gitlink.path).collect();
        let goes_along = |change: &&Change| change.is_submodule || gitlinks.contains(&change.path);
        let changed_gitlinks = changes.iter().filter(goes_along).map(|change| change.path.clone());
        let changed_gitlinks = changed_gitlinks.filter(|path| is_populated(&checkout.path, path));
        let (moved, changed): (Vec<TreePath>, Vec<TreePath>) = listing
            .changed
            .iter()
            // What the person told git not to look at is theirs, and not touched where it does not change.
            .filter(|path| !assumed.contains(path) && !unmerged.contains(path))
            .filter(|path| self.carries == Carries::Nothing || differing.contains(path))
            .cloned()
            .partition(|path| gitlinks.contains(path));
        staged.retain(|path| !unmerged.contains(path));
        add(changed, Obstacle::Changed);
        add(staged, Obstacle::Staged);
        add(unmerged, Obstacle::Unmerged);
        add(arriving, Obstacle::Untracked);
        add(ignored, Obstacle::Ignored);
        add(skipped, Obstacle::SparseCheckout);
        let assumed = differing.iter().filter(|path| assumed.contains(*path));
        add(assumed.cloned().collect(), Obstacle::AssumedUnchanged);
        add(moved.into_iter().chain(changed_gitlinks).collect(), Obstacle::Submodules);
        found.extend(self.filters(&checkout.path, &differing)?);
        Ok(found)
    }

    /// What is staged there, stands in no file, and is no part of the work: it would be gone with the index. Where a file is
    /// as the work has it, what is staged is what the worker had in between, and nobody's.
    fn staged_alone(
        &self,
        index: &WorktreeView,
        files: &WorktreeView,
        keeps: &[TreePath],
    ) -> Result<Vec<TreePath>> {
        let of_work: HashSet<&TreePath> = files.listing.tracked.iter().collect();
        let changed: HashSet<&TreePath> = files.listing.changed.iter().collect();
        let is_as_in_work = |path: &TreePath| match of_work.contains(path) {
            true => !changed.contains(path),
            false => path.below(&files.directory).symlink_metadata().is_err(),
        };
        let mut paths = index.listing.changed.clone();
        paths.retain(|path| !is_as_in_work(path) && !path.is_within(keeps));
        if paths.is_empty() {
            return Ok(paths);
        }
        let head = self.repository.head_with_tree(None)?;
        let committed = head.map_or_else(|| self.repository.empty_tree(), |head| head.tree);
        for tree in [&committed, &self.old_tree] {
            let staged = index.staged_beside(tree)?;
            paths.retain(|path| staged.contains(path));
        }
        Ok(paths)
    }

    /// What the person marked in their index, as it stands there: not to be looked at, and not to be checked out.
    fn marks(&self, directory: &Utf8Path, git_dir: &Utf8Path) -> Result<(HashSet<TreePath>, Vec<TreePath>)> {
        let call = self.repository.store.call("ls-files").variable("GIT_INDEX_FILE", git_dir.join("index"));
        let answer = call.with_work_tree(directory.as_std_path()).args(["-z", "-v", "-c"]).run()?;
        let (mut assumed, mut skipped) = (HashSet::new(), Vec::new());
        for (tag, path) in answer.tagged() {
            if tag.eq_ignore_ascii_case(&b'S') {
                skipped.push(TreePath::parse(path)?);
            }
            if tag.is_ascii_lowercase() {
                assumed.insert(TreePath::parse(path)?);
            }
        }
        Ok((assumed, skipped))
    }

    /// Filters that attributes of either tree name for what would change.
    fn filters(&self, directory: &Utf8Path, differing: &[TreePath]) -> Result<Vec<Obstacle>> {
        let mut by_filter: BTreeMap<String, Vec<TreePath>> = BTreeMap::new();
        let trees = [&self.old_tree, &self.new_tree];
        // By the same attributes, the same paths are filtered.
        let is_alike = differing.iter().all(|path| path.file_name() != ATTRIBUTES);
        for tree in trees.into_iter().skip(usize::from(is_alike)) {
            for (path, filter) in self.filtered(directory, tree, differing)? {
                let paths = by_filter.entry(filter).or_default();
                if !paths.contains(&path) && paths.len() < PATHS_MAX {
                    paths.push(path);
                }
            }
        }
        Ok(by_filter.into_iter().map(|(filter, paths)| Obstacle::Filtered { paths, filter }).collect())
    }

    fn filtered(
        &self,
        directory: &Utf8Path,
        tree: &TreeId,
        asked: &[TreePath],
    ) -> Result<Vec<(TreePath, String)>> {
        let view = WorktreeView::with_index(self.repository, directory)?;
        view.call("read-tree").arg(tree.as_str()).run()?;
        named_attributes(view.call("check-attr").arg("--cached"), "filter", asked)
    }
}

/// What stands where the new tree has a file and the old had none, or another kind of one, and is not git's: untracked,
/// and ignored.
fn overwritten(standing: &WorktreeView, changes: &[Change]) -> Result<(Vec<TreePath>, Vec<TreePath>)> {
    let tracked: HashSet<&TreePath> = standing.listing.tracked.iter().collect();
    let mut in_the_way = HashSet::new();
    for Change { path, kind, .. } in changes {
        match kind {
            TreeChangeKind::Added | TreeChangeKind::TypeChanged => {
                in_the_way.extend(occupants(&standing.directory, path, &tracked)?);
            }
            TreeChangeKind::Modified | TreeChangeKind::Deleted => {}
        }
    }
    let listed: HashSet<TreePath> = standing.listing.differing().cloned().collect();
    Ok(in_the_way.into_iter().partition(|path| listed.iter().any(|listed| path.is_at_or_below(listed))))
}

/// Files at, above or below a path that would have to give way to a file there, and that git does not track.
fn occupants(directory: &Utf8Path, path: &TreePath, tracked: &HashSet<&TreePath>) -> Result<Vec<TreePath>> {
    let bytes = path.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
    for end in ends {
        let above = TreePath::parse(&bytes[..end])?;
        match fs::symlink_metadata(above.below(directory)) {
            Ok(metadata) if metadata.is_dir() => {}
            // Nothing is there, so nothing is below.
            Err(_) => return Ok(Vec::new()),
            Ok(_) if tracked.contains(&above) => return Ok(Vec::new()),
            Ok(_) => return Ok(vec![above]),
        }
    }
    let full = path.below(directory);
    match fs::symlink_metadata(&full) {
        Err(_) => Ok(Vec::new()),
        Ok(metadata) if metadata.is_dir() => {
            let mut found = Vec::new();
            for entry in walkdir::WalkDir::new(&full).min_depth(1) {
                let Ok(entry) = entry else { return Ok(vec![path.clone()]) };
                let Ok(relative) = entry.path().strip_prefix(directory.as_std_path()) else { continue };
                let below = TreePath::parse(relative.as_os_str().as_encoded_bytes());
                // What is no path of a tree, a `.git`, is somebody's too.
                let below = below.unwrap_or_else(|_| path.clone());
                if !entry.file_type().is_dir() && !tracked.contains(&below) && found.len() < PATHS_MAX {
                    found.push(below);
                }
            }
            Ok(found)
        }
        Ok(_) if tracked.contains(path) => Ok(Vec::new()),
        Ok(_) => Ok(vec![path.clone()]),
    }
}

fn is_populated(directory: &Utf8Path, submodule: &TreePath) -> bool {
    submodule.below(directory).join(".git").symlink_metadata().is_ok()
}

fn is_locked_by_another(git_dir: &Utf8Path, ours: &str) -> bool {
    let lock = git_dir.join("index.lock");
    lock.symlink_metadata().is_ok() && !fs::read_to_string(&lock).is_ok_and(|words| words == ours)
}

fn has_shared_index(git_dir: &Utf8Path) -> bool {
    let Ok(mut entries) = git_dir.read_dir_utf8() else { return false };
    entries.any(|entry| entry.is_ok_and(|entry| entry.file_name().starts_with("sharedindex.")))
}
