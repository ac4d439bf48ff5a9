//! Checks that could run nowhere, in the shell's own words.
//!
//! They stand apart because a line, a screen and a report quote the same.

use crate::text;
use gulf_engine::{CheckName, CheckRun, State};

/// Each check that never began, neither on the base nor on what lies there: `test: sh: 1: pytset: not found`.
pub(crate) fn unrunnable(state: &State) -> Vec<String> {
    let tree = state.candidate().map(|candidate| &candidate.tree).or(state.unit().trees.last());
    let words = tree.and_then(|tree| state.unit().words.get(tree));
    let on_candidate = |name: &CheckName| words.and_then(|words| words.checks.get(name));
    let checks = state.contract().into_iter().flat_map(|contract| &contract.checks);
    let nowhere = checks.filter_map(|terms| {
        let base = state.probes().get(&terms.name).filter(|run| run.never_began())?;
        let run = on_candidate(&terms.name).unwrap_or(base);
        run.never_began().then(|| said(&terms.name, run))
    });
    nowhere.collect()
}

fn said(name: &CheckName, run: &CheckRun) -> String {
    format!("{name}: {}", text::one_line(&run.summary))
}
