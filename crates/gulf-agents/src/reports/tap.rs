//! Reads the Test Anything Protocol, versions 13 and 14, with subtests as node:test and TAP 14 write them.
//!
//! A result comes after its children: what is deeper waits for the result it belongs to. Only tape names a test
//! before its results (`tape.rs`).

mod tape;

use self::tape::Tape;
use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, NAME_BYTES_MAX, Runner, TESTS_MAX, TestOutcome};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Tap {
    open: Nested,
    plan: Option<u64>,
    top_level: u64,
    in_details: Option<usize>,
    bailed_out: bool,
    /// The line came that says whose report it is; what is none need not be a report.
    has_version: bool,
    cut: Cut,
    /// The first line after the version tells who writes.
    has_begun: bool,
    tape: Option<Tape>,
}

/// What became of the two words of a failure.
#[derive(Debug, Default, PartialEq, Eq)]
enum Cut {
    #[default]
    Nowhere,
    /// A line `not`: the next result is the failure's.
    Between,
    /// Something stood before or between them; nobody can tell whose they were.
    Anywhere,
}

impl Reader for Tap {
    /// At its version line; bats and TAP 12 begin with the plan or the first result.
    fn begins(line: &str) -> bool {
        let is_first = |line: &str| line == "ok 1" || line.starts_with("ok 1 ");
        is_version(line) || plan_of(line).is_some() || is_first(line.trim_start_matches("not "))
    }

    fn read(&mut self, line: &str) {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        self.has_version |= is_version(line);
        if self.has_version && !self.has_begun && !text.trim().is_empty() && !is_version(line) {
            self.has_begun = true;
            // Tape's report begins with the name of its first test.
            self.tape = tape::name_of(line).map(|_| Tape::default());
        }
        if self.top_level == 0 && tape::is_subtest(text) {
            // What a test printed stood before it.
            self.tape = None;
        }
        if let Some(details) = self.in_details {
            if indent <= details && text.trim_end() == "..." {
                self.in_details = None;
            }
            return;
        }
        if text.trim_end() == "---" {
            self.in_details = Some(indent);
        } else if let Some((name, mut outcome)) = point_of(text) {
            self.top_level += u64::from(indent == 0);
            if self.cut == Cut::Between {
                (self.cut, outcome) = (Cut::Nowhere, TestOutcome::Failed);
            }
            match &mut self.tape {
                Some(tape) => tape.point(outcome),
                None => self.open.close(indent, &name, outcome),
            }
        } else if holds_cut_failure(text) {
            self.cut = Cut::Anywhere;
        } else if text.trim_end() == "not" && self.cut == Cut::Nowhere {
            self.cut = Cut::Between;
        } else if indent == 0 && text.starts_with("Bail out!") {
            self.bailed_out = true;
        } else if indent == 0
            && let Some(plan) = plan_of(text)
        {
            self.plan = Some(plan);
        } else if self.plan.is_none()
            && let Some(tape) = &mut self.tape
            && let Some(name) = tape::name_of(line)
        {
            tape.begin(name);
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        let is_whole = self.in_details.is_none() && self.plan == Some(self.top_level);
        is_whole || is_version(line) || !(self.has_version || Self::begins(line))
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let is_whole = self.plan == Some(self.top_level) && self.cut == Cut::Nowhere;
        let whole = is_whole && !self.bailed_out && self.open.is_closed();
        if !(whole || self.has_version) {
            return None;
        }
        let results = match self.tape {
            Some(tape) => tape.into_results(self.plan),
            None => self.open.into_results(),
        };
        let stated = whole.then(|| results.counts());
        Some(settle(Runner::Tap, results, stated))
    }
}

fn is_version(line: &str) -> bool {
    matches!(line.trim_end(), "TAP version 13" | "TAP version 14")
}

/// Results that wait for the result they lie under.
#[derive(Debug, Default)]
pub(super) struct Nested {
    waiting: Vec<WaitingPoint>,
    /// Results of whole trees of tests, leaves and inner ones.
    pub(super) closed: u64,
}

#[derive(Debug)]
struct WaitingPoint {
    indent: usize,
    name: String,
    outcome: TestOutcome,
}

impl Nested {
    /// A result at this indent takes everything deeper as its own.
    ///
    /// A test with subtests counts only for a failure of its own: its subtests tell the rest.
    pub(super) fn close(&mut self, indent: usize, name: &str, outcome: TestOutcome) {
        self.closed += 1;
        let first =
            self.waiting.iter().rposition(|waiting| waiting.indent <= indent).map_or(0, |place| place + 1);
        let children = &mut self.waiting[first..];
        let explained = children.iter().any(|child| child.outcome == TestOutcome::Failed);
        for child in &mut *children {
            child.indent = indent;
            // A longer name takes no more of the names it lies under.
            if child.name.len() < NAME_BYTES_MAX {
                child.name = format!("{name} > {}", child.name);
            }
        }
        let speaks_for_itself = children.is_empty() || (outcome == TestOutcome::Failed && !explained);
        if speaks_for_itself && self.waiting.len() <= TESTS_MAX {
            self.waiting.push(WaitingPoint { indent, name: name.to_owned(), outcome });
        }
    }

    /// Did every nested result find the result it lies under?
    pub(super) fn is_closed(&self) -> bool {
        self.waiting.iter().all(|waiting| waiting.indent == 0)
    }

    pub(super) fn into_results(self) -> Results {
        self.waiting.into_iter().map(|waiting| (waiting.name, waiting.outcome)).collect()
    }

    pub(super) fn counts(&self) -> Counts {
        Counts::of_each(self.waiting.iter().map(|waiting| waiting.outcome))
    }
}

/// `not ok 2 - fails \# here # TODO later`
fn point_of(text: &str) -> Option<(String, TestOutcome)> {
    let form = form!(r"(?s)^((?:not )?)ok(?: +|$)([0-9]*) *(?:- )?(.*)$");
    let [not, number, said] = parts(form, text)?;
    let (name, is_skip_or_todo) = split_directive(said);
    let name = if name.is_empty() { format!("test {number}") } else { name };
    let outcome = match not {
        _ if is_skip_or_todo => TestOutcome::Skipped,
        "" => TestOutcome::Passed,
        _ => TestOutcome::Failed,
    };
    Some((name, outcome))
}

/// The words of a failure with something before or between them that is no comment.
fn holds_cut_failure(text: &str) -> bool {
    let has_more = text.starts_with("not ") && text.trim_end() != "not";
    !text.starts_with('#') && (has_more || text.contains("not ok "))
}

/// How long it took, as node-tap says behind a name: another each time.
const TOOK: &str = "TIME=";

/// Splits at the last `#` that is not escaped, if one of the directives `SKIP` and `TODO` follows it; whether one does.
fn split_directive(text: &str) -> (String, bool) {
    let took = at_last_hash(text).filter(|(_, comment)| comment.starts_with(TOOK));
    let text = took.map_or(text.trim_end(), |(name, _)| name);
    let is_directive = |comment: &str| ["SKIP", "TODO"].iter().any(|word| comment.starts_with(word));
    let directed = at_last_hash(text).filter(|(_, comment)| is_directive(comment));
    (unescaped(directed.as_ref().map_or(text, |(name, _)| name)), directed.is_some())
}

/// What stands before it, and in capital letters what stands behind it.
fn at_last_hash(text: &str) -> Option<(&str, String)> {
    let [before, behind] = parts(form!(r"(?s)^((?:[^\\]|\\.)*)#(.*)$"), text)?;
    Some((before.trim_end(), behind.trim_start().to_ascii_uppercase()))
}

fn unescaped(text: &str) -> String {
    form!(r"(?s)\\(.?)").replace_all(text, "$1").into_owned()
}

fn plan_of(text: &str) -> Option<u64> {
    text.strip_prefix("1..")?.split([' ', '#']).next()?.parse().ok()
}
