//! Why a gate said no, or could not be asked: for the log, the last screen and the report alike.

use gulf_engine::{CheckName, Flakiness, Gate, JudgeWord, Party, State, TaskTally, Words};
use serde::Serialize;

use crate::{landing, numbers, text, wording};

/// Why the gate refused the iteration that was just settled.
pub(crate) fn refusal(gate: Gate, state: &State) -> String {
    match gate {
        Gate::Tasks => open_tasks(state.unit.tally),
        Gate::Checks => match red_checks(state).as_slice() {
            [] => "a check failed".to_owned(),
            [one] => format!("check {one} failed"),
            several => format!("checks {} failed", wording::names(several)),
        },
        Gate::Feedback => numbers::settled(state),
        Gate::Integrity => "existing tests or runner configuration were changed".to_owned(),
        Gate::Judge => "rejected by the judge".to_owned(),
        Gate::Approach => "it returns to an approach that was rejected before the reset".to_owned(),
        Gate::Landing => landing::refusal(state),
    }
}

/// What is left of a list; where nothing is, the word that it is done came from a turn that failed.
fn open_tasks(tasks: Option<TaskTally>) -> String {
    match tasks {
        None => "the list of tasks is gone or cannot be read".to_owned(),
        Some(TaskTally { open: 0, missing: 0, .. }) => "the turn that claimed it failed".to_owned(),
        Some(TaskTally { open, missing: 0, .. }) => format!("open in the list of tasks: {open}"),
        Some(TaskTally { open, missing, .. }) => {
            format!("open in the list of tasks: {open}; missing or reworded: {missing}")
        }
    }
}

/// Of the iteration that was just settled.
pub(crate) fn red_checks(state: &State) -> Vec<String> {
    settled_words(state).map(|words| wording::red_checks(&words.checks)).unwrap_or_default()
}

pub(crate) fn is_rejected(state: &State) -> bool {
    let judged = settled_words(state).and_then(|words| words.judge.as_ref());
    matches!(judged, Some(JudgeWord::Rejected { .. }))
}

/// The gates' words about the iteration that was just settled.
fn settled_words(state: &State) -> Option<&Words> {
    state.unit.words.get(state.unit.trees.last()?)
}

/// What the worker is asked for whose work is not proven.
pub(crate) fn question(state: &State) -> &'static str {
    let findings = settled_words(state).and_then(|words| words.integrity.as_ref());
    if findings.is_some_and(|integrity| !integrity.findings.is_empty()) {
        "to look at what was found, or to claim again"
    } else {
        "for a test that fails without the change, or a reason why there is none"
    }
}

/// Why the agent cannot work without a person.
pub(crate) fn needs(state: &State) -> Option<String> {
    let (party, why) = state.needs_person()?;
    let who = match party {
        Party::Agent => "agent",
        Party::Judge => "judge",
        Party::Host => "machine",
    };
    Some(format!("{who} says: {why}"))
}

/// Is there a judge whose word a person's can outrank?
pub(crate) fn is_judged(state: &State) -> bool {
    state.contract().is_some_and(|contract| contract.policy.gates.contains(&Gate::Judge))
}

/// Each check that never began, neither on the base nor on what lies there: `test: sh: 1: pytset: not found`.
pub(crate) fn unrunnable(state: &State) -> Vec<String> {
    let tree = state.candidate().map(|candidate| &candidate.tree).or(state.unit.trees.last());
    let words = tree.and_then(|tree| state.unit.words.get(tree));
    let on_candidate = |name: &CheckName| words.and_then(|words| words.checks.get(name));
    let nowhere = wording::checks(state).filter_map(|terms| {
        let base = state.probes.get(&terms.name).filter(|run| run.never_began())?;
        let run = on_candidate(&terms.name).unwrap_or(base);
        run.never_began().then(|| format!("{}: {}", terms.name, text::one_line(&run.summary)))
    });
    nowhere.collect()
}

// Checks that said yes and no about the very same files: whoever reads a green word must see that a red one came before.

/// A check that said yes and no about the same files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlakyCheck {
    pub check: CheckName,
    /// The iterations whose logs have both words.
    pub no_in: u32,
    pub yes_in: u32,
}

impl FlakyCheck {
    /// In the contract's order.
    pub(crate) fn all(state: &State) -> Vec<FlakyCheck> {
        let flaky = |name: &CheckName| {
            let &Flakiness { no_in, yes_in } = state.flaky.get(name)?;
            Some(FlakyCheck { check: name.clone(), no_in, yes_in })
        };
        wording::checks(state).filter_map(|terms| flaky(&terms.name)).collect()
    }
}

/// What follows a check's word where it is not the only one.
pub(crate) fn beside(name: &CheckName, state: &State) -> &'static str {
    if state.flaky.contains_key(name) { " · flaky: it passed and failed on the same files" } else { "" }
}
