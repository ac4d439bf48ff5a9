//! Reads what `swift test` prints: XCTest's cases, and those of Swift Testing.
//!
//! XCTest counts failed assertions, not failed tests, and both libraries report in one run, each with a closing of
//! its own.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Swift {
    xctest: Results,
    /// Of the outermost suite, which closes last.
    executed: Option<Executed>,
    testing: Results,
    run: Option<u64>,
    /// Swift Testing began, and has not closed.
    runs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Executed {
    tests: u64,
    skipped: u64,
    failures: u64,
}

impl Reader for Swift {
    /// At a case, or at a closing.
    fn begins(line: &str) -> bool {
        let is_suite = line.starts_with("Test Suite '") && line.contains("' started at ");
        is_suite || xctest_case(line).is_some() || executed(line).is_some() || line == "◇ Test run started."
    }

    fn read(&mut self, line: &str) {
        if let Some(executed) = executed(line) {
            self.executed = Some(executed);
        } else if let Some((name, outcome)) = xctest_case(line) {
            self.xctest.push(name, outcome);
        } else if line == "◇ Test run started." {
            self.runs = true;
        } else if let Some(tests) = run(line) {
            self.run = Some(tests);
            self.runs = false;
        } else if let Some((name, outcome)) = testing_case(line) {
            self.testing.push(name.to_owned(), outcome);
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        !self.runs && (self.executed.is_some() || self.run.is_some()) && !Self::begins(line)
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        if self.executed.is_none() && self.run.is_none() && self.xctest.is_empty() && self.testing.is_empty()
        {
            return None;
        }
        let own = self.xctest.counts();
        let mut stated = match self.executed {
            Some(executed) => executed.of_tests(own),
            None => (own.total() == 0).then(Counts::default),
        };
        let run = self.testing.counts();
        let agrees = !self.runs && self.run.unwrap_or(0) == run.total();
        if let (Some(stated), true) = (&mut stated, agrees) {
            stated.add(run);
        }
        let mut results = self.xctest;
        results.append(self.testing);
        Some(settle(Runner::Swift, results, stated.filter(|_| agrees)))
    }
}

impl Executed {
    /// As many tests as it states; of those that fail it states the assertions, which may be more.
    fn of_tests(self, read: Counts) -> Option<Counts> {
        let failed =
            if read.failed > 0 && read.failed <= self.failures { read.failed } else { self.failures };
        let passed = self.tests.checked_sub(failed)?.checked_sub(self.skipped)?;
        Some(Counts { passed, failed, skipped: self.skipped })
    }
}

/// `Test Case '-[CalcTests.CalcTests testAdds]' passed (0.001 seconds).`, elsewhere than on macOS `'CalcTests.testAdds'`
fn xctest_case(line: &str) -> Option<(String, TestOutcome)> {
    let [name, word] = parts(form!(r"^Test Case '(.*?)' ([a-z]+) \([0-9.]+ seconds\)\.*$"), line)?;
    let method = name.strip_prefix("-[").and_then(|name| name.strip_suffix(']'));
    let name = method.map_or_else(|| name.to_owned(), |name| name.replacen(' ', ".", 1));
    Some((name, outcome_of(word)?))
}

/// `  Executed 3 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.005 (0.006) seconds`
fn executed(line: &str) -> Option<Executed> {
    let form = form!(
        r"^[ \t]*Executed ([0-9]+) tests?, with (?:([0-9]+) tests? skipped and )?([0-9]+) failures? .* seconds$"
    );
    let found = form.captures(line)?;
    let number = |group: usize| found.get(group).map_or(Some(0), |number| number.as_str().parse().ok());
    Some(Executed { tests: number(1)?, skipped: number(2)?, failures: number(3)? })
}

/// `✔ Test "adds" passed after 0.001 seconds.`, `✘ Test fails() failed after …`, `➜ Test later() skipped: "no"`
fn testing_case(line: &str) -> Option<(&str, TestOutcome)> {
    let form = form!("^ *[✔✘➜] Test (.*?)(?: with .*?)? (passed after|failed after|skipped)");
    let [name, word] = parts(form, line)?;
    Some((name.trim_matches('"'), outcome_of(word.trim_end_matches(" after"))?))
}

/// `✘ Test run with 3 tests in 1 suite failed after 0.001 seconds with 1 issue.`
fn run(line: &str) -> Option<u64> {
    let [tests] = parts(form!("^[✔✘] Test run with ([0-9]+) tests? .*after "), line)?;
    tests.parse().ok()
}

fn outcome_of(word: &str) -> Option<TestOutcome> {
    TestOutcome::from_word(word, [&["passed"], &["failed"], &["skipped"]])
}
