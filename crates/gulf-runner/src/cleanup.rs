//! What loops leave behind in `$GULF_HOME`, and taking away what nobody needs any more (SPEC A9).
//!
//! The list of loops passes over what cannot be read or was never sealed; here everything is looked at, and each folder is
//! judged on its own.
//!
//! Removing one is done so that a crash at any moment leaves something that the next time finds again: first the refs,
//! while the journal still names the loop; then the folder gets a name that no loop can have; then it goes.

mod branches;
mod ground;

use std::fs;
use std::os::unix::fs::MetadataExt;

use branches::landed;
use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use gulf_engine::{End, Stage};
use gulf_host::files::{self, WriteError};
use gulf_host::git::{BranchName, CommitId, Expected};
use gulf_host::home::Name;
use gulf_host::lock::{Holder, Lock, LockError};

use crate::agreement::Agreement;
use crate::error::{RunError, in_full};
use crate::folder::LoopPaths;
use crate::place::PlaceOfWork;
use crate::project_folder::ProjectFolder;
use crate::{book, known};

pub use branches::{Forgotten, OutsideFolders, OwnBranch, remove_branch, remove_forgotten};
pub use ground::{ThrowAway, throw_away, to_throw_away};

/// How the folder of a removed loop is called until it is gone. No loop's name begins with a dot.
const REMOVED_PREFIX: &str = ".removed-";

/// The folder of one loop, or of what is left of one.
#[derive(Debug)]
pub struct Remains {
    /// The loop's id.
    pub name: String,
    pub root: Utf8PathBuf,
    pub standing: RemainsStanding,
}

/// What may be done with it.
#[derive(Debug)]
pub enum RemainsStanding {
    /// A process drives it, starts it, or is about to show how it ended.
    Busy,
    /// Nobody drives it, and it is in the middle of its work.
    Interrupted,
    /// It waits for a person.
    Paused,
    Finished(End),
    /// A start that came to nothing: there is no contract.
    Unstarted,
    /// A removal that was not finished.
    HalfRemoved,
    /// Its journal cannot be read, so nothing is known of it.
    Unreadable(RunError),
}

/// Every loop of this repository, the oldest first; then what earlier removals left.
pub fn remains(place: &PlaceOfWork) -> Result<Vec<Remains>, RunError> {
    let mut found = Vec::new();
    for name in place.repository.loop_names()? {
        let home = place.loop_home(&name);
        let standing = standing(place, &name, &home).unwrap_or_else(RemainsStanding::Unreadable);
        found.push(Remains { name: name.as_str().to_owned(), root: home.root().to_owned(), standing });
    }
    found.extend(half_removed(place));
    Ok(found)
}

impl Remains {
    /// May it go?
    pub fn is_removable(&self) -> bool {
        matches!(
            self.standing,
            RemainsStanding::Finished(_) | RemainsStanding::Unstarted | RemainsStanding::HalfRemoved
        )
    }

    /// By its handle, as everywhere; what no other command could find is told by the name of its folder.
    pub fn called(&self) -> String {
        if self.is_nameless() { self.name.clone() } else { known::handle(&self.root) }
    }

    fn is_nameless(&self) -> bool {
        matches!(
            self.standing,
            RemainsStanding::Unstarted | RemainsStanding::HalfRemoved | RemainsStanding::Unreadable(_)
        )
    }

    /// How many bytes its files have; what cannot be looked at counts as nothing.
    pub fn bytes(&self) -> u64 {
        bytes_below(&self.root)
    }

    /// Its folder in the project, where one is left; none where its contract cannot be read.
    pub fn project_folder(&self) -> Option<ProjectFolder> {
        if self.is_nameless() {
            return None;
        }
        let fold = book::fold(&book::read(&self.root).ok()?);
        let agreement = Agreement::open(&LoopPaths::new(&self.root), &fold.state.contract()?.digest).ok()?;
        ProjectFolder::from_agreement(&agreement).filter(ProjectFolder::exists)
    }

    /// Takes the refs and the folder away, and before them the one in the project: it is found by what they tell.
    pub fn remove(&self, place: &PlaceOfWork) -> Result<(), RunError> {
        if matches!(self.standing, RemainsStanding::HalfRemoved) {
            return Ok(files::remove_directory(&self.root)?);
        }
        if !self.is_removable() {
            return Ok(());
        }
        if let Some(folder) = self.project_folder() {
            folder.remove()?;
            gulf_host::crash::point("remains.project-folder");
        }
        self.unmake(place)
    }

    /// The same, whatever it stands at: for a start that is taken back while nobody else can hold it.
    pub(crate) fn unmake(&self, place: &PlaceOfWork) -> Result<(), RunError> {
        remove_refs(place, &self.name, &self.root)?;
        let aside = place.repository.loops().join(format!("{REMOVED_PREFIX}{}", self.name));
        // Something of an earlier loop of this name may still be there.
        files::remove_directory(&aside)?;
        fs::rename(&self.root, &aside).map_err(|source| {
            let path = self.root.clone();
            WriteError::Failed { path, action: "rename", source }
        })?;
        Ok(files::remove_directory(&aside)?)
    }
}

fn standing(place: &PlaceOfWork, name: &Name, home: &LoopPaths) -> Result<RemainsStanding, RunError> {
    // A start takes the checkout before it makes the folder, so whoever sees the folder sees the lock as well.
    if is_busy(place, name, home)? {
        return Ok(RemainsStanding::Busy);
    }
    // Looked for only now: a start that was under way a moment ago has written its journal since.
    if !home.journal().is_file() {
        let is_empty = !has_entries(&home.iterations());
        return if is_empty { Ok(RemainsStanding::Unstarted) } else { Err(RunError::NoContract) };
    }
    Ok(match &book::fold(&book::read(home.root())?).state.stage {
        // A journal that lost its first line tells of no contract either; but then there is work beside it.
        Stage::Unsealed if has_entries(&home.iterations()) => {
            RemainsStanding::Unreadable(RunError::NoContract)
        }
        Stage::Unsealed => RemainsStanding::Unstarted,
        Stage::Ended(end) => RemainsStanding::Finished(end.clone()),
        Stage::Paused(..) => RemainsStanding::Paused,
        Stage::Between(_) | Stage::Turn | Stage::Settling(_) => RemainsStanding::Interrupted,
        Stage::Gates(..) | Stage::FollowUp(..) => RemainsStanding::Interrupted,
    })
}

/// Is the loop being driven, or does somebody hold a checkout in its name?
fn is_busy(place: &PlaceOfWork, name: &Name, home: &LoopPaths) -> Result<bool, RunError> {
    let mut locks = vec![home.lock()];
    locks.extend(place.checkout_locks()?);
    for lock in locks {
        match Lock::holder(&lock)? {
            // Where a holder's note cannot be read, it may be this one.
            Holder::Process { note } if lock == home.lock() || note.is_empty() => return Ok(true),
            Holder::Process { note } if note == name.as_str().as_bytes() => return Ok(true),
            Holder::Process { .. } | Holder::Nobody => {}
        }
    }
    Ok(false)
}

fn half_removed(place: &PlaceOfWork) -> Vec<Remains> {
    let Ok(entries) = place.repository.loops().read_dir_utf8() else { return Vec::new() };
    let half = |entry: Utf8DirEntry| {
        let name = entry.file_name().strip_prefix(REMOVED_PREFIX)?.to_owned();
        Some(Remains { name, root: entry.into_path(), standing: RemainsStanding::HalfRemoved })
    };
    let mut found: Vec<Remains> = entries.flatten().filter_map(half).collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// Without its refs, git may collect the loop's candidates as garbage.
fn remove_refs(place: &PlaceOfWork, name: &str, root: &Utf8Path) -> Result<(), RunError> {
    let folder = LoopPaths::new(root);
    if place.layout.is_none() && !place.has_shadow() {
        return Ok(());
    }
    let repository = place.open(&folder.git())?;
    for (reference, _) in repository.list_refs(&format!("refs/gulf/{name}"))? {
        repository.delete_ref(&reference, &Expected::Anything)?;
    }
    Ok(())
}

fn has_entries(folder: &Utf8Path) -> bool {
    folder.read_dir().is_ok_and(|mut entries| entries.next().is_some())
}

fn bytes_below(folder: &Utf8Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            Utf8PathBuf::from_path_buf(entry.path()).map_or(0, |path| bytes_below(&path))
        }
        // What has other names elsewhere stays there.
        Ok(metadata) => metadata.len() / metadata.nlink().max(1),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}

// What a repository's loops had in common, once none of them is left.

/// Git directories of gulf's own; whoever needs one makes it anew.
const GIT_DIRECTORIES: [&str; 2] = ["branching.git", "clean.git"];
/// Starts that were cut off; each is a file in it, and somebody's.
const BEGINNINGS: &str = "beginnings";

/// Takes it away where the repository has no loop any more, and nobody begins one at this moment.
pub fn sweep(place: &PlaceOfWork) -> Result<(), RunError> {
    if !is_over(place)? {
        return Ok(());
    }
    let mut held = Vec::new();
    for path in place.checkout_locks()? {
        match Lock::try_acquire(&path, b"") {
            Err(LockError::Held { .. }) => return Ok(()),
            lock => held.push((path, lock?)),
        }
    }
    // Whoever was about to begin one has its folder by now.
    if !is_over(place)? {
        return Ok(());
    }
    let root = place.repository.root();
    for name in GIT_DIRECTORIES {
        files::remove_directory(&root.join(name))?;
    }
    // Only where nothing lies in it.
    let _ = fs::remove_dir(root.join(BEGINNINGS));
    for (path, _held) in held.iter().filter(|(path, _)| *path != place.checkout_lock()) {
        // It is held: whoever opened it meanwhile sees that it is gone, and takes the next one.
        let _ = fs::remove_file(path);
    }
    Ok(())
}

fn is_over(place: &PlaceOfWork) -> Result<bool, RunError> {
    Ok(place.repository.loop_names()?.is_empty() && half_removed(place).is_empty())
}

// Takes away the worktree and the branch of a loop whose work stands on its base branch.

/// After this loop has landed: its branch is gone with the worktree on it, or why it stays; none where it has no branch any
/// more. `place` must be another checkout than its own.
pub fn put_away(place: &PlaceOfWork, name: &Name) -> Option<Result<(), String>> {
    match each(place, Some(name)) {
        Ok(done) => done.into_iter().next(),
        // It has landed all the same; the next clean-up says more.
        Err(error) => Some(Err(in_full(&error))),
    }
}

/// What earlier loops left that landed: cut off, or kept by what is gone by now. Nothing that is left in the way of this
/// keeps anybody from working; it is said.
pub fn put_all_away(place: &PlaceOfWork) -> Option<String> {
    let failed = |error| format!("cannot take away what earlier loops left: {}", in_full(&error));
    each(place, None).map_err(failed).err()
}

fn each(place: &PlaceOfWork, of: Option<&Name>) -> Result<Vec<Result<(), String>>, RunError> {
    let put_away =
        |(name, at): (BranchName, CommitId)| Ok(remove_branch(place, &name, &at)?.map_or(Ok(()), Err));
    landed(place, of)?.into_iter().map(put_away).collect()
}
