//! What was measured of an iteration, and what follows from it (SPEC L2 to L7): phases, success, plateau, a person's look.
//!
//! Numbers decide here: gulf measures them itself, so that nobody has to claim anything.

use crate::contract::{Contract, CoverageNeed, FeedbackPolicy, FollowUp, ForceMax, Gate, JudgeWhen};
use crate::decision::{Decision, Evaluation};
use crate::effect::{Candidate, EffectKind};
use crate::event::{PauseReason, Settlement};
use crate::feedback::{COUNT_TOLD_MAX, COVERAGE_BP_MAX, Feedback, Phase, RecordedFeedback};
use crate::refusal::{NOTE_BYTES_MAX, Refusal};
use crate::state::{Next, Stage, StateFields};
use crate::stuck;
use crate::turn::TurnOutcome;
use crate::unit::Unit;

impl Phase {
    /// The phase of a loop. After an iteration is settled it stays in review until the next one begins; a pause changes
    /// nothing about it, but where somebody is to look at what was measured.
    pub fn from_state(state: &StateFields) -> Self {
        match state.innermost_stage() {
            Stage::Unsealed => Self::Analyze,
            Stage::Between(_) if state.is_stepping() => Self::Analyze,
            Stage::Between(Next::Advance) if state.unit.steps.begun || state.unit.iteration == 0 => {
                Self::Analyze
            }
            Stage::Between(Next::Advance) | Stage::Ended(_) | Stage::Paused(..) => Self::Review,
            Stage::Turn | Stage::Between(Next::Repeat) if state.is_researching() => Self::Analyze,
            Stage::Turn | Stage::FollowUp(..) | Stage::Between(Next::Repeat) => Self::Implement,
            Stage::Settling(_) | Stage::Gates(..) if is_looked_at(state) => Self::Review,
            Stage::Settling(_) | Stage::Gates(..) => Self::Test,
        }
    }

    /// The iteration that the phase belongs to: an analysis is the first of a new one (SPEC L2).
    pub fn iteration(state: &StateFields) -> u32 {
        let is_stepping = state.unit.steps.begun || state.is_stepping();
        let (true, Stage::Between(next)) = (is_stepping, state.innermost_stage()) else {
            return state.unit.iteration;
        };
        state.next_turn(*next).0
    }
}

/// The judge looks at the candidate in hand, or a person does, or did.
fn is_looked_at(state: &StateFields) -> bool {
    let rests_for_a_look =
        matches!(state.stage, Stage::Paused(reason, _) if !matches!(reason, PauseReason::Asked));
    let was_reviewed = state.unit.review_seen == state.unit.iteration;
    rests_for_a_look || was_reviewed || state.running.iter().any(|key| key.work == EffectKind::Judge)
}

/// Counts what was measured of an iteration that came to something. Who asks is not counted.
pub(crate) fn settle(unit: &mut Unit, contract: &Contract, candidate: &Candidate, settlement: Settlement) {
    let is_counted = contract.policy.feedback.is_some()
        && settlement.came_to_something()
        && !matches!(settlement, Settlement::Questioned | Settlement::Blocked);
    let Some(words) = unit.words.get(&candidate.tree).filter(|_| is_counted) else { return };
    if !contract.open_checks().all(|terms| words.checks.contains_key(&terms.name)) {
        return;
    }
    let now = Feedback::from_runs(contract, unit.iteration, &words.checks);
    unit.feedback = Some(now);
    let is_first = unit.best.is_none();
    let improved = unit.best.get_or_insert_default().improve(&now) || is_first;
    unit.streaks.unimproved = if improved { 0 } else { unit.streaks.unimproved + 1 };
}

/// What somebody tells is about the present, and of a plausible size.
pub(crate) fn check_told(state: &StateFields, told: &RecordedFeedback) -> Result<(), Refusal> {
    let Feedback { phase, iteration, tests_passed, tests_failed, lint_errors, coverage_bp, .. } =
        told.feedback;
    let (now, from) = (Phase::iteration(state), Phase::from_state(state));
    if iteration != now {
        return Err(Refusal::Stale { made_in: iteration, now });
    }
    if phase != from {
        return Err(Refusal::Transition { from, to: phase });
    }
    for (what, number, max) in [
        ("tests_passed", tests_passed, COUNT_TOLD_MAX),
        ("tests_failed", tests_failed, COUNT_TOLD_MAX),
        ("lint_errors", lint_errors, COUNT_TOLD_MAX),
        ("coverage", coverage_bp, COVERAGE_BP_MAX),
    ] {
        if number.is_some_and(|number| number > max) {
            return Err(Refusal::OutOfRange { what, max });
        }
    }
    let bytes = told.notes.len().max(told.by.len());
    if bytes > NOTE_BYTES_MAX { Err(Refusal::TooLong { bytes }) } else { Ok(()) }
}

impl StateFields {
    /// What a success is measured by: coverage that was measured once, of the base or since, must not get lost.
    pub fn feedback_policy(&self) -> Option<FeedbackPolicy> {
        let mut policy = self.contract.as_deref()?.policy.feedback?;
        let was_covered = self.unit.best.is_some_and(|best| best.coverage_bp.is_some())
            || self.probes.values().any(|run| run.coverage_bp.is_some());
        if was_covered {
            policy.coverage = CoverageNeed::Required;
        }
        Some(policy)
    }
}

impl Evaluation<'_> {
    /// What the checks measured of this candidate, once all of them have spoken.
    fn measured(&self, candidate: &Candidate) -> Option<Feedback> {
        let runs = &self.gate_words(&candidate.tree)?.checks;
        let is_whole = self.contract.open_checks().all(|terms| runs.contains_key(&terms.name));
        is_whole.then(|| Feedback::from_runs(self.contract, self.state.unit.iteration, runs))
    }

    /// SPEC L4: the numbers claim what nobody has said. Where nothing changed they say nothing about the work, and where
    /// there is a list of tasks they are no exit signal.
    pub(crate) fn is_success(self, candidate: &Candidate) -> bool {
        self.is_changed(candidate) && !self.lacks_signal() && self.has_numbers(candidate)
    }

    /// Somebody said that it is done, or the numbers do.
    pub(crate) fn is_claimed(self, candidate: &Candidate) -> bool {
        self.state.unit.claim.is_some() || self.is_success(candidate)
    }

    /// On a claim, where no iteration follows if there is anything to look at, or at every stop where the person wants
    /// that.
    pub(crate) fn is_evaluated(self, candidate: &Candidate) -> bool {
        let is_last = self.is_at_limit() || self.is_idle_to_the_end(candidate);
        self.is_claimed(candidate)
            || (is_last && self.is_changed(candidate) && !self.lacks_signal())
            || self.contract.policy.judge == JudgeWhen::Every
    }

    /// With this turn the loop stands still, and nobody said that it is done: the gates are asked before it is given up. A
    /// session rests there instead, and where every iteration is to be used, only the last one is asked about.
    pub(crate) fn is_idle_to_the_end(self, candidate: &Candidate) -> bool {
        let Stage::Gates(turn, _) = &self.state.stage else { return false };
        let (unit, policy) = (&self.state.unit, &self.contract.policy);
        let idle = stuck::idle(&unit.streaks, turn, unit.tree_before(self.base()), &candidate.tree);
        let is_over = idle >= policy.stuck.idle_max.get() && !self.is_at_limit();
        is_over && !self.is_claimed(candidate) && !self.is_session() && policy.force_max == ForceMax::Off
    }

    /// A turn without a claim but with changes gets the checks (SPEC B6); where numbers count, every turn does.
    pub(crate) fn unclaimed(self, candidate: &Candidate) -> Decision {
        let is_measured = self.is_changed(candidate) || self.contract.policy.feedback.is_some();
        if is_measured && self.contract.policy.gates.contains(&Gate::Checks) {
            let next = self.next_check(candidate).map(|terms| self.run_check(terms));
            if let Some(decision) = next.or_else(|| self.unrunnable(candidate)) {
                return decision;
            }
        }
        if self.is_followed_up(candidate) {
            return self.only(self.key(EffectKind::FollowUp));
        }
        Decision::Settle(Settlement::Unclaimed)
    }

    /// The turn changed things, and neither claimed nor named what remains (SPEC B6); or all is there but the signal.
    fn is_followed_up(self, candidate: &Candidate) -> bool {
        let unit = &self.state.unit;
        let Stage::Gates(turn, _) = &self.state.stage else { return false };
        self.contract.policy.follow_up == FollowUp::Once
            && unit.followed_up != unit.iteration
            && unit.session.is_some()
            && turn.outcome == TurnOutcome::Completed
            && !self.is_at_limit()
            && !self.is_session()
            && self.leaves_unsaid(turn, candidate)
    }

    /// Every check is green, and yet the numbers are not as agreed on.
    pub(crate) fn feedback_objects(self, candidate: &Candidate) -> Option<Decision> {
        let refused = self.misses_numbers(candidate) && !self.is_waived(candidate);
        refused.then_some(Decision::Settle(Settlement::Refused { gate: Gate::Feedback }))
    }

    /// The numbers are a gate, and say no; a person may overrule them, since no check does.
    pub(crate) fn misses_numbers(self, candidate: &Candidate) -> bool {
        self.contract.policy.gates.contains(&Gate::Feedback) && !self.has_numbers(candidate)
    }

    fn has_numbers(self, candidate: &Candidate) -> bool {
        let both = self.state.feedback_policy().zip(self.measured(candidate));
        both.is_some_and(|(policy, feedback)| feedback.is_success(&policy))
    }

    /// SPEC L6: before another iteration follows this one, a person looks at it.
    pub(crate) fn reviewed(self, decision: Decision) -> Decision {
        let is_wanted = self.contract.policy.feedback.as_ref().is_some_and(|policy| policy.human_review);
        let is_due = is_wanted && self.state.unit.review_seen != self.state.unit.iteration;
        let is_settled = matches!(decision, Decision::Settle(_));
        let is_reviewed = is_settled && is_due && !self.is_at_limit();
        if is_reviewed { Decision::Pause(PauseReason::Review) } else { decision }
    }
}
