//! The report for programs: everything that the Markdown says, each thing under its name.
//!
//! It stands apart from the text because it is an API: versioned, and with every field always there.

use super::{ChangedFile, CriterionLine, IterationLine, LookFirst, Report, Risk};
use crate::cost::Cost;
use crate::failing::FailureReport;
use crate::flaky::FlakyCheck;
use crate::history::PersonalAct;
use crate::json::{VERSION, value};
use crate::question::QuestionReport;
use crate::summary::{CheckReport, NextStep, Rejected};
use crate::unproven::Unproven;
use gulf_engine::{Base, Candidate, Denial, Proof};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    #[serde(rename = "loop")]
    loop_id: &'a str,
    standing: &'static str,
    exit_code: u8,
    meaning: String,
    /// Null unless the loop ended because its agent was out of reach.
    failure: Option<&'a FailureReport>,
    advice: &'a [String],
    goal: &'a str,
    base: Option<&'a Base>,
    candidate: Option<&'a Candidate>,
    changed_files: &'a [ChangedFile],
    iterations: &'a [IterationLine],
    max_iterations: u32,
    active_ms: u64,
    checks: &'a [CheckReport],
    criteria: &'a [CriterionLine],
    seen_to_fail: &'a [Proof],
    not_proven: &'a [Unproven],
    /// Checks that said yes and no about the same files.
    flaky: &'a [FlakyCheck],
    look_first: &'a [LookFirst],
    rejected: &'a [Rejected],
    questions: &'a [QuestionReport],
    /// What a person did besides answering.
    acts: &'a [PersonalAct],
    denials: &'a [Denial],
    decisions: &'a [String],
    doubts: &'a [String],
    /// Null where nothing was spent.
    cost: Option<Cost>,
    judge_cost: Option<Cost>,
    claims: u32,
    risk: Option<Risk>,
    reproduce: &'a [String],
    next: &'a [NextStep],
}

/// The report for programs.
pub fn report_json(report: &Report) -> Value {
    let summary = &report.summary;
    value(&Document {
        version: VERSION,
        loop_id: summary.loop_id.as_str(),
        standing: summary.standing.word(),
        exit_code: summary.standing.exit_code(),
        meaning: summary.meaning(),
        failure: summary.failure.as_ref(),
        advice: &summary.advice,
        goal: &report.goal,
        base: report.base.as_ref(),
        candidate: summary.candidate.as_ref(),
        changed_files: &report.texts.changed_files,
        iterations: &report.iterations,
        max_iterations: summary.iterations_max,
        active_ms: summary.active_ms,
        checks: &summary.checks,
        criteria: &report.texts.criteria,
        seen_to_fail: &summary.proofs,
        not_proven: &summary.unproven,
        flaky: &summary.flaky,
        look_first: &report.look_first,
        rejected: &summary.rejected,
        questions: &report.questions,
        acts: &report.acts,
        denials: &report.denials,
        decisions: &report.texts.decisions,
        doubts: &report.texts.doubts,
        cost: summary.cost,
        judge_cost: report.judge_cost,
        claims: summary.claims,
        risk: report.texts.risk,
        reproduce: &report.texts.reproduce,
        next: &summary.next,
    })
}
