//! The files that a check leaves behind, and the numbers that they and its words hold (SPEC L3).
//!
//! A checkout keeps its build output: a report is believed only where this very run wrote it.

pub mod unrun;

use std::collections::BTreeMap;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::measure::{COVERAGE_REPORTS, Purpose, ReportFile, purpose};
use gulf_agents::reports::{BUILD_FILES, BuildTool, BuiltReport, JunitFile};
use gulf_engine::{CoverageNeed, Feedback, FeedbackPolicy};
use gulf_host::files::{self, ReadError};
use gulf_host::programs;
use gulf_spec::prompts::Fix;

use crate::agreement::{Measures, SealedCheck};
use crate::book::Fold;

/// What a check is for: as a person said, or as its command does.
pub(crate) fn purpose_of(check: &SealedCheck) -> Option<Purpose> {
    match check.measures {
        None => purpose(&check.command),
        Some(Measures::Tests) => Some(Purpose::Tests),
        Some(Measures::Lint) => Some(Purpose::Lint),
        Some(Measures::Build) => Some(Purpose::Build),
        Some(Measures::Coverage) => Some(Purpose::Coverage),
    }
}

/// The reports that a run may write, as they lay there before it.
#[derive(Debug)]
pub(crate) struct EarlierReports {
    before: BTreeMap<Utf8PathBuf, Option<SystemTime>>,
    folder: Utf8PathBuf,
    /// A larger one is not read.
    bytes_max: u64,
    /// What build tools had left of their tests, where the usual places are looked at; none where the check names its reports.
    built: Option<Found>,
}

/// What a run left.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct WrittenReports {
    pub(crate) files: Vec<ReportFile>,
    /// What build tools wrote of their tests.
    pub(crate) built: Vec<BuiltReport>,
    /// What is wrong with those that the check names.
    pub(crate) lacking: Vec<String>,
}

impl EarlierReports {
    /// Looks before the run.
    pub(crate) fn before(check: &SealedCheck, directory: &Utf8Path, bytes_max: u64) -> Self {
        let folder = directory.join(&check.directory);
        let built = check.reports.is_empty().then(|| find(&folder));
        let usual = COVERAGE_REPORTS.iter().filter(|_| built.is_some()).map(|path| folder.join(path));
        let paths = check.reports.iter().map(|path| folder.join(path)).chain(usual);
        let before = paths.map(|path| (path.clone(), written_at(&path))).collect();
        Self { before, folder, bytes_max, built }
    }

    /// What the run wrote: neither what an earlier one left, nor what is part of the candidate.
    pub(crate) fn left(&self) -> WrittenReports {
        let built = self.built.as_ref().map(|before| written(&self.folder, before, self.bytes_max));
        let mut left = WrittenReports { built: built.unwrap_or_default(), ..WrittenReports::default() };
        for path in self.before.keys() {
            match self.written(path) {
                Ok(file) if self.built.is_some() || file.is_whole() => left.files.push(file),
                Ok(file) => {
                    left.lacking.push(format!("{} is no whole report", self.shown(path)));
                    left.files.push(file);
                }
                Err(why) if self.built.is_none() => {
                    left.lacking.push(format!("{} {why}", self.shown(path)));
                }
                Err(_) => {}
            }
        }
        left
    }

    fn written(&self, path: &Utf8Path) -> Result<ReportFile, String> {
        let now = written_at(path);
        if now.is_none() || self.before.get(path).is_some_and(|before| *before == now) {
            return Err("was not written".to_owned());
        }
        match files::read_bytes(path, self.bytes_max) {
            Ok(file) => Ok(ReportFile::read(&file)),
            Err(ReadError::TooLarge { bytes, bytes_max, .. }) => Err(format!(
                "has {} MiB, and {} MiB are read (verify.report_limit)",
                bytes.div_ceil(1 << 20),
                bytes_max >> 20
            )),
            Err(error) => Err(format!("cannot be read: {error}")),
        }
    }

    fn shown<'path>(&self, path: &'path Utf8Path) -> &'path str {
        path.strip_prefix(&self.folder).unwrap_or(path).as_str()
    }
}

/// What was measured of the work as it stands, and what is still missing, for whoever works or thinks next.
pub(crate) fn fix(fold: &Fold) -> Option<Fix> {
    let policy = fold.state.feedback_policy()?;
    let feedback = fold.state.unit.feedback?;
    let gate = "what was measured".to_owned();
    (!feedback.is_success(&policy)).then(|| Fix::Refused { gate, reason: numbers(&feedback, &policy) })
}

fn numbers(feedback: &Feedback, policy: &FeedbackPolicy) -> String {
    const PLATEAU: &str = " Two iterations in a row in which none of these becomes better end the loop.";
    let number = |number: Option<u32>| number.map_or("not measured".to_owned(), |number| number.to_string());
    let percent = |covered: u32| format!("{}.{:02} %", covered / 100, covered % 100);
    let build = match feedback.build_success {
        Some(true) => "ok",
        Some(false) => "failed",
        None => "not known",
    };
    let must = match policy.coverage {
        CoverageNeed::Shown => "where it is measured, at least",
        CoverageNeed::Required => "it must be measured, at least",
    };
    let plateau = if policy.auto_converge { PLATEAU } else { "" };
    format!(
        "gulf ran the checks on what you left:\n- tests: {} failed, {} passed\n- lint errors: {}\n- build: {build}\n- \
         coverage: {} ({must} {})\nDone is: no failing test, no lint error, a build that succeeds, and that coverage. \
         Nobody has to claim it.{plateau}",
        number(feedback.tests_failed),
        number(feedback.tests_passed),
        number(feedback.lint_errors),
        feedback.coverage_bp.map_or("not measured".to_owned(), percent),
        percent(policy.coverage_bp_min),
    )
}

fn written_at(path: &Utf8Path) -> Option<SystemTime> {
    std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?.modified().ok()
}

// The reports of tests that build tools leave at places of their own, in a module or in several.

/// Four folders of modules, three of a report, and the file.
const DEPTH_MAX: usize = 8;
/// Of a larger tree the rest is not looked at.
const FILES_MAX: usize = 100_000;

/// The reports that lie there, and when each was written.
type Found = BTreeMap<String, Option<SystemTime>>;

/// Looks for them; none where no build tool is at home.
fn find(folder: &Utf8Path) -> Found {
    let is_built = BUILD_FILES.iter().any(|name| folder.join(name).is_file());
    let mut files = if is_built { programs::list(folder, DEPTH_MAX, FILES_MAX) } else { Vec::new() };
    files.retain(|path| BuildTool::of_report(path).is_some());
    files.into_iter().map(|path| (path.clone(), written_at(&folder.join(path)))).collect()
}

/// What the run wrote. All of it is one report, of which a part says nothing.
fn written(folder: &Utf8Path, before: &Found, bytes_max: u64) -> Vec<BuiltReport> {
    let mut bytes = bytes_max;
    let read = BuildTool::written_anew(before, find(folder)).into_iter().map(|(tool, path)| {
        let file = files::read_bytes(&folder.join(path), bytes).ok()?;
        bytes = bytes.saturating_sub(u64::try_from(file.len()).unwrap_or(u64::MAX));
        Some(BuiltReport { tool, file: JunitFile::read(&file) })
    });
    read.collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests;
