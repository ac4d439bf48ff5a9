//! Finds what a person means by `LOOP@7`: the loop, its iteration, and the tree that was left there.
//!
//! All commands that look back must find the same, and say the same where there is nothing.

use gulf_engine::{Base, Candidate, Event, Fact};
use gulf_host::git::Repository;
use gulf_runner::book;
use gulf_runner::folder::LoopPaths;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::KnownLoop;
use gulf_spec::point::{Point, PointError, PointSpan, StepRange};
use gulf_views::{History, Iteration};

use crate::failure::Failure;
use crate::place;

/// A loop whose iterations can be looked up.
pub struct RecordedLoop {
    pub place: PlaceOfWork,
    pub known: KnownLoop,
    pub history: History,
    /// Where it started.
    pub base: Candidate,
}

/// A moment of a loop.
#[derive(Clone, Copy, Debug)]
pub enum LoopMoment<'history> {
    Start,
    After(&'history Iteration),
}

/// The two ends of a difference.
#[derive(Clone, Debug)]
pub struct Ends {
    pub from: Candidate,
    pub to: Candidate,
}

impl RecordedLoop {
    /// The loop that is named, or the one that is meant by whoever names none.
    pub fn find(id: Option<&str>) -> Result<Self, Failure> {
        let place = place::here()?;
        let known = place::meant(&place, id)?;
        Self::open(place, known)
    }

    pub fn open(place: PlaceOfWork, known: KnownLoop) -> Result<Self, Failure> {
        let events = book::read(known.home.root())?;
        let Some(Base { commit, tree }) = base(&events) else {
            return Err(gulf_runner::error::RunError::NoContract.into());
        };
        let base = Candidate { commit, tree };
        Ok(Self { place, history: History::fold(&events), base, known })
    }

    /// What people call it.
    pub fn handle(&self) -> String {
        self.known.handle()
    }

    pub fn folder(&self) -> LoopPaths {
        self.known.home.clone()
    }

    /// The repository, through the loop's own git directory.
    pub fn repository(&self) -> Result<Repository, Failure> {
        Ok(self.place.open(&self.folder().git())?)
    }

    /// The iteration of this number, also where it left nothing yet; without a number the last one.
    pub fn moment(&self, number: Option<u32>) -> Result<LoopMoment<'_>, Failure> {
        let found = match number {
            Some(0) => return Ok(LoopMoment::Start),
            None => self.history.iterations().last(),
            Some(number) => self.iteration(number),
        };
        found.map(LoopMoment::After).ok_or_else(|| self.no_such(number))
    }

    /// What was left there.
    pub fn candidate(&self, number: Option<u32>) -> Result<(u32, Candidate), Failure> {
        let last = || self.history.last_evaluated().map_or(LoopMoment::Start, LoopMoment::After);
        match if number.is_none() { last() } else { self.moment(number)? } {
            LoopMoment::Start => Ok((0, self.base.clone())),
            LoopMoment::After(iteration) => match iteration.candidate() {
                Some(candidate) => Ok((iteration.number, candidate.clone())),
                None => Err(self.left_nothing(iteration)),
            },
        }
    }

    /// The newest tree that was left before an iteration; the start where there is none.
    pub fn before(&self, iteration: u32) -> (u32, Candidate) {
        let earlier = self.history.iterations().iter().rev().filter(|one| one.number < iteration);
        let mut left = earlier.filter_map(|one| Some((one.number, one.candidate()?.clone())));
        left.next().unwrap_or_else(|| (0, self.base.clone()))
    }

    /// What an iteration was compared with: the start, or the newest commit of the base branch that it held.
    pub fn compared_with(&self, iteration: u32) -> Base {
        let until = self.history.iterations().iter().rev().filter(|one| one.number <= iteration);
        let mut moved = until.filter_map(|one| one.snapshot.as_ref()?.base.clone());
        let Candidate { commit, tree } = self.base.clone();
        moved.next().unwrap_or(Base { commit, tree })
    }

    /// What a span begins and ends with.
    pub fn ends(&self, steps: StepRange) -> Result<Ends, Failure> {
        let at = |number| Ok::<_, Failure>(self.candidate(Some(number))?.1);
        Ok(match steps {
            StepRange::All => Ends { from: self.base.clone(), to: self.candidate(None)?.1 },
            StepRange::Of(0) => {
                return Err(Failure::usage(
                    format!("nothing lies before the start of {}", self.handle()),
                    "iteration 1 is the first that can have changed something: LOOP@1",
                ));
            }
            StepRange::Of(number) => Ends { to: at(number)?, from: self.before(number).1 },
            StepRange::Between { from, to } => Ends { from: at(from)?, to: at(to)? },
        })
    }

    fn iteration(&self, number: u32) -> Option<&Iteration> {
        self.history.iterations().iter().rev().find(|one| one.number == number)
    }

    fn no_such(&self, number: Option<u32>) -> Failure {
        let name = self.handle();
        let (Some(first), Some(last)) = (self.history.iterations().first(), self.history.iterations().last())
        else {
            let what = format!("no iteration of {name} has begun yet");
            return Failure::usage(what, format!("`gulf show {name}@0` is where it starts"));
        };
        let number = number.unwrap_or_default();
        if number < first.number {
            let what = format!("iteration {number} of {name} was over before gulf took it over");
            return Failure::usage(what, format!("{name}@{} is the first one", first.number));
        }
        Failure::usage(
            format!("there is no iteration {number} in {name}: its last one is {}", last.number),
            format!("`gulf show {name}@{}`", last.number),
        )
    }

    fn left_nothing(&self, iteration: &Iteration) -> Failure {
        let (number, _) = self.before(iteration.number);
        Failure::usage(
            format!("iteration {} of {} has left no tree yet", iteration.number, self.handle()),
            format!("{}@{number} is the last one before it that did", self.handle()),
        )
    }
}

/// What a person typed for one iteration.
pub fn point(text: Option<&str>) -> Result<Point, Failure> {
    Point::parse(text).map_err(|error| unclear(&error))
}

/// What a person typed for the way between two.
pub fn span(text: Option<&str>) -> Result<PointSpan, Failure> {
    PointSpan::parse(text).map_err(|error| unclear(&error))
}

fn unclear(error: &PointError) -> Failure {
    Failure::refused(error)
}

/// As it was sealed at the start: what is agreed on later moves no start.
fn base(events: &[Event]) -> Option<Base> {
    events.iter().find_map(|event| {
        let Fact::Sealed { contract } = &event.fact else { return None };
        Some(contract.base.clone())
    })
}
