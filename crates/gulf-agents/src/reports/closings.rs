//! Reads the closing lines of RSpec, Minitest, ExUnit, PHPUnit and dotnet, which name by themselves only what fails.
//!
//! A number and the failures are enough to tell how many tests ran, and that there are not fewer than before.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome, numbered};
use crate::patterns::{form, parts};

type ClosingReader = fn(&str) -> Option<Counts>;
const CLOSINGS: [ClosingReader; 5] = [rspec, minitest, exunit, phpunit, dotnet];

#[derive(Debug, Default)]
pub(super) struct Closings {
    results: Results,
    lists: bool,
    /// What Minitest lists next was told already, or is skipped.
    passes_over: bool,
    is_verbose: bool,
    stated: Option<(usize, Counts)>,
}

impl Reader for Closings {
    /// Where failures begin to be listed, or at the closing.
    fn begins(line: &str) -> bool {
        closing(line).is_some()
            || failure(line).is_some()
            || minitest_result(line).is_some()
            || is_phpunits_list(line)
    }

    fn read(&mut self, line: &str) {
        if let Some((form, counts)) = closing(line) {
            // A test may print such a line too: the last word is the runner's.
            self.stated = Some((form, counts));
            self.lists = false;
        } else if let Some((name, outcome)) = minitest_result(line) {
            self.is_verbose = true;
            self.results.push(name.to_owned(), outcome);
        } else if let Some(name) = failure(line).or_else(|| listed(line).filter(|_| self.lists)) {
            if !self.is_verbose && !self.passes_over {
                self.results.push(name.to_owned(), TestOutcome::Failed);
            }
        } else if is_phpunits_list(line) {
            self.lists = true;
        }
        self.passes_over = line.trim_end().ends_with(") Skipped:");
    }

    fn may_end_before(&self, line: &str) -> bool {
        // A second closing of the same form belongs to the same run.
        let is_same = closing(line).is_some_and(|(form, _)| self.stated.is_some_and(|(own, _)| own == form));
        self.stated.is_some() && !is_same && failure(line).is_none()
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let (_, stated) = self.stated?;
        Some(settle(Runner::Counted, self.results, Some(stated)))
    }
}

/// Which form of closing, and what it says.
fn closing(line: &str) -> Option<(usize, Counts)> {
    CLOSINGS.iter().enumerate().find_map(|(form, read)| Some((form, read(line.trim_end())?)))
}

/// RSpec: `rspec ./spec/calc_spec.rb:3 # Calc adds`; Minitest: `CalcTest#test_adds [test/calc_test.rb:4]:`; ExUnit:
/// `  1) test adds (CalcTest)`; dotnet: `  Failed Calc.Tests.Adds [12 ms]`
fn failure(line: &str) -> Option<&str> {
    let forms = [
        form!(r"^rspec '?\./.*? # (.*)$"),
        form!(r"^([A-Z][^ #]*#test_.*?)(?: \[.*)?:$"),
        form!(r"^[ \t]*[0-9]+\) ((?:test|doctest|property) .*\))$"),
        form!(r"^  Failed (.*) \[.*\]$"),
    ];
    forms.into_iter().find_map(|form| parts(form, line.trim_end())).map(|[name]| name)
}

/// With `-v`: `CalcTest#test_adds = 0.00 s = F`
fn minitest_result(line: &str) -> Option<(&str, TestOutcome)> {
    let [name, letter] = parts(form!("^([A-Z][^ #]*#test_.*) = .* s = ([.FES])[ \t]*$"), line)?;
    Some((name, TestOutcome::from_word(letter, [&["."], &["F", "E"], &["S"]])?))
}

/// PHPUnit: `There was 1 failure:`, `There were 2 errors:`
fn is_phpunits_list(line: &str) -> bool {
    form!("^There (?:was|were) [0-9]+ (?:failure|error)s?:[ \t]*$").is_match(line)
}

/// `1) CalcTest::testAdds`
fn listed(line: &str) -> Option<&str> {
    parts(form!(r"^[0-9]+\) (.*::.*)$"), line).map(|[name]| name)
}

/// `3 examples, 1 failure, 1 pending, 1 error occurred outside of examples`
fn rspec(line: &str) -> Option<Counts> {
    let [total, rest] = parts(form!("^([0-9]+) examples?, (.*)$"), line)?;
    let outside = ["error occurred outside of examples", "errors occurred outside of examples"];
    let failed = [["failure", "failures"], outside].concat();
    let counts = Counts::read_parts(rest.split(", ").map(numbered), [&[], &failed, &["pending"], &[]])?;
    Some(with_passed(counts, total.parse().ok()?))
}

/// `4 runs, 2 assertions, 1 failures, 1 errors, 1 skips`
fn minitest(line: &str) -> Option<Counts> {
    let form =
        form!("^([0-9]+) runs, [0-9]+ assertions, ([0-9]+) failures, ([0-9]+) errors, ([0-9]+) skips(?:,|$)");
    let [total, failed, errors, skipped] = parts(form, line)?.map(|number| number.parse::<u64>().ok());
    let counts = Counts { failed: failed?.saturating_add(errors?), skipped: skipped?, ..Counts::default() };
    Some(with_passed(counts, total?))
}

/// `1 doctest, 2 tests, 1 failure, 1 skipped, 1 excluded`
fn exunit(line: &str) -> Option<Counts> {
    let parts = line.split(", ").map(numbered).collect::<Option<Vec<_>>>()?;
    let kinds = ["test", "tests", "doctest", "doctests", "property", "properties"];
    let (tests, rest) = parts.split_at(parts.iter().take_while(|(_, what)| kinds.contains(what)).count());
    let (_, failures) = rest.first()?;
    failures.starts_with("failure").then_some(())?;
    let total = tests.iter().fold(0, |sum: u64, (number, _)| sum.saturating_add(*number));
    // Those that are skipped are among the tests.
    let words: [&[&str]; 4] = [&[], &["failure", "failures", "invalid"], &["skipped", "excluded"], &[]];
    Some(with_passed(Counts::read_parts(rest.iter().copied().map(Some), words)?, total))
}

/// `OK (3 tests, 3 assertions)`, `Tests: 3, Assertions: 3, Failures: 1, Errors: 1, Skipped: 1.`
fn phpunit(line: &str) -> Option<Counts> {
    if let Some([total]) = parts(form!(r"^OK \(([0-9]+) tests?, "), line) {
        return Some(with_passed(Counts::default(), total.parse().ok()?));
    }
    let [total, rest] = parts(form!(r"^Tests: ([0-9]+), (Assertions: .*)\.$"), line)?;
    Some(with_passed(worded(rest)?, total.parse().ok()?))
}

/// `Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 12 ms - calc.dll (net8.0)`
fn dotnet(line: &str) -> Option<Counts> {
    let [numbers, total] = parts(form!("^(?:Passed|Failed)!  - (.*?), Total: *([0-9]+)(?:,|$)"), line)?;
    Some(with_passed(worded(numbers)?, total.parse().ok()?))
}

/// `Failures: 1, Errors: 0, Skipped: 1`; another word than these is another form.
pub(super) fn worded(text: &str) -> Option<Counts> {
    let others = [
        "Assertions", "Passed", "Risky", "Warnings", "Deprecations", "Notices", "PHPUnit Deprecations",
        "PHPUnit Warnings",
    ];
    let parts = text.split(", ").map(|part| {
        let (word, number) = part.split_once(':')?;
        Some((number.trim().parse().ok()?, word))
    });
    Counts::read_parts(parts, [&[], &["Failures", "Errors", "Failed"], &["Skipped", "Incomplete"], &others])
}

pub(super) fn with_passed(counts: Counts, total: u64) -> Counts {
    let passed = total.saturating_sub(counts.failed).saturating_sub(counts.skipped);
    Counts { passed, ..counts }
}
