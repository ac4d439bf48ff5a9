//! A Ralph project's `status.json`: the seed's fields, measured and never claimed (SPEC K3). Programs of such a project read
//! it; gulf never reads it back.

use gulf_engine::{
    Candidate, CheckRun, CheckVerdict, Claim, JudgeWord, PersonWord, Phase, Stage, State, TaskTally, Turn,
    TurnOutcome, Words,
};
use serde_json::{Value, json};

use crate::cost::Cost;
use crate::facts::Facts;
use crate::history::History;
use crate::json::{VERSION, timestamp};
use crate::numbers::{FeedbackRow, feedback_rows};
use crate::{text, wording};

/// The document, as it stands after the last event. What has not been measured is not true.
pub fn ralph_status_json(facts: &Facts, history: &History, state: &State) -> Value {
    json!({
        "session_id": facts.loop_id,
        "loop_count": state.unit.iteration,
        "last_activity": timestamp(history.updated_at_ms),
        "EXIT_SIGNAL": matches!(state.unit.claim, Some(Claim::Done { .. })),
        "completion_indicators": indicators(state),
    })
}

/// What must be true besides the signal, all of it.
fn indicators(state: &State) -> Value {
    let last = last(state);
    let words = last.and_then(|(_, candidate)| state.unit.words.get(&candidate.tree));
    let runs: Vec<&CheckRun> = words.map(|words| runs(words, state)).unwrap_or_default();
    let all_ran = !runs.is_empty() && runs.len() == state.contract().map_or(0, |one| one.checks.len());
    let (tests, others): (Vec<&CheckRun>, Vec<&CheckRun>) =
        runs.iter().copied().partition(|run| run.tests.is_some());
    // Where no check counts tests, all of them stand for the tests.
    let tests = if tests.is_empty() { &others } else { &tests };
    let is_unrunnable = |run: &&CheckRun| matches!(run.verdict, CheckVerdict::Unrunnable { .. });
    let came_to_its_end = last
        .is_some_and(|(turn, _)| matches!(turn.outcome, TurnOutcome::Completed | TurnOutcome::OutOfBudget));
    let is_asking = state.open_questions().next().is_some();
    json!({
        "all_tasks_checked": state.unit.tally.is_some_and(TaskTally::is_done),
        "tests_passing": all_ran && tests.iter().all(|run| run.is_green()),
        "build_successful": all_ran && others.iter().all(|run| run.is_green()),
        "no_errors": came_to_its_end && !runs.iter().any(is_unrunnable),
        "no_pending_issues": last.is_some() && !is_asking && !words.is_some_and(is_rejected),
    })
}

fn runs<'a>(words: &'a Words, state: &State) -> Vec<&'a CheckRun> {
    wording::checks(state).filter_map(|terms| words.checks.get(&terms.name)).collect()
}

fn is_rejected(words: &Words) -> bool {
    matches!(words.judge, Some(JudgeWord::Rejected { .. })) || words.person == Some(PersonWord::Rejected)
}

/// The newest candidate, and the turn that left it.
fn last(state: &State) -> Option<(&Turn, &Candidate)> {
    match state.innermost_stage() {
        Stage::Gates(turn, candidate) | Stage::FollowUp(turn, candidate) => Some((turn, candidate)),
        Stage::Unsealed | Stage::Between(_) | Stage::Turn | Stage::Settling(_) => settled(state),
        Stage::Paused(..) | Stage::Ended(_) => settled(state),
    }
}

fn settled(state: &State) -> Option<(&Turn, &Candidate)> {
    state.unit.last.as_ref().map(|(turn, candidate)| (turn, candidate))
}

// The state file of SPEC-LOOP-001 with the seed's own field names (SPEC L3, L8), as a projection.

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

/// The seed's `LoopState`, at most [`STATE_BYTES_MAX`]: the newest feedback stays, and `feedback_dropped` says how
/// much of the oldest went.
pub fn state_json(facts: &Facts, history: &History, state: &State) -> Value {
    let (feedback, feedback_dropped) = newest(history, state);
    let open = state.open_questions().map(|open| open.number).take(QUESTIONS_MAX);
    json!({
        "version": VERSION,
        "spec_id": text::cut_bytes(&facts.spec_id, SPEC_ID_BYTES_MAX),
        "phase": Phase::from_state(state),
        "iteration": Phase::iteration(state),
        "max_iterations": state.iterations_max(),
        "feedback": feedback,
        "feedback_dropped": feedback_dropped,
        "cost": Cost::from_spending(&state.spending),
        "open_questions": open.collect::<Vec<_>>(),
        "started_at": timestamp(history.started_at_ms),
        "updated_at": timestamp(history.updated_at_ms),
    })
}

/// As many of the newest entries as fit, the oldest of them first.
fn newest(history: &History, state: &State) -> (Vec<Value>, usize) {
    let mut bytes_left = STATE_BYTES_MAX - HEAD_BYTES_MAX;
    let mut kept = Vec::new();
    let rows = feedback_rows(history, state);
    for row in rows.iter().rev() {
        let entry = entry(row);
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

/// The seed's names and units: `coverage` is in percent, `duration` in nanoseconds, as Go's `time.Duration` has it. What
/// gulf measured has nobody who told it.
fn entry(FeedbackRow { numbers, by, notes, .. }: &FeedbackRow) -> Value {
    json!({
        "phase": numbers.phase,
        "iteration": numbers.iteration,
        "tests_passed": numbers.tests_passed,
        "tests_failed": numbers.tests_failed,
        "lint_errors": numbers.lint_errors,
        "build_success": numbers.build_success,
        "coverage": numbers.coverage_bp.map(|covered| f64::from(covered) / PERCENT_BP),
        "duration": numbers.duration_ms.saturating_mul(NANOSECONDS_PER_MILLISECOND),
        "notes": text::cut_bytes(notes, NOTES_BYTES_MAX),
        "told_by": by.as_deref().map(|by| text::cut_bytes(by, NOTES_BYTES_MAX)),
    })
}
