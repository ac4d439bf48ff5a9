//! Reads what pytest prints: `-v` lines, `pytest-xdist` lines, the short summary and the last line.
//!
//! By default pytest names only what failed, prints the output of failing tests between its own sections, and with
//! `-q` has no first line at all.

use std::collections::BTreeSet;

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Completeness, Counts, Runner, TestOutcome, numbered};
use crate::patterns::{form, parts};

const SUMMARY: &str = "short test summary info";

#[derive(Debug, Default)]
pub(super) struct Pytest {
    stage: Stage,
    verbose: Results,
    summary: Results,
    /// Tests whose subtests failed, each once, and how many subtests that were.
    divided: BTreeSet<String>,
    subtests_failed: u64,
    stated: Option<Counts>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Running,
    Details,
    Summary,
}

impl Reader for Pytest {
    /// At the first line of a session, or at the first line that only a quiet pytest prints.
    fn begins(line: &str) -> bool {
        match titled(line) {
            Some(title) => {
                matches!(title, "test session starts" | "ERRORS" | "FAILURES" | SUMMARY)
                    || stated_by(line).is_some()
            }
            None => is_progress(line) || stated_by(line).is_some(),
        }
    }

    fn read(&mut self, line: &str) {
        if let Some(stated) = stated_by(line) {
            // A failing test may print such a line too; pytest's own is the last one.
            self.stated = Some(stated);
            return;
        }
        if let Some(title) = titled(line) {
            match title {
                "test session starts" => {}
                SUMMARY => {
                    self.stage = Stage::Summary;
                    (self.summary, self.divided, self.subtests_failed) = Default::default();
                }
                _ => self.stage = Stage::Details,
            }
            self.stated = None;
            return;
        }
        match self.stage {
            Stage::Running => self.read_verbose(line),
            Stage::Details => {}
            Stage::Summary => self.read_summary(line),
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        match titled(line) {
            Some("test session starts") => self.stated.is_some() || self.stage == Stage::Running,
            Some(_) => false,
            None => self.stated.is_some() && stated_by(line).is_none(),
        }
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let Some(stated) = self.stated.map(|stated| self.of_whole_tests(stated)) else {
            let results = if self.summary.is_empty() { self.verbose } else { self.summary };
            return Some(settle(Runner::Pytest, results, None));
        };
        if self.verbose.counts() == stated || self.summary.is_empty() {
            return Some(settle(Runner::Pytest, self.verbose, Some(stated)));
        }
        // The summary names skipped tests by place, not by id, so it never names everything.
        let mut section = settle(Runner::Pytest, self.summary, Some(stated));
        section.complete = section.complete.min(Completeness::FailuresOnly);
        Some(section)
    }
}

impl Pytest {
    fn read_verbose(&mut self, line: &str) {
        // `[gw0] [ 50%] PASSED tests/test_a.py::test_b`
        let of_xdist = |rest: &str| {
            let (word, id) = rest.split_once("%] ")?.1.split_once(' ')?;
            Some((id.trim_end().to_owned(), outcome_of(word)?))
        };
        let result = line.strip_prefix("[gw").map_or_else(|| verbose_result(line), of_xdist);
        let Some((id, outcome)) = result else { return };
        self.verbose.push(id, outcome);
    }

    /// pytest counts a failing subtest as a failure, and its test as passed; the test has failed, once.
    fn of_whole_tests(&self, stated: Counts) -> Counts {
        let divided = self.divided.len() as u64;
        Counts {
            failed: stated.failed.saturating_sub(self.subtests_failed).saturating_add(divided),
            passed: stated.passed.saturating_sub(divided),
            ..stated
        }
    }

    fn read_summary(&mut self, line: &str) {
        if let Some(id) = divided(line) {
            self.subtests_failed += 1;
            if self.divided.insert(id.to_owned()) {
                self.summary.push(id.to_owned(), TestOutcome::Failed);
            }
            return;
        }
        let Some((word, rest)) = line.split_once(' ') else { return };
        let Some(outcome) = outcome_of(word) else { return };
        if word != "SKIPPED" && !rest.is_empty() {
            self.summary.push(id_before_reason(rest).to_owned(), outcome);
        }
    }
}

/// May the file be of the run that printed the lines? A test that skips a subtest has passed there, and is skipped here; with
/// `-v` the lines count the subtest, too.
pub(super) fn skips_subtests(lines: Counts, file: Counts) -> bool {
    lines.failed == file.failed
        && (file.passed..=file.passed.saturating_add(file.skipped)).contains(&lines.passed)
        && file.total() <= lines.total()
}

fn outcome_of(word: &str) -> Option<TestOutcome> {
    TestOutcome::from_word(word, [&["PASSED", "XPASS"], &["FAILED", "ERROR"], &["SKIPPED", "XFAIL"]])
}

/// `tests/test_a.py::test_b[x - y] SKIPPED (later)                     [ 66%]`
fn verbose_result(line: &str) -> Option<(String, TestOutcome)> {
    let form =
        form!(r"^([^ ].*::.*) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*)?[ \t]*(?:\[[^\[]*%\])?$");
    let [id, word] = parts(form, line)?;
    Some((id.to_owned(), outcome_of(word)?))
}

/// The test in `SUBFAILED(i=1, text=') ') tests/test_a.py::T::test_b - assert 1 == 2`.
fn divided(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("SUBFAIL")?;
    let mut ids = rest.match_indices(' ').map(|(at, _)| id_before_reason(&rest[at + 1..]));
    ids.find(|id| {
        let file = id.split_once("::").map(|(file, _)| file).unwrap_or_default();
        file.contains('.') && !file.contains(['(', ')', '[', ']', '=', '\'', '"'])
    })
}

/// The id in `tests/test_a.py::test_b[x - y] - assert 1 == 2`: parameters may hold the separator too.
fn id_before_reason(text: &str) -> &str {
    let text = text.trim_end();
    let opening = text.find('[').filter(|place| !text[..*place].contains(" - "));
    let from = opening.unwrap_or(0);
    if opening.is_some() {
        if let Some(place) = text[from..].find("] - ") {
            return &text[..=from + place];
        }
        if text.ends_with(']') {
            return text;
        }
    }
    text.split_once(" - ").map_or(text, |(id, _)| id)
}

/// The text of `==== title ====`.
fn titled(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("==")?.strip_suffix("==")?;
    inner.trim_matches('=').strip_prefix(' ')?.strip_suffix(' ')
}

/// `==== 4 failed, 4 passed, 1 skipped, 1 xfailed, 1 xpassed, 1 error in 0.03s =====`, bare with `-q`
fn stated_by(line: &str) -> Option<Counts> {
    let inner = titled(line).unwrap_or(line);
    let (numbers, duration) = inner.rsplit_once(" in ")?;
    let seconds = duration.split(' ').next()?.strip_suffix('s')?;
    seconds.parse::<f64>().ok()?;
    if numbers == "no tests ran" {
        return Some(Counts::default());
    }
    let fields = || numbers.split(", ").map(numbered);
    let speaks_of_tests = fields().flatten().any(|(_, word)| !word.starts_with("warning"));
    let words: [&[&str]; 4] = [
        &["passed", "xpassed"],
        &["failed", "error", "errors"],
        &["skipped", "xfailed"],
        &["deselected", "warning", "warnings", "rerun", "subtests passed", "subtests skipped"],
    ];
    Counts::read_parts(fields(), words).filter(|_| speaks_of_tests)
}

/// `.F.F..EsxXFF                                                      [100%]`
fn is_progress(line: &str) -> bool {
    form!(r"^[.FEsxX]+ +\[.*%\]$").is_match(line)
}
