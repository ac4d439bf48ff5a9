//! What a loop that somebody drives is doing, and for how long: for whoever looks from another terminal, hours later.
//!
//! It stands apart because it needs the time of looking, which no event has; the driver's own live line needs none.

use crate::lines::work;
use crate::text;
use crate::wait::{Wait, wait, waits_until};
use gulf_engine::{Event, Fact, State};

/// In a sentence; none where nothing is under way. `now_ms` is the wall clock of whoever looks, which may differ, and
/// `local` says a moment in their time.
pub fn under_way(
    events: &[Event],
    state: &State,
    now_ms: u64,
    local: impl Fn(u64) -> String,
) -> Option<String> {
    let since = |event: &Event| now_ms.saturating_sub(event.at_ms);
    if let Some(Wait { until_ms, what }) = wait(state) {
        let active_ms = state.active_ms().saturating_add(events.last().map_or(0, since));
        let left = text::duration(until_ms.saturating_sub(active_ms));
        let last_at_ms = events.last().map_or(now_ms, |event| event.at_ms);
        let until = waits_until(state, last_at_ms).map(|until_ms| format!(", until {}", local(until_ms)));
        return Some(format!("It waits {what}, {left} more{}.", until.unwrap_or_default()));
    }
    let (began, key) = events.iter().rev().find_map(|event| {
        let Fact::Began { key } = &event.fact else { return None };
        state.running().contains(key).then_some((event, key))
    })?;
    let of = if key.iteration == 0 { String::new() } else { format!(" in iteration {}", key.iteration) };
    Some(format!("It is at {}{of}, for {} so far.", work(&key.work), text::duration(since(began))))
}
