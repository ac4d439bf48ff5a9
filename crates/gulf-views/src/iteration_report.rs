//! One iteration as a person asks about it later: what it was asked, did and claimed, what each gate said, what it left.
//!
//! It stands apart from the report of a loop because it looks back: whatever came after the iteration is not in it. What
//! the journal holds only as digests (messages, output of checks, a judge's reasons, changed files) is handed in.

mod document;
mod screen;

use std::collections::BTreeMap;

use crate::cost::Cost;
use crate::facts::Facts;
use crate::feedback;
use crate::history::{Act, History, Iteration};
use crate::question::QuestionReport;
use crate::report::ChangedFile;
use crate::summary::NextStep;
use gulf_engine::{
    Candidate, CheckName, CheckRun, Claim, End, Integrity, JudgeWord, LandingWord, LoopId, Overlay,
    Resemblance, Settlement, State, Turn,
};
use serde::Serialize;

pub use document::iteration_json;
pub use screen::iteration;

/// What the journal does not hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IterationTexts {
    /// The file with the whole prompt.
    pub prompt: Option<String>,
    /// The worker's final message.
    pub message: String,
    /// How the output of each check that said no ends.
    pub outputs: Vec<(CheckName, String)>,
    /// The judge's reasons, a line each.
    pub reasons: Vec<String>,
    /// None where it cannot be told, or where there is nothing before.
    pub changed_since_last: Option<Changed>,
    pub changed_since_start: Option<Changed>,
}

/// What differs between an earlier candidate and this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The earlier one; 0 is the start.
    pub since: u32,
    pub files: Vec<ChangedFile>,
}

/// What the worker was told besides the goal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// How the iteration before came out; null in the first one.
    pub after: Option<String>,
    /// What a person did in between, in their words.
    pub acts: Vec<Act>,
    /// What the worker had asked the last time, with the answer.
    pub answered: Vec<QuestionReport>,
    /// The file with the whole prompt; null where it is not kept.
    pub prompt: Option<String>,
}

/// A check's word about the candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckWord {
    pub name: CheckName,
    pub command: String,
    pub run: CheckRun,
    /// How its output ends, where it said no and that is kept.
    pub output: Option<String>,
}

/// Everything that is said of an iteration, before anyone decided how it looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IterationReport {
    pub loop_id: LoopId,
    /// What people call it.
    pub handle: String,
    /// The goal's title.
    pub goal: String,
    /// 0 is the start.
    pub number: u32,
    /// The newest one that has begun.
    pub last: u32,
    pub attempts: u32,
    pub asked: Asked,
    pub turn: Option<Turn>,
    pub claim: Option<Claim>,
    pub message: String,
    pub checks: Vec<CheckWord>,
    pub integrity: Option<Integrity>,
    pub overlay: Option<Overlay>,
    pub judge: Option<JudgeWord>,
    pub reasons: Vec<String>,
    pub landing: Option<LandingWord>,
    /// The rejected approach that the candidate is close to.
    pub resembles: Option<Resemblance>,
    /// Why a person overruled the judge, if one did.
    pub waived: Option<String>,
    pub settlement: Option<Settlement>,
    pub end: Option<End>,
    /// At the start, the base.
    pub candidate: Option<Candidate>,
    pub left_out: Vec<String>,
    pub drifted: Vec<String>,
    pub changed_since_last: Option<Changed>,
    pub changed_since_start: Option<Changed>,
    pub duration_ms: u64,
    /// Null where nothing was spent.
    pub cost: Option<Cost>,
    pub next: Vec<NextStep>,
}

impl IterationReport {
    /// `base` is where the loop started; the checks are those on it.
    pub fn of_start(facts: &Facts, history: &History, state: &State, base: &Candidate) -> IterationReport {
        let mut report = IterationReport::empty(facts, history, 0);
        report.candidate = Some(base.clone());
        report.checks = checks(facts, state.probes(), &[]);
        report.next = next(&report, facts);
        report
    }

    /// `iteration` is one of the history's.
    pub fn of(
        facts: &Facts,
        history: &History,
        state: &State,
        iteration: &Iteration,
        texts: IterationTexts,
    ) -> IterationReport {
        let snapshot = iteration.snapshot.as_ref();
        let mut report = IterationReport {
            attempts: iteration.attempts,
            asked: asked(history, state, iteration, texts.prompt),
            turn: iteration.turn.clone(),
            claim: iteration.claim.clone(),
            message: texts.message,
            checks: checks(facts, &iteration.checks, &texts.outputs),
            integrity: iteration.integrity.clone(),
            overlay: iteration.overlay.clone(),
            judge: iteration.judge.clone(),
            reasons: texts.reasons,
            landing: iteration.landing.clone(),
            resembles: snapshot.and_then(|snapshot| snapshot.resembles),
            waived: iteration.waived.clone(),
            settlement: iteration.settlement,
            end: iteration.end.clone(),
            candidate: iteration.candidate().cloned(),
            left_out: snapshot.map(|snapshot| snapshot.left_out.clone()).unwrap_or_default(),
            drifted: snapshot.map(|snapshot| snapshot.drifted.clone()).unwrap_or_default(),
            changed_since_last: texts.changed_since_last,
            changed_since_start: texts.changed_since_start,
            duration_ms: iteration.duration_ms,
            cost: iteration.cost,
            ..IterationReport::empty(facts, history, iteration.number)
        };
        report.next = next(&report, facts);
        report
    }

    fn empty(facts: &Facts, history: &History, number: u32) -> IterationReport {
        IterationReport {
            loop_id: facts.loop_id.clone(),
            handle: facts.handle.clone(),
            goal: facts.title.clone(),
            number,
            last: history.iterations().last().map_or(0, |last| last.number),
            attempts: 0,
            asked: Asked::default(),
            turn: None,
            claim: None,
            message: String::new(),
            checks: Vec::new(),
            integrity: None,
            overlay: None,
            judge: None,
            reasons: Vec::new(),
            landing: None,
            resembles: None,
            waived: None,
            settlement: None,
            end: None,
            candidate: None,
            left_out: Vec::new(),
            drifted: Vec::new(),
            changed_since_last: None,
            changed_since_start: None,
            duration_ms: 0,
            cost: None,
            next: Vec::new(),
        }
    }
}

fn asked(history: &History, state: &State, iteration: &Iteration, prompt: Option<String>) -> Asked {
    let before = iteration.number.saturating_sub(1);
    let settlement = history.iterations().iter().rev().find(|one| one.number == before);
    let acts = history.acts().iter().filter(|act| act.iteration == before);
    let questions = QuestionReport::all(state).into_iter().map(|one| one.signed(history));
    Asked {
        after: settlement.and_then(|one| one.settlement).map(|settled| feedback::settled(settled).to_owned()),
        acts: acts.map(|act| act.act.clone()).collect(),
        answered: questions.filter(|one| one.iteration == before && one.answer.is_some()).collect(),
        prompt,
    }
}

fn checks(
    facts: &Facts,
    runs: &BTreeMap<CheckName, CheckRun>,
    outputs: &[(CheckName, String)],
) -> Vec<CheckWord> {
    let output = |name: &CheckName| outputs.iter().find(|(of, _)| of == name).map(|(_, text)| text.clone());
    runs.iter()
        .map(|(name, run)| CheckWord {
            name: name.clone(),
            command: facts.check(name).map(|check| check.command.clone()).unwrap_or_default(),
            run: run.clone(),
            output: output(name),
        })
        .collect()
}

/// What a person does with an iteration that they looked at.
fn next(report: &IterationReport, facts: &Facts) -> Vec<NextStep> {
    let at = facts.at(report.number);
    let step = |command: String, purpose: &str| NextStep { command, purpose: purpose.to_owned() };
    let mut steps = Vec::new();
    if report.asked.prompt.is_some() {
        let command = format!("{} --iteration {} --prompt", facts.command("log"), report.number);
        steps.push(step(command, "what it was told, in full"));
    }
    if report.candidate.is_some() {
        if report.number > 0 {
            steps.push(step(format!("gulf diff {at}"), "what it changed"));
        }
        steps.push(step(format!("gulf restore {at} --to DIR"), "its files, in a folder of their own"));
        steps.push(step(format!("gulf fork {at}"), "goes on from there, on a branch of its own"));
    }
    steps
}
