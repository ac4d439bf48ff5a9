//! What a queue may want done, and what came of it.
//!
//! As in the engine, an effect is wanted by its key and the same key never runs twice. A trial needs no name: it is the
//! commit that a chain of merges led to, so it stays the same trial when the base moves onto an earlier one of the chain.

use crate::entry::{FailureEvidence, Ticket, Tip};
use alloc::{collections::BTreeSet, string::String, vec::Vec};
use gulf_engine::{CommitId, Digest};
use serde::{Deserialize, Serialize};

/// Which effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct QueueKey {
    /// Counted from 1 for each work; an interrupted attempt's number is never used again.
    pub attempt: u32,
    /// What is done.
    pub work: QueueWork,
}

/// The kinds of effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum QueueWork {
    /// Build the commit that joins the entry's candidate to this one.
    Merge {
        ticket: Ticket,
        /// The base's tip, or the merge of an entry before.
        onto: CommitId,
    },
    /// Run checks on a merged commit, in a fresh checkout.
    Test {
        /// Of the last entry in it.
        ticket: Ticket,
        tip: Tip,
        /// Of all entries in it that the base does not hold.
        checks: BTreeSet<Digest>,
    },
    /// Move the base from this commit to that one, or not at all.
    Move { from: CommitId, to: Tip, landing: Vec<EntryLanding> },
}

impl QueueWork {
    /// May it be done again without harm? If not, `Began` must be on disk before it starts.
    pub fn is_repeatable(&self) -> bool {
        match self {
            Self::Merge { .. } | Self::Test { .. } => true,
            Self::Move { .. } => false,
        }
    }

    /// The entry it is done for, the last one where there are several; and the commit it is about.
    pub(crate) fn subject(&self) -> (Ticket, CommitId) {
        match self {
            Self::Merge { ticket, onto } => (*ticket, onto.clone()),
            Self::Test { ticket, tip, .. } => (*ticket, tip.commit.clone()),
            Self::Move { to, landing, .. } => {
                (landing.last().map(|last| last.ticket).unwrap_or_default(), to.commit.clone())
            }
        }
    }
}

/// One entry that a move brings to the base.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntryLanding {
    pub ticket: Ticket,
    /// Its own merge; the commit before it in the chain where it adds nothing to that.
    pub commit: CommitId,
}

/// What came of an effect. On the wire a word stands beside the kind, in one object: no type inside may have a `kind`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum QueueResult {
    /// The merge stands; where it changes nothing, its tree is that of the commit it was built on.
    Merged(Tip),
    /// There is no merge without somebody's decision.
    Conflict { paths: Vec<String> },
    /// Every check said yes.
    Green,
    /// A check said no.
    Red(FailureEvidence),
    /// The base is where it was to go.
    Moved,
    /// The base was somewhere else, and was left there.
    BaseMoved { tip: Tip },
    /// The base cannot be moved now, whatever is to land.
    NotReady { reason: String },
    /// It was stopped, by gulf or by gulf's death, and changed nothing.
    Interrupted,
    /// The host could not do it; this says nothing about the entries.
    Failed { reason: String },
}
