//! Reads what `prove -v` prints: for each file its lines of TAP, and at the end how many tests ran.

use super::forms::Reader;
use super::section::{Results, Section, settle};
use super::{Counts, Runner, TestOutcome};

/// Opens a report at the heading of a file: `t/roman.t ....`
pub(super) fn begun_by(line: &str) -> Option<Box<dyn Reader>> {
    heading(line).map(|_| Box::new(Prove::default()) as Box<dyn Reader>)
}

#[derive(Debug, Default)]
struct Prove {
    file: String,
    /// Something of that file failed.
    has_failed: bool,
    results: Results,
    /// Files that failed without a test that did.
    broken: u64,
    stated: Option<u64>,
}

impl Reader for Prove {
    fn read(&mut self, line: &str) {
        if let Some(file) = heading(line) {
            (self.file, self.has_failed) = (file.to_owned(), false);
        } else if let Some((name, outcome)) = result(line) {
            self.has_failed |= outcome == TestOutcome::Failed;
            self.results.push(format!("{} > {name}", self.file), outcome);
        } else if line.starts_with("Dubious, test returned ") && !self.has_failed {
            self.broken = self.broken.saturating_add(1);
            self.results.push(self.file.clone(), TestOutcome::Failed);
        } else if let Some(tests) = counted(line) {
            self.stated = Some(tests);
        }
    }

    fn may_end_before(&self, line: &str) -> bool {
        self.stated.is_some() && !line.starts_with("Result: ")
    }

    fn finish(self: Box<Self>) -> Option<Section> {
        let (total, read) = (self.stated?.saturating_add(self.broken), self.results.counts());
        let passed = total.saturating_sub(read.failed).saturating_sub(read.skipped);
        let failed = if read.total() == total { read.failed } else { total };
        Some(settle(Runner::Tap, self.results, Some(Counts { passed, failed, skipped: read.skipped })))
    }
}

fn heading(line: &str) -> Option<&str> {
    let (file, dots) = line.trim_end().rsplit_once(' ')?;
    let is_heading = dots.len() >= 2 && dots.bytes().all(|byte| byte == b'.') && !file.contains(' ');
    (is_heading && file.ends_with(".t")).then_some(file)
}

/// `ok 2 - right`, `not ok 5 - later # TODO why`, `ok 4 # skip why`; what is indented belongs to one that follows.
fn result(line: &str) -> Option<(&str, TestOutcome)> {
    let (is_ok, rest) = match line.strip_prefix("not ok ") {
        Some(rest) => (false, rest),
        None => (true, line.strip_prefix("ok ")?),
    };
    let (said, directive) = rest.split_once(" # ").unwrap_or((rest, ""));
    let (number, name) = said.split_once(" - ").unwrap_or((said, said));
    number.trim().parse::<u64>().ok()?;
    let directive = directive.to_lowercase();
    let outcome = match is_ok {
        _ if ["skip", "todo"].iter().any(|word| directive.starts_with(word)) => TestOutcome::Skipped,
        true => TestOutcome::Passed,
        false => TestOutcome::Failed,
    };
    Some((name.trim(), outcome))
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
        assert_eq!(
            read(b"t/one.t .. ok\nAll tests successful.\nFiles=1, Tests=1,  0\n"),
            TestReport::default()
        );
    }
}
