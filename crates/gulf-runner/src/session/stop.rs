//! A session's stop: its turn is over, the gates are asked, and the session rests or is sent on (SPEC G3).
//!
//! Here the world comes in: a stop that is delivered twice, a marker that was edited, a turn of which nobody knew.
//! What follows from it is the engine's to say.

use std::sync::Arc;
use std::time::Duration;

use camino::Utf8PathBuf;
use gulf_agents::sessions::{BlockCap, HookEvent, Host};
use gulf_engine::{Event, Fact, Stage, Worker};
use gulf_host::clock::Clock;
use gulf_host::digest::Digest;

use super::armed::{self, Answered, Seat};
use super::ingest::{record_turn, take_edits, undone, waits};
use super::marker::{self, MARKER};
use super::turn;
use crate::agreement::Agreement;
use crate::book::{Book, Fold, Stamp};
use crate::drive::{DriveOutcome, Driver, ReturnedDriver};
use crate::error::RunError;
use crate::handing_on::unwritten_page;
use crate::observer::Unobserved;
use crate::start::{Held, StartError};
use crate::stop::Stop;

/// A stop that comes again is the same one for so long.
const AGAIN_MS_MAX: u64 = 60_000;
/// So long a session's file is looked at, to tell a stop that comes again from one like it.
const GROWTH_MAX: Duration = Duration::from_millis(500);

/// A stop as the session's host told it.
#[derive(Clone, Debug)]
pub struct Stopped {
    pub event: HookEvent,
    /// Its last words, where the host tells them.
    pub message: Option<String>,
    /// A hook has kept this turn going before.
    pub continuing: bool,
    pub transcript: Option<Utf8PathBuf>,
    /// What still runs in the background.
    pub background: Vec<String>,
    pub cap: Option<BlockCap>,
    /// When this process was called.
    pub came_at_ms: u64,
}

/// By what a stop is known again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occasion {
    pub occasion: String,
    pub message: String,
}

/// What became of a stop.
#[derive(Debug)]
pub enum Outcome {
    /// It is no stop of this loop's session.
    NotOurs,
    /// It is the first stop of a session since another one took its loop over.
    Moved,
    /// It came twice, and was answered.
    Again(Answered),
    /// Its background work is waited for.
    Waits {
        tasks: Vec<String>,
        /// Did the session claim while something of it still runs?
        is_claimed: bool,
    },
    Driven(Box<DrivenSession>),
}

/// How the loop was left, and what the session is to be told.
#[derive(Debug)]
pub struct DrivenSession {
    pub left: DriveOutcome,
    /// For the model, of the turn that the session has next.
    pub news: Option<String>,
    pub agreement: Agreement,
    pub fold: Fold,
    /// All that happened.
    pub events: Vec<Event>,
    /// For the person.
    pub notes: Vec<String>,
}

/// What a command of a session works with.
#[derive(Debug)]
pub struct Means {
    pub clock: Arc<Clock>,
    pub leave: Stop,
}

impl Stopped {
    /// None where the host does not tell one stop from another.
    pub fn occasion(&self) -> Option<Occasion> {
        self.event.session.as_ref()?;
        let occasion = self.event.occasion.clone()?;
        let message = Digest::of_bytes(self.message.as_deref().unwrap_or_default().as_bytes()).to_string();
        Some(Occasion { occasion, message })
    }

    /// How long the session's file is by now.
    pub fn file_bytes(&self) -> u64 {
        self.transcript.as_ref().map_or(0, |path| turn::length(path))
    }

    /// Was this very stop answered already?
    fn was_answered(&self, last: &Answered) -> bool {
        let same = |one: Occasion| one.occasion == last.occasion && one.message == last.message;
        if !self.occasion().is_some_and(same) {
            return false;
        }
        // Called before the other one had its answer: both were called for one stop.
        // Copilot CLI counts each stop, so there the same is the same.
        if self.came_at_ms <= last.at_ms || self.event.host == Host::Copilot {
            return true;
        }
        let is_recent = self.came_at_ms - last.at_ms < AGAIN_MS_MAX;
        // A session that was sent on leaves words in its file before it stops again.
        let grew = self.transcript.as_ref().is_some_and(|path| {
            path.parent().is_some_and(camino::Utf8Path::is_dir)
                && turn::grows(path, last.file_bytes, GROWTH_MAX)
        });
        is_recent && !grew
    }
}

/// Takes in a session's stop, and drives the loop until the session has the next turn or is let go.
pub fn stop(seat: &mut Seat, stopped: &Stopped, means: Means) -> Result<Outcome, StartError> {
    let bound = seat.armed.session.clone();
    if bound.is_some() && bound != stopped.event.session {
        if seat.armed.moved_from.is_some() && seat.armed.moved_from == stopped.event.session {
            seat.armed.moved_from = None;
            seat.save()?;
            return Ok(Outcome::Moved);
        }
        return Ok(Outcome::NotOurs);
    }
    if let Some(last) = seat.armed.last.as_ref().filter(|last| stopped.was_answered(last)) {
        return Ok(Outcome::Again(last.clone()));
    }
    let mut held = seat.hold()?;
    if !works_here(&held) {
        // It is over, or somebody else's.
        super::start::let_go(&seat.place()?)?;
        return Ok(Outcome::NotOurs);
    }
    let now = Now::read(&held.book, &means.clock);
    bind(seat, &mut held, stopped, now)?;
    if let Stage::Paused(reason, _) = &held.book.state().stage {
        let left = DriveOutcome::Paused(*reason);
        let notes = held.notes.iter().cloned().chain(undone(seat, &held)?).collect();
        let (fold, events, _) = held.book.into_parts();
        let agreement = held.resources.agreement;
        let driven = DrivenSession { left, news: None, agreement, fold, events, notes };
        return Ok(Outcome::Driven(Box::new(driven)));
    }
    if let Some(waits) = waits(seat, &held, stopped)? {
        return Ok(waits);
    }
    record_turn(seat, &mut held, stopped, now)?;
    if turn::is_promised(stopped.message.as_deref().unwrap_or_default(), &held.resources.agreement) {
        held.notes.extend(unwritten_page(&held.resources));
    }
    take_edits(&mut held, seat, now)?;
    drive(seat, held, means, now)
}

/// Drives a loop that is held until the session has the next turn, and leaves everything as the session finds it.
pub(super) fn drive(seat: &mut Seat, held: Held, means: Means, now: Now) -> Result<Outcome, StartError> {
    let Held { book, resources, checkout, mut notes } = held;
    // What happens meanwhile, nobody is shown: a hook answers once.
    let mut nobody = Unobserved;
    let driver = Driver::new(book, resources, means.clock, &mut nobody, means.leave)?;
    let ReturnedDriver { left, book, resources, notes: said } = driver.after(now.worked_ms).drive()?;
    notes.extend(said);
    let (fold, events, journal) = book.into_parts();
    let news = match &left {
        DriveOutcome::HandedOver(key) => Some(armed::hand(&resources, &fold, key)?),
        DriveOutcome::Ended(_) | DriveOutcome::Paused(_) | DriveOutcome::Interrupted => None,
    };
    // The journal and the checkout are held until the project shows how things stand.
    let driven = DrivenSession { left, news, agreement: resources.agreement.clone(), fold, events, notes };
    settle_seat(seat, &driven)?;
    drop((journal, checkout));
    Ok(Outcome::Driven(Box::new(driven)))
}

/// The marker, and what is kept of the session, as the loop was left.
fn settle_seat(seat: &mut Seat, driven: &DrivenSession) -> Result<(), RunError> {
    let project = seat.armed.project.clone();
    match &driven.left {
        DriveOutcome::Ended(_) => {
            marker::remove(&project);
            return Ok(());
        }
        DriveOutcome::Paused(_) => seat.armed.rested = true,
        DriveOutcome::HandedOver(key) => {
            seat.armed.handed = Some((key.iteration, key.attempt));
            seat.armed.blocks = seat.armed.blocks.saturating_add(1);
            seat.armed.waited = false;
            seat.armed.parted = false;
        }
        DriveOutcome::Interrupted => return Ok(()),
    }
    if matches!(driven.left, DriveOutcome::Paused(_)) && !project.join(MARKER).exists() {
        // A person removed it, to stop the loop: that is respected until they go on.
        return Ok(());
    }
    marker::write(&project, &marker::compose(&driven.agreement, &driven.fold.state, seat.armed.rested))
}

/// When this is, and how long the session has worked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub at_ms: u64,
    pub worked_ms: u64,
}

impl Now {
    /// A session's turn takes until its stop; else nobody worked.
    pub(super) fn read(book: &Book, clock: &Clock) -> Self {
        let at_ms = clock.wall_ms();
        let works = matches!(&book.state().stage, Stage::Turn);
        let worked_ms = if works { at_ms.saturating_sub(book.fold().last_at_ms) } else { 0 };
        Self { at_ms, worked_ms }
    }

    pub(super) fn stamp(self, book: &Book) -> Stamp {
        Stamp { at_ms: self.at_ms, active_ms: book.state().active_ms.saturating_add(self.worked_ms) }
    }
}

/// The loop lives, and a session is its worker.
fn works_here(held: &Held) -> bool {
    let state = held.book.state();
    let lives = !matches!(&state.stage, Stage::Ended(_) | Stage::Unsealed);
    lives && matches!(&state.worker, Worker::Session { .. })
}

/// The first session that stops is the loop's.
fn bind(seat: &mut Seat, held: &mut Held, stopped: &Stopped, now: Now) -> Result<(), RunError> {
    let (None, Some(session)) = (&seat.armed.session, &stopped.event.session) else { return Ok(()) };
    let worker = Worker::Session { host: stopped.event.host.name().to_owned(), id: Some(session.clone()) };
    held.book.add(vec![Fact::Bound { worker }], now.at_ms)?;
    seat.armed.session = Some(session.clone());
    stopped.event.host.name().clone_into(&mut seat.armed.host);
    seat.save()
}
