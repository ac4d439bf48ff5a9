//! What a loop waits for or is at, and for how long.
//!
//! There is no clock here: until when is a moment of the wall clock, which whoever shows it puts into local time.

use crate::{text, wording};
use gulf_engine::{Decision, EffectKey, EffectKind, Event, Fact, Stage, State, TurnOutcome, decide};

/// For whom a loop waits that has begun as many turns within an hour as it may.
const PACED: &str = "turns-per-hour";

/// A wait that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// In active time.
    pub(crate) until_ms: u64,
    /// `for the provider`, `before the next try`.
    pub(crate) what: &'static str,
    /// The same for programs.
    pub(crate) whom: &'static str,
}

/// The wait that keeps the loop from going on, if one does.
pub(crate) fn wait(state: &State) -> Option<Wait> {
    let Decision::Run { effects, until_ms: Some(until_ms) } = decide(state) else { return None };
    let is_idle = effects.iter().all(|effect| state.running.contains(effect));
    // Beside what runs, the loop's deadline is no wait.
    let is_deadline = !effects.is_empty() && state.deadline_ms() == Some(until_ms);
    let (what, whom) = match () {
        () if is_paced(state, until_ms) => ("for limits.turns_per_hour", PACED),
        () if is_for_provider(state) => ("for the provider", "provider"),
        () => ("before the next try", "retry"),
    };
    (is_idle && !is_deadline).then_some(Wait { until_ms, what, whom })
}

/// How much longer, where it waits.
pub(crate) fn left(state: &State) -> Option<String> {
    wait(state).map(|wait| text::duration(wait.until_ms.saturating_sub(state.active_ms)))
}

/// Did as many turns begin within an hour as may?
fn is_paced(state: &State, until_ms: u64) -> bool {
    matches!(&state.stage, Stage::Between(_)) && state.paced_until_ms() == Some(until_ms)
}

/// `waiting 12m for limits.turns_per_hour`, as the line that a wait begins with which no event tells of; none for others.
pub fn paced(state: &State) -> Option<String> {
    let Wait { until_ms, what, .. } = wait(state).filter(|wait| wait.whom == PACED)?;
    let left = text::duration(until_ms.saturating_sub(state.active_ms));
    Some(format!("{} waiting {left} {what}", text::clock(state.active_ms)))
}

/// Did the provider of the agent, or of the judge, ask for the wait that is under way?
fn is_for_provider(state: &State) -> bool {
    match &state.stage {
        Stage::Between(_) => {
            let last = state.unit.last.as_ref();
            last.is_some_and(|(turn, _)| matches!(turn.outcome, TurnOutcome::RateLimited { .. }))
        }
        Stage::Gates(..) => state.is_limited(),
        Stage::Unsealed | Stage::Turn | Stage::Settling(_) | Stage::FollowUp(..) => false,
        Stage::Paused(..) | Stage::Ended(_) => false,
    }
}

/// Until when the loop waits that stood like this at its last event, in milliseconds since 1970; none where it does not.
pub fn waits_until(state: &State, last_at_ms: u64) -> Option<u64> {
    let left_ms = wait(state)?.until_ms.saturating_sub(state.active_ms);
    Some(last_at_ms.saturating_add(left_ms))
}

/// For whom it waits and how much of it is left, as a line without its end: `05:00 still waiting for the provider: 25m left`.
pub fn waiting_on(state: &State, now_active_ms: u64) -> Option<String> {
    let Wait { until_ms, what, .. } = wait(state)?;
    let left = text::duration(until_ms.saturating_sub(now_active_ms));
    Some(format!("{} still waiting {what}: {left} left", text::clock(now_active_ms)))
}

/// What runs on while nothing is to be told, and what is seen of it, where something is: `05:00 still at check tests`.
pub fn still_at(state: &State, doing: &str, now_active_ms: u64) -> Option<String> {
    let is_aside = |key: &&EffectKey| matches!(key.work, EffectKind::Probe { .. });
    let running = &state.running;
    let key = running.iter().find(|key| !is_aside(key)).or_else(|| running.iter().next())?;
    let (clock, work) = (text::clock(now_active_ms), wording::work(&key.work));
    Some(match text::one_line(doing) {
        seen if seen.is_empty() => format!("{clock} still at {work}"),
        seen => format!("{clock} still at {work}: {seen}"),
    })
}

/// In a sentence; none where nothing is under way. `now_ms` is the wall clock of whoever looks, which may differ, and
/// `local` says a moment in their time.
pub fn under_way(
    events: &[Event],
    state: &State,
    now_ms: u64,
    local: impl Fn(u64) -> String,
) -> Option<String> {
    let since = |event: &Event| now_ms.saturating_sub(event.at_ms);
    if let Some(Wait { until_ms, what, .. }) = wait(state) {
        let active_ms = state.active_ms.saturating_add(events.last().map_or(0, since));
        let left = text::duration(until_ms.saturating_sub(active_ms));
        let last_at_ms = events.last().map_or(now_ms, |event| event.at_ms);
        let until = waits_until(state, last_at_ms).map(|until_ms| format!(", until {}", local(until_ms)));
        return Some(format!("It waits {what}, {left} more{}.", until.unwrap_or_default()));
    }
    let (began, key) = events.iter().rev().find_map(|event| {
        let Fact::Began { key } = &event.fact else { return None };
        state.running.contains(key).then_some((event, key))
    })?;
    let (work, so_far) = (wording::work(&key.work), text::duration(since(began)));
    Some(match key.iteration {
        0 => format!("It is at {work}, for {so_far} so far."),
        iteration => format!("It is at {work} in iteration {iteration}, for {so_far} so far."),
    })
}
