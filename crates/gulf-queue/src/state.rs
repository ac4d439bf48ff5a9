//! The state of one queue: a fold of its journal. Fields change in `apply` only.

use crate::event::{Entry, EntryEnding, EntryId, Flake, QueueKey, QueueWork, Terms, Ticket, Tip};
use crate::verdicts::{VerdictSubject, Verdicts};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{string::String, vec::Vec};
use gulf_engine::{Anomaly, CommitId, Digest};

/// So many entries are looked at together before anything is known, if there may be as many.
pub const WINDOW_START: u32 = 4;
/// So many endings are remembered, the newest.
pub const SETTLED_MAX: usize = 1024;

/// The fold of a journal's events.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueState {
    pub(crate) sequence: u64,
    pub(crate) anomaly: Option<Anomaly>,
    pub(crate) terms: Option<Terms>,
    pub(crate) environment: Option<Digest>,
    /// Unknown until a leader has looked, and when nobody waits.
    pub(crate) base: Option<Tip>,
    /// So many entries are looked at together; grows with every landing, halves when an entry's test is red. 0 before the
    /// first leader.
    pub(crate) window: u32,
    pub(crate) line: Vec<Place>,
    /// The last one given.
    pub(crate) ticket: Ticket,
    /// What came of merging an entry onto a commit.
    pub(crate) merges: BTreeMap<(Ticket, CommitId), Merge>,
    pub(crate) verdicts: Verdicts,
    pub(crate) running: BTreeSet<QueueKey>,
    pub(crate) orphans: BTreeSet<QueueKey>,
    pub(crate) attempts: BTreeMap<QueueWork, u32>,
    /// How often in a row the host could not do it, and why.
    pub(crate) failures: BTreeMap<(Ticket, CommitId), (u32, String)>,
    /// Those that nobody was told of.
    pub(crate) flakes: Vec<Flake>,
    pub(crate) settled: Vec<Settled>,
}

/// An entry in the line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub ticket: Ticket,
    pub entry: Entry,
    /// Known already, and to be told next.
    pub ending: Option<EntryEnding>,
}

/// An entry whose waiting is over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Settled {
    pub ticket: Ticket,
    pub entry: Entry,
    pub ending: EntryEnding,
}

/// What came of a merge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Merge {
    Made(Tip),
    Conflict(Vec<String>),
}

impl QueueState {
    /// The sequence number of the last event folded in.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Set when the journal holds something that no leader writes.
    pub fn anomaly(&self) -> Option<&Anomaly> {
        self.anomaly.as_ref()
    }

    /// Where the base was seen, if that is known and somebody waits.
    pub fn base(&self) -> Option<&Tip> {
        self.base.as_ref()
    }

    /// Who waits, first come first.
    pub fn line(&self) -> &[Place] {
        &self.line
    }

    /// The entry that waits there.
    pub fn place(&self, ticket: Ticket) -> Option<&Place> {
        self.line.iter().find(|place| place.ticket == ticket)
    }

    /// Where this entry waits.
    pub fn place_of(&self, id: &EntryId) -> Option<&Place> {
        self.line.iter().find(|place| place.entry.id == *id)
    }

    /// Who may be tried and land, in this order: one whose rival came first waits for what becomes of that.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = &Place> {
        let open = self.line.iter().enumerate().filter(|(_, place)| place.ending.is_none());
        open.filter(|(at, place)| {
            let mut before = self.line.iter().take(*at).filter(|other| other.ending.is_none());
            !before.any(|other| place.entry.is_rival_of(&other.entry))
        })
        .map(|(_, place)| place)
    }

    /// Effects begun and not ended.
    pub fn running(&self) -> &BTreeSet<QueueKey> {
        &self.running
    }

    /// Whose waiting is over, the newest last.
    pub fn settled(&self) -> &[Settled] {
        &self.settled
    }

    /// Does the entry wait, or has what this request began an end?
    pub(crate) fn is_known(&self, entry: &Entry) -> bool {
        self.place_of(&entry.id).is_some() || self.ending_of(&entry.id, &entry.request).is_some()
    }

    /// How the waiting that began with this request ended.
    pub fn ending_of(&self, id: &EntryId, request: &Digest) -> Option<&EntryEnding> {
        let same = |settled: &&Settled| settled.entry.id == *id && settled.entry.request == *request;
        self.settled.iter().rev().find(same).map(|settled| &settled.ending)
    }

    /// Does a move that was announced bring this entry to the base?
    pub fn is_landing(&self, ticket: Ticket) -> bool {
        self.moving().is_some_and(|key| match &key.work {
            QueueWork::Move { landing, .. } => landing.iter().any(|one| one.ticket == ticket),
            QueueWork::Merge { .. } | QueueWork::Test { .. } => false,
        })
    }

    pub(crate) fn moving(&self) -> Option<&QueueKey> {
        self.running.iter().find(|key| matches!(key.work, QueueWork::Move { .. }))
    }

    /// Why the host can do no more about this, if so.
    pub(crate) fn given_up(&self, subject: &(Ticket, CommitId)) -> Option<&str> {
        let tries_max = self.terms.map_or(1, |terms| terms.tries_max.get());
        let (count, reason) = self.failures.get(subject)?;
        (*count >= tries_max).then_some(reason)
    }

    pub(crate) fn subject(&self, tip: &Tip, checks: &BTreeSet<Digest>) -> Option<VerdictSubject> {
        let environment = self.environment.clone()?;
        Some(VerdictSubject { tree: tip.tree.clone(), checks: checks.clone(), environment })
    }
}
