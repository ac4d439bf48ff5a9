//! Reads what Maven's Surefire and Failsafe print: what failed, by name, and how many tests ran in each module.
//!
//! A build of several modules states as many counts, and only all of them together are the run's.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome, closings};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Maven {
    failed: Results,
    /// Of the modules before.
    before: Option<Counts>,
    /// Of this module: a test may print such a line too, Maven's own is the last one.
    stated: Option<Counts>,
    ended: bool,
}

impl Reader for Maven {
    /// At the heading of a module's tests, at a failure or at a count.
    fn begins(line: &str) -> bool {
        is_heading(line) || counted(line).is_some() || failure(line).is_some()
    }

    fn read(&mut self, line: &str) {
        if is_heading(line) {
            self.before = self.total();
            self.stated = None;
        } else if let Some(counts) = counted(line) {
            self.stated = Some(counts);
        } else if let Some(name) = failure(line) {
            self.failed.push(name, TestOutcome::Failed);
        } else {
            let ends =
                ["[INFO] BUILD ", "[ERROR] Failed to execute goal "].iter().any(|end| line.starts_with(end));
            self.ended |= ends && self.stated.is_some();
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        self.ended && !Self::begins(line)
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let stated = self.total()?;
        Some(settle(Runner::Maven, self.failed, Some(stated)))
    }
}

impl Maven {
    fn total(&self) -> Option<Counts> {
        let mut total = self.before;
        if let Some(stated) = self.stated {
            total.get_or_insert_default().add(stated);
        }
        total
    }
}

/// `[INFO]  T E S T S`
fn is_heading(line: &str) -> bool {
    form!(r"^(?:\[[A-Z]+\] )? *T E S T S *$").is_match(line)
}

/// `[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1`; those of one class go on with their time.
fn counted(line: &str) -> Option<Counts> {
    let [total, rest] = parts(form!(r"^(?:\[[A-Z]+\] )?Tests run: ([0-9]+), (.*?)[ \t]*$"), line)?;
    Some(closings::with_passed(closings::worded(rest)?, total.parse().ok()?))
}

/// `[ERROR] adds(calc.CalcTest)  Time elapsed: 0.1 s  <<< FAILURE!`, since Surefire 3 `calc.CalcTest.adds -- Time …`
fn failure(line: &str) -> Option<String> {
    let form = form!(r"^(?:\[[A-Z]+\] )?(.*?)[ -]*Time elapsed: .*<<< (?:FAILURE|ERROR)![ \t]*$");
    let [name] = parts(form, line).filter(|[name]| !name.starts_with("Tests run:"))?;
    if let Some((test, class)) = name.strip_suffix(')').and_then(|name| name.rsplit_once('('))
        && class.contains('.')
    {
        return Some(format!("{class} > {test}"));
    }
    let plain = name.find(['(', '[', '{', ' ']).unwrap_or(name.len());
    let Some(dot) = name[..plain].rfind('.') else { return Some(name.to_owned()) };
    Some(format!("{} > {}", &name[..dot], &name[dot + 1..]))
}
