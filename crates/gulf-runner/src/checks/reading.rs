//! What a run's output and reports say, read within a limit.
//!
//! Several workers read side by side: one file is in memory at a time, and of each no more than was agreed on
//! (`verify.report_limit`).

use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::measure;
use gulf_agents::reports::{self, Exit, JunitFile, TestReport};
use gulf_agents::sources::{is_test_path, is_test_support_path};
use gulf_engine::Digest;
use gulf_host::clock::milliseconds;
use gulf_host::git::TreePath;
use gulf_host::process::{Ending, ProcessOutcome};
use gulf_host::{digest, files};

use super::{NOT_RUNNABLE, Ran, RunEnd, RunRecord};
use crate::FORMAT_VERSION;
use crate::agreement::{SealedCheck, engine_digest};
use crate::checks::Checks;
use crate::error::{Failure, Result};
use crate::measuring::unrun::unrun;
use crate::measuring::{EarlierReports, purpose_of};

/// What a worker gets to see of one failing check.
const TAIL_CHARS_MAX: usize = 4_000;
/// How much is quoted of what a shell says.
const SHELL_CHARS_MAX: usize = 300;

impl Checks<'_> {
    /// Reads what a run left.
    pub(super) fn read_run(
        &self,
        outcome: &ProcessOutcome,
        log: &Utf8Path,
        directory: &Utf8Path,
        reports: &Utf8Path,
        (check, earlier): (&SealedCheck, &EarlierReports),
    ) -> Result<Ran> {
        let duration_ms = milliseconds(outcome.duration);
        let (end, exit) = self.ended(&outcome.ending, duration_ms)?;
        let bytes_max = self.resources.agreement.verification.report_bytes_max;
        let own = report_files(reports, bytes_max);
        let mut left = earlier.left();
        let (mut output, before) = files::read_end(log, bytes_max)?;
        reports::take_root_out(&mut output, directory.as_str());
        let tail = reports::masked_tail(&output, TAIL_CHARS_MAX, &self.resources.mask);
        let report = measure::with_files(&output, own, &mut left.files, std::mem::take(&mut left.built));
        let fingerprint = engine_digest(reports::fingerprint(&report, &output, exit).as_bytes());
        let missing = self.missing(&end, check, &output, &report);
        let mut measured = measure::measure(purpose_of(check), exit, &output, &left.files, &report);
        // A list of findings that is not there is no empty one.
        measured.lint_errors = measured.lint_errors.filter(|errors| *errors > 0 || left.lacking.is_empty());
        let coverage = left.files.iter().filter_map(|file| file.coverage.as_ref());
        let unrun = unrun(coverage, directory, &directory.join(&check.directory));
        let counts = report.counts_every_test().then_some(report.counts);
        let log_digest = digest::Digest::of_file(log)?;
        let tests = report.tests.iter().map(|(id, outcome)| (id.to_string(), *outcome)).collect();
        Ok(Ran {
            fingerprint,
            record: RunRecord {
                version: FORMAT_VERSION,
                end,
                duration_ms,
                tail: if before > 0 { format!("{}\n{tail}", shortened(before, bytes_max)) } else { tail },
                tests,
                readable: report.complete,
                ran: counts.map(|counts| counts.passed.saturating_add(counts.failed)),
                skipped: counts.map(|counts| counts.skipped),
                rewritten: Vec::new(),
                unrun,
            },
            report,
            measured,
            lacking: left.lacking,
            missing,
            output,
            log: Digest::new(log_digest.to_string()),
        })
    }

    /// The shell has a code for it; what a runner is run by says it in words.
    fn missing(
        &self,
        end: &RunEnd,
        check: &SealedCheck,
        output: &[u8],
        report: &TestReport,
    ) -> Option<String> {
        let RunEnd::Exited { code } = end else { return None };
        let quoted = |said: String| self.resources.mask.text(&said).chars().take(SHELL_CHARS_MAX).collect();
        if NOT_RUNNABLE.contains(code) {
            let last = reports::last_lines(output, 1, TAIL_CHARS_MAX).pop();
            return Some(last.map_or_else(|| format!("exit code {code}"), quoted));
        }
        if *code == 0 {
            return None;
        }
        reports::unbegun(&check.command, output, report).map(quoted)
    }

    fn ended(&self, ending: &Ending, duration_ms: u64) -> Result<(RunEnd, Exit)> {
        Ok(match ending {
            Ending::Exited(code) => (RunEnd::Exited { code: *code }, Exit::Code(*code)),
            Ending::Signalled(signal) => (RunEnd::Signalled { signal: *signal }, Exit::Signal(*signal)),
            Ending::TimedOut(_) => (RunEnd::TimedOut { after_ms: duration_ms }, Exit::TimedOut),
            Ending::TooMuchOutput => (RunEnd::TooMuchOutput, Exit::TimedOut),
            Ending::NotStarted(why) => {
                (RunEnd::NotStarted { why: self.resources.mask.text(why).into_owned() }, Exit::TimedOut)
            }
            Ending::Cancelled | Ending::Lost => return Err(Failure::Stopped),
        })
    }
}

/// What stands before what was read is not in any count.
fn shortened(before: u64, bytes_max: u64) -> String {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    format!(
        "[of its output gulf read the last {} MiB (verify.report_limit), and not the {} MiB before]",
        mib(bytes_max),
        mib(before)
    )
}

/// The report files that the runners wrote; what cannot be read was not written.
fn report_files(reports: &Utf8Path, bytes_max: u64) -> Vec<JunitFile> {
    let Ok(entries) = reports.read_dir_utf8() else { return Vec::new() };
    let mut paths: Vec<Utf8PathBuf> = entries.flatten().map(|entry| entry.into_path()).collect();
    paths.sort();
    let files = paths.iter().filter_map(|path| files::read_bytes(path, bytes_max).ok());
    files.map(|file| JunitFile::read(&file)).collect()
}

/// A file that was written and put back is as it was, but for the time of its change, which nobody sets.
pub(super) fn is_touched_test(directory: &Utf8Path, path: &TreePath, begun: SystemTime) -> bool {
    let is_of_tests = |path: &str| is_test_path(path) || is_test_support_path(path);
    path.as_utf8()
        .is_some_and(|path| is_of_tests(path.as_str()) && files::changed_since(&directory.join(path), begun))
}
