//! `gulf status --json`, and the same as a file: where a loop stands, what it has come to, and for whom it waits.

use gulf_engine::{End, Phase, State};
use serde_json::{Value, json};

use crate::cost::Cost;
use crate::facts::{DriverPresence, Facts};
use crate::failing::FailureReport;
use crate::gates::FlakyCheck;
use crate::history::History;
use crate::json::{VERSION, timestamp};
use crate::landing::LandingReport;
use crate::loop_status::LoopStatus;
use crate::question::QuestionReport;
use crate::summary::{check_reports, denials};
use crate::tasks;
use crate::wait::{wait, waits_until};

/// SPEC L1's snapshot, and what gulf knows besides. `converged` is true for *verified* only: a plateau is no success.
pub fn status_json(facts: &Facts, history: &History, state: &State, driver: DriverPresence) -> Value {
    let standing = LoopStatus::new(state, driver);
    json!({
        "version": VERSION,
        "loop": facts.loop_id,
        "handle": facts.handle,
        "spec_id": facts.spec_id,
        "goal": facts.goal,
        "phase": Phase::from_state(state),
        "iteration": Phase::iteration(state),
        "max_iterations": state.iterations_max(),
        "converged": matches!(standing.end(), Some(End::Verified { .. })),
        "running": standing.is_running(),
        "standing": standing.word(),
        "waiting": standing.waiting(),
        "wait": described_wait(state, history).filter(|_| standing.is_running()),
        "end": standing.end(),
        "pause": standing.pause(),
        "anomaly": standing.anomaly(),
        "failure": FailureReport::new(&standing, history.failing.as_ref(), facts),
        "unit": { "number": u64::from(state.unit.id.0) + 1, "of": tasks::counted(state).1 },
        "tasks": tasks::tasks(history, state),
        "parts": history.parts,
        "undivided": history.undivided,
        "worker": &state.worker,
        "branch": facts.branch,
        "landing": LandingReport::new(facts, history, state),
        "candidate": history.last_evaluated().and_then(|iteration| iteration.candidate()),
        "checks": check_reports(facts, history, state),
        "flaky": FlakyCheck::all(state),
        "active_ms": state.active_ms,
        "cost": Cost::from_spending(&state.spending),
        "claims": history.claims(),
        "open_questions": QuestionReport::open(state),
        "review": facts.review,
        "channels": facts.channels,
        "denials": denials(&state.denials),
        "limits": state.contract().map(|contract| contract.policy.limits),
        "note": facts.note,
        "updated_at": timestamp(history.updated_at_ms),
    })
}

/// For whom it waits, and until when.
fn described_wait(state: &State, history: &History) -> Option<Value> {
    let until_ms = waits_until(state, history.updated_at_ms)?;
    Some(json!({ "for": wait(state)?.whom, "until": timestamp(until_ms) }))
}
