//! How long a loop waits before it goes on, and for whom; apart, because the log and the live line must agree.
//!
//! There is no clock here, so it is said how long, never until when.

use gulf_engine::{Decision, Stage, State, TurnOutcome, decide};

/// A wait that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// In active time.
    pub(crate) until_ms: u64,
    /// `for the provider`, `before the next try`.
    pub(crate) what: &'static str,
}

/// The wait that keeps the loop from going on, if one does.
pub(crate) fn wait(state: &State) -> Option<Wait> {
    let Decision::Run { effects, until_ms: Some(until_ms) } = decide(state) else { return None };
    let is_idle = effects.iter().all(|effect| state.running().contains(effect));
    // Beside what runs, the loop's deadline is no wait.
    let is_deadline = !effects.is_empty() && state.deadline_ms() == Some(until_ms);
    let is_limited = match state.stage() {
        Stage::Between(_) => {
            let last = state.unit().last.as_ref();
            last.is_some_and(|(turn, _)| matches!(turn.outcome, TurnOutcome::RateLimited { .. }))
        }
        Stage::Unsealed | Stage::Turn | Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..) => false,
        Stage::Paused(..) | Stage::Ended(_) => false,
    };
    let what = if is_limited { "for the provider" } else { "before the next try" };
    (is_idle && !is_deadline).then_some(Wait { until_ms, what })
}
