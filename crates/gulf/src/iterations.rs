//! Finds what a person means by `LOOP@7`: the loop, its iteration, and the tree that was left there.
//!
//! All commands that look back must find the same, and say the same where there is nothing.

use gulf_engine::{Base, Candidate};
use gulf_host::git::Repository;
use gulf_runner::book;
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::KnownLoop;
use gulf_spec::point::StepRange;
use gulf_spec::problem::Mistake;
use gulf_views::{History, Iteration};

use crate::failure::{Failure, Result};
use crate::place;

/// A loop whose iterations can be looked up.
pub struct RecordedLoop {
    pub place: PlaceOfWork,
    pub known: KnownLoop,
    pub history: History,
    /// Where it started.
    pub base: Candidate,
}

impl RecordedLoop {
    /// The loop that is named, or the one that is meant by whoever names none.
    pub fn find(id: Option<&str>) -> Result<Self> {
        let place = place::here()?;
        let known = place::meant(&place, id)?;
        Self::open(place, known)
    }

    pub fn open(place: PlaceOfWork, known: KnownLoop) -> Result<Self> {
        let history = History::fold(&book::read(known.home.root())?);
        // A contract that is amended keeps its base.
        let base = (&known.fold.state.contract().ok_or(RunError::NoContract)?.base).into();
        Ok(Self { place, history, base, known })
    }

    /// The repository, through the loop's own git directory.
    pub fn repository(&self) -> Result<Repository> {
        Ok(self.place.open(&self.known.home.git())?)
    }

    /// The iteration of this number, also where it left nothing yet; without a number the last one. None is the start.
    pub fn iteration(&self, number: Option<u32>) -> Result<Option<&Iteration>> {
        let mut all = self.history.iterations.iter().rev();
        let found = match number {
            Some(0) => return Ok(None),
            None => all.next(),
            Some(number) => all.find(|one| one.number == number),
        };
        found.map(Some).ok_or_else(|| self.no_such(number))
    }

    /// What was left there.
    pub fn candidate(&self, number: Option<u32>) -> Result<(u32, Candidate)> {
        let iteration =
            if number.is_none() { self.history.last_evaluated() } else { self.iteration(number)? };
        let Some(iteration) = iteration else { return Ok((0, self.base.clone())) };
        let candidate = iteration.candidate().ok_or_else(|| self.left_nothing(iteration))?;
        Ok((iteration.number, candidate.clone()))
    }

    /// The newest tree that was left before an iteration; the start where there is none.
    pub fn before(&self, iteration: u32) -> (u32, Candidate) {
        let earlier = self.history.iterations.iter().rev().filter(|one| one.number < iteration);
        let mut left = earlier.filter_map(|one| Some((one.number, one.candidate()?.clone())));
        left.next().unwrap_or_else(|| (0, self.base.clone()))
    }

    /// What an iteration was compared with: the start, or the newest commit of the base branch that it held.
    pub fn compared_with(&self, iteration: u32) -> Base {
        let until = self.history.iterations.iter().rev().filter(|one| one.number <= iteration);
        let mut moved = until.filter_map(|one| one.snapshot.as_ref()?.base.clone());
        let Candidate { commit, tree } = self.base.clone();
        moved.next().unwrap_or(Base { commit, tree })
    }

    /// What a span begins and ends with.
    pub fn ends(&self, steps: StepRange) -> Result<(Candidate, Candidate)> {
        let at = |number| Ok::<_, Failure>(self.candidate(Some(number))?.1);
        Ok(match steps {
            StepRange::All => (self.base.clone(), self.candidate(None)?.1),
            StepRange::Of(0) => {
                let what = format!("nothing lies before the start of {}", self.known.handle());
                let hint = "iteration 1 is the first that can have changed something: LOOP@1";
                return Err(Failure::usage(what, hint));
            }
            StepRange::Of(number) => (self.before(number).1, at(number)?),
            StepRange::Between { from, to } => (at(from)?, at(to)?),
        })
    }

    fn no_such(&self, number: Option<u32>) -> Failure {
        let name = self.known.handle();
        let (Some(first), Some(last)) = (self.history.iterations.first(), self.history.iterations.last())
        else {
            let what = format!("no iteration of {name} has begun yet");
            return Failure::usage(what, format!("`gulf show {name}@0` is where it starts"));
        };
        let number = number.unwrap_or_default();
        if number < first.number {
            let what = format!("iteration {number} of {name} was over before gulf took it over");
            return Failure::usage(what, format!("{name}@{} is the first one", first.number));
        }
        let what = format!("there is no iteration {number} in {name}: its last one is {}", last.number);
        Failure::usage(what, format!("`gulf show {name}@{}`", last.number))
    }

    fn left_nothing(&self, iteration: &Iteration) -> Failure {
        let (number, _) = self.before(iteration.number);
        let what = format!("iteration {} of {} has left no tree yet", iteration.number, self.known.handle());
        Failure::usage(what, format!("{}@{number} is the last one before it that did", self.known.handle()))
    }
}

impl From<Mistake> for Failure {
    fn from(error: Mistake) -> Self {
        Self::refused(&error)
    }
}
