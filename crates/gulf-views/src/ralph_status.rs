//! A Ralph project's `status.json`: the seed's fields, measured and never claimed (SPEC K3). Programs of such a project read
//! it; gulf never reads it back.

use gulf_engine::{
    Candidate, CheckRun, CheckVerdict, Claim, JudgeWord, PersonWord, Stage, State, TaskTally, Turn,
    TurnOutcome, Words,
};
use serde_json::{Value, json};

use crate::facts::Facts;
use crate::history::History;
use crate::json::timestamp;
use crate::wording;

/// The document, as it stands after the last event. What has not been measured is not true.
pub fn ralph_status_json(facts: &Facts, history: &History, state: &State) -> Value {
    json!({
        "session_id": facts.loop_id,
        "loop_count": state.unit().iteration,
        "last_activity": timestamp(history.updated_at_ms),
        "EXIT_SIGNAL": matches!(state.unit().claim, Some(Claim::Done { .. })),
        "completion_indicators": indicators(state),
    })
}

/// What must be true besides the signal, all of it.
fn indicators(state: &State) -> Value {
    let last = last(state);
    let words = last.and_then(|(_, candidate)| state.unit().words.get(&candidate.tree));
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
        "all_tasks_checked": state.unit().tally.is_some_and(TaskTally::is_done),
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
    state.unit().last.as_ref().map(|(turn, candidate)| (turn, candidate))
}
