//! Drives loops that this process holds: the one way for `run`, `resume`, `fork`, `land` and `demo`.
//!
//! Here one loop is driven once, and what its views say of it is left behind. `alone` goes on over pauses and shows the
//! last screen, `together` does so for several; `reach` and `pause` lead on from a pause, `terms` settle under which contract.

mod alone;
pub mod notify;
pub mod terms;
pub mod together;

use std::sync::Arc;

use gulf_engine::{LandingWord, PAUSED_EXIT_CODE, State};
use gulf_host::clock::Clock;
use gulf_host::home::Name;
use gulf_host::lock::Lock;
use gulf_runner::agreement::Agreement;
use gulf_runner::drive::{DriveOutcome, Driver};
use gulf_runner::folder::LoopPaths;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::Held;
use gulf_runner::stop::Stop;
use gulf_runner::{book, cleanup, landing};
use gulf_views::{CheckoutChange, History};

use crate::failure::{Failure, INTERRUPTED, Result};
use crate::out::say_note;
use crate::projections::Projections;
use crate::report::{self, ReportedLoop, worktree};
use crate::screen::{Screen, ScreenWorker, TellingStyle};
use crate::{ending, place, reviewing};
pub use alone::{ClosingOffer, DriveStyle, drive_and_show, go_on, go_on_with};

/// How it is driven.
#[derive(Clone, Copy, Debug)]
pub struct DriveOptions<'driving> {
    pub telling: TellingStyle,
    pub clock: &'driving Arc<Clock>,
    pub leave: &'driving Stop,
    /// Which of several it is; none where it is alone.
    pub worker: Option<&'driving ScreenWorker>,
    /// Events up to this one were shown before.
    pub seen: u64,
}

/// A loop that was driven until it ended, rested, or had to be left.
#[derive(Debug)]
pub struct DrivenLoop {
    pub left: DriveOutcome,
    pub screen: Screen,
    pub home: LoopPaths,
    /// The last event that was shown.
    pub seen: u64,
    pub agreement: Agreement,
    pub state: State,
    /// Whether a person may want to commit something.
    pub lies: CheckoutChange,
    /// Held for as long as it may go on.
    pub checkout: Option<Lock>,
}

/// Drives it, and writes its receipt and report where it is over. Where gulf itself cannot go on, its person is told.
pub fn drive(place: &PlaceOfWork, held: Held, driving: DriveOptions<'_>) -> Result<DrivenLoop> {
    let (agreement, home) = (held.resources.agreement.clone(), held.resources.folder.clone());
    drive_on(place, held, driving).map_err(Failure::under_way).inspect_err(|failure| {
        let (after, tries) = ((driving.leave, driving.clock), notify::ATTEMPTS_MAX);
        let told = notify::tell_of(&agreement, &home, after, tries, Some(failure));
        told.unwrap_or_else(|failure| vec![failure.in_one_line()]).iter().for_each(say_note);
    })
}

fn drive_on(place: &PlaceOfWork, held: Held, driving: DriveOptions<'_>) -> Result<DrivenLoop> {
    let Held { book, resources, checkout, notes } = held;
    let home = resources.folder.clone();
    let agreement = resources.agreement.clone();
    let earlier = book::read(home.root())?;
    let history = History::fold(&earlier);
    let facts = place::facts(&agreement, home.root());
    let projections = Projections::new(place, &home, Some(&agreement));
    let mut screen = Screen::new(driving.telling, facts, history, projections, driving.worker.cloned());
    notes.iter().for_each(|note| screen.say_before(note));
    screen.begin(&earlier, driving.seen);
    let clock = Arc::new(Clock::driving());
    let driver = Driver::new(book, resources, clock, &mut screen, driving.leave.clone())?;
    let returned = driver.drive();
    screen.close();
    let left = returned?.left;
    let events = book::read(home.root())?;
    let state = book::fold(&events).state;
    screen.facts.isolation = place::less_isolated(&agreement, home.root());
    place::add_end(&mut screen.facts, &home, &screen.history, &state);
    screen.facts.review = reviewing::review_facts(&agreement, home.root(), &screen.history, &state);
    screen.facts.changed_checks =
        reviewing::changed_checks(place, (&agreement, home.root()), &screen.history, &state);
    if let Some(landing) = &mut screen.facts.landing {
        landing.merge = landing::seen(&agreement, &home).merge;
    }
    ending::receipt(&home, &screen.facts, &screen.history, &state)?;
    let lies = worktree(&agreement, &home, &screen.history, &state);
    let (agreed, folder, facts, history) = (&agreement, &home, &screen.facts, &screen.history);
    let told = ReportedLoop { lies: &lies, agreement: agreed, folder, facts, history, state: &state };
    report::keep(place, &told);
    let seen = state.sequence;
    let checkout = Some(checkout);
    let mut driven = DrivenLoop { left, screen, home, seen, agreement, state, lies, checkout };
    if matches!(driven.left, DriveOutcome::Ended(_)) {
        driven.checkout = None;
        driven.put_away(place);
    }
    Ok(driven)
}

impl DrivenLoop {
    /// Once its work stands on the base branch, worktree and branch of its own are of no use to anybody.
    fn put_away(&mut self, place: &PlaceOfWork) {
        let Some(LandingWord::Landed { .. }) = self.state.landing() else { return };
        let person = place::person(&self.agreement);
        let is_apart = place::branch(&self.agreement).is_some_and(|branch| branch.worktree.is_some());
        let (true, Some(person)) = (is_apart, person) else { return };
        let put_away = PlaceOfWork::find(person, place.home.clone())
            .map_err(Failure::from)
            .and_then(|there| Ok(cleanup::put_away(&there, &name_of(&self.agreement)?)));
        self.lies = worktree(&self.agreement, &self.home, &self.screen.history, &self.state);
        let Some(branch) = &mut self.screen.facts.branch else { return };
        match put_away {
            Ok(None) => {}
            Ok(Some(Ok(()))) => branch.worktree = None,
            Ok(Some(Err(why))) => branch.kept = Some(why),
            Err(failure) => branch.kept = Some(failure.in_one_line()),
        }
    }
}

fn name_of(agreement: &Agreement) -> Result<Name> {
    Name::parse(agreement.loop_id.as_str()).map_err(Failure::broken)
}

/// What a command that drove it exits with.
pub fn exit_code(left: &DriveOutcome) -> u8 {
    match left {
        DriveOutcome::Ended(end) => end.exit_code(),
        DriveOutcome::Paused(_) => PAUSED_EXIT_CODE,
        // Where a session works, nothing is left to do here.
        DriveOutcome::HandedOver(_) => 0,
        DriveOutcome::Interrupted => INTERRUPTED,
    }
}
