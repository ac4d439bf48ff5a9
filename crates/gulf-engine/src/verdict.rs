//! When somebody is asked for a verdict, and what follows where none comes.
//!
//! A judge is the one gate that costs money, may be out of reach, and may stay silent.

use crate::contract::Gate;
use crate::decision::{Beside, Decision, Evaluation, PROVIDER_WAITS_MAX};
use crate::effect::{Candidate, EffectKey, EffectKind, JudgeWord};
use crate::end::{End, Party};
use crate::event::{PauseReason, Settlement};
use alloc::vec::Vec;

/// A judge that gives no verdict is asked so often before a person is.
const JUDGE_SILENT_MAX: u32 = 3;
/// So many such evaluations in a row while a session works, and a person is asked.
const UNJUDGED_MAX: u32 = 3;

impl<'a> Evaluation<'a> {
    /// A no of the judge or of anybody beside it, or the calls for the words that are missing.
    pub(crate) fn judge_objects(self, candidate: &Candidate) -> Option<Decision> {
        if self.is_waived(candidate) {
            return None;
        }
        if self.is_refused(candidate) {
            return Some(Decision::Settle(Settlement::Refused { gate: Gate::Judge }));
        }
        let missing = self.missing_verdicts(candidate);
        (!missing.is_empty()).then(|| {
            self.without_answer().unwrap_or_else(|| self.run(self.in_turn(missing), Beside::RunningProbe))
        })
    }

    pub(crate) fn is_judging(self) -> bool {
        self.state.running.iter().any(|key| key.work.is_verdict())
    }

    /// What was begun is waited for; the others are asked beside it while nobody said no.
    pub(crate) fn verdicts_in_hand(self, candidate: &Candidate) -> Decision {
        let mut asked: Vec<_> =
            self.state.running.iter().filter(|key| key.work.is_verdict()).cloned().collect();
        if !self.is_session() && !self.is_refused(candidate) && self.without_answer().is_none() {
            asked = self.in_turn(self.missing_verdicts(candidate));
        }
        self.run(asked, Beside::RunningProbe)
    }

    /// The verdict of everybody who is asked, as far as it was given.
    fn verdicts(self, candidate: &Candidate) -> Vec<(EffectKind, Option<&'a JudgeWord>)> {
        let words = self.state.unit.words.get(&candidate.tree);
        let judge = (EffectKind::Judge, words.and_then(|words| words.judge.as_ref()));
        let reviewers = self.contract.policy.reviewers.iter();
        let reviews = reviewers
            .map(|by| (EffectKind::Review { by: *by }, words.and_then(|words| words.reviews.get(by))));
        core::iter::once(judge).chain(reviews).collect()
    }

    fn is_refused(self, candidate: &Candidate) -> bool {
        self.verdicts(candidate).iter().any(|(_, word)| matches!(word, Some(JudgeWord::Rejected { .. })))
    }

    /// Everybody said yes who is asked.
    pub(crate) fn is_approved(self, candidate: &Candidate) -> bool {
        self.verdicts(candidate).iter().all(|(_, word)| matches!(word, Some(JudgeWord::Approved { .. })))
    }

    /// Side by side; one after the other where a session waits for each.
    fn missing_verdicts(self, candidate: &Candidate) -> Vec<EffectKey> {
        let missing = self.verdicts(candidate).into_iter().filter(|(_, word)| word.is_none());
        let most = if self.is_session() { 1 } else { usize::MAX };
        missing.map(|(work, _)| self.key(work)).take(most).collect()
    }

    /// What runs the project's programs waits for a check on the base, as checks do.
    fn in_turn(self, mut verdicts: Vec<EffectKey>) -> Vec<EffectKey> {
        if self.state.running.iter().any(|key| matches!(key.work, EffectKind::Probe { .. })) {
            verdicts.retain(|key| !key.work.runs_programs());
        }
        verdicts
    }

    /// Why nobody is asked for a verdict now, if that is so.
    fn without_answer(self) -> Option<Decision> {
        let failures = &self.state.failures;
        let failures_max = self.contract.policy.retries.failures_max.get();
        if !failures.needs_person.is_empty() {
            return Some(Decision::Pause(PauseReason::NeedsPerson));
        }
        if self.is_session() {
            if let Some(decision) = self.without_judge() {
                return Some(decision);
            }
        } else if failures.judge_silent >= JUDGE_SILENT_MAX {
            return Some(Decision::Pause(PauseReason::NoVerdict));
        } else if failures.judge_unreachable >= failures_max || failures.limited > PROVIDER_WAITS_MAX {
            return Some(self.unavailable(Party::Judge));
        }
        if let Some(limit) = self.is_spent() {
            return Some(Decision::End(End::Exhausted { limit }));
        }
        let failed = failures.judge_unreachable.max(failures.limited) > 0;
        (failed && self.state.active_ms < failures.not_before_ms).then(|| self.wait())
    }

    /// A session waits for an answer: its judge is asked a few times, and no wait of its provider's is sat out. Whether
    /// it comes back may be a person's to see; so it is where no further turn could claim again.
    fn without_judge(self) -> Option<Decision> {
        let failures = &self.state.failures;
        if failures.judge_asked < JUDGE_SILENT_MAX && !failures.judge_limited {
            return None;
        }
        let again = self.state.unit.streaks.unjudged + 1 < UNJUDGED_MAX && !self.is_at_limit();
        let pause = Decision::Pause(PauseReason::NoVerdict);
        Some(if again { Decision::Settle(Settlement::Unjudged) } else { pause })
    }
}
