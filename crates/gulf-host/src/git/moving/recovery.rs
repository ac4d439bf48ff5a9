//! Ends or takes back a move that was cut off.
//!
//! After a crash nothing is believed but what stands there: whose lock it is, where the branch is, what the index
//! holds, and for each file whose bytes it has.

use std::collections::HashSet;
use std::fs;

use camino::Utf8Path;

use super::held::HeldCheckout;
use super::{FastForward, Move};
use crate::crash;
use crate::git::error::{GitError, Result};
use crate::git::names::{CommitId, FileMode, TreeId, TreePath};
use crate::git::objects::index_lines;
use crate::git::snapshot::nul_terminated;
use crate::git::worktree_view::WorktreeView;
use crate::git::{Repository, beside};

/// What became of a move that was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecoveredMove {
    /// The branch is at the new commit, or has gone on from there; its checkouts have the new files.
    Moved,
    /// The branch is at the old commit, and so are its checkouts, but for files that somebody else has changed since.
    Undone,
    /// Somebody else moved the branch; its checkouts have the files they had.
    BaseMoved { now: Option<CommitId> },
}

impl Repository {
    /// Ends or takes back what a crash left of `fast_forward`; safe to call whatever became of it. Only for whom no
    /// other gulf is moving the branch.
    pub fn recover_fast_forward(&self, wanted: &FastForward) -> Result<RecoveredMove> {
        let wanted = Move::new(self, wanted)?;
        let mut held = Vec::new();
        for checkout in wanted.checkouts()? {
            held.extend(HeldCheckout::left_by(&wanted, &checkout)?);
        }
        let settled = wanted.settle(&held);
        if settled.is_err() {
            held.into_iter().for_each(HeldCheckout::leave);
        }
        settled
    }
}

impl Move<'_> {
    fn settle(&self, held: &[HeldCheckout]) -> Result<RecoveredMove> {
        let now = self.repository.read_branch(&self.branch)?;
        if now == self.from && !held.is_empty() && self.all_hold_new(held)? {
            // All was written but the branch.
            self.lock_branch()?.say(b"commit\0", "commit: ok")?;
            return Ok(RecoveredMove::Moved);
        }
        let _still = if held.is_empty() { None } else { Some(self.hold_branch(now.as_ref())?) };
        let has_moved = match &now {
            Some(now) => self.repository.descends(now, &self.to)?,
            None => false,
        };
        if has_moved {
            self.complete(held)?;
            return Ok(RecoveredMove::Moved);
        }
        self.undo(held)?;
        crash::point("git.move.undone");
        Ok(if now == self.from { RecoveredMove::Undone } else { RecoveredMove::BaseMoved { now } })
    }

    fn all_hold_new(&self, held: &[HeldCheckout]) -> Result<bool> {
        for lock in held {
            if !lock.index_holds(&self.new_tree)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Brings what lags behind the branch after it.
    pub(super) fn complete(&self, held: &[HeldCheckout]) -> Result<()> {
        for lock in held {
            if !lock.index_holds(&self.new_tree)? {
                self.bring_back(lock)?;
                lock.write_files(&self.old_tree, &self.new_tree)?;
                lock.replace_index()?;
            }
        }
        Ok(())
    }

    /// Gives every checkout the files and index it had, but for files that are neither the old nor the new ones.
    pub(super) fn undo(&self, held: &[HeldCheckout]) -> Result<()> {
        for lock in held {
            if self.old_tree != self.new_tree && lock.index_holds(&self.new_tree)? {
                // An index that was replaced belongs to files that were all written.
                lock.write_files(&self.new_tree, &self.old_tree)?;
                lock.replace_index()?;
            } else {
                self.bring_back(lock)?;
            }
        }
        Ok(())
    }

    /// Brings files that are as the new tree has them, or on their way there, back to the old tree.
    pub(super) fn bring_back(&self, lock: &HeldCheckout) -> Result<()> {
        let changes = self.repository.diff(&self.old_tree, &self.new_tree)?;
        let paths: Vec<TreePath> = changes.into_iter().map(|change| change.path).collect();
        let old = Part::load(self, lock, &self.old_tree, &paths)?;
        let new = Part::load(self, lock, &self.new_tree, &paths)?;
        let (old_differs, new_differs) = (old.differing()?, new.differing()?);
        let mut back = Vec::new();
        for path in &paths {
            let full = path.below(&lock.directory);
            let is_there = fs::symlink_metadata(&full).is_ok_and(|metadata| !metadata.is_dir());
            let is_old = if old.has(path) { !old_differs.contains(path) } else { !is_there };
            let is_new = new.has(path) && !new_differs.contains(path);
            if !is_old && (!is_there || is_new || new.is_cut_short(path)?) {
                back.push(path.clone());
            }
        }
        for path in back.iter().filter(|path| !old.has(path)) {
            remove_with_folders(&lock.directory, path)?;
        }
        crash::point("git.move.undo");
        back.retain(|path| old.has(path));
        // Attributes first: they decide on the bytes of the others.
        let (attributes, files): (Vec<TreePath>, Vec<TreePath>) =
            back.into_iter().partition(|path| path.file_name() == b".gitattributes");
        old.write(&attributes)?;
        old.write(&files)
    }
}

/// Some paths of a tree, in an index of their own.
struct Part<'a> {
    view: WorktreeView<'a>,
    paths: HashSet<TreePath>,
}

impl<'a> Part<'a> {
    fn load(wanted: &Move<'a>, lock: &HeldCheckout, tree: &TreeId, paths: &[TreePath]) -> Result<Self> {
        let view = WorktreeView::with_index(wanted.repository, &lock.directory)?;
        let paths: HashSet<&TreePath> = paths.iter().collect();
        let mut entries = wanted.repository.list(tree)?;
        // A submodule's folder is not written, so it is not taken back.
        entries.retain(|entry| paths.contains(&entry.path) && entry.mode != FileMode::Submodule);
        let lines = entries.iter().map(|one| (format!("{} {}", one.mode.as_str(), one.blob), &one.path));
        view.call("update-index").args(["-z", "--index-info"]).input(index_lines(lines)).run()?;
        view.refresh()?;
        Ok(Part { view, paths: entries.into_iter().map(|entry| entry.path).collect() })
    }

    fn has(&self, path: &TreePath) -> bool {
        self.paths.contains(path)
    }

    fn differing(&self) -> Result<HashSet<TreePath>> {
        Ok(self.view.call("ls-files").args(["-z", "-m", "-d"]).run()?.paths()?.into_iter().collect())
    }

    /// Whether the file holds the beginning of what it should: git was ended while it wrote.
    fn is_cut_short(&self, path: &TreePath) -> Result<bool> {
        if !self.has(path) {
            return Ok(false);
        }
        let full = path.below(&self.view.directory);
        let rendered = beside(&self.view.index, ".rendered");
        fs::create_dir_all(&rendered).map_err(GitError::file("create", &rendered))?;
        let write = self.view.call("checkout-index").args(["-f", "-z", "--stdin"]);
        let write = write.arg(format!("--prefix={rendered}/"));
        write.input(nul_terminated(std::slice::from_ref(path))).run()?;
        let (Ok(bytes), Ok(whole)) = (fs::read(&full), fs::read(path.below(&rendered))) else {
            return Ok(false);
        };
        Ok(whole.starts_with(&bytes))
    }

    fn write(&self, paths: &[TreePath]) -> Result<()> {
        if !paths.is_empty() {
            let write = self.view.call("checkout-index").args(["-f", "-z", "--stdin"]);
            write.input(nul_terminated(paths)).run()?;
        }
        Ok(())
    }
}

/// Removes a file, and the folders that are empty without it.
fn remove_with_folders(directory: &Utf8Path, path: &TreePath) -> Result<()> {
    let full = path.below(directory);
    match fs::remove_file(&full) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(GitError::file("remove", path)(source)),
    }
    let above = full.ancestors().skip(1).take_while(|folder| *folder != directory.as_std_path());
    for folder in above {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}
