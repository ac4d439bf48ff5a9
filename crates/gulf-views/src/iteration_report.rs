//! One iteration as a person asks about it later: what it was asked, did and claimed, what each gate said, what it left.
//!
//! Whatever came after the iteration is not in it. What the journal holds only as digests (messages, output of checks, a
//! judge's reasons, changed files) is handed in.

mod screen;

use std::collections::BTreeMap;

use crate::changed_files::ChangedFile;
use crate::facts::Facts;
use crate::history::{History, Iteration, PersonAct};
use crate::json::VERSION;
use crate::question::QuestionReport;
use crate::screen::NextStep;
use crate::wording;
use gulf_engine::{Candidate, CheckName, CheckRun, LoopId, Resemblance, State};
use serde::Serialize;
use serde_json::{Value, json};

pub use screen::iteration;
pub(crate) use screen::personal;

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
    pub changed_since_last: Option<CandidateChange>,
    pub changed_since_start: Option<CandidateChange>,
}

/// What differs between an earlier candidate and this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CandidateChange {
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
    pub acts: Vec<PersonAct>,
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
    loop_id: LoopId,
    /// What people call it.
    handle: String,
    /// The goal's title.
    goal: String,
    /// Number 0 and nothing else is the start.
    iteration: Iteration,
    /// The newest one that has begun.
    last: u32,
    asked: Asked,
    texts: IterationTexts,
    checks: Vec<CheckWord>,
    /// At the start, the base.
    candidate: Option<Candidate>,
    next: Vec<NextStep>,
}

impl IterationReport {
    /// `base` is where the loop started; the checks are those on it.
    pub fn of_start(facts: &Facts, history: &History, state: &State, base: &Candidate) -> IterationReport {
        let start = Iteration { checks: state.probes.clone(), ..Iteration::default() };
        Self::new(facts, history, &start, Asked::default(), IterationTexts::default(), Some(base.clone()))
    }

    /// `iteration` is one of the history's.
    pub fn finished(
        facts: &Facts,
        history: &History,
        state: &State,
        iteration: &Iteration,
        mut texts: IterationTexts,
    ) -> IterationReport {
        let asked = asked(history, state, iteration, texts.prompt.take());
        IterationReport::new(facts, history, iteration, asked, texts, iteration.candidate().cloned())
    }

    fn new(
        facts: &Facts,
        history: &History,
        iteration: &Iteration,
        asked: Asked,
        texts: IterationTexts,
        candidate: Option<Candidate>,
    ) -> IterationReport {
        IterationReport {
            loop_id: facts.loop_id.clone(),
            handle: facts.handle.clone(),
            goal: facts.title.clone(),
            last: history.last_number(),
            checks: checks(facts, &iteration.checks, &texts.outputs),
            next: next(facts, iteration.number, asked.prompt.is_some(), candidate.is_some()),
            iteration: iteration.clone(),
            asked,
            texts,
            candidate,
        }
    }

    fn resembles(&self) -> Option<Resemblance> {
        self.iteration.snapshot.as_ref()?.resembles
    }
}

fn asked(history: &History, state: &State, iteration: &Iteration, prompt: Option<String>) -> Asked {
    let before = iteration.number.saturating_sub(1);
    let settlement = history.iterations.iter().rev().find(|one| one.number == before);
    let acts = history.acts.iter().filter(|act| act.iteration == before);
    let questions = QuestionReport::all(history, state).into_iter();
    let after = settlement.and_then(|one| one.settlement).map(|settled| wording::settled(settled).to_owned());
    let acts = acts.map(|act| act.act.clone()).collect();
    let answered = questions.filter(|one| one.iteration == before && one.answer.is_some()).collect();
    Asked { after, acts, answered, prompt }
}

fn checks(
    facts: &Facts,
    runs: &BTreeMap<CheckName, CheckRun>,
    outputs: &[(CheckName, String)],
) -> Vec<CheckWord> {
    let output = |name: &CheckName| outputs.iter().find(|(of, _)| of == name).map(|(_, text)| text.clone());
    let word = |(name, run): (&CheckName, &CheckRun)| {
        let (command, output) = (facts.check_command(name), output(name));
        CheckWord { name: name.clone(), command, run: run.clone(), output }
    };
    runs.iter().map(word).collect()
}

/// What a person does with an iteration that they looked at.
fn next(facts: &Facts, number: u32, has_prompt: bool, has_candidate: bool) -> Vec<NextStep> {
    let at = facts.at(number);
    let mut steps = Vec::new();
    if has_prompt {
        let command = format!("{} --iteration {number} --prompt", facts.command("log"));
        steps.push(NextStep::new(command, "what it was told, in full"));
    }
    if has_candidate && number > 0 {
        steps.push(NextStep::new(format!("gulf diff {at}"), "what it changed"));
    }
    if has_candidate {
        let restore = format!("gulf restore {at} --to DIR");
        steps.push(NextStep::new(restore, "its files, in a folder of their own"));
        steps.push(NextStep::new(format!("gulf fork {at}"), "continues from there on a new branch"));
    }
    steps
}

/// The iteration as one document.
pub fn iteration_json(report: &IterationReport) -> Value {
    let IterationReport { iteration, texts, .. } = report;
    json!({
        "version": VERSION,
        "loop": report.loop_id,
        "goal": report.goal,
        "iteration": iteration.number,
        "last_iteration": report.last,
        "attempts": iteration.attempts,
        "asked": report.asked,
        "turn": iteration.turn,
        "claim": iteration.claim,
        "message": texts.message,
        "gates": {
            "checks": report.checks,
            "integrity": iteration.integrity,
            "overlay": iteration.overlay,
            "judge": iteration.judge,
            "reasons": texts.reasons,
            "landing": iteration.landing,
            "resembles": report.resembles(),
            "waived": iteration.waived,
        },
        "settlement": iteration.settlement,
        "end": iteration.end,
        "candidate": report.candidate,
        "left_out": iteration.left_out(),
        "drifted": iteration.drifted(),
        "changed_since_last": texts.changed_since_last,
        "changed_since_start": texts.changed_since_start,
        "duration_ms": iteration.duration_ms,
        "cost": iteration.cost,
        "next": report.next,
    })
}
