//! A driver and its world, as a model: all that could be the next fact, given a state.
//!
//! The driver follows `decide` to the letter, as gulf's own drivers must; the world answers as it likes.

use super::given::*;
use super::ledger::{Kept, Ledger};
use crate::state::StopAsked;
use crate::unit::Streaks;
use crate::*;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What the world may answer.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    pub steps: Vec<StepEnd>,
    pub turns: Vec<Turn>,
    /// How long each turn takes.
    pub turn_ms: u64,
    pub follow_ups: Vec<Turn>,
    /// What a turn, a follow-up or a judge's call may cost; nothing is told where nothing stands.
    pub costs: Vec<Spent>,
    pub trees: Vec<String>,
    pub checks: Vec<CheckRun>,
    pub probes: Vec<CheckRun>,
    pub integrity: Vec<Integrity>,
    pub overlays: Vec<Overlay>,
    pub judge: Vec<JudgeWord>,
    pub landings: Vec<LandingWord>,
    /// What a candidate's list of tasks may say.
    pub tallies: Vec<Option<TaskTally>>,
    /// None where a finished task is always written down, and nothing else with it.
    pub closings: Vec<Closing>,
    /// What a candidate may be found to hold of the base branch, and to resemble.
    pub marks: Vec<(Option<Base>, Option<Resemblance>)>,
    /// What any effect may come to besides.
    pub mishaps: Vec<EffectResult>,
    /// The surroundings that a new driver may bring.
    pub environments: Vec<&'static str>,
    /// Acts that a person or a worker may try at any time.
    pub acts: Vec<Act>,
    /// What a person may make of the contract while the loop rests, or when a session has stopped.
    pub amended: Vec<Contract>,
    /// Who may work instead of whoever does.
    pub workers: Vec<Worker>,
    /// Iteration and rejections of a state file that is taken over right after the start.
    pub adopted: Vec<(u32, u32)>,
}

/// What may still come from outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Luck {
    pub acts: u8,
    pub deaths: u8,
    pub resumes: u16,
    /// How often a provider asks to wait.
    pub waits: u8,
    /// How often another worker takes over.
    pub binds: u8,
    /// How often a session goes on after its turn was over.
    pub reopenings: u8,
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

/// The contract in force; its digest stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terms(Rc<Contract>);

impl Hash for Terms {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.digest.hash(hasher);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub state: State,
    pub ledger: Ledger,
    pub luck: Luck,
    terms: Terms,
    /// What runs, and what it cost was told.
    told: BTreeSet<EffectKey>,
}

fn is_paid(key: &EffectKey) -> bool {
    key.work.is_verdict()
        || matches!(key.work, EffectKind::Step { .. } | EffectKind::Turn | EffectKind::FollowUp)
}

fn is_limited(result: &EffectResult) -> bool {
    match result {
        EffectResult::Turn(turn) => matches!(turn.outcome, TurnOutcome::RateLimited { .. }),
        EffectResult::Step(end) => matches!(end.outcome, TurnOutcome::RateLimited { .. }),
        EffectResult::Judge(word) => matches!(word, JudgeWord::RateLimited { .. }),
        EffectResult::Snapshot(_) | EffectResult::Check(_) | EffectResult::Integrity(_) => false,
        EffectResult::Overlay(_) | EffectResult::Landing(_) | EffectResult::Closed { .. } => false,
        EffectResult::Interrupted | EffectResult::Failed { .. } | EffectResult::NeedsPerson { .. } => false,
    }
}

/// A host counts how often its session is sent on.
fn is_counted(result: &EffectResult) -> bool {
    matches!(result, EffectResult::Turn(Turn { blocks_left: Some(_), .. }))
}

impl Answers {
    fn of(&self, work: &EffectKind) -> Vec<EffectResult> {
        match work {
            EffectKind::Step { step } => self.thoughts_of(*step),
            EffectKind::Turn => self.turns.iter().cloned().map(EffectResult::Turn).collect(),
            EffectKind::FollowUp => self.follow_ups.iter().cloned().map(EffectResult::Turn).collect(),
            EffectKind::Snapshot => self.snapshots(),
            EffectKind::Check { .. } => self.checks.iter().cloned().map(EffectResult::Check).collect(),
            EffectKind::Probe { .. } => self.probes.iter().cloned().map(EffectResult::Check).collect(),
            EffectKind::Integrity => self.integrity.iter().cloned().map(EffectResult::Integrity).collect(),
            EffectKind::Overlay => self.overlays.iter().cloned().map(EffectResult::Overlay).collect(),
            EffectKind::Judge | EffectKind::Review { .. } => {
                self.judge.iter().cloned().map(EffectResult::Judge).collect()
            }
            EffectKind::Land => self.landings.iter().cloned().map(EffectResult::Landing).collect(),
            EffectKind::Close if self.closings.is_empty() => {
                vec![EffectResult::Closed { closing: written_down() }]
            }
            EffectKind::Close => {
                self.closings.iter().cloned().map(|closing| EffectResult::Closed { closing }).collect()
            }
        }
    }

    /// Only a critic objects.
    fn thoughts_of(&self, step: Step) -> Vec<EffectResult> {
        let objects = |end: &&StepEnd| matches!(end.word, StepWord::Objected { .. });
        let may = |end: &&StepEnd| step == Step::Criticize || !objects(end);
        self.steps.iter().filter(may).cloned().map(EffectResult::Step).collect()
    }

    fn snapshots(&self) -> Vec<EffectResult> {
        let marked = |tree| {
            let each = move |tasks| self.marks.iter().map(move |(base, resembles)| (base, resembles, tasks));
            self.tallies.iter().flat_map(each).map(move |(base, resembles, tasks)| {
                let (base, resembles, tasks) = (base.clone(), *resembles, *tasks);
                EffectResult::Snapshot(Snapshot { base, resembles, tasks, ..snapshot(tree) })
            })
        };
        self.trees.iter().flat_map(|tree| marked(tree)).collect()
    }
}

impl World {
    /// A loop whose contract has just been sealed.
    pub(crate) fn sealed(contract: &Contract, luck: Luck) -> Self {
        let mut state = State::default();
        let fact = Fact::Sealed { contract: Box::new(contract.clone()) };
        state.apply(&Event { sequence: 1, at_ms: 0, active_ms: 0, fact });
        let terms = Terms(Rc::new(contract.clone()));
        Self { state, ledger: Ledger::default(), luck, terms, told: BTreeSet::new() }
    }

    /// Gives a loop that was just sealed to its worker.
    pub(crate) fn bind(&mut self, worker: &Worker) {
        if *worker != self.state.worker {
            let fact = self.quiet(Fact::Bound { worker: worker.clone() });
            self.step(&fact).expect("whoever works may be told at the start");
            self.state.0.sequence = 1;
        }
    }

    /// Lets it happen, and holds the ledger against the state.
    pub(crate) fn step(&mut self, step: &Move) -> Result<Event, &'static str> {
        self.luck = step.luck;
        let event = self.event(step.fact.clone(), step.active_ms);
        let terms = Rc::clone(&self.terms.0);
        self.ledger.observe(&terms, event.active_ms, &event.fact)?;
        if let Fact::Spent { key, .. } = &event.fact {
            self.told.insert(key.clone());
        }
        if let Fact::Ended { key, .. } = &event.fact {
            self.told.remove(key);
        }
        if let Fact::Amended { contract } = &event.fact {
            self.terms = Terms(Rc::new((**contract).clone()));
        }
        self.state.apply(&event);
        self.books_agree(&event.fact)?;
        Ok(event)
    }

    fn books_agree(&self, fact: &Fact) -> Kept {
        let (state, ledger) = (&self.state, &self.ledger);
        if state.anomaly().is_some() {
            return Err("no driver's path is out of order");
        }
        let noted = |(note, expected): (&String, &String)| note.contains(expected);
        if state.notes.len() != ledger.notes.len() || !state.notes.iter().zip(&ledger.notes).all(noted) {
            return Err("a note reaches every turn until one came to something, and no further one");
        }
        let open = state.open_questions().map(|question| (question.number, &question.claim));
        if !open.eq(ledger.people.open.iter().map(|(number, claim)| (*number, claim))) {
            return Err("what the worker asked stands there until it is answered");
        }
        let questioned = matches!(fact, Fact::Settled { settlement: Settlement::Questioned });
        let forgiven =
            Streaks { rejected_tree: state.unit.streaks.rejected_tree.clone(), ..Streaks::default() };
        if questioned && state.unit.streaks != forgiven {
            return Err("a question is never held against the worker");
        }
        if matches!(state.landing(), Some(LandingWord::Landed { .. })) != ledger.has_landed() {
            return Err("what is on the base branch stands in both books");
        }
        if ledger.ended && decide(state) != Decision::Rest {
            return Err("nothing is wanted after the end");
        }
        Ok(())
    }

    fn event(&self, fact: Fact, active_ms: u64) -> Event {
        Event { sequence: self.state.sequence + 1, at_ms: 0, active_ms, fact }
    }

    fn quiet(&self, fact: Fact) -> Move {
        Move { fact, active_ms: self.state.active_ms, luck: self.luck, is_good: true }
    }

    /// All that the driver may write next, and all that may come from outside.
    pub(crate) fn moves(&self, answers: &Answers) -> Result<Vec<Move>, &'static str> {
        let mut moves = self.driver_moves(answers)?;
        if self.ledger.ended {
            self.late_moves(answers, &mut moves);
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
        self.outside_moves(answers, &mut moves)?;
        self.session_moves(answers, &mut moves);
        Ok(moves)
    }

    /// Whoever binds holds the loop, so what another one had begun is an orphan by then; a session that stops for the
    /// first time only becomes known.
    fn session_moves(&self, answers: &Answers, moves: &mut Vec<Move>) {
        let state = &self.state;
        let is_held = state.running.iter().all(|key| state.orphans.contains(key));
        for worker in answers.workers.iter().filter(|worker| *worker != &state.worker) {
            let is_named = is_naming(&state.worker, worker);
            let luck = Luck { binds: self.luck.binds.saturating_sub(u8::from(!is_named)), ..self.luck };
            if is_named || (is_held && self.luck.binds > 0) {
                let fact = Fact::Bound { worker: worker.clone() };
                moves.push(Move { luck, is_good: false, ..self.quiet(fact) });
            }
        }
        // A state file knows of one goal: what it is about comes first.
        let is_first_first = self.terms.0.tasks.first().is_none_or(|task| task.after.is_empty());
        let may_adopt = is_first_first && self.ledger.is_new();
        for &(iteration, rejections) in answers.adopted.iter().filter(|_| may_adopt) {
            moves.push(Move { is_good: false, ..self.quiet(Fact::Adopted { iteration, rejections }) });
        }
        let is_open = matches!(&state.stage, Stage::Settling(_) | Stage::Gates(..));
        let is_over = is_open && !self.ledger.has_landed();
        let is_session = matches!(&state.worker, Worker::Session { .. });
        if is_over && is_session && state.running.is_empty() && self.luck.reopenings > 0 {
            let luck = Luck { reopenings: self.luck.reopenings - 1, ..self.luck };
            for turn in answers.turns.iter().cloned() {
                let turn = Fact::Reopened { turn };
                moves.push(Move { luck, is_good: false, ..self.quiet(turn) });
            }
        }
    }

    /// A person may want what is finished on a branch, more than once.
    fn late_moves(&self, answers: &Answers, moves: &mut Vec<Move>) {
        let wanted = answers.acts.iter().find(|act| matches!(act, Act::Land { .. }));
        let asked = wanted.and_then(|act| admit(&self.state, by_person(act.clone())).ok());
        let Some(asked) = asked.filter(|_| self.luck.acts > 0) else { return };
        let thrown_away = admit(&self.state, by_person(Act::Discard { by: String::from("Ada") })).ok();
        let told = answers.landings.iter().map(|word| Fact::LandingTold { word: word.clone() });
        let luck = Luck { acts: self.luck.acts - 1, ..self.luck };
        moves.extend([asked].into_iter().chain(thrown_away).chain(told).map(|fact| Move {
            luck,
            is_good: false,
            ..self.quiet(fact)
        }));
    }

    fn outside_moves(&self, answers: &Answers, moves: &mut Vec<Move>) -> Kept {
        let iteration = self.ledger.iteration;
        for act in persons_acts() {
            if admit(&self.state, by_worker(iteration, act)).is_ok() {
                return Err("only a person pauses, resumes, cancels, steers, answers, approves or rejects");
            }
        }
        let stop_pending = self.state.stop_asked >= Some(StopAsked::Cancel);
        let may_act = self.luck.acts > 0 && !stop_pending;
        let luck = Luck { acts: self.luck.acts.saturating_sub(1), ..self.luck };
        let acts = if may_act { answers.acts.as_slice() } else { &[] };
        for act in acts {
            let request = match act {
                Act::Claim { .. } => by_worker(iteration, act.clone()),
                Act::Pause | Act::Cancel | Act::Resume | Act::Steer { .. } => by_person(act.clone()),
                Act::Answer { .. } | Act::Approve { .. } | Act::Reject { .. } => by_person(act.clone()),
                Act::Land { .. } | Act::Discard { .. } | Act::Outrun | Act::Tell { .. } | Act::Skip => {
                    by_person(act.clone())
                }
            };
            if let Ok(fact) = admit(&self.state, request) {
                moves.push(Move { luck, is_good: false, ..self.quiet(fact) });
            }
        }
        let is_session = matches!(&self.state.worker, Worker::Session { .. });
        let is_idle = self.state.running.is_empty();
        let may_amend = match &self.state.stage {
            Stage::Paused(..) => may_act,
            Stage::Settling(_) => may_act && is_session && is_idle,
            Stage::Unsealed | Stage::Between(_) | Stage::Turn | Stage::Gates(..) => false,
            Stage::FollowUp(..) | Stage::Ended(_) => false,
        };
        for contract in answers.amended.iter().filter(|contract| may_amend && **contract != *self.terms.0) {
            let fact = Fact::Amended { contract: Box::new(contract.clone()) };
            moves.push(Move { luck, is_good: false, ..self.quiet(fact) });
        }
        // Time that passes beside a turn: coarse, and only where time counts.
        let deadline_ms = self.terms.0.policy.limits.active_ms_max.unwrap_or(0);
        if self.state.active_ms < deadline_ms && !self.state.running.is_empty() {
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
            Decision::SkipUnit(why) => {
                let set_aside = Some(SetAside { commit: None, paths: Vec::new(), left: Vec::new() });
                quiet(Fact::UnitSkipped { why, set_aside })
            }
            Decision::End(end) => quiet(Fact::Finished { end }),
            Decision::Rest if self.ledger.ended || self.luck.resumes == 0 => Ok(Vec::new()),
            Decision::Rest => self.person_goes_on(),
        }
    }

    /// Whatever is open is answered, what is at its limit is skipped, then the loop goes on.
    fn person_goes_on(&self) -> Result<Vec<Move>, &'static str> {
        let act = match self.state.open_questions().next() {
            Some(open) => Act::Answer { question: Some(open.number), answer: String::from("so") },
            // To say no more than *go on* would change nothing there.
            None if matches!(&self.state.stage, Stage::Paused(PauseReason::TaskLimit, _)) => Act::Skip,
            None => Act::Resume,
        };
        let fact = admit(&self.state, by_person(act)).map_err(|_| "rest is a pause or an end")?;
        let luck = Luck { resumes: self.luck.resumes - 1, ..self.luck };
        Ok(vec![Move { luck, ..self.quiet(fact) }])
    }

    fn run_moves(
        &self,
        answers: &Answers,
        effects: &[EffectKey],
        until_ms: Option<u64>,
    ) -> Result<Vec<Move>, &'static str> {
        let running = &self.state.running;
        if let Some(unwanted) = running.iter().find(|key| !effects.contains(key)) {
            let deadline_ms = self.state.deadline_ms();
            let in_time = deadline_ms.is_none_or(|deadline_ms| self.state.active_ms < deadline_ms);
            if is_paid(unwanted) && self.state.stop_asked.is_none() && in_time {
                return Err("what was begun and is paid for is not thrown away");
            }
            if is_paid(unwanted) && !self.told.contains(unwanted) && !answers.costs.is_empty() {
                return Ok(self.tellings(answers, unwanted));
            }
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
            Some(until_ms) if until_ms <= self.state.active_ms => return Err("a waking time lies ahead"),
            Some(active_ms) => moves.push(Move { active_ms, ..self.quiet(Fact::Woke) }),
            None if moves.is_empty() => return Err("a loop never waits for nothing"),
            None => {}
        }
        Ok(moves)
    }

    fn tellings(&self, answers: &Answers, key: &EffectKey) -> Vec<Move> {
        let told = |spent: &Spent| self.quiet(Fact::Spent { key: key.clone(), spent: *spent });
        answers.costs.iter().map(told).collect()
    }

    /// What it cost is told before how it ended.
    fn endings(&self, answers: &Answers, key: &EffectKey, besides: &[EffectResult]) -> Vec<Move> {
        if is_paid(key) && !self.told.contains(key) && !answers.costs.is_empty() {
            return self.tellings(answers, key);
        }
        let spent_ms = if key.work == EffectKind::Turn { answers.turn_ms } else { 0 };
        let ended = |result, is_good| {
            let waits = self.luck.waits.saturating_sub(u8::from(is_limited(&result)));
            let active_ms = self.state.active_ms + spent_ms;
            let luck = Luck { waits, ..self.luck };
            Move { active_ms, luck, is_good, ..self.quiet(Fact::Ended { key: key.clone(), result }) }
        };
        let is_session = matches!(&self.state.worker, Worker::Session { .. });
        let possible = |result: &EffectResult| {
            (!is_limited(result) || self.luck.waits > 0) && (is_session || !is_counted(result))
        };
        let good = answers.of(&key.work).into_iter().filter(possible).map(|result| ended(result, true));
        let bad = answers.mishaps.iter().chain(besides).map(|result| ended(result.clone(), false));
        good.chain(bad).collect()
    }

    /// From here, a cancel ends the loop as cancelled, and a pause rests it, in finitely many of the driver's steps, with
    /// no turn begun.
    pub(crate) fn stops_are_carried_out(&self, answers: &Answers) -> Kept {
        if self.ledger.ended {
            return Ok(());
        }
        let cancelled = self.stopped(answers, Act::Cancel)?;
        let is_over = cancelled.state.stage == Stage::Ended(End::Cancelled) || self.ledger.has_landed();
        if !is_over {
            return Err("a cancel is carried out in finitely many steps");
        }
        let is_stopping = matches!(&self.state.stage, Stage::Paused(..)) || self.state.stop_asked.is_some();
        if is_stopping {
            return Ok(());
        }
        let paused = self.stopped(answers, Act::Pause)?;
        let rests =
            matches!(&paused.state.stage, Stage::Paused(PauseReason::Asked, _)) || self.ledger.has_landed();
        if rests { Ok(()) } else { Err("a pause is carried out in finitely many steps") }
    }

    fn stopped(&self, answers: &Answers, act: Act) -> Result<Self, &'static str> {
        let mut world = self.clone();
        world.luck = Luck::default();
        let fact = admit(&world.state, by_person(act)).map_err(|_| "anything can be stopped")?;
        let asked = world.quiet(fact);
        world.step(&asked)?;
        // Two effects at most run; what each cost is told, each is stopped, then the loop ends.
        for _ in 0..=2 * self.state.running.len() {
            let Some(stopped) = world.driver_moves(answers)?.pop() else { break };
            world.step(&stopped)?;
        }
        Ok(world)
    }
}

/// A session that was to be the first that stops has stopped.
pub(super) fn is_naming(earlier: &Worker, later: &Worker) -> bool {
    matches!((earlier, later), (Worker::Session { id: None, .. }, Worker::Session { id: Some(_), .. }))
}

/// One of each kind.
pub(crate) fn persons_acts() -> [Act; 10] {
    let text = || String::from("win");
    [
        Act::Pause,
        Act::Cancel,
        Act::Resume,
        Act::Steer { note: text() },
        Act::Answer { question: None, answer: text() },
        Act::Approve { reason: text() },
        Act::Reject { reason: text() },
        Act::Skip,
        Act::Outrun,
        Act::Discard { by: text() },
    ]
}
