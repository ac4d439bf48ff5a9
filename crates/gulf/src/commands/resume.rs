//! `gulf resume`, and the driving that it shares with `gulf run`.

use std::io::{BufRead, IsTerminal};
use std::sync::Arc;

use anstream::{eprint, eprintln};
use gulf_engine::{End, Fact, PAUSED_EXIT_CODE, Stage, State};
use gulf_host::clock::{Clock, SystemClock};
use gulf_host::digest::Digest;
use gulf_host::journal::Durability;
use gulf_host::signals;
use gulf_runner::agreement::{Agreement, RepositoryKind};
use gulf_runner::book::{self, Stamp};
use gulf_runner::claims::{Asked, Caller};
use gulf_runner::commit;
use gulf_runner::drive::{Driver, Leave, Left};
use gulf_runner::folder::Folder;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::{self, Held, StartError};
use gulf_views::{
    self as views, History, JournalHead, NextStep, Receipt, ReceiptFacts, Summary, Worktree, end_json, result,
};

use super::act;
use crate::cli::ResumeArguments;
use crate::failure::Failure;
use crate::place;
use crate::screen::{self, Screen, Telling};

/// What the last screen offers to do next.
#[derive(Clone, Debug)]
pub enum Parting {
    /// What fits the loop, in the project where it ran.
    Usual,
    /// This instead: the loop lies where a person would not look for it.
    Elsewhere(Vec<NextStep>),
    /// This instead, and no path: nothing of the loop stays.
    Gone(Vec<NextStep>),
}

/// The exit code of a driver that was told to leave.
pub const INTERRUPTED: u8 = 130;

pub fn resume(arguments: &ResumeArguments) -> Result<u8, Failure> {
    if Caller::of_this_process() != Caller::Person {
        // Asked like any other act, so that the refusal is written down.
        return act::ask(arguments.id.as_deref(), &Asked::Resume);
    }
    let place = place::here()?;
    let known = place::unfinished(&place, arguments.id.as_deref())?;
    let id = known.name.as_str().to_owned();
    if let Stage::Ended(end) = known.fold.state.stage() {
        return Err(StartError::Over { id, end: end.word() }.into());
    }
    let checkout = start::take_checkout(&place, &id)?;
    let mut held = start::hold(&place, &known.name, checkout)?;
    let clock = Arc::new(SystemClock::new());
    go_on(&mut held, &*clock)?;
    drive(&place, held, Telling::of(arguments.json), &Parting::Usual, &clock)
}

/// A paused loop is resumed; an interrupted one just goes on.
fn go_on(held: &mut Held, clock: &dyn Clock) -> Result<(), Failure> {
    if matches!(held.book.state().stage(), Stage::Paused(..)) {
        let stamp = Stamp { at_ms: clock.wall_ms(), active_ms: held.book.state().active_ms() };
        held.book.record(vec![Fact::Resumed], stamp, Durability::Synced, |_, _| {})?;
    }
    Ok(())
}

/// Drives a held loop, shows how it was left, and gives the exit code.
pub fn drive(
    place: &PlaceOfWork,
    mut held: Held,
    telling: Telling,
    parting: &Parting,
    clock: &Arc<SystemClock>,
) -> Result<u8, Failure> {
    let leave = Leave::default();
    let its_leave = leave.clone();
    let _listening = signals::listen(move |interruption| its_leave.ask(interruption))
        .map_err(|error| Failure::world(&error, None))?;
    loop {
        let Held { book, home, workshop, checkout, notes } = held;
        let folder = Folder::new(home.root());
        let agreement = workshop.agreement.clone();
        let earlier = book::read(home.root())?;
        let history = History::of(&earlier);
        let facts = place::facts(&agreement, home.root());
        let mut screen = Screen::new(telling, facts, history, folder.clone(), place);
        for note in &notes {
            eprintln!("note: {note}");
        }
        screen.begin(&earlier);
        let driver = Driver::new(book, home.clone(), workshop, clock.clone(), &mut screen, leave.clone())?;
        let left = driver.drive();
        screen.close();
        let left = left?;
        let events = book::read(home.root())?;
        let state = book::fold(&events).state;
        write_receipt(&folder, &screen, &state)?;
        conclude(&screen, &agreement, &state, parting);
        if let Left::Paused(_) = left
            && telling == Telling::Lines
            && asked_inline()?
        {
            held = start::hold(place, &name_of(&agreement)?, checkout)?;
            go_on(&mut held, &**clock)?;
            continue;
        }
        return Ok(exit_code(&left));
    }
}

fn exit_code(left: &Left) -> u8 {
    match left {
        Left::Ended(end) => end.exit_code(),
        Left::Paused(_) => PAUSED_EXIT_CODE,
        Left::Interrupted => INTERRUPTED,
    }
}

fn name_of(agreement: &Agreement) -> Result<gulf_host::home::Name, Failure> {
    gulf_host::home::Name::parse(agreement.loop_id.as_str()).map_err(|error| Failure::world(&error, None))
}

/// On a terminal the person is asked at once; unattended the command ends.
fn asked_inline() -> Result<bool, Failure> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(false);
    }
    eprint!("Go on now? [y/N] ");
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(|error| Failure::world(&error, None))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// The last screen.
fn conclude(screen: &Screen, agreement: &Agreement, state: &State, parting: &Parting) {
    let worktree = worktree(agreement, screen.history(), state);
    let mut summary = Summary::new(screen.facts(), screen.history(), state, views::Driver::Absent, &worktree);
    match parting {
        Parting::Usual => {}
        Parting::Elsewhere(steps) => summary.next.clone_from(steps),
        Parting::Gone(steps) => {
            summary.next.clone_from(steps);
            summary.logs.clear();
        }
    }
    match screen.telling() {
        Telling::Json => outln!("{}", end_json(&summary)),
        Telling::Lines => {
            let look = screen::look(std::io::stdout().is_terminal());
            out!("\n{}", result(&summary, look));
        }
    }
}

/// Where the loop is over.
fn write_receipt(folder: &Folder, screen: &Screen, state: &State) -> Result<(), Failure> {
    let journal = folder.root().join(gulf_host::journal::JOURNAL_FILE);
    let digest = Digest::of_file(&journal).map_err(gulf_runner::error::RunError::from)?;
    let facts = ReceiptFacts {
        gulf_version: env!("CARGO_PKG_VERSION").to_owned(),
        journal: JournalHead {
            sequence: state.sequence(),
            digest: gulf_engine::Digest::new(digest.to_string()),
        },
    };
    if let Some(receipt) = Receipt::new(screen.facts(), &facts, screen.history(), state) {
        let document = serde_json::to_value(&receipt).map_err(|error| Failure::world(&error, None))?;
        screen::write(&folder.receipt(), &document);
    }
    Ok(())
}

/// Is there something that a person may want to commit?
pub fn worktree(agreement: &Agreement, history: &History, state: &State) -> Worktree {
    let good = matches!(state.stage(), Stage::Ended(End::Verified { .. } | End::Attested { .. }));
    let own = agreement.repository == RepositoryKind::Own;
    let candidate = history.last_evaluated().and_then(|iteration| iteration.candidate());
    match candidate {
        Some(candidate) if good && own && commit::is_uncommitted(agreement, candidate) => {
            Worktree::Dirty { commit_command: commit::command(&agreement.goal) }
        }
        Some(_) | None => Worktree::Clean,
    }
}
