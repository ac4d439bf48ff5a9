//! An iteration for programs: every field is always there, and what is not known is null.

use super::{Asked, Changed, CheckWord, IterationReport};
use crate::cost::Cost;
use crate::json::{VERSION, value};
use crate::summary::NextStep;
use gulf_engine::{
    Candidate, Claim, End, Integrity, JudgeWord, LandingWord, Overlay, Resemblance, Settlement, Turn,
};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    #[serde(rename = "loop")]
    loop_id: &'a str,
    goal: &'a str,
    /// 0 is the start.
    iteration: u32,
    last_iteration: u32,
    attempts: u32,
    asked: &'a Asked,
    turn: Option<&'a Turn>,
    claim: Option<&'a Claim>,
    message: &'a str,
    gates: Gates<'a>,
    settlement: Option<Settlement>,
    end: Option<&'a End>,
    candidate: Option<&'a Candidate>,
    left_out: &'a [String],
    drifted: &'a [String],
    changed_since_last: Option<&'a Changed>,
    changed_since_start: Option<&'a Changed>,
    duration_ms: u64,
    /// Null where nothing was spent.
    cost: Option<Cost>,
    next: &'a [NextStep],
}

#[derive(Serialize)]
struct Gates<'a> {
    checks: &'a [CheckWord],
    integrity: Option<&'a Integrity>,
    overlay: Option<&'a Overlay>,
    judge: Option<&'a JudgeWord>,
    reasons: &'a [String],
    landing: Option<&'a LandingWord>,
    resembles: Option<Resemblance>,
    waived: Option<&'a str>,
}

/// The iteration as one document.
pub fn iteration_json(report: &IterationReport) -> Value {
    value(&Document {
        version: VERSION,
        loop_id: report.loop_id.as_str(),
        goal: &report.goal,
        iteration: report.number,
        last_iteration: report.last,
        attempts: report.attempts,
        asked: &report.asked,
        turn: report.turn.as_ref(),
        claim: report.claim.as_ref(),
        message: &report.message,
        gates: Gates {
            checks: &report.checks,
            integrity: report.integrity.as_ref(),
            overlay: report.overlay.as_ref(),
            judge: report.judge.as_ref(),
            reasons: &report.reasons,
            landing: report.landing.as_ref(),
            resembles: report.resembles,
            waived: report.waived.as_deref(),
        },
        settlement: report.settlement,
        end: report.end.as_ref(),
        candidate: report.candidate.as_ref(),
        left_out: &report.left_out,
        drifted: &report.drifted,
        changed_since_last: report.changed_since_last.as_ref(),
        changed_since_start: report.changed_since_start.as_ref(),
        duration_ms: report.duration_ms,
        cost: report.cost,
        next: &report.next,
    })
}
