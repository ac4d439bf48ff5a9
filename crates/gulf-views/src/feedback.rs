//! The state file of SPEC-LOOP-001 with the seed's own field names (SPEC L3, L8), as a projection.
//!
//! It stands apart because its form is not ours: a program that reads the seed's `LoopState` reads this. Where the
//! seed has a plain number and gulf does not know it, there stands null: a zero would be good news that nobody
//! measured (DESIGN invariant 9).

use crate::cost::Cost;
use crate::facts::Facts;
use crate::history::{History, Iteration};
use crate::json::{VERSION, timestamp, value};
use crate::numbers::{FeedbackRow, feedback_rows};
use crate::question::QuestionKind;
use crate::summary::iterations_max;
use crate::{tell, text};
use gulf_engine::{CheckName, Claim, Gate, Phase, Settlement, State, TurnOutcome};
use serde::Serialize;
use serde_json::Value;

/// SPEC L8, pretty-printed with two blanks.
pub const STATE_BYTES_MAX: usize = 1_000_000;

/// What one iteration's notes may take, so that one summary cannot push out all others.
const NOTES_BYTES_MAX: usize = 2_000;

/// What is left for everything but the feedback.
const HEAD_BYTES_MAX: usize = 16_000;

/// Each open question pauses the loop, so that there are few.
const QUESTIONS_MAX: usize = 100;

/// Longer ids are cut; a spec's id is a name, not a text.
const SPEC_ID_BYTES_MAX: usize = 1_000;

/// Pretty-printing indents each of an entry's lines by this much, and adds a comma and a line end.
const ENTRY_INDENT_BYTES: usize = 4;

const NANOSECONDS_PER_MILLISECOND: u64 = 1_000_000;

const PERCENT_BP: f64 = 100.0;

#[derive(Serialize)]
struct LoopState<'a> {
    version: u32,
    spec_id: &'a str,
    phase: Phase,
    iteration: u32,
    max_iterations: u32,
    feedback: Vec<Value>,
    /// How many of the oldest entries are not here, so that the file stays within its limit.
    feedback_dropped: usize,
    /// Worker and judge together; null where nothing was spent.
    cost: Option<Cost>,
    /// Their numbers; status.json has the questions.
    open_questions: Vec<u32>,
    started_at: Option<String>,
    updated_at: Option<String>,
}

#[derive(Serialize)]
struct Feedback {
    phase: Phase,
    iteration: u32,
    /// Null if no check counted tests.
    tests_passed: Option<u32>,
    tests_failed: Option<u32>,
    /// Null if no check names any.
    lint_errors: Option<u32>,
    /// False if a check failed for a reason that the other numbers do not name; null before every check has spoken.
    build_success: Option<bool>,
    /// Percent; null if no check leaves a report of it.
    coverage: Option<f64>,
    /// Nanoseconds, as Go's `time.Duration` has it.
    duration: u64,
    notes: String,
    /// Null where gulf measured; else who says it, and nothing was decided on it.
    told_by: Option<String>,
}

/// The seed's `LoopState`, at most [`STATE_BYTES_MAX`]: the newest feedback stays, and `feedback_dropped` says how
/// much of the oldest went.
pub fn state_json(facts: &Facts, history: &History, state: &State) -> Value {
    let (feedback, feedback_dropped) = newest(history, state);
    value(&LoopState {
        version: VERSION,
        spec_id: &text::cut_bytes(&facts.spec_id, SPEC_ID_BYTES_MAX),
        phase: Phase::of(state),
        iteration: Phase::iteration(state),
        max_iterations: iterations_max(state),
        feedback,
        feedback_dropped,
        cost: Cost::of(state.spending()),
        open_questions: state.open_questions().map(|open| open.number).take(QUESTIONS_MAX).collect(),
        started_at: timestamp(history.started_at_ms()),
        updated_at: timestamp(history.updated_at_ms()),
    })
}

/// As many of the newest entries as fit, the oldest of them first.
fn newest(history: &History, state: &State) -> (Vec<Value>, usize) {
    let mut bytes_left = STATE_BYTES_MAX - HEAD_BYTES_MAX;
    let mut kept = Vec::new();
    let rows = feedback_rows(history, state);
    for row in rows.iter().rev() {
        let entry = value(&feedback(row));
        let printed = format!("{entry:#}");
        let bytes = printed.len() + ENTRY_INDENT_BYTES * printed.lines().count() + 2;
        let Some(left) = bytes_left.checked_sub(bytes) else { break };
        bytes_left = left;
        kept.push(entry);
    }
    kept.reverse();
    let dropped = rows.len() - kept.len();
    (kept, dropped)
}

fn feedback(row: &FeedbackRow) -> Feedback {
    let numbers = &row.numbers;
    Feedback {
        phase: numbers.phase,
        iteration: numbers.iteration,
        tests_passed: numbers.tests_passed,
        tests_failed: numbers.tests_failed,
        lint_errors: numbers.lint_errors,
        build_success: numbers.build_success,
        coverage: numbers.coverage_bp.map(|covered| f64::from(covered) / PERCENT_BP),
        duration: numbers.duration_ms.saturating_mul(NANOSECONDS_PER_MILLISECOND),
        notes: text::cut_bytes(&row.notes, NOTES_BYTES_MAX).into_owned(),
        told_by: row.by.as_deref().map(|by| text::cut_bytes(by, NOTES_BYTES_MAX).into_owned()),
    }
}

/// What came of an iteration, in half a line.
pub(crate) fn notes(iteration: &Iteration) -> String {
    told(iteration, |_| None)
}

/// The same, where somebody looked up what the checks printed.
pub(crate) fn told<'printed>(
    iteration: &Iteration,
    printed: impl Fn(&CheckName) -> Option<&'printed str>,
) -> String {
    let mut notes = Vec::new();
    if iteration.unit.0 > 0 {
        notes.push(format!("task {}", u64::from(iteration.unit.0) + 1));
    }
    if iteration.attempts > 1 {
        notes.push(format!("attempt {}", iteration.attempts));
    }
    if let Some(turn) = &iteration.turn {
        notes.extend(outcome(&turn.outcome));
    }
    notes.push(match (&iteration.claim, &iteration.turn) {
        (Some(claim), _) => claimed(claim),
        (None, Some(_)) => "no claim".to_owned(),
        (None, None) => "under way".to_owned(),
    });
    notes.extend(iteration.settlement.map(|settlement| settled(settlement).to_owned()));
    notes.extend(iteration.end.as_ref().map(|end| end.word().to_owned()));
    let failed = iteration.checks.iter();
    notes.extend(failed.filter_map(|(name, run)| tell::failed_check(name, run, printed(name))));
    notes.join("; ")
}

fn outcome(outcome: &TurnOutcome) -> Option<String> {
    match outcome {
        TurnOutcome::Completed => None,
        TurnOutcome::Failed { .. } => Some("the agent failed".to_owned()),
        TurnOutcome::TimedOut => Some("the turn timed out".to_owned()),
        TurnOutcome::RateLimited { wait_ms: 0 } => Some("the agent's provider asked for a wait".to_owned()),
        TurnOutcome::RateLimited { wait_ms } => {
            Some(format!("the agent's provider asked for a wait of {}", text::duration(*wait_ms)))
        }
        TurnOutcome::ContextFull => Some("the agent's context was full".to_owned()),
        TurnOutcome::OutOfBudget => Some("the budget was used up".to_owned()),
        TurnOutcome::NeedsPerson { why } => Some(format!("the agent needs a person: {why}")),
        TurnOutcome::Declined { why } => Some(format!("the model declined: {}", text::first_line(why))),
    }
}

fn claimed(claim: &Claim) -> String {
    let asked = QuestionKind::of(claim).zip(claim.question());
    asked.map_or_else(
        || "claimed done".to_owned(),
        |(kind, question)| format!("{}: {}", kind.past(), text::first_line(&question.text)),
    )
}

/// What came of an iteration, in a few words.
pub(crate) fn settled(settlement: Settlement) -> &'static str {
    match settlement {
        Settlement::Research => "the brief is incomplete",
        Settlement::Unclaimed => "goes on",
        Settlement::AgentFailed => "tried again",
        Settlement::Refused { gate: Gate::Tasks } => "refused: the list of tasks is not done",
        Settlement::Refused { gate: Gate::Checks } => "refused by the checks",
        Settlement::Refused { gate: Gate::Feedback } => "refused by what was measured",
        Settlement::Refused { gate: Gate::Integrity } => "refused by the integrity gate",
        Settlement::Refused { gate: Gate::Judge } => "refused by the judge",
        Settlement::Refused { gate: Gate::Approach } => "refused: an approach that was rejected before",
        Settlement::Refused { gate: Gate::Landing } => "did not go together with the base branch",
        Settlement::Asked => "asked for a test, or a reason",
        Settlement::Approved => "approved, and goes on",
        Settlement::Questioned => "a person is asked",
        Settlement::Rejected => "refused by a person",
        Settlement::RateLimited => "tried again after the wait",
        Settlement::NeedsPerson => "tried again when a person says so",
        Settlement::Blocked => "put back: another task comes first",
        Settlement::Unjudged => "no verdict, and goes on",
        Settlement::Declined => "the model declined",
    }
}
