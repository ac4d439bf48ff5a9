//! Work of a loop that is over lands because a person says so: attested work that was to be verified, or work that
//! nobody had meant to land.
//!
//! It stands apart because no driver runs and the loop stays as it ended: the person's word and what came of it are the
//! only facts that follow an end.

use gulf_engine::{Act, Candidate, CommitId, EffectKey, Fact, LandingWord, Refusal, Work, admit};
use gulf_host::clock::Clock;
use gulf_host::lock::{Lock, LockError};

use super::Bringing;
use super::order::LandingIntent;
use crate::agreement::{Agreement, PushTerms};
use crate::book::Book;
use crate::claims::RequestFile;
use crate::error::{Failure, RunError};
use crate::known::Known;
use crate::place::PlaceOfWork;
use crate::stop::Stop;
use crate::workshop::Workshop;

/// Why nothing can be said of a landing.
#[derive(Debug, thiserror::Error)]
pub enum LateError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Undone(#[from] Failure),
}

/// What came of it.
#[derive(Debug)]
pub struct Late {
    pub word: LandingWord,
    /// What a person should know of the checkout that the loop worked in.
    pub notes: Vec<String>,
}

impl From<RunError> for LateError {
    fn from(error: RunError) -> Self {
        Self::Undone(Failure::World(error))
    }
}

/// Waits until the finished work stands where it is wanted, or cannot; what came of it is journalled.
pub fn land_late(
    place: &PlaceOfWork,
    known: &Known,
    wish: &LandingIntent,
    stop: &Stop,
    clock: &Clock,
) -> Result<Late, LateError> {
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
    let workshop = Workshop::open(place.home.root(), agreement, known.home.clone(), repository)?;
    let fold = book.fold().clone();
    let candidate = fold.state.finished_work().ok_or(Refusal::NothingToLand)?;
    let unit = fold.state.unit();
    let key = EffectKey { unit: unit.id, iteration: unit.iteration, attempt: unit.attempt, work: Work::Land };
    let word =
        workshop.bring_home(&Bringing { key: &key, fold: &fold, candidate, wish: Some(wish) }, stop)?;
    gulf_host::crash::point("landing.came");
    book.add(vec![Fact::LandingTold { word: word.clone() }], clock.wall_ms())?;
    let notes = match &word {
        LandingWord::Landed { commit, .. } => leave(place, &workshop, candidate, commit)?,
        LandingWord::Refused { .. } | LandingWord::NotReady { .. } => Vec::new(),
    };
    Ok(Late { word, notes })
}

/// Nobody else works in the loop's checkout any more, unless another loop has begun there.
fn leave(
    place: &PlaceOfWork,
    workshop: &Workshop,
    candidate: &Candidate,
    landed: &CommitId,
) -> Result<Vec<String>, LateError> {
    let lock = place.lock_of(&workshop.agreement.project);
    match Lock::try_acquire(&lock, workshop.agreement.loop_id.as_str().as_bytes()) {
        Ok(_nobody_else) => Ok(workshop.leave_ground_of(candidate, landed)),
        Err(LockError::Held { .. }) => Ok(Vec::new()),
        Err(error @ LockError::Failed { .. }) => Err(RunError::from(error).into()),
    }
}
