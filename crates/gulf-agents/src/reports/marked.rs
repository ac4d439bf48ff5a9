//! Reads what AVA and Mocha (and Cypress, which prints as Mocha does) print by themselves, and hands node:test's lines on.
//!
//! The three mark results alike (`✔ name`): which of them it was tells the closing alone, so all three read along,
//! and the one that came to its end is believed.

use std::collections::VecDeque;

use super::closings::Closings;
use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::tap::Nested;
use super::{Completeness, Counts, NAME_BYTES_MAX, Runner, TestOutcome, numbered};
use crate::patterns::{form, parts};

/// Deeper than anybody nests suites: output of a test.
const SUITES_MAX: usize = 64;

#[derive(Debug, Default)]
pub(super) struct MarkedReport {
    spec: Spec,
    ava: Ava,
    mocha: Mocha,
}

impl Reader for MarkedReport {
    /// At the first result, group or closing.
    fn begins(line: &str) -> bool {
        begins(line) || ava_result(line).is_some() || mocha_begins(line)
    }

    fn read(&mut self, line: &str) {
        self.spec.read(line);
        self.ava.read(line);
        self.mocha.read(line);
    }

    fn may_end_before(&self, line: &str) -> bool {
        if self.spec.has_counts() {
            return self.spec.may_end_before(line);
        }
        // What is indented need be no title of a suite.
        if self.mocha.results.is_empty() && !self.is_over() && Closings::begins(line) {
            return true;
        }
        // Other tools print ticks and durations too: they must not hide a real report that follows. What Mocha and AVA
        // print below their closings is indented.
        !Self::begins(line) && (!self.is_over() || !line.starts_with("  "))
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let Self { spec, ava, mocha } = *self;
        if spec.has_counts() {
            return spec.finish();
        }
        ava.finish().or_else(|| mocha.finish()).or_else(|| spec.finish())
    }
}

impl MarkedReport {
    fn is_over(&self) -> bool {
        self.mocha.passing.is_some() || self.ava.stated.is_some()
    }
}

#[derive(Debug, Default)]
struct Ava {
    results: Results,
    /// What follows the mark of a failure up to AVA 4: its title, and what went wrong. The title alone stands below the rule,
    /// in the same order.
    titled: VecDeque<String>,
    is_below_rule: bool,
    /// What stands below the last rule, while nothing else does.
    stated: Option<StatedCounts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct StatedCounts {
    counts: Counts,
    /// Where something failed, AVA does not count what passed.
    passed: Option<u64>,
    lines: u32,
    ended: bool,
}

impl Ava {
    fn read(&mut self, line: &str) {
        if self.is_below_rule
            && let Some(said) = self.titled.pop_front_if(|said| is_title_of(line, said))
        {
            let title = said.get(..line.trim().len()).unwrap_or(&said);
            self.results.push(with_arrows(title), TestOutcome::Failed);
        }
        if line.trim_end() == "  ─" {
            self.is_below_rule = true;
            self.stated = Some(StatedCounts::default());
        } else if let Some(stated) = &mut self.stated {
            let is_count = line.trim().is_empty() || (!stated.ended && stated.take(line));
            stated.ended |= !is_count;
            // The errors of what failed stand between two rules; what another program prints comes after the counts.
            self.stated.take_if(|stated| stated.ended && stated.lines == 0);
        } else if let Some(said) = line.strip_prefix("  ✖ ") {
            self.titled.push_back(said.trim_end().to_owned());
        } else if let Some((name, outcome)) = ava_result(line) {
            self.results.push(with_arrows(name), outcome);
        }
    }

    fn finish(mut self) -> Option<Section> {
        self.results.push_failed(self.titled.iter().map(|said| with_arrows(said)));
        let stated = self.stated.filter(|stated| stated.lines > 0)?;
        let passed = stated.passed.unwrap_or_else(|| self.results.counts().passed);
        Some(settle(Runner::Ava, self.results, Some(Counts { passed, ..stated.counts })))
    }
}

impl StatedCounts {
    /// `  2 tests passed`, `  1 known failure`, `  1 uncaught exception`
    fn take(&mut self, line: &str) -> bool {
        let Some((number, what)) = numbered(line.trim()) else { return false };
        let count = match what {
            "test passed" | "tests passed" => self.passed.insert(number),
            "known failure" | "known failures" | "test skipped" | "tests skipped" | "test todo"
            | "tests todo" => &mut self.counts.skipped,
            "test failed" | "tests failed" | "hook failed" | "hooks failed" => &mut self.counts.failed,
            "unhandled rejection" | "unhandled rejections" | "uncaught exception" | "uncaught exceptions" => {
                &mut self.counts.failed
            }
            _ => return false,
        };
        if !what.ends_with("passed") {
            *count = count.saturating_add(number);
        }
        self.lines = self.lines.saturating_add(1);
        true
    }
}

/// Is this line the title in `adds Error thrown in test`?
fn is_title_of(line: &str, said: &str) -> bool {
    let title = line.strip_prefix("  ").map(str::trim_end).filter(|title| !title.is_empty());
    let rest = title.and_then(|title| said.strip_prefix(title));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// `  ✔ one › adds (151ms)`, `  ✘ [fail]: adds`, `  - [skip] later`, `  ✔ [expected fail] known`
fn ava_result(line: &str) -> Option<(&str, TestOutcome)> {
    let forms = [
        (form!(r"^  (?:✔ \[expected fail\]|- \[skip\]|- \[todo\]) (.*)$"), TestOutcome::Skipped),
        (form!("^  ✔ (.*)$"), TestOutcome::Passed),
        // The bare mark up to AVA 4.
        (form!(r"^  (?:✘ \[fail\]:|✖) (.*)$"), TestOutcome::Failed),
    ];
    let found = forms.into_iter().find_map(|(form, outcome)| Some((parts(form, line)?, outcome)));
    found.map(|([name], outcome)| (without_duration(name), outcome))
}

#[derive(Debug, Default)]
struct Mocha {
    results: Results,
    suites: Suites,
    passing: Option<u64>,
    pending: u64,
    failing: u64,
    /// The failures below the counts: all that a reporter of dots names.
    listed: Results,
    /// The title of one of them that is not whole yet.
    title: Option<String>,
}

impl Mocha {
    fn read(&mut self, line: &str) {
        if let Some((number, word)) = mocha_count(line) {
            match word {
                // The runner's own is the last one.
                "passing" => (self.passing, self.pending, self.failing) = (Some(number), 0, 0),
                "pending" if self.passing.is_some() => self.pending = number,
                "failing" if self.passing.is_some() => self.failing = number,
                _ => {}
            }
        } else if self.passing.is_none() {
            if let Some((name, outcome)) = self.suites.read(line, mocha_result) {
                self.results.push(name, outcome);
            }
        } else if self.failing > 0 {
            self.read_listed(line);
        }
    }

    /// `  1) group`, `       inner`, `         is wrong:`
    fn read_listed(&mut self, line: &str) {
        let next = format!("  {}) ", self.listed.counts().failed.saturating_add(1));
        let title = match (line.strip_prefix(&next), self.title.take()) {
            (Some(first), _) => first.trim_end().to_owned(),
            (None, Some(title)) if line.starts_with("     ") && title.len() <= NAME_BYTES_MAX => {
                format!("{title} > {}", line.trim())
            }
            (None, Some(_) | None) => return,
        };
        match title.strip_suffix(':') {
            Some(whole) => self.listed.push(whole.to_owned(), TestOutcome::Failed),
            None => self.title = Some(title),
        }
    }

    fn finish(self) -> Option<Section> {
        let stated = Counts { passed: self.passing?, failed: self.failing, skipped: self.pending };
        let results = if self.results.is_empty() { self.listed } else { self.results };
        Some(settle(Runner::Mocha, results, Some(stated)))
    }
}

/// At the title of a suite, too: the first one comes before any result.
fn mocha_begins(line: &str) -> bool {
    let is_title = line.strip_prefix("  ").is_some_and(|text| !text.starts_with(' ') && !text.is_empty());
    is_title || (line.starts_with("  ") && mocha_result(line.trim_start()).is_some())
}

/// `✔ adds (122ms)`, `1) is wrong`, `- later`
fn mocha_result(text: &str) -> Option<(&str, TestOutcome)> {
    let [mark, name] = parts(form!(r"^([✔✓-]|[0-9]+\)) (.*)$"), text)?;
    let outcome = match mark {
        "✔" | "✓" => TestOutcome::Passed,
        "-" => TestOutcome::Skipped,
        _ => TestOutcome::Failed,
    };
    Some((name, outcome))
}

/// `  3 passing (126ms)`, `  1 pending`, `  2 failing`
fn mocha_count(line: &str) -> Option<(u64, &str)> {
    let (number, rest) = line.strip_prefix("  ")?.split_once(' ')?;
    let word = rest.split(' ').next().filter(|word| ["passing", "pending", "failing"].contains(word))?;
    let is_whole = if word == "passing" { rest.ends_with(')') } else { rest.trim_end() == word };
    number.parse().ok().filter(|_| is_whole).map(|number| (number, word))
}

/// The suites that the next result lies in, each with its indent.
#[derive(Debug, Default)]
pub(super) struct Suites(Vec<(usize, String)>);

impl Suites {
    /// A test under the names of its suites, where `result` reads one; any other text is the title of a suite.
    pub(super) fn read(
        &mut self,
        line: &str,
        result: fn(&str) -> Option<(&str, TestOutcome)>,
    ) -> Option<(String, TestOutcome)> {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if indent < 2 || text.is_empty() {
            return None;
        }
        self.0.retain(|(outer, _)| *outer < indent);
        let Some((name, outcome)) = result(text) else {
            let has_room = self.0.len() < SUITES_MAX;
            self.0.extend(has_room.then(|| (indent, text.to_owned())));
            return None;
        };
        let suites: String = self.0.iter().map(|(_, title)| format!("{title} > ")).collect();
        Some((format!("{suites}{}", without_duration(name)), outcome))
    }
}

/// AVA and Jest draw `›` between the names of a test, node:test and Vitest `>`.
pub(super) fn with_arrows(name: &str) -> String {
    name.replace(" › ", " > ")
}

/// Without ` (151ms)` at the end, which slow tests get.
pub(super) fn without_duration(name: &str) -> &str {
    let name = name.trim_end();
    let duration = form!(r" \([0-9][0-9. msh]*[smh]\)$").find(name);
    duration.map_or(name, |duration| &name[..duration.start()])
}

// Reads node:test's `spec` reporter (`✔ name (1.2ms)`), node's default where it is not TAP.

/// Is this a result, a group or a count of node's?
pub(super) fn begins(line: &str) -> bool {
    result_of(line).is_some() || line.starts_with("▶ ") || stated_number(line).is_some()
}

#[derive(Debug, Default)]
pub(super) struct Spec {
    results: Nested,
    tests: Option<u64>,
    suites: u64,
    stated: Counts,
    ended: bool,
}

impl Spec {
    pub(super) fn read(&mut self, line: &str) {
        if self.ended {
            // The failures follow once more, with what they printed.
        } else if let Some((word, number)) = stated_number(line) {
            self.state(word, number);
        } else if let Some((indent, name, outcome)) = result_of(line) {
            self.results.close(indent, name, outcome);
        }
    }

    /// Has node's own closing begun?
    pub(super) fn has_counts(&self) -> bool {
        self.tests.is_some()
    }

    /// At the end the failures are listed once more, in the form of results with their errors below them.
    pub(super) fn may_end_before(&self, line: &str) -> bool {
        self.ended && !line.starts_with('✖') && !line.starts_with("  ")
    }

    pub(super) fn finish(self) -> Option<Section> {
        if self.results.closed == 0 && self.tests.is_none() {
            return None;
        }
        let read = self.results.counts();
        let closed = self.results.closed;
        let whole = self.ended && self.results.is_closed();
        let every = whole && self.tests.is_some_and(|tests| tests.saturating_add(self.suites) == closed);
        let stated = self.stated;
        let results = self.results.into_results();
        if every && read.failed >= stated.failed.min(1) {
            return Some(Section { stated: Some(stated), ..settle(Runner::NodeSpec, results, Some(read)) });
        }
        let mut section = settle(Runner::NodeSpec, results, None);
        if whole {
            section.stated = Some(stated);
            // Lines of a test's own may add failures here, they cannot hide one.
            let all = read.failed >= stated.failed;
            section.complete = if all { Completeness::FailuresOnly } else { Completeness::None };
        }
        Some(section)
    }

    fn state(&mut self, word: &str, number: u64) {
        match word {
            "tests" => self.tests = Some(number),
            "suites" => self.suites = number,
            "pass" => self.stated.passed = number,
            "fail" | "cancelled" => self.stated.count(TestOutcome::Failed, number),
            "skipped" | "todo" => self.stated.count(TestOutcome::Skipped, number),
            "duration_ms" => self.ended = self.tests.is_some(),
            _ => {}
        }
    }
}

/// `ℹ tests 12`, `ℹ duration_ms 229.2`
fn stated_number(line: &str) -> Option<(&str, u64)> {
    let (word, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    if word == "duration_ms" {
        return number.trim().parse::<f64>().is_ok().then_some((word, 0));
    }
    Some((word, number.trim().parse().ok()?))
}

/// `  ✖ inner bad (8.0ms)`, `﹣ skipped (1.3ms) # later`, `✖ todo (0.3ms) # TODO`: how far it is indented, name, outcome.
fn result_of(line: &str) -> Option<(usize, &str, TestOutcome)> {
    let form = form!(r"^( *)([✔▶✖﹣⚠]) (.*) \([0-9.e+-]+ms\)([^(]*)$");
    let [indent, symbol, name, note] = parts(form, line)?;
    let outcome = match (symbol, note.trim_start().starts_with('#')) {
        ("✔" | "▶", false) => TestOutcome::Passed,
        ("✖", false) => TestOutcome::Failed,
        _ => TestOutcome::Skipped,
    };
    Some((indent.len(), name, outcome))
}
