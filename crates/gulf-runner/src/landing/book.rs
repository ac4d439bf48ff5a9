//! A queue's journal together with its fold: what is on disk, and what it means.
//!
//! It stands apart because of one promise: an event is appended first, then believed. Whoever can open it for writing
//! leads the queue; the lock is the kernel's, so a dead leader leads no more.

use camino::Utf8Path;
use gulf_host::clock::Clock;
use gulf_host::journal::{Durability, Follower, Journal, JournalError, LocalJournal};
use gulf_queue::{Event, QueueFact, QueueState};

use crate::book::{parse, print};
use crate::error::RunError;

/// The journal of a queue that this process leads.
#[derive(Debug)]
pub(crate) struct QueueBook {
    journal: LocalJournal,
    state: QueueState,
    clock: Clock,
}

/// The same, read beside the leader.
#[derive(Debug)]
pub(crate) struct QueueReader {
    follower: Follower,
    state: QueueState,
}

impl QueueBook {
    /// Takes the queue; `None` where somebody else leads it.
    pub(crate) fn open(folder: &Utf8Path) -> Result<Option<Self>, RunError> {
        let note = format!("process {}", std::process::id());
        let (journal, report) = match LocalJournal::open(folder, note.as_bytes()) {
            Err(JournalError::Locked(_)) => return Ok(None),
            opened => opened?,
        };
        let mut state = QueueState::default();
        for event in parse::<Event>(&journal.read_from(1)?)? {
            state.apply(&event);
        }
        let mut book = Self { journal, state, clock: Clock::new() };
        if let Some(torn) = report.torn {
            book.record(vec![QueueFact::TailDropped { bytes: torn.bytes }], Durability::Synced)?;
        }
        Ok(Some(book))
    }

    pub(crate) fn state(&self) -> &QueueState {
        &self.state
    }

    /// Appends facts, then believes them.
    pub(crate) fn record(&mut self, facts: Vec<QueueFact>, durability: Durability) -> Result<(), RunError> {
        let first = self.state.sequence() + 1;
        let at_ms = self.clock.wall_ms();
        let events: Vec<Event> =
            (first..).zip(facts).map(|(sequence, fact)| Event { sequence, at_ms, fact }).collect();
        let lines = events.iter().map(print).collect::<Result<Vec<_>, _>>()?;
        self.journal.append(first, &lines, durability)?;
        for event in &events {
            self.state.apply(event);
        }
        match self.state.anomaly() {
            Some(anomaly) => Err(RunError::Anomaly { sequence: anomaly.sequence, what: anomaly.what }),
            None => Ok(()),
        }
    }
}

impl QueueReader {
    pub(crate) fn new(folder: &Utf8Path) -> Self {
        Self { follower: Follower::new(folder), state: QueueState::default() }
    }

    /// The queue as its journal tells by now.
    pub(crate) fn look(&mut self) -> Result<&QueueState, RunError> {
        for event in parse::<Event>(&self.follower.poll()?)? {
            self.state.apply(&event);
        }
        Ok(&self.state)
    }
}
