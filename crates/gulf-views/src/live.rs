//! The one line that changes: where the loop is right now, under the log that only grows.
//!
//! Never written to a pipe. One line that fits needs no library: erase it, write what is new above, draw it again.

use crate::cost::Cost;
use crate::history::History;
use crate::look::Look;
use crate::phrase::{Phrase, say, secondary};
use crate::wait::wait;
use crate::{text, wording};
use gulf_engine::{Contract, EffectKey, EffectKind, Phase, Stage, State, Words};

/// To the line's start, and erase to its end: also what a terminal is sent when the status line goes for good.
pub const ERASE: &str = "\r\u{1b}[2K";

/// On a narrower terminal the last gate's word is worth more than the noun before the numbers.
const COLUMNS_FOR_NOUN_MIN: usize = 60;

/// Iteration, phase, elapsed time, cost, what runs and the last gate's word, on one line that leaves the last column
/// free (a terminal that is written to its edge wraps). `doing` is what the agent, or the set-up of a checkout, was
/// last seen to do; it may be blank.
pub fn status_line(state: &State, history: &History, doing: &str, now_active_ms: u64, look: Look) -> String {
    let iterations_max = state.iterations_max();
    let is_narrow = look.columns() < COLUMNS_FOR_NOUN_MIN;
    let iteration = state.unit.iterations;
    let head = match is_narrow {
        true => format!("{iteration}/{iterations_max}"),
        false => format!("iteration {iteration}/{iterations_max}"),
    };
    let phase = || Phase::from_state(state).word().to_owned();
    let doing_now = waiting(state, now_active_ms).unwrap_or_else(phase);
    let clock = format!(" · {}", text::clock(now_active_ms));
    let mut status = say(head).say(format!(" · {doing_now}")).secondary(clock);
    if !is_narrow && let Some(cost) = Cost::from_spending(&state.spending) {
        let spent = spent(&cost, state, history);
        status = status.secondary(format!(" · {spent}"));
    }
    if let Some(detail) = detail(state) {
        status = status.say(format!(" · {detail}"));
    }
    if let Some(word) = last_word(state) {
        status = status.say(" · ").join(word);
    }
    let works = matches!(&state.stage, Stage::Turn | Stage::FollowUp(..));
    let works = works || state.running.iter().any(is_looked_at);
    if works && !doing.trim().is_empty() {
        // It comes last: where the line is too short, this is what may be cut.
        status = status.secondary(format!(" · {}", text::one_line(doing)));
    }
    if is_narrow && let Some(cost) = Cost::from_spending(&state.spending) {
        status = status.secondary(format!(" · {}", cost.brief()));
    }
    status.shown_in(look).fit(look.columns().saturating_sub(1)).render(look.palette)
}

/// The same for checks that no loop runs: elapsed time, and what is being asked.
pub fn checking_line(state: &State, now_active_ms: u64, look: Look) -> String {
    let what = detail(state).unwrap_or_else(|| "looking".to_owned());
    let clock = secondary(format!("{} ", text::clock(now_active_ms)));
    clock.say(format!("{what} …")).shown_in(look).fit(look.columns().saturating_sub(1)).render(look.palette)
}

/// What a terminal is sent for a new line of the log: the status line gives way and comes back below.
pub fn redraw(line: Option<&str>, status: &str) -> String {
    match line {
        Some(line) => format!("{ERASE}{line}\n{status}"),
        None => format!("{ERASE}{status}"),
    }
}

/// What was spent of what may be, and what a claim costs: `$1.24 of $5.00, $0.41 a claim`.
fn spent(cost: &Cost, state: &State, history: &History) -> String {
    let limit = state.contract().and_then(|contract| contract.policy.limits.microdollars_max);
    cost.measured(limit, history.claims())
}

fn waiting(state: &State, now_active_ms: u64) -> Option<String> {
    let wait = wait(state)?;
    let left_ms = wait.until_ms.saturating_sub(now_active_ms);
    Some(format!("waiting {} {}", text::duration(left_ms), wait.what))
}

/// What runs besides the turn, or why nothing does.
fn detail(state: &State) -> Option<String> {
    let waits = match &state.stage {
        Stage::Paused(..) => Some("paused".to_owned()),
        Stage::Ended(end) => Some(end.word().to_owned()),
        Stage::FollowUp(..) => Some("follow-up".to_owned()),
        Stage::Unsealed | Stage::Between(_) | Stage::Turn | Stage::Settling(_) | Stage::Gates(..) => None,
    };
    let runs = state.running.iter().find_map(|key| match &key.work {
        EffectKind::Check { name } => Some(format!("check {name}")),
        EffectKind::Probe { name } if state.stage != Stage::Turn => Some(format!("check {name} on the base")),
        EffectKind::Judge => Some("judge".to_owned()),
        EffectKind::Step { step } => Some(step.word().to_owned()),
        EffectKind::Review { by } => Some(format!("{} review", by.word())),
        EffectKind::Overlay => Some("new tests on the base's code".to_owned()),
        EffectKind::Integrity => Some("comparing the tests".to_owned()),
        EffectKind::Land => Some("landing".to_owned()),
        EffectKind::Close => Some("commit".to_owned()),
        EffectKind::Turn | EffectKind::FollowUp | EffectKind::Snapshot | EffectKind::Probe { .. } => None,
    });
    waits.or(runs)
}

/// Does a check run for it?
pub fn is_looked_at(key: &EffectKey) -> bool {
    matches!(
        key.work,
        EffectKind::Check { .. } | EffectKind::Probe { .. } | EffectKind::Integrity | EffectKind::Overlay
    )
}

/// The last gate's word on the newest tree that has one; after the end, the result says it all.
fn last_word(state: &State) -> Option<Phrase> {
    if matches!(&state.stage, Stage::Ended(_)) {
        return None;
    }
    let contract = state.contract()?;
    wording::newest_words(state).find_map(|words| gate_word(words, contract))
}

/// A no before any yes, else the one that comes last in the gates' order.
fn gate_word(words: &Words, contract: &Contract) -> Option<Phrase> {
    let run_in_order = || contract.checks.iter().filter_map(|terms| words.checks.get_key_value(&terms.name));
    let check = |(name, run)| say(format!("{name} ")).join(wording::check_word(run));
    if let Some(red) = run_in_order().find(|(_, run)| !run.is_green()) {
        return Some(check(red));
    }
    if let Some(word) = &words.judge {
        return Some(say("judge ").join(wording::judge_word(word)));
    }
    if let Some(overlay) = &words.overlay {
        return Some(wording::overlay(overlay));
    }
    match &words.integrity {
        Some(found) if !found.findings.is_empty() => Some(wording::integrity(found)),
        Some(_) | None => run_in_order().next_back().map(check),
    }
}
