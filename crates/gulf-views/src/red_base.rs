//! Tests that failed before the loop began: whose they are must not be guessed at its end.
//!
//! They stand apart because the line, the last screen and the report say the same of them.

use crate::phrase::{Phrase, attention, say};
use crate::tell;
use crate::unproven::Unproven;
use gulf_engine::{Baseline, CheckName, CheckRun, CheckVerdict, State};
use std::collections::BTreeMap;

/// A check's word about the base, as a line has it.
pub(crate) fn told(state: &State, name: &CheckName, run: &CheckRun) -> Phrase {
    let told = say(format!("on the base: check {name} ")).join(tell::base_run(run));
    told.join(remark(state, name, run))
}

/// What follows a check's red word about the base, where it names tests: without names there is nothing to accept.
fn remark(state: &State, name: &CheckName, run: &CheckRun) -> Phrase {
    let is_red = matches!(run.verdict, CheckVerdict::Red { .. });
    if !is_red || run.failed.is_empty() {
        return Phrase::new();
    }
    let remark = if is_accepted(state, name) {
        " · failed before the loop, accepted by --baseline"
    } else {
        " · failed before the loop: they must pass in the end; `--baseline` accepts them"
    };
    attention(remark)
}

fn is_accepted(state: &State, name: &CheckName) -> bool {
    let checks = state.contract().into_iter().flat_map(|contract| &contract.checks);
    checks.filter(|terms| terms.name == *name).any(|terms| terms.baseline == Baseline::Accepted)
}

/// Failures of the base that are still there: tolerated where the check is green, open where it is not.
pub(crate) fn still_failing(
    on_candidate: &BTreeMap<CheckName, CheckRun>,
    on_base: &BTreeMap<CheckName, CheckRun>,
) -> Vec<Unproven> {
    let (mut tolerated, mut open) = (Vec::new(), Vec::new());
    for (name, run) in on_candidate {
        let before = on_base.get(name).map(|run| run.failed.as_slice()).unwrap_or_default();
        let still = run.failed.iter().filter(|test| before.contains(test)).cloned();
        if run.is_green() { tolerated.extend(still) } else { open.extend(still) }
    }
    let all = [
        ("tests that failed before the loop, and are accepted by --baseline", tolerated),
        ("tests that failed before the loop, and still fail: `--baseline` accepts them", open),
    ];
    let told = all.into_iter().filter(|(_, each)| !each.is_empty());
    told.map(|(what, each)| Unproven { what: what.to_owned(), each }).collect()
}
