//! A driver and its world, as a model: all that could be the next fact, given a state.
//!
//! The driver follows `decide` to the letter, as gulf's own drivers must; the world answers as it likes.

use super::given::*;
use super::ledger::{Kept, Ledger};
use crate::state::StopAsked;
use crate::*;

/// What the world may answer.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    pub turns: Vec<Turn>,
    /// How long each turn takes.
    pub turn_ms: u64,
    pub trees: Vec<String>,
    pub checks: Vec<CheckRun>,
    pub probes: Vec<CheckRun>,
    pub integrity: Vec<Integrity>,
    pub overlays: Vec<Overlay>,
    pub judge: Vec<JudgeWord>,
    /// What any effect may come to besides.
    pub mishaps: Vec<EffectResult>,
    /// The surroundings that a new driver may bring.
    pub environments: Vec<&'static str>,
    /// Acts that a person or a worker may try at any time.
    pub acts: Vec<Act>,
}

/// What may still come from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Luck {
    pub acts: u8,
    pub deaths: u8,
    pub resumes: u8,
}

/// A possible next fact.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub fact: Fact,
    pub active_ms: u64,
    luck: Luck,
    /// Nobody interferes, nothing goes wrong.
    pub is_good: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub state: State,
    pub ledger: Ledger,
    pub luck: Luck,
}

impl Answers {
    fn of(&self, work: &Work) -> Vec<EffectResult> {
        match work {
            Work::Turn | Work::FollowUp => self.turns.iter().cloned().map(EffectResult::Turn).collect(),
            Work::Snapshot => self.trees.iter().map(|tree| EffectResult::Snapshot(snapshot(tree))).collect(),
            Work::Check { .. } => self.checks.iter().cloned().map(EffectResult::Check).collect(),
            Work::Probe { .. } => self.probes.iter().cloned().map(EffectResult::Check).collect(),
            Work::Integrity => self.integrity.iter().cloned().map(EffectResult::Integrity).collect(),
            Work::Overlay => self.overlays.iter().cloned().map(EffectResult::Overlay).collect(),
            Work::Judge => self.judge.iter().cloned().map(EffectResult::Judge).collect(),
        }
    }
}

impl World {
    /// A loop whose contract has just been sealed.
    pub(crate) fn sealed(contract: &Contract, luck: Luck) -> Self {
        let mut state = State::default();
        let fact = Fact::Sealed { contract: Box::new(contract.clone()) };
        state.apply(&Event { sequence: 1, at_ms: 0, active_ms: 0, fact });
        Self { state, ledger: Ledger::default(), luck }
    }

    /// Lets it happen, and holds the ledger against the state.
    pub(crate) fn step(&mut self, contract: &Contract, step: &Move) -> Result<Event, &'static str> {
        self.luck = step.luck;
        let event = self.event(step.fact.clone(), step.active_ms);
        self.ledger.observe(contract, event.active_ms, &event.fact)?;
        self.state.apply(&event);
        if self.state.anomaly().is_some() {
            return Err("no driver's path is out of order");
        }
        if self.state.notes() != self.ledger.notes {
            return Err("a note reaches every turn until one came to something, and no further one");
        }
        if self.ledger.ended && decide(&self.state) != Decision::Rest {
            return Err("nothing is wanted after the end");
        }
        Ok(event)
    }

    fn event(&self, fact: Fact, active_ms: u64) -> Event {
        Event { sequence: self.state.sequence() + 1, at_ms: 0, active_ms, fact }
    }

    fn quiet(&self, fact: Fact) -> Move {
        Move { fact, active_ms: self.state.active_ms(), luck: self.luck, is_good: true }
    }

    /// All that the driver may write next, and all that may come from outside.
    pub(crate) fn moves(&self, contract: &Contract, answers: &Answers) -> Result<Vec<Move>, &'static str> {
        let mut moves = self.driver_moves(answers)?;
        if self.ledger.ended {
            return Ok(moves);
        }
        if self.luck.deaths > 0 {
            let luck = Luck { deaths: self.luck.deaths - 1, ..self.luck };
            for environment in &answers.environments {
                let environment = Digest::new(*environment);
                let fact = Fact::Attached { driver: String::from("model"), environment };
                moves.push(Move { luck, is_good: false, ..self.quiet(fact) });
            }
        }
        self.outside_moves(contract, answers, &mut moves)?;
        Ok(moves)
    }

    fn outside_moves(&self, contract: &Contract, answers: &Answers, moves: &mut Vec<Move>) -> Kept {
        let iteration = self.ledger.iteration;
        for act in [Act::Pause, Act::Cancel, Act::Resume, Act::Steer(String::from("win"))] {
            if admit(&self.state, by_worker(iteration, act)).is_ok() {
                return Err("a worker cannot pause, resume, cancel or steer");
            }
        }
        let stop_pending = self.state.stop_asked == Some(StopAsked::Cancel);
        let acts = if self.luck.acts > 0 && !stop_pending { answers.acts.as_slice() } else { &[] };
        for act in acts {
            let request = match act {
                Act::Claim(_) => by_worker(iteration, act.clone()),
                Act::Pause | Act::Cancel | Act::Resume | Act::Steer(_) => by_person(act.clone()),
                Act::Answer { .. } | Act::Approve { .. } | Act::Reject { .. } => by_person(act.clone()),
            };
            if let Ok(fact) = admit(&self.state, request) {
                let luck = Luck { acts: self.luck.acts - 1, ..self.luck };
                moves.push(Move { luck, is_good: false, ..self.quiet(fact) });
            }
        }
        // Time that passes beside a turn: coarse, and only where time counts.
        let deadline_ms = contract.policy.limits.active_ms_max.unwrap_or(0);
        if self.state.active_ms() < deadline_ms && !self.state.running().is_empty() {
            let active_ms = deadline_ms;
            moves.push(Move { active_ms, is_good: false, ..self.quiet(Fact::Woke) });
        }
        Ok(())
    }

    fn driver_moves(&self, answers: &Answers) -> Result<Vec<Move>, &'static str> {
        let quiet = |fact| Ok(vec![self.quiet(fact)]);
        match decide(&self.state) {
            Decision::Run { effects, until_ms } => self.run_moves(answers, &effects, until_ms),
            Decision::Recover(key) => Ok(self.endings(answers, &key, &[EffectResult::Interrupted])),
            Decision::Settle(settlement) => quiet(Fact::Settled { settlement }),
            Decision::Pause(reason) => quiet(Fact::Paused { reason }),
            Decision::ResetStrategy => quiet(Fact::StrategyReset),
            Decision::FinishUnit(end) => quiet(Fact::UnitFinished { end }),
            Decision::End(end) => quiet(Fact::Finished { end }),
            Decision::Rest if self.ledger.ended || self.luck.resumes == 0 => Ok(Vec::new()),
            Decision::Rest => {
                let fact =
                    admit(&self.state, by_person(Act::Resume)).map_err(|_| "rest is a pause or an end")?;
                let luck = Luck { resumes: self.luck.resumes - 1, ..self.luck };
                Ok(vec![Move { luck, ..self.quiet(fact) }])
            }
        }
    }

    fn run_moves(
        &self,
        answers: &Answers,
        effects: &[EffectKey],
        until_ms: Option<u64>,
    ) -> Result<Vec<Move>, &'static str> {
        let running = self.state.running();
        if let Some(unwanted) = running.iter().find(|key| !effects.contains(key)) {
            // It is stopped; or it was just over by itself.
            let mut moves = self.endings(answers, unwanted, &[]);
            moves.truncate(1);
            let result = EffectResult::Interrupted;
            moves.push(self.quiet(Fact::Ended { key: unwanted.clone(), result }));
            return Ok(moves);
        }
        if let Some(missing) = effects.iter().find(|key| !running.contains(*key)) {
            return Ok(vec![self.quiet(Fact::Began { key: missing.clone() })]);
        }
        let mut moves = Vec::new();
        for key in running {
            moves.extend(self.endings(answers, key, &[]));
        }
        match until_ms {
            Some(until_ms) if until_ms <= self.state.active_ms() => return Err("a waking time lies ahead"),
            Some(active_ms) => moves.push(Move { active_ms, ..self.quiet(Fact::Woke) }),
            None if moves.is_empty() => return Err("a loop never waits for nothing"),
            None => {}
        }
        Ok(moves)
    }

    fn endings(&self, answers: &Answers, key: &EffectKey, besides: &[EffectResult]) -> Vec<Move> {
        let spent_ms = if key.work == Work::Turn { answers.turn_ms } else { 0 };
        let ended = |result, is_good| Move {
            active_ms: self.state.active_ms() + spent_ms,
            is_good,
            ..self.quiet(Fact::Ended { key: key.clone(), result })
        };
        let good = answers.of(&key.work).into_iter().map(|result| ended(result, true));
        let bad = answers.mishaps.iter().chain(besides).map(|result| ended(result.clone(), false));
        good.chain(bad).collect()
    }

    /// From here, a cancel ends the loop as cancelled in finitely many of the driver's steps, with no turn begun.
    pub(crate) fn cancel_is_carried_out(&self, contract: &Contract, answers: &Answers) -> Kept {
        if self.ledger.ended {
            return Ok(());
        }
        let mut world = self.clone();
        let fact = admit(&world.state, by_person(Act::Cancel)).map_err(|_| "anything can be cancelled")?;
        world.step(contract, &self.quiet(fact))?;
        // Two effects at most run; each is stopped, then the loop ends.
        for _ in 0..=self.state.running().len() {
            let stopped = world.driver_moves(answers)?.pop().ok_or("a cancel is always wanted")?;
            world.step(contract, &stopped)?;
        }
        let cancelled = *world.state.stage() == Stage::Ended(End::Cancelled);
        if cancelled { Ok(()) } else { Err("a cancel is carried out in finitely many steps") }
    }
}
