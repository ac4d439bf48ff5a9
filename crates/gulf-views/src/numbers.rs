//! What was measured, for people and for programs: a sentence, a table by iteration, JSON (SPEC L1, L3, L5).
//!
//! What gulf measured and what somebody told stand side by side, and are never added up.

use crate::facts::{DriverPresence, Facts};
use crate::history::{History, Iteration};
use crate::iteration_line::notes;
use crate::json::VERSION;
use crate::look::{Look, Tone};
use crate::loop_status::{LoopStatus, end_meaning, pause_meaning};
use crate::phrase::{Phrase, attention};
use crate::screen::cut;
use crate::{text, wording};
use gulf_engine::{
    Best, CheckRun, CoverageNeed, End, Feedback, Phase, RecordedFeedback, Stage, Stall, State,
};
use serde::Serialize;
use serde_json::{Value, json};

/// Basis points in a percent.
const PERCENT_BP: u64 = 100;
/// From so many iterations in a row on, it is said that nothing becomes better.
const WITHOUT_PROGRESS_MIN: u32 = 2;
/// Short, so that a row fits beside an indent; lint is a number of errors.
const COLUMNS: &str = "iter, tests, lint, build, coverage, took";

/// What gulf measured in an iteration.
pub(crate) fn measured(iteration: &Iteration, state: &State) -> Feedback {
    let nothing = || Feedback { phase: Phase::Implement, iteration: iteration.number, ..Feedback::default() };
    let of = |contract| Feedback::from_runs(contract, iteration.number, &iteration.checks);
    let measured = state.contract().map_or_else(nothing, of);
    Feedback { phase: phase(iteration), duration_ms: iteration.duration_ms, ..measured }
}

/// How far it came.
fn phase(iteration: &Iteration) -> Phase {
    let is_over = iteration.settlement.is_some() || iteration.end.is_some();
    match &iteration.turn {
        _ if is_over => Phase::Review,
        Some(_) => Phase::Test,
        None => Phase::Implement,
    }
}

/// `1 failed, 11 passed · 2 lint errors · build ok · coverage 71.25 %`
pub(crate) fn describe_feedback(feedback: &Feedback) -> String {
    let lint = feedback.lint_errors.map(|errors| text::count(errors, "lint error", "lint errors"));
    let build = feedback.build_success.map(|ok| if ok { "build ok" } else { "build failed" }.to_owned());
    let coverage = feedback.coverage_bp.map(|covered| format!("coverage {}", percent(covered)));
    let parts: Vec<String> = [tests(feedback), lint, build, coverage].into_iter().flatten().collect();
    if parts.is_empty() { "nothing was measured".to_owned() } else { parts.join(" · ") }
}

/// Half of it may be all that somebody told.
fn tests(feedback: &Feedback) -> Option<String> {
    match (feedback.tests_passed, feedback.tests_failed) {
        (None, None) => None,
        (Some(passed), Some(0)) => Some(text::count(passed, "test", "tests")),
        (Some(passed), Some(failed)) => Some(format!("{failed} failed, {passed} passed")),
        (Some(passed), None) => Some(format!("{passed} passed")),
        (None, Some(failed)) => Some(format!("{failed} failed")),
    }
}

pub(crate) fn percent(basis_points: impl Into<u64>) -> String {
    let basis_points: u64 = basis_points.into();
    format!("{}.{:02} %", basis_points / PERCENT_BP, basis_points % PERCENT_BP)
}

/// What somebody else measured, with who says it.
pub(crate) fn describe_recorded(told: &RecordedFeedback) -> String {
    let notes = text::first_line(&told.notes);
    let notes = if notes.is_empty() { String::new() } else { format!(" · {notes}") };
    format!("{} (by {}){notes}", describe_feedback(&told.feedback), text::one_line(&told.by))
}

/// Of the candidate in hand.
pub(crate) fn in_hand(state: &State) -> Option<String> {
    let checks = &wording::words_in_hand(state)?.checks;
    Some(describe_feedback(&Feedback::from_runs(state.contract()?, state.unit.iteration, checks)))
}

/// Does a check say no to the candidate in hand? That no person overrules.
pub(crate) fn is_any_red(state: &State) -> bool {
    wording::words_in_hand(state).is_none_or(|words| !words.checks.values().all(CheckRun::is_green))
}

/// Why the numbers of the settled iteration are not as agreed on.
pub(crate) fn settled(state: &State) -> String {
    let Some(feedback) = state.unit.feedback else {
        return "the numbers do not meet the agreed thresholds".to_owned();
    };
    let policy = state.feedback_policy();
    let missing =
        policy.filter(|policy| policy.coverage == CoverageNeed::Required && feedback.coverage_bp.is_none());
    let below =
        policy.filter(|policy| feedback.coverage_bp.is_some_and(|covered| covered < policy.coverage_bp_min));
    let agreed = state.contract().and_then(|contract| contract.policy.feedback);
    let is_lost = agreed.is_some_and(|policy| policy.coverage == CoverageNeed::Shown);
    let why = match (missing, below) {
        (Some(_), _) if is_lost => {
            " · coverage was measured before, and now no check leaves a report of it".to_owned()
        }
        (Some(_), _) => " · coverage must be measured, and no check leaves a report of it".to_owned(),
        (None, Some(policy)) => format!(" · coverage must be {}", percent(policy.coverage_bp_min)),
        (None, None) => String::new(),
    };
    format!("{}{why}", describe_feedback(&feedback))
}

/// What was measured of an iteration that nobody claimed and no person looks at, and what is missing: the next one
/// follows because of it.
pub(crate) fn goes_on(state: &State) -> Option<String> {
    let policy = state.feedback_policy().filter(|policy| !policy.human_review)?;
    state.unit.feedback.filter(|feedback| !feedback.is_success(&policy)).map(|_| settled(state))
}

/// What follows a review, in the words of SPEC-LOOP-001 (SPEC L5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FeedbackDecision {
    pub action: FeedbackAction,
    /// None where nothing follows.
    pub next_phase: Option<Phase>,
    /// Verified; a plateau is no success, whatever the seed calls it.
    pub converged: bool,
    pub reason: String,
}

/// The seed's four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackAction {
    Continue,
    Converge,
    RequestReview,
    Abort,
}

/// What was decided after an iteration; none while it is under way.
fn decision(iteration: &Iteration, is_last: bool, state: &State) -> Option<FeedbackDecision> {
    if let Some(end) = iteration.end.as_ref() {
        return Some(at_the_end(end));
    }
    let (action, reason) = match (&state.stage, iteration.settlement) {
        (Stage::Paused(reason, _), _) if is_last => (FeedbackAction::RequestReview, pause_meaning(*reason)),
        (_, settlement) => (FeedbackAction::Continue, wording::settled(settlement?)),
    };
    let next_phase = Some(Phase::Review.next());
    Some(FeedbackDecision { action, next_phase, converged: false, reason: reason.to_owned() })
}

fn at_the_end(end: &End) -> FeedbackDecision {
    let converges = end.has_passed() || *end == End::Stalled { by: Stall::Plateau };
    let action = if converges { FeedbackAction::Converge } else { FeedbackAction::Abort };
    let converged = matches!(end, End::Verified { .. });
    let reason = format!("{}: {}", end.word(), end_meaning(end));
    FeedbackDecision { action, next_phase: None, converged, reason }
}

/// One row of the history: measured by gulf, or told by somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FeedbackRow {
    pub numbers: Feedback,
    pub source: FeedbackSource,
    /// Who told it; null where gulf measured.
    pub by: Option<String>,
    pub notes: String,
    /// Null while the iteration is under way, and for what was told.
    pub decision: Option<FeedbackDecision>,
}

/// Whose numbers these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeedbackSource {
    Measured,
    Told,
}

/// Every iteration, and after each one what was told during it (SPEC L1).
pub fn feedback_rows(history: &History, state: &State) -> Vec<FeedbackRow> {
    let mut told: Vec<&RecordedFeedback> = history.told.iter().collect();
    let mut rows = Vec::new();
    let last = history.iterations.len().saturating_sub(1);
    rows.extend(told.extract_if(.., |one| one.feedback.iteration == 0).map(told_row));
    for (place, iteration) in history.iterations.iter().enumerate() {
        let (numbers, notes) = (measured(iteration, state), notes(iteration, |_| None));
        let decision = decision(iteration, place == last, state);
        rows.push(FeedbackRow { numbers, source: FeedbackSource::Measured, by: None, notes, decision });
        rows.extend(told.extract_if(.., |one| one.feedback.iteration == iteration.number).map(told_row));
    }
    // An iteration begins with its analysis, and is in the history from its turn on.
    rows.extend(told.into_iter().map(told_row));
    rows
}

fn told_row(told: &RecordedFeedback) -> FeedbackRow {
    let (by, notes) = (Some(told.by.clone()), told.notes.clone());
    FeedbackRow { numbers: told.feedback, source: FeedbackSource::Told, by, notes, decision: None }
}

/// `gulf feedback show --json`: SPEC L1's snapshot, and the history.
pub fn feedback_json(facts: &Facts, history: &History, state: &State, driver: DriverPresence) -> Value {
    json!({
        "version": VERSION,
        "loop": facts.loop_id,
        "spec_id": facts.spec_id,
        "phase": Phase::from_state(state),
        "iteration": Phase::iteration(state),
        "max_iterations": state.iterations_max(),
        "converged": matches!(&state.stage, Stage::Ended(End::Verified { .. })),
        "running": LoopStatus::new(state, driver).is_running(),
        "policy": state.contract().and_then(|contract| contract.policy.feedback),
        "feedback": feedback_rows(history, state),
    })
}

/// `gulf feedback collect --json`.
pub fn collected_json(feedback: &Feedback, success: bool, checks: Value) -> Value {
    let mut document = json!({ "version": VERSION, "feedback": feedback, "success": success });
    document["checks"] = checks;
    document
}

/// `gulf feedback collect`, in one line.
pub fn collected(feedback: &Feedback, success: bool, look: Look) -> String {
    let (tone, word) =
        if success { (Tone::Verified, "thresholds met") } else { (Tone::Failed, "thresholds not met") };
    Phrase::new().tone(tone, word).say(format!(": {}", describe_feedback(feedback))).paragraph(look, 2)
}

/// The rows, where numbers steer the loop, or somebody told some: else nobody asked for them.
pub(crate) fn shown_rows(history: &History, state: &State) -> Vec<FeedbackRow> {
    let steers = state.contract().is_some_and(|contract| contract.policy.feedback.is_some());
    if steers || !history.told.is_empty() { feedback_rows(history, state) } else { Vec::new() }
}

/// The table of `gulf feedback show` and of the last screen; nothing for a loop without iterations.
pub fn feedback_table(rows: &[FeedbackRow], look: Look) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let language = look.language;
    let head = language.tell(COLUMNS).split(", ").map(str::to_owned).collect();
    let told = |row: &FeedbackRow| cells(row).iter().map(|cell| language.tell(cell).into_owned()).collect();
    let cells: Vec<Vec<String>> = [head].into_iter().chain(rows.iter().map(told)).collect();
    let tones = [Tone::Secondary].into_iter().chain(rows.iter().map(|row| match row.source {
        FeedbackSource::Measured => Tone::Plain,
        FeedbackSource::Told => Tone::Secondary,
    }));
    let lines = text::aligned(&cells).into_iter().zip(tones);
    let lines = lines.map(|(line, tone)| Phrase::new().tone(tone, line));
    let progress = without_progress(rows)
        .map(|number| attention(format!("no number became better in the last {number} iterations")));
    lines.chain(progress).map(|line| cut(line, look)).collect()
}

/// What whoever looks at them has to know, while the loop goes on. At its end the end says it.
fn without_progress(rows: &[FeedbackRow]) -> Option<u32> {
    let measured = || rows.iter().filter(|row| row.source == FeedbackSource::Measured);
    let goes_on =
        measured().next_back()?.decision.as_ref().is_none_or(|decision| decision.next_phase.is_some());
    // An iteration of which not every check spoke is not counted.
    let whole = measured().map(|row| row.numbers).filter(|numbers| numbers.build_success.is_some());
    // A table shows no checks, so none of them counts.
    let in_a_row = unimproved(whole.map(|numbers| (numbers, 0)));
    (goes_on && in_a_row >= WITHOUT_PROGRESS_MIN).then_some(in_a_row)
}

/// So many of the last ones made no number better than it ever was, each with its red checks, which count where no test
/// is counted. A person who looks at each of them decides, and for whoever says *go on* the count of the rules begins anew.
pub(crate) fn unimproved(measured: impl Iterator<Item = (Feedback, u32)>) -> u32 {
    let mut best: Option<(Best, u32)> = None;
    measured.fold(0, |in_a_row: u32, (now, red)| {
        let is_first = best.is_none();
        let (numbers, least) = best.get_or_insert((Best::default(), red));
        let is_less_red = now.tests_failed.is_none() && red < *least;
        *least = (*least).min(red);
        let improved = numbers.improve(&now) || is_less_red || is_first;
        if improved { 0 } else { in_a_row.saturating_add(1) }
    })
}

/// What is not known is a dash: it is no zero.
fn cells(row: &FeedbackRow) -> [String; 6] {
    let unknown = || "–".to_owned();
    let numbers = &row.numbers;
    let by = row.by.as_ref().map_or_else(String::new, |by| format!(", told by {}", text::one_line(by)));
    let build = numbers.build_success.map(|ok| if ok { "ok" } else { "failed" }.to_owned());
    let is_untold = row.source == FeedbackSource::Told && numbers.duration_ms == 0;
    let took = if is_untold { unknown() } else { text::duration(numbers.duration_ms) };
    [
        numbers.iteration.to_string(),
        tests(numbers).unwrap_or_else(unknown),
        numbers.lint_errors.map_or_else(unknown, |errors| errors.to_string()),
        build.unwrap_or_else(unknown),
        numbers.coverage_bp.map_or_else(unknown, percent),
        format!("{took}{by}"),
    ]
}
