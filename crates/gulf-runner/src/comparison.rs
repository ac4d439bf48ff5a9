//! Two runs of one check compared: which tests are gone, and whether a red can be believed.
//!
//! It knows no rooms and no trees: records in, findings out.

use std::collections::BTreeMap;

use gulf_agents::reports::{Completeness, TestOutcome};
use gulf_agents::sources::Proof;
use gulf_engine::Baseline;

use crate::checks::{RunEnd, RunRecord};

impl RunRecord {
    pub(crate) fn is_green(&self) -> bool {
        self.end == RunEnd::Exited { code: 0 }
    }

    /// Everything that fails now failed on the base, and is known by name in both.
    pub(crate) fn is_forgiven(&self, baseline: Option<&Self>) -> bool {
        let Some(baseline) = baseline else { return false };
        let known = baseline.can_forgive() && self.readable != Completeness::None;
        let has_failed = |id: &str| baseline.tests.get(id) == Some(&TestOutcome::Failed);
        known && self.failed().next().is_some() && self.failed().all(has_failed)
    }

    /// Are its failures known by name, beside tests that passed? A runner that a file stops from loading runs nothing, on
    /// the candidate as on the base.
    pub(crate) fn can_forgive(&self) -> bool {
        let ran = self.ran.and_then(|ran| usize::try_from(ran).ok());
        let has_passed = self.tests.values().any(|word| *word == TestOutcome::Passed);
        self.readable != Completeness::None && (has_passed || ran > Some(self.failed().count()))
    }

    /// Did this file fail as a whole, as one that does not load does?
    pub(crate) fn fails_as_whole(&self, path: &str) -> bool {
        self.failed().any(|id| is_name_of_file(unloaded(id), path))
    }
}

/// What the inventory of tests lost: it may only grow (SPEC B3). Each item is a test, or none, and what happened.
///
/// `is_file` says of a name that it is a file's: a file that does not load fails under its own name, and what it holds
/// was never run, so nothing of it is gone when it loads.
pub(crate) fn lost_tests(
    base: &RunRecord,
    now: &RunRecord,
    is_file: impl Fn(&str) -> bool,
) -> Vec<(Option<String>, String)> {
    // Where everything failed, a runner that names failures only has named everything.
    let names_failures = base.tests.values().all(|word| *word == TestOutcome::Failed);
    let is_like_now = names_failures && now.readable == Completeness::FailuresOnly;
    if base.readable != Completeness::Every || is_like_now {
        return fewer_tests(base, now).map(|what| (None, what)).into_iter().collect();
    }
    let ran = base.tests.iter().filter(|(_, word)| **word != TestOutcome::Skipped);
    if now.readable != Completeness::Every {
        // Whoever keeps the runner from naming its tests hides which of them are gone.
        let count = u64::try_from(ran.count()).unwrap_or(u64::MAX);
        let what =
            format!("{} ran on the base by name, and cannot be read by name now", counted_tests(count));
        return if count > 0 { vec![(None, what)] } else { Vec::new() };
    }
    // AVA names a test with its file before it as soon as there are two files.
    let below_file = now.tests.iter().filter_map(|(id, word)| Some((id.split_once(" > ")?.1, word)));
    let below_file: BTreeMap<&str, &TestOutcome> = below_file.collect();
    // `unittest -v` names a subtest only where it fails: `test_a (test_b.B.test_a) [case]`.
    let ran_whole = |id: &str| {
        let whole = id.find(") ").and_then(|at| now.tests.get(&id[..=at]));
        matches!(whole, Some(TestOutcome::Passed | TestOutcome::Failed))
    };
    // A package of Go that does not build fails under its own name.
    let is_loaded = |id: &str| {
        let inside = format!("{id}::");
        now.tests.range(inside.clone()..).next().is_some_and(|(test, _)| test.starts_with(&inside))
    };
    let was_unread = |id: &str| is_file(unloaded(id)) || ran_whole(id) || is_loaded(id);
    let lost = ran.filter_map(|(id, word)| {
        let what = match now.tests.get(id).or_else(|| below_file.get(id.as_str()).copied()) {
            Some(TestOutcome::Passed | TestOutcome::Failed) => return None,
            Some(TestOutcome::Skipped) => "ran on the base and is skipped now",
            None if *word == TestOutcome::Failed && was_unread(id) => return None,
            None => "ran on the base and is gone",
        };
        Some((Some(id.clone()), what.to_owned()))
    });
    lost.collect()
}

/// Tests that the base had not and that are skipped, where more are than have left it: those may only have got other names.
pub(crate) fn newly_skipped<'run>(base: &'run RunRecord, now: &'run RunRecord) -> Vec<&'run str> {
    let only_in = |run: &'run RunRecord, other: &RunRecord| -> Vec<&'run str> {
        let skipped = run.tests.iter().filter(|(_, word)| **word == TestOutcome::Skipped);
        skipped.map(|(id, _)| id.as_str()).filter(|id| !other.tests.contains_key(*id)).collect()
    };
    let new = only_in(now, base);
    if new.len() > only_in(base, now).len() { new } else { Vec::new() }
}

/// Ran no fewer tests than on the base? Then those that are gone may have got other names. None of a check that counted
/// no test there: a linter has no word about that.
pub(crate) fn are_as_many(base: &RunRecord, now: &RunRecord) -> Option<bool> {
    let before = base.ran.filter(|before| *before > 0)?;
    Some(now.ran.is_some_and(|now| now >= before))
}

fn counted_tests(count: u64) -> String {
    if count == 1 { "1 test".to_owned() } else { format!("{count} tests") }
}

/// Where tests have no names, they have a number, as long as their runner comes to its end.
fn fewer_tests(base: &RunRecord, now: &RunRecord) -> Option<String> {
    let before = base.ran.filter(|before| *before > 0)?;
    let is_whole = base.failed().all(|id| unloaded(id) == id);
    match now.ran {
        Some(ran) if ran >= before => {
            let more = now.skipped.unwrap_or(0).saturating_sub(base.skipped.unwrap_or(0));
            (more > 0 && is_whole).then(|| format!("{} more skipped than on the base", counted_tests(more)))
        }
        Some(now) => Some(format!("{} ran on the base, and {now} now", counted_tests(before))),
        None => Some(format!("{} ran on the base, and how many now nobody can read", counted_tests(before))),
    }
}

/// Files that the check rewrites only with the change: then its word is not about the commit. What it rewrites on the
/// base as well, such as a snapshot, is its habit.
pub(crate) fn newly_rewritten(base: &RunRecord, now: &RunRecord) -> Vec<String> {
    now.rewritten.iter().filter(|path| !base.rewritten.contains(path)).cloned().collect()
}

/// The module in unittest's name for one that does not load: `tests.test_a (unittest.loader._FailedTest.tests.test_a)`.
fn unloaded(id: &str) -> &str {
    id.split_once(" (unittest.loader._FailedTest").map_or(id, |(module, _)| module)
}

/// Does a runner mean this file by that name (`tests.test_a`, `a.test.js`)? It may see it from a folder above or below.
pub(crate) fn is_name_of_file(id: &str, path: &str) -> bool {
    let is_end = |whole: &str, end: &str, separator: char| {
        whole == end || whole.strip_suffix(end).is_some_and(|rest| rest.ends_with(separator))
    };
    let module = path.strip_suffix(".py").map(|stem| stem.replace('/', "."));
    is_end(path, id, '/') || module.is_some_and(|module| is_end(&module, id, '.'))
}

/// Passes with the change what failed without it, in the same place and later? A test that looks at where it runs, that
/// fails now and then, or that was right only once, fails here too.
///
/// Failures that a baseline forgives are no failures of the new test.
pub(crate) fn is_due_to_change(by: &[Proof], with_change: &RunRecord, baseline: Option<&RunRecord>) -> bool {
    let passes = with_change.is_green() || with_change.is_forgiven(baseline);
    by.iter().all(|proof| match proof {
        Proof::Test(id) => match with_change.tests.get(id.as_str()) {
            Some(word) => *word == TestOutcome::Passed,
            None => passes,
        },
        Proof::Place(_) => passes,
    })
}

/// Tests that failed, by the runner's own word, where the command says that all is well: something ended it early, or speaks
/// for it. What it passes over on the base as well is its habit.
pub(crate) fn passed_over<'run>(base: &'run RunRecord, now: &'run RunRecord) -> Vec<&'run str> {
    let is_habit = |id: &str| base.is_green() && base.tests.get(id) == Some(&TestOutcome::Failed);
    if now.is_green() { now.failed().filter(|id| !is_habit(id)).collect() } else { Vec::new() }
}

/// Can what failed on the base while the worker worked beside it be believed? Not if it passes when it runs alone:
/// a port in use made it red, or a signal.
pub(crate) fn is_passing_red(first: &RunRecord, alone: &RunRecord, baseline: Baseline) -> bool {
    let repaired = |id: &str| alone.tests.get(id) == Some(&TestOutcome::Passed);
    match baseline {
        Baseline::Refused => !first.is_green() && alone.is_green(),
        Baseline::Accepted => !first.is_green() && (alone.is_green() || first.failed().any(repaired)),
    }
}

#[cfg(test)]
mod tests;
