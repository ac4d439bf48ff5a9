//! When a loop counts as stuck, and the bookkeeping behind it.
//!
//! Planning, a red test that is being worked on, and an outage are not standstill (PEERS "breakers that misfire"):
//! only refused claims and turns that left no trace count.

use crate::contract::{Base, Gate, StuckPolicy};
use crate::effect::{Candidate, CheckVerdict, LandingWord};
use crate::end::Stall;
use crate::event::Settlement;
use crate::exit_signal;
use crate::ids::{Digest, TreeId};
use crate::state::StateFields;
use crate::turn::{Brief, Orientation, OrientationEnd, Turn};
use crate::unit::{Streaks, Unit, Words};
use alloc::{vec, vec::Vec};
use core::num::NonZeroU32;

/// As many trees as the oldest question asked of them needs: now, before, and before that.
const TREES_KEPT_MAX: usize = 3;

/// So many iterations in a row without progress are a plateau (SPEC L4).
const PLATEAU_MIN: u32 = 2;

/// Counts a settled iteration.
pub(crate) fn settle(
    unit: &mut Unit,
    base: &Base,
    turn: &Turn,
    candidate: &Candidate,
    settlement: Settlement,
    policy: &StuckPolicy,
) {
    let before = unit.tree_before(base).clone();
    // Reading is the work where a brief is asked for, and the way to a claim or to a change by commands: there it is
    // not known where orienting was over.
    if settlement.came_to_something() && settlement != Settlement::Research {
        let came_to_nothing = settlement == Settlement::Unclaimed && before == candidate.tree;
        let orientation = turn.orientation.filter(|one| came_to_nothing || one.until == OrientationEnd::Edit);
        count_cold_start(&mut unit.streaks, orientation, policy);
    }
    match settlement {
        Settlement::Research => unit.streaks.research += 1,
        Settlement::AgentFailed | Settlement::RateLimited => return,
        Settlement::NeedsPerson | Settlement::Declined => return,
        // Counted below: whatever else comes in between ends the row.
        Settlement::Unclaimed | Settlement::Unjudged => {}
        Settlement::Refused { gate } => count_refusal(unit, gate, candidate, policy),
        Settlement::Rejected => count_claim(unit, candidate),
        Settlement::Asked => {
            unit.is_asked = true;
            unit.streaks.forgive();
        }
        // A question is never held against the worker (SPEC B5).
        Settlement::Questioned | Settlement::Blocked | Settlement::Steered => unit.streaks.forgive(),
        Settlement::Approved => {
            unit.approved = Some(candidate.clone());
            unit.streaks.forgive();
        }
    }
    let idle = idle(&unit.streaks, turn, &before, &candidate.tree);
    unit.streaks.idle = if settlement == Settlement::Unclaimed { idle } else { 0 };
    let unjudged = unit.streaks.unjudged + 1;
    unit.streaks.unjudged = if settlement == Settlement::Unjudged { unjudged } else { 0 };
    if settlement != Settlement::Questioned {
        count_oscillation(unit, &candidate.tree);
    }
    unit.trees.push(candidate.tree.clone());
    if unit.trees.len() > TREES_KEPT_MAX {
        unit.trees.remove(0);
    }
}

/// The fingerprints of everything that says no about a tree.
pub(crate) fn failure(words: &Words) -> Vec<Digest> {
    words
        .checks
        .values()
        .filter_map(|run| match &run.verdict {
            CheckVerdict::Green { .. } => None,
            CheckVerdict::Red { fingerprint } | CheckVerdict::Unrunnable { fingerprint, .. } => {
                Some(fingerprint.clone())
            }
        })
        .collect()
}

fn count_cold_start(streaks: &mut Streaks, orientation: Option<Orientation>, policy: &StuckPolicy) {
    if let (Some(orientation), Some(bp_max)) = (orientation, policy.orientation_bp_max) {
        streaks.cold_starts = if orientation.used_bp > bp_max { streaks.cold_starts + 1 } else { 0 };
    }
}

/// Turns without a trace in a row, with this one.
pub(crate) fn idle(streaks: &Streaks, turn: &Turn, before: &TreeId, now: &TreeId) -> u32 {
    let traceless = before == now && turn.tool_calls.unwrap_or(0) == 0 && turn.brief != Brief::Complete;
    if traceless { streaks.idle + 1 } else { 0 }
}

fn count_refusal(unit: &mut Unit, gate: Gate, candidate: &Candidate, policy: &StuckPolicy) {
    count_claim(unit, candidate);
    let failure = match (gate, &unit.landing) {
        (Gate::Landing, Some(LandingWord::Refused { fingerprint, .. })) => vec![fingerprint.clone()],
        (Gate::Tasks, _) => vec![exit_signal::failure(unit.tally)],
        _ => unit.words.get(&candidate.tree).map(failure).unwrap_or_default(),
    };
    let claimed = unit.claim.is_some();
    let streaks = &mut unit.streaks;
    if gate == Gate::Judge && streaks.rejected_tree.as_ref() != Some(&candidate.tree) {
        streaks.rejections += 1;
        streaks.rejected_tree = Some(candidate.tree.clone());
    }
    // Rejections have a counter and a gate of their own.
    if claimed && gate != Gate::Judge {
        streaks.same_failure = if streaks.failure == failure { streaks.same_failure + 1 } else { 1 };
        streaks.failure.clone_from(&failure);
        if policy.recurrences_max.is_some() {
            streaks.count_recurrence(failure);
        }
    } else if gate == Gate::Judge {
        // Every check says yes: whatever failed before is overcome.
        streaks.failures.clear();
    }
}

impl StateFields {
    /// The way in which the unit is stuck, if it is. Iterations in a row that changed no number for the better are never a
    /// success.
    pub fn stall(&self) -> Option<Stall> {
        let (streaks, policy) = (&self.unit.streaks, &self.contract.as_ref()?.policy);
        let stuck = &policy.stuck;
        let converges = policy.feedback.is_some_and(|feedback| feedback.auto_converge);
        let recurrences_max = stuck.recurrences_max.map_or(u32::MAX, NonZeroU32::get);
        let counts = [
            (streaks.unimproved, if converges { PLATEAU_MIN } else { u32::MAX }, Stall::Plateau),
            (streaks.same_candidate, stuck.same_candidate_max.get(), Stall::SameCandidate),
            (streaks.oscillations, stuck.oscillations_max.get(), Stall::Oscillation),
            (streaks.same_failure, stuck.same_failure_max.get(), Stall::SameFailure),
            (streaks.idle, stuck.idle_max.get(), Stall::Idle),
            (streaks.recurrences(), recurrences_max, Stall::Recurrence),
        ];
        counts.into_iter().find(|(count, max, _)| count >= max).map(|(_, _, stall)| stall)
    }
}

impl Streaks {
    /// Fewer failures than ever since the last progress are progress: what failed before is counted anew.
    fn count_recurrence(&mut self, failure: Vec<Digest>) {
        if self.failures.keys().all(|earlier| failure.len() < earlier.len()) {
            self.failures.clear();
        }
        *self.failures.entry(failure).or_default() += 1;
    }

    /// How often the most frequent failure came since the last progress.
    pub fn recurrences(&self) -> u32 {
        self.failures.values().copied().max().unwrap_or(0)
    }
}

/// A claim on what was refused already is no progress, whoever refused it.
fn count_claim(unit: &mut Unit, candidate: &Candidate) {
    if unit.claim.is_none() {
        return;
    }
    let streaks = &mut unit.streaks;
    let same_tree = streaks.refused_tree.as_ref() == Some(&candidate.tree);
    streaks.same_candidate = if same_tree { streaks.same_candidate + 1 } else { 1 };
    streaks.refused_tree = Some(candidate.tree.clone());
}

fn count_oscillation(unit: &mut Unit, now: &TreeId) {
    let [.., before_last, last] = unit.trees.as_slice() else { return };
    if before_last == now && last != now {
        unit.streaks.oscillations += 1;
    } else if !unit.trees.contains(now) {
        unit.streaks.oscillations = 0;
    }
}
