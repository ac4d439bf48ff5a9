//! Leads a queue: takes in who joins and leaves, has done what the queue's rules want, and writes down what came of it.
//!
//! It contains no rule. Every effect runs in a thread of its own; this thread alone writes the journal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gulf_host::home as dropbox;
use gulf_host::journal::Durability;
use gulf_host::lock::{Holder, Lock};
use gulf_host::process::sweep;
use gulf_host::watch::Watch;
use gulf_queue::{
    QueueDecision, QueueFact, QueueKey, QueueRefusal, QueueRequest, QueueResult, QueueWork, Terms, Ticket,
    admit, decide,
};

use super::effects::{QueueEffect, QueueEffectRunner};
use super::leader_lease::{LeaderContext, LeaderLease};
use super::place::{QueueBook, QueuePlace};
use super::request::{Asked, LandingAct, LandingRequest, QueuedLoop};
use super::waiting::LOOK_EVERY;
use crate::error::RunError;
use crate::resources::mark_prefix;
use crate::stop::Effects;

/// So many entries at most are tried together.
const WINDOW_MAX: std::num::NonZeroU32 = std::num::NonZeroU32::new(32).unwrap();
/// What the host cannot do is tried so often.
const TRIES_MAX: std::num::NonZeroU32 = std::num::NonZeroU32::new(3).unwrap();

/// The one who leads.
#[derive(Debug)]
struct Leader<'a> {
    place: &'a QueuePlace,
    lease: &'a LeaderLease,
    book: QueueBook,
    runner: Arc<QueueEffectRunner>,
    watch: Watch,
    effects: Effects<QueueKey, QueueResult>,
    /// Where each test runs.
    lanes: BTreeMap<QueueKey, usize>,
    queued_loops: BTreeMap<Ticket, Arc<QueuedLoop>>,
}

/// Leads the queue as soon as nobody else does, until nobody of this process waits in it.
pub(super) fn lead(place: &QueuePlace, lead: &LeaderContext, lease: &LeaderLease) -> Result<(), RunError> {
    let Some(book) = await_turn(place, lease)? else { return Ok(()) };
    let requests = place.requests();
    let watch = Watch::start(requests.directory())
        .map_err(|source| RunError::Watch { path: requests.directory().to_owned(), source })?;
    lease.wakes(watch.waker());
    let runner = Arc::new(QueueEffectRunner::open(place, lead)?);
    let effects = Effects::new(watch.waker());
    let (lanes, queued_loops) = (BTreeMap::new(), BTreeMap::new());
    let mut leader = Leader { place, lease, book, runner, watch, effects, lanes, queued_loops };
    let led = leader.attach(lead).and_then(|()| leader.run());
    // Whatever happened, nothing that was started goes on alone.
    let stopped = leader.stop_everything();
    drop(leader);
    // The kernel tells nobody that a lock fell, but it tells of this. Who is not told looks a little later.
    let _ = place.tell_that_nobody_leads();
    led.and(stopped)
}

/// `None` when nobody waits any more.
fn await_turn(place: &QueuePlace, lease: &LeaderLease) -> Result<Option<QueueBook>, RunError> {
    let watch =
        Watch::start(&place.root).map_err(|source| RunError::Watch { path: place.root.clone(), source })?;
    lease.wakes(watch.waker());
    let lock = place.root.join(gulf_host::journal::LOCK_FILE);
    loop {
        if lease.is_over() {
            return Ok(None);
        }
        // Looked at first: trying to take it would wake the others who wait for it.
        if Lock::holder(&lock)? == Holder::Nobody
            && let Some(book) = QueueBook::open(&place.root)?
        {
            return Ok(Some(book));
        }
        watch.wait_at_most(LOOK_EVERY);
    }
}

impl Leader<'_> {
    fn attach(&mut self, lead: &LeaderContext) -> Result<(), RunError> {
        sweep(&mark_prefix(&self.place.root));
        let leader = format!("gulf {} process {}", env!("CARGO_PKG_VERSION"), std::process::id());
        let terms = Terms { lanes: lead.terms.lanes, window_max: WINDOW_MAX, tries_max: TRIES_MAX };
        let environment = lead.environment.digest();
        self.book.record(QueueFact::Attached { leader, terms, environment }, Durability::Synced)
    }

    fn run(&mut self) -> Result<(), RunError> {
        loop {
            self.take_in()?;
            let is_moving = self.effects.keys().any(|key| !key.work.is_repeatable());
            if !is_moving && self.lease.is_over() {
                return Ok(());
            }
            match decide(self.book.state()) {
                QueueDecision::Record(fact) => {
                    if let QueueFact::Flaked { flake } = &fact {
                        self.runner.keep_flake(flake);
                    }
                    // Loops act on an ending at once.
                    self.book.record(fact, Durability::Synced)?;
                }
                QueueDecision::Run { effects } => {
                    self.reconcile(&effects)?;
                    self.watch.wait();
                }
                QueueDecision::Recover(key) => {
                    let result = self.runner.recovered(&key);
                    self.ended(key, result)?;
                }
                QueueDecision::Look => {
                    let tip = self.runner.tip()?;
                    self.book.record(QueueFact::BaseSeen { tip }, Durability::Buffered)?;
                }
                QueueDecision::Rest => self.watch.wait(),
            }
        }
    }

    /// Takes in what came meanwhile: ends of effects, and who joins or leaves.
    fn take_in(&mut self) -> Result<(), RunError> {
        for (key, result) in self.effects.take_ended()? {
            self.lanes.remove(&key);
            self.ended(key, result)?;
        }
        let requests = self.place.requests().list()?;
        let asked = requests.iter().map(|request| (request, self.wanted(request)));
        let (leaves, others): (Vec<_>, Vec<_>) =
            asked.partition(|(_, wanted)| matches!(wanted, Some(QueueRequest::Leave(_))));
        // Whoever leaves has joined before, whatever the clock said meanwhile.
        for (request, wanted) in others.into_iter().chain(leaves) {
            if wanted.map_or(Ok(true), |wanted| self.answer(wanted))? {
                self.place.requests().remove(&request.name)?;
            }
        }
        Ok(())
    }

    /// What a request wants; what nobody can read is nobody's request.
    fn wanted(&self, request: &dropbox::WaitingRequest) -> Option<QueueRequest> {
        let asked: Asked = serde_json::from_slice(request.content.as_ref().ok()?).ok()?;
        match asked.act {
            // One order that cannot be read must not keep all the others waiting; whoever wrote it asks again.
            LandingAct::Join { request } => {
                let order = LandingRequest::joined_with(self.place, &request).ok().flatten()?;
                Some(QueueRequest::Join(order.entry().ok()?))
            }
            LandingAct::Leave { entry } => Some(QueueRequest::Leave(entry)),
        }
    }

    /// Grants it or refuses it; `false` when it has to wait: for room, or for the end of a move.
    fn answer(&mut self, wanted: QueueRequest) -> Result<bool, RunError> {
        match admit(self.book.state(), wanted) {
            Ok(fact) => self.book.record(fact, Durability::Synced).map(|()| true),
            Err(QueueRefusal::NotNow) => Ok(false),
            Err(QueueRefusal::Moot) => Ok(true),
        }
    }

    /// A move is over when that is on disk; what can be done again is written and not waited for.
    fn ended(&mut self, key: QueueKey, result: QueueResult) -> Result<(), RunError> {
        let durability = if key.work.is_repeatable() { Durability::Buffered } else { Durability::Synced };
        self.book.record(QueueFact::Ended { key, result }, durability)
    }

    /// Starts what is wanted and does not run; stops what runs and is not wanted.
    fn reconcile(&mut self, wanted: &[QueueKey]) -> Result<(), RunError> {
        self.effects.stop(|key| !wanted.contains(key) && key.work.is_repeatable());
        for key in wanted {
            if self.effects.runs(key) {
                continue;
            }
            let is_test = matches!(key.work, QueueWork::Test { .. });
            let lane = is_test.then(|| self.free_lane());
            let queued_loops = self.queued_loops();
            let durability = if key.work.is_repeatable() { Durability::Buffered } else { Durability::Synced };
            self.book.record(QueueFact::Began { key: key.clone() }, durability)?;
            self.start(key.clone(), lane, queued_loops);
        }
        Ok(())
    }

    /// The lowest one that is free: what was built there is of use again. One whose test was just stopped is not.
    fn free_lane(&self) -> usize {
        let taken: BTreeSet<usize> = self.lanes.values().copied().collect();
        (1..).find(|lane| !taken.contains(lane)).unwrap_or(1)
    }

    /// Everybody in the line. One who cannot be read is missing, and what needs it fails.
    fn queued_loops(&mut self) -> Vec<Arc<QueuedLoop>> {
        let line = self.book.state().line();
        let waits = |ticket: &Ticket| line.iter().any(|place| place.ticket == *ticket);
        self.queued_loops.retain(|ticket, _| waits(ticket));
        for place in line {
            if !self.queued_loops.contains_key(&place.ticket)
                && let Ok(queued) = QueuedLoop::read(self.place, place.ticket, &place.entry.request)
            {
                self.queued_loops.insert(place.ticket, Arc::new(queued));
            }
        }
        self.queued_loops.values().cloned().collect()
    }

    fn start(&mut self, key: QueueKey, lane: Option<usize>, queued_loops: Vec<Arc<QueuedLoop>>) {
        let (runner, base) = (self.runner.clone(), self.book.state().base().cloned());
        self.lanes.extend(lane.map(|lane| (key.clone(), lane)));
        self.effects.start(key, move |key, stop| {
            let (queued_loops, base) = (&queued_loops[..], base.as_ref());
            QueueEffect { runner: &runner, key, stop, queued_loops, base, lane }.perform()
        });
    }

    fn stop_everything(&mut self) -> Result<(), RunError> {
        self.effects.stop_all()?;
        if self.book.state().anomaly().is_some() {
            return Ok(());
        }
        self.effects.take_ended()?.into_iter().try_for_each(|(key, result)| self.ended(key, result))
    }
}
