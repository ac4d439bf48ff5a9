//! What a queue wants next: a pure function of its state.
//!
//! Nothing is queued: what is wanted is computed after every event, and a leader cancels what runs and is no longer
//! wanted. So a moved base, an eviction or a withdrawn entry needs no rule for what becomes of the trials under way.

use crate::event::{EntryEnding, Eviction, QueueFact, QueueKey, QueueWork, Terms, Tip};
use crate::plan::{self, MergeStatus};
use crate::state::{Merge, Place, QueueState};
use alloc::{string::String, vec::Vec};

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueueDecision {
    /// Exactly these effects run, no others; keys of what runs already are among them.
    Run { effects: Vec<QueueKey> },
    /// This effect was begun by a leader that is gone: look at the world, then report how it ended. A merge or a test was
    /// interrupted; a move is finished, or undone and interrupted, or the base is elsewhere.
    Recover(QueueKey),
    /// Look where the base is, and report it.
    Look,
    /// What is known without a look at the world is written down: an entry's waiting is over, or a test was a flake.
    Record(QueueFact),
    /// Nothing is wanted: nobody leads, nobody waits, or the journal is not in order.
    Rest,
}

/// Computes what is wanted.
pub fn decide(state: &QueueState) -> QueueDecision {
    let Some(terms) = state.terms.filter(|_| state.anomaly.is_none()) else { return QueueDecision::Rest };
    if let Some(orphan) = state.orphans.first() {
        return QueueDecision::Recover(orphan.clone());
    }
    if let Some(flake) = state.flakes.first() {
        return QueueDecision::Record(QueueFact::Flaked { flake: flake.clone() });
    }
    let Some(first) = state.line.first() else {
        let is_idle = state.running.is_empty();
        return if is_idle { QueueDecision::Rest } else { QueueDecision::Run { effects: Vec::new() } };
    };
    let known = state.line.iter().find(|place| place.ending.is_some());
    if let Some(place) = known
        && let Some(ending) = place.ending.clone()
    {
        return settle(place, ending);
    }
    let Some(base) = &state.base else { return QueueDecision::Look };
    match judged(state, first, base) {
        Some(ending) => settle(first, ending),
        None => QueueDecision::Run { effects: effects(state, terms, base) },
    }
}

fn settle(place: &Place, ending: EntryEnding) -> QueueDecision {
    let entry = place.entry.id.clone();
    QueueDecision::Record(QueueFact::Settled { ticket: place.ticket, entry, ending })
}

/// What is known of the first in the line, alone on the base's tip.
fn judged(state: &QueueState, first: &Place, base: &Tip) -> Option<EntryEnding> {
    let subject = (first.ticket, base.commit.clone());
    let tip = base.commit.clone();
    let merged = match state.merges.get(&subject) {
        None => {
            let reason = String::from(state.given_up(&subject)?);
            return Some(EntryEnding::Failed { reason });
        }
        Some(Merge::Conflict(paths)) => {
            return Some(EntryEnding::Evicted { why: Eviction::Conflict { tip, paths: paths.clone() } });
        }
        Some(Merge::Made(merged)) if merged.tree == base.tree => {
            return Some(EntryEnding::Landed { commit: tip.clone(), from: tip.clone(), to: tip });
        }
        Some(Merge::Made(merged)) => merged,
    };
    match state.standing(merged, &first.entry.checks, first.ticket) {
        MergeStatus::Red(evidence) => {
            let (merged, evidence) = (merged.commit.clone(), evidence.clone());
            Some(EntryEnding::Evicted { why: Eviction::Red { tip, merged, evidence } })
        }
        MergeStatus::Broken(reason) => Some(EntryEnding::Failed { reason: String::from(reason) }),
        MergeStatus::Green | MergeStatus::Unknown | MergeStatus::Suspect => None,
    }
}

/// In the order in which they should begin.
fn effects(state: &QueueState, terms: Terms, base: &Tip) -> Vec<QueueKey> {
    let lanes = usize::try_from(terms.lanes.get()).unwrap_or(usize::MAX);
    let plan = if lanes == 1 { plan::batch(state, base) } else { plan::side_by_side(state, base) };
    // What was announced is carried out, whatever would be wanted by now.
    let moving = state.moving().map(|key| key.work.clone());
    let works =
        moving.or(plan.landing).into_iter().chain(plan.merge).chain(plan.tests.into_iter().take(lanes));
    works.map(|work| key(state, work)).collect()
}

/// The key under which this work runs, or would run next.
fn key(state: &QueueState, work: QueueWork) -> QueueKey {
    if let Some(running) = state.running.iter().find(|key| key.work == work) {
        return running.clone();
    }
    let attempt = state.attempts.get(&work).copied().unwrap_or(0) + 1;
    QueueKey { attempt, work }
}
