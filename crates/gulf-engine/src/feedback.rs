//! What was measured of an iteration, and what follows from it (SPEC L2 to L7): phases, success, plateau, a person's look.
//!
//! It stands apart because numbers decide here: gulf measures them itself, so that nobody has to claim anything.

use crate::admit::{NOTE_BYTES_MAX, Refusal};
use crate::contract::{Contract, CoverageNeed, FeedbackPolicy, FollowUp, Gate, JudgeWhen, Research};
use crate::decide::{Decision, Wish};
use crate::effect::{Candidate, CheckRun, TurnOutcome, Work};
use crate::end::Stall;
use crate::event::{PauseReason, Settlement};
use crate::ids::{CheckName, UnitId};
use crate::state::{Next, Stage, State, Streaks, Unit};
use alloc::collections::BTreeMap;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// All of it, in basis points.
pub const COVERAGE_BP_MAX: u32 = 10_000;
/// Of anything that somebody tells to have counted.
pub const COUNT_TOLD_MAX: u32 = 1_000_000_000;
/// So many iterations in a row without progress are a plateau (SPEC L4).
const PLATEAU_MIN: u32 = 2;

/// Where an iteration is (SPEC L2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before the first turn, and while a research brief is all that is asked for.
    Analyze,
    /// The worker works.
    Implement,
    /// The candidate is built, checked and compared.
    Test,
    /// Somebody looks at it: the judge, a person, or the rules that decide what follows.
    Review,
}

impl Phase {
    /// The phase of a loop. After an iteration is settled it stays in review until the next one begins; a pause changes
    /// nothing about it, but where somebody is to look at what was measured.
    pub fn of(state: &State) -> Self {
        match state.innermost_stage() {
            Stage::Unsealed => Self::Analyze,
            Stage::Between(_) if state.is_stepping() => Self::Analyze,
            Stage::Between(Next::Advance) if state.unit.steps.begun || state.unit.iteration == 0 => {
                Self::Analyze
            }
            Stage::Between(Next::Advance) | Stage::Ended(_) | Stage::Paused(..) => Self::Review,
            Stage::Turn | Stage::Between(Next::Repeat) if is_research(state) => Self::Analyze,
            Stage::Turn | Stage::FollowUp(..) | Stage::Between(Next::Repeat) => Self::Implement,
            Stage::Settling(_) | Stage::Gates(..) if is_looked_at(state) => Self::Review,
            Stage::Settling(_) | Stage::Gates(..) => Self::Test,
        }
    }

    /// The iteration that the phase belongs to: an analysis is the first of a new one (SPEC L2).
    pub fn iteration(state: &State) -> u32 {
        let is_stepping = state.unit.steps.begun || state.is_stepping();
        if let (true, Stage::Between(next)) = (is_stepping, state.innermost_stage()) {
            state.next_turn(*next).0
        } else {
            state.unit.iteration
        }
    }

    /// The one that follows it; what follows a review is the next iteration's.
    pub fn next(self) -> Self {
        match self {
            Self::Analyze => Self::Implement,
            Self::Implement => Self::Test,
            Self::Test => Self::Review,
            Self::Review => Self::Analyze,
        }
    }

    /// The next one, if it is this one.
    pub fn followed_by(self, to: Self) -> Result<Self, Refusal> {
        if to == self.next() { Ok(to) } else { Err(Refusal::Transition { from: self, to }) }
    }

    /// For people, and on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::Analyze => "analyze",
            Self::Implement => "implement",
            Self::Test => "test",
            Self::Review => "review",
        }
    }
}

fn is_research(state: &State) -> bool {
    let asked = |contract: &Contract| matches!(contract.policy.research, Research::Gate | Research::Brief);
    let first = (state.unit.id, state.unit.iteration) == (UnitId(0), 1);
    first && state.contract.as_deref().is_some_and(asked)
}

/// The judge looks at the candidate in hand, or a person does, or did.
fn is_looked_at(state: &State) -> bool {
    let rests_for_a_look =
        matches!(state.stage, Stage::Paused(reason, _) if !matches!(reason, PauseReason::Asked));
    let was_reviewed = state.unit.review_seen == state.unit.iteration;
    rests_for_a_look || was_reviewed || state.running.iter().any(|key| key.work == Work::Judge)
}

/// The numbers of one iteration (SPEC L3). What nobody measured is not there: it is no zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Feedback {
    pub phase: Phase,
    pub iteration: u32,
    pub tests_passed: Option<u32>,
    /// Without those that a baseline accepts.
    pub tests_failed: Option<u32>,
    pub lint_errors: Option<u32>,
    /// No check failed for a reason that the other numbers do not name.
    pub build_success: Option<bool>,
    /// The lowest that was measured, in basis points.
    pub coverage_bp: Option<u32>,
    pub duration_ms: u64,
}

/// What somebody else measured (the seed's `RecordFeedback`): shown, and nothing is decided on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Told {
    /// Who says it.
    pub by: String,
    pub feedback: Feedback,
    pub notes: String,
}

impl Feedback {
    /// What the runs of the contract's checks say together about one tree.
    pub fn of(contract: &Contract, iteration: u32, runs: &BTreeMap<CheckName, CheckRun>) -> Self {
        let coverage_bp_min = contract.policy.feedback.as_ref().map_or(0, |policy| policy.coverage_bp_min);
        // Numbers tell the worker how near it is: of what is held out it hears no more than a no.
        let open = || contract.open_checks();
        let spoken = || open().filter_map(|terms| Some((terms, runs.get(&terms.name)?)));
        let count = |numbers: &mut dyn Iterator<Item = u32>| numbers.reduce(u32::saturating_add);
        // Whatever fails in a green check was accepted, where a baseline is.
        let failed = |accepts: bool, run: &CheckRun| {
            run.tests.map(|tests| if accepts && run.is_green() { 0 } else { tests.failed })
        };
        let is_unexplained = |run: &CheckRun| {
            !run.is_green()
                && run.tests.is_none_or(|tests| tests.failed == 0)
                && run.lint_errors.unwrap_or(0) == 0
                && run.coverage_bp.is_none_or(|covered| covered >= coverage_bp_min)
        };
        let is_whole = open().next().is_some() && spoken().count() == open().count();
        let is_broken = spoken().any(|(_, run)| is_unexplained(run));
        Self {
            phase: Phase::Test,
            iteration,
            tests_passed: count(&mut spoken().filter_map(|(_, run)| Some(run.tests?.passed))),
            tests_failed: count(
                &mut spoken().filter_map(|(terms, run)| failed(terms.accepts_failures(), run)),
            ),
            lint_errors: count(&mut spoken().filter_map(|(_, run)| run.lint_errors)),
            build_success: (is_whole || is_broken).then_some(!is_broken),
            coverage_bp: spoken().filter_map(|(_, run)| run.coverage_bp).min(),
            duration_ms: spoken().fold(0, |sum: u64, (_, run)| sum.saturating_add(run.duration_ms)),
        }
    }

    /// SPEC L4: nothing fails, everything that was measured is as it must be, and what must be measured was.
    pub fn is_success(&self, policy: &FeedbackPolicy) -> bool {
        let is_covered = match (self.coverage_bp, policy.coverage) {
            (Some(covered), _) => covered >= policy.coverage_bp_min,
            (None, CoverageNeed::Shown) => true,
            (None, CoverageNeed::Required) => false,
        };
        self.tests_failed.unwrap_or(0) == 0
            && self.lint_errors.unwrap_or(0) == 0
            && self.build_success == Some(true)
            && is_covered
    }
}

/// The best so far, each number for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Best {
    pub tests_failed: Option<u32>,
    pub lint_errors: Option<u32>,
    pub coverage_bp: Option<u32>,
}

impl Best {
    /// Did one of them become better than it ever was? That it can be measured at all is progress, too.
    pub fn improve(&mut self, now: &Feedback) -> bool {
        let is_better = |best: Option<u32>, now: Option<u32>, is_less: bool| match (best, now) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(best), Some(now)) if is_less => now < best,
            (Some(best), Some(now)) => now > best,
        };
        let mut improved = false;
        for (best, now, is_less) in [
            (&mut self.tests_failed, now.tests_failed, true),
            (&mut self.lint_errors, now.lint_errors, true),
            (&mut self.coverage_bp, now.coverage_bp, false),
        ] {
            if is_better(*best, now, is_less) {
                *best = now;
                improved = true;
            }
        }
        improved
    }
}

/// Counts what was measured of an iteration that came to something. Who asks is not counted.
pub(crate) fn settle(unit: &mut Unit, contract: &Contract, candidate: &Candidate, settlement: Settlement) {
    let is_counted = contract.policy.feedback.is_some()
        && settlement.came_to_something()
        && !matches!(settlement, Settlement::Questioned | Settlement::Blocked);
    let Some(words) = unit.words.get(&candidate.tree).filter(|_| is_counted) else { return };
    if !contract.checks.iter().all(|terms| words.checks.contains_key(&terms.name)) {
        return;
    }
    let now = Feedback::of(contract, unit.iteration, &words.checks);
    unit.feedback = Some(now);
    let is_first = unit.best.is_none();
    let improved = unit.best.get_or_insert_default().improve(&now) || is_first;
    unit.streaks.unimproved = if improved { 0 } else { unit.streaks.unimproved + 1 };
}

/// Two iterations in a row that changed nothing for the better: never a success.
pub(crate) fn plateau(streaks: &Streaks, policy: Option<&FeedbackPolicy>) -> Option<Stall> {
    let counts = policy.is_some_and(|policy| policy.auto_converge);
    (counts && streaks.unimproved >= PLATEAU_MIN).then_some(Stall::Plateau)
}

/// What somebody tells is about the present, and of a plausible size.
pub(crate) fn check_told(state: &State, told: &Told) -> Result<(), Refusal> {
    let Feedback { phase, iteration, tests_passed, tests_failed, lint_errors, coverage_bp, .. } =
        told.feedback;
    let (now, from) = (Phase::iteration(state), Phase::of(state));
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

impl State {
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

impl Wish<'_> {
    /// What the checks measured of this candidate, once all of them have spoken.
    fn measured(&self, candidate: &Candidate) -> Option<Feedback> {
        let runs = &self.words(&candidate.tree)?.checks;
        let is_whole = self.contract.open_checks().all(|terms| runs.contains_key(&terms.name));
        is_whole.then(|| Feedback::of(self.contract, self.state.unit.iteration, runs))
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

    /// On a claim, at the limit if there is anything to look at, or at every stop where the person wants that.
    pub(crate) fn is_evaluated(self, candidate: &Candidate) -> bool {
        self.is_claimed(candidate)
            || (self.is_at_limit() && self.is_changed(candidate) && !self.lacks_signal())
            || self.contract.policy.judge == JudgeWhen::Every
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
            return self.only(self.key(Work::FollowUp));
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
        if is_settled && is_due && !self.is_at_limit() {
            Decision::Pause(PauseReason::Review)
        } else {
            decision
        }
    }
}
