//! Reads what `prove` prints: with `-v` for each file its lines of TAP, else its outcome; at the end how many tests ran.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};
use crate::patterns::{form, parts};

#[derive(Debug, Default)]
pub(super) struct Prove {
    file: String,
    /// Something of that file failed.
    has_failed: bool,
    results: Results,
    /// Files that failed or were skipped as a whole.
    whole: u64,
    /// Tests are named, not only files.
    names_tests: bool,
    stated: Option<u64>,
}

impl Reader for Prove {
    /// At the heading of a file: `t/roman.t ....`
    fn begins(line: &str) -> bool {
        heading(line).is_some()
    }

    fn read(&mut self, line: &str) {
        if let Some((file, said)) = heading(line) {
            (self.file, self.has_failed) = (file.to_owned(), false);
            if said.starts_with("skipped:") {
                self.file_as_whole(TestOutcome::Skipped);
            }
        } else if let Some((name, outcome)) = result(line) {
            self.names_tests = true;
            self.has_failed |= outcome == TestOutcome::Failed;
            self.results.push(format!("{} > {name}", self.file), outcome);
        } else if has_file_failed(line) && !self.has_failed {
            self.has_failed = true;
            self.file_as_whole(TestOutcome::Failed);
        } else if let Some(tests) = counted(line) {
            self.stated = Some(tests);
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        self.stated.is_some() && !line.starts_with("Result: ")
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let (stated, read) = (self.stated?, self.results.counts());
        let total =
            if self.names_tests { stated.saturating_add(self.whole) } else { stated.max(read.total()) };
        let passed = total.saturating_sub(read.failed).saturating_sub(read.skipped);
        let is_borne_out = !self.names_tests || read.total() == total;
        let failed = if is_borne_out { read.failed } else { total };
        Some(settle(Runner::Tap, self.results, Some(Counts { passed, failed, skipped: read.skipped })))
    }
}

impl Prove {
    fn file_as_whole(&mut self, outcome: TestOutcome) {
        self.whole = self.whole.saturating_add(1);
        self.results.push(self.file.clone(), outcome);
    }
}

/// The file, and what stands behind it where nothing came between: `t/one.t .. ok`.
fn heading(line: &str) -> Option<(&str, &str)> {
    let [file, said] = parts(form!(r"^([^ ]*\.t) \.{2,}((?: .*)?)$"), line)?;
    Some((file, said.trim()))
}

fn has_file_failed(line: &str) -> bool {
    let subtests = || line.strip_prefix("Failed ").is_some_and(|rest| rest.trim_end().ends_with(" subtests"));
    line.starts_with("Dubious, test returned ") || subtests()
}

/// `ok 2 - right`, `not ok 5 - later # TODO why`, `ok 4 # skip why`; what is indented belongs to one that follows.
fn result(line: &str) -> Option<(&str, TestOutcome)> {
    let form = form!(r"^((?:not )?)ok +([0-9]+) *(?: - (.*?))?(?: # (.*))?$");
    let found = form.captures(line)?;
    let directive = found.get(4).map_or_else(String::new, |said| said.as_str().to_lowercase());
    let outcome = match &found[1] {
        _ if ["skip", "todo"].iter().any(|word| directive.starts_with(word)) => TestOutcome::Skipped,
        "" => TestOutcome::Passed,
        _ => TestOutcome::Failed,
    };
    let name = found.get(3).or_else(|| found.get(2))?;
    Some((name.as_str().trim(), outcome))
}

/// `Files=3, Tests=7,  0 wallclock secs`
fn counted(line: &str) -> Option<u64> {
    line.strip_prefix("Files=")?.split_once(", Tests=")?.1.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use crate::reports::tests::forms::check;
    use crate::reports::*;

    const OUTPUT: &str = "t/one.t .... \nok 1 - a\n1..1\nok\nt/three.t .. \nDubious, test returned 2 (wstat 512, 0x200)\n\
        No subtests run \nt/two.t .... \nnot ok 1 - wrong\nok 2 - right\n# Subtest: inner\n    ok 1 - deep\n    1..1\n\
        ok 3 - inner\nok 4 # skip later\nnot ok 5 - todo one # TODO x\nok 6\n1..6\n\
        Dubious, test returned 1 (wstat 256, 0x100)\nFailed 1/6 subtests \n\nTest Summary Report\n\
        t/two.t  (Wstat: 256 (exited 1) Tests: 6 Failed: 1)\n\
        Files=3, Tests=7,  0 wallclock secs ( 0.03 usr  0.00 sys)\nResult: FAIL\n";

    #[test]
    fn prove_names_the_tests_of_each_file() {
        let results = "+ t/one.t > a\n! t/three.t\n+ t/two.t > 6\n+ t/two.t > inner\n+ t/two.t > right\n\
                       ~ t/two.t > 4\n~ t/two.t > todo one\n! t/two.t > wrong";
        let mut sorted: Vec<&str> = results.lines().collect();
        sorted.sort_by_key(|line| &line[2..]);
        check(OUTPUT.as_bytes(), Completeness::Every, (4, 2, 2), &sorted.join("\n"));
        let cut = OUTPUT.replace("ok 3 - inner\n", "");
        assert_eq!(read(cut.as_bytes()).complete, Completeness::None);
        // A file that is left out is one, and none of the tests.
        let skipped = b"t/one.t ... \n1..2\nok 1 - a\nok 2 - b\nok\nt/four.t .. skipped: not now\n\
            All tests successful.\nFiles=2, Tests=2,  0 wallclock secs\nResult: PASS\n";
        check(skipped, Completeness::Every, (2, 0, 1), "~ t/four.t\n+ t/one.t > a\n+ t/one.t > b");
    }

    #[test]
    fn without_names_of_tests_prove_names_the_files_that_fail() {
        let failing = "t/four.t ... skipped: not now\nt/one.t .... ok\nCan't locate Nope.pm in @INC\nt/three.t .. \n\
            Dubious, test returned 2 (wstat 512, 0x200)\nNo subtests run \n\n#   Failed test 'a'\nt/two.t .... \n\
            Failed 1/2 subtests \n\nTest Summary Report\n-------------------\n\
            t/two.t  (Wstat: 256 (exited 1) Tests: 2 Failed: 1)\nFiles=4, Tests=4,  0 wallclock secs\nResult: FAIL\n";
        check(failing.as_bytes(), Completeness::FailuresOnly, (1, 2, 1), "! t/three.t\n! t/two.t");
        let passing =
            b"t/one.t .. ok\nt/two.t .. ok\nAll tests successful.\nFiles=2, Tests=5,  0\nResult: PASS\n";
        check(passing, Completeness::FailuresOnly, (5, 0, 0), "");
    }
}
