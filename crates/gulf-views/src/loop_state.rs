//! `ralph-state.md`: where a loop stands, in the form of the design of ralph and autopilot (SPEC A2).
//!
//! People and programs of that design look for these very lines. Nobody reads them back: whatever somebody writes there is
//! written over at the next event.

use std::fmt::Write as _;

use gulf_engine::{Gate, PartWord, Reviewer, Settlement, Stage, State, Step, StepEnd, StepWord, TurnOutcome};

use crate::facts::Facts;
use crate::history::{History, Passage, Passed};
use crate::json::timestamp;
use crate::progress_report::{action_after, action_at_end, phase, phase_at_end, policy};
use crate::standing::pause_meaning;
use crate::text::one_line;
use crate::wording::settled_with;

/// The document, as it stands after the last event: the seed's fields, and a line for all that is over.
pub fn ralph_state(facts: &Facts, history: &History, state: &State) -> String {
    let is_active = !matches!(state.stage(), Stage::Ended(_));
    let fields = [
        ("active", is_active.to_string()),
        ("iteration", state.unit().iteration.to_string()),
        ("maxIterations", state.iterations_max().to_string()),
        ("phase", phase(state).to_owned()),
        ("taskDescription", one_line(&facts.title)),
        ("completionLevel", level(state).to_string()),
        ("startedAt", timestamp(to_the_second(history.started_at_ms)).unwrap_or_default()),
        ("prdPath", facts.prd.clone().unwrap_or_else(|| "none".to_owned())),
    ];
    let mut text = "# Ralph State\n\n".to_owned();
    for (name, value) in fields {
        let _ = writeln!(text, "- {name}: {value}");
    }
    // The seed's heading: whoever looks for the history looks for this.
    text.push_str("\n## 실행 이력\n\n");
    for Passage { iteration, what } in &history.passages {
        let (phase, result, action) = line(what);
        let _ = writeln!(text, "- [{iteration}] phase: {phase} | result: {result} | action: {action}");
    }
    text
}

/// The seed's times have no fraction.
fn to_the_second(at_ms: u64) -> u64 {
    at_ms - at_ms % 1_000
}

/// Phase, result and what follows, in the seed's words.
fn line(passed: &Passed) -> (&'static str, String, &'static str) {
    match passed {
        Passed::Step { step, end } => (phase_of_step(*step), result_of_step(*step, end), action_of_step(end)),
        Passed::Part { id, word } => match word {
            PartWord::Begun | PartWord::Joined => ("execute", format!("step {id}: joined"), "continue"),
            PartWord::LeftOut { why } => {
                ("execute", format!("step {id}: stays out: {}", one_line(why)), "fix")
            }
        },
        Passed::Settled { settlement, red } => {
            (phase_of(*settlement), settled_with(*settlement, red), action_after(*settlement))
        }
        Passed::Paused { reason } => ("waiting-user", pause_meaning(*reason).to_owned(), "escalate"),
        Passed::Ended { end } => (phase_at_end(end), end.word().to_owned(), action_at_end(end)),
    }
}

/// Where an iteration came to its result: in the work, or in what looks at it.
fn phase_of(settlement: Settlement) -> &'static str {
    match settlement {
        Settlement::Research => "analyze",
        Settlement::Unclaimed | Settlement::AgentFailed | Settlement::RateLimited => "execute",
        Settlement::Questioned | Settlement::NeedsPerson | Settlement::Blocked => "execute",
        Settlement::Declined => "execute",
        Settlement::Refused { .. } | Settlement::Rejected | Settlement::Asked => "verify",
        Settlement::Approved | Settlement::Unjudged => "verify",
    }
}

fn phase_of_step(step: Step) -> &'static str {
    match step {
        Step::Analyze | Step::Cause => "analyze",
        Step::Plan | Step::Criticize => "plan",
    }
}

fn result_of_step(step: Step, end: &StepEnd) -> String {
    let what = match step {
        Step::Analyze => "analysis",
        Step::Plan => "plan",
        Step::Criticize => "criticism",
        Step::Cause => "cause",
    };
    let came_to = match (&end.outcome, &end.word) {
        (TurnOutcome::Completed, StepWord::Said) if step == Step::Criticize => "no objection".to_owned(),
        (TurnOutcome::Completed, StepWord::Said) => "stands".to_owned(),
        (TurnOutcome::Completed, StepWord::Incomplete { missing }) => {
            format!("incomplete, without {}", one_line(&missing.join(", ")))
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
    format!("{what}: {came_to}")
}

fn action_of_step(end: &StepEnd) -> &'static str {
    let is_said = end.word == StepWord::Said && end.outcome == TurnOutcome::Completed;
    if is_said { "continue" } else { "retry" }
}

/// Who looks at the work (SPEC A4): 1 the checks alone, 2 a judge as well, 3 a QA review too, 4 further ones.
fn level(state: &State) -> u32 {
    let Some(policy) = policy(state) else { return 1 };
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
