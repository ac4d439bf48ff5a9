//! What a loop wants next: a pure function of its state.
//!
//! The order at a stop is SPEC G3's. Nothing is queued: what is wanted is computed after every event, and a driver
//! cancels what runs and is no longer wanted, so that a pause or a cancel works in the middle of a turn.

use crate::claim::Claim;
use crate::contract::{CheckTerms, FindingsPolicy, Gate, Rejections, Research};
use crate::decision::{Beside, Decision, Evaluation, PROVIDER_WAITS_MAX};
use crate::effect::{Candidate, EffectKey, EffectKind};
use crate::end::{End, Exhaustion, Party, Stall};
use crate::event::{PauseReason, Settlement, Worker};
use crate::ids::{TreeId, UnitId};
use crate::state::{Next, Stage, State, StopAsked};
use crate::turn::{Brief, Turn, TurnOutcome};
use crate::unit::{PersonWord, Words};
use alloc::{string::String, vec, vec::Vec};

/// So many denials of one kind, and a person is asked.
const DENIALS_MAX: u32 = 3;
/// What the model declined is tried so often again, and then a person is asked: each try is paid for.
const DECLINED_RETRIES_MAX: u32 = 1;

/// Computes what is wanted.
pub fn decide(state: &State) -> Decision {
    let Some(contract) = state.contract.as_deref() else { return Decision::Rest };
    if state.anomaly.is_some() {
        return Decision::Rest;
    }
    if let Some(orphan) = state.orphans.first() {
        return Decision::Recover(orphan.clone());
    }
    let wish = Evaluation { state, contract }.wish();
    let stops = matches!(wish, Decision::Pause(_) | Decision::End(_));
    if stops && !state.running.is_empty() {
        Decision::Run { effects: Vec::new(), until_ms: None }
    } else {
        wish
    }
}

/// What the candidate at the gates has earned, should every gate say yes.
pub fn earned(state: &State) -> Option<End> {
    let Stage::Gates(_, candidate) = &state.stage else { return None };
    Some(Evaluation { state, contract: state.contract()? }.earned(candidate))
}

impl Evaluation<'_> {
    fn wish(self) -> Decision {
        let state = self.state;
        match (&state.stage, state.stop_asked) {
            (Stage::Unsealed | Stage::Ended(_), _) => Decision::Rest,
            // Whatever is asked for by now: that it landed is true.
            (Stage::Gates(_, candidate), _) if state.landed_as().is_some() => {
                Decision::End(self.earned(candidate))
            }
            (_, Some(StopAsked::Cancel | StopAsked::Outrun)) => Decision::End(End::Cancelled),
            (Stage::Paused(..), _) => Decision::Rest,
            (_, Some(StopAsked::Pause)) => Decision::Pause(PauseReason::Asked),
            // What the worker asked waits for its answer, whatever is over by now.
            (Stage::Between(_), None) if self.is_asked() && !self.state.is_stepping() => {
                Decision::Pause(PauseReason::Question)
            }
            (Stage::Gates(..), None) if self.is_asked() => Decision::Settle(Settlement::Questioned),
            (Stage::Turn, None) => self.run(vec![self.key(EffectKind::Turn)], Beside::Probe),
            (Stage::FollowUp(..), None) if self.is_out_of_time() => {
                Decision::Run { effects: Vec::new(), until_ms: None }
            }
            (Stage::FollowUp(..), None) => self.only(self.key(EffectKind::FollowUp)),
            (Stage::Settling(_), None) => {
                self.unless_host_fails(|| self.only(self.key(EffectKind::Snapshot)))
            }
            // The worker's time does not run while its work waits to land.
            (Stage::Gates(..), None) if self.is_running(&EffectKind::Land) => {
                self.only(self.key(EffectKind::Land))
            }
            (Stage::Gates(..), None) if self.is_running(&EffectKind::Close) => {
                self.only(self.key(EffectKind::Close))
            }
            (Stage::Gates(..), None) if self.waits_for_way() => Decision::Pause(PauseReason::ReadyToLand),
            (Stage::Gates(..), None) if self.waits_to_close() => Decision::Pause(PauseReason::ReadyToClose),
            (Stage::Between(_) | Stage::Gates(..), None) if self.is_out_of_time() => {
                Decision::End(End::Exhausted { limit: Exhaustion::Time })
            }
            // What was begun is paid for: its word is waited for.
            (Stage::Between(_), None) if self.state.is_stepping() => self.step_in_hand(),
            (Stage::Gates(_, candidate), None) if self.is_judging() => self.verdicts_in_hand(candidate),
            (Stage::Between(next), None) => {
                self.rid_of_stale_probe().unwrap_or_else(|| self.unless_host_fails(|| self.between(*next)))
            }
            (Stage::Gates(turn, candidate), None) => self
                .rid_of_stale_probe()
                .unwrap_or_else(|| self.unless_host_fails(|| self.gates(turn, candidate))),
        }
    }

    pub(crate) fn is_session(self) -> bool {
        matches!(self.state.worker, Worker::Session { .. })
    }

    fn is_asked(self) -> bool {
        self.state.open_questions().next().is_some()
    }

    fn is_out_of_time(self) -> bool {
        self.state.deadline_ms().is_some_and(|deadline_ms| self.state.active_ms >= deadline_ms)
    }

    /// A deadline that is over wakes nobody: the candidate of the last turn is still built.
    fn deadline_ahead_ms(self) -> Option<u64> {
        self.state.deadline_ms().filter(|deadline_ms| self.state.active_ms < *deadline_ms)
    }

    /// Retries what the host could not do, after a wait, and not for ever.
    fn unless_host_fails(self, wish: impl FnOnce() -> Decision) -> Decision {
        let failures = &self.state.failures;
        if failures.needs_person.contains_key(&Party::Host) {
            return Decision::Pause(PauseReason::NeedsPerson);
        }
        if failures.host >= self.contract.policy.retries.failures_max.get() {
            // Only a candidate that cannot be built gets here with a question.
            let asked = self.is_asked().then_some(Decision::Pause(PauseReason::Question));
            return asked.unwrap_or_else(|| self.unavailable(Party::Host));
        }
        if failures.host > 0 && self.state.active_ms < failures.not_before_ms {
            return self.wait();
        }
        wish()
    }

    pub(crate) fn unavailable(self, party: Party) -> Decision {
        let reason = self.state.failures.last.as_ref().map_or_else(String::new, |(_, reason)| reason.clone());
        Decision::End(End::Unavailable { party, reason })
    }

    /// Nothing new before the backoff is over.
    pub(crate) fn wait(self) -> Decision {
        self.wait_until(self.state.failures.not_before_ms)
    }

    fn wait_until(self, until_ms: u64) -> Decision {
        let effects = self.state.running.iter().cloned().collect();
        let until_ms = self.deadline_ahead_ms().map_or(until_ms, |deadline_ms| deadline_ms.min(until_ms));
        Decision::Run { effects, until_ms: Some(until_ms) }
    }

    fn between(self, next: Next) -> Decision {
        let (state, policy) = (self.state, &self.contract.policy);
        let streaks = &state.unit.streaks;
        if self.is_list_over() {
            return Decision::End(End::Exhausted { limit: Exhaustion::Tasks });
        }
        if !state.failures.needs_person.is_empty() {
            return Decision::Pause(PauseReason::NeedsPerson);
        }
        if state.failures.declined > DECLINED_RETRIES_MAX {
            return Decision::Pause(PauseReason::Declined);
        }
        if state.failures.agent >= policy.retries.failures_max.get()
            || state.failures.limited > PROVIDER_WAITS_MAX
        {
            return self.unavailable(Party::Agent);
        }
        if state.denials.values().any(|times| *times >= DENIALS_MAX) {
            return Decision::Pause(PauseReason::Denied);
        }
        if streaks.research > policy.retries.research_max.get() {
            return Decision::Pause(PauseReason::Research);
        }
        if state.iterations_with(next) > state.iterations_max() {
            return self.give_up(End::Exhausted { limit: Exhaustion::Iterations });
        }
        if let Some(limit) = self.is_out_of_budget() {
            return Decision::End(End::Exhausted { limit });
        }
        // The person's gate comes before a stall: it names the same thing, and leaves the loop alive.
        if streaks.rejections >= policy.rejections.threshold.get() {
            return match policy.rejections.then {
                Rejections::Pause => Decision::Pause(PauseReason::HumanGate),
                Rejections::ResetStrategy => Decision::ResetStrategy,
            };
        }
        let stall = state.stall();
        if stall == Some(Stall::Idle) && self.is_session() {
            // Its person may just be talking to it.
            return Decision::Pause(PauseReason::Idle);
        }
        if let Some(by) = stall {
            return self.give_up(End::Stalled { by });
        }
        if state.blocks_left == Some(0) {
            return Decision::Pause(PauseReason::HostLimit);
        }
        if state.active_ms < state.failures.not_before_ms {
            return self.wait();
        }
        if let Some(decision) = self.unrunnable_so_far().or_else(|| self.next_step()) {
            return decision;
        }
        if let Some(until_ms) = state.paced_until_ms() {
            return self.wait_until(until_ms);
        }
        self.run(vec![self.key(EffectKind::Turn)], Beside::Probe)
    }

    fn gates(self, turn: &Turn, candidate: &Candidate) -> Decision {
        let (state, policy) = (self.state, &self.contract.policy);
        let unit = &state.unit;
        if unit.claim.as_ref().is_some_and(|claim| claim.question().is_some()) {
            return Decision::Settle(Settlement::Questioned);
        }
        if matches!(unit.claim, Some(Claim::Blocked { .. })) {
            return Decision::Settle(Settlement::Blocked);
        }
        if unit.claim.is_none()
            && let Some(settlement) = self.came_to_nothing(turn, candidate)
        {
            return Decision::Settle(settlement);
        }
        // What passes every gate is done, whatever phase it is in: a claim goes to them first.
        if unit.claim.is_none() && self.lacks_brief(turn, candidate) {
            return Decision::Settle(Settlement::Research);
        }
        let milestone_due =
            policy.milestone_every.is_some_and(|every| unit.iteration.is_multiple_of(every.get()));
        if milestone_due && unit.milestone_seen != unit.iteration {
            // Whoever reviews reads what the checks say about this very candidate.
            let is_gate = policy.gates.contains(&Gate::Checks);
            let check = self.next_check(candidate).filter(|_| is_gate);
            return check.map_or(Decision::Pause(PauseReason::Milestone), |terms| self.run_check(terms));
        }
        if !self.is_evaluated(candidate) {
            return self.reviewed(self.unclaimed(candidate));
        }
        let decision = self.objection(candidate).unwrap_or_else(|| self.conclude(candidate));
        // A no to what nobody claimed is no progress.
        let is_idle = matches!(decision, Decision::Settle(_)) && self.is_idle_to_the_end(candidate);
        self.reviewed(if is_idle { Decision::Settle(Settlement::Unclaimed) } else { decision })
    }

    /// Iteration 1 is for the brief, and that is not there, or something else was changed as well.
    fn lacks_brief(self, turn: &Turn, candidate: &Candidate) -> bool {
        let untouched = !self.is_changed(candidate) || self.contract.policy.research == Research::Brief;
        let is_whole = turn.brief == Brief::Complete && untouched;
        self.state.is_researching() && !self.is_waived(candidate) && !is_whole
    }

    /// How a turn without a claim came to nothing, if it did: it is tried again.
    fn came_to_nothing(self, turn: &Turn, candidate: &Candidate) -> Option<Settlement> {
        let is_unchanged = *self.state.unit.tree_before(self.base()) == candidate.tree;
        match turn.outcome {
            TurnOutcome::RateLimited { .. } => Some(Settlement::RateLimited),
            TurnOutcome::NeedsPerson { .. } => Some(Settlement::NeedsPerson),
            TurnOutcome::Declined { .. } => Some(Settlement::Declined),
            TurnOutcome::Failed { .. } | TurnOutcome::TimedOut | TurnOutcome::ContextFull => {
                is_unchanged.then_some(Settlement::AgentFailed)
            }
            TurnOutcome::Completed | TurnOutcome::OutOfBudget => None,
        }
    }

    /// Not what the unit began with.
    pub(crate) fn is_changed(self, candidate: &Candidate) -> bool {
        candidate.tree != self.base().tree
    }

    /// Is there anything that the checks' words about the base could differ from?
    pub(crate) fn is_compared(self, candidate: &Candidate) -> bool {
        self.contract.policy.gates.contains(&Gate::Checks) && self.is_changed(candidate)
    }

    fn person(&self, candidate: &Candidate) -> Option<PersonWord> {
        self.gate_words(&candidate.tree).and_then(|words| words.person)
    }

    /// A person overruled the judge.
    pub(crate) fn is_waived(self, candidate: &Candidate) -> bool {
        self.person(candidate) == Some(PersonWord::Approved)
    }

    /// What keeps the candidate from passing: a gate's no, or a word that is still missing.
    fn objection(self, candidate: &Candidate) -> Option<Decision> {
        if self.returns_to_rejected(candidate) {
            return Some(Decision::Settle(Settlement::Refused { gate: Gate::Approach }));
        }
        if self.person(candidate) == Some(PersonWord::Rejected) {
            return Some(Decision::Settle(Settlement::Rejected));
        }
        self.contract.policy.gates.iter().find_map(|gate| match gate {
            Gate::Tasks => self.tasks_object(),
            Gate::Checks => self.checks_object(candidate),
            Gate::Feedback => self.feedback_objects(candidate),
            Gate::Integrity => self.integrity_objects(candidate),
            Gate::Judge => self.judge_objects(candidate),
            Gate::Approach | Gate::Landing => None,
        })
    }

    fn checks_object(self, candidate: &Candidate) -> Option<Decision> {
        let next = self.next_check(candidate).map(|terms| self.run_check(terms));
        if let Some(decision) = next.or_else(|| self.unrunnable(candidate)) {
            return Some(decision);
        }
        let checks = &self.contract.checks;
        // No check is not a passed check.
        let all_green = !checks.is_empty() && checks.iter().all(|terms| self.is_green(terms, candidate));
        (!all_green).then_some(Decision::Settle(Settlement::Refused { gate: Gate::Checks }))
    }

    fn integrity_objects(self, candidate: &Candidate) -> Option<Decision> {
        let Some(integrity) = self.gate_words(&candidate.tree).and_then(|words| words.integrity.as_ref())
        else {
            // The inventory of tests is compared with what the base said.
            let probe = self.probe().filter(|_| self.is_compared(candidate));
            return Some(self.only(probe.unwrap_or_else(|| self.key(EffectKind::Integrity))));
        };
        let stops = self.contract.policy.findings == FindingsPolicy::Stop;
        (stops && !integrity.findings.is_empty()).then_some(Decision::End(End::Violated))
    }

    pub(crate) fn next_check(&self, candidate: &Candidate) -> Option<&CheckTerms> {
        let words = self.gate_words(&candidate.tree);
        let lacks = |terms: &&CheckTerms| {
            words.is_none_or(|words| words.lacks(&terms.name, self.state.unit.claim.as_ref()))
        };
        let is_green = |terms: &CheckTerms| self.is_green(terms, candidate);
        let mut held_out = self.contract.checks.iter().filter(|terms| terms.is_held_out());
        self.contract.open_checks().find(lacks).or_else(|| {
            // What is held out tells by its no: that hears only who claims, and passes the others.
            let is_due = self.is_evaluated(candidate) && self.contract.open_checks().all(is_green);
            if is_due { held_out.find(lacks) } else { None }
        })
    }

    /// Checks and probes run one at a time: they may want the same port, database or cores.
    pub(crate) fn run_check(self, terms: &CheckTerms) -> Decision {
        let running = self.running_probe();
        let baseline_missing = terms.accepts_failures() && !self.state.probes.contains_key(&terms.name);
        let effect = match running {
            Some(probe) => probe,
            None if baseline_missing => self.key(EffectKind::Probe { name: terms.name.clone() }),
            None => self.key(EffectKind::Check { name: terms.name.clone() }),
        };
        self.only(effect)
    }

    /// A host that just failed gets its wait here too; beside a turn it is not tried for ever.
    fn may_probe(self) -> bool {
        let failures = &self.state.failures;
        let rested = failures.host == 0 || self.state.active_ms >= failures.not_before_ms;
        let retries = failures.host < self.contract.policy.retries.failures_max.get();
        rested && retries && self.contract.policy.gates.contains(&Gate::Checks)
    }

    /// The next check whose word about the base is missing.
    pub(crate) fn probe(self) -> Option<EffectKey> {
        self.missing_probe(|_| true)
    }

    fn missing_probe(self, is_wanted: impl Fn(&CheckTerms) -> bool) -> Option<EffectKey> {
        let mut missing =
            self.contract.checks.iter().filter(|terms| !self.state.probes.contains_key(&terms.name));
        let missing = missing.find(|terms| is_wanted(terms))?;
        Some(self.key(EffectKind::Probe { name: missing.name.clone() }))
    }

    pub(crate) fn running_probe(self) -> Option<EffectKey> {
        self.state.running.iter().find(|key| matches!(key.work, EffectKind::Probe { .. })).cloned()
    }

    /// This, and a check on the base that runs already.
    pub(crate) fn only(self, effect: EffectKey) -> Decision {
        self.run(vec![effect], Beside::RunningProbe)
    }

    pub(crate) fn run(self, mut effects: Vec<EffectKey>, beside: Beside) -> Decision {
        let probe = match beside {
            // While a session works, nobody is there who could run anything beside it.
            Beside::Probe if self.is_session() => None,
            // A worker sees what runs beside it.
            Beside::Probe if self.may_probe() => self.missing_probe(|terms| !terms.is_held_out()),
            Beside::Probe | Beside::RunningProbe => self.running_probe(),
        };
        if let Some(probe) = probe
            && !effects.contains(&probe)
        {
            effects.push(probe);
        }
        let in_turn = effects.iter().any(|key| key.work == EffectKind::Turn);
        // A turn has the deadline as its own time-out, and its candidate is still built.
        let until_ms = if in_turn { None } else { self.deadline_ahead_ms() };
        Decision::Run { effects, until_ms }
    }

    /// The key under which this work runs, or would run next.
    pub(crate) fn key(self, work: EffectKind) -> EffectKey {
        if let Some(running) = self.state.running.iter().find(|key| key.work == work) {
            return running.clone();
        }
        let next = self.state.attempts.get(&work).copied().unwrap_or(0) + 1;
        if let EffectKind::Probe { .. } = work {
            return EffectKey { unit: UnitId(0), iteration: self.state.base_moves, attempt: next, work };
        }
        let (iteration, of_turn) = self.state.turn_in_hand();
        let attempt = if work == EffectKind::Turn { of_turn } else { next };
        EffectKey { unit: self.state.unit.id, iteration, attempt, work }
    }

    pub(crate) fn gate_words(&self, tree: &TreeId) -> Option<&Words> {
        self.state.unit.words.get(tree)
    }
}
