//! Reads JUnit XML as pytest, nextest, node:test, Gradle and the others write it.
//!
//! It is a file and not an output, and there is no standard: only what every writer agrees on is used (suites that
//! nest, cases with a class and a name, failure, error, skipped).

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::section::{Results, Section, settle};
use super::{Completeness, Runner, TestOutcome, bounded};

/// Suites within suites; a deeper file is not read.
const SUITE_DEPTH_MAX: usize = 64;

/// What one file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JunitFile {
    pub(super) section: Section,
    /// Whoever wrote it meant JUnit XML, even if it was cut since.
    pub(super) is_one: bool,
    /// Its suites state as many tests, failures and skipped ones as it holds.
    pub(super) states_what_it_holds: bool,
}

impl JunitFile {
    /// Reads it; what is no JUnit XML says nothing.
    pub fn read(xml: &[u8]) -> Self {
        let text = String::from_utf8_lossy(xml);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let mut file = File::default();
        let whole = file.read(text).is_some() && file.depth == 0 && file.saw_root && !file.is_garbled;
        let counts = file.results.counts();
        let [tests, failures, errors, skipped] = file.totals;
        let stated = (tests, failures.saturating_add(errors), skipped);
        Self {
            is_one: file.saw_root,
            states_what_it_holds: stated == (counts.total(), counts.failed, counts.skipped),
            section: settle(Runner::Junit, file.results, whole.then_some(counts)),
        }
    }

    /// Was it written to its end?
    pub fn is_whole(&self) -> bool {
        self.section.complete != Completeness::None
    }
}

#[derive(Debug, Default)]
struct File {
    results: Results,
    suites: Vec<String>,
    /// What the outermost suites state, each by its name in [`TOTALS`].
    totals: [u64; 4],
    case: Option<JunitCase>,
    depth: usize,
    saw_root: bool,
    /// A case stood within a case: somebody else than the runner wrote into it.
    is_garbled: bool,
}

/// What a suite counts.
const TOTALS: [&str; 4] = ["tests", "failures", "errors", "skipped"];

#[derive(Debug)]
struct JunitCase {
    id: String,
    outcome: TestOutcome,
    depth: usize,
}

impl File {
    fn read(&mut self, text: &str) -> Option<()> {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        loop {
            match reader.read_event().ok()? {
                Event::Start(start) | Event::Empty(start) => self.start(&start)?,
                Event::End(end) => self.end(end.local_name().as_ref()),
                Event::Eof => return Some(()),
                Event::Text(_) | Event::CData(_) | Event::Comment(_) | Event::GeneralRef(_) => {}
                Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    fn start(&mut self, element: &BytesStart<'_>) -> Option<()> {
        self.depth += 1;
        match element.local_name().as_ref() {
            "testsuites" => self.saw_root = true,
            "testsuite" => {
                self.saw_root = true;
                if self.suites.is_empty() {
                    for (sum, name) in self.totals.iter_mut().zip(TOTALS) {
                        let stated = attribute(element, name).and_then(|number| number.parse().ok());
                        *sum = sum.saturating_add(stated.unwrap_or(0));
                    }
                }
                self.suites.push(bounded(attribute(element, "name").unwrap_or_default()));
                (self.suites.len() <= SUITE_DEPTH_MAX).then_some(())?;
            }
            "testcase" => self.begin(self.id(element)?),
            "failure" | "error" => self.worsen(TestOutcome::Failed),
            // What lies deeper is a test's own output.
            "skipped" if self.case.as_ref().is_none_or(|case| case.depth + 1 == self.depth) => {
                self.worsen(TestOutcome::Skipped);
            }
            _ => {}
        }
        Some(())
    }

    fn end(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        match name {
            "testsuite" => drop(self.suites.pop()),
            "testcase" => {
                if let Some(case) = self.case.take() {
                    self.results.push(case.id, case.outcome);
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, id: String) {
        let begun = JunitCase { id, outcome: TestOutcome::Passed, depth: self.depth };
        if let Some(open) = self.case.replace(begun) {
            self.is_garbled = true;
            self.results.push(open.id, open.outcome);
        }
    }

    fn worsen(&mut self, outcome: TestOutcome) {
        let Some(case) = &mut self.case else {
            // A suite that fails as a whole fails under its own name.
            if outcome == TestOutcome::Failed {
                self.results.push(self.suites.join(" > "), outcome);
            }
            return;
        };
        // node:test writes a todo as skipped and failed; it does not count.
        let is_todo = case.outcome == TestOutcome::Skipped && outcome == TestOutcome::Failed;
        if !is_todo {
            case.outcome = case.outcome.max(outcome);
        }
    }

    /// Suites, class and name; without the words that say nothing (`pytest`, node's class `test`).
    fn id(&self, element: &BytesStart<'_>) -> Option<String> {
        let class = attribute(element, "classname").unwrap_or_default();
        let name = attribute(element, "name")?;
        let mut parts: Vec<&str> =
            self.suites.iter().map(String::as_str).filter(|suite| *suite != "pytest").collect();
        let says_nothing = class.is_empty() || class == "test" || parts.last() == Some(&class.as_str());
        let last = if says_nothing { name } else { format!("{class}::{name}") };
        parts.push(&last);
        Some(parts.join(" > "))
    }
}

pub(crate) fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok()??;
    Some(attribute.normalized_value(XmlVersion::Explicit1_0).ok()?.into_owned())
}
