//! Reads what Maven's Surefire and Failsafe print: what failed, by name, and how many tests ran in each module.
//!
//! A build of several modules states as many counts, and only all of them together are the run's.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome, closings};

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

fn without_level(line: &str) -> &str {
    let line = line.trim_end();
    ["[INFO] ", "[WARNING] ", "[ERROR] "].iter().find_map(|level| line.strip_prefix(level)).unwrap_or(line)
}

/// `[INFO]  T E S T S`
fn is_heading(line: &str) -> bool {
    without_level(line).trim() == "T E S T S"
}

/// `[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1`; those of one class go on with their time.
fn counted(line: &str) -> Option<Counts> {
    let (total, rest) = without_level(line).strip_prefix("Tests run: ")?.split_once(", ")?;
    Some(closings::with_passed(closings::worded(rest)?, total.parse().ok()?))
}

/// `[ERROR] adds(calc.CalcTest)  Time elapsed: 0.1 s  <<< FAILURE!`, since Surefire 3 `calc.CalcTest.adds -- Time …`
fn failure(line: &str) -> Option<String> {
    let line = without_level(line);
    let (name, _) = line.split_once("Time elapsed: ")?;
    let fails = line.ends_with("<<< FAILURE!") || line.ends_with("<<< ERROR!");
    let name = name.trim_end_matches([' ', '-']);
    if !fails || name.starts_with("Tests run:") {
        return None;
    }
    if let Some((test, class)) = name.strip_suffix(')').and_then(|name| name.rsplit_once('('))
        && class.contains('.')
    {
        return Some(format!("{class} > {test}"));
    }
    let plain = name.find(['(', '[', '{', ' ']).unwrap_or(name.len());
    let Some(dot) = name[..plain].rfind('.') else { return Some(name.to_owned()) };
    Some(format!("{} > {}", &name[..dot], &name[dot + 1..]))
}
