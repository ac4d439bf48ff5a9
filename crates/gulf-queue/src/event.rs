//! Facts, as a queue's journal keeps them. Public and versioned: a journal written today is read by every later gulf.

use crate::effect::{QueueKey, QueueResult};
use crate::entry::{Entry, EntryEnding, EntryId, FailureEvidence, Ticket, Tip};
use alloc::string::String;
use core::num::NonZeroU32;
use gulf_engine::Digest;
use serde::{Deserialize, Serialize};

/// One fact, when it happened, and its place in the journal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Event {
    /// Counted from 1 without gaps.
    pub sequence: u64,
    /// Wall clock, milliseconds since 1970: for people only, it may jump.
    pub at_ms: u64,
    /// What happened.
    pub fact: QueueFact,
}

/// What can happen to a queue.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum QueueFact {
    /// A leader took the queue; whatever an earlier one had begun is an orphan now, and the base is looked at anew.
    Attached {
        leader: String,
        terms: Terms,
        /// Of the surroundings in which checks run: what they said elsewhere does not count here.
        environment: Digest,
    },
    /// An entry waits. Changes nothing when it does already, or when this very request was settled.
    Joined { entry: Entry },
    /// An entry was withdrawn; `admit` refuses it while a move that was announced holds the entry.
    Left { entry: EntryId },
    /// Where the base is, whoever moved it; a leader says so before it tries anything.
    BaseSeen { tip: Tip },
    /// An effect starts.
    Began { key: QueueKey },
    /// An effect is over; changes nothing when it is not running.
    Ended { key: QueueKey, result: QueueResult },
    /// A test said first no and then yes about the same tree.
    Flaked { flake: Flake },
    /// An entry's waiting is over.
    Settled { ticket: Ticket, entry: EntryId, ending: EntryEnding },
    /// An unfinished last line of the journal was set aside; changes nothing.
    TailDropped { bytes: u64 },
}

/// What a leader may use, and when it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Terms {
    /// So many trials are tested at once; with one, several entries are tested as a batch.
    pub lanes: NonZeroU32,
    /// So many entries at most are looked at together.
    pub window_max: NonZeroU32,
    /// What the host cannot do is tried so often.
    pub tries_max: NonZeroU32,
}

/// A red test whose second run was green: the verdict is green, and somebody should know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Flake {
    /// Of the last entry in what was tested.
    pub ticket: Ticket,
    pub tip: Tip,
    /// Of the red run.
    pub evidence: FailureEvidence,
}
