//! The one door through which the engine's wishes become deeds.

use gulf_engine::{EffectKey, EffectKind, EffectResult, Spent, Step, StepEnd, Turn, TurnOutcome};
use gulf_host::hint::Hint as _;

use crate::book::Fold;
use crate::checks::Checks;
use crate::edits::{edits_since_last_turn, note_what_lies};
use crate::error::{Failure, Result, RunError, in_full};
use crate::evidence::CandidateEvidence;
use crate::judge::JudgeEffect;
use crate::landing::LandingEffect;
use crate::references;
use crate::resources::{AgentEffect, Resources};
use crate::spending::SpendingMeter;
use crate::steps::Thinking;
use crate::stop::Stop;
use crate::tasks::TaskBooks;

/// What an effect came to, and what it cost, whatever it came to.
#[derive(Debug)]
pub struct EffectOutcome {
    pub result: EffectResult,
    pub spent: Option<Spent>,
}

impl Resources {
    /// Does what is wanted and says what came of it.
    pub fn perform(&self, key: &EffectKey, fold: &Fold, stop: &Stop) -> EffectOutcome {
        let meter = SpendingMeter::default();
        let result = match self.result(AgentEffect { resources: self, key, fold, stop, meter: &meter }) {
            Ok(result) => result,
            Err(Failure::Stopped) => EffectResult::Interrupted,
            Err(_) if stop.is_asked() => EffectResult::Interrupted,
            Err(failure) => self.failed(&failure),
        };
        EffectOutcome { result, spent: meter.spent() }
    }

    fn result(&self, effect: AgentEffect<'_>) -> Result<EffectResult> {
        let AgentEffect { resources, key, fold, stop, .. } = effect;
        self.not_lost(&key.work)?;
        if key.work != EffectKind::Turn {
            self.last_look.end();
        }
        let checks = Checks { resources, key, stop };
        let evidence = || CandidateEvidence::gather(checks, fold);
        let judge = || JudgeEffect::begin(effect);
        Ok(match &key.work {
            EffectKind::Step { step } => EffectResult::Step(self.step_of(effect, *step)?),
            EffectKind::Turn => EffectResult::Turn(self.turn_of_worker(effect)?),
            EffectKind::FollowUp => EffectResult::Turn(effect.follow_up()?),
            EffectKind::Snapshot => EffectResult::Snapshot(effect.snapshot()?),
            EffectKind::Check { name } => EffectResult::Check(checks.check(name, fold)?),
            EffectKind::Probe { name } => EffectResult::Check(checks.probe(name, fold)?),
            EffectKind::Integrity => EffectResult::Integrity(evidence()?.integrity()?),
            EffectKind::Overlay => EffectResult::Overlay(evidence()?.overlay()?),
            EffectKind::Judge => EffectResult::Judge(judge()?.ask(None)?),
            EffectKind::Review { by } => EffectResult::Judge(judge()?.ask(Some(*by))?),
            EffectKind::Land => EffectResult::Landing(LandingEffect::begin(effect)?.land()?),
            EffectKind::Close => {
                let closing = TaskBooks { resources, fold }.close(key.unit);
                // Lessons stand in files that are part of a candidate.
                note_what_lies(self, fold);
                EffectResult::Closed { closing: closing? }
            }
        })
    }

    fn turn_of_worker(&self, effect: AgentEffect<'_>) -> Result<Turn> {
        edits_since_last_turn(self, effect.fold).into_iter().for_each(|edits| self.reports.tell(edits));
        let turn = effect.turn();
        // A candidate is built of what a completed turn left, and noted there.
        if !matches!(turn, Ok(Turn { outcome: TurnOutcome::Completed, .. })) {
            note_what_lies(self, effect.fold);
        }
        turn
    }

    fn step_of(&self, effect: AgentEffect<'_>, step: Step) -> Result<StepEnd> {
        edits_since_last_turn(self, effect.fold).into_iter().for_each(|edits| self.reports.tell(edits));
        let end = Thinking { effect, step }.step();
        note_what_lies(self, effect.fold);
        end
    }

    /// What no retry helps is told at once; all else is tried again.
    fn failed(&self, failure: &Failure) -> EffectResult {
        if let Ok(Some(why)) = references::lost(self) {
            return EffectResult::NeedsPerson { why };
        }
        let reason = self.mask.owned(with_hint(failure));
        match failure {
            Failure::World(error) if error.needs_person() => EffectResult::NeedsPerson { why: reason },
            Failure::World(_) | Failure::Refused(_) | Failure::Stopped => EffectResult::Failed { reason },
        }
    }

    /// Before anything is paid for, or taken from another repository at the same path. A check's word about a candidate
    /// that is there already needs no more than its objects.
    fn not_lost(&self, work: &EffectKind) -> Result<()> {
        if work.is_verdict() || (work.is_repeatable() && *work != EffectKind::Snapshot) {
            return Ok(());
        }
        match references::lost(self)? {
            Some(why) => Err(RunError::RepositoryLost { why }.into()),
            None => Ok(()),
        }
    }
}

/// Why an effect came to nothing, and what would help: it is tried again for minutes, and a person may be watching.
fn with_hint(failure: &Failure) -> String {
    let hint = if let Failure::World(error) = failure { error.hint() } else { None };
    let why = in_full(failure);
    hint.map_or_else(|| why.clone(), |hint| format!("{why}; {hint}"))
}
