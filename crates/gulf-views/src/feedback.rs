//! The state file of SPEC-LOOP-001 with the seed's own field names (SPEC L3, L8), as a projection.
//!
//! It stands apart because its form is not ours: a program that reads the seed's `LoopState` reads this. Where the
//! seed has a plain number and gulf does not know it, there stands null: a zero would be good news that nobody
//! measured (DESIGN invariant 9).

use crate::cost::Cost;
use crate::facts::Facts;
use crate::history::{History, Iteration};
use crate::json::{VERSION, timestamp, value};
use crate::phase::Phase;
use crate::question::QuestionKind;
use crate::summary::iterations_max;
use crate::text;
use gulf_engine::{CheckVerdict, Claim, Gate, Settlement, State, TurnOutcome};
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
    tests_passed: Option<u64>,
    tests_failed: Option<u64>,
    /// Null: no report that gulf reads counts them yet.
    lint_errors: Option<u64>,
    /// True if every sealed check passed; else null, for a red check does not say whether the build was at fault.
    build_success: Option<bool>,
    /// Percent; null: not measured yet.
    coverage: Option<f64>,
    /// Nanoseconds, as Go's `time.Duration` has it.
    duration: u64,
    notes: String,
}

/// The seed's `LoopState`, at most [`STATE_BYTES_MAX`]: the newest feedback stays, and `feedback_dropped` says how
/// much of the oldest went.
pub fn state_json(facts: &Facts, history: &History, state: &State) -> Value {
    let (feedback, feedback_dropped) = newest(history, state);
    value(&LoopState {
        version: VERSION,
        spec_id: &text::cut_bytes(&facts.spec_id, SPEC_ID_BYTES_MAX),
        phase: Phase::of(state),
        iteration: state.unit().iteration,
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
    for iteration in history.iterations().iter().rev() {
        let entry = value(&feedback(iteration, state));
        let printed = format!("{entry:#}");
        let bytes = printed.len() + ENTRY_INDENT_BYTES * printed.lines().count() + 2;
        let Some(left) = bytes_left.checked_sub(bytes) else { break };
        bytes_left = left;
        kept.push(entry);
    }
    kept.reverse();
    let dropped = history.iterations().len() - kept.len();
    (kept, dropped)
}

fn feedback(iteration: &Iteration, state: &State) -> Feedback {
    let counted = || iteration.checks.values().filter_map(|run| run.tests);
    let is_counted = counted().next().is_some();
    let passed = counted().map(|tests| u64::from(tests.passed)).sum();
    let failed = counted().map(|tests| u64::from(tests.failed)).sum();
    Feedback {
        phase: phase(iteration),
        iteration: iteration.number,
        tests_passed: is_counted.then_some(passed),
        tests_failed: is_counted.then_some(failed),
        lint_errors: None,
        build_success: is_all_green(iteration, state).then_some(true),
        coverage: None,
        duration: iteration.duration_ms.saturating_mul(NANOSECONDS_PER_MILLISECOND),
        notes: text::cut_bytes(&notes(iteration), NOTES_BYTES_MAX).into_owned(),
    }
}

fn phase(iteration: &Iteration) -> Phase {
    let is_over = iteration.settlement.is_some() || iteration.end.is_some();
    match &iteration.turn {
        _ if is_over => Phase::Review,
        Some(_) => Phase::Test,
        None => Phase::Implement,
    }
}

fn is_all_green(iteration: &Iteration, state: &State) -> bool {
    let Some(contract) = state.contract() else { return false };
    let is_green = |name| {
        let run = iteration.checks.get(name);
        run.is_some_and(|run| matches!(run.verdict, CheckVerdict::Green { .. }))
    };
    !contract.checks.is_empty() && contract.checks.iter().all(|terms| is_green(&terms.name))
}

/// What came of an iteration, in half a line.
pub(crate) fn notes(iteration: &Iteration) -> String {
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
    for (name, run) in &iteration.checks {
        match run.verdict {
            CheckVerdict::Green { .. } => {}
            CheckVerdict::Red { .. } => notes.push(format!("check {name} failed: {}", run.summary)),
            CheckVerdict::Unrunnable { .. } => {
                notes.push(format!("check {name} could not run: {}", run.summary));
            }
        }
    }
    notes.join("; ")
}

fn outcome(outcome: &TurnOutcome) -> Option<String> {
    match outcome {
        TurnOutcome::Completed => None,
        TurnOutcome::Failed { .. } => Some("the agent failed".to_owned()),
        TurnOutcome::TimedOut => Some("the turn timed out".to_owned()),
        TurnOutcome::RateLimited { wait_ms } => {
            Some(format!("the agent's provider asked for a wait of {}", text::duration(*wait_ms)))
        }
        TurnOutcome::ContextFull => Some("the agent's context was full".to_owned()),
        TurnOutcome::OutOfBudget => Some("the budget was used up".to_owned()),
        TurnOutcome::NeedsPerson { why } => Some(format!("the agent needs a person: {why}")),
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
        Settlement::Unjudged => "no verdict, and goes on",
    }
}
