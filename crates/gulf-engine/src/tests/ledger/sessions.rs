//! What is known of a session that works, counted a second time, and the laws of what may be done beside it.

use super::{Kept, Ledger, law};
use crate::tests::world::is_naming;
use crate::*;
use std::collections::BTreeSet;

/// A judge is asked so often at one stop.
const CALLS_MAX: u32 = 3;
/// At so many stops in a row without a verdict, a person is asked.
const STOPS_MAX: u32 = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sessions {
    worker: Worker,
    /// Its host lets it be sent on no more.
    spent: bool,
    /// Calls of the judge that came to nothing, at this stop.
    silences: u32,
    /// Its provider asked for a wait until then.
    judge_waits: Option<u64>,
    /// Stops in a row without a verdict.
    unjudged: u32,
}

impl Sessions {
    pub(super) fn is_worker(&self) -> bool {
        matches!(self.worker, Worker::Session { .. })
    }

    pub(super) fn is_spent(&self) -> bool {
        self.is_worker() && self.spent
    }

    /// Only another one counts anew; a session whose name becomes known does not.
    pub(super) fn bound(&mut self, worker: &Worker) {
        self.spent &= is_naming(&self.worker, worker);
        self.worker = worker.clone();
    }

    pub(super) fn may_begin(&self, work: &EffectKind, running: &BTreeSet<EffectKey>, active_ms: u64) -> Kept {
        if !self.is_worker() {
            return Ok(());
        }
        let has_turn = running.iter().any(|key| key.work == EffectKind::Turn);
        let alone = if *work == EffectKind::Turn { running.is_empty() } else { !has_turn };
        law(alone, "nothing of gulf's runs while a session works")?;
        match work {
            EffectKind::Turn => law(!self.spent, "no host is made to end a turn: a person goes on first"),
            EffectKind::FollowUp => Err("a session is asked nothing beside its turns"),
            EffectKind::Judge | EffectKind::Review { .. } => {
                law(self.silences < CALLS_MAX, "a session does not wait for a judge for ever")?;
                let is_over = self.judge_waits.is_none_or(|until_ms| active_ms >= until_ms);
                law(is_over, "a session does not wait for a judge's provider")
            }
            EffectKind::Step { .. } => Err("a session thinks within its own turn"),
            EffectKind::Snapshot | EffectKind::Check { .. } | EffectKind::Probe { .. } => Ok(()),
            EffectKind::Integrity | EffectKind::Overlay | EffectKind::Land | EffectKind::Close => Ok(()),
        }
    }

    pub(super) fn hear(&mut self, word: &JudgeWord, active_ms: u64) {
        self.silences += 1;
        match word {
            JudgeWord::Approved { .. } | JudgeWord::Rejected { .. } => self.hear_no_more(),
            JudgeWord::RateLimited { wait_ms } => self.judge_waits = Some(active_ms + wait_ms),
            JudgeWord::NoVerdict | JudgeWord::Unreachable { .. } | JudgeWord::NeedsPerson { .. } => {}
        }
    }

    /// A verdict, or another stop: what the judge left unsaid is over.
    fn hear_no_more(&mut self) {
        (self.silences, self.judge_waits) = (0, None);
    }

    pub(super) fn stop(&mut self, turn: &Turn) {
        self.spent = turn.blocks_left == Some(0);
        self.hear_no_more();
    }

    /// The judge was asked often enough at this stop.
    fn is_silent(&self) -> Kept {
        law(self.silences >= CALLS_MAX || self.judge_waits.is_some(), "silence is a judge's that was asked")
    }

    /// The loop rests without a verdict.
    pub(super) fn may_rest_unjudged(&self, is_at_limit: bool) -> Kept {
        if !self.is_worker() {
            return Ok(());
        }
        self.is_silent()?;
        let is_last = self.unjudged + 1 >= STOPS_MAX || is_at_limit;
        law(is_last, "a session goes on without a verdict while it may claim again")
    }

    pub(super) fn may_end(&self, end: &End) -> Kept {
        let by_judge = matches!(end, End::Unavailable { party: Party::Judge, .. });
        law(!self.is_worker() || !by_judge, "no judge's absence ends a session's loop")?;
        let idle = *end == End::Stalled { by: Stall::Idle };
        law(!self.is_worker() || !idle, "a session whose person talks to it is not stalled")
    }

    pub(super) fn settled(&mut self, settlement: Settlement) {
        self.hear_no_more();
        match settlement {
            Settlement::Unjudged => self.unjudged += 1,
            Settlement::AgentFailed | Settlement::RateLimited => {}
            Settlement::NeedsPerson | Settlement::Declined => {}
            Settlement::Research | Settlement::Unclaimed | Settlement::Refused { .. } => self.forgive(),
            Settlement::Asked | Settlement::Approved | Settlement::Questioned => self.forgive(),
            Settlement::Rejected | Settlement::Blocked | Settlement::Steered => self.forgive(),
        }
    }

    pub(super) fn forgive(&mut self) {
        self.unjudged = 0;
    }

    /// A person looked at it.
    pub(super) fn look(&mut self) {
        *self = Self { worker: self.worker.clone(), ..Self::default() };
    }

    pub(super) fn of_next_unit(&self) -> Self {
        Self { worker: self.worker.clone(), spent: self.spent, ..Self::default() }
    }
}

impl Ledger {
    /// Nothing happened but that the loop was sealed, and given to somebody.
    pub(crate) fn is_new(&self) -> bool {
        *self == Self { sessions: self.sessions.clone(), list: self.list.clone(), ..Self::default() }
    }

    /// The seed asks for no test; what lies beyond the limit has nothing before it.
    pub(super) fn adopted(&mut self, contract: &Contract, iteration: u32, rejections: u32) {
        self.iteration = iteration.min(contract.policy.limits.iterations_max.get());
        self.iterations = self.iteration;
        self.rejections = rejections;
        self.asked = true;
    }

    /// The same turn went on: what was looked at is not what is there.
    pub(super) fn reopened(&mut self, contract: &Contract, turn: &Turn) -> Kept {
        law(self.running.is_empty(), "a turn goes on when nothing of gulf's looks at it")?;
        // It works again: whatever a provider asked for is over, and whoever needed a person is asked anew.
        (self.people.needed, self.wait_until_ms) = (false, 0);
        self.turn_ended(contract, &EffectKind::Turn, turn);
        Ok(())
    }

    pub(super) fn goes_unjudged(&mut self, contract: &Contract) -> Kept {
        law(self.sessions.is_worker(), "only a session goes on without a verdict")?;
        self.sessions.is_silent()?;
        law(
            self.sessions.unjudged + 1 < STOPS_MAX,
            "a judge silent at three stops in a row reaches a person",
        )?;
        law(!self.is_at_limit(contract), "the last iteration is judged, or a person is asked")?;
        self.brief_stands(contract)?;
        // What the judge's provider asked for does not hold the session.
        self.wait_until_ms = if self.was_limited { self.wait_until_ms } else { 0 };
        Ok(())
    }
}
