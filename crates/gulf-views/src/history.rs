//! What happened in each iteration: a fold over the same events as the engine's state.
//!
//! The engine forgets on purpose (only what the rules ask for stays in its state), while reports want every iteration. A
//! driver keeps one beside the state and feeds both.

mod passages;

use std::collections::BTreeMap;

use gulf_engine::{
    By, Candidate, CheckName, CheckRun, Claim, Closing, CommitId, Denial, Digest, EffectKey, EffectKind,
    EffectResult, End, Event, Fact, Finding, Gate, Integrity, JudgeWord, LandingWord, Overlay, PartWord,
    RecordedFeedback, Settlement, Snapshot, Spent, StepEnd, Turn, UnitId,
};

use crate::cost::Cost;
use crate::failing::FailingTurns;
use crate::parts::{self, PartReport};
use crate::wording::{self, sender};

pub use passages::PersonAct;
pub(crate) use passages::{Passage, PassageKind, PersonalAct, Reviewed};

/// The fold of a journal's events for reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Of the last event; 0 without events.
    pub sequence: u64,
    /// Wall clock of the first event, milliseconds since 1970; and of the last one.
    pub(crate) started_at_ms: u64,
    pub(crate) updated_at_ms: u64,
    /// Of the surroundings in which checks run; none before a driver took the loop.
    pub(crate) environment: Option<Digest>,
    /// In the order in which they began.
    pub iterations: Vec<Iteration>,
    /// The judge's part of what was spent.
    pub(crate) judge_cost: Cost,
    /// Of the steps before the iteration that comes next.
    cost_ahead: Cost,
    /// What the agent was not allowed to do, and how often, from the start on.
    pub denials: BTreeMap<String, u32>,
    /// What a person did, the oldest first.
    pub acts: Vec<PersonalAct>,
    /// Who answered the question of this number, where a channel brought it.
    pub(crate) answered_by: BTreeMap<u32, By>,
    /// What somebody else measured, the oldest first: shown, and nothing was decided on it.
    pub(crate) told: Vec<RecordedFeedback>,
    landed_for: Option<PersonAct>,
    /// What was written down of finished tasks.
    pub(crate) closed: BTreeMap<UnitId, ClosedTask>,
    /// The parts of the plan that workers did side by side, in its order; or why one worker did them.
    pub(crate) parts: Vec<PartReport>,
    pub(crate) undivided: Option<String>,
    /// What the worker changed while only a brief was asked for, and did not put back.
    pub(crate) researched: Vec<String>,
    /// The agent's turns that came to nothing, since one last came to something.
    pub failing: Option<FailingTurns>,
    /// What was done to the marker by which the loop was asked to rest, since it last went on.
    pub(crate) marker_edit: Option<&'static str>,
    /// All that is over, the oldest first.
    pub(crate) passages: Vec<Passage>,
    reviews: Vec<Reviewed>,
    /// Words of iterations before this one were spoken in other surroundings.
    remembered_from: usize,
}

/// What was written down of a finished task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClosedTask {
    pub commit: Option<CommitId>,
    /// What is not in it.
    pub left: Vec<String>,
}

/// One iteration, its last attempt's values where there were several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Iteration {
    pub unit: UnitId,
    /// Counted from 1 across the units.
    pub number: u32,
    /// How many turns began; more than one after an interruption or a failure.
    pub attempts: u32,
    pub turn: Option<Turn>,
    /// The worker's word, by its message or by `gulf claim`.
    pub claim: Option<Claim>,
    pub snapshot: Option<Snapshot>,
    /// Each check's word about the candidate, remembered ones included.
    pub checks: BTreeMap<CheckName, CheckRun>,
    pub integrity: Option<Integrity>,
    pub overlay: Option<Overlay>,
    pub judge: Option<JudgeWord>,
    pub landing: Option<LandingWord>,
    /// Of all attempts, worker and judge together; none where nothing was spent.
    pub cost: Option<Cost>,
    /// Why a person overruled the judge about this candidate, if one did.
    pub waived: Option<String>,
    /// Turns and checks together, remembered results not counted again.
    pub duration_ms: u64,
    /// None while it is under way, and where its gates ended the loop or its unit.
    pub settlement: Option<Settlement>,
    /// The loop's or the unit's end, if nothing began after this iteration.
    pub end: Option<End>,
}

impl History {
    /// Folds all events of a journal.
    pub fn fold(events: &[Event]) -> History {
        let mut history = History::default();
        events.iter().for_each(|event| history.apply(event));
        history
    }

    /// Folds one event in; one that was seen is skipped.
    pub fn apply(&mut self, event: &Event) {
        if event.sequence <= self.sequence {
            return;
        }
        if self.sequence == 0 {
            self.started_at_ms = event.at_ms;
        }
        self.sequence = event.sequence;
        self.updated_at_ms = event.at_ms;
        match &event.fact {
            Fact::Attached { environment, .. } => self.attach(environment),
            Fact::Began { key } => self.begin(key),
            Fact::Ended { key, result } => {
                self.pass_step(key, result);
                self.end(key, result);
            }
            Fact::Reopened { turn } => {
                self.deny(&turn.denials);
                self.change_last(|last| last.end_turn(turn));
            }
            Fact::Claimed { claim } => self.change_last(|last| last.claim = Some(claim.clone())),
            Fact::Settled { settlement } => self.settle(*settlement),
            // What became of its task is told before the loop's own end.
            Fact::UnitFinished { end } | Fact::UnitSkipped { why: end, .. } | Fact::Finished { end } => {
                self.pass(PassageKind::Ended { end: end.clone() });
                self.change_last(|last| last.end = last.end.take().or(Some(end.clone())));
            }
            Fact::Spent { key, spent } => self.spend(key, spent),
            Fact::FeedbackTold { told } => self.told.push(told.clone()),
            Fact::Steered { note } => self.act(PersonAct::Steered { note: note.clone() }),
            Fact::Rejected { reason, by } => self.act(PersonAct::Rejected { reason: signed(reason, by) }),
            Fact::Amended { .. } => {
                // A yes was given under the old terms.
                self.iterations.iter_mut().for_each(|iteration| iteration.waived = None);
                self.act(PersonAct::Amended);
            }
            Fact::Approved { reason, by } => self.approve(signed(reason, by)),
            Fact::LandingAsked { by, base, push } => {
                self.act(PersonAct::Landed { by: by.clone(), base: base.clone(), push: push.clone() });
            }
            Fact::Edited { paths, more } => self.act(PersonAct::Edited { paths: paths.clone(), more: *more }),
            Fact::Researched { changed, more } => self.researched = passages::counted(changed, *more),
            Fact::LandingTold { word } => self.land(word),
            Fact::Divided { parts, why } => {
                (self.parts, self.undivided) = (parts::divided(parts), parts::undivided(why));
            }
            Fact::PartTold { id, word } => {
                if *word != PartWord::Begun {
                    self.pass(PassageKind::Part { id: id.clone(), word: word.clone() });
                }
                parts::record(&mut self.parts, id, word);
            }
            // The engine's state keeps questions with their answers, and not whose they are.
            Fact::Answered { question, by, .. } => {
                self.answered_by.extend(by.clone().map(|by| (*question, by)));
            }
            Fact::Taken { request } => self.marker_edit = wording::marker_edit(request).or(self.marker_edit),
            Fact::Resumed => self.marker_edit = None,
            Fact::Paused { reason } => {
                self.pass(PassageKind::Paused { reason: *reason });
                self.rest(*reason);
            }
            Fact::Sealed { .. } | Fact::Bound { .. } | Fact::Adopted { .. } | Fact::StrategyReset => {}
            Fact::Woke | Fact::Decided { .. } | Fact::Refused { .. } | Fact::TailDropped { .. } => {}
            Fact::PauseAsked | Fact::CancelAsked | Fact::Outrun | Fact::Discarded { .. } => {}
        }
    }

    fn change_last(&mut self, change: impl FnOnce(&mut Iteration)) {
        if let Some(last) = self.iterations.last_mut() {
            change(last);
        }
    }

    fn approve(&mut self, reason: String) {
        if let Some(evaluated) = self.iterations.iter_mut().rev().find(|one| one.snapshot.is_some()) {
            evaluated.waived = Some(reason.clone());
        }
        self.act(PersonAct::Approved { reason });
    }

    fn settle(&mut self, settlement: Settlement) {
        if !matches!(settlement, Settlement::AgentFailed | Settlement::RateLimited | Settlement::NeedsPerson)
        {
            self.failing = None;
        }
        let red = self.iterations.last().map(|last| wording::red_checks(&last.checks)).unwrap_or_default();
        self.pass(PassageKind::Settled { settlement, red });
        self.change_last(|last| last.settlement = Some(settlement));
    }

    /// How many iterations claimed to be done.
    pub fn claims(&self) -> u32 {
        let is_claimed = |one: &&Iteration| matches!(one.claim, Some(Claim::Done { .. }));
        u32::try_from(self.iterations.iter().filter(is_claimed).count()).unwrap_or(u32::MAX)
    }

    /// The iterations that the judge refused, the newest last.
    pub fn rejected(&self) -> impl DoubleEndedIterator<Item = &Iteration> {
        let refused = Some(Settlement::Refused { gate: Gate::Judge });
        self.iterations.iter().filter(move |iteration| iteration.settlement == refused)
    }

    /// The newest iteration that has a candidate: what a result speaks about.
    pub fn last_evaluated(&self) -> Option<&Iteration> {
        self.iterations.iter().rev().find(|iteration| iteration.snapshot.is_some())
    }

    /// What checks said in other surroundings is asked again, so it is no longer said of the candidate in hand.
    fn attach(&mut self, environment: &Digest) {
        if self.environment.replace(environment.clone()).is_none_or(|earlier| earlier == *environment) {
            return;
        }
        self.remembered_from = self.iterations.len();
        if let Some(last) = self.iterations.last_mut().filter(|last| last.settlement.is_none()) {
            last.forget();
            self.remembered_from -= 1;
        }
    }

    fn begin(&mut self, key: &EffectKey) {
        if key.work != EffectKind::Turn {
            return;
        }
        let last_index = self.iterations.len().saturating_sub(1);
        match self.iterations.last_mut() {
            Some(last) if last.unit == key.unit && last.number == key.iteration => {
                last.repeat(key.attempt);
                if self.remembered_from > last_index {
                    last.forget();
                    self.remembered_from = last_index;
                }
            }
            Some(_) | None => {
                let cost = std::mem::take(&mut self.cost_ahead).unless_nothing();
                let (unit, number, attempts) = (key.unit, key.iteration, key.attempt);
                self.iterations.push(Iteration { unit, number, attempts, cost, ..Iteration::default() });
            }
        }
    }

    /// As the engine has it: what is in the way elsewhere does not make it less true that it has landed.
    fn land(&mut self, word: &LandingWord) {
        let Some(last) = self.iterations.last_mut() else { return };
        let has_landed = matches!(last.landing, Some(LandingWord::Landed { .. }));
        if !has_landed || matches!(word, LandingWord::Landed { .. }) {
            last.landing = Some(word.clone());
            let wishes = self.acts.iter().rev().map(|one| &one.act);
            self.landed_for = wishes.into_iter().find(|act| matches!(act, PersonAct::Landed { .. })).cloned();
        }
    }

    /// The wish of a person after the end that the last word about the landing answers.
    pub(crate) fn landed_for(&self) -> Option<(&str, &str, Option<&str>)> {
        let Some(PersonAct::Landed { by, base, push }) = &self.landed_for else { return None };
        Some((by, base, push.as_deref()))
    }

    fn act(&mut self, act: PersonAct) {
        self.acts.push(PersonalAct { iteration: self.last_number(), act });
    }

    /// Of the iteration that began last; 0 before the first.
    pub(crate) fn last_number(&self) -> u32 {
        self.iterations.last().map_or(0, |last| last.number)
    }

    fn spend(&mut self, key: &EffectKey, spent: &Spent) {
        if key.work == EffectKind::Judge {
            self.judge_cost.add(spent);
        }
        let is_its = |one: &&mut Iteration| one.unit == key.unit && one.number == key.iteration;
        if let Some(iteration) = self.iterations.iter_mut().rev().find(is_its) {
            let mut cost = iteration.cost.unwrap_or_default();
            cost.add(spent);
            iteration.cost = cost.unless_nothing();
        } else if matches!(key.work, EffectKind::Step { .. }) {
            self.cost_ahead.add(spent);
        }
    }

    fn deny(&mut self, denials: &[Denial]) {
        for Denial { what, times } in denials {
            let count = self.denials.entry(what.clone()).or_default();
            *count = count.saturating_add(*times);
        }
    }

    fn end(&mut self, key: &EffectKey, result: &EffectResult) {
        self.failing = FailingTurns::after(self.failing.take(), key, result);
        if let EffectResult::Turn(Turn { denials, .. }) | EffectResult::Step(StepEnd { denials, .. }) = result
        {
            self.deny(denials);
        }
        let remembered_from = self.remembered_from;
        let Some((last, earlier)) = self.iterations.split_last_mut() else { return };
        let remembered = earlier.get(remembered_from..).unwrap_or(&[]);
        if last.unit != key.unit || last.number != key.iteration {
            return;
        }
        match result {
            EffectResult::Turn(turn) => last.end_turn(turn),
            EffectResult::Snapshot(snapshot) => last.evaluate(snapshot, remembered),
            EffectResult::Check(run) => {
                if let EffectKind::Check { name } = &key.work {
                    last.duration_ms = last.duration_ms.saturating_add(run.duration_ms);
                    last.checks.insert(name.clone(), run.clone());
                }
            }
            EffectResult::Integrity(integrity) => last.integrity = Some(integrity.clone()),
            EffectResult::Overlay(overlay) => last.overlay = Some(overlay.clone()),
            EffectResult::Judge(word) => last.hear(&key.work, word),
            EffectResult::Landing(word) => last.landing = Some(word.clone()),
            EffectResult::Closed { closing: Closing::Done { commit, left, .. } } => {
                let closed = ClosedTask { commit: commit.clone(), left: left.clone() };
                self.closed.insert(key.unit, closed);
            }
            EffectResult::Closed { closing: Closing::NotReady { .. } } => {}
            EffectResult::Step(_) | EffectResult::Interrupted | EffectResult::Failed { .. } => {}
            EffectResult::NeedsPerson { .. } => {}
        }
    }
}

/// What a person said, and who it was where a channel brought it.
fn signed(reason: &str, by: &Option<By>) -> String {
    format!("{reason}{}", sender(by))
}

impl Iteration {
    /// A person's yes to its candidate, where it was given.
    pub(crate) fn approval(&self) -> Option<String> {
        let reason = self.waived.as_ref()?;
        Some(match self.judge {
            Some(_) => format!("a person overruled the judge: {reason}"),
            None => format!("a person approved it: {reason}"),
        })
    }

    /// One no among several is the verdict; what only one of them left unsaid is none.
    fn hear(&mut self, work: &EffectKind, word: &JudgeWord) {
        let is_judge = *work == EffectKind::Judge;
        let has_no = matches!(self.judge, Some(JudgeWord::Rejected { .. }));
        let is_no = matches!(word, JudgeWord::Rejected { .. });
        if is_no || (is_judge && !has_no) {
            self.judge = Some(word.clone());
        }
    }

    pub fn candidate(&self) -> Option<&Candidate> {
        self.snapshot.as_ref().map(|snapshot| &snapshot.candidate)
    }

    /// Files that are not in the candidate, each with the reason.
    pub(crate) fn left_out(&self) -> &[String] {
        self.snapshot.as_ref().map_or(&[], |snapshot| &snapshot.left_out)
    }

    /// Sealed texts that differed in the worktree, without effect.
    pub(crate) fn drifted(&self) -> &[String] {
        self.snapshot.as_ref().map_or(&[], |snapshot| &snapshot.drifted)
    }

    /// Changes of tests that hide nothing.
    pub(crate) fn cleared(&self) -> &[Finding] {
        self.integrity.as_ref().map_or(&[], |integrity| &integrity.cleared)
    }

    /// What was changed of the base's tests and of what decides about them.
    pub(crate) fn findings(&self) -> &[Finding] {
        self.integrity.as_ref().map_or(&[], |integrity| &integrity.findings)
    }

    /// Was there no time to ask its tests enough other inputs?
    pub(crate) fn is_cut_short(&self) -> bool {
        let elsewhere = self.integrity.as_ref().and_then(|integrity| integrity.elsewhere.as_ref());
        elsewhere.is_some_and(|runs| runs.is_cut)
    }

    /// Why no new test was seen to fail without the change.
    pub(crate) fn not_shown(&self) -> Option<&str> {
        match &self.overlay {
            Some(Overlay::NotShown { why }) => Some(why),
            Some(Overlay::Red { .. } | Overlay::Noticed { .. } | Overlay::Unnoticed { .. }) | None => None,
        }
    }

    fn end_turn(&mut self, turn: &Turn) {
        self.duration_ms = self.duration_ms.saturating_add(turn.duration_ms);
        if let Some(claim) = turn.claim.as_ref().filter(|claim| claim.adds_to(self.claim.as_ref())) {
            self.claim = Some(claim.clone());
        }
        self.turn = Some(turn.clone());
    }

    fn repeat(&mut self, attempt: u32) {
        self.attempts = attempt;
        self.claim = None;
        self.waived = None;
        self.settlement = None;
    }

    /// What was said in other surroundings.
    fn forget(&mut self) {
        self.checks.clear();
        self.overlay = None;
    }

    /// Words are about trees: those of an earlier iteration on the same tree hold again.
    fn evaluate(&mut self, snapshot: &Snapshot, earlier: &[Iteration]) {
        let tree = &snapshot.candidate.tree;
        let is_about = |iteration: &Iteration| iteration.candidate().is_some_and(|known| known.tree == *tree);
        if !is_about(self) {
            let known =
                earlier.iter().rev().find(|iteration| iteration.unit == self.unit && is_about(iteration));
            let Iteration { checks, integrity, overlay, judge, waived, .. } =
                known.cloned().unwrap_or_default();
            *self = Iteration { checks, integrity, overlay, judge, waived, ..std::mem::take(self) };
        }
        self.snapshot = Some(snapshot.clone());
    }
}
