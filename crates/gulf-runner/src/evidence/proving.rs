//! The tests on which a proof hangs: those that pass with the work and did not without it, and those of the base that the
//! work gave more to ask (SPEC B3).
//!
//! A test that only grew asked something before, too: what it asked there proves nothing, and is left out wherever
//! answers are looked for.

use std::collections::BTreeMap;

use gulf_agents::reports::{Completeness, TestId, TestOutcome};
use gulf_agents::sources::{Changed, Graft, NewTest, TestAnswer, answers};

use crate::checks::RunRecord;

/// The tests of one check.
pub(super) struct Proving {
    /// By their names in its results.
    pub(super) tests: Vec<TestId>,
    /// Those that passed on the base, some of them with less to ask.
    passed: Vec<TestId>,
    /// Those that the base ran, and that did not pass: a new row of a table is none of them.
    red: Vec<TestId>,
}

impl Proving {
    pub(super) fn between(before: &RunRecord, now: &RunRecord, graft: &Graft) -> Self {
        let passed =
            now.tests.iter().filter(|(_, word)| **word == TestOutcome::Passed).map(|(id, _)| id.as_str());
        let mut ids: Vec<&str> = before.failed().chain(passed).collect();
        ids.retain(|id| !matches!(now.tests.get(*id), Some(TestOutcome::Failed | TestOutcome::Skipped)));
        ids.sort_unstable();
        ids.dedup();
        // A fixture that got parameters calls the same tests otherwise, each of them.
        ids.retain(|id| {
            let test = id.split('[').next();
            let mut of_base = before.tests.iter().filter(|(one, _)| one.split('[').next() == test).peekable();
            of_base.peek().is_none()
                || graft.has_result(&TestId::new(*id))
                || of_base.any(|(one, word)| *word != TestOutcome::Passed || now.tests.contains_key(one))
        });
        // Where files did not load on the base, others beside them may not have run: theirs were not red.
        let begins = |id: &str, file: &str| {
            id.strip_prefix(file)
                .is_some_and(|rest| ["::", " > ", "."].iter().any(|sign| rest.starts_with(sign)))
        };
        let is_file = |id: &&str| !now.tests.contains_key(*id) && now.tests.keys().any(|one| begins(one, id));
        let unloaded: Vec<&str> = before.failed().filter(is_file).collect();
        ids.retain(|id| {
            unloaded.is_empty()
                || before.tests.contains_key(*id)
                || graft.has_result(&TestId::new(*id))
                || unloaded.iter().any(|file| begins(id, file))
        });
        let has_passed = |id: &&str| before.tests.get(*id) == Some(&TestOutcome::Passed);
        let named = |ids: Vec<&str>| ids.into_iter().map(TestId::new).collect::<Vec<_>>();
        let (there, tests): (Vec<&str>, Vec<&str>) = ids.into_iter().partition(has_passed);
        let red = named(tests.iter().filter(|id| before.tests.contains_key(**id)).copied().collect());
        let mut grown = named(there);
        grown.retain(|id| graft.has_result(id));
        let mut tests = named(tests);
        // Where a runner names failures only, the source says which tests are new.
        let is_open = |test: &&NewTest| {
            now.readable == Completeness::FailuresOnly && !tests.iter().any(|id| test.has_result(id))
        };
        let (more, new): (Vec<_>, Vec<_>) =
            graft.new_tests.iter().filter(is_open).partition(|test| test.is_changed);
        grown.extend(more.into_iter().filter_map(NewTest::id));
        tests.extend(new.into_iter().filter_map(NewTest::id));
        let green = before.tests.iter().filter(|(_, word)| **word == TestOutcome::Passed);
        let passed = green.map(|(id, _)| TestId::new(id.as_str())).chain(grown.iter().cloned()).collect();
        tests.extend(grown);
        Self { tests, passed, red }
    }

    /// What the tests of a file asked on the base, and passed. What one of them asks that did not pass is none of it.
    pub(super) fn known(&self, path: &str, files: &BTreeMap<String, Changed>) -> Vec<TestAnswer> {
        let base = files.get(path).and_then(|file| file.base.as_deref());
        let Some(base) = base else { return Vec::new() };
        let open = answers(path, base, Some(&self.red));
        let mut known = answers(path, base, Some(&self.passed));
        known.retain(|answer| !open.iter().any(|other| other.asks_the_same(answer)));
        known
    }
}

#[cfg(test)]
mod tests;
