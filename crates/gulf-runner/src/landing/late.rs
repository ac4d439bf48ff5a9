//! Work of a loop that is over lands because a person says so: attested work that was to be verified, or work that
//! nobody had meant to land.
//!
//! No driver runs and the loop stays as it ended: the person's word and what came of it are the only facts that
//! follow an end.

use gulf_engine::{Act, Candidate, EffectKey, EffectKind, Fact, LandingWord, Refusal, admit};
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::git::{BranchName, CommitId, Deletion, Holders, InTheWay, Return, Returned, TreeId, TreePath};
use gulf_host::lock::{Lock, LockError};
use gulf_spec::own_texts::Writer;

use super::request::LandingIntent;
use crate::agreement::{Agreement, LandingPlace, LandingTerms, PushTerms, short};
use crate::book::{Book, Fold};
use crate::claims::RequestFile;
use crate::error::{Failure, RunError, in_full};
use crate::known::KnownLoop;
use crate::landing::LandingEffect;
use crate::place::PlaceOfWork;
use crate::resources::Resources;
use crate::snapshot::texts_of;
use crate::stop::Stop;

/// Why nothing can be said of a landing.
#[derive(Debug, thiserror::Error)]
pub enum LateError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Undone(#[from] Failure),
}

impl From<RunError> for LateError {
    fn from(error: RunError) -> Self {
        Self::Undone(Failure::World(error))
    }
}

/// Waits until the finished work stands where it is wanted, or cannot; what came of it is journalled, and given with what a
/// person should know of the checkout that the loop worked in.
pub fn land_late(
    place: &PlaceOfWork,
    known: &KnownLoop,
    wish: &LandingIntent,
    stop: &Stop,
    clock: &Clock,
) -> Result<(LandingWord, Vec<String>), LateError> {
    let (mut book, _) = Book::open(known.home.root())?;
    let asked = Act::Land {
        by: wish.by.clone(),
        base: wish.terms.base.clone(),
        push: wish.terms.push.as_ref().map(PushTerms::name),
    };
    let fact = admit(book.state(), RequestFile::by_this_process(asked).request())?;
    book.add(vec![fact], clock.wall_ms())?;
    gulf_host::crash::point("landing.wished");
    let agreement = Agreement { landing: Some(wish.terms.clone()), ..known.agreement()? };
    let repository = place.open(&known.home.git())?;
    let resources = Resources::open(place.home.root(), agreement, known.home.clone(), repository)?;
    let fold = book.fold().clone();
    let candidate = fold.state.finished_work().ok_or(Refusal::NothingToLand)?;
    let unit = &fold.state.unit;
    let key =
        EffectKey { unit: unit.id, iteration: unit.iteration, attempt: unit.attempt, work: EffectKind::Land };
    let landing =
        LandingEffect { resources: &resources, key: &key, fold: &fold, stop, candidate, wish: Some(wish) };
    let word = landing.bring_home()?;
    gulf_host::crash::point("landing.came");
    book.add(vec![Fact::LandingTold { word: word.clone() }], clock.wall_ms())?;
    let notes = match &word {
        LandingWord::Landed { commit, .. } => leave(place, &resources, candidate, commit)?,
        LandingWord::Refused { .. } | LandingWord::NotReady { .. } => Vec::new(),
    };
    Ok((word, notes))
}

/// Nobody else works in the loop's checkout any more, unless another loop has begun there.
fn leave(
    place: &PlaceOfWork,
    resources: &Resources,
    candidate: &Candidate,
    landed: &CommitId,
) -> Result<Vec<String>, LateError> {
    let lock = place.lock_of(&resources.agreement.project);
    match Lock::try_acquire(&lock, resources.agreement.loop_id.as_str().as_bytes()) {
        Ok(_nobody_else) => Ok(leave_ground_of(resources, candidate, landed)),
        Err(LockError::Held { .. }) => Ok(Vec::new()),
        Err(error @ LockError::Failed { .. }) => Err(RunError::from(error).into()),
    }
}

// What is left to do once the work has landed: a checkout that the loop worked in goes back to the base branch.

fn stays(terms: &LandingTerms, why: &str) -> String {
    let (branch, base) = (short(&terms.branch), short(&terms.base));
    format!(
        "this checkout stays on {branch}: {why}. Commit there what you want to keep; then `git switch {base}` brings you \
         to what landed"
    )
}

/// Leaves the ground that the loop stood on, where its work has landed; says what a person should know of it.
pub(crate) fn leave_ground(resources: &Resources, fold: &Fold) -> Vec<String> {
    let Some(LandingWord::Landed { commit, .. }) = fold.state.landing() else { return Vec::new() };
    fold.state.candidate().map(|candidate| leave_ground_of(resources, candidate, commit)).unwrap_or_default()
}

/// The same for this candidate, which that commit holds.
pub(crate) fn leave_ground_of(
    resources: &Resources,
    candidate: &Candidate,
    commit: &CommitId,
) -> Vec<String> {
    let in_place = |terms: &&LandingTerms| terms.place == LandingPlace::InPlace;
    let Some(terms) = resources.agreement.landing.as_ref().filter(in_place) else { return Vec::new() };
    match go_back(resources, terms, candidate, commit) {
        Ok(note) => note.into_iter().collect(),
        Err(error) => vec![stays(terms, &in_full(&error))],
    }
}

/// The person's checkout stands on the base branch again, and the loop's branch is gone where nothing is lost by it.
fn go_back(
    resources: &Resources,
    terms: &LandingTerms,
    candidate: &Candidate,
    landed: &CommitId,
) -> Result<Option<String>, RunError> {
    // A remote's branch is nothing to stand on.
    let Ok(to) = BranchName::parse(&terms.base) else { return Ok(None) };
    let from = BranchName::parse(&terms.branch)?;
    let Some(newest) = resources.repository.read_branch(&from)? else { return Ok(None) };
    let work = work_in_files(resources, candidate, &newest)?;
    let keeps = texts_of(Writer::Loop)?;
    let wanted = Return { from: &from, to: &to, landed, work: &work, keeps: &keeps };
    let returned = resources.repository.go_back(&wanted)?;
    crash::point("landing.back");
    let why = match returned {
        Returned::Back | Returned::Elsewhere => return remove_branch(resources, &from, &newest),
        Returned::NotReady { reasons } => InTheWay::all(&reasons),
        Returned::Taken { at } => format!("{to} is checked out at {at}"),
        Returned::Left => format!("{to} no longer contains the work"),
    };
    Ok(Some(stays(terms, &why)))
}

/// What of the candidate lies in the files: the person's texts and private files are no part of it.
fn work_in_files(
    resources: &Resources,
    candidate: &Candidate,
    newest: &CommitId,
) -> Result<TreeId, RunError> {
    let mut others = texts_of(Writer::Person)?;
    for path in resources.agreement.verification.environment.private_paths() {
        others.push(TreePath::try_from(path.as_str())?);
    }
    let committed = resources.repository.tree_of(newest)?;
    Ok(resources.repository.with_paths_of(&candidate.tree, &others, &committed)?)
}

fn remove_branch(
    resources: &Resources,
    branch: &BranchName,
    newest: &CommitId,
) -> Result<Option<String>, RunError> {
    let deletion = resources.repository.delete_branch(branch, newest, Holders::Anything)?;
    crash::point("landing.branch-gone");
    Ok(match deletion {
        Deletion::Deleted | Deletion::Absent => None,
        Deletion::Moved { .. } => Some(format!("the branch {branch} stays: it has moved in the meantime")),
        Deletion::Unreachable { commit } => {
            Some(format!("the branch {branch} stays: no other contains its commit {commit}"))
        }
        Deletion::CheckedOut { at } => Some(format!("the branch {branch} stays: it is checked out at {at}")),
    })
}
