//! Work of a loop that is over lands because a person says so: attested work that was to be verified, or work that
//! nobody had meant to land.
//!
//! No driver runs and the loop stays as it ended: the person's word and what came of it are the only facts that
//! follow an end.

use gulf_engine::{Act, Candidate, EffectKey, EffectKind, Fact, LandingWord, Refusal};
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::git::{BranchName, CommitId, Holders, InTheWay, Return, Returned, TreeId};
use gulf_host::lock::{Lock, LockError};
use gulf_spec::own_texts::Writer;

use super::request::LandingIntent;
use crate::agreement::{Agreement, LandingPlace, LandingTerms, PushTerms, short};
use crate::book::Fold;
use crate::error::{Failure, RunError, in_full, of_the_world};
use crate::known::{KnownLoop, why_kept};
use crate::landing::LandingEffect;
use crate::place::PlaceOfWork;
use crate::readiness::tree_paths;
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

of_the_world!(LateError::Undone: RunError);

/// Waits until the finished work stands where it is wanted, or cannot; what came of it is journalled, and given with what a
/// person should know of the checkout that the loop worked in.
pub fn land_late(
    place: &PlaceOfWork,
    known: &KnownLoop,
    wish: &LandingIntent,
    stop: &Stop,
    clock: &Clock,
) -> Result<(LandingWord, Vec<String>), LateError> {
    let push = wish.terms.push.as_ref().map(PushTerms::name);
    let asked = Act::Land { by: wish.by.clone(), base: wish.terms.base.clone(), push };
    let (mut book, fact) = known.admit::<LateError>(asked)?;
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
        LandingWord::Landed { commit: landed, .. } => {
            LandedGround { resources: &resources, candidate, landed }.leave(place)?
        }
        LandingWord::Refused { .. } | LandingWord::NotReady { .. } => Vec::new(),
    };
    Ok((word, notes))
}

// What is left to do once the work has landed: a checkout that the loop worked in goes back to the base branch.

/// The checkout of a loop whose candidate that commit holds.
struct LandedGround<'a> {
    resources: &'a Resources,
    candidate: &'a Candidate,
    landed: &'a CommitId,
}

fn stays(terms: &LandingTerms, why: &str) -> String {
    let (branch, base) = (short(&terms.branch), short(&terms.base));
    format!(
        "this checkout stays on {branch}: {why}. Commit there what you want to keep; then `git switch {base}` brings you \
         to what landed"
    )
}

/// Leaves the ground that the loop stood on, where its work has landed; says what a person should know of it.
pub(crate) fn leave_ground(resources: &Resources, fold: &Fold) -> Vec<String> {
    let (Some(landed), Some(candidate)) = (fold.state.landed_as(), fold.state.candidate()) else {
        return Vec::new();
    };
    LandedGround { resources, candidate, landed }.leave_alone()
}

impl LandedGround<'_> {
    /// Nobody else works in the loop's checkout any more, unless another loop has begun there.
    fn leave(&self, place: &PlaceOfWork) -> Result<Vec<String>, LateError> {
        let Agreement { project, loop_id, .. } = &self.resources.agreement;
        match Lock::try_acquire(&place.lock_of(project), loop_id.as_str().as_bytes()) {
            Ok(_nobody_else) => Ok(self.leave_alone()),
            Err(LockError::Held { .. }) => Ok(Vec::new()),
            Err(error @ LockError::Failed { .. }) => Err(RunError::from(error).into()),
        }
    }

    /// The same where this process holds the checkout.
    fn leave_alone(&self) -> Vec<String> {
        let in_place = |terms: &&LandingTerms| terms.place == LandingPlace::InPlace;
        let terms = self.resources.agreement.landing.as_ref().filter(in_place);
        let Some(terms) = terms else { return Vec::new() };
        match self.go_back(terms) {
            Ok(note) => note.into_iter().collect(),
            Err(error) => vec![stays(terms, &in_full(&error))],
        }
    }

    /// The person's checkout stands on the base branch again, and the loop's branch is gone where nothing is lost by it.
    fn go_back(&self, terms: &LandingTerms) -> Result<Option<String>, RunError> {
        // A remote's branch is nothing to stand on.
        let Ok(to) = BranchName::parse(&terms.base) else { return Ok(None) };
        let (from, repository) = (BranchName::parse(&terms.branch)?, &self.resources.repository);
        let Some(newest) = repository.read_branch(&from)? else { return Ok(None) };
        let work = self.work_in_files(&newest)?;
        let keeps = texts_of(Writer::Loop)?;
        let wanted = Return { from: &from, to: &to, landed: self.landed, work: &work, keeps: &keeps };
        let returned = repository.go_back(&wanted)?;
        crash::point("landing.back");
        let why = match returned {
            Returned::Back | Returned::Elsewhere => return self.remove_branch(&from, &newest),
            Returned::NotReady { reasons } => InTheWay::all(&reasons),
            Returned::Taken { at } => format!("{to} is checked out at {at}"),
            Returned::Left => format!("{to} no longer contains the work"),
        };
        Ok(Some(stays(terms, &why)))
    }

    /// What of the candidate lies in the files: the person's texts and private files are no part of it.
    fn work_in_files(&self, newest: &CommitId) -> Result<TreeId, RunError> {
        let Resources { agreement, repository, .. } = self.resources;
        let mut others = texts_of(Writer::Person)?;
        others.extend(tree_paths(&agreement.verification.environment.private_paths())?);
        Ok(repository.with_paths_of(&self.candidate.tree, &others, &repository.tree_of(newest)?)?)
    }

    fn remove_branch(&self, branch: &BranchName, newest: &CommitId) -> Result<Option<String>, RunError> {
        let deletion = self.resources.repository.delete_branch(branch, newest, Holders::Anything)?;
        crash::point("landing.branch-gone");
        Ok(why_kept(deletion).map(|why| format!("the branch {branch} stays: {why}")))
    }
}
