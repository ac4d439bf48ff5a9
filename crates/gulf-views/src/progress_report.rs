//! A loop in the words of the design of ralph and autopilot: its report of progress (SPEC A8).
//!
//! Phases and actions are projections: other programs and people look for these words, and nothing is decided on them.

use crate::facts::{Driver, Facts};
use crate::history::{History, Iteration};
use crate::parts::PartState;
use crate::standing::Standing;
use crate::summary::verdicts;
use crate::tasks::{TaskState, tasks};
use crate::wording;
use gulf_engine::{End, Gate, JudgeWord, Policy, Settlement, Stage, State, Step, Work};

/// The seed's report of progress, in English.
pub fn progress_report(facts: &Facts, history: &History, state: &State, driver: Driver) -> String {
    let last = history.iterations().iter().rev().find_map(outcome);
    let (result, action) = last.unwrap_or_else(|| ("none yet".to_owned(), "execute"));
    let issues = issues(history, state);
    let issues = if issues.is_empty() { "none".to_owned() } else { issues.join(", ") };
    let action = match state.stage() {
        // Nothing follows by itself.
        _ if matches!(Standing::of(state, driver), Standing::Interrupted | Standing::LedOn) => {
            "escalate (it was interrupted: `gulf resume` goes on)"
        }
        Stage::Paused(..) => "escalate",
        Stage::Ended(end) if action_at_end(end) == "escalate" => "escalate",
        Stage::Ended(_) => "none",
        Stage::Unsealed | Stage::Between(_) | Stage::Turn => action,
        Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..) => action,
    };
    format!(
        "[Autonomous Loop progress] iteration {}/{} ({})\n- Task: {}\n- Phase: {}\n- Last result: {result}\n\
         - Open issues: {issues}\n- Next action: {action}\n",
        state.unit().iteration,
        state.iterations_max(),
        mode(state),
        facts.loop_id.as_str(),
        phase(state),
    )
}

/// The seed's word for where the loop stands.
pub(crate) fn phase(state: &State) -> &'static str {
    match state.stage() {
        Stage::Paused(..) => "waiting-user",
        Stage::Ended(end) => phase_at_end(end),
        Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..) => "verify",
        Stage::Turn => "execute",
        Stage::Unsealed | Stage::Between(_) => {
            let thinks = |step: Step| state.running().iter().any(|key| key.work == Work::Step { step });
            if thinks(Step::Plan) || thinks(Step::Criticize) {
                "plan"
            } else if thinks(Step::Analyze) || thinks(Step::Cause) || state.unit().iteration == 0 {
                "analyze"
            } else {
                "execute"
            }
        }
    }
}

/// The seed has no word for an end without success.
pub(crate) fn phase_at_end(end: &End) -> &'static str {
    match end {
        End::Verified { .. } | End::Attested { .. } => "complete",
        End::Stalled { .. } | End::Exhausted { .. } | End::Unavailable { .. } => "verify",
        End::Violated | End::Cancelled => "verify",
    }
}

/// What follows an end: nothing, or a person.
pub(crate) fn action_at_end(end: &End) -> &'static str {
    match end {
        End::Verified { .. } | End::Attested { .. } => "complete",
        End::Stalled { .. } | End::Exhausted { .. } | End::Unavailable { .. } | End::Violated => "escalate",
        End::Cancelled => "none",
    }
}

/// What follows an iteration that came out so.
pub(crate) fn action_after(settlement: Settlement) -> &'static str {
    match settlement {
        Settlement::Refused { .. } | Settlement::Rejected | Settlement::Asked => "fix",
        Settlement::Questioned | Settlement::NeedsPerson => "escalate",
        Settlement::Research | Settlement::Unclaimed | Settlement::AgentFailed => "retry",
        Settlement::Approved | Settlement::RateLimited | Settlement::Unjudged => "retry",
        Settlement::Blocked | Settlement::Declined => "retry",
    }
}

/// What came of an iteration, and the seed's word for what follows.
fn outcome(iteration: &Iteration) -> Option<(String, &'static str)> {
    if let Some(end) = &iteration.end {
        return Some((end.word().to_owned(), action_at_end(end)));
    }
    let settlement = iteration.settlement?;
    let red = wording::red_checks(&iteration.checks);
    Some((wording::settled_with(settlement, &red), action_after(settlement)))
}

fn issues(history: &History, state: &State) -> Vec<String> {
    if let Stage::Ended(End::Verified { .. } | End::Attested { .. }) = state.stage() {
        return Vec::new();
    }
    let mut issues =
        history.last_evaluated().map(|last| wording::red_checks(&last.checks)).unwrap_or_default();
    issues.extend(objections(history, state));
    let left_out = history.parts.iter().filter(|part| part.state == PartState::LeftOut);
    issues.extend(left_out.map(|part| format!("step {} of the plan, which stayed out", part.id)));
    issues.extend(state.open_questions().map(|open| format!("question {}", open.number)));
    issues.extend(open_tasks(history, state));
    issues
}

/// Of a list that gulf works off, and of one that the worker ticks.
fn open_tasks(history: &History, state: &State) -> Option<String> {
    let listed = tasks(history, state);
    let open = listed.iter().filter(|one| one.state != TaskState::Complete).count();
    let ticked_by_worker =
        state.unit().tally.map_or(0, |tally| u64::from(tally.open) + u64::from(tally.missing));
    match (open, ticked_by_worker) {
        (0, 0) => None,
        (0, open) => Some(format!("{open} open in the list of tasks")),
        (open, _) => Some(format!("{open} of {} tasks", listed.len())),
    }
}

/// Who said no to the newest candidate, checks aside.
fn objections(history: &History, state: &State) -> Vec<String> {
    let verdicts = verdicts(history.last_evaluated(), state).into_iter();
    let refused = verdicts.filter(|verdict| matches!(verdict.word, JudgeWord::Rejected { .. }));
    refused.map(|verdict| format!("what {} rejected", verdict.by)).collect()
}

/// How the loop works, as far as its contract tells.
fn mode(state: &State) -> &'static str {
    let plans = |policy: &Policy| policy.steps.iter().any(|terms| terms.step == Step::Plan);
    match policy(state) {
        Some(policy) if plans(policy) && policy.landing.is_some() => "autopilot",
        Some(policy) if plans(policy) => "ralph",
        Some(_) if state.contract().is_some_and(|contract| !contract.tasks.is_empty()) => "tasks",
        Some(policy) if policy.landing.is_some() => "autonomous",
        Some(policy) if policy.feedback.is_some() => "feedback",
        Some(policy) if policy.gates.contains(&Gate::Judge) => "judge",
        Some(_) | None => "basic",
    }
}

pub(crate) fn policy(state: &State) -> Option<&Policy> {
    state.contract().map(|contract| &contract.policy)
}
