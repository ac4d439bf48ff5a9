//! Who waits in the queue, and how their waiting ends.

use alloc::{collections::BTreeSet, string::String, vec::Vec};
use gulf_engine::{CheckName, CommitId, Digest, LoopId, TreeId};
use serde::{Deserialize, Serialize};

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

impl FailureEvidence {
    /// Nothing said no: there was nothing to ask.
    pub fn is_untested(&self) -> bool {
        self.checks.is_empty() && self.tests_lost.is_empty()
    }
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
