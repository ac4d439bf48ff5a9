//! Where everything about one queue lies: names only, but for the folders that others write into.
//!
//! ```text
//! repositories/<key>/queues/<base>/journal.jsonl · lock · vacant · requests/ · orders/
//!                                  git/ · lanes/N/ · trials/<commit>/ · receipts/
//! ```

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Digest, LoopId};
use gulf_host::clock::Clock;
use gulf_host::digest;
use gulf_host::files::{self, WriteError};
use gulf_host::home::Requests;
use gulf_host::journal::{self, Durability, Journal, JournalError, LocalJournal, Record};
use gulf_queue::{Event, QueueFact, QueueState};

use super::base;
use crate::agreement::{LandingTerms, PushTerms};
use crate::book::{parse, print};
use crate::error::RunError;
use crate::folder::{Lane, LoopPaths, file_name};

/// As many hexadecimal digits tell one repository's base branches apart.
const BASE_DIGITS: usize = 16;

/// What tells one base branch from another. A remote's is another one when it lies elsewhere: whoever leads the queue
/// pushes for all who wait in it.
pub(super) fn base_digits(base: &str, push: Option<&PushTerms>) -> String {
    let told = match push.filter(|_| base::is_remote(base)) {
        Some(push) => format!("{base}\0{}\0{}", push.url, push.branch),
        None => base.to_owned(),
    };
    digest::Digest::of_bytes(told.as_bytes()).to_string().chars().take(BASE_DIGITS).collect()
}

/// The folder of one queue.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueuePlace {
    pub(crate) root: Utf8PathBuf,
}

impl QueuePlace {
    /// The queue of the base branch in the repository of this loop.
    pub(crate) fn for_loop(folder: &LoopPaths, terms: &LandingTerms) -> Self {
        let name = base_digits(&terms.base, terms.push.as_ref());
        Self { root: folder.repository_home().join("queues").join(name) }
    }

    /// The queue as its journal tells by now, beside the leader; nobody waits in one that is not there yet.
    pub(crate) fn state(&self) -> Result<QueueState, RunError> {
        match journal::read(&self.root) {
            Err(JournalError::Failed { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(QueueState::default())
            }
            read => state_of(&read?),
        }
    }

    pub(crate) fn create(&self) -> Result<(), WriteError> {
        for folder in [self.requests().directory(), &self.orders()] {
            files::create_private_directories(folder, files::Durability::Synced)?;
        }
        Ok(())
    }

    /// Where loops leave that they join, or leave.
    pub(crate) fn requests(&self) -> Requests {
        Requests::in_directory(self.root.join("requests"))
    }

    /// Ends the waits of all who watch this folder, to lead or to land.
    pub(crate) fn tell_that_nobody_leads(&self) -> Result<(), WriteError> {
        files::replace(&self.root.join("vacant"), b"", files::Durability::Buffered)
    }

    fn orders(&self) -> Utf8PathBuf {
        self.root.join("orders")
    }

    /// What a loop wants to land; `turn` counts how often it waited before.
    pub(crate) fn order(&self, loop_id: &LoopId, candidate: &str, turn: usize) -> Utf8PathBuf {
        self.orders().join(format!("{}-{candidate}-{turn}.json", file_name(loop_id.as_str())))
    }

    /// The same, as the queue's journal calls it.
    pub(crate) fn order_of(&self, request: &Digest) -> Utf8PathBuf {
        self.orders().join(format!("{request}.json"))
    }

    /// gulf's own git directory for the queue: loops come and go.
    pub(crate) fn git(&self) -> Utf8PathBuf {
        self.root.join("git")
    }

    /// What was said of a merged commit: logs, and a record for each check.
    pub(crate) fn trial(&self, merged: &str) -> Utf8PathBuf {
        self.root.join("trials").join(merged)
    }

    /// A check's record in the folder of a trial.
    pub(crate) fn record(&self, merged: &str, check: &str) -> Utf8PathBuf {
        self.trial(merged).join(format!("{}.json", file_name(check)))
    }

    /// What a check said of a merged commit before it said something else.
    pub(crate) fn flake(&self, merged: &str) -> Utf8PathBuf {
        self.trial(merged).join("flake.json")
    }

    /// Where merged commits are checked out, one at a time.
    pub(crate) fn lane(&self, number: usize, merged: &str) -> Lane {
        let rooms = self.root.join("lanes").join(number.to_string());
        Lane { owner: self.root.clone(), rooms, logs: self.trial(merged) }
    }

    /// What was proven about a commit that the base was moved to.
    pub(crate) fn receipt(&self, landed: &str) -> Utf8PathBuf {
        self.root.join("receipts").join(format!("{landed}.json"))
    }
}

// A queue's journal together with its fold: what is on disk, and what it means.

/// The journal of a queue that this process leads.
#[derive(Debug)]
pub(crate) struct QueueBook {
    journal: LocalJournal,
    state: QueueState,
    clock: Clock,
}

impl QueueBook {
    /// Takes the queue; `None` where somebody else leads it.
    pub(crate) fn open(folder: &Utf8Path) -> Result<Option<Self>, RunError> {
        let note = format!("process {}", std::process::id());
        let (journal, torn, records) = match LocalJournal::open_and_read(folder, note.as_bytes()) {
            Err(JournalError::Locked(_)) => return Ok(None),
            opened => opened?,
        };
        let mut book = Self { journal, state: state_of(&records)?, clock: Clock::new() };
        if let Some(torn) = torn {
            book.record(QueueFact::TailDropped { bytes: torn.bytes }, Durability::Synced)?;
        }
        Ok(Some(book))
    }

    pub(crate) fn state(&self) -> &QueueState {
        &self.state
    }

    /// Appends a fact, then believes it.
    pub(crate) fn record(&mut self, fact: QueueFact, durability: Durability) -> Result<(), RunError> {
        let (sequence, at_ms) = (self.state.sequence() + 1, self.clock.wall_ms());
        let event = Event { sequence, at_ms, fact };
        self.journal.append(sequence, &[print(&event)?], durability)?;
        self.state.apply(&event);
        match self.state.anomaly() {
            Some(anomaly) => Err(RunError::Anomaly { sequence: anomaly.sequence, what: anomaly.what }),
            None => Ok(()),
        }
    }
}

fn state_of(records: &[Record]) -> Result<QueueState, RunError> {
    let mut state = QueueState::default();
    parse::<Event>(records)?.iter().for_each(|event| state.apply(event));
    Ok(state)
}
