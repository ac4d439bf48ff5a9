//! What is *not* proven: the half of a result that other loops leave out (SPEC B11).
//!
//! It stands apart because it must be complete: whatever a cause, a finding or a left-out file says is listed here,
//! and every view that shows an end shows this.

use crate::facts::Facts;
use crate::flaky::FlakyCheck;
use crate::history::{History, Iteration};
use crate::landing;
use crate::parts::{self, PartReport};
use crate::red_base::still_failing;
use crate::standing::Standing;
use crate::tell;
use gulf_engine::{Cause, End, Integrity, JudgeWord, LandingWord, OnFindings, State, TaskTally};
use serde::Serialize;

/// One thing that is not proven, and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unproven {
    /// In one line.
    pub what: String,
    /// Each criterion, finding or file; empty where `what` says it all.
    pub each: Vec<String>,
}

/// Everything that is not proven about the iteration's candidate.
pub(crate) fn unproven(
    standing: &Standing,
    evaluated: Option<&Iteration>,
    parts: &[PartReport],
    facts: &Facts,
    state: &State,
) -> Vec<Unproven> {
    let findings = evaluated.and_then(|iteration| iteration.integrity.as_ref());
    let causes = if let Standing::Ended(end) = standing { end.causes() } else { &[] };
    let mut unproven: Vec<Unproven> = Vec::new();
    if !is_success(standing) {
        unproven.push(Unproven { what: "that the goal is reached".to_owned(), each: Vec::new() });
    }
    unproven.extend(evaluated.and_then(|iteration| iteration.landing.as_ref()).and_then(together));
    let tally =
        evaluated.and_then(|iteration| iteration.snapshot.as_ref()).and_then(|snapshot| snapshot.tasks);
    unproven.extend(tally.filter(|_| !is_success(standing)).and_then(shrunk));
    unproven
        .extend(evaluated.into_iter().flat_map(|iteration| still_failing(&iteration.checks, state.probes())));
    if !is_success(standing) {
        unproven.extend(FlakyCheck::all(state).iter().map(FlakyCheck::unproven));
    }
    let waived = evaluated.and_then(|iteration| iteration.waived.as_deref());
    unproven.extend(causes.iter().map(|cause| of_cause(cause, findings, waived, facts)));
    let is_told = |wanted: fn(&Cause) -> bool| causes.iter().any(wanted);
    let judged = evaluated.and_then(|iteration| iteration.judge.as_ref());
    if !is_told(|cause| matches!(cause, Cause::CriteriaNotProven { .. })) {
        unproven.extend(undecided(judged, facts));
    }
    if let Some(integrity) = findings.filter(|integrity| !integrity.findings.is_empty())
        && !is_told(|cause| matches!(cause, Cause::Findings { .. }))
    {
        unproven.push(accepted_findings(judged, integrity));
    }
    if let Some(snapshot) = evaluated.and_then(|iteration| iteration.snapshot.as_ref()) {
        let left_out = "files that are not in the candidate, so nothing was said about them";
        unproven.extend(list(left_out, &snapshot.left_out));
        unproven.extend(list("not as it was at the start, and nothing was decided on it", &snapshot.drifted));
    }
    if is_success(standing) {
        unproven.extend(parts::left_to_others(parts));
    }
    unproven.extend(list("questions that --ignore-questions passed over", &facts.passed_over));
    unproven.extend(list("checks that gulf-align.md agreed on, and nobody ran", &facts.unrun_checks));
    unproven.extend(list("where the checks ran", &facts.isolation));
    unproven
}

/// A candidate holds whatever lies there: what the worker did not write is named.
pub(crate) fn not_the_workers(history: &History) -> Option<Unproven> {
    let each = history.edited();
    (!each.is_empty() && history.last_evaluated().is_some()).then(|| Unproven {
        what: "part of the candidate and not the worker's: changed while no turn ran".to_owned(),
        each,
    })
}

/// What came before the brief was whole is kept like all work, and a person may want it apart.
pub(crate) fn besides_the_brief(history: &History, facts: &Facts) -> Option<Unproven> {
    let each = history.researched().to_vec();
    (!each.is_empty()).then(|| Unproven {
        what: format!(
            "changed while only a brief was asked for, and kept (`gulf restore {} --to DIR` has what was there before)",
            facts.at(0)
        ),
        each,
    })
}

/// Every gate said yes; what keeps an attested end from proof are its causes.
fn is_success(standing: &Standing) -> bool {
    match standing {
        Standing::Ended(End::Verified { .. } | End::Attested { .. }) => true,
        Standing::Ended(
            End::Stalled { .. }
            | End::Exhausted { .. }
            | End::Unavailable { .. }
            | End::Violated
            | End::Cancelled,
        )
        | Standing::Running
        | Standing::InSession { .. }
        | Standing::Interrupted
        | Standing::LedOn
        | Standing::Outrun
        | Standing::Paused(_)
        | Standing::Broken(_) => false,
    }
}

/// A list of the worker's that was made shorter instead of being done.
fn shrunk(tally: TaskTally) -> Option<Unproven> {
    let TaskTally { missing, .. } = tally;
    (missing > 0).then(|| Unproven {
        what: format!(
            "{} of the start: gone from the list of tasks, or in other words there; a list may grow, and never shrink",
            crate::text::count(missing, "task", "tasks")
        ),
        each: Vec::new(),
    })
}

/// What was green alone may have been refused by the base branch.
fn together(word: &LandingWord) -> Option<Unproven> {
    match word {
        LandingWord::Refused { by, summary, .. } => Some(Unproven {
            what: "that it goes together with the base branch".to_owned(),
            each: vec![format!("{}: {summary}", landing::clash(*by))],
        }),
        LandingWord::Landed { .. } | LandingWord::NotReady { .. } => None,
    }
}

fn of_cause(cause: &Cause, findings: Option<&Integrity>, waived: Option<&str>, facts: &Facts) -> Unproven {
    let alone = |what: String| Unproven { what, each: Vec::new() };
    match cause {
        Cause::NoCheck => alone("nothing was checked".to_owned()),
        Cause::CriteriaNotProven { .. } => criteria(facts),
        Cause::TaskNotJudged { task, .. } => Unproven {
            what: format!("criteria of {task} that nobody judged"),
            each: facts.task_criteria.get(task).cloned().unwrap_or_default(),
        },
        Cause::NothingChanged => alone("nothing was changed, so there is no work to prove".to_owned()),
        Cause::NothingCouldFail { reason: None } => {
            alone("nothing was seen to fail without the change".to_owned())
        }
        Cause::NothingCouldFail { reason: Some(reason) } => Unproven {
            what: "nothing was seen to fail without the change; the reason given".to_owned(),
            each: vec![reason.clone()],
        },
        Cause::Findings { count } => findings.map_or_else(
            || alone(format!("{count} changes to tests or runner configuration of the base")),
            listed_findings,
        ),
        Cause::Flaky { check, no_in, yes_in } => {
            FlakyCheck { check: check.clone(), no_in: *no_in, yes_in: *yes_in }.unproven()
        }
        Cause::Waived => Unproven {
            what: "a yes of the judge, whom a person overruled".to_owned(),
            each: waived.into_iter().map(str::to_owned).collect(),
        },
    }
}

fn criteria(facts: &Facts) -> Unproven {
    Unproven { what: "criteria that nobody judged".to_owned(), each: facts.criteria.clone() }
}

/// The criteria, as far as the judge has not approved them.
pub(crate) fn undecided(judged: Option<&JudgeWord>, facts: &Facts) -> Option<Unproven> {
    if facts.criteria.is_empty() {
        return None;
    }
    match judged {
        Some(JudgeWord::Approved { .. }) => None,
        Some(JudgeWord::Rejected { .. }) => {
            let what = "criteria, at least one of which the judge found unmet".to_owned();
            Some(Unproven { what, each: facts.criteria.clone() })
        }
        Some(JudgeWord::NoVerdict | JudgeWord::Unreachable { .. } | JudgeWord::RateLimited { .. })
        | Some(JudgeWord::NeedsPerson { .. })
        | None => Some(criteria(facts)),
    }
}

/// Changes that a judge or a person said yes to are still told.
fn accepted_findings(judged: Option<&JudgeWord>, integrity: &Integrity) -> Unproven {
    match judged {
        Some(JudgeWord::Approved { findings: OnFindings::Follow, .. }) => {
            let what = "changes to tests of the base, of which the judge says that they follow from the goal";
            Unproven { what: what.to_owned(), ..listed_findings(integrity) }
        }
        Some(
            JudgeWord::Approved { findings: OnFindings::Silent, .. }
            | JudgeWord::Rejected { .. }
            | JudgeWord::NoVerdict
            | JudgeWord::Unreachable { .. }
            | JudgeWord::NeedsPerson { .. }
            | JudgeWord::RateLimited { .. },
        )
        | None => listed_findings(integrity),
    }
}

fn listed_findings(integrity: &Integrity) -> Unproven {
    let what = "changes to tests or runner configuration of the base".to_owned();
    Unproven { what, each: integrity.findings.iter().map(tell::finding).collect() }
}

fn list(what: &str, each: &[String]) -> Option<Unproven> {
    (!each.is_empty()).then(|| Unproven { what: what.to_owned(), each: each.to_vec() })
}
