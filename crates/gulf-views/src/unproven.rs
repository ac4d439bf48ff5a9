//! What is *not* proven: the half of a result that other loops leave out (SPEC B11).
//!
//! The list is complete: whatever a cause, a finding or a left-out file says is in it, and every view that shows an end shows
//! it.

use std::collections::BTreeMap;

use gulf_engine::{Cause, End, Finding, JudgeWord, LandingWord, OnFindings, State, TaskTally};
use serde::Serialize;

use crate::facts::Facts;
use crate::gates::FlakyCheck;
use crate::history::{History, Iteration};
use crate::loop_status::LoopStatus;
use crate::parts::{PartReport, PartState};
use crate::{landing, text, wording};

/// Something that is said, above all what is not proven, and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// In one line.
    pub what: String,
    /// Each criterion, finding or file; empty where `what` says it all.
    pub each: Vec<String>,
}

impl Statement {
    pub(crate) fn new(what: impl Into<String>, each: impl IntoIterator<Item: Into<String>>) -> Statement {
        Statement { what: what.into(), each: each.into_iter().map(Into::into).collect() }
    }

    pub(crate) fn alone(what: impl Into<String>) -> Statement {
        Statement { what: what.into(), each: Vec::new() }
    }

    /// None where there is nothing of the kind.
    pub(crate) fn list(what: impl Into<String>, each: Vec<String>) -> Option<Statement> {
        (!each.is_empty()).then(|| Statement::new(what, each))
    }
}

/// Everything that is not proven about the iteration's candidate.
pub(crate) fn unproven(
    standing: &LoopStatus,
    history: &History,
    facts: &Facts,
    state: &State,
) -> Vec<Statement> {
    let evaluated = history.last_evaluated();
    let findings = evaluated.map_or(&[][..], Iteration::findings);
    let causes = standing.end().map_or(&[][..], End::causes);
    let mut unproven: Vec<Statement> = Vec::new();
    if !standing.is_success() {
        unproven.push(Statement::alone("that the goal is reached"));
    }
    unproven.extend(evaluated.and_then(|iteration| iteration.landing.as_ref()).and_then(together));
    let tally = evaluated.and_then(|iteration| iteration.snapshot.as_ref()?.tasks);
    unproven.extend(tally.filter(|_| !standing.is_success()).and_then(shrunk));
    unproven.extend(evaluated.into_iter().flat_map(|one| still_failing(one, state)));
    if !standing.is_success() {
        unproven.extend(FlakyCheck::all(state).iter().map(unsteady));
    }
    let waived = evaluated.and_then(|iteration| iteration.waived.as_deref());
    let not_shown = evaluated.and_then(Iteration::not_shown);
    // Of the tasks of a list, each is told by itself.
    let is_told_by_task =
        |cause: &Cause| matches!(cause, Cause::NothingCouldFail { .. }) && !state.plan.is_empty();
    let of_loop = causes.iter().filter(|cause| !is_told_by_task(cause));
    unproven.extend(of_loop.map(|cause| of_cause(cause, findings, (waived, not_shown), facts)));
    let is_told = |wanted: fn(&Cause) -> bool| causes.iter().any(wanted);
    let judged = evaluated.and_then(|iteration| iteration.judge.as_ref());
    if !is_told(|cause| matches!(cause, Cause::CriteriaNotProven { .. })) {
        unproven.extend(undecided(judged, facts));
    }
    if !findings.is_empty() && !is_told(|cause| matches!(cause, Cause::Findings { .. })) {
        unproven.push(listed_findings(judged, waived, findings));
    }
    if evaluated.is_some_and(Iteration::is_cut_short) {
        unproven.push(Statement::alone(
            "that no answers are built in: the time for other inputs than the tests' own ran out",
        ));
    }
    let mut list = |what: &str, each: &[String]| unproven.extend(Statement::list(what, each.to_vec()));
    if let Some(evaluated) = evaluated {
        list("files that are not in the candidate, so nothing checked them", evaluated.left_out());
        list("changed since the start, and ignored", evaluated.drifted());
    }
    if standing.is_success() {
        // Nobody can say that they were done: their own workers did not bring them.
        let left_out = history.parts.iter().filter(|part| part.state == PartState::LeftOut);
        let left_out: Vec<_> =
            left_out.map(|PartReport { id, title, .. }| format!("{id}: {title}")).collect();
        list("that the steps left out were covered by later ones", &left_out);
    }
    list("questions that --ignore-questions passed over", &facts.passed_over);
    list("checks listed in gulf-align.md that did not run", &facts.unrun_checks);
    list("where the checks ran", &facts.isolation);
    unproven.extend(not_the_workers(history));
    unproven.extend(besides_the_brief(history, facts));
    // Several tasks may leave the same unproven.
    unproven.into_iter().fold(Vec::new(), |mut once, one| {
        once.extend((!once.contains(&one)).then_some(one));
        once
    })
}

/// A candidate holds whatever lies there: what the worker did not write is named.
fn not_the_workers(history: &History) -> Option<Statement> {
    history.last_evaluated()?;
    Statement::list("in the candidate, but not by the worker: changed while no turn ran", history.edited())
}

/// What came before the brief was whole is kept like all work, and a person may want it apart.
fn besides_the_brief(history: &History, facts: &Facts) -> Option<Statement> {
    let before = format!("`gulf restore {} --to DIR` has what was there before", facts.at(0));
    let what = format!("changed while only a brief was asked for, and kept ({before})");
    Statement::list(what, history.researched.clone())
}

/// A list of the worker's that was made shorter instead of being done.
fn shrunk(TaskTally { missing, .. }: TaskTally) -> Option<Statement> {
    let tasks = text::count(missing, "task", "tasks");
    let told = format!("{tasks} missing from the list or reworded; a list may grow, never shrink");
    (missing > 0).then(|| Statement::alone(told))
}

/// What was green alone may have been refused by the base branch.
fn together(word: &LandingWord) -> Option<Statement> {
    let LandingWord::Refused { by, summary, .. } = word else { return None };
    let what = "that it works together with the base branch";
    Some(Statement::new(what, [landing::clash(*by, summary)]))
}

fn of_cause(
    cause: &Cause,
    findings: &[Finding],
    (waived, not_shown): (Option<&str>, Option<&str>),
    facts: &Facts,
) -> Statement {
    match cause {
        Cause::NoCheck => Statement::alone("nothing was checked"),
        Cause::CriteriaNotProven { .. } => criteria(facts),
        Cause::TaskNotJudged { task, .. } => {
            let each = facts.task_criteria.get(task).into_iter().flatten();
            Statement::new(format!("criteria of {task} that nobody judged"), each)
        }
        Cause::NothingChanged => Statement::alone("nothing was changed, so there is no work to prove"),
        Cause::NothingCouldFail { reason: None } => {
            Statement::new("nothing was seen to fail without the change", not_shown)
        }
        Cause::NothingCouldFail { reason: Some(reason) } => {
            Statement::new("nothing was seen to fail without the change; the reason given", [reason])
        }
        Cause::Unnoticed { places } => {
            Statement::new("that the checks see the change: they stay green for these errors in it", places)
        }
        Cause::Findings { count } if findings.is_empty() => {
            Statement::alone(format!("{count} findings in tests, runner settings or code"))
        }
        Cause::Findings { .. } => listed_findings(None, None, findings),
        Cause::Flaky { check, no_in, yes_in } => {
            unsteady(&FlakyCheck { check: check.clone(), no_in: *no_in, yes_in: *yes_in })
        }
        Cause::Waived => Statement::new("the judge's approval, which a person overruled", waived),
    }
}

fn criteria(facts: &Facts) -> Statement {
    Statement::new("criteria that nobody judged", &facts.criteria)
}

/// The criteria, as far as the judge has not approved them.
pub(crate) fn undecided(judged: Option<&JudgeWord>, facts: &Facts) -> Option<Statement> {
    let undecided = match judged {
        Some(JudgeWord::Approved { .. }) => return None,
        Some(JudgeWord::Rejected { .. }) => {
            Statement::new("criteria, at least one of which the judge found unmet", &facts.criteria)
        }
        Some(JudgeWord::NoVerdict | JudgeWord::Unreachable { .. } | JudgeWord::RateLimited { .. })
        | Some(JudgeWord::NeedsPerson { .. })
        | None => criteria(facts),
    };
    (!facts.criteria.is_empty()).then_some(undecided)
}

/// Changes that a judge or a person said yes to are still told.
fn listed_findings(judged: Option<&JudgeWord>, approved: Option<&str>, findings: &[Finding]) -> Statement {
    let what = match judged {
        _ if approved.is_some() => "findings in tests, runner settings or code, which a person approved",
        Some(JudgeWord::Approved { findings: OnFindings::Follow, .. }) => {
            "changes to tests of the base, which the judge says follow from the goal"
        }
        Some(_) | None => "findings in tests, runner settings or code",
    };
    Statement::new(what, findings.iter().map(wording::finding))
}

/// Failures of the base that are still there: accepted, passed over by a check that is green all the same, or open.
fn still_failing(iteration: &Iteration, state: &State) -> Vec<Statement> {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, run) in &iteration.checks {
        let Some(before) = state.probes.get(name) else { continue };
        let still = run.failed.iter().filter(|test| before.failed.contains(test)).cloned();
        let what = match (run.is_green(), wording::is_accepted(state, name), wording::is_acceptable(before)) {
            (false, _, false) => "tests that failed before the loop, and still fail",
            (true, true, _) => "tests that failed before the loop, and are accepted by --baseline",
            (true, false, _) => "tests that failed before the loop, and that their check passes over",
            (false, _, true) => {
                "tests that failed before the loop, and still fail: `--baseline` accepts them where the goal is another"
            }
        };
        all.entry(what).or_default().extend(still);
    }
    all.into_iter().filter_map(|(what, each)| Statement::list(what, each)).collect()
}

/// A check that said yes and no, with the commands that name both logs.
fn unsteady(FlakyCheck { check, no_in, yes_in }: &FlakyCheck) -> Statement {
    let where_to_look = format!(
        "it failed in iteration {no_in} and passed in iteration {yes_in} on the same files: \
         `gulf log --iteration {no_in}` and `gulf log --iteration {yes_in}` name its logs"
    );
    Statement::new(format!("a stable result of check {check}: it is flaky"), [where_to_look])
}
