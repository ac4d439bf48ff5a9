//! Throws the worktree and the branch of a loop that is over away, on a person's word.
//!
//! It stands apart from the clean-up because here work goes that no branch holds: what lies there is kept as one more of the
//! loop's own commits first, so it is gone from sight and not lost.

use camino::Utf8PathBuf;
use gulf_engine::{Act, admit};
use gulf_host::clock::Clock;
use gulf_host::git::{BranchName, CommitId, Deletion, Expected, Holders, RefName, Removal, Repository};
use gulf_host::git::{Elsewhere, TreeId};
use gulf_host::leftovers::programs_in;
use gulf_host::lock::{Lock, LockError};

use super::branches::is_here;
use super::ground::Ground;
use super::{Remains, remains};
use crate::agreement::{Agreement, LandingPlace};
use crate::book::Book;
use crate::claims::RequestFile;
use crate::error::RunError;
use crate::keeping::{KeepingError, record};
use crate::known::Known;
use crate::place::PlaceOfWork;
use crate::snapshot::{left_out, loop_texts, stamp, take_snapshot};

/// What throwing a loop's own ground away would take.
#[derive(Debug)]
pub struct ThrowAway {
    pub branch: Option<String>,
    pub worktree: Option<Utf8PathBuf>,
    /// Ignored files that are nowhere else, and would be gone.
    pub lost: Vec<String>,
}

impl ThrowAway {
    pub fn is_nothing(&self) -> bool {
        self.branch.is_none() && self.worktree.is_none()
    }
}

/// Looks; nothing is touched. `place` is another checkout than the loop's.
pub fn to_throw_away(place: &PlaceOfWork, known: &Known) -> Result<ThrowAway, KeepingError> {
    let agreement = known.agreement()?;
    let repository = open(place)?;
    let own = Own::of(&agreement, &repository)?;
    let lost = match (&own.worktree, ground(place, known)?) {
        (Some(path), Some(ground)) => ground.wanted(&repository, path)?,
        (Some(_) | None, _) => Vec::new(),
    };
    let branch = own.at.as_ref().map(|_| own.branch.short().to_owned());
    Ok(ThrowAway { branch, worktree: own.worktree, lost })
}

/// Does it.
pub fn throw_away(
    place: &PlaceOfWork,
    known: &Known,
    by: &str,
    clock: &Clock,
) -> Result<ThrowAway, KeepingError> {
    let told = to_throw_away(place, known)?;
    let agreement = known.agreement()?;
    let repository = open(place)?;
    let own = Own::of(&agreement, &repository)?;
    let lock = own.worktree.as_ref().unwrap_or(&agreement.project);
    let _nobody_else = match Lock::try_acquire(&place.lock_of(lock), known.name.as_str().as_bytes()) {
        Err(LockError::Held { .. }) => {
            return Err(stays("a loop works there", "`gulf status` says which one"));
        }
        locked => locked.map_err(RunError::from)?,
    };
    let (mut book, _) = Book::open(known.home.root())?;
    let asked = Act::Discard { by: by.to_owned() };
    let fact = admit(book.state(), RequestFile::by_this_process(asked).request())?;
    let kept_by = RefName::parse(&format!("refs/gulf/{}/discarded", agreement.loop_id))?;
    if let Some(path) = &own.worktree {
        if is_here(path) {
            return Err(stays("you are in its worktree", "go to another folder: `cd` to your own checkout"));
        }
        let programs = programs_in(path);
        if !programs.is_empty() {
            return Err(stays(format!("in use by {}", programs.join(", ")), "end them first"));
        }
        let tree = keep(place, known, &agreement, path, &kept_by, clock)?;
        if let Some(large) =
            ground(place, known)?.map(|ground| ground.keep_texts(path)).transpose()?.flatten()
        {
            return Err(stays(format!("{large} is too large to be kept"), "move it elsewhere first"));
        }
        gulf_host::crash::point("discard.kept");
        remove(&repository, path, &tree)?;
    } else if let Some(at) = &own.at {
        repository.update_ref(&kept_by, at, &Expected::Anything)?;
    }
    gulf_host::crash::point("discard.worktree-gone");
    if let Some(at) = &own.at {
        match repository.delete_kept_branch(&own.branch, at, &kept_by)? {
            Deletion::Deleted | Deletion::Absent => {}
            Deletion::CheckedOut { at } => {
                return Err(stays(
                    format!("its branch {} is checked out in {at}", own.branch.short()),
                    "`git switch` to another branch there; then `gulf discard` throws it away",
                ));
            }
            Deletion::Moved { .. } | Deletion::Unreachable { .. } => {
                return Err(stays(
                    format!("its branch {} moved in this moment", own.branch.short()),
                    "run the same command again",
                ));
            }
        }
    }
    gulf_host::crash::point("discard.branch-gone");
    book.add(vec![fact], clock.wall_ms())?;
    Ok(told)
}

/// What is a loop's own, as far as it is still there.
struct Own {
    branch: BranchName,
    at: Option<CommitId>,
    worktree: Option<Utf8PathBuf>,
}

impl Own {
    fn of(agreement: &Agreement, repository: &Repository) -> Result<Self, KeepingError> {
        let none = || stays("the loop had no branch of its own", "`gulf status` says where it worked");
        let landing = agreement.landing.as_ref().ok_or_else(none)?;
        let branch = BranchName::parse(&landing.branch)?;
        let at = repository.read_branch(&branch)?;
        let is_apart = landing.place == LandingPlace::Worktree && agreement.project.exists();
        Ok(Self { branch, at, worktree: is_apart.then(|| agreement.project.clone()) })
    }
}

/// All that lies in the worktree and is not ignored, on top of what is committed there, held by a reference.
fn keep(
    place: &PlaceOfWork,
    known: &Known,
    agreement: &Agreement,
    path: &Utf8PathBuf,
    kept_by: &RefName,
    clock: &Clock,
) -> Result<TreeId, KeepingError> {
    let there = PlaceOfWork::find(path, place.home.clone())?.open(&known.home.git())?;
    let taken = take_snapshot(&there, agreement, &agreement.base, &known.home.index())?;
    if let Some(what) = left_out(&taken).first() {
        return Err(stays(format!("no commit can hold {what}"), "move it elsewhere, or remove it, first"));
    }
    let head = there.head_commit()?;
    let parents: Vec<&CommitId> = head.iter().collect();
    let message = format!("gulf: what lay there when {} was discarded\n", agreement.loop_id);
    let commit = there.commit(&taken.tree, &parents, &message, stamp(clock.wall_ms()))?;
    there.update_ref(kept_by, &commit, &Expected::Anything)?;
    Ok(taken.tree)
}

fn remove(repository: &Repository, path: &Utf8PathBuf, tree: &TreeId) -> Result<(), KeepingError> {
    let copied = loop_texts()?;
    let held = Elsewhere { commits: Holders::Anything, files: std::slice::from_ref(tree), copied: &copied };
    match repository.remove_worktree(path, held)? {
        Removal::Removed | Removal::Unknown => Ok(()),
        Removal::Kept(kept) => Err(stays(kept.words(), "put that right; then the same command removes it")),
    }
}

fn ground(place: &PlaceOfWork, known: &Known) -> Result<Option<Ground>, RunError> {
    let found: Vec<Remains> = remains(place)?;
    Ok(found.iter().find(|one| one.name == known.name.as_str()).and_then(Ground::of))
}

fn stays(what: impl Into<String>, hint: impl Into<String>) -> KeepingError {
    KeepingError::InTheWay { what: what.into(), hint: hint.into() }
}

fn open(place: &PlaceOfWork) -> Result<Repository, RunError> {
    place.open(&place.repository.root().join("clean.git"))
}
