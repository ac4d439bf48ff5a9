//! What becomes of work that lies in the checkout once its loop is over: committed, it alone, or taken out again (SPEC G2,
//! B19).
//!
//! Nothing is merged with others' work or tested anew here: the change from base to candidate is told apart from what
//! the person had there before, and has there since. What cannot be told apart is named, and nothing is touched.

mod change;
mod committing;
mod left_to_git;
mod undone;

use camino::{Utf8Path, Utf8PathBuf};
use change::{Change, Note};
use gulf_engine::{Act, Fact, LandingWord, Refusal};
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::git::{BranchName, CommitId, GitError, InTheWay, Obstacle};
use gulf_host::lock::{Lock, LockError};
use gulf_spec::own_texts::own_text;
use gulf_spec::text::listed;

use crate::book::Book;
use crate::error::{RunError, of_the_world};
use crate::known::KnownLoop;
use crate::place::PlaceOfWork;

pub use change::TakeOut;
pub(crate) use change::last_candidate;
pub use committing::{Proposal, propose};
pub use undone::{reverted_edits, undone};

/// Paths that are named one by one.
const NAMED_MAX: usize = 5;

/// Who holds a checkout to take it away: no loop, and in nobody's name.
pub(crate) const CLEANING: &str = "clean";

/// Where no other error is named, it is a [`KeepingError`].
pub(crate) type Result<T, E = KeepingError> = std::result::Result<T, E>;

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum KeepingError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Something that only a person can put right; nothing was touched.
    #[error("{what}")]
    InTheWay { what: String, hint: String },
    #[error(transparent)]
    World(#[from] RunError),
}

of_the_world!(KeepingError::World: GitError);

/// Commits the loop's change on the branch that is checked out where it worked, and nothing else. `place` is that checkout.
/// Gives what a person should know of the commit and of what lies beside it.
pub fn keep(
    place: &PlaceOfWork,
    known: &KnownLoop,
    by: &str,
    branch: &BranchName,
    clock: &Clock,
) -> Result<Vec<String>> {
    let _nobody_else = alone(place, known, &place.project)?;
    let asked = Act::Land { by: by.to_owned(), base: branch.as_str().to_owned(), push: None };
    let (mut book, fact) = known.admit::<KeepingError>(asked)?;
    let change = inspect(place, known)?.with_receipt(known, by)?;
    if let Some(word) = Note::read(&change.folder)?.and_then(|note| note.landed(&change, branch)) {
        change.attest(&word, branch, clock)?;
        return tell(&mut book, &change, word, clock).map(|()| Vec::new());
    }
    let planned = change.to_commit(branch)?;
    book.add(vec![fact], clock.wall_ms())?;
    crash::point("keeping.asked");
    let word = change.commit(&planned, branch, clock)?;
    crash::point("keeping.committed");
    change.attest(&word, branch, clock)?;
    tell(&mut book, &change, word, clock)?;
    Ok(planned.notes)
}

fn tell(book: &mut Book, change: &Change, word: LandingWord, clock: &Clock) -> Result<()> {
    book.add(vec![Fact::LandingTold { word }], clock.wall_ms())?;
    crash::point("keeping.told");
    Ok(Note::forget(&change.folder)?)
}

/// What taking the loop's change out of the checkout would do; nothing is touched.
pub fn planned(place: &PlaceOfWork, known: &KnownLoop) -> Result<TakeOut> {
    let _nobody_else = alone(place, known, &place.project)?;
    inspect(place, known)?.to_take_out()
}

/// Takes it out, as it is to be taken out by now.
pub fn take_out(place: &PlaceOfWork, known: &KnownLoop, by: &str, clock: &Clock) -> Result<()> {
    let _nobody_else = alone(place, known, &place.project)?;
    let (mut book, fact) = known.admit::<KeepingError>(Act::Discard { by: by.to_owned() })?;
    revert(place, known, None, clock)?;
    book.add(vec![fact], clock.wall_ms())?;
    crash::point("keeping.told");
    reverted(known)
}

/// It is told, so nobody has to put right what a crash left.
pub(crate) fn reverted(known: &KnownLoop) -> Result<()> {
    Ok(Note::forget(&known.home)?)
}

/// The same where the caller holds the checkout, tells of it, and means to delete the branch whose newest commit this is.
pub(crate) fn revert(
    place: &PlaceOfWork,
    known: &KnownLoop,
    newest: Option<&CommitId>,
    clock: &Clock,
) -> Result<()> {
    let change = inspect(place, known)?;
    let planned = change.to_take_out()?;
    change.keep_what_lies(&planned, newest, clock)?;
    crash::point("keeping.kept");
    change.shift(&planned.shift)?;
    crash::point("keeping.out");
    Ok(())
}

/// How the checkout lies, after what a crash left there was put right.
fn inspect(place: &PlaceOfWork, known: &KnownLoop) -> Result<Change> {
    let change = Change::open(place, known)?;
    if let Some(note) = Note::read(&change.folder)? {
        change.repository.settle_shift(&note.shift())?;
    }
    change.looked_at()
}

/// No loop works meanwhile in this checkout of the repository.
pub(crate) fn alone(place: &PlaceOfWork, known: &KnownLoop, folder: &Utf8Path) -> Result<Lock> {
    place.repository.create().map_err(RunError::from)?;
    match Lock::try_acquire(&place.lock_of(folder), known.name.as_str().as_bytes()) {
        Ok(lock) => Ok(lock),
        Err(LockError::Held { note, .. }) => {
            let id = String::from_utf8_lossy(&note).into_owned();
            Err(if id.is_empty() || id == CLEANING {
                // A loop that begins there, or `gulf clean`.
                in_the_way(
                    format!("another gulf works in {folder} at this moment"),
                    "run the same command again",
                )
            } else {
                in_the_way(
                    format!("the loop {id} works in {folder}"),
                    "`gulf status` shows its state; `gulf cancel` ends it",
                )
            })
        }
        Err(error @ LockError::Failed { .. }) => Err(RunError::from(error).into()),
    }
}

pub(crate) fn in_the_way(what: impl Into<String>, hint: impl Into<String>) -> KeepingError {
    KeepingError::InTheWay { what: what.into(), hint: hint.into() }
}

fn obstacle(obstacle: &Obstacle) -> KeepingError {
    in_the_way(obstacle.to_string(), obstacle.hint())
}

fn reasons(reasons: &[InTheWay]) -> KeepingError {
    if let [one] = reasons {
        return obstacle(&one.obstacle);
    }
    let words: Vec<String> = reasons.iter().map(|one| one.obstacle.to_string()).collect();
    in_the_way(words.join("; "), Obstacle::HINT)
}

/// What is the person's from the beginning is told apart from the work in the end.
pub(crate) fn note_of_dirty_start(place: &PlaceOfWork, dirty_paths: &[String]) -> Option<String> {
    let theirs: Vec<&String> = dirty_paths.iter().filter(|path| own_text(path).is_none()).collect();
    if place.layout.is_none() || theirs.is_empty() {
        return None;
    }
    Some(format!(
        "uncommitted here, seen by the worker and by every check, and no part of what lands: {}",
        first_few(&theirs)
    ))
}

/// A few by name, and how many more there are.
fn first_few<T: ToString>(paths: &[T]) -> String {
    listed(paths, NAMED_MAX)
}

/// As a shell takes them that stands where gulf was called.
fn quoted<T: ToString>(project: &Utf8Path, paths: &[T]) -> String {
    let from_here = |path: &T| from_here(project, &path.to_string());
    let quote = |path: String| format!("'{}'", path.replace('\'', "'\\''"));
    paths.iter().take(NAMED_MAX).map(from_here).map(quote).collect::<Vec<_>>().join(" ")
}

/// A path of the project, as it is typed in a folder of it; from anywhere else it is told from the project's top.
pub fn from_here(project: &Utf8Path, path: &str) -> String {
    let here = std::env::current_dir().ok().and_then(|here| Utf8PathBuf::from_path_buf(here).ok());
    let below = here.as_deref().and_then(|here| here.strip_prefix(project).ok());
    relative(below.unwrap_or(Utf8Path::new("")), Utf8Path::new(path))
}

fn relative(folder: &Utf8Path, path: &Utf8Path) -> String {
    let common = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(common).map(|_| "..");
    up.chain(path.components().skip(common).map(|part| part.as_str())).collect::<Vec<_>>().join("/")
}
