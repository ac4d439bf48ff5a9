//! Reads what Vitest prints by itself: files, failures with their names, and counts at the end.

use super::forms::Reader;
use super::section::Section;
use super::twice::{Twice, counted};
use super::{Counts, Runner, TestOutcome};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Vitest(Twice);

impl Reader for Vitest {
    /// At its heading, or at the counts.
    fn begins(line: &str) -> bool {
        line.starts_with(" RUN  v") || closing(line).is_some()
    }

    fn read(&mut self, line: &str) {
        if let Some(counts) = closing(line) {
            self.0.stated = Some(counts);
        } else if line.starts_with("   Duration  ") {
            self.0.ended = self.0.stated.is_some();
        } else if let Some(name) = line.strip_prefix(" FAIL  ") {
            // `a.test.ts > math > adds`, or `a.test.ts [ a.test.ts ]` for a file that could not be loaded.
            let id = without_project(name.trim_end()).to_owned();
            if id.contains(" > ") { self.0.fail(id) } else { self.0.fail_file(id) }
        } else if let Some(file) = file_of(line) {
            self.0.begin(file);
        } else if let Some((name, outcome)) = result_of(line) {
            let is_below_file = line.starts_with("   ");
            let id = if is_below_file { format!("{} > {name}", self.0.file) } else { name.to_owned() };
            self.0.results.push(id, outcome);
        }
    }

    fn may_end_before(&self, _: &str) -> bool {
        self.0.ended
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        self.0.finish(Runner::Vitest)
    }
}

/// Without the `|name|` of a project before it.
fn without_project(text: &str) -> &str {
    parts(form!(r"^\|.*?\| +(.*)$"), text).map_or(text, |[rest]| rest)
}

/// ` ✓ src/a.test.ts (5 tests | 1 failed) 361ms`
fn file_of(line: &str) -> Option<&str> {
    let text = line.strip_prefix(' ').filter(|text| !text.starts_with(' '))?;
    let (_, rest) = text.split_once(' ')?;
    let (path, counts) = without_project(rest.trim_start()).split_once(" (")?;
    let is_file = counts.contains(" test") && !path.contains(" > ");
    is_file.then_some(path)
}

/// `   ✓ math > adds two numbers 1ms`, and of the verbose reporter ` ✓ src/a.test.ts > math > adds 1ms`
fn result_of(line: &str) -> Option<(&str, TestOutcome)> {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    let (mark, name) = text.split_once(' ')?;
    // `×` is said again with its error.
    let outcome = TestOutcome::from_word(mark, [&["✓"], &[], &["↓"]])?;
    let is_named = indent == 3 || (indent == 1 && name.contains(" > "));
    is_named.then(|| (without_duration(without_project(name.trim())), outcome))
}

/// `adds two numbers 1ms`, `top level  351ms`
fn without_duration(name: &str) -> &str {
    parts(form!("^(.*?) +[0-9.]+m?s$"), name).map_or(name, |[rest]| rest)
}

/// `      Tests  1 failed | 3 passed | 1 skipped | 1 todo (6)`, `      Tests  no tests`
fn closing(line: &str) -> Option<Counts> {
    let [said] = parts(form!("^  +Tests  (.*?)[ \t]*$"), line)?;
    if said == "no tests" {
        return Some(Counts::default());
    }
    let [counts, total] = parts(form!(r"^(.*) \(([0-9]+)\)$"), said)?;
    let total: u64 = total.parse().ok()?;
    counted(counts.split(" | "), &[]).filter(|counts| counts.total() == total)
}
