//! When somebody is asked for a verdict, and what follows where none comes.
//!
//! It stands apart because a judge is the one gate that costs money, may be out of reach, and may stay silent.

use crate::contract::Gate;
use crate::decide::{Decision, PROVIDER_WAITS_MAX, Wish};
use crate::effect::{Candidate, JudgeWord, Work};
use crate::end::{End, Party};
use crate::event::{PauseReason, Settlement};

/// A judge that gives no verdict is asked so often before a person is.
const JUDGE_SILENT_MAX: u32 = 3;
/// So many such evaluations in a row while a session works, and a person is asked.
const UNJUDGED_MAX: u32 = 3;

impl Wish<'_> {
    pub(crate) fn judge_objects(self, candidate: &Candidate) -> Option<Decision> {
        match self.words(&candidate.tree).and_then(|words| words.judge.as_ref()) {
            _ if self.is_waived(candidate) => None,
            Some(JudgeWord::Approved { .. }) => None,
            Some(JudgeWord::Rejected { .. }) => {
                Some(Decision::Settle(Settlement::Refused { gate: Gate::Judge }))
            }
            Some(JudgeWord::NoVerdict | JudgeWord::Unreachable { .. })
            | Some(JudgeWord::NeedsPerson { .. } | JudgeWord::RateLimited { .. })
            | None => Some(self.ask_judge()),
        }
    }

    fn ask_judge(self) -> Decision {
        let failures = &self.state.failures;
        let failures_max = self.contract.policy.retries.failures_max.get();
        if failures.needs_person.is_some() {
            return Decision::Pause(PauseReason::NeedsPerson);
        }
        if self.is_session() {
            if let Some(decision) = self.without_judge() {
                return decision;
            }
        } else if failures.judge_silent >= JUDGE_SILENT_MAX {
            return Decision::Pause(PauseReason::NoVerdict);
        } else if failures.judge_unreachable >= failures_max || failures.limited > PROVIDER_WAITS_MAX {
            return self.unavailable(Party::Judge);
        }
        if let Some(limit) = self.is_spent() {
            return Decision::End(End::Exhausted { limit });
        }
        let failed = failures.judge_unreachable.max(failures.limited) > 0;
        if failed && self.state.active_ms < failures.not_before_ms {
            return self.wait();
        }
        self.only(self.key(Work::Judge))
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
