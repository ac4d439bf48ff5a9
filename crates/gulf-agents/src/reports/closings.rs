//! Reads the closing lines of runners whose tests gulf does not look into: RSpec, PHPUnit, dotnet.
//!
//! Nothing but a number and the failures is taken of them: enough to tell how many tests ran, and that there are not
//! fewer than before.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};

type ClosingReader = fn(&str) -> Option<Counts>;
const CLOSINGS: [ClosingReader; 3] = [rspec, phpunit, dotnet];

/// Opens a report where failures begin to be listed, or at the closing.
pub(super) fn begun_by(line: &str) -> Option<Box<dyn Reader>> {
    let begins = closing(line).is_some() || failure(line).is_some() || is_phpunits_list(line);
    begins.then(|| Box::new(Closings::default()) as Box<dyn Reader>)
}

#[derive(Debug, Default)]
struct Closings {
    failed: Results,
    lists: bool,
    stated: Option<(usize, Counts)>,
}

impl Reader for Closings {
    fn read(&mut self, line: &str) {
        if let Some((form, counts)) = closing(line) {
            // A test may print such a line too: the last word is the runner's.
            self.stated = Some((form, counts));
            self.lists = false;
        } else if let Some(name) = failure(line).or_else(|| listed(line).filter(|_| self.lists)) {
            self.failed.push(name.to_owned(), TestOutcome::Failed);
        } else if is_phpunits_list(line) {
            self.lists = true;
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        // A second closing of the same form belongs to the same run.
        let is_same = closing(line).is_some_and(|(form, _)| self.stated.is_some_and(|(own, _)| own == form));
        self.stated.is_some() && !is_same && failure(line).is_none()
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let (_, stated) = self.stated?;
        Some(settle(Runner::Counted, self.failed, Some(stated)))
    }
}

/// Which form of closing, and what it says.
fn closing(line: &str) -> Option<(usize, Counts)> {
    CLOSINGS.iter().enumerate().find_map(|(form, read)| Some((form, read(line.trim_end())?)))
}

/// RSpec: `rspec ./spec/calc_spec.rb:3 # Calc adds`; dotnet: `  Failed Calc.Tests.Adds [12 ms]`
fn failure(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let of_rspec = ["rspec ./", "rspec './"].iter().find_map(|begin| line.strip_prefix(begin));
    if let Some((_, name)) = of_rspec.and_then(|rest| rest.split_once(" # ")) {
        return Some(name);
    }
    let of_dotnet = line.strip_prefix("  Failed ").and_then(|rest| rest.strip_suffix(']'))?;
    of_dotnet.rsplit_once(" [").map(|(name, _)| name)
}

/// PHPUnit: `There was 1 failure:`, `There were 2 errors:`
fn is_phpunits_list(line: &str) -> bool {
    let rest = line.strip_prefix("There was ").or_else(|| line.strip_prefix("There were "));
    rest.and_then(|rest| rest.trim_end().strip_suffix(':')).is_some_and(|rest| {
        rest.split_once(' ').is_some_and(|(number, what)| {
            number.parse::<u32>().is_ok() && ["failure", "failures", "error", "errors"].contains(&what)
        })
    })
}

/// `1) CalcTest::testAdds`
fn listed(line: &str) -> Option<&str> {
    let (number, name) = line.split_once(") ")?;
    (number.parse::<u32>().is_ok() && name.contains("::")).then_some(name)
}

/// `3 examples, 1 failure, 1 pending, 1 error occurred outside of examples`
fn rspec(line: &str) -> Option<Counts> {
    let mut parts = line.split(", ");
    let total = numbered(parts.next()?, &["example", "examples"])?;
    let mut counts = Counts::default();
    for part in parts {
        let (number, what) = part.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        match what {
            "failure" | "failures" => counts.failed = counts.failed.saturating_add(number),
            "pending" => counts.skipped = number,
            _ if what.ends_with(" occurred outside of examples") => {
                counts.failed = counts.failed.saturating_add(number);
            }
            _ => return None,
        }
    }
    Some(with_passed(counts, total))
}

/// `OK (3 tests, 3 assertions)`, `Tests: 3, Assertions: 3, Failures: 1, Errors: 1, Skipped: 1.`
fn phpunit(line: &str) -> Option<Counts> {
    if let Some(rest) = line.strip_prefix("OK (") {
        let total = numbered(rest.split(", ").next()?, &["test", "tests"])?;
        return Some(with_passed(Counts::default(), total));
    }
    let (total, rest) = line.strip_prefix("Tests: ")?.strip_suffix('.')?.split_once(", ")?;
    rest.starts_with("Assertions: ").then_some(())?;
    Some(with_passed(worded(rest)?, total.parse().ok()?))
}

/// `Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 12 ms - calc.dll (net8.0)`
fn dotnet(line: &str) -> Option<Counts> {
    let rest = line.strip_prefix("Passed!  - ").or_else(|| line.strip_prefix("Failed!  - "))?;
    let (numbers, rest) = rest.split_once(", Total:")?;
    let total = rest.split(',').next()?.trim().parse().ok()?;
    Some(with_passed(worded(numbers)?, total))
}

/// `3 tests`, where the word is one of these.
fn numbered(text: &str, words: &[&str]) -> Option<u64> {
    let (number, word) = text.split_once(' ')?;
    number.parse().ok().filter(|_| words.contains(&word))
}

/// `Failures: 1, Errors: 0, Skipped: 1`; another word than these is another form.
pub(super) fn worded(text: &str) -> Option<Counts> {
    let mut counts = Counts::default();
    for part in text.split(", ") {
        let (word, number) = part.split_once(':')?;
        let number: u64 = number.trim().parse().ok()?;
        match word {
            "Failures" | "Errors" | "Failed" => counts.failed = counts.failed.saturating_add(number),
            "Skipped" | "Incomplete" => counts.skipped = counts.skipped.saturating_add(number),
            "Assertions" | "Passed" | "Risky" | "Warnings" | "Deprecations" | "Notices" => {}
            "PHPUnit Deprecations" | "PHPUnit Warnings" => {}
            _ => return None,
        }
    }
    Some(counts)
}

pub(super) fn with_passed(counts: Counts, total: u64) -> Counts {
    let passed = total.saturating_sub(counts.failed).saturating_sub(counts.skipped);
    Counts { passed, ..counts }
}
