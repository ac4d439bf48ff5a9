//! What loops leave behind in `$GULF_HOME`, and taking away what nobody needs any more (SPEC A9).
//!
//! It stands apart from the list of loops because that one passes over what cannot be read or was never sealed; here
//! everything is looked at, and each folder is judged on its own.
//!
//! Removing one is done so that a crash at any moment leaves something that the next time finds again: first the refs,
//! while the journal still names the loop; then the folder gets a name that no loop can have; then it goes.

mod branches;
mod discarding;
mod ground;
mod landed;
mod swept;

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{End, Stage};
use gulf_host::files::{self, WriteError};
use gulf_host::git::Expected;
use gulf_host::home::Name;
use gulf_host::lock::{Holder, Lock};

use crate::agreement::Agreement;
use crate::book;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::place::PlaceOfWork;
use crate::project_folder::ProjectFolder;

pub use branches::{Forgotten, OutsideFolders, OwnBranch, remove_branch, remove_forgotten};
pub use discarding::{ThrowAway, throw_away, to_throw_away};
pub use landed::{PutAway, put_all_away, put_away};
pub use swept::sweep;

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
        let standing = match standing(place, &name, &home) {
            Ok(standing) => standing,
            Err(error) => RemainsStanding::Unreadable(error),
        };
        found.push(Remains { name: name.as_str().to_owned(), root: home.root().to_owned(), standing });
    }
    found.extend(half_removed(place));
    Ok(found)
}

impl Remains {
    /// May it go?
    pub fn is_removable(&self) -> bool {
        match self.standing {
            RemainsStanding::Finished(_) | RemainsStanding::Unstarted | RemainsStanding::HalfRemoved => true,
            RemainsStanding::Busy
            | RemainsStanding::Interrupted
            | RemainsStanding::Paused
            | RemainsStanding::Unreadable(_) => false,
        }
    }

    /// How many bytes its files have; what cannot be looked at counts as nothing.
    pub fn bytes(&self) -> u64 {
        bytes_below(&self.root)
    }

    /// Its folder in the project, where one is left; none where its contract cannot be read.
    pub fn project_folder(&self) -> Option<ProjectFolder> {
        match self.standing {
            RemainsStanding::Unstarted | RemainsStanding::HalfRemoved => return None,
            RemainsStanding::Unreadable(_) => return None,
            RemainsStanding::Busy | RemainsStanding::Interrupted => {}
            RemainsStanding::Paused | RemainsStanding::Finished(_) => {}
        }
        let fold = book::fold(&book::read(&self.root).ok()?);
        let agreement = Agreement::open(&LoopPaths::new(&self.root), fold.state.contract()?).ok()?;
        ProjectFolder::of(&agreement).filter(ProjectFolder::exists)
    }

    /// Takes the refs and the folder away, and before them the one in the project: it is found by what they tell.
    pub fn remove(&self, place: &PlaceOfWork) -> Result<(), RunError> {
        match &self.standing {
            RemainsStanding::HalfRemoved => Ok(files::remove_directory(&self.root)?),
            RemainsStanding::Finished(_) | RemainsStanding::Unstarted => {
                if let Some(folder) = self.project_folder() {
                    folder.remove()?;
                    gulf_host::crash::point("remains.project-folder");
                }
                self.unmake(place)
            }
            RemainsStanding::Busy
            | RemainsStanding::Interrupted
            | RemainsStanding::Paused
            | RemainsStanding::Unreadable(_) => Ok(()),
        }
    }
}

impl Remains {
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
    let fold = book::fold(&book::read(home.root())?);
    Ok(match fold.state.stage() {
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
            Holder::Nobody => {}
            // Where a holder's note cannot be read, it may be this one.
            Holder::Process { note } if lock == home.lock() || note.is_empty() => return Ok(true),
            Holder::Process { note } if note == name.as_str().as_bytes() => return Ok(true),
            Holder::Process { .. } => {}
        }
    }
    Ok(false)
}

fn half_removed(place: &PlaceOfWork) -> Vec<Remains> {
    let Ok(entries) = place.repository.loops().read_dir_utf8() else { return Vec::new() };
    let mut found: Vec<Remains> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().strip_prefix(REMOVED_PREFIX)?.to_owned();
            let root = entry.path().to_owned();
            Some(Remains { name, root, standing: RemainsStanding::HalfRemoved })
        })
        .collect();
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
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
