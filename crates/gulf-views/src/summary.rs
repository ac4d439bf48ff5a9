//! What a result says, before anyone decided how it looks: the last screen and its JSON are two forms of this.

use crate::facts::{Driver, Facts, Worktree};
use crate::history::History;
use crate::standing::Standing;
use crate::text;
use crate::unproven::{Unproven, unproven};
use gulf_engine::{Candidate, CheckName, CheckRun, End, LoopId, PauseReason, Proof, State};
use serde::Serialize;

/// Where a loop stands, what was checked, what is not proven, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub loop_id: LoopId,
    /// The goal's first line.
    pub goal: String,
    pub standing: Standing,
    /// What a person should know besides, in sentences.
    pub advice: Vec<String>,
    /// The newest one; what `checks` speaks about.
    pub candidate: Option<Candidate>,
    /// Every sealed check, also one that did not run.
    pub checks: Vec<CheckReport>,
    /// What was seen to fail without the change.
    pub proofs: Vec<Proof>,
    pub unproven: Vec<Unproven>,
    pub iteration: u32,
    pub iterations_max: u32,
    /// Tasks finished, and how many there are.
    pub units: (u32, u32),
    pub active_ms: u64,
    /// The folder of the iterations' logs.
    pub logs: String,
    /// The most likely one first.
    pub next: Vec<NextStep>,
}

/// One check, on the candidate and on the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    pub name: CheckName,
    pub command: String,
    /// None if it has not run on the candidate.
    pub candidate: Option<CheckRun>,
    /// None if it has not run on the base.
    pub base: Option<CheckRun>,
}

/// A command for the person, and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NextStep {
    pub command: String,
    pub purpose: String,
}

impl Summary {
    pub fn new(
        facts: &Facts,
        history: &History,
        state: &State,
        driver: Driver,
        worktree: &Worktree,
    ) -> Summary {
        let standing = Standing::of(state, driver);
        let evaluated = history.last_evaluated();
        let end = if let Standing::Ended(end) = &standing { Some(end) } else { None };
        Summary {
            loop_id: facts.loop_id.clone(),
            goal: text::first_line(&facts.goal).to_owned(),
            advice: advice(&standing, state),
            candidate: evaluated.and_then(|iteration| iteration.candidate()).cloned(),
            checks: check_reports(facts, history, state),
            proofs: end.map_or(&[][..], End::proofs).to_vec(),
            unproven: unproven(&standing, evaluated, facts),
            iteration: state.unit().iteration,
            iterations_max: iterations_max(state),
            units: units(state, end),
            active_ms: state.active_ms(),
            logs: facts.logs.clone(),
            next: next(&standing, facts, worktree),
            standing,
        }
    }
}

/// 0 before there is a contract.
pub(crate) fn iterations_max(state: &State) -> u32 {
    state.contract().map_or(0, |contract| contract.policy.limits.iterations_max.get())
}

fn units(state: &State, end: Option<&End>) -> (u32, u32) {
    let units = state.contract().map_or(1, |contract| contract.units.get());
    let finished = u32::try_from(state.finished_units().len()).unwrap_or(u32::MAX);
    match end {
        Some(End::Verified { .. } | End::Attested { .. }) => (units, units),
        Some(
            End::Stalled { .. }
            | End::Exhausted { .. }
            | End::Unavailable { .. }
            | End::Violated
            | End::Cancelled,
        )
        | None => (finished, units),
    }
}

/// In the contract's order, and with the command where the runner gave one.
pub(crate) fn check_reports(facts: &Facts, history: &History, state: &State) -> Vec<CheckReport> {
    let runs = history.last_evaluated().map(|iteration| &iteration.checks);
    let terms = state.contract().map_or(&[][..], |contract| &contract.checks);
    terms
        .iter()
        .map(|terms| CheckReport {
            name: terms.name.clone(),
            command: facts.check(&terms.name).map(|check| check.command.clone()).unwrap_or_default(),
            candidate: runs.and_then(|runs| runs.get(&terms.name)).cloned(),
            base: state.probes().get(&terms.name).cloned(),
        })
        .collect()
}

fn advice(standing: &Standing, state: &State) -> Vec<String> {
    let advice: &[&str] = match standing {
        Standing::Paused(PauseReason::HumanGate) => &[
            "This is the gate at work, not an error. JUDGE_FEEDBACK.md has what was rejected, and why.",
            "If the direction is wrong: leave the worker a note, then resume.",
            "If the rubric is wrong: change RUBRIC.md; resume shows how it differs from the seal, and asks.",
        ],
        Standing::Paused(PauseReason::Milestone) => {
            &["Look at the worktree as it is. A claim made in this iteration is kept."]
        }
        Standing::Paused(PauseReason::Research) => {
            &["progress.txt lacks parts of the brief; complete it or leave a note, then resume."]
        }
        Standing::Paused(PauseReason::NoVerdict) => {
            &["No verdict is neither a yes nor a no: look at its log, then resume to ask it again."]
        }
        Standing::Paused(PauseReason::Question) => {
            &["A question is neither a failure nor a claim: the loop waits for as long as it takes."]
        }
        Standing::Paused(PauseReason::Denied) => {
            &["Allow it in gulf.toml ([agent] allow) if it should be allowed, or leave a note; then resume."]
        }
        Standing::Paused(PauseReason::NeedsPerson) => {
            &["No retry helps: log in, or put right what the agent says; then resume."]
        }
        Standing::Ended(End::Exhausted { .. }) => {
            return state
                .unit()
                .approved
                .iter()
                .map(|approved| format!("The last approved candidate is {}.", approved.commit))
                .collect();
        }
        Standing::Broken(_) => &["Nothing is lost and nothing was decided; the journal is kept as it is."],
        Standing::Running | Standing::Interrupted | Standing::Paused(PauseReason::Asked) => &[],
        Standing::Ended(
            End::Verified { .. }
            | End::Attested { .. }
            | End::Stalled { .. }
            | End::Unavailable { .. }
            | End::Violated
            | End::Cancelled,
        ) => &[],
    };
    advice.iter().map(|&sentence| sentence.to_owned()).collect()
}

fn next(standing: &Standing, facts: &Facts, worktree: &Worktree) -> Vec<NextStep> {
    let step = |command: String, purpose: &str| NextStep { command, purpose: purpose.to_owned() };
    let id = &facts.loop_id;
    let log = step(format!("gulf log {id}"), "tells the whole story");
    let resume = step(format!("gulf resume {id}"), "goes on");
    let cancel = step(format!("gulf cancel {id}"), "ends it");
    match standing {
        Standing::Running => vec![log, step(format!("gulf pause {id}"), "lets it rest"), cancel],
        Standing::Interrupted => vec![resume, cancel],
        Standing::Paused(PauseReason::Asked) => vec![resume, cancel],
        Standing::Paused(
            PauseReason::Milestone
            | PauseReason::Research
            | PauseReason::HumanGate
            | PauseReason::NoVerdict
            | PauseReason::Question
            | PauseReason::Denied
            | PauseReason::NeedsPerson,
        ) => {
            let steer = step(format!("gulf steer --loop {id} NOTE"), "tells the worker something");
            vec![resume, steer, cancel]
        }
        Standing::Ended(End::Verified { .. } | End::Attested { .. }) => match worktree {
            Worktree::Clean => vec![log],
            Worktree::Dirty { commit_command } => vec![step(commit_command.clone(), "commits it"), log],
        },
        Standing::Ended(
            End::Stalled { .. }
            | End::Exhausted { .. }
            | End::Unavailable { .. }
            | End::Violated
            | End::Cancelled,
        ) => {
            let again = step(facts.again_command.clone(), "starts a new loop on the same goal");
            vec![log, again]
        }
        Standing::Broken(_) => vec![log],
    }
}
