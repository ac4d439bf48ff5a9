//! Reads what Rust's own test harness prints under `cargo test`.
//!
//! Its lines are the least marked of all: the name of the binary stands in cargo's line before them, and with
//! `--nocapture` a test's own output comes between its name and its result.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome, bounded};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Libtest {
    binary: String,
    stage: Stage,
    announced: u64,
    results: Results,
    /// A test whose result has not come yet.
    pending: Option<String>,
    /// A result began while another was pending: some of the lines are a test's own.
    is_muddled: bool,
    /// The names under the last line `failures:`.
    failures: Vec<String>,
    stated: Option<Counts>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Named,
    Results,
    Details,
    Done,
}

impl Reader for Libtest {
    /// At cargo's line that names a binary, or at the harness's first line.
    fn begins(line: &str) -> bool {
        binary_of(line).is_some() || announced(line).is_some()
    }

    fn read(&mut self, line: &str) {
        let stated = stated_by(line);
        match self.stage {
            Stage::Named => {
                if let Some(number) = announced(line) {
                    self.announced = number;
                    self.stage = Stage::Results;
                } else if let Some(binary) = binary_of(line) {
                    self.binary = binary;
                }
            }
            Stage::Results | Stage::Details if stated.is_some() => {
                self.stated = stated;
                self.stage = Stage::Done;
            }
            Stage::Results if line == "failures:" || line == "successes:" => self.stage = Stage::Details,
            Stage::Results => self.read_result(line),
            Stage::Details => self.read_details(line),
            Stage::Done => {}
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        match self.stage {
            Stage::Named => announced(line).is_none(),
            // A binary that crashed has no last line; cargo's line for the next one follows.
            Stage::Results => binary_of(line).is_some(),
            Stage::Details => false,
            Stage::Done => true,
        }
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        if self.stage == Stage::Named {
            return None;
        }
        // A test may print a closing line; the harness's own speaks of as many tests as it announced.
        let stated = self.stated.filter(|stated| stated.total() == self.announced);
        let failed = stated.map_or(0, |stated| stated.failed);
        // The list under `failures:` names them all, also where results are quiet, or interleaved with output.
        let is_listed = self.failures.len() as u64 == failed;
        let listed: Vec<_> = self.failures.iter().filter(|_| is_listed).map(|name| self.id(name)).collect();
        let is_read = self.results.counts().failed == failed || !is_listed;
        let mut results = if is_read { self.results } else { Results::default() };
        // A garbled line speaks of another test: then there is one failure too many, and no pass is believed.
        results.push_failed(results.not_failed_among(listed));
        if self.is_muddled {
            results.keep_failures();
        }
        Some(settle(Runner::Libtest, results, stated))
    }
}

impl Libtest {
    fn id(&self, name: &str) -> String {
        let name = bare(name);
        if self.binary.is_empty() { name } else { format!("{}::{name}", self.binary) }
    }

    fn read_result(&mut self, line: &str) {
        let split = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
        if let Some((name, rest)) = split {
            self.is_muddled |= self.pending.is_some();
            self.pending = Some(self.id(name));
            self.resolve(rest);
        } else {
            self.resolve(line);
        }
    }

    fn resolve(&mut self, word: &str) {
        if let Some(outcome) = outcome_of(word)
            && let Some(id) = self.pending.take()
        {
            self.results.push(id, outcome);
        }
    }

    fn read_details(&mut self, line: &str) {
        if line == "failures:" {
            // A test may print this line too; the harness's own list is the last one.
            self.failures.clear();
        } else if let Some(name) = line.strip_prefix("    ") {
            self.failures.push(name.to_owned());
        } else if !line.is_empty() {
            self.failures.clear();
        }
    }
}

fn announced(line: &str) -> Option<u64> {
    let [number] = parts(form!("^running ([0-9]+) tests?$"), line)?;
    number.parse().ok()
}

fn outcome_of(word: &str) -> Option<TestOutcome> {
    match word {
        "ok" => Some(TestOutcome::Passed),
        "FAILED" => Some(TestOutcome::Failed),
        "ignored" => Some(TestOutcome::Skipped),
        _ if word.starts_with("ignored, ") => Some(TestOutcome::Skipped),
        _ if word.starts_with("bench: ") => Some(TestOutcome::Passed),
        _ => None,
    }
}

/// `test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.16s`
fn stated_by(line: &str) -> Option<Counts> {
    let form = form!(
        r"^test result: .*?\. ([0-9]+) passed; ([0-9]+) failed; ([0-9]+) ignored; ([0-9]+) measured; [0-9]"
    );
    let [passed, failed, skipped, measured] = parts(form, line)?.map(|number| number.parse::<u64>().ok());
    Some(Counts { passed: passed?.saturating_add(measured?), failed: failed?, skipped: skipped? })
}

/// A test's name without what the harness adds: `- should panic`, and a doc test's line, which moves with every edit.
fn bare(name: &str) -> String {
    let ends = [" - should panic", " - compile fail", " - compile"];
    let name = ends.iter().fold(name, |name, end| name.strip_suffix(end).unwrap_or(name));
    let item = name.split_once(" (line ").filter(|(_, line)| line.ends_with(')'));
    item.map_or(name, |(item, _)| item).to_owned()
}

/// `     Running unittests src/lib.rs (target/debug/deps/sample-e6daf73c296d6df0)`, `   Doc-tests sample`
fn binary_of(line: &str) -> Option<String> {
    if let Some(name) = line.strip_prefix("   Doc-tests ") {
        return Some(bounded(format!("{}::doc", name.trim())));
    }
    let rest = line.strip_prefix("     Running ")?;
    let (source, file) = match rest.rsplit_once(" (") {
        Some((source, file)) => (source, file.strip_suffix(')')?),
        None => ("", rest),
    };
    let [name] = parts(form!(r"([^/\\]*?)(?:-[0-9a-fA-F]{16})?(?:\.exe)?$"), file)?;
    let is_program = source.strip_prefix("unittests ").is_some_and(|source| !source.ends_with("lib.rs"));
    Some(bounded(if is_program { format!("{name}::bin/{name}") } else { name.to_owned() }))
}
