//! A loop in the words of the design of ralph and autopilot: its report of progress (SPEC A8), and `ralph-state.md` (A2).
//!
//! Phases and actions are projections: people and programs of that design look for these very lines. Nothing is decided on
//! them, nobody reads them back, and whatever somebody writes there is written over at the next event.

use crate::facts::{DriverPresence, Facts};
use crate::history::{History, Iteration, Passage, PassageKind};
use crate::json::timestamp;
use crate::loop_status::{LoopStatus, pause_meaning};
use crate::parts::PartState;
use crate::summary::verdicts;
use crate::tasks::{TaskState, tasks};
use crate::{text, wording};
use gulf_engine::{
    EffectKind, End, EndNature, Gate, JudgeWord, PartWord, Reviewer, Settlement, Stage, State, Step, StepEnd,
    StepWord, TurnOutcome,
};
use std::fmt::Write as _;

/// The seed's report of progress, in English.
pub fn progress_report(facts: &Facts, history: &History, state: &State, driver: DriverPresence) -> String {
    let last = history.iterations.iter().rev().find_map(outcome);
    let (result, action) = last.unwrap_or_else(|| ("none yet".to_owned(), "execute"));
    let issues = issues(history, state);
    let issues = if issues.is_empty() { "none".to_owned() } else { issues.join(", ") };
    let action = match &state.stage {
        // Nothing follows by itself.
        _ if matches!(LoopStatus::new(state, driver), LoopStatus::Interrupted | LoopStatus::LedOn) => {
            "escalate (it was interrupted: `gulf resume` goes on)"
        }
        Stage::Paused(..) => "escalate",
        Stage::Ended(end) if end.nature() == EndNature::Failed => "escalate",
        Stage::Ended(_) => "none",
        Stage::Unsealed | Stage::Between(_) | Stage::Turn => action,
        Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..) => action,
    };
    let mode = facts.preset.as_ref().map(|preset| format!(" ({preset})")).unwrap_or_default();
    format!(
        "[Autonomous Loop progress] iteration {}/{}{mode}\n- Task: {}\n- Phase: {}\n- Last result: {result}\n\
         - Open issues: {issues}\n- Next action: {action}\n",
        state.unit.iteration,
        state.iterations_max(),
        facts.loop_id.as_str(),
        phase(state),
    )
}

/// The seed's word for where the loop stands.
fn phase(state: &State) -> &'static str {
    match &state.stage {
        Stage::Paused(..) => "waiting-user",
        Stage::Ended(end) => phase_at_end(end),
        Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..) => "verify",
        Stage::Turn => "execute",
        Stage::Unsealed | Stage::Between(_) => {
            let thinks = |step: Step| state.running.iter().any(|key| key.work == EffectKind::Step { step });
            if thinks(Step::Plan) || thinks(Step::Criticize) {
                "plan"
            } else if thinks(Step::Analyze) || thinks(Step::Cause) || state.unit.iteration == 0 {
                "analyze"
            } else {
                "execute"
            }
        }
    }
}

/// The seed has no word for an end without success.
fn phase_at_end(end: &End) -> &'static str {
    if end.has_passed() { "complete" } else { "verify" }
}

/// What follows an end: nothing, or a person.
fn action_at_end(end: &End) -> &'static str {
    match end.nature() {
        EndNature::Verified | EndNature::Attested => "complete",
        EndNature::Failed => "escalate",
        EndNature::Cancelled => "none",
    }
}

/// Where an iteration came to its result, in the work or in what looks at it, and what follows.
fn phase_and_action(settlement: Settlement) -> (&'static str, &'static str) {
    match settlement {
        Settlement::Research => ("analyze", "retry"),
        Settlement::Questioned | Settlement::NeedsPerson => ("execute", "escalate"),
        Settlement::Unclaimed | Settlement::AgentFailed | Settlement::RateLimited => ("execute", "retry"),
        Settlement::Blocked | Settlement::Declined => ("execute", "retry"),
        Settlement::Refused { .. } | Settlement::Rejected | Settlement::Asked => ("verify", "fix"),
        Settlement::Approved | Settlement::Unjudged | Settlement::Steered => ("verify", "retry"),
    }
}

/// What came of an iteration, and the seed's word for what follows.
fn outcome(iteration: &Iteration) -> Option<(String, &'static str)> {
    if let Some(end) = &iteration.end {
        return Some((end.word().to_owned(), action_at_end(end)));
    }
    let settlement = iteration.settlement?;
    let red = wording::red_checks(&iteration.checks);
    Some((wording::settled_with(settlement, &red), phase_and_action(settlement).1))
}

fn issues(history: &History, state: &State) -> Vec<String> {
    if matches!(&state.stage, Stage::Ended(end) if end.has_passed()) {
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
        state.unit.tally.map_or(0, |tally| u64::from(tally.open) + u64::from(tally.missing));
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

/// The document, as it stands after the last event: the seed's fields, and a line for all that is over.
pub fn ralph_state(facts: &Facts, history: &History, state: &State) -> String {
    let is_active = !matches!(&state.stage, Stage::Ended(_));
    let fields = [
        ("active", is_active.to_string()),
        ("iteration", state.unit.iteration.to_string()),
        ("maxIterations", state.iterations_max().to_string()),
        ("phase", phase(state).to_owned()),
        ("taskDescription", text::one_line(&facts.title)),
        ("completionLevel", level(state).to_string()),
        // The seed's times have no fraction.
        ("startedAt", timestamp(history.started_at_ms / 1_000 * 1_000).unwrap_or_default()),
        ("prdPath", facts.prd.clone().unwrap_or_else(|| "none".to_owned())),
    ];
    let mut document = "# Ralph State\n\n".to_owned();
    for (name, value) in fields {
        let _ = writeln!(document, "- {name}: {value}");
    }
    // The seed's heading: whoever looks for the history looks for this.
    document.push_str("\n## 실행 이력\n\n");
    for Passage { iteration, what } in &history.passages {
        let (phase, result, action) = line(what);
        let _ = writeln!(document, "- [{iteration}] phase: {phase} | result: {result} | action: {action}");
    }
    document
}

/// Phase, result and what follows, in the seed's words.
fn line(passed: &PassageKind) -> (&'static str, String, &'static str) {
    match passed {
        PassageKind::Step { step, end } => step_line(*step, end),
        PassageKind::Part { id, word } => match word {
            PartWord::Begun | PartWord::Joined => ("execute", format!("step {id}: joined"), "continue"),
            PartWord::LeftOut { why } => {
                ("execute", format!("step {id}: stays out: {}", text::one_line(why)), "fix")
            }
        },
        PassageKind::Settled { settlement, red } => {
            let (phase, action) = phase_and_action(*settlement);
            (phase, wording::settled_with(*settlement, red), action)
        }
        PassageKind::Paused { reason } => ("waiting-user", pause_meaning(*reason).to_owned(), "escalate"),
        PassageKind::Ended { end } => (phase_at_end(end), end.word().to_owned(), action_at_end(end)),
    }
}

fn step_line(step: Step, end: &StepEnd) -> (&'static str, String, &'static str) {
    let (phase, what) = match step {
        Step::Analyze => ("analyze", "analysis"),
        Step::Plan => ("plan", "plan"),
        Step::Criticize => ("plan", "criticism"),
        Step::Cause => ("analyze", "cause"),
    };
    let came_to = match (&end.outcome, &end.word) {
        (TurnOutcome::Completed, StepWord::Said) if step == Step::Criticize => "no objection".to_owned(),
        (TurnOutcome::Completed, StepWord::Said) => "stands".to_owned(),
        (TurnOutcome::Completed, StepWord::Incomplete { missing }) => {
            format!("incomplete, without {}", text::one_line(&missing.join(", ")))
        }
        (TurnOutcome::Completed, StepWord::Objected { objections: 1 }) => "1 objection".to_owned(),
        (TurnOutcome::Completed, StepWord::Objected { objections }) => format!("{objections} objections"),
        (TurnOutcome::RateLimited { .. }, _) => "waits for the provider".to_owned(),
        (TurnOutcome::OutOfBudget, _) => "out of budget".to_owned(),
        (TurnOutcome::NeedsPerson { .. }, _) => "the agent needs a person".to_owned(),
        (TurnOutcome::Declined { .. }, _) => "the model declined".to_owned(),
        (TurnOutcome::Failed { .. } | TurnOutcome::TimedOut | TurnOutcome::ContextFull, _) => {
            "the agent failed".to_owned()
        }
    };
    let is_said = end.word == StepWord::Said && end.outcome == TurnOutcome::Completed;
    (phase, format!("{what}: {came_to}"), if is_said { "continue" } else { "retry" })
}

/// Who looks at the work (SPEC A4): 1 the checks alone, 2 a judge as well, 3 a QA review too, 4 further ones.
fn level(state: &State) -> u32 {
    let Some(policy) = state.contract().map(|contract| &contract.policy) else { return 1 };
    let looks = |reviewer: Reviewer| policy.reviewers.contains(&reviewer);
    if looks(Reviewer::Security) || looks(Reviewer::Documents) {
        4
    } else if looks(Reviewer::Qa) {
        3
    } else if policy.gates.contains(&Gate::Judge) {
        2
    } else {
        1
    }
}
