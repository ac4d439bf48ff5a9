//! The index of a checkout, locked as git itself locks it, by words that say for what.
//!
//! The lock must survive gulf and still be known as gulf's: it appears whole, with its words, or not at all. The new
//! index is built beside the old one, which keeps its bytes until it is replaced in one step.

use std::fs;
use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};

use super::Move;
use crate::crash;
use crate::git::beside;
use crate::git::error::{GitError, Result};
use crate::git::names::TreeId;
use crate::git::program::Call;
use crate::git::snapshot::remove_if_there;
use crate::git::store::Store;
use crate::git::worktree_view::copy_index;
use crate::git::worktrees::Worktree;

/// A checkout whose index nobody else changes while this lives.
#[derive(Debug)]
pub(super) struct HeldCheckout {
    pub(super) directory: Utf8PathBuf,
    index: Utf8PathBuf,
    store: Store,
}

impl HeldCheckout {
    /// Takes the lock; `None` where somebody has it.
    pub(super) fn take(wanted: &Move, checkout: &Worktree) -> Result<Option<HeldCheckout>> {
        let Some(index) = index_of(checkout) else { return Ok(None) };
        let words = beside(&index, ".gulf-lock");
        let write = || -> io::Result<()> {
            let mut file = fs::File::create(&words)?;
            file.write_all(wanted.words.as_bytes())?;
            file.sync_all()
        };
        write().map_err(GitError::file("write", &words))?;
        crash::point("git.move.words");
        let lock = beside(&index, ".lock");
        // A link appears with its words in it, which no newly made file does.
        let linked = fs::hard_link(&words, &lock);
        remove_if_there(&words)?;
        match linked {
            Ok(()) => Ok(Some(HeldCheckout::new(wanted, checkout, index))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(source) => Err(GitError::file("lock", &lock)(source)),
        }
    }

    /// The lock that a move which was cut off left there, if it did.
    pub(super) fn left_by(wanted: &Move, checkout: &Worktree) -> Result<Option<HeldCheckout>> {
        let Some(index) = index_of(checkout) else { return Ok(None) };
        remove_if_there(&beside(&index, ".gulf-lock"))?;
        let words = fs::read_to_string(beside(&index, ".lock"));
        let is_ours = words.is_ok_and(|words| words == wanted.words);
        Ok(is_ours.then(|| HeldCheckout::new(wanted, checkout, index)))
    }

    fn new(wanted: &Move, checkout: &Worktree, index: Utf8PathBuf) -> HeldCheckout {
        HeldCheckout { directory: checkout.path.clone(), index, store: wanted.repository.store.clone() }
    }

    /// Leaves the lock for the next recovery.
    pub(super) fn leave(self) {
        std::mem::forget(self);
    }

    /// Brings the files of the checkout from one tree to another; git refuses, and touches nothing, where they are
    /// not as the first has them. The index itself stays.
    pub(super) fn write_files(&self, old: &TreeId, new: &TreeId) -> Result<()> {
        let next = self.copied()?;
        self.call(&next, "update-index").args(["-q", "--refresh"]).accept(&[0, 1]).run()?;
        self.call(&next, "read-tree").args(["-m", "-u", old.as_str(), new.as_str()]).run()?;
        Ok(())
    }

    /// Brings the files of the checkout from one tree to another, whatever the index has; git refuses, and touches nothing,
    /// where they are not as the first has them.
    pub(super) fn write_files_apart(&self, old: &TreeId, new: &TreeId) -> Result<()> {
        let next = self.fresh()?;
        self.call(&next, "read-tree").arg(old.as_str()).run()?;
        self.call(&next, "update-index").args(["-q", "--refresh"]).accept(&[0, 1]).run()?;
        self.call(&next, "read-tree").args(["-m", "-u", old.as_str(), new.as_str()]).run()?;
        remove_if_there(&next)
    }

    /// Gives the index these entries, as `update-index --index-info` reads them; all others stay.
    pub(super) fn stage_entries(&self, lines: Vec<u8>) -> Result<()> {
        let next = self.copied()?;
        self.call(&next, "update-index").args(["-z", "--index-info"]).input(lines).run()?;
        self.replace_index()
    }

    /// Takes a tree for what is in the index; files stay as they are.
    pub(super) fn stage(&self, tree: &TreeId) -> Result<()> {
        let next = self.copied()?;
        self.call(&next, "read-tree").args(["--reset", tree.as_str()]).run()?;
        self.replace_index()
    }

    /// Puts the index that belongs to the new files in the place of the old one.
    pub(super) fn replace_index(&self) -> Result<()> {
        fs::rename(self.next(), &self.index).map_err(GitError::file("replace", &self.index))
    }

    /// Whether the index holds exactly this tree.
    pub(super) fn index_holds(&self, tree: &TreeId) -> Result<bool> {
        let call =
            self.call(&self.index, "diff-index").args(["--cached", "--quiet", "--ignore-submodules=none"]);
        Ok(call.arg(tree.as_str()).accept(&[0, 1]).run()?.code == 0)
    }

    /// A call on the files of the checkout with some index.
    pub(super) fn call(&self, index: &Utf8Path, verb: &'static str) -> Call {
        self.store.call_in(&self.directory, index, verb)
    }

    fn next(&self) -> Utf8PathBuf {
        beside(&self.index, ".gulf")
    }

    /// The place of the next index, with nothing of an earlier one.
    fn fresh(&self) -> Result<Utf8PathBuf> {
        let next = self.next();
        remove_if_there(&next)?;
        remove_if_there(&beside(&next, ".lock"))?;
        Ok(next)
    }

    /// The next index, with what the present one holds.
    fn copied(&self) -> Result<Utf8PathBuf> {
        let next = self.fresh()?;
        copy_index(&self.index, &next)?;
        Ok(next)
    }
}

fn index_of(checkout: &Worktree) -> Option<Utf8PathBuf> {
    checkout.git_dir.as_ref().map(|git_dir| git_dir.join("index"))
}

/// The lock goes last: what lies beside it is nobody's without it.
impl Drop for HeldCheckout {
    fn drop(&mut self) {
        let _ = remove_if_there(&self.next());
        let _ = remove_if_there(&beside(&self.next(), ".lock"));
        let _ = remove_if_there(&beside(&self.index, ".lock"));
    }
}
