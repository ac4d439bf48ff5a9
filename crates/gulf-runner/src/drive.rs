//! The run driver: asks what is wanted, has it done, writes down what came of it, and asks again.
//!
//! It contains no rule. Every effect runs in a thread of its own; the driver alone writes the journal.

mod intake;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use gulf_engine::{
    Decision, ENGINE_VERSION, EffectKey, EffectKind, End, Fact, Gate, PauseReason, Settlement, Stage, State,
    Worker, decide,
};
use gulf_host::clock::{Clock, milliseconds};
use gulf_host::files;
use gulf_host::journal::Durability;
use gulf_host::process::sweep;
use gulf_host::watch::Watch;

use crate::agreement::WorkerWalls;
use crate::book::{Book, Stamp};
use crate::edits::{changes_besides_brief, edits_since_last_turn};
use crate::effects::EffectOutcome;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::handing_on::{hand_off, lay_out_memory};
use crate::landing::leave_ground;
use crate::memory::{keep_decisions, keep_rejection, taken_requests};
use crate::observer::Observer;
use crate::recovery::{cut_off, recovered};
use crate::resources::{Resources, mark_prefix};
use crate::stop::{Effects, Stop};
use crate::tasks::TaskBooks;

/// How the driver left the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriveOutcome {
    /// It is over.
    Ended(End),
    /// A person must say *go on*.
    Paused(PauseReason),
    /// This process was told to leave; the loop goes on with the next driver.
    Interrupted,
    /// The session has the next turn; the loop goes on when that is over.
    HandedOver(EffectKey),
}

/// One process that drives one loop.
#[derive(Debug)]
pub struct Driver<'observer> {
    book: Book,
    resources: Arc<Resources>,
    clock: Arc<Clock>,
    observer: &'observer mut dyn Observer,
    watch: Watch,
    /// Asked for from a signal's thread: it leaves.
    leave: Stop,
    effects: Effects<EffectKey, EffectOutcome>,
    taken: BTreeSet<String>,
    /// The loop's active time when this driver came, and the clock then.
    since: (u64, Duration),
    /// Else a power cut may still lose the end of a session's turn that the driver was given.
    is_turn_on_disk: bool,
    /// What a person should know of how the loop was left.
    notes: Vec<String>,
}

/// What a driver gives back: how it left the loop, and what it held.
#[derive(Debug)]
pub struct ReturnedDriver {
    pub left: DriveOutcome,
    pub book: Book,
    pub resources: Arc<Resources>,
    /// What a person should know, and an observer was told.
    pub notes: Vec<String>,
}

impl<'observer> Driver<'observer> {
    /// Takes a loop whose journal this process holds.
    pub fn new(
        book: Book,
        resources: Resources,
        clock: Arc<Clock>,
        observer: &'observer mut dyn Observer,
        leave: Stop,
    ) -> Result<Self, RunError> {
        resources.put_back_all()?;
        let requests = resources.folder.requests();
        let asked = resources.folder.asked();
        let is_confined = resources.agreement.agent.sandbox == WorkerWalls::On;
        if is_confined {
            files::create_private_directories(asked.directory(), Durability::Buffered)?;
        }
        let watched = [requests.directory(), asked.directory()];
        let watch = Watch::all_of(if is_confined { &watched } else { &watched[..1] })
            .map_err(|source| RunError::Watch { path: requests.directory().to_owned(), source })?;
        leave.wakes(watch.waker());
        resources.reports.wakes(watch.waker());
        let since = (book.state().active_ms, clock.monotonic());
        Ok(Self {
            effects: Effects::new(watch.waker()),
            book,
            resources: Arc::new(resources),
            clock,
            observer,
            watch,
            leave,
            taken: BTreeSet::new(),
            since,
            is_turn_on_disk: true,
            notes: Vec::new(),
        })
    }

    /// The loop has run for so long since its last event, though no driver was there: a session worked. That its turn
    /// is over was written, and not waited for.
    pub fn after(mut self, worked_ms: u64) -> Self {
        self.since.0 = self.since.0.saturating_add(worked_ms);
        self.is_turn_on_disk = false;
        self
    }

    /// Drives the loop until it ends, rests, or this process is told to leave; the journal stays this process's.
    pub fn drive(mut self) -> Result<ReturnedDriver, RunError> {
        let left = self.attach().and_then(|()| self.run());
        // Whatever happened, nothing that was started goes on alone.
        let stopped = self.stop_everything();
        self.observer.rests(self.book.state());
        let left = left?;
        stopped?;
        Ok(ReturnedDriver { left, book: self.book, resources: self.resources, notes: self.notes })
    }

    fn attach(&mut self) -> Result<(), RunError> {
        // Between a session's stops nothing runs, unless gulf was killed.
        if !self.is_session() || !self.book.state().running.is_empty() {
            self.clear_away();
        }
        if self.book.state().unit.iteration == 0 {
            self.provide_rooms();
            lay_out_memory(&self.resources);
        }
        let folder = &self.resources.folder;
        let asked = folder.asked();
        if !folder.requests().list()?.is_empty() || (asked.directory().is_dir() && !asked.list()?.is_empty())
        {
            self.taken = taken_requests(self.resources.folder.root())?;
        }
        let form = if self.is_session() { "hook" } else { "run" };
        let driver = format!("gulf {} {form}", env!("CARGO_PKG_VERSION"));
        let environment = self.resources.environment.digest();
        self.record(vec![Fact::Attached { driver, environment }], Durability::Buffered)
    }

    fn clear_away(&mut self) {
        for process in &sweep(&self.resources.mark_prefix()).killed {
            let what = format!(
                "stopped processes that an earlier gulf left running: {} ({})",
                process.command, process.id
            );
            self.observer.note(&what);
        }
    }

    fn is_session(&self) -> bool {
        matches!(&self.book.state().worker, Worker::Session { .. })
    }

    /// Announces the turn that the session is about to begin.
    fn hand_over(&mut self, decision: &Decision, key: &EffectKey) -> Result<DriveOutcome, RunError> {
        if !self.book.state().running.contains(key) {
            let edits = edits_since_last_turn(&self.resources, self.book.fold());
            self.record(edits.into_iter().collect(), Durability::Buffered)?;
            self.decided(decision, Fact::Began { key: key.clone() })?;
        }
        Ok(DriveOutcome::HandedOver(key.clone()))
    }

    /// Copies what the checks will need before a worker can touch it; that may take a while, so it is said.
    fn provide_rooms(&mut self) {
        let folders = &self.resources.agreement.verification.environment.dependency_folders;
        if !folders.is_empty() {
            self.observer.note(&format!("copying for the checks: {}", folders.join(", ")));
        }
        if let Err(failure) = self.resources.provide_rooms() {
            // What could not be provided is tried again when it is needed, and said there.
            self.observer.note(&failure.to_string());
        }
    }

    fn run(&mut self) -> Result<DriveOutcome, RunError> {
        loop {
            self.take_in()?;
            if self.leave.is_asked() {
                return Ok(DriveOutcome::Interrupted);
            }
            if let Some(anomaly) = self.book.state().anomaly() {
                return Err(RunError::Anomaly { sequence: anomaly.sequence, what: anomaly.what });
            }
            let decision = decide(self.book.state());
            match &decision {
                Decision::Run { effects, until_ms } => {
                    let is_turn = |key: &&EffectKey| key.work == EffectKind::Turn && self.is_session();
                    if let Some(key) = effects.iter().find(is_turn) {
                        return self.hand_over(&decision, key);
                    }
                    self.reconcile(&decision, effects)?;
                    self.wait(*until_ms)?;
                }
                Decision::Recover(key) => {
                    let Resources { agreement, folder, .. } = &*self.resources;
                    self.record(recovered(agreement, folder, self.book.state(), key), Durability::Buffered)?;
                }
                Decision::Settle(settlement) => self.settle(*settlement)?,
                Decision::ResetStrategy => self.decided(&decision, Fact::StrategyReset)?,
                Decision::FinishUnit(end) => {
                    self.decided(&decision, Fact::UnitFinished { end: end.clone() })?;
                }
                Decision::SkipUnit(why) => {
                    let (set_aside, note) = self.task_books().give_task_up(why, None);
                    note.iter().for_each(|note| self.observer.note(note));
                    self.decided(&decision, Fact::UnitSkipped { why: why.clone(), set_aside })?;
                }
                Decision::Pause(reason) => self.decided(&decision, Fact::Paused { reason: *reason })?,
                Decision::End(end) => {
                    self.conclude(end)?;
                    self.decided(&decision, Fact::Finished { end: end.clone() })?;
                }
                Decision::Rest => {
                    let stage = &self.book.state().stage;
                    if let Stage::Ended(end) = stage {
                        return Ok(DriveOutcome::Ended(end.clone()));
                    }
                    let Stage::Paused(reason, _) = stage else { return Err(RunError::NoContract) };
                    return Ok(DriveOutcome::Paused(*reason));
                }
            }
        }
    }

    /// Records what was decided, and what follows from it.
    fn decided(&mut self, decision: &Decision, fact: Fact) -> Result<(), RunError> {
        self.record(decided(self.book.state(), decision, [fact]), Durability::Synced)
    }

    /// Starts what is wanted and does not run; stops what runs and is not wanted.
    fn reconcile(&mut self, decision: &Decision, wanted: &[EffectKey]) -> Result<(), RunError> {
        self.effects.stop(|key| !wanted.contains(key));
        let new: Vec<EffectKey> = wanted.iter().filter(|key| !self.effects.runs(key)).cloned().collect();
        if new.is_empty() {
            return Ok(());
        }
        let begun = new.iter().map(|key| Fact::Began { key: key.clone() });
        self.record(decided(self.book.state(), decision, begun), self.durability_before(&new))?;
        self.observer.rests(self.book.state());
        for key in new {
            self.start(key);
        }
        Ok(())
    }

    /// What cannot be repeated is announced first. What may take long begins when the end of the turn is on disk; the
    /// look at a worktree takes no longer than that wait.
    fn durability_before(&self, new: &[EffectKey]) -> Durability {
        let is_quick = self.is_turn_on_disk || new.iter().all(|key| key.work == EffectKind::Snapshot);
        let is_repeatable = new.iter().all(|key| key.work.is_repeatable());
        if is_quick && is_repeatable { Durability::Buffered } else { Durability::Synced }
    }

    fn start(&mut self, key: EffectKey) {
        let (resources, fold) = (self.resources.clone(), self.book.fold().clone());
        self.effects.start(key, move |key, stop| resources.perform(key, &fold, stop));
    }

    /// Blocks until something happens, or until this active time.
    fn wait(&mut self, until_ms: Option<u64>) -> Result<(), RunError> {
        self.observer.rests(self.book.state());
        let left = until_ms.map(|until_ms| Duration::from_millis(until_ms.saturating_sub(self.active_ms())));
        match [left, self.observer.tick()].into_iter().flatten().min() {
            None => self.watch.wait(),
            Some(at_most) => {
                let is_idle = self.effects.is_empty();
                self.watch.wait_at_most(if is_idle { self.clock.sit_out(at_most) } else { at_most });
            }
        }
        if let Some(what) = self.resources.activity.take() {
            self.observer.doing(&what);
        }
        self.observer.waiting(self.book.state(), self.active_ms());
        if until_ms.is_some_and(|until_ms| self.active_ms() >= until_ms) {
            self.record(vec![Fact::Woke], Durability::Buffered)?;
        }
        Ok(())
    }

    fn record(&mut self, facts: Vec<Fact>, durability: Durability) -> Result<(), RunError> {
        let stamp = Stamp { at_ms: self.clock.wall_ms(), active_ms: self.active_ms() };
        let observer = &mut *self.observer;
        self.book.record(facts, stamp, durability, |event, state| observer.event(event, state))?;
        if durability == Durability::Synced {
            self.is_turn_on_disk = true;
        }
        Ok(())
    }

    fn active_ms(&self) -> u64 {
        let (active_ms, then) = self.since;
        active_ms.saturating_add(milliseconds(self.clock.monotonic().saturating_sub(then)))
    }

    /// Stops every effect and waits for each to be gone.
    fn stop_everything(&mut self) -> Result<(), RunError> {
        self.effects.stop_all()?;
        if self.book.state().anomaly().is_none() {
            self.take_reports()?;
        }
        let ended: Vec<Fact> = self.effects.take_ended()?.into_iter().flat_map(facts_of).collect();
        if ended.is_empty() || self.book.state().anomaly().is_some() {
            return Ok(());
        }
        self.record(ended, Durability::Synced)
    }
}

/// Does what was decided where nobody drives the loop and nothing has to be run: a pause, an end.
pub fn carry_out(book: &mut Book, home: &LoopPaths, at_ms: u64) -> Result<(), RunError> {
    // A session's turn goes on, whoever asks for what else.
    if matches!(&book.state().worker, Worker::Session { .. }) && is_turn_wanted(book.state()) {
        return Ok(());
    }
    sweep(&mark_prefix(home.root()));
    book.add(cut_off(book.state(), home)?, at_ms)?;
    let decision = decide(book.state());
    let fact = if let Decision::Pause(reason) = decision {
        Fact::Paused { reason }
    } else if let Decision::End(end) = &decision {
        Fact::Finished { end: end.clone() }
    } else {
        return Ok(());
    };
    book.add(decided(book.state(), &decision, [fact]), at_ms)
}

pub(crate) fn is_turn_wanted(state: &State) -> bool {
    let is_turn = |key: &EffectKey| key.work == EffectKind::Turn;
    matches!(decide(state), Decision::Run { effects, .. } if effects.iter().any(is_turn))
}

/// The decision as a fact for people, and what follows from it.
fn decided(state: &State, decision: &Decision, follows: impl IntoIterator<Item = Fact>) -> Vec<Fact> {
    let told = decision.explanation(state);
    let told = told.map(|(word, reason)| Fact::Decided { word, reason, engine_version: ENGINE_VERSION });
    told.into_iter().chain(follows).collect()
}

/// What an effect cost, before what it came to: the next decision knows both.
fn facts_of((key, performed): (EffectKey, EffectOutcome)) -> Vec<Fact> {
    let EffectOutcome { result, spent } = performed;
    let spent = spent.map(|spent| Fact::Spent { key: key.clone(), spent });
    spent.into_iter().chain([Fact::Ended { key, result }]).collect()
}

// What the driver does when an iteration is settled: the decisions a worker wrote down are kept (SPEC G11).

impl Driver<'_> {
    fn task_books(&self) -> TaskBooks<'_> {
        TaskBooks { resources: &self.resources, fold: self.book.fold() }
    }

    fn settle(&mut self, settlement: Settlement) -> Result<(), RunError> {
        let iteration = self.book.state().unit.iteration;
        let notes = keep_decisions(&self.resources, iteration)?;
        notes.iter().for_each(|note| self.observer.note(note));
        if settlement == (Settlement::Refused { gate: Gate::Judge }) {
            let consecutive = self.book.state().unit.streaks.rejections.saturating_add(1);
            keep_rejection(&self.resources, iteration, consecutive, self.clock.wall_ms())?;
        }
        let error = self.task_books().error_of_attempt(settlement);
        let besides = changes_besides_brief(&self.resources, self.book.fold(), settlement);
        let facts = besides.into_iter().chain([Fact::Settled { settlement }]).collect();
        self.record(facts, Durability::Buffered)?;
        if let Some(error) = error {
            self.task_books().log_attempt(error);
        }
        let notes = self.task_books().keep_list();
        notes.iter().for_each(|note| self.observer.note(note));
        Ok(())
    }

    /// Where the work has landed, nobody stands on its branch any more; and what gulf itself wrote into a list is not left
    /// for somebody to wonder about.
    fn conclude(&mut self, end: &End) -> Result<(), RunError> {
        let mut notes = leave_ground(&self.resources, self.book.fold());
        notes.extend(self.task_books().commit_blockers());
        notes.iter().for_each(|note| self.observer.note(note));
        self.notes.extend(notes);
        // What the next loop inherits (SPEC G13, G22); only a loop that reached its goal hands anything on.
        if !end.has_passed() {
            return Ok(());
        }
        hand_off(&self.resources, self.book.state().unit.iteration, self.clock.wall_ms())
    }
}
