//! Folding facts into the state: total, and the only place where a state changes.
//!
//! A fact that was seen is skipped; one that no driver could have written sets an anomaly and changes nothing else.

use crate::claim::Claim;
use crate::contract::{Contract, Reviewer};
use crate::effect::{CheckVerdict, Closing, EffectKey, EffectKind, EffectResult, JudgeWord, Snapshot};
use crate::end::{End, Party};
use crate::event::{Event, Fact, PauseReason, Settlement, Worker};
use crate::ids::Digest;
use crate::state::{Anomaly, Applied, Failures, Next, Stage, State, StateFields, StopAsked};
use crate::turn::{Brief, Turn, TurnOutcome};
use crate::unit::{TaskFate, Words};
use crate::{measured, stuck, tasks};
use alloc::{boxed::Box, sync::Arc};
use core::mem;

impl State {
    /// Folds one event in.
    pub fn apply(&mut self, event: &Event) {
        self.0.apply(event);
    }
}

impl StateFields {
    fn apply(&mut self, event: &Event) {
        if event.sequence <= self.sequence || self.anomaly.is_some() {
            return;
        }
        let applied = if event.sequence == self.sequence + 1 {
            self.active_ms = self.active_ms.max(event.active_ms);
            self.fold(&event.fact)
        } else {
            Err("events are missing before it")
        };
        self.sequence = event.sequence;
        if let Err(what) = applied {
            self.anomaly = Some(Anomaly { sequence: event.sequence, what });
        }
    }

    fn fold(&mut self, fact: &Fact) -> Applied {
        match fact {
            Fact::Sealed { contract } => self.seal(contract)?,
            Fact::Attached { environment, .. } => self.attach(environment),
            Fact::Bound { worker } => self.bind(worker)?,
            Fact::Adopted { iteration, rejections } => self.adopt(*iteration, *rejections)?,
            Fact::Reopened { turn } => self.reopen(turn)?,
            Fact::Began { key } => self.begin(key)?,
            Fact::Ended { key, result } => self.end(key, result)?,
            Fact::Spent { spent, .. } => self.spending.add(spent),
            Fact::Claimed { claim } => self.claim(claim)?,
            Fact::Answered { question, answer, .. } => self.answer(*question, answer)?,
            Fact::Approved { .. } => self.approve()?,
            Fact::Rejected { reason, .. } => self.reject(reason)?,
            Fact::Amended { contract } => self.amend(contract)?,
            Fact::Steered { note } => self.notes.push(note.clone()),
            Fact::PauseAsked => self.stop_asked = self.stop_asked.max(Some(StopAsked::Pause)),
            Fact::CancelAsked => self.stop_asked = self.stop_asked.max(Some(StopAsked::Cancel)),
            Fact::Outrun => self.stop_asked = self.stop_asked.max(Some(StopAsked::Outrun)),
            Fact::Paused { reason } => self.pause(*reason)?,
            Fact::Resumed => self.resume()?,
            Fact::Settled { settlement } => self.settle(*settlement)?,
            Fact::StrategyReset => self.reset_strategy()?,
            Fact::UnitFinished { end } => self.next_unit(end)?,
            Fact::UnitSkipped { set_aside, .. } => self.skip_unit(set_aside.as_ref())?,
            Fact::Finished { end } => self.finish(end)?,
            Fact::LandingTold { word } => self.landed_afterwards(word)?,
            Fact::Discarded { .. } => self.discard()?,
            Fact::Woke | Fact::FeedbackTold { .. } | Fact::Decided { .. } | Fact::Taken { .. } => {}
            Fact::Refused { .. } | Fact::TailDropped { .. } | Fact::LandingAsked { .. } => {}
            Fact::Divided { .. } | Fact::PartTold { .. } => {}
            Fact::Edited { .. } | Fact::Researched { .. } => {}
        }
        Ok(())
    }

    fn seal(&mut self, contract: &Contract) -> Applied {
        if self.contract.is_some() {
            return Err("the contract is sealed already");
        }
        self.contract = Some(Arc::new(contract.clone()));
        self.plan = tasks::plan_of(contract);
        self.unit.id = self.task_after(TaskFate::Pending).unwrap_or_default();
        self.stage = Stage::Between(Next::Advance);
        Ok(())
    }

    /// What an earlier driver began is an orphan.
    fn attach(&mut self, environment: &Digest) {
        self.orphans = self.running.clone();
        // Whoever starts gulf again does not want to sit out a wait that an earlier one began; a session's hooks come by
        // themselves.
        if self.worker == Worker::Processes {
            self.failures.not_before_ms = 0;
        }
        self.led_on = None;
        let earlier = self.environment.replace(environment.clone());
        self.is_elsewhere |= earlier.is_some_and(|earlier| earlier != *environment);
        self.forget_elsewhere();
    }

    /// What checks said in other surroundings is asked again; but on it stands what has landed, or may have.
    fn forget_elsewhere(&mut self) {
        let lands = self.running.iter().any(|key| key.work == EffectKind::Land);
        let may_have_landed = lands || self.landed_as().is_some();
        if may_have_landed || !mem::take(&mut self.is_elsewhere) {
            return;
        }
        self.probes.clear();
        for words in self.unit.words.values_mut() {
            words.checks.clear();
            words.forget_doubts();
            words.overlay = None;
        }
    }

    fn begin(&mut self, key: &EffectKey) -> Applied {
        if matches!(self.stage, Stage::Unsealed | Stage::Paused(..) | Stage::Ended(_)) {
            return Err("nothing can begin here");
        }
        if self.running.iter().any(|running| running.work == key.work) {
            return Err("this effect runs already");
        }
        if key.work == EffectKind::Turn {
            self.begin_turn(key)?;
        } else if key.attempt != self.attempts.get(&key.work).copied().unwrap_or(0) + 1 {
            return Err("this attempt is not the next one");
        } else {
            if key.work == EffectKind::FollowUp {
                self.begin_follow_up()?;
            }
            if matches!(key.work, EffectKind::Step { .. }) {
                self.begin_step(key)?;
            }
            self.attempts.insert(key.work.clone(), key.attempt);
        }
        self.running.insert(key.clone());
        Ok(())
    }

    fn begin_follow_up(&mut self) -> Applied {
        let Stage::Gates(turn, candidate) = &self.stage else { return Err("a follow-up follows a turn") };
        self.stage = Stage::FollowUp(turn.clone(), candidate.clone());
        self.unit.followed_up = self.unit.iteration;
        Ok(())
    }

    fn begin_turn(&mut self, key: &EffectKey) -> Applied {
        let Stage::Between(next) = self.stage else { return Err("a turn cannot begin here") };
        if (key.iteration, key.attempt) != self.next_turn(next) || key.unit != self.unit.id {
            return Err("this turn is not the next one");
        }
        self.unit.iterations += u32::from(key.iteration != self.unit.iteration);
        self.unit.iteration = key.iteration;
        self.unit.attempt = key.attempt;
        self.unit.claim = None;
        if !mem::take(&mut self.unit.steps.begun) {
            self.spending.next_turn();
        }
        self.notes_told = self.notes.len();
        if key.attempt == 1 {
            // A repeated iteration goes on counting: no key is ever used twice.
            self.attempts
                .retain(|work, _| matches!(work, EffectKind::Probe { .. } | EffectKind::Step { .. }));
        }
        self.stage = Stage::Turn;
        self.turn_begun();
        Ok(())
    }

    /// Iteration and attempt of the turn that comes next.
    pub(crate) fn next_turn(&self, next: Next) -> (u32, u32) {
        match next {
            Next::Advance => (self.unit.iteration + 1, 1),
            Next::Repeat => (self.unit.iteration, self.unit.attempt + 1),
        }
    }

    fn end(&mut self, key: &EffectKey, result: &EffectResult) -> Applied {
        if !self.running.remove(key) {
            return Err("this effect does not run");
        }
        self.orphans.remove(key);
        use EffectResult::{Failed, Interrupted, NeedsPerson};
        if !matches!(result, Interrupted | Failed { .. } | NeedsPerson { .. }) {
            self.failures.host = 0;
            // A machine that did anything since is asked again.
            self.failures.needs_person.remove(&Party::Host);
        }
        let mismatch = Err("this result is not of that effect");
        match (&key.work, result) {
            (work, EffectResult::Interrupted) => self.turn_over(work),
            (work, EffectResult::Failed { reason }) => {
                self.turn_over(work);
                let by_agent =
                    matches!(work, EffectKind::Turn | EffectKind::FollowUp | EffectKind::Step { .. });
                self.fail(if by_agent { Party::Agent } else { Party::Host }, reason);
            }
            (work, EffectResult::NeedsPerson { why }) => {
                self.turn_over(work);
                self.fail(Party::Host, why);
                self.failures.needs_person.insert(Party::Host, why.clone());
            }
            (EffectKind::Step { step }, EffectResult::Step(end)) => self.end_step(*step, end),
            (EffectKind::Turn, EffectResult::Turn(turn)) => self.end_turn(turn),
            (EffectKind::FollowUp, EffectResult::Turn(turn)) => self.end_follow_up(turn)?,
            (EffectKind::Snapshot, EffectResult::Snapshot(snapshot)) => self.gate(snapshot)?,
            // Of a base that was left meanwhile.
            (EffectKind::Probe { .. }, EffectResult::Check(_)) if key.iteration != self.base_moves => {}
            (EffectKind::Probe { name }, EffectResult::Check(run)) => {
                self.probes.insert(name.clone(), run.clone());
            }
            (EffectKind::Check { name }, EffectResult::Check(run)) => self.check_said(name, run)?,
            (EffectKind::Integrity, EffectResult::Integrity(found)) => {
                self.gate_words()?.integrity = Some(found.clone());
            }
            (EffectKind::Overlay, EffectResult::Overlay(overlay)) => {
                self.gate_words()?.overlay = Some(overlay.clone());
            }
            (EffectKind::Judge, EffectResult::Judge(word)) => self.judged(None, word)?,
            (EffectKind::Review { by }, EffectResult::Judge(word)) => self.judged(Some(*by), word)?,
            (EffectKind::Land, EffectResult::Landing(word)) => self.landed(word)?,
            (EffectKind::Close, EffectResult::Closed { closing }) => self.closed(closing)?,
            (_, EffectResult::Turn(_) | EffectResult::Snapshot(_) | EffectResult::Check(_)) => {
                return mismatch;
            }
            (_, EffectResult::Integrity(_) | EffectResult::Overlay(_)) => return mismatch,
            (_, EffectResult::Judge(_) | EffectResult::Landing(_)) => return mismatch,
            (_, EffectResult::Step(_) | EffectResult::Closed { .. }) => return mismatch,
        }
        self.forget_elsewhere();
        Ok(())
    }

    /// A turn that came to nothing is tried again, on the worktree as it is; a follow-up is not.
    fn turn_over(&mut self, work: &EffectKind) {
        match (work, &self.stage) {
            (EffectKind::Turn, _) => self.stage = Stage::Between(Next::Repeat),
            // Whatever it did lies in the worktree: the candidate is built anew.
            (EffectKind::FollowUp, Stage::FollowUp(turn, _)) => self.stage = Stage::Settling(turn.clone()),
            (EffectKind::FollowUp | EffectKind::Snapshot | EffectKind::Check { .. }, _) => return,
            (EffectKind::Probe { .. } | EffectKind::Integrity | EffectKind::Overlay, _) => return,
            (EffectKind::Judge | EffectKind::Review { .. } | EffectKind::Step { .. }, _) => return,
            (EffectKind::Land | EffectKind::Close, _) => return,
        }
        self.unit.session = None;
    }

    pub(crate) fn end_turn(&mut self, turn: &Turn) {
        if let Some(claim) = turn.claim.as_ref().filter(|claim| claim.adds_to(self.unit.claim.as_ref())) {
            self.hear(claim);
        }
        self.deny(&turn.denials);
        // A session goes on where its turn came to an end of its own, or only waits.
        let goes_on = matches!(
            turn.outcome,
            TurnOutcome::Completed | TurnOutcome::RateLimited { .. } | TurnOutcome::OutOfBudget
        );
        self.unit.session = turn.session.clone().filter(|_| goes_on);
        self.blocks_left = turn.blocks_left;
        match &turn.outcome {
            TurnOutcome::Completed | TurnOutcome::ContextFull => self.failures.limited = 0,
            TurnOutcome::RateLimited { wait_ms } => self.wait_for_provider(Party::Agent, *wait_ms),
            TurnOutcome::OutOfBudget => self.spending.out_of_budget = true,
            TurnOutcome::NeedsPerson { why } => self.failures.last = Some((Party::Agent, why.clone())),
            TurnOutcome::Failed { .. } | TurnOutcome::TimedOut | TurnOutcome::Declined { .. } => {}
        }
        self.stage = Stage::Settling(turn.clone());
    }

    /// It belongs to its turn: what it said counts, and how it fared is no news about the work.
    fn end_follow_up(&mut self, follow_up: &Turn) -> Applied {
        let Stage::FollowUp(turn, _) = &self.stage else { return Err("no turn is followed up") };
        let Turn { outcome, tool_calls, brief, orientation, .. } = turn.clone();
        self.end_turn(follow_up);
        self.stage = Stage::Settling(Turn { outcome, tool_calls, brief, orientation, ..follow_up.clone() });
        Ok(())
    }

    fn gate(&mut self, snapshot: &Snapshot) -> Applied {
        let Stage::Settling(turn) = &self.stage else { return Err("no turn waits for its candidate") };
        self.stage = Stage::Gates(turn.clone(), snapshot.candidate.clone());
        self.unit.landing = None;
        self.unit.closing = None;
        self.unit.resembles = snapshot.resembles;
        self.unit.tally = snapshot.tasks;
        snapshot.base.as_ref().map_or(Ok(()), |base| self.move_base(base))
    }

    /// The words about the candidate in hand.
    pub(crate) fn gate_words(&mut self) -> Result<&mut Words, &'static str> {
        let Stage::Gates(_, candidate) = &self.stage else { return Err("no candidate is in hand") };
        Ok(self.unit.words.entry(candidate.tree.clone()).or_default())
    }

    fn judged(&mut self, by: Option<Reviewer>, word: &JudgeWord) -> Applied {
        self.failures.judge_asked += 1;
        match word {
            JudgeWord::Approved { .. } | JudgeWord::Rejected { .. } => {
                self.forgive_judge();
                let words = self.gate_words()?;
                match by {
                    None => words.judge = Some(word.clone()),
                    Some(by) => drop(words.reviews.insert(by, word.clone())),
                }
            }
            JudgeWord::NoVerdict => {
                self.failures.judge_silent += 1;
                self.failures.judge_unreachable = 0;
            }
            JudgeWord::Unreachable { why } => self.fail(Party::Judge, why),
            JudgeWord::NeedsPerson { why } => {
                self.failures.needs_person.insert(Party::Judge, why.clone());
            }
            JudgeWord::RateLimited { wait_ms } => {
                self.failures.judge_limited = true;
                self.wait_for_provider(Party::Judge, *wait_ms);
            }
        }
        Ok(())
    }

    fn claim(&mut self, claim: &Claim) -> Applied {
        let is_question = claim.question().is_some() && self.is_stepping();
        if !is_question && !matches!(self.stage, Stage::Turn | Stage::FollowUp(..) | Stage::Settling(_)) {
            return Err("no turn can claim here");
        }
        self.hear(claim);
        Ok(())
    }

    fn pause(&mut self, reason: PauseReason) -> Applied {
        if !self.running.is_empty() {
            return Err("an effect still runs");
        }
        if !matches!(self.stage, Stage::Between(_) | Stage::Settling(_) | Stage::Gates(..)) {
            return Err("a loop cannot pause here");
        }
        if reason == PauseReason::TestsChanged {
            self.gate_words()?.tests_shown = true;
        }
        self.stage = Stage::Paused(reason, Box::new(mem::take(&mut self.stage)));
        self.stop_asked = None;
        Ok(())
    }

    /// A person looked at it: what counted against the loop is forgotten, and what may have been the surroundings'
    /// fault is tried again. A judge's no stays until the tree changes.
    pub(crate) fn resume(&mut self) -> Applied {
        let Stage::Paused(reason, inner) = &mut self.stage else {
            return Err("a loop that is not paused cannot be resumed");
        };
        let (reason, inner) = (*reason, mem::take(&mut **inner));
        self.stage = inner;
        self.led_on = Some(self.sequence);
        if reason == PauseReason::Milestone {
            self.unit.milestone_seen = self.unit.iteration;
        }
        self.resume_steps(reason);
        self.grant(reason);
        self.unit.streaks.forgive();
        self.failures = Failures::default();
        self.denials.clear();
        self.blocks_left = None;
        if reason == PauseReason::Review {
            // It was about the work, so what was measured stands.
            self.unit.review_seen = self.unit.iteration;
        } else {
            for words in self.unit.words.values_mut() {
                words.checks.retain(|_, run| run.is_green());
                words.forget_doubts();
            }
        }
        self.probes.retain(|_, run| !matches!(run.verdict, CheckVerdict::Unrunnable { .. }));
        // What stood in the way of a landing may be gone.
        self.unit.landing = None;
        self.unit.closing.take_if(|closing| matches!(closing, Closing::NotReady { .. }));
        Ok(())
    }

    /// Whoever is asked at the limit and says *go on* means as many iterations again.
    fn grant(&mut self, reason: PauseReason) {
        let (Stage::Between(next), Some(contract)) = (&self.stage, &self.contract) else { return };
        if reason == PauseReason::Limit && self.iterations_with(*next) > self.iterations_max() {
            let more = contract.policy.limits.iterations_max.get();
            self.unit.granted = self.unit.granted.saturating_add(more);
        }
    }

    fn settle(&mut self, settlement: Settlement) -> Applied {
        let (Some(base), Some(contract), Stage::Gates(turn, candidate)) =
            (self.base().cloned(), self.contract.as_deref(), &self.stage)
        else {
            return Err("no iteration waits to be settled");
        };
        // A question is no way around the brief.
        let unbriefed = self.is_researching() && turn.brief != Brief::Complete;
        let repeats = settlement == Settlement::Research
            || (settlement == Settlement::Questioned && unbriefed)
            || !settlement.came_to_something();
        let candidate = candidate.clone();
        stuck::settle(&mut self.unit, &base, turn, &candidate, settlement, &contract.policy.stuck);
        measured::settle(&mut self.unit, contract, &candidate, settlement);
        self.unit.last = Some((turn.clone(), candidate.clone()));
        self.unit.settle_doubts(&candidate.tree);
        let outcome = turn.outcome.clone();
        // What only its judge's provider asked for does not hold a session.
        if settlement == Settlement::Unjudged && !matches!(outcome, TurnOutcome::RateLimited { .. }) {
            self.failures.limited = 0;
        }
        if settlement.came_to_something() {
            self.turn_counted();
        }
        if settlement == Settlement::AgentFailed {
            self.fail(Party::Agent, failure_of(&outcome));
        }
        self.failures.needs_person.retain(|party, _| *party == Party::Host);
        if let (Settlement::Declined, TurnOutcome::Declined { why }) = (settlement, &outcome) {
            self.decline(why);
        }
        if let (Settlement::NeedsPerson, TurnOutcome::NeedsPerson { why }) = (settlement, outcome) {
            self.failures.needs_person.insert(Party::Agent, why);
        }
        if !repeats {
            self.forget_steps(settlement);
        }
        self.stage = Stage::Between(if repeats { Next::Repeat } else { Next::Advance });
        if settlement == Settlement::Blocked { self.block(&candidate) } else { Ok(()) }
    }

    fn reset_strategy(&mut self) -> Applied {
        if !matches!(self.stage, Stage::Between(_)) {
            return Err("a strategy is reset between turns");
        }
        self.unit.streaks.forgive();
        self.unit.session = None;
        self.unit.reset_after = self.unit.iteration;
        Ok(())
    }

    fn finish(&mut self, end: &End) -> Applied {
        if matches!(self.stage, Stage::Unsealed | Stage::Ended(_)) {
            return Err("a loop cannot end here");
        }
        if !self.running.is_empty() {
            return Err("an effect still runs");
        }
        self.unit.last = self.last_candidate().or(self.unit.last.take());
        self.stage = Stage::Ended(end.clone());
        Ok(())
    }
}

fn failure_of(outcome: &TurnOutcome) -> &'static str {
    if *outcome == TurnOutcome::TimedOut {
        "the turn timed out and changed nothing"
    } else if *outcome == TurnOutcome::ContextFull {
        "the prompt does not fit into the agent's context"
    } else {
        "the agent failed and changed nothing"
    }
}
