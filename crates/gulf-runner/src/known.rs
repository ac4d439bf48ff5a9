//! The loops of a repository as their journals tell them, whoever drives them.

use camino::Utf8Path;
use gulf_engine::{Act, Fact, Refusal, Stage, admit};
use gulf_host::git::{CommitId, Deletion};
use gulf_host::home::Name;
use gulf_spec::handle;

use crate::agreement::{Agreement, goal_digest};
use crate::book::{self, Book, Fold};
use crate::claims::RequestFile;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::place::PlaceOfWork;

/// A loop as its journal tells, whoever drives it.
#[derive(Clone, Debug)]
pub struct KnownLoop {
    pub name: Name,
    pub home: LoopPaths,
    pub fold: Fold,
}

/// What is kept about a repository.
#[derive(Debug, Default)]
pub struct Loops {
    pub known: Vec<KnownLoop>,
    pub damaged: Vec<Damaged>,
}

/// A loop whose journal cannot be read: never resumed, never deleted (SPEC L7).
#[derive(Debug)]
pub struct Damaged {
    pub name: Name,
    pub error: RunError,
}

/// The loops of this repository, the oldest first. One that cannot be read does not hide the others.
pub fn loops(place: &PlaceOfWork) -> Result<Loops, RunError> {
    let mut loops = Loops::default();
    for name in place.repository.loop_names()? {
        let home = place.loop_home(&name);
        if !home.journal().is_file() {
            // A start that came to nothing.
            continue;
        }
        match KnownLoop::read(name.clone(), home) {
            Ok(known) => loops.known.push(known),
            Err(error) => loops.damaged.push(Damaged { name, error }),
        }
    }
    // A name tells the minute only: of those that began in one, the goal would decide.
    loops.known.sort_by_key(|one| one.fold.started_at_ms);
    Ok(loops)
}

impl KnownLoop {
    /// The loop in this folder.
    pub fn read(name: Name, home: LoopPaths) -> Result<Self, RunError> {
        Ok(Self { fold: book::fold(&book::read(home.root())?), name, home })
    }

    /// What people call it.
    pub fn handle(&self) -> String {
        handle(self.home.root())
    }

    /// Is there something to go on with?
    pub fn is_unfinished(&self) -> bool {
        !matches!(&self.fold.state.stage, Stage::Unsealed | Stage::Ended(_))
    }

    /// Does it work in this checkout? One whose contract cannot be read may: it is not passed over in silence.
    pub fn works_in(&self, project: &Utf8Path) -> bool {
        self.agreement().map_or(true, |agreement| agreement.project == project)
    }

    /// Was it started in this checkout, or does it work there?
    pub fn is_of(&self, project: &Utf8Path) -> bool {
        self.agreement().map_or(true, |agreement| {
            agreement.project == project
                || agreement.branching.is_some_and(|branching| branching.checkout == project)
        })
    }

    /// Its journal, held by this process, and the fact that this act of this process becomes in it.
    pub(crate) fn admit<E: From<RunError> + From<Refusal>>(&self, act: Act) -> Result<(Book, Fact), E> {
        let (book, _) = Book::open(self.home.root())?;
        let fact = admit(book.state(), RequestFile::by_this_process(act).request())?;
        Ok((book, fact))
    }

    /// What was sealed.
    pub fn agreement(&self) -> Result<Agreement, RunError> {
        Agreement::open(&self.home, &self.fold.state.contract().ok_or(RunError::NoContract)?.digest)
    }
}

/// The unfinished loop with this goal, if there is one.
pub fn same_goal<'known>(known: &'known [KnownLoop], goal: &str) -> Option<&'known KnownLoop> {
    let digest = goal_digest(goal);
    known.iter().rev().find(|one| one.fold.state.contract().is_some_and(|contract| contract.goal == digest))
}

/// The last loop with this goal in this checkout, where what it left neither landed nor was discarded.
pub(crate) fn left_here(place: &PlaceOfWork, goal: &str) -> Result<Option<KnownLoop>, RunError> {
    let mut known = loops(place)?.known;
    known.retain(|one| one.works_in(&place.project));
    let lies_here =
        |last: &&KnownLoop| !last.fold.state.is_discarded && last.fold.state.landed_as().is_none();
    Ok(same_goal(&known, goal).filter(lies_here).cloned())
}

// What people call a loop: its handle among those of its repository, which lie beside it.

/// The handle of the loop in this folder.
pub fn handle(folder: &Utf8Path) -> String {
    handle::handle(folder.file_name().unwrap_or_default(), beside(folder).iter().map(String::as_str))
}

/// Does its repository have no other loop, so that a command means this one without a name?
pub fn is_alone(folder: &Utf8Path) -> bool {
    beside(folder).iter().all(|name| Some(name.as_str()) == folder.file_name())
}

/// Is every other loop of its repository over, and was it so before this one? Then this one is meant without a name, too.
pub fn is_foremost(folder: &Utf8Path) -> bool {
    let Some(loops) = folder.parent() else { return false };
    let ended_ms = |name: &str| book::ended_at_ms(&loops.join(name));
    let own = folder.file_name().unwrap_or_default();
    let own_ended_ms = ended_ms(own).unwrap_or(u64::MAX);
    let others = beside(folder).into_iter().filter(|name| name != own);
    others.into_iter().all(|name| ended_ms(&name).is_some_and(|ended_ms| ended_ms < own_ended_ms))
}

/// How a worktree of this branch comes back.
pub(crate) fn restoring(path: &Utf8Path, branch: &str) -> String {
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    format!("restore it: `git worktree prune && git worktree add '{path}' {branch}`; or start a new one")
}

/// What keeps a branch that was to be deleted.
pub(crate) fn why_kept(deletion: Deletion) -> Option<String> {
    match deletion {
        Deletion::Deleted | Deletion::Absent => None,
        Deletion::Moved { now } => Some(format!("it moved meanwhile, to {:.7}", now.as_str())),
        Deletion::Unreachable { commit } => Some(held_by_nothing(&commit)),
        Deletion::CheckedOut { at } => Some(format!("it is checked out in {at}")),
    }
}

pub(crate) fn held_by_nothing(commit: &CommitId) -> String {
    format!("nothing else holds commit {:.7}", commit.as_str())
}

/// The names of the loops that lie beside this one, itself included. What cannot be listed clashes with nothing.
fn beside(folder: &Utf8Path) -> Vec<String> {
    let entries = folder.parent().and_then(|loops| loops.read_dir_utf8().ok());
    let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name().to_owned());
    names.filter(|name| Name::parse(name).is_ok()).collect()
}
