//! What is written when a loop is over: the receipt, the report, and the projections in the project.
//!
//! A loop may end without being driven, by `gulf cancel` or `gulf approve`. Nothing is ever decided on what is
//! written here, so a project that cannot be written to keeps no loop from ending.

use gulf_engine::{Act, Stage, State};
use gulf_host::clock::Clock;
use gulf_host::digest::Digest;
use gulf_host::files;
use gulf_host::lock::Lock;
use gulf_runner::agreement::Agreement;
use gulf_runner::claims::RequestFile;
use gulf_runner::folder::LoopPaths;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::project_folder::ProjectFolder;
use gulf_runner::session::DrivenSession;
use gulf_runner::start::{self, KnownLoop};
use gulf_runner::{book, tasks};
use gulf_views::{CheckoutChange, DriverPresence, Facts, History, JournalHead, Receipt, Summary};

use crate::failure::{Failure, Result};
use crate::out::say_note;
use crate::projections::{self, Projections};
use crate::report::{self, ReportedLoop, worktree};
use crate::reviewing::review_facts;
use crate::{input, paths, place, verdicts};

/// It names checks and findings, and holds no output.
const RECEIPT_BYTES_MAX: u64 = 64 << 20;

/// May an unfinished loop with another goal be ended?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacing {
    Refused,
    /// One that runs is ended when the person at the terminal says yes.
    Asked,
    /// The person has said so already.
    Agreed,
}

/// The loop as its last screen shows it.
pub fn summary(
    known: &KnownLoop,
    (mut facts, agreement): (Facts, Option<Agreement>),
    driver: DriverPresence,
) -> Result<Summary> {
    let (home, state, agreement) = (&known.home, &known.fold.state, agreement.as_ref());
    let history = History::fold(&book::read(home.root())?);
    place::add_end(&mut facts, home, &history, state);
    facts.review = agreement.and_then(|agreement| review_facts(agreement, home.root(), &history, state));
    let lies = agreement.map_or(CheckoutChange::Clean, |one| worktree(one, home, &history, state));
    Ok(verdicts::explained(Summary::new(&facts, &history, state, driver, &lies), home))
}

/// Writes everything about a loop that has just ended without a driver.
pub fn write(place: &PlaceOfWork, known: &KnownLoop) -> Result<()> {
    let events = book::read(known.home.root())?;
    let (history, state) = (History::fold(&events), book::fold(&events).state);
    let (mut facts, agreement) = place::facts_of(known)?;
    place::add_end(&mut facts, &known.home, &history, &state);
    let (folder, facts, history, state) = (&known.home, &facts, &history, &state);
    Projections::new(place, folder, agreement.as_ref()).write(facts, history, state, DriverPresence::Absent);
    receipt(folder, facts, history, state)?;
    if let Some(agreement) = &agreement {
        let lies = &worktree(agreement, folder, history, state);
        report::keep(place, &ReportedLoop { lies, agreement, folder, facts, history, state });
    }
    Ok(())
}

/// Writes where a loop stands that goes on without a driver.
pub fn project(place: &PlaceOfWork, home: &LoopPaths, driven: &DrivenSession) {
    let DrivenSession { agreement, events, fold, .. } = driven;
    let facts = place::facts(agreement, home.root());
    let shown = Projections::new(place, home, Some(agreement));
    shown.write(&facts, &History::fold(events), &fold.state, DriverPresence::Absent);
}

/// May this loop be ended in favour of another one? One that runs is ended on a person's yes only.
pub fn may_end(known: &KnownLoop, replacing: Replacing) -> Result<()> {
    let is_driven = place::driver_of(known)? == DriverPresence::Present;
    if !is_driven || replacing == Replacing::Agreed {
        return Ok(());
    }
    let id = known.handle();
    let iteration = known.fold.state.unit.iteration;
    let question = format!("The loop {id} is running, in iteration {iteration}. Cancel it?");
    if input::agrees(&question)? {
        return Ok(());
    }
    let what = format!("the loop {id} is running in this checkout");
    let hint = format!("`--replace --yes` cancels it without asking; `gulf log -f {id}` watches it");
    Err(Failure::usage(what, hint))
}

/// Ends an unfinished loop in favour of another one, and waits until whoever drives it has left; its folder in the project
/// does not call it active any longer.
pub fn replace(place: &PlaceOfWork, known: &KnownLoop, clock: &Clock) -> Result<()> {
    if place::driver_of(known)? == DriverPresence::Present {
        RequestFile::by_this_process(Act::Cancel).leave(&known.home.requests(), clock.wall_ms())?;
        errln!("waiting for the gulf that runs {} to end it", known.handle());
        let place = known.agreement().map_or_else(|_| place.clone(), |agreement| place.of_loop(&agreement));
        for path in [known.home.lock(), place.checkout_lock()] {
            drop(Lock::wait(&path, known.name.as_str().as_bytes())?);
        }
    }
    let known = &KnownLoop::read(known.name.clone(), known.home.clone())?;
    if !known.is_unfinished() {
        return Ok(());
    }
    start::replace(known, clock)?;
    if let Some(note) = tasks::commit_blockers(place, known) {
        say_note(note);
    }
    let events = book::read(known.home.root())?;
    if let (facts, Some(agreement)) = place::facts_of(known)?
        && let Some(folder) = ProjectFolder::from_agreement(&agreement)
    {
        projections::of_folder(&folder, &facts, &History::fold(&events), &book::fold(&events).state);
    }
    Ok(())
}

/// Where the loop is over.
pub fn receipt(folder: &LoopPaths, facts: &Facts, history: &History, state: &State) -> Result<()> {
    let digest = Digest::of_file(&folder.journal())?;
    let digest = gulf_engine::Digest::new(digest.to_string());
    let journal = JournalHead { sequence: state.sequence, digest };
    if let Some(receipt) = Receipt::new(facts, env!("CARGO_PKG_VERSION"), journal, history, state) {
        let document = serde_json::to_value(&receipt).map_err(Failure::broken)?;
        projections::write(&folder.receipt(), &document);
    }
    Ok(())
}

/// Does the receipt lie there, and tell of this end? Nobody hears of a success without one.
pub fn stands(folder: &LoopPaths, state: &State) -> Result<()> {
    let Stage::Ended(end) = &state.stage else { return Ok(()) };
    let path = folder.receipt();
    let read = files::read_bytes(&path, RECEIPT_BYTES_MAX);
    let receipt: Option<Receipt> = read.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let contract = state.contract().map(|contract| &contract.digest);
    // Events may follow an end: how somebody was told of it.
    let is_this = |receipt: &Receipt| {
        receipt.end.word() == end.word()
            && Some(&receipt.contract) == contract
            && receipt.journal.sequence <= state.sequence
    };
    if receipt.as_ref().is_some_and(is_this) {
        return Ok(());
    }
    let why = format!("no receipt of this end lies at {}", paths::shown(&path));
    let hint = "it could not be written, or somebody removed it; `gulf status` tells the end".to_owned();
    Err(Failure::world(&std::io::Error::other(why), Some(hint)))
}
