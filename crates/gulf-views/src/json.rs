//! The public JSON forms of events, status, results and lists.
//!
//! They stand apart from the text forms because they are an API (DESIGN invariant 10): every document carries its
//! version, every field is always there, and what is not known is null, never zero.

use crate::cost::Cost;
use crate::facts::{BranchFacts, ChannelFacts, Driver, Facts, NoteFacts};
use crate::failing::FailureReport;
use crate::flaky::FlakyCheck;
use crate::history::History;
use crate::landing::LandingReport;
use crate::parts::PartReport;
use crate::question::QuestionReport;
use crate::refused::RefusalReport;
use crate::review::ReviewFacts;
use crate::standing::Standing;
use crate::summary::{CheckReport, NextStep, Rejected, Summary, check_reports, denials, iterations_max};
use crate::table::Row;
use crate::tasks::{self, TaskReport};
use crate::unproven::Unproven;
use crate::wait::{is_for_provider, paced, waits_until};
use gulf_engine::{Candidate, Denial, End, Event, Limits, PauseReason, Phase, Proof, State, Worker};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// The version of every document but the event lines.
pub const VERSION: u32 = 1;

/// The version of an event line, in the journal and in `--json` output.
pub const EVENT_VERSION: u32 = 1;

#[derive(Serialize)]
struct EventLine<'a> {
    v: u32,
    event: &'a Event,
}

/// One event as the journal has it: `{"v":1,"event":{…}}`.
pub fn event_json(event: &Event) -> Value {
    value(&EventLine { v: EVENT_VERSION, event })
}

#[derive(Serialize)]
struct Status<'a> {
    version: u32,
    #[serde(rename = "loop")]
    loop_id: &'a str,
    handle: &'a str,
    spec_id: &'a str,
    goal: &'a str,
    phase: Phase,
    iteration: u32,
    max_iterations: u32,
    converged: bool,
    running: bool,
    standing: &'static str,
    /// `waiting-user` while a person must say something, however long that takes; null otherwise.
    waiting: Option<&'static str>,
    /// Null where the loop goes on; else for whom it waits, and until when.
    wait: Option<WaitReport>,
    end: Option<&'a End>,
    pause: Option<PauseReason>,
    /// What is wrong with the journal, if anything is.
    anomaly: Option<String>,
    /// Null unless the loop ended because its agent was out of reach.
    failure: Option<FailureReport>,
    unit: UnitStatus,
    /// Who works: agent processes of gulf's, or a session that a person opened.
    worker: &'a Worker,
    /// Null where the loop has no branch of its own.
    branch: Option<&'a BranchFacts>,
    /// Null where nobody wants its work to land.
    landing: Option<LandingReport>,
    candidate: Option<&'a Candidate>,
    checks: Vec<CheckReport>,
    /// Those that said yes and no about the same files, with the iterations whose logs have both words.
    flaky: Vec<FlakyCheck>,
    active_ms: u64,
    /// Null where nothing was spent.
    cost: Option<Cost>,
    claims: u32,
    /// Empty where no list is worked off.
    tasks: Vec<TaskReport>,
    /// Empty where no turn's work is divided among several workers.
    parts: &'a [PartReport],
    /// Why one worker does what several could have done; null where several do it, and where nobody asked.
    undivided: Option<&'a str>,
    open_questions: Vec<QuestionReport>,
    /// What changed since the last review, while the loop rests for one; null elsewhere.
    review: Option<&'a ReviewFacts>,
    /// The ways by which a person is reached.
    channels: &'a [ChannelFacts],
    /// Since a person last looked.
    denials: Vec<Denial>,
    limits: Option<Limits>,
    /// What the worker last said of its progress by `report_progress`; null where it said nothing.
    note: Option<NoteReport<'a>>,
    updated_at: Option<String>,
}

#[derive(Serialize)]
struct WaitReport {
    /// `provider`, `retry` after a failure, or `turns-per-hour`.
    #[serde(rename = "for")]
    whom: &'static str,
    until: Option<String>,
}

impl WaitReport {
    fn new(state: &State, history: &History) -> Option<WaitReport> {
        let until_ms = waits_until(state, history.updated_at_ms())?;
        let whom = match () {
            () if paced(state).is_some() => "turns-per-hour",
            () if is_for_provider(state) => "provider",
            () => "retry",
        };
        Some(WaitReport { whom, until: timestamp(until_ms) })
    }
}

#[derive(Serialize)]
struct NoteReport<'a> {
    iteration: u32,
    text: &'a str,
    at: Option<String>,
}

impl NoteReport<'_> {
    fn new(note: &NoteFacts) -> NoteReport<'_> {
        NoteReport { iteration: note.iteration, text: &note.text, at: timestamp(note.at_ms) }
    }
}

#[derive(Serialize)]
struct UnitStatus {
    /// Counted from 1.
    number: u64,
    of: u32,
}

/// SPEC L1's snapshot, and what gulf knows besides. `converged` is true for *verified* only: a plateau is no success.
pub fn status_json(facts: &Facts, history: &History, state: &State, driver: Driver) -> Value {
    let standing = Standing::of(state, driver);
    let (end, pause) = end_and_pause(&standing);
    value(&Status {
        version: VERSION,
        loop_id: facts.loop_id.as_str(),
        handle: &facts.handle,
        spec_id: &facts.spec_id,
        goal: &facts.goal,
        phase: Phase::of(state),
        iteration: Phase::iteration(state),
        max_iterations: iterations_max(state),
        converged: matches!(end, Some(End::Verified { .. })),
        running: is_running(&standing),
        standing: standing.word(),
        waiting: standing.waiting(),
        wait: WaitReport::new(state, history).filter(|_| is_running(&standing)),
        end,
        pause,
        anomaly: anomaly(&standing),
        failure: FailureReport::new(&standing, history.failing(), facts),
        unit: UnitStatus { number: u64::from(state.unit().id.0) + 1, of: tasks::counted(state).1 },
        tasks: tasks::tasks(history, state),
        parts: history.parts(),
        undivided: history.undivided(),
        worker: state.worker(),
        branch: facts.branch.as_ref(),
        landing: LandingReport::new(facts, history, state),
        candidate: history.last_evaluated().and_then(|iteration| iteration.candidate()),
        checks: check_reports(facts, history, state),
        flaky: FlakyCheck::all(state),
        active_ms: state.active_ms(),
        cost: Cost::of(state.spending()),
        claims: history.claims(),
        open_questions: QuestionReport::open(state),
        review: facts.review.as_ref(),
        channels: &facts.channels,
        denials: denials(state),
        limits: state.contract().map(|contract| contract.policy.limits),
        note: facts.note.as_ref().map(NoteReport::new),
        updated_at: timestamp(history.updated_at_ms()),
    })
}

#[derive(Serialize)]
struct ResultDocument<'a> {
    version: u32,
    #[serde(rename = "loop")]
    loop_id: &'a str,
    handle: &'a str,
    goal: &'a str,
    standing: &'static str,
    exit_code: u8,
    meaning: String,
    end: Option<&'a End>,
    pause: Option<PauseReason>,
    anomaly: Option<String>,
    /// Null unless the loop ended because its agent was out of reach.
    failure: Option<&'a FailureReport>,
    /// Who refused the last candidate; null where it was not refused, or where the end says why.
    refusal: Option<&'a RefusalReport>,
    advice: &'a [String],
    /// Null where the loop has no branch of its own.
    branch: Option<&'a BranchFacts>,
    /// Null where nobody wants its work to land.
    landing: Option<&'a LandingReport>,
    candidate: Option<&'a Candidate>,
    checks: &'a [CheckReport],
    seen_to_fail: &'a [Proof],
    not_proven: &'a [Unproven],
    /// Checks that said yes and no about the same files.
    flaky: &'a [FlakyCheck],
    iteration: u32,
    max_iterations: u32,
    active_ms: u64,
    /// Null where nothing was spent.
    cost: Option<Cost>,
    claims: u32,
    /// Empty where no list is worked off.
    tasks: &'a [TaskReport],
    open_questions: &'a [QuestionReport],
    /// What changed since the last review, where it rests for one; null elsewhere.
    review: Option<&'a ReviewFacts>,
    /// What led to the human gate; empty elsewhere.
    rejected: &'a [Rejected],
    /// Since a person last looked.
    denials: &'a [Denial],
    logs: &'a str,
    next: &'a [NextStep],
}

/// The last screen for programs: the end, or why there is none yet, and the next command.
pub fn end_json(summary: &Summary) -> Value {
    let (end, pause) = end_and_pause(&summary.standing);
    value(&ResultDocument {
        version: VERSION,
        loop_id: summary.loop_id.as_str(),
        handle: &summary.handle,
        goal: &summary.goal,
        standing: summary.standing.word(),
        exit_code: summary.standing.exit_code(),
        meaning: summary.meaning(),
        end,
        pause,
        anomaly: anomaly(&summary.standing),
        failure: summary.failure.as_ref(),
        refusal: summary.refusal.as_ref(),
        advice: &summary.advice,
        branch: summary.branch.as_ref(),
        landing: summary.landing.as_ref(),
        candidate: summary.candidate.as_ref(),
        checks: &summary.checks,
        seen_to_fail: &summary.proofs,
        not_proven: &summary.unproven,
        flaky: &summary.flaky,
        iteration: summary.iteration,
        max_iterations: summary.iterations_max,
        active_ms: summary.active_ms,
        cost: summary.cost,
        claims: summary.claims,
        tasks: &summary.tasks,
        open_questions: &summary.questions,
        review: summary.review.as_ref(),
        rejected: &summary.rejected,
        denials: &summary.denials,
        logs: &summary.logs,
        next: &summary.next,
    })
}

#[derive(Serialize)]
struct List<'a> {
    version: u32,
    loops: Vec<ListedLoop<'a>>,
}

#[derive(Serialize)]
struct ListedLoop<'a> {
    #[serde(rename = "loop")]
    loop_id: &'a str,
    handle: &'a str,
    goal: &'a str,
    standing: &'static str,
    end: Option<&'a End>,
    pause: Option<PauseReason>,
    /// Null where the loop has no branch of its own.
    branch: Option<&'a BranchFacts>,
    iteration: u32,
    max_iterations: u32,
    /// Null where nothing was spent.
    cost: Option<Cost>,
    open_questions: &'a [QuestionReport],
    updated_at: Option<String>,
}

/// `gulf list` for programs.
pub fn list_json(rows: &[Row]) -> Value {
    value(&List { version: VERSION, loops: rows.iter().map(listed).collect() })
}

fn listed(row: &Row) -> ListedLoop<'_> {
    let (end, pause) = end_and_pause(&row.standing);
    ListedLoop {
        loop_id: row.loop_id.as_str(),
        handle: &row.handle,
        goal: &row.goal,
        standing: row.standing.word(),
        end,
        pause,
        branch: row.branch.as_ref(),
        iteration: row.iteration,
        max_iterations: row.iterations_max,
        cost: row.cost,
        open_questions: &row.open_questions,
        updated_at: timestamp(row.updated_at_ms),
    }
}

/// RFC 3339 in UTC; none where there is no time yet, or none that a calendar has.
pub(crate) fn timestamp(at_ms: u64) -> Option<String> {
    let milliseconds = i64::try_from(at_ms).ok().filter(|milliseconds| *milliseconds > 0)?;
    Timestamp::from_millisecond(milliseconds).ok().map(|timestamp| timestamp.to_string())
}

/// A document of ours as a value.
pub(crate) fn value(document: &impl Serialize) -> Value {
    serde_json::to_value(document)
        .expect("our documents hold strings, numbers, lists and maps with text as keys")
}

pub(crate) fn is_running(standing: &Standing) -> bool {
    match standing {
        Standing::Running | Standing::InSession { .. } => true,
        Standing::Interrupted | Standing::LedOn | Standing::Paused(_) => false,
        Standing::Ended(_) | Standing::Outrun | Standing::Broken(_) => false,
    }
}

fn end_and_pause(standing: &Standing) -> (Option<&End>, Option<PauseReason>) {
    match standing {
        Standing::Ended(end) => (Some(end), None),
        Standing::Outrun => (Some(&End::Cancelled), None),
        Standing::Paused(reason) => (None, Some(*reason)),
        Standing::Running | Standing::InSession { .. } => (None, None),
        Standing::Interrupted | Standing::LedOn | Standing::Broken(_) => (None, None),
    }
}

fn anomaly(standing: &Standing) -> Option<String> {
    match standing {
        Standing::Broken(_) => Some(standing.meaning()),
        Standing::Running | Standing::InSession { .. } | Standing::Interrupted | Standing::LedOn => None,
        Standing::Paused(_) | Standing::Ended(_) | Standing::Outrun => None,
    }
}
