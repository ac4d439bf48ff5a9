//! Reads `go test -json` (`go doc test2json`): one event a line.
//!
//! Packages run side by side: a package's results count when its own last event is read.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Runner, TESTS_MAX, TestOutcome};

#[derive(Debug, Default)]
pub(super) struct Go {
    packages: BTreeMap<String, Package>,
    results: usize,
}

#[derive(Debug, Default)]
struct Package {
    tests: BTreeMap<String, Option<TestOutcome>>,
    end: Option<TestOutcome>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    package: Option<String>,
    test: Option<String>,
    output: Option<String>,
}

impl Reader for Go {
    /// At its first event.
    fn begins(line: &str) -> bool {
        event_of(line).is_some()
    }

    fn read(&mut self, line: &str) {
        let Some(Event { action, package: Some(package), test, .. }) = event_of(line) else { return };
        let outcome = TestOutcome::from_word(&action, [&["pass", "bench"], &["fail"], &["skip"]]);
        let package = self.packages.entry(package).or_default();
        match test {
            None => package.end = outcome.max(package.end),
            Some(test) if self.results < TESTS_MAX => {
                self.results += usize::from(outcome.is_some());
                let stands = package.tests.entry(test).or_default();
                *stands = outcome.max(*stands);
            }
            // The package can no longer be told whole.
            Some(test) => drop(package.tests.insert(test, None)),
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        event_of(line).is_none() && self.packages.values().all(|package| package.end.is_some())
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let mut believed = Results::default();
        let mut whole = true;
        for (name, Package { tests, end }) in self.packages {
            whole &= end.is_some() && tests.values().all(Option::is_some);
            keep_package(&mut believed, &name, tests, end);
        }
        let stated = whole.then(|| believed.counts());
        Some(settle(Runner::Go, believed, stated))
    }
}

/// Keeps the results of a package's tests.
///
/// Where it fails and no test of it does, the one test fails that began and came to no end, with its subtests, since a
/// deadlock, a race or an exit takes its result along; else the package under its own name, which does not build or died
/// between tests.
pub(super) fn keep_package(
    results: &mut Results,
    package: &str,
    tests: BTreeMap<String, Option<TestOutcome>>,
    end: Option<TestOutcome>,
) {
    let has_failed = tests.values().any(|outcome| *outcome == Some(TestOutcome::Failed));
    let mut open = Vec::new();
    for (test, outcome) in tests {
        let id = format!("{package}::{test}");
        match outcome {
            Some(outcome) => results.push(id, outcome),
            None => open.push((id, test.contains('/'))),
        }
    }
    if end == Some(TestOutcome::Failed) && !has_failed {
        let is_one = open.iter().filter(|(_, is_subtest)| !is_subtest).count() == 1;
        let of_tests = open.into_iter().map(|(id, _)| id).filter(|_| is_one);
        results.push_failed(of_tests.chain((!is_one).then(|| package.to_owned())));
    }
}

/// What an event quotes; none for a line that is no event.
pub(super) fn printed(line: &str) -> Option<String> {
    event_of(line).map(|event| event.output.unwrap_or_default())
}

/// What a line quotes from the compiler; nothing for another event, none for a line that is no event.
pub(crate) fn build_output(line: &str) -> Option<String> {
    event_of(line).map(|event| event.output.filter(|_| event.action == "build-output").unwrap_or_default())
}

fn event_of(line: &str) -> Option<Event> {
    if !line.starts_with('{') || !line.contains("\"Action\"") {
        return None;
    }
    serde_json::from_str::<Event>(line).ok()
}
