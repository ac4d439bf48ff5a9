//! Drives a loop that this process holds, and leaves behind what its views say of it.
//!
//! It stands apart from the commands because one loop and one of many are driven in the same way.

use std::sync::Arc;

use gulf_engine::{PAUSED_EXIT_CODE, State};
use gulf_host::clock::SystemClock;
use gulf_host::lock::Lock;
use gulf_runner::agreement::Agreement;
use gulf_runner::book;
use gulf_runner::drive::{Driver, Leave, Left};
use gulf_runner::folder::Folder;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::Held;
use gulf_views::History;

use super::{ending, report};
use crate::failure::Failure;
use crate::place;
use crate::screen::{Screen, Telling, Worker};

/// The exit code of a driver that was told to leave.
pub const INTERRUPTED: u8 = 130;

/// How it is driven.
#[derive(Clone, Copy, Debug)]
pub struct Driving<'driving> {
    pub telling: Telling,
    pub clock: &'driving Arc<SystemClock>,
    pub leave: &'driving Leave,
    /// Which of several it is; none where it is alone.
    pub worker: Option<&'driving Worker>,
}

/// A loop that was driven until it ended, rested, or had to be left.
#[derive(Debug)]
pub struct Driven {
    pub left: Left,
    pub screen: Screen,
    pub agreement: Agreement,
    pub folder: Folder,
    pub state: State,
    pub checkout: Lock,
}

/// Drives it, and writes its receipt and report where it is over.
pub fn drive(place: &PlaceOfWork, held: Held, driving: Driving<'_>) -> Result<Driven, Failure> {
    let Held { book, home, workshop, checkout, notes } = held;
    let folder = Folder::new(home.root());
    let agreement = workshop.agreement.clone();
    let earlier = book::read(home.root())?;
    let history = History::of(&earlier);
    let facts = place::facts(&agreement, home.root());
    let mut screen = Screen::new(driving.telling, facts, history, folder.clone(), place);
    if let Some(worker) = driving.worker {
        screen = screen.of_worker(worker.clone());
    }
    for note in &notes {
        screen.say_before(note);
    }
    screen.begin(&earlier);
    let clock = driving.clock.clone();
    let driver = Driver::new(book, home.clone(), workshop, clock, &mut screen, driving.leave.clone())?;
    let left = driver.drive();
    screen.close();
    let left = left?;
    let events = book::read(home.root())?;
    let state = book::fold(&events).state;
    ending::receipt(&folder, screen.facts(), screen.history(), &state)?;
    let told = report::Told {
        agreement: &agreement,
        folder: &folder,
        facts: screen.facts(),
        history: screen.history(),
        state: &state,
    };
    report::keep(place, &told);
    Ok(Driven { left, screen, agreement, folder, state, checkout })
}

/// What a command that drove it exits with.
pub fn exit_code(left: &Left) -> u8 {
    match left {
        Left::Ended(end) => end.exit_code(),
        Left::Paused(_) => PAUSED_EXIT_CODE,
        // Where a session works, nothing is left to do here.
        Left::HandedOver(_) => 0,
        Left::Interrupted => INTERRUPTED,
    }
}
