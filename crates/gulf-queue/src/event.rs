//! Facts, as a queue's journal keeps them, and what they are about: who waits and how that ends, what may be wanted done and
//! what came of it. Public and versioned: a journal written today is read by every later gulf.

use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::num::NonZeroU32;
use gulf_engine::{CheckName, CommitId, Digest, LoopId, TreeId};
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

// Who waits in the queue, and how their waiting ends.

/// A place in the line, counted from 1 and never given twice: who joins again after an ending has another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ticket(pub u32);

/// What wants to land: one loop's one candidate. Joining twice with it is joining once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntryId {
    pub loop_id: LoopId,
    pub candidate: CommitId,
}

/// A loop's verified candidate that waits to land.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Entry {
    pub id: EntryId,
    /// Of the request to join, in which stands what else the runner must know. The same request after an ending is not
    /// another turn, but a file that a crash left behind.
    pub request: Digest,
    /// Of each check that must be green wherever the entry lands.
    pub checks: BTreeSet<Digest>,
    /// Of all entries with the same digest here only one lands, the first that can: the others are withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_of: Option<Digest>,
}

impl Entry {
    /// May only one of the two land?
    pub(crate) fn is_rival_of(&self, other: &Entry) -> bool {
        self.one_of.is_some() && self.one_of == other.one_of && self.id.loop_id != other.id.loop_id
    }
}

/// A commit that is the base's tip, or would be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Tip {
    pub commit: CommitId,
    /// What verdicts are about (SPEC B2).
    pub tree: TreeId,
}

/// How waiting ends; each place in the line sees exactly one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EntryEnding {
    /// The base holds it.
    Landed {
        /// The entry's own merge; the base's tip where it held the change already.
        commit: CommitId,
        /// Where the base was before the move that brought it.
        from: CommitId,
        /// The commit that was tested and moved to: `commit`, or one that holds it.
        to: CommitId,
    },
    /// It cannot land as it is: a task for its worker.
    Evicted { why: Eviction },
    /// It was green on the base's tip, and the base cannot be moved now.
    NotReady { reason: String },
    /// It could not be merged, tested or landed, after retries; this says nothing about it.
    Failed { reason: String },
    /// It was withdrawn.
    Left,
    /// One landed that it was to land instead of.
    Outrun { by: EntryId },
}

/// Why an entry cannot land, always about the base's tip alone: whatever waited before it has landed or ended by then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Eviction {
    /// It cannot be merged onto the tip.
    Conflict { tip: CommitId, paths: Vec<String> },
    /// The tip with it was tested twice, and was red twice.
    Red { tip: CommitId, merged: CommitId, evidence: FailureEvidence },
}

/// What a red test leaves to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FailureEvidence {
    /// The checks that said no.
    pub checks: Vec<CheckName>,
    /// The same, as the trial knew them: where they are asked again, their no stands.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub failed: BTreeSet<Digest>,
    /// Tests that the base or an entry had and the merged commit has not.
    pub tests_lost: Vec<String>,
    /// One line for people.
    pub summary: String,
    /// Of the complete output, which lies in the queue's folder.
    pub log: Option<Digest>,
}

impl FailureEvidence {
    /// Nothing said no: there was nothing to ask.
    pub fn is_untested(&self) -> bool {
        self.checks.is_empty() && self.tests_lost.is_empty()
    }
}

// What a queue may want done, and what came of it.

/// Which effect. As in the engine, an effect is wanted by its key and the same key never runs twice. A trial needs no name: it
/// is the commit that a chain of merges led to, so it stays the same trial when the base moves onto an earlier one of the chain.
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
