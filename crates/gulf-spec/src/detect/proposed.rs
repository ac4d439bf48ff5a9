//! What a project runs to test itself, read from its task files and its CI.
//!
//! Nobody may run it unasked: a stranger's workflow is a stranger's program. It is proposed with the place where it
//! was found, and a person's word makes it a check.

mod ci;
mod environments;
mod steps;
mod tasks;

use std::collections::BTreeSet;

use super::{CheckKind, Detected, DetectedCheck, PYTEST, ProjectFiles};

/// More proposals than this are no choice.
const PROPOSED_MAX: usize = 8;

/// Tests and linters by the first source that has any: task files are meant for people, CI is what counts, and the
/// others mostly run the same again.
pub(super) fn proposed(project: &ProjectFiles<'_>, found: &Detected) -> Vec<DetectedCheck> {
    let is_known = |kind: CheckKind| found.checks.iter().any(|check| check.kind == kind);
    // Whether Python's runner is there, nobody knows yet.
    let is_certain = |check: &DetectedCheck| check.kind == CheckKind::Test && check.command != PYTEST;
    if found.checks.iter().any(is_certain) {
        return Vec::new();
    }
    let sources = [tasks::steps, ci::github, ci::gitlab, environments::tox, environments::nox]
        .map(|read| read(project));
    let mut taken: Vec<DetectedCheck> = Vec::new();
    for is_test in [true, false] {
        let fits = |step: &&DetectedCheck| {
            let is_of_kind = (step.kind == CheckKind::Test) == is_test;
            is_of_kind && (is_test || !is_known(step.kind)) && step.command != PYTEST
        };
        let first = sources.iter().find(|steps| steps.iter().any(|step| fits(&step)));
        taken.extend(first.into_iter().flatten().filter(fits).cloned());
    }
    let mut commands = BTreeSet::new();
    taken.retain(|step| commands.insert(step.command.clone()));
    taken.truncate(PROPOSED_MAX);
    taken
}

/// `FILE:LINE`, where the first line with this text stands.
fn place(file: &str, text: &str, needle: &str) -> String {
    let line = text.lines().position(|line| line.contains(needle));
    line.map_or_else(|| file.to_owned(), |line| format!("{file}:{}", line + 1))
}

#[cfg(test)]
mod tests;
