//! Makes a tree of what stands in the worktree: tracked and untracked files, ignored ones left out, the loop's own
//! texts exactly as in the base (SPEC B2).
//!
//! It must be cheap where nothing changed: one call of git then, because the private index remembers what was seen,
//! and a note beside it remembers which tree that was.

mod note;
mod plan;

use std::fs;
use std::time::{Duration, SystemTime};

use camino::Utf8Path;
use note::Note;
use plan::Plan;

use super::error::{GitError, Result};
use super::listing::{self, Listing, SubmoduleFinding};
use super::names::{TreeId, TreePath};
use super::store::Attributes;
use super::worktree_view::FileStamp;
use super::{Repository, beside};
use crate::crash;
use crate::files::or_gone;
use crate::git::listing::named_attributes;

/// What to take a snapshot of.
#[derive(Debug)]
pub struct SnapshotRequest<'a> {
    /// The private index, kept per loop; a lock left beside it by a crash is removed.
    pub index: &'a Utf8Path,
    /// The tree in which the loop's texts stand as they must; `None`: they stand nowhere.
    pub base: Option<&'a TreeId>,
    /// Files and directories, relative to the worktree, whose changes never enter.
    pub loop_texts: &'a [TreePath],
    /// Larger files are named, not stored.
    pub file_bytes_max: u64,
}

/// The worktree as a tree, and what a person must be told about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeSnapshot {
    pub tree: TreeId,
    /// Files whose bytes are not in the tree: those that are too large are absent; of those that could not be read, or not
    /// be stored as what they are said to be, a tracked one stands there as before.
    pub left_out: Vec<LeftOutFile>,
    /// Submodules and nested repositories whose worktree is not what their commit says.
    pub submodules: Vec<SubmoduleFinding>,
    /// What lay there, ignored, when the loop began, and would be part of the tree now: it stays out.
    pub ignored: Vec<TreePath>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutFile {
    pub path: TreePath,
    pub why: String,
}

impl Repository {
    /// Writes the worktree as a tree into the repository's objects; nothing refers to it yet.
    pub fn snapshot(&self, request: &SnapshotRequest) -> Result<WorktreeSnapshot> {
        match self.try_snapshot(request) {
            // The index, or objects it names, may be gone or broken: it is only a memory, so forget and look anew.
            Err(GitError::Failed { .. } | GitError::StoreDamaged { .. }) if request.index.is_file() => {
                remove_if_there(request.index)?;
                self.try_snapshot(request)
            }
            result => result,
        }
    }

    fn try_snapshot(&self, request: &SnapshotRequest) -> Result<WorktreeSnapshot> {
        remove_if_there(&beside(request.index, ".lock"))?;
        let info = self.store.refresh_info(&self.layout.common_dir)?;
        let last = Note::read(request.index, request.base);
        if last.is_none() {
            self.seed(request)?;
        } else if info == Attributes::Changed {
            distrust(request.index)?;
        }
        let mut plan = self.plan(request, last.as_ref())?;
        if last.is_some() && plan.changes_attributes() {
            // Attributes decide how bytes become objects, so every file is read again under the new ones.
            distrust(request.index)?;
            plan = self.plan(request, last.as_ref())?;
        }
        let tree = match (&last, request.base) {
            (Some(last), _) if plan.is_empty() => last.tree.clone(),
            // The index was just made of it.
            (None, Some(base)) if plan.is_empty() => base.clone(),
            (Some(_) | None, _) => self.stage(request, &mut plan)?,
        };
        let note = Note::new(request.index, tree, request.base, plan.person_index.clone());
        note.write_if_changed(request.index, last.as_ref())?;
        let submodules = self.submodule_findings(request.index, &plan)?;
        Ok(WorktreeSnapshot { tree: note.tree, left_out: plan.left_out, submodules, ignored: plan.ignored })
    }

    /// Makes the private index anew: the base, and what a sparse worktree leaves out.
    fn seed(&self, request: &SnapshotRequest) -> Result<()> {
        let work_tree = self.work_tree();
        if let Some(parent) = request.index.parent() {
            fs::create_dir_all(parent).map_err(GitError::file("create", parent))?;
        }
        remove_if_there(request.index)?;
        let start = request.base.map_or("--empty", TreeId::as_str);
        crash::point("git.snapshot.seed");
        self.store.call_in(work_tree, request.index, "read-tree").arg(start).run()?;
        let left_out = self.left_out_of_sparse_worktree(request)?;
        if !left_out.is_empty() {
            let mark = self.store.call_in(work_tree, request.index, "update-index");
            mark.args(["-z", "--skip-worktree", "--stdin"]).input(nul_terminated(&left_out)).run()?;
        }
        let refresh = self.store.call_in(work_tree, request.index, "update-index");
        refresh.args(["-q", "--refresh"]).accept(&[0, 1]).run().map(drop)
    }

    /// Base files the person's own index marks as left out, and that indeed are not there.
    fn left_out_of_sparse_worktree(&self, request: &SnapshotRequest) -> Result<Vec<TreePath>> {
        let marked = self.person_call("ls-files")?.args(["-z", "-t", "-c"]).run()?;
        let mut absent = Vec::new();
        for (_, path) in marked.tagged().filter(|(tag, _)| *tag == b'S') {
            let path = TreePath::parse(path)?;
            if fs::symlink_metadata(path.below(self.work_tree())).is_err() {
                absent.push(path);
            }
        }
        if absent.is_empty() {
            return Ok(absent);
        }
        let known = self.store.call_in(self.work_tree(), request.index, "ls-files").arg("-z").run()?;
        let known: std::collections::HashSet<&[u8]> = known.entries().collect();
        absent.retain(|path| known.contains(path.as_bytes()));
        Ok(absent)
    }

    fn plan(&self, request: &SnapshotRequest, last: Option<&Note>) -> Result<Plan> {
        let listing = Listing::read(&self.store, self.work_tree(), request.index)?;
        let person_index = FileStamp::read(&self.layout.git_dir.join("index"));
        let is_same = last.is_some_and(|last| last.person_index == person_index);
        let forced = if is_same { Vec::new() } else { self.tracked_though_ignored(&listing)? };
        let ignored = self.ignored_at_start()?;
        Ok(Plan { person_index, ..Plan::new(self.work_tree(), request, listing, &forced, &ignored) })
    }

    /// Files the person, or the worker, added to git although an ignore file names them.
    fn tracked_though_ignored(&self, listing: &Listing) -> Result<Vec<TreePath>> {
        let answer = self.person_call("ls-files")?.args(["-z", "-c", "-i", "--exclude-standard"]).run()?;
        let known: std::collections::HashSet<&[u8]> =
            listing.tracked.iter().map(TreePath::as_bytes).collect();
        answer.entries().filter(|path| !known.contains(path)).map(TreePath::parse).collect()
    }

    fn stage(&self, request: &SnapshotRequest, plan: &mut Plan) -> Result<TreeId> {
        let update = || self.store.call_in(self.work_tree(), request.index, "update-index");
        crash::point("git.snapshot.stage");
        if !plan.removals.is_empty() {
            update().args(["-z", "--force-remove", "--stdin"]).input(nul_terminated(&plan.removals)).run()?;
        }
        let mut staged = plan.staged.clone();
        for nested in &plan.nested {
            if listing::head(self.work_tree(), nested)?.is_some() {
                staged.push(nested.clone());
            }
        }
        if !staged.is_empty() {
            plan.left_out.extend(self.take_paths(request, &staged)?);
        }
        crash::point("git.snapshot.tree");
        let tree = self.store.call_in(self.work_tree(), request.index, "write-tree").run()?;
        Ok(TreeId::parse(&tree.text())?)
    }

    fn submodule_findings(&self, index: &Utf8Path, plan: &Plan) -> Result<Vec<SubmoduleFinding>> {
        let known = plan.gitlinks.iter().chain(&plan.nested);
        let mut findings = Vec::new();
        for path in known {
            findings.extend(listing::inspect(&self.store, self.work_tree(), index, path)?);
        }
        Ok(findings)
    }
}

/// Takes away an index that nobody snapshots into again, and what it remembers.
pub fn forget_index(index: &Utf8Path) {
    // What stays is a file of gulf's own that nobody reads.
    let _ = remove_if_there(index);
    let _ = remove_if_there(&Note::path(index));
}

/// Makes git compare the bytes of every file, not only its time stamps: an index older than all files proves nothing
/// about them (git's documentation, "racy git").
pub(super) fn distrust(index: &Utf8Path) -> Result<()> {
    set_modified(index, SystemTime::UNIX_EPOCH + Duration::from_secs(1))
}

pub(super) fn set_modified(index: &Utf8Path, when: SystemTime) -> Result<()> {
    let file = fs::File::options().write(true).open(index);
    file.and_then(|file| file.set_modified(when)).map_err(GitError::file("set the time of", index))
}

pub(super) fn nul_terminated(paths: &[TreePath]) -> Vec<u8> {
    paths.iter().flat_map(|path| [path.as_bytes(), b"\0"].concat()).collect()
}

pub(super) fn remove_if_there(path: &Utf8Path) -> Result<()> {
    or_gone(fs::remove_file(path)).map_err(GitError::file("remove", path))
}

// Finds the files that git cannot store in the encoding that an attribute names.

/// The attribute by which a file's bytes in the worktree are another encoding of those in its object.
const ENCODING: &str = "working-tree-encoding";
/// More files than this are not looked at one by one.
const PATHS_MAX: usize = 1_000;

impl Repository {
    /// Takes these paths into the index; those that git cannot store as what an attribute says they are stay as they
    /// were, and are named.
    fn take_paths(&self, request: &SnapshotRequest, paths: &[TreePath]) -> Result<Vec<LeftOutFile>> {
        let Err(error) = self.take_all(request, paths) else { return Ok(Vec::new()) };
        let GitError::Failed { .. } = error else { return Err(error) };
        let mut refused = Vec::new();
        for path in self.encoded(request, paths)? {
            match self.take_all(request, std::slice::from_ref(&path)) {
                Err(GitError::Failed { said, .. }) => refused.push(unreadable(path, &said)),
                taken => taken?,
            }
        }
        if refused.is_empty() {
            return Err(error);
        }
        let rest = paths.iter().filter(|path| refused.iter().all(|one| one.path != **path));
        self.take_all(request, &rest.cloned().collect::<Vec<_>>())?;
        Ok(refused)
    }

    fn take_all(&self, request: &SnapshotRequest, paths: &[TreePath]) -> Result<()> {
        let call = self.store.call_in(self.work_tree(), request.index, "update-index");
        // The refresh has 1 for an answer where loop texts or files left out differ: they are meant to.
        let call = call.args(["-q", "--refresh", "--add", "--remove", "--replace", "-z", "--stdin"]);
        call.input(nul_terminated(paths)).accept(&[0, 1]).run().map(drop)
    }

    /// Those of `paths` for which an encoding is named.
    fn encoded(&self, request: &SnapshotRequest, paths: &[TreePath]) -> Result<Vec<TreePath>> {
        let call = self.store.call_in(self.work_tree(), request.index, "check-attr");
        let named = named_attributes(call, ENCODING, paths)?;
        Ok(named.into_iter().take(PATHS_MAX).map(|(path, _)| path).collect())
    }
}

fn unreadable(path: TreePath, said: &str) -> LeftOutFile {
    let words = said.lines().last().unwrap_or_default();
    let why = format!("it is not in the encoding that its attribute {ENCODING} names ({words})");
    LeftOutFile { path, why }
}
